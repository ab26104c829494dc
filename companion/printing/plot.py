"""The course of a game as a drawing: each player's line over the actions, with the name at its end."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, groupby, pairwise

from companion.games.kit import SCALE_PT, Drawing, Item, KitLine, Rgb, Words
from companion.printing.text import width_mm
from companion.printing.themes import WHITE, blend, readable_on
from companion.ui.console import printable

WIDTH_MM, HEIGHT_MM = 228.6, 101.6
_LEFT_MM, _TOP_MM, _BOTTOM_MM = 16.0, 4.0, 12.0
"""Margins; the names need as much room at the right as they have letters."""

_LINE_MM, _EDGE_MM, _CORE_MM = 1.0, 1.4, 0.3
"""Widths of a line, of its darker edge, by which a pale line is seen on a pale ground, and of its core."""

_DASHES_MM = (None, 3.0, 1.0, 0.0)
"""Dashes of the lines' cores, since lines are not distinguished by colour alone; the first has no core."""

_INK: Rgb = (36, 33, 28)
_FAINT: Rgb = (107, 100, 86)
_GRID: Rgb = (232, 224, 205)
_APART_MM = 5.0
"""Distance of the names at the ends of the lines."""

_MOST_TICKS = 10


@dataclass(frozen=True, slots=True)
class Track:
    """One player's line: name, colour, and for each point an action's number and the value after it."""

    name: str
    colour: Rgb
    points: Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Plot:
    """The course of a game.

    Attributes:
        tracks: one line for each player.
        values: the label of the axis of values.
        actions: the label of the axis of actions.
        marked: the numbers of actions that are marked as key moments.
    """

    tracks: Sequence[Track]
    values: str
    actions: str
    marked: Sequence[int] = ()

    @property
    def changes(self) -> bool:
        """Whether any value changes; if nobody ever scores, there is nothing to draw."""
        return len({value for track in self.tracks for _action, value in track.points}) > 1


@dataclass(frozen=True, slots=True)
class _Axis:
    """A range of numbers, and where its ends are in mm."""

    low: float
    high: float
    low_mm: float
    high_mm: float

    def at(self, number: float) -> float:
        return self.low_mm + (number - self.low) / (self.high - self.low) * (self.high_mm - self.low_mm)

    def ticks(self) -> Iterator[int]:
        """Yield the multiples of 1, 2, 5, 10, 20 ... on the axis, at most `_MOST_TICKS`."""
        sizes = (digit * 10**power for power in count() for digit in (1, 2, 5))
        step = next(size for size in sizes if (self.high - self.low) / size < _MOST_TICKS)
        yield from (number for number in range(int(self.low), int(self.high) + 1) if number % step == 0)


def plot_drawing(plot: Plot) -> Drawing:
    """Return the drawing of a plot."""
    names = [textwrap.shorten(printable(track.name), 22, placeholder="…") for track in plot.tracks]
    right_mm = WIDTH_MM - 4 - max((width_mm(name, "bold", SCALE_PT["text"]) for name in names), default=0.0)
    points = [point for track in plot.tracks for point in track.points] or [(0, 0.0)]
    last, most, least = (find(point[at] for point in points) for at, find in ((0, max), (1, max), (1, min)))
    across = _Axis(0, max(last, 1), _LEFT_MM, right_mm)
    up = _Axis(min(least, 0), max(most, least + 1), HEIGHT_MM - _BOTTOM_MM, _TOP_MM)
    # the axes; a text is turned about the middle of its box
    left, right, bottom, top = across.low_mm, across.high_mm, up.low_mm, up.high_mm
    pt, items = SCALE_PT["text"], list[Item]()
    for number in up.ticks():
        items.append(KitLine((left, up.at(number)), (right, up.at(number)), _GRID, 0.25))
        items.append(Words((left - 11.0, up.at(number) - 2.5, 9.5, 5.0), str(number), pt, _FAINT, "right"))
    for number in across.ticks():
        items.append(KitLine((across.at(number), bottom), (across.at(number), bottom + 1.0), _FAINT))
        items.append(Words((across.at(number) - 8, bottom + 1.5, 16.0, 5.0), str(number), pt, _FAINT))
    items += (KitLine((across.at(at), top), (across.at(at), bottom), _FAINT, 0.28, 0.5) for at in plot.marked)
    items += (KitLine((left, top), (left, bottom), _FAINT), KitLine((left, bottom), (right, bottom), _FAINT))
    turned = (2.5 - (bottom - top) / 2, (top + bottom) / 2 - 2.5, bottom - top, 5.0)
    items.append(Words(turned, plot.values, pt, _FAINT, turn_deg=-90.0))
    items.append(Words((left, HEIGHT_MM - 5.5, right - left, 5.0), plot.actions, pt, _FAINT))
    # the lines
    for track, dash_mm in zip(plot.tracks, _DASHES_MM * len(plot.tracks), strict=False):
        items += _line(track, dash_mm, across, up)
    # the players' names at the ends of their lines, from the lowest up; names are moved apart
    ends = sorted((track.points[-1][1], name) for track, name in zip(plot.tracks, names, strict=True) if track.points)
    below = HEIGHT_MM
    for value, name in ends:
        below = min(up.at(value), below - _APART_MM)
        box = (right_mm + 2.0, below - 2.5, WIDTH_MM - right_mm - 2.0, 5.0)
        items.append(Words(box, name, SCALE_PT["text"], _INK, "left", "bold"))
    return Drawing(WIDTH_MM, HEIGHT_MM, tuple(items))


def _line(track: Track, dash_mm: float | None, across: _Axis, up: _Axis) -> Iterator[KitLine]:
    """Yield a line of steps: its edge, the line, and its core unless `dash_mm` is None."""
    # 1. the corners of the line, where a value gives way to the next one
    runs = [[*run] for _value, run in groupby(track.points, lambda point: point[1])]
    starts = [(across.at(action), up.at(value)) for (action, value), *_rest in runs]
    turns = [corner for (_x, y), (x, to_y) in pairwise(starts) for corner in ((x, y), (x, to_y))]
    ends = [(across.at(run[-1][0]), up.at(run[-1][1])) for run in runs[-1:]]
    # 2. the lines between them, level and upright in turn; the level ones are longer, so that both meet
    core = [(readable_on(track.colour), _CORE_MM, dash_mm)] if dash_mm is not None else []
    for colour, line_mm, dashes in ((blend(WHITE, _INK, 0.4), _EDGE_MM, 0.0), (track.colour, _LINE_MM, 0.0), *core):
        for (x, y), (to_x, to_y) in pairwise([*starts[:1], *turns, *ends]):
            reach = line_mm / 2 if y == to_y else 0.0
            yield KitLine((x - reach, y), (to_x + reach, to_y), colour, line_mm, dashes)
