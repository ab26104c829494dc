"""Masks of the letters and numbers of indices, from OpenCV's strokes, font files, or random strokes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.simulation.outlines import SHIFT, sixteenths

Pair = tuple[float, float]

Skeleton = tuple[Floats, ...]
"""Strokes, each float64 (n, xy)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The common style of all letters.

    Attributes:
        square: 0 for round bowls, towards 1 for square ones.
        waist: height of the bar or crossing of A, B, R, 3, 8, 0 to 1.
        slant: how far the top leans to the right.
        flat_three: the 3 has a flat top.
        flat_seven: bend of the seven's leg.
        open_four: the four's upper stroke stands apart.
        straight_six: six and nine have straight backs.
        based_one: the one has a foot.
        flag_one: length of the one's flag.
        bar_jack: the J has a bar on top.
        tail_queen: how far the queen's tail reaches.
        crossed_seven: the seven has a bar.
    """

    square: float
    waist: float
    slant: float
    flat_three: bool
    flat_seven: float
    open_four: bool
    straight_six: bool
    based_one: bool
    flag_one: float
    bar_jack: bool
    tail_queen: float
    crossed_seven: bool

    @staticmethod
    def random(rng: np.random.Generator) -> Shape:
        """Return a random style."""
        return Shape(
            square=rng.choice((rng.uniform(0, 0.2), rng.uniform(0, 0.8))),
            waist=rng.uniform(0.42, 0.56),
            slant=rng.choice((0.0, rng.uniform(0, 0.2)), p=(0.75, 0.25)),
            flat_three=rng.random() < 0.2,
            flat_seven=rng.uniform(0, 0.25),
            open_four=rng.random() < 0.15,
            straight_six=rng.random() < 0.3,
            based_one=rng.random() < 0.5,
            flag_one=rng.uniform(0, 0.4),
            bar_jack=rng.random() < 0.5,
            tail_queen=rng.uniform(0, 0.25),
            crossed_seven=rng.random() < 0.08,
        )


def _arc(shape: Shape, middle: Pair, radii: Pair, quarters: Pair) -> Floats:
    """Return a part of a superellipse, from one angle to another in quarters, 0 right, 1 down."""
    start, end = quarters
    angle = np.linspace(start, end, 6 * max(2, round(4 * abs(end - start)))) * np.pi / 2
    power = 1 - 0.75 * shape.square
    c, s = np.cos(angle), np.sin(angle)
    return np.column_stack([np.sign(c) * abs(c) ** power, np.sign(s) * abs(s) ** power]) * radii + middle


def _line(*points: Pair) -> Floats:
    return np.array(points, np.float64)


def _digit(digit: str, s: Shape) -> Skeleton:
    strokes: Skeleton
    match digit:
        case "1":
            stem = _line((0.55, 1), (0.55, 0), (0.55 - s.flag_one, 0.8 * s.flag_one))
            strokes = (stem, _line((0.25, 1), (0.85, 1))) if s.based_one else (stem,)
        case "2":
            bowl = _arc(s, (0.5, 0.28), (0.46, 0.28), (-2.1, 0.45))
            strokes = (np.concatenate([bowl, _line((0.02, 1), (1, 1))]),)
        case "3":
            lower = _arc(s, (0.45, (s.waist + 1) / 2), (0.53, (1 - s.waist) / 2), (-0.9, 2.1))
            upper = _arc(s, (0.46, s.waist / 2), (0.46, s.waist / 2), (-2.1, 0.9))
            flat = np.concatenate([_line((0.05, 0), (0.9, 0), (0.45, s.waist)), lower])
            strokes = (flat,) if s.flat_three else (upper, np.concatenate([_line((0.35, s.waist)), lower]))
        case "4":
            level = 0.62 + 0.2 * (s.waist - 0.42)
            opened = (_line((0.15, 0), (0.05, level), (1, level)), _line((0.75, 0.2), (0.75, 1)))
            strokes = opened if s.open_four else (_line((1, level), (0, level), (0.72, 0), (0.72, 1)),)
        case "5":
            top = s.waist - 0.06
            bowl = _arc(s, (0.47, (top + 1) / 2), (0.5, (1 - top) / 2), (-1.35, 2.1))
            strokes = (np.concatenate([_line((0.92, 0), (0.12, 0), (0.06, top + 0.08)), bowl]),)
        case "6":
            bowl = _arc(s, (0.5, 0.68), (0.5, 0.32), (-2, 2))
            bent = (_arc(s, (0.5, 0.42), (0.5, 0.42), (-0.35, -2)), np.concatenate([_line((0, 0.4)), bowl]))
            straight = (np.concatenate([_line((0.72, 0)), bowl[:1] * (1, 0.95)]), bowl)
            strokes = straight if s.straight_six else bent
        case "7":
            leg = _line((0, 0), (1, 0), (0.5 + s.flat_seven / 3, 0.45), (0.32, 1))
            strokes = (leg, _line((0.3, 0.5), (0.85, 0.5))) if s.crossed_seven else (leg,)
        case "8":
            lower = _arc(s, (0.5, (1 + s.waist) / 2), (0.5, (1 - s.waist) / 2), (0, 4))
            strokes = (_arc(s, (0.5, s.waist / 2), (0.44, s.waist / 2), (0, 4)), lower)
        case "9":
            strokes = tuple(1 - stroke for stroke in _digit("6", s))
        case _:
            strokes = (_arc(s, (0.5, 0.5), (0.46, 0.5), (0, 4)),)
    return strokes


def _letter(letter: str, s: Shape) -> Skeleton:
    bar, back = s.waist + 0.14, _line((0.05, 1), (0.05, 0))
    upper = _arc(s, (0.45, s.waist / 2), (0.42, s.waist / 2), (-1, 1))
    lower = _arc(s, (0.45, (1 + s.waist) / 2), (0.5, (1 - s.waist) / 2), (-1, 1))
    bowl_of_d = _arc(s, (0.35, 0.5), (0.62, 0.5), (-1, 1))
    bowl_of_r = _arc(s, (0.45, s.waist / 2 + 0.02), (0.47, s.waist / 2 + 0.02), (-1, 1))
    hook = np.concatenate([_line((0.75, 0)), _arc(s, (0.37, 0.72), (0.38, 0.28), (0, 2))])
    tail = 1 + s.tail_queen / 2
    strokes: dict[str, Skeleton] = {
        "A": (_line((0, 1), (0.5, 0), (1, 1)), _line((bar / 2 - bar + 0.5, bar), (0.5 + bar / 2, bar))),
        "B": (np.concatenate([back, upper, _line((0.05, s.waist)), lower, back[:1]]),),
        "D": (np.concatenate([back, bowl_of_d, back[:1]]),),
        "J": (hook, _line((0.4, 0), (1, 0))) if s.bar_jack else (hook,),
        "K": (back[::-1], _line((0.95, 0), (0.05, s.waist + 0.15)), _line((0.35, s.waist), (1, 1))),
        "Q": (_arc(s, (0.5, 0.48), (0.5, 0.48), (0, 4)), _line((0.55, 0.7), (0.9 + s.tail_queen / 2, tail))),
        "R": (np.concatenate([back, bowl_of_r, _line((0.05, s.waist + 0.04))]), _line((0.45, s.waist), (1, 1))),
        "V": (_line((0, 0), (0.5, 1), (1, 0)),),
    }
    return strokes[letter]


Mask = NDArray[np.uint8]
"""uint8 (rows, columns), 255 where there is ink, cropped to the ink."""

_HEIGHT_PX = 72
_HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_PLAIN,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
)


Lettering: TypeAlias = Callable[[str], Mask]
"""A typeface: writes a rank, one of A 1 2 ... 10 J Q K B D V R."""


def _in_strokes(text: str, *, face: int, thickness: int) -> Mask:
    """Write a rank in OpenCV's built-in strokes."""
    paper = np.zeros((3 * _HEIGHT_PX, 6 * _HEIGHT_PX), np.uint8)
    scale = cv2.getFontScaleFromHeight(face, _HEIGHT_PX)
    cv2.putText(paper, text, (_HEIGHT_PX, 2 * _HEIGHT_PX), face, scale, 255, thickness, cv2.LINE_AA)
    return cropped(paper)


def _in_font(text: str, *, path: Path) -> Mask:
    """Write a rank in a TrueType font, for training only, because it needs OpenCV 5."""
    paper = np.zeros((3 * _HEIGHT_PX, 6 * _HEIGHT_PX), np.uint8)
    cv2.putText(paper, text, (_HEIGHT_PX, 2 * _HEIGHT_PX), 255, _font_face(path), int(1.3 * _HEIGHT_PX))
    return cropped(paper)


@cache
def _font_face(path: Path) -> cv2.FontFace:
    """Return a font, opened only once: OpenCV caches its glyphs by its address, which must not be reused."""
    return cv2.FontFace(str(path))


@dataclass(frozen=True, slots=True)
class Strokes:
    """Strokes of a round pen along random skeletons, wider or narrower, with or without serifs.

    Attributes:
        shape: the style of the skeletons.
        pen_px: thickness of the pen for letters 72 px high.
        narrow: factor of the width at which letters are drawn before they are narrowed, which thins upright strokes.
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
        lean = np.array([[1.0, 0.0], [-self.shape.slant, 1.0]])
        for upright in _digit(letter, self.shape) if letter.isdigit() else _letter(letter, self.shape):
            stroke = upright @ lean
            self._draw(paper, stroke * size + _HEIGHT_PX / 2)
            # a serif across each end at the letter's head or foot, horizontal for upright strokes
            for end, before in ((stroke[0], stroke[1]), (stroke[-1], stroke[-2])):
                if self.serif > 0 and abs(end[1] - 0.5) > 0.4:
                    across = (1, 0) if abs(end - before)[1] > abs(end - before)[0] else (0, 0.6)
                    half, place = self.serif * _HEIGHT_PX * np.array(across), end * size + _HEIGHT_PX / 2
                    self._draw(paper, np.array([place - half, place + half]))
        return cropped(paper)

    def _draw(self, paper: Mask, points: Floats) -> None:
        thick, drawn = max(1, round(self.pen_px)), [sixteenths(points)]
        cv2.polylines(paper, drawn, isClosed=False, color=255, thickness=thick, lineType=cv2.LINE_AA, shift=SHIFT)


def random_lettering(rng: np.random.Generator, font_files: tuple[Path, ...] = ()) -> Lettering:
    """Return a random typeface: random strokes, OpenCV's or one of the font files."""
    kind = rng.random()
    if font_files and kind < 0.45:
        return partial(_in_font, path=font_files[rng.integers(len(font_files))])
    if kind < (0.55 if font_files else 0.35):
        return partial(_in_strokes, face=int(rng.choice(_HERSHEY)), thickness=int(rng.integers(2, 10)))
    return Strokes(
        Shape.random(rng),
        pen_px=rng.uniform(5, 15),
        narrow=rng.uniform(0.75, 1.7),
        serif=rng.choice((0.0, rng.uniform(0.06, 0.16))),
    ).mask


def cropped(paper: Mask) -> Mask:
    """Return a mask cropped to its ink."""
    x, y, width, height = cv2.boundingRect(paper)
    return np.ascontiguousarray(paper[y : y + height, x : x + width])
