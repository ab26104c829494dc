"""What has to be exact on a page: the bar of 100 mm that is measured before anything is cut, and markers' modules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import cv2

from companion.games.kit import SCALE_PT, Item, KitLine, Mark, Words
from companion.locale import _
from companion.printing.paper import PrintingError
from vision.board import Board

CHECK_MM = 100.0


def check_bar(left: float, top: float) -> Iterator[Item]:
    """Draw a bar of exactly 100 mm, with a sentence below that says what it is for."""
    yield from _bar(left, top + 1.5, 1.5)
    sentence = _("100 mm: measure it. If it is shorter, print at 100 %, not fitted to the page.")
    yield Words((left, top + 3.4, CHECK_MM, 4.2), sentence, SCALE_PT["small"], "soft")


def check_line(left: float, middle: float) -> Iterator[Item]:
    """Draw the same bar where there is little room, its sentence beside it."""
    yield from _bar(left, middle, 1.2)
    sentence = _("100 mm: measure it; print at 100 %")
    yield Words((left + CHECK_MM + 2.0, middle - 2.0, 70.0, 4.0), sentence, SCALE_PT["small"], "soft", "left")


def _bar(left: float, middle: float, reach: float) -> Iterator[KitLine]:
    yield KitLine((left, middle), (left + CHECK_MM, middle), "ink", 0.3)
    for k in range(11):
        tick = reach if k % 10 == 0 else 0.5 * reach
        yield KitLine((left + 10 * k, middle - tick), (left + 10 * k, middle + tick), "ink", 0.3)


@lru_cache(maxsize=512)
def modules_black(dictionary: str, number: int) -> tuple[tuple[bool, ...], ...]:
    """Return which modules of a marker are black, row by row, its black frame included.

    Raises:
        PrintingError: the dictionary has no marker of this number.
    """
    known = cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, dictionary)))
    count = len(known.bytesList)
    if not 0 <= number < count:
        message = f"marker {number}: {dictionary} has the numbers 0 to {count - 1}"
        raise PrintingError(message)
    side = known.markerSize + 2
    image = cv2.aruco.generateImageMarker(known, number, side)
    return tuple(tuple(bool(value < 128) for value in row) for row in image)


def board_marks(board: Board, border_mm: float) -> tuple[Mark, ...]:
    """Return the four markers of a board where its table file has them."""
    markers = board.markers
    return tuple(
        Mark(markers.dictionary, one.id, one.centre, one.side or markers.side, border_mm) for one in markers.each
    )


def border_of(board: Board) -> float:
    """Return the white border of a board's markers: a module and a little, and no more than the board's edge allows."""
    module = board.markers.side / 8
    width, height = board.size
    edge = min(min(x, y, width - x, height - y) for x, y in board.markers.centres) - board.markers.side / 2
    return min(1.25 * module, edge)
