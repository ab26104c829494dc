"""Words in large letters: those of a figlet font, or spaced capitals where a letter has none or the space is narrow."""

from __future__ import annotations

from functools import lru_cache

from pyfiglet import Figlet

_FONTS = ("future", "smblock")
"""Three lines high, and four lines high with the letters of more languages; the first that has all letters is used."""

_WIDEST = 1000


@lru_cache(maxsize=64)
def banner(words: str, width: int) -> tuple[str, ...]:
    """Return words as lines of equal width, at most `width` columns; a single line where large letters do not fit."""
    for font in _FONTS:
        if _has_all(font, words) and (lines := _lines(font, words)) and len(lines[0]) <= width:
            return lines
    spaced = " ".join(words.upper())
    return (spaced if len(spaced) <= width else words[:width],)


def _lines(font: str, words: str) -> tuple[str, ...]:
    drawn = _figlet(font).renderText(words).split("\n")
    written = [line.rstrip() for line in drawn if line.strip()]
    width = max(map(len, written), default=0)
    return tuple(line.ljust(width) for line in written)


def _has_all(font: str, words: str) -> bool:
    return all(_has(font, letter) for letter in words if letter != " ")


@lru_cache(maxsize=256)
def _has(font: str, letter: str) -> bool:
    return bool(_figlet(font).renderText(letter).strip())


@lru_cache
def _figlet(font: str) -> Figlet:
    return Figlet(font=font, width=_WIDEST)
