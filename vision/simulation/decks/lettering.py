"""Letters and numbers of the cards' corners, as masks: from OpenCV's strokes, font files, or strokes of our own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.simulation.decks.skeletons import Shape, skeleton

Mask = NDArray[np.uint8]
"""uint8 (rows, columns), 255 where there is ink, cropped to the ink."""

_HEIGHT_PX = 72
_SHIFT = 4
_HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_PLAIN,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
)


class Lettering(Protocol):
    """One way to write."""

    def mask(self, text: str) -> Mask:
        """Write a rank: one of A 1 2 ... 10 J Q K B D V R."""


@dataclass(frozen=True, slots=True)
class Hershey:
    """OpenCV's own strokes, which come with every version of it."""

    face: int
    thickness: int

    def mask(self, text: str) -> Mask:
        """Write a rank."""
        paper = np.zeros((3 * _HEIGHT_PX, 6 * _HEIGHT_PX), np.uint8)
        scale = cv2.getFontScaleFromHeight(self.face, _HEIGHT_PX)
        cv2.putText(paper, text, (_HEIGHT_PX, 2 * _HEIGHT_PX), self.face, scale, 255, self.thickness, cv2.LINE_AA)
        return cropped(paper)


@dataclass(frozen=True, slots=True)
class FontFile:
    """A TrueType font, for training only: it needs OpenCV 5."""

    path: Path

    def mask(self, text: str) -> Mask:
        """Write a rank."""
        paper = np.zeros((3 * _HEIGHT_PX, 6 * _HEIGHT_PX), np.uint8)
        cv2.putText(paper, text, (_HEIGHT_PX, 2 * _HEIGHT_PX), 255, _font_face(self.path), int(1.3 * _HEIGHT_PX))
        return cropped(paper)


@cache
def _font_face(path: Path) -> cv2.FontFace:
    """Open a font once and for all: OpenCV keeps its glyphs by the place in memory, which must not be used again."""
    return cv2.FontFace(str(path))


@dataclass(frozen=True, slots=True)
class Strokes:
    """Strokes of a round pen along skeletons of our own, wider or narrower, with or without serifs.

    Attributes:
        shape: of the skeletons.
        pen_px: thickness where letters are 72 px high.
        narrow: letters are drawn this much wider than they will be, so that upright strokes come out thinner.
        serif: length of serifs over the letter's height; 0 for none.
    """

    shape: Shape
    pen_px: float
    narrow: float
    serif: float

    def mask(self, text: str) -> Mask:
        """Write a rank."""
        letters = [self._letter(letter) for letter in text]
        rows = max(letter.shape[0] for letter in letters)
        same = [np.asarray(cv2.resize(letter, (letter.shape[1], rows)), np.uint8) for letter in letters]
        gap = np.zeros((rows, round(self.pen_px * 0.8)), np.uint8)
        return cropped(np.hstack([part for letter in same for part in (letter, gap)]))

    def _letter(self, letter: str) -> Mask:
        size = np.array([0.62 * _HEIGHT_PX * self.narrow, _HEIGHT_PX])
        paper = np.zeros((2 * _HEIGHT_PX, int(size[0]) + 2 * _HEIGHT_PX), np.uint8)
        for stroke in skeleton(letter, self.shape):
            points = stroke * size + _HEIGHT_PX / 2
            self._draw(paper, points)
            for end, before in ((stroke[0], stroke[1]), (stroke[-1], stroke[-2])):
                self._end(paper, end, end - before, size)
        return cropped(paper)

    def _end(self, paper: Mask, end: Floats, way: Floats, size: Floats) -> None:
        """Put a serif across the end of a stroke at the letter's head or foot: level under upright strokes."""
        if self.serif > 0 and abs(end[1] - 0.5) > 0.4:
            half = self.serif * _HEIGHT_PX * (np.array([1, 0]) if abs(way[1]) > abs(way[0]) else np.array([0, 0.6]))
            place = end * size + _HEIGHT_PX / 2
            self._draw(paper, np.array([place - half, place + half]))

    def _draw(self, paper: Mask, points: Floats) -> None:
        fixed = np.round(points * 2**_SHIFT).astype(np.int32)
        thickness = max(1, round(self.pen_px))
        cv2.polylines(
            paper, [fixed], isClosed=False, color=255, thickness=thickness, lineType=cv2.LINE_AA, shift=_SHIFT
        )


def random_lettering(rng: np.random.Generator, font_files: tuple[Path, ...] = ()) -> Lettering:
    """Make up a way to write, or take one of OpenCV's or of the given font files."""
    kind = rng.random()
    if font_files and kind < 0.45:
        return FontFile(font_files[rng.integers(len(font_files))])
    if kind < (0.55 if font_files else 0.35):
        return Hershey(int(rng.choice(_HERSHEY)), int(rng.integers(2, 10)))
    return Strokes(
        Shape.random(rng),
        pen_px=rng.uniform(5, 15),
        narrow=rng.uniform(0.75, 1.7),
        serif=rng.choice((0.0, rng.uniform(0.06, 0.16))),
    )


def cropped(paper: Mask) -> Mask:
    """Cut off what has no ink."""
    x, y, width, height = cv2.boundingRect(paper)
    return np.ascontiguousarray(paper[y : y + height, x : x + width])
