"""Ornaments as areas: rosettes, eyes, suits, chess pieces, drawn by us as polygons in a unit square about (0, 0)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from companion.games.kit import Point
from companion.printing.ornament_paths import PATHS

Outline = tuple[Point, ...]
_STEPS = 10


@dataclass(frozen=True, slots=True)
class Area:
    """Outlines filled together by the even-odd rule, in the `part`-th of a symbol's colours."""

    outlines: tuple[Outline, ...]
    part: int = 0


@lru_cache
def ornament(name: str) -> tuple[Area, ...]:
    """Return an ornament's areas, from -0.5 to 0.5 in x and y (down).

    Raises:
        KeyError: there is no ornament of this name.
    """
    if name in PATHS:
        return tuple(Area(tuple(_outlines(path))) for path in PATHS[name])
    return tuple(_DRAWN[name]())


def ornament_names() -> tuple[str, ...]:
    """Return the names of all ornaments, sorted."""
    return tuple(sorted({*PATHS, *_DRAWN}))


def _outlines(path: str) -> Iterator[Outline]:
    """Sample a path of 100 by 100 into closed polygons of the unit square."""
    for piece in re.findall(r"M[^M]*", path):
        points: list[Point] = []
        for command, text in re.findall(r"([MLCQ])([^MLCQZ]*)", piece):
            values = [float(number) for number in text.split()]
            points += _sampled(points[-1:], list(zip(values[::2], values[1::2], strict=True)), command)
        yield tuple((x / 100 - 0.5, y / 100 - 0.5) for x, y in points)


def _sampled(last: list[Point], given: list[Point], command: str) -> Iterator[Point]:
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


def regular(count: int, outer: float, inner: float | None = None, turn_rad: float = -math.pi / 2) -> Outline:
    """Return a regular polygon, or a star if there is an inner radius."""
    if inner is None:
        return tuple(_polar(outer, turn_rad + 2 * math.pi * k / count) for k in range(count))
    radii = (outer, inner)
    return tuple(_polar(radii[k % 2], turn_rad + math.pi * k / count) for k in range(2 * count))


def _polar(radius: float, angle: float) -> Point:
    return radius * math.cos(angle), radius * math.sin(angle)


def _rosette() -> Iterator[Area]:
    """Eight petals within a ring, alternating in colour, as on the old boards; pointed petals between them."""
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


def _circles() -> Iterator[Area]:
    for x, y in ((0.0, 0.0), *_four(0.28)):
        yield Area((disc(x, y, 0.13), disc(x, y, 0.095)), 0)
        yield Area((disc(x, y, 0.045),), 1)


def _grid() -> Iterator[Area]:
    """Twelve dots in a lattice whose corners are left open."""
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


def _sun() -> Iterator[Area]:
    yield Area((regular(12, 0.49, 0.31),), 0)
    yield Area((disc(0, 0, 0.27), disc(0, 0, 0.22)), 1)
    yield Area((disc(0, 0, 0.12),), 1)


def _ring() -> Iterator[Area]:
    yield Area((disc(0, 0, 0.46), disc(0, 0, 0.28)), 0)


def _target() -> Iterator[Area]:
    yield Area((disc(0, 0, 0.48), disc(0, 0, 0.36)), 0)
    yield Area((disc(0, 0, 0.2),), 0)


def _bars() -> Iterator[Area]:
    for k in range(3):
        yield Area((_bar(-0.4, -0.4 + 0.3 * k, 0.8, 0.17),), 0)


def _cross() -> Iterator[Area]:
    arm, half = 0.45, 0.14
    yield Area((_bar(-half, -arm, 2 * half, arm - half), _bar(-half, half, 2 * half, arm - half)), 0)
    yield Area((_bar(-arm, -half, 2 * arm, 2 * half),), 0)


def _dots(*places: Point) -> Callable[[], Iterator[Area]]:
    def draw() -> Iterator[Area]:
        for x, y in places:
            yield Area((disc(x, y, 0.1),), 0)

    return draw


def _one(outline: Outline) -> Callable[[], Iterator[Area]]:
    def draw() -> Iterator[Area]:
        yield Area((outline,), 0)

    return draw


_L, _R = -0.27, 0.27
_PIPS: Mapping[str, tuple[Point, ...]] = {
    "pips-1": ((0, 0),),
    "pips-2": ((_L, _L), (_R, _R)),
    "pips-3": ((_L, _L), (0, 0), (_R, _R)),
    "pips-4": _four(0.27),
    "pips-5": ((0, 0), *_four(0.27)),
    "pips-6": (*_four(0.27), (_L, 0), (_R, 0)),
}

_DRAWN: Mapping[str, Callable[[], Iterator[Area]]] = {
    "rosette": _rosette,
    "eyes": _eyes,
    "circles": _circles,
    "grid": _grid,
    "four-fives": _four_fives,
    "zigzag": _zigzag,
    "sun": _sun,
    "ring": _ring,
    "target": _target,
    "bars": _bars,
    "cross": _cross,
    "dot": _one(disc(0, 0, 0.4)),
    "square": _one(_bar(-0.38, -0.38, 0.76, 0.76)),
    "triangle": _one(regular(3, 0.48)),
    "diamond": _one(regular(4, 0.48)),
    "hexagon": _one(regular(6, 0.46)),
    "star": _one(regular(5, 0.5, 0.2)),
    **{name: _dots(*places) for name, places in _PIPS.items()},
}
