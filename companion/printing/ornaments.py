"""Ornaments as polygons in a unit square about (0, 0): rosettes, eyes, suits, chess pieces; drawn by us."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
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
    paths = _paths()
    if name in paths:
        return tuple(Area(tuple(_outlines(path))) for path in paths[name])
    return tuple(_DRAWN[name]())


@cache
def _paths() -> Mapping[str, Sequence[str]]:
    """Return the paths of each symbol in `ornaments.svg`, in a square of 100 by 100."""
    text = resources.files("companion.printing").joinpath("ornaments.svg").read_text("utf-8")
    drawn = ElementTree.fromstring(text)  # noqa: S314 - our own file
    return {symbol.attrib["id"]: [path.attrib["d"] for path in symbol] for symbol in drawn}


def placed_symbol(item: Symbol) -> Iterator[tuple[Colour, list[list[Point]]]]:
    """Yield the colour and the outlines of each area of a symbol at its place, in mm."""
    angle = math.radians(item.turn_deg)
    c, s = math.cos(angle) * item.size_mm, math.sin(angle) * item.size_mm
    left, top = item.centre
    for area in ornament(item.name):
        outlines = [[(left + x * c - y * s, top + x * s + y * c) for x, y in outline] for outline in area.outlines]
        yield item.colours[min(area.part, len(item.colours) - 1)], outlines


def ornament_names() -> tuple[str, ...]:
    """Return the names of all ornaments, sorted."""
    return tuple(sorted({*_paths(), *_DRAWN}))


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


def disc(x: float, y: float, radius: float, flat: float = 1.0, turn_rad: float = 0.0) -> Outline:
    """Return an ellipse as a polygon; `flat` is height over width."""
    steps = 40
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    angles = (2 * math.pi * k / steps for k in range(steps))
    flats = ((radius * math.cos(a), radius * flat * math.sin(a)) for a in angles)
    return tuple((x + u * c - v * s, y + u * s + v * c) for u, v in flats)


def regular(count: int, outer: float, inner: float | None = None) -> Outline:
    """Return a regular polygon with a corner at its top, or a star if there is an inner radius."""
    turn_rad = -math.pi / 2
    if inner is None:
        return tuple(_polar(outer, turn_rad + 2 * math.pi * k / count) for k in range(count))
    radii = (outer, inner)
    return tuple(_polar(radii[k % 2], turn_rad + math.pi * k / count) for k in range(2 * count))


def _polar(radius: float, angle: float) -> Point:
    return radius * math.cos(angle), radius * math.sin(angle)


def _rosette() -> Iterator[Area]:
    """Yield a ring with eight petals, alternating in colour as on the old boards."""
    yield Area((disc(0, 0, 0.48), disc(0, 0, 0.45)), 0)
    for k in range(8):
        angle = math.pi * k / 4
        x, y = _polar(0.255, angle)
        yield Area((disc(x, y, 0.165, 0.46, angle),), k % 2)
    yield Area((disc(0, 0, 0.085),), 1)
    yield Area((disc(0, 0, 0.04),), 2)


def _eyes() -> Iterator[Area]:
    for x, y in _four(0.23):
        yield Area((_almond(x, y, 0.19, 0.115), _almond(x, y, 0.155, 0.08)), 0)
        yield Area((disc(x, y, 0.062),), 1)


def _almond(x: float, y: float, half: float, high: float) -> Outline:
    """Return the outline of an eye: two arcs that meet in points."""
    upper = [_bezier([(-half, 0), (0, -2 * high), (half, 0)], t / 12) for t in range(13)]
    lower = [_bezier([(half, 0), (0, 2 * high), (-half, 0)], t / 12) for t in range(1, 12)]
    return tuple((x + u, y + v) for u, v in (*upper, *lower))


def _four(reach: float) -> tuple[Point, ...]:
    return (-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)


def _grid() -> Iterator[Area]:
    """Yield twelve dots in a lattice without corners."""
    for k in range(5):
        at = -0.44 + 0.22 * k
        reach = 0.22 if k in (0, 4) else 0.44
        yield Area((_bar(at - 0.008, -reach, 0.016, 2 * reach), _bar(-reach, at - 0.008, 2 * reach, 0.016)), 0)
    free = ((0, 0), (3, 0), (0, 3), (3, 3))
    for row in range(4):
        for column in range(4):
            if (column, row) not in free:
                yield Area((disc(-0.33 + 0.22 * column, -0.33 + 0.22 * row, 0.065),), 1)


def _bar(x: float, y: float, width: float, height: float) -> Outline:
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def _four_fives() -> Iterator[Area]:
    for x, y in _four(0.225):
        yield Area((_bar(x - 0.195, y - 0.195, 0.39, 0.39), _bar(x - 0.18, y - 0.18, 0.36, 0.36)), 0)
        for u, v in ((0.0, 0.0), *_four(0.1)):
            yield Area((disc(x + u, y + v, 0.042),), 1)


def _zigzag() -> Iterator[Area]:
    for row, part in ((-0.3, 0), (0.0, 1), (0.3, 0)):
        upper = [(-0.45 + 0.15 * k, row + (0.09 if k % 2 else -0.09)) for k in range(7)]
        lower = [(x, y + 0.075) for x, y in reversed(upper)]
        yield Area((tuple((x, y - 0.0375) for x, y in (*upper, *lower)),), part)


def _disc(*places: Point, radius: float, inner: float = 0.0, part: int = 0) -> tuple[Area, ...]:
    """Return a disc about each place, or a ring if there is an inner radius."""
    radii = (radius, inner) if inner else (radius,)
    return tuple(Area(tuple(disc(x, y, r) for r in radii), part) for x, y in places)


_MIDDLE = (0.0, 0.0)
_L, _R = -0.27, 0.27
_PIPS: Mapping[str, tuple[Point, ...]] = {
    "pips-1": (_MIDDLE,),
    "pips-2": ((_L, _L), (_R, _R)),
    "pips-3": ((_L, _L), _MIDDLE, (_R, _R)),
    "pips-4": _four(0.27),
    "pips-5": (_MIDDLE, *_four(0.27)),
    "pips-6": (*_four(0.27), (_L, 0), (_R, 0)),
}

_DRAWN: Mapping[str, Callable[[], Iterable[Area]]] = {
    "rosette": _rosette,
    "eyes": _eyes,
    "circles": lambda: tuple(
        area
        for place in (_MIDDLE, *_four(0.28))
        for area in (*_disc(place, radius=0.13, inner=0.095), *_disc(place, radius=0.045, part=1))
    ),
    "grid": _grid,
    "four-fives": _four_fives,
    "zigzag": _zigzag,
    "sun": lambda: (
        Area((regular(12, 0.49, 0.31),)),
        *_disc(_MIDDLE, radius=0.27, inner=0.22, part=1),
        *_disc(_MIDDLE, radius=0.12, part=1),
    ),
    "ring": lambda: _disc(_MIDDLE, radius=0.46, inner=0.28),
    "target": lambda: (*_disc(_MIDDLE, radius=0.48, inner=0.36), *_disc(_MIDDLE, radius=0.2)),
    "bars": lambda: tuple(Area((_bar(-0.4, -0.4 + 0.3 * k, 0.8, 0.17),)) for k in range(3)),
    "cross": lambda: (
        Area((_bar(-0.14, -0.45, 0.28, 0.31), _bar(-0.14, 0.14, 0.28, 0.31))),
        Area((_bar(-0.45, -0.14, 0.9, 0.28),)),
    ),
    "dot": lambda: _disc(_MIDDLE, radius=0.4),
    "square": lambda: (Area((_bar(-0.38, -0.38, 0.76, 0.76),)),),
    "triangle": lambda: (Area((regular(3, 0.48),)),),
    "diamond": lambda: (Area((regular(4, 0.48),)),),
    "hexagon": lambda: (Area((regular(6, 0.46),)),),
    "star": lambda: (Area((regular(5, 0.5, 0.2),)),),
    **{name: partial(_disc, *places, radius=0.1) for name, places in _PIPS.items()},
}
