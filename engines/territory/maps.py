"""The maps and colours that ship with the engine, as data. Other copies' come in by the option "table"."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Seat
from engines.territory.board import Board, board_of

EIGHT_BY_EIGHT = board_of((
    (7, 10, 8, 4, 12, 9, 4, 7),
    (5, 12, 11, 5, 6, 11, 5, 6),
    (4, 6, 9, 7, 10, 2, 8, 3),
    (8, 3, 2, 8, 3, 9, 4, 7),
    (7, 10, 5, 11, 6, 12, 11, 6),
    (11, 6, 12, 4, 7, 5, 8, 10),
    (8, 9, 3, 8, 9, 3, 2, 9),
    (7, 10, 5, 2, 10, 6, 4, 7),
))  # fmt: skip
"""The map of the table file that we ship."""

NINE_BY_EIGHT = board_of((
    (7, 11, 8, 6, 11, 5, 9, 3, 7),
    (9, 5, 4, 12, 8, 2, 7, 6, 8),
    (3, 7, 10, 7, 10, 6, 5, 4, 5),
    (9, 8, 6, 4, 8, 7, 10, 6, 9),
    (7, 3, 9, 5, 11, 6, 8, 11, 7),
    (8, 6, 7, 2, 8, 12, 4, 5, 9),
    (5, 4, 5, 6, 10, 7, 10, 7, 3),
    (9, 6, 10, 7, 8, 4, 6, 8, 9),
))  # fmt: skip
"""Each number on twice as many spaces as there are ways to roll it. The lower half is the upper one seen in a mirror,
so no corner of the map is better than all others; equal numbers touch nowhere, not even at corners."""

MAPS: Mapping[str, Board] = {"eight-by-eight": EIGHT_BY_EIGHT, "nine-by-eight": NINE_BY_EIGHT}
"""The maps by the names that the option "map" takes; the first is the default."""

COLOURS = tuple(map(Seat, ("red", "yellow", "green", "blue", "purple", "black")))
"""The colours of the table file that we ship. White belongs to nobody: it saves spaces during a turn."""
