"""How a score comes about: what brings each player how many points, as values and as a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from companion.locale import _, ngettext
from companion.ui.phrases import points
from engines.kernel import Cell, Seat


@dataclass(frozen=True, slots=True)
class ScoreItem:
    """One thing that brings points.

    Attributes:
        name: what it is, as people call it: a cell, a number of counters, a race.
        points: what it brings.
        cell: where it is; None where it is on no cell.
    """

    name: str
    points: int
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One player's points and where they come from.

    Attributes:
        seat: whose.
        points: how many.
        items: what brings them, one by one; they add up to `points` unless `remark` says otherwise.
        sentence: the same in a sentence.
        remark: what does not count, or not yet; "" where there is nothing to say.
    """

    seat: Seat
    points: int
    items: tuple[ScoreItem, ...]
    sentence: str
    remark: str = ""


MOST_ITEMS = 12
"""So many items are named in a sentence."""


def summed(items: tuple[ScoreItem, ...]) -> str:
    """Return items as a sum: "7 (C4) + 11 (C5) + 3 (D5) = 21 points"."""
    terms = [_("{points} ({item})").format(item=item.name, points=item.points) for item in items[:MOST_ITEMS]]
    more = items[MOST_ITEMS:]
    if more:
        rest = sum(item.points for item in more)
        others = ngettext("{points} ({number} other)", "{points} ({number} others)", len(more))
        terms.append(others.format(number=len(more), points=rest))
    total = sum(item.points for item in items)
    return _("{terms} = {total}").format(terms=" + ".join(terms), total=points(total))
