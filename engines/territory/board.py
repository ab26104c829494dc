"""A map as data, numbered spaces in rows, and the shipped maps and colours; others are given as option "table"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_uppercase

from engines.grid import Bitboard, CellGrid, CellIndex, set_of
from engines.kernel import Seat

LOWEST_NUMBER, HIGHEST_NUMBER = 2, 12
MOST_COLUMNS = MOST_ROWS = len(ascii_uppercase)


class Board(CellGrid):
    """A map: the numbers of its spaces, row by row from the top, and what follows from them.

    Attributes:
        numbers: the number of each space by its index.
        spaces_of: the spaces of each number, by the number.
    """

    def __init__(self, columns: int, numbers: tuple[int, ...]) -> None:
        super().__init__(columns, len(numbers) // columns)
        self.numbers = numbers
        cells = [CellIndex(index) for index in range(len(numbers))]
        by_number = (set_of(cell for cell in cells if numbers[cell] == n) for n in range(HIGHEST_NUMBER + 1))
        self.spaces_of: tuple[Bitboard, ...] = tuple(by_number)
        self._not_left = set_of(cell for cell in cells if cell % columns)
        self._all = (1 << len(cells)) - 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self.columns, self.numbers) == (other.columns, other.numbers)

    def __hash__(self) -> int:
        return hash((self.columns, self.numbers))

    def rows(self) -> Iterator[tuple[int, ...]]:
        """Yield the numbers row by row."""
        for first in range(0, len(self.numbers), self.columns):
            yield self.numbers[first : first + self.columns]

    def beside(self, spaces: Bitboard) -> Bitboard:
        """Return the spaces that share an edge with a space of a set; they may be in the set themselves."""
        to_the_right = (spaces << 1) & self._not_left
        to_the_left = (spaces & self._not_left) >> 1
        return (to_the_right | to_the_left | spaces << self.columns | spaces >> self.columns) & self._all


def board_of(rows: Iterable[Iterable[int]]) -> Board:
    """Return a map of rows of equal length."""
    listed = [tuple(row) for row in rows]
    return Board(len(listed[0]), tuple(number for row in listed for number in row))


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
"""The map of the shipped table file."""

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
"""Each number is on twice as many spaces as there are ways to roll it. The lower half mirrors the upper one, so that no
corner is better than all others; equal numbers touch nowhere, not even at corners."""

MAPS: Mapping[str, Board] = {"eight-by-eight": EIGHT_BY_EIGHT, "nine-by-eight": NINE_BY_EIGHT}
"""The maps by the values of the option "map"; the first is the default."""

COLOURS = tuple(map(Seat, ("red", "yellow", "green", "blue", "purple", "black")))
"""The colours of the shipped table file. White belongs to nobody: it saves spaces during a turn."""
