"""The black modules of markers, from OpenCV's dictionaries, for vector drawing."""

from __future__ import annotations

from functools import lru_cache

import cv2

from companion.games.kit import Mark
from companion.printing.errors import PrintingError
from vision.board import Board


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
        Mark(markers.dictionary, number, centre, markers.side, border_mm)
        for number, centre in zip(markers.ids, markers.centres, strict=True)
    )


def border_of(board: Board) -> float:
    """Return the white border of a board's markers: a module and a little, and no more than the board's edge allows."""
    module = board.markers.side / 8
    width, height = board.size
    edge = min(min(x, y, width - x, height - y) for x, y in board.markers.centres) - board.markers.side / 2
    return min(1.25 * module, edge)
