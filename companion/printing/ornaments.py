"""Ornaments as polygons in a unit square about (0, 0): rosettes, eyes, suits, chess pieces; drawn by us."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from xml.etree import ElementTree

from companion.games.kit import Colour, Point, Symbol

Outline = tuple[Point, ...]
_STEPS = 10


@dataclass(frozen=True, slots=True)
class Area:
    """Outlines that are filled together by the even-odd rule, in the colour number `part` of a symbol."""

    outlines: tuple[Outline, ...]
    part: int = 0


@lru_cache
def ornament(name: str) -> tuple[Area, ...]:
    """Return an ornament's areas, from -0.5 to 0.5 in x and y (down).

    Raises:
        KeyError: there is no ornament of this name.
    """
    return tuple(Area(tuple(_outlines(path.attrib["d"])), int(path.get("data-part", 0))) for path in _symbols()[name])


@cache
def _symbols() -> Mapping[str, ElementTree.Element]:
    """Return the symbols in `ornaments.svg`, whose paths are in a square of 100 by 100."""
    text = resources.files("companion.printing").joinpath("ornaments.svg").read_text("utf-8")
    return {symbol.attrib["id"]: symbol for symbol in ElementTree.fromstring(text)}  # noqa: S314 - our own file


def placed_symbol(item: Symbol) -> Iterator[tuple[Colour, list[list[Point]]]]:
    """Yield the colour and the outlines of each area of a symbol at its place, in mm."""
    angle = math.radians(item.turn_deg)
    c, s = math.cos(angle) * item.size_mm, math.sin(angle) * item.size_mm
    left, top = item.centre
    for area in ornament(item.name):
        outlines = [[(left + x * c - y * s, top + x * s + y * c) for x, y in outline] for outline in area.outlines]
        yield item.colours[min(area.part, len(item.colours) - 1)], outlines


def _outlines(path: str) -> Iterator[Outline]:
    """Yield the closed polygons of an SVG path in a square of 100 by 100, scaled to the unit square."""
    for piece in re.findall(r"M[^M]*", path):
        points: list[Point] = []
        for command, text in re.findall(r"([MLCQ])([^MLCQZ]*)", piece):
            values = [float(number) for number in text.split()]
            points += _sample(points[-1:], list(zip(values[::2], values[1::2], strict=True)), command)
        yield tuple((x / 100 - 0.5, y / 100 - 0.5) for x, y in points)


def _sample(last: list[Point], given: list[Point], command: str) -> Iterator[Point]:
    if command in "ML":
        yield from given
        return
    order = {"Q": 2, "C": 3}[command]
    start = last[0]
    for k in range(0, len(given), order):
        control = [start, *given[k : k + order]]
        yield from (_bezier(control, step / _STEPS) for step in range(1, _STEPS + 1))
        start = control[-1]


def _bezier(control: Sequence[Point], t: float) -> Point:
    """Evaluate a Bezier curve by de Casteljau's algorithm."""
    while len(control) > 1:
        control = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(control)]
    return control[0]
