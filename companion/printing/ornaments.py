"""Ornaments as polygons in a unit square about (0, 0): rosettes, eyes, suits, chess pieces; drawn by us."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

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
    if name in PATHS:
        return tuple(Area(tuple(_outlines(path))) for path in PATHS[name])
    return tuple(_DRAWN[name]())


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
    return tuple(sorted({*PATHS, *_DRAWN}))


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


# ---- ornaments as paths in a square of 100 by 100, y down; drawn by us, not from a font

_FOOT = "M27 81 L73 81 L79 92 L21 92 Z"
_BALL = "M{a} {y} C{a} {t} {b} {t} {b} {y} C{b} {u} {a} {u} {a} {y} Z"


def _ball(x: float, y: float, r: float) -> str:
    """Return the path of a circle."""
    reach = 4 / 3 * r
    return _BALL.format(a=x - r, b=x + r, y=y, t=y - reach, u=y + reach)


def _balls(*places: tuple[float, float], r: float) -> str:
    return " ".join(_ball(x, y, r) for x, y in places)


PATHS: Mapping[str, tuple[str, ...]] = {
    "king": (
        "M46 5 L54 5 L54 12 L61 12 L61 20 L54 20 L54 29 L46 29 L46 20 L39 20 L39 12 L46 12 Z",
        "M50 33 C57 25 85 27 85 47 C85 60 73 66 71 78 L29 78 C27 66 15 60 15 47 C15 27 43 25 50 33 Z"
        " M47 46 C43 36 25 38 25 48 C25 56 34 61 37 68 L47 68 Z M53 46 C57 36 75 38 75 48 C75 56 66 61 63 68 L53 68 Z",
        _FOOT,
    ),
    "queen": (
        "M13 34 L29 58 L30 26 L43 54 L50 21 L57 54 L70 26 L71 58 L87 34 L74 78 L26 78 Z M33 66 L31 71 L69 71 L67 66 Z",
        _balls((12, 29), (30, 20), (50, 14), (70, 20), (88, 29), r=5.5),
        _FOOT,
    ),
    "rook": (
        "M23 11 L23 33 L33 41 L35 70 L26 78 L74 78 L65 70 L67 41 L77 33 L77 11 L66 11 L66 20 L56 20 L56 11"
        " L44 11 L44 20"
        " L34 20 L34 11 Z M41 46 L59 46 L59 51 L41 51 Z",
        _FOOT,
    ),
    "bishop": (
        _ball(50, 11, 6),
        "M50 18 C67 28 76 42 74 55 C73 65 65 69 64 78 L36 78 C35 69 27 65 26 55 C24 42 33 28 50 18 Z"
        " M47 35 L53 35 L53 43 L61 43 L61 49 L53 49 L53 62 L47 62 L47 49 L39 49 L39 43 L47 43 Z",
        _FOOT,
    ),
    "knight": (
        "M34 78 C33 63 50 58 49 46 C43 51 35 51 29 57 C25 61 17 57 17 50 C18 44 26 39 30 30 C33 22 38 17 44"
        " 15 L46 5 L55 14"
        " C74 19 84 40 79 78 Z M41 27 C41 24 36 24 36 27 C36 31 41 31 41 27 Z",
        _FOOT,
    ),
    "pawn": (
        _ball(50, 25, 15),
        "M35 42 L65 42 L62 48 C61 62 69 70 72 78 L28 78 C31 70 39 62 38 48 Z",
        _FOOT,
    ),
    "hearts": (
        "M50 92 C38 76 8 58 8 32 C8 18 19 9 30 9 C40 9 47 16 50 25 C53 16 60 9 70 9 C81 9 92 18 92 32 C92 58"
        " 62 76 50 92 Z",
    ),
    "diamonds": ("M50 5 Q66 30 84 50 Q66 70 50 95 Q34 70 16 50 Q34 30 50 5 Z",),
    "spades": (
        "M50 6 C58 24 91 42 91 62 C91 76 79 82 70 80 C63 79 57 75 54 69 C55 80 59 88 66 94 L34 94 C41 88 45 80 46 69"
        " C43 75 37 79 30 80 C21 82 9 76 9 62 C9 42 42 24 50 6 Z",
    ),
    "clubs": (
        "M50 6 C63 6 71 15 71 26 C71 32 68 37 64 41 C70 38 76 38 80 40 C88 43 93 50 93 58 C93 69 84 77 74 77"
        " C65 77 58 72 54 64"
        " C55 78 59 88 66 94 L34 94 C41 88 45 78 46 64 C42 72 35 77 26 77 C16 77 7 69 7 58 C7 50 12 43 20 40"
        " C24 38 30 38 36 41 C32 37 29 32 29 26 C29 15 37 6 50 6 Z",
    ),
    "moon": (
        "M64 8 C36 8 14 27 14 51 C14 75 36 93 62 93 C74 93 84 89 91 82 C64 84 44 70 44 49 C44 30 58 16 78 12"
        " C74 9 69 8 64 8 Z",
    ),
    "crown": (
        "M12 28 L32 50 L50 16 L68 50 L88 28 L80 70 L20 70 Z",
        "M20 76 L80 76 L80 87 L20 87 Z",
        _balls((12, 22), (50, 11), (88, 22), r=6),
    ),
    "lily": (
        "M50 4 C60 18 66 30 66 40 C66 50 60 56 58 63 L42 63 C40 56 34 50 34 40 C34 30 40 18 50 4 Z",
        "M38 63 C36 54 28 46 20 46 C12 46 8 53 10 60 C3 52 6 34 20 32 C34 30 40 46 43 63 Z",
        "M62 63 C64 54 72 46 80 46 C88 46 92 53 90 60 C97 52 94 34 80 32 C66 30 60 46 57 63 Z",
        "M30 66 L70 66 L70 73 L30 73 Z",
        "M43 76 L57 76 C57 84 60 90 65 95 C56 94 52 92 50 89 C48 92 44 94 35 95 C40 90 43 84 43 76 Z",
    ),
    "drop": ("M50 6 C62 30 82 46 82 64 C82 82 68 94 50 94 C32 94 18 82 18 64 C18 46 38 30 50 6 Z",),
    "leaf": (
        "M50 5 C78 22 86 48 78 66 C72 80 60 84 54 84 L54 96 L46 96 L46 84 C40 84 28 80 22 66 C14 48 22 22 50 5 Z"
        " M48 30 L48 70 L52 70 L52 30 Z",
    ),
    "flame": (
        "M54 4 C58 24 82 38 82 64 C82 82 68 95 50 95 C32 95 18 82 18 64 C18 50 26 42 32 32 C34 40 38 44 42"
        " 46 C40 32 44 16 54 4 Z",
    ),
    "scissors": (
        "M40 46 L96 20 L98 25 L48 54 L98 83 L96 88 L40 60 C41 66 38 72 33 75 C25 79 15 76 12 68 C9 60 12 51"
        " 20 48 C25 46 30 47 34 50"
        " C30 47 25 46 20 44 C12 40 9 31 13 24 C17 16 27 14 34 18 C40 22 42 30 40 37 Z"
        " M28 26 C24 24 20 26 18 29 C17 33 19 36 22 37 C26 39 30 37 32 34 C33 31 31 28 28 26 Z"
        " M26 55 C22 56 19 60 21 65 C23 69 27 70 31 68 C34 66 35 62 33 58 C32 55 29 54 26 55 Z",
    ),
}
