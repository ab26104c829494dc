"""Text set in boxes: the embedded fonts, wrapping, and smaller sizes for longer translations."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from PIL import ImageFont

from companion.games.kit import Words
from companion.ui.phrases import joined

MM = 72 / 25.4
"""Points in a millimetre."""

LEADING = 1.22
"""Distance of base lines over the size of the letters."""

LEAST_PT = 6.0
_EM = 1000
"""Size at which widths are measured."""

_BREAK = re.compile(r"(?<!«) (?![;:!?»%])")
"""Where a line may end: not before these signs, to which French adds a space, nor between a number and "%"."""
_SHRINK = 0.95
_NARROWER = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5)
"""Shares of a box's width that are tried to avoid a single word in the last line."""

_FILES: Mapping[str, str] = {"regular": "Regular", "bold": "SemiBold", "italic": "Italic"}


@dataclass(frozen=True, slots=True)
class SetText:
    """Lines of text at the size at which they fit; `fits` is False if they do not fit even at the least size."""

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
    """Return the advance width of a letter over its size; a PDF sets letters without kerning."""
    return _measure(weight).getlength(letter) / _EM


def width_mm(text: str, weight: str, size_pt: float) -> float:
    """Return the width of a line of text in mm."""
    return sum(_advance(letter, weight) for letter in text) * size_pt / MM


def set_text(words: Words) -> SetText:
    """Wrap text to its box, at its own size or else at the largest smaller size that fits."""
    size = words.size_pt
    while True:
        lines = _wrap(words.text, words.weight, size, words.box[2])
        widest = max((width_mm(line, words.weight, size) for line in lines), default=0.0)
        found = SetText(tuple(lines), size, widest <= words.box[2] + 0.05)
        if found.fits and found.height_mm <= words.box[3] + 0.05:
            return SetText(_avoid_single_word(words, found), size, fits=True)
        if size <= LEAST_PT:
            return SetText(found.lines, size, fits=False)
        size = max(size * _SHRINK, LEAST_PT)


def _avoid_single_word(words: Words, found: SetText) -> tuple[str, ...]:
    """Return the lines of text that fits, wrapped more narrowly if the last would otherwise be a single word."""
    if "\n" in words.text or not _ends_alone(found.lines):
        return found.lines
    for share in _NARROWER:
        lines = _wrap(words.text, words.weight, found.size_pt, share * words.box[2])
        if len(lines) > len(found.lines):
            break
        if not _ends_alone(lines):
            return tuple(lines)
    return found.lines


def _ends_alone(lines: Sequence[str]) -> bool:
    return len(lines) > 1 and _BREAK.search(lines[-1]) is None


def _wrap(text: str, weight: str, size_pt: float, width: float) -> list[str]:
    lines: list[str] = []
    for paragraph in text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}").split("\n"):
        parts = joined(_BREAK.split(paragraph), " ", lambda line: width_mm(line, weight, size_pt) <= width)
        lines += [*parts] or [""]
    return lines
