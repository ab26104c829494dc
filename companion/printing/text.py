"""Text set in boxes: the embedded fonts, wrapping, and a smaller size where a translation is longer."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from PIL import ImageFont

from companion.games.kit import Words

MM = 72 / 25.4
"""Points in a millimetre."""

LEADING = 1.22
"""Distance of lines over the size of the letters."""

LEAST_PT = 6.0
_EM = 1000
"""Units in which the fonts give their widths, per size of the letters."""

_BREAK = re.compile(r"(?<!«) (?![;:!?»%])")
"""Where a line may end: French puts a space before these signs, and a number stays beside its sign."""
_SHRINK = 0.95
_NARROWER = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5)
"""Widths over a box's own that are tried so that no word is alone in its last line."""

_FILES: Mapping[str, str] = {"regular": "Regular", "bold": "SemiBold", "italic": "Italic"}


@dataclass(frozen=True, slots=True)
class SetText:
    """Lines of text at the size at which they fit; `fits` is false where even the least size is too large."""

    lines: tuple[str, ...]
    size_pt: float
    fits: bool

    @property
    def height_mm(self) -> float:
        """Height of all lines together."""
        return len(self.lines) * self.size_pt * LEADING / MM


def font_name(weight: str) -> str:
    """Return the name of an embedded font."""
    return f"Vollkorn-{_FILES[weight]}"


def font_file(weight: str) -> bytes:
    """Return the content of an embedded font's file."""
    return resources.files("companion.printing").joinpath("fonts", f"{font_name(weight)}.ttf").read_bytes()


@cache
def _measure(weight: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(io.BytesIO(font_file(weight)), _EM, layout_engine=ImageFont.Layout.BASIC)


@cache
def _advance(letter: str, weight: str) -> float:
    """Return how far a letter moves the next one, over the size of the letters; a PDF sets them without kerning."""
    return _measure(weight).getlength(letter) / _EM


def width_mm(text: str, weight: str, size_pt: float) -> float:
    """Return the width of a line of text."""
    return sum(_advance(letter, weight) for letter in text) * size_pt / MM


def set_text(words: Words) -> SetText:
    """Wrap text within its box, at its size or, if it would not fit, at the largest smaller one that does."""
    size = words.size_pt
    while True:
        lines = _wrapped(words.text, words.weight, size, words.box[2])
        widest = max((width_mm(line, words.weight, size) for line in lines), default=0.0)
        found = SetText(tuple(lines), size, widest <= words.box[2] + 0.05)
        if found.fits and found.height_mm <= words.box[3] + 0.05:
            return SetText(_joined(words, found), size, fits=True)
        if size <= LEAST_PT:
            return SetText(found.lines, size, fits=False)
        size = max(size * _SHRINK, LEAST_PT)


def _joined(words: Words, found: SetText) -> tuple[str, ...]:
    """Return as many lines of text that fits, narrower ones if the last would be a single word."""
    if "\n" in words.text or not _ends_alone(found.lines):
        return found.lines
    for share in _NARROWER:
        lines = _wrapped(words.text, words.weight, found.size_pt, share * words.box[2])
        if len(lines) > len(found.lines):
            break
        if not _ends_alone(lines):
            return tuple(lines)
    return found.lines


def _ends_alone(lines: Sequence[str]) -> bool:
    return len(lines) > 1 and _BREAK.search(lines[-1]) is None


def _wrapped(text: str, weight: str, size_pt: float, width: float) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in _BREAK.split(paragraph.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")):
            longer = f"{line} {word}" if line else word
            if line and width_mm(longer, weight, size_pt) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines
