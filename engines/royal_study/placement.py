"""Pieces on the nine squares as a value: its text form, turning and mirroring, and when a picture is met.

A placement is nine letters, row by row from the top left, "." for an empty square. The text form has a slash between
the rows: "KQB/N../R..". There are always all five pieces on the board; a card may leave some out (RULES.md 3.5).
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

from engines.decode import demand
from engines.grid import CellIndex
from engines.kernel import BadRequestError
from engines.royal_study.board import MIDDLE, SIZE, SQUARES, Colouring, Piece, colouring_of

Placement = NewType("Placement", str)

NOTHING = Placement("." * len(SQUARES))
_LONGEST_QUOTE = 40


class Way(StrEnum):
    """A way to turn or mirror a card, as seen from above; it costs one step.

    "cw" brings the card's top row to the right: ".KN/RB./Q.." becomes "QR./.BK/..N".
    """

    CLOCKWISE = "cw"
    COUNTER_CLOCKWISE = "ccw"
    LEFT_RIGHT = "left-right"
    TOP_BOTTOM = "top-bottom"

    @property
    def mirrors(self) -> bool:
        """Whether the card is laid down on its other side."""
        return self in (Way.LEFT_RIGHT, Way.TOP_BOTTOM)


def _source(way: Way, row: int, column: int) -> int:
    """Return the square whose content moves to (row, column)."""
    last = SIZE - 1
    from_row, from_column = {
        Way.CLOCKWISE: (last - column, row),
        Way.COUNTER_CLOCKWISE: (column, last - row),
        Way.LEFT_RIGHT: (row, last - column),
        Way.TOP_BOTTOM: (last - row, column),
    }[way]
    return from_row * SIZE + from_column


_SOURCES = {way: tuple(_source(way, *divmod(square, SIZE)) for square in SQUARES) for way in Way}


def turned(placement: Placement, *ways: Way) -> Placement:
    """Return a picture after turning and mirroring it in some ways, one after the other."""
    for way in ways:
        placement = Placement("".join([placement[source] for source in _SOURCES[way]]))
    return placement


def meets(pieces: Placement, picture: Placement) -> bool:
    """Return whether every piece of a picture is on its square."""
    return all(shown in (".", stands) for shown, stands in zip(picture, pieces, strict=True))


def colouring(placement: Placement) -> Colouring | None:
    """Return which squares are dark, by the bishop's square; None without a bishop."""
    bishop = placement.find(Piece.BISHOP)
    return None if bishop < 0 else colouring_of(CellIndex(bishop))


def write_placement(placement: Placement) -> str:
    """Return a placement as three rows with slashes between them."""
    return "/".join(placement[first : first + SIZE] for first in range(0, len(placement), SIZE))


def read_placement(text: str, where: str) -> Placement:
    """Parse a placement of at most one piece of each kind, with the knight not in the middle.

    Raises:
        BadRequestError: it is not valid; the sentence begins with `where`.
    """
    rows = text.split("/")
    if [len(row) for row in rows] != [SIZE] * SIZE or not set("".join(rows)) <= {*Piece, "."}:
        raise BadRequestError(f'{where} must be three rows like "KQB/N../R..", not {text[:_LONGEST_QUOTE]!r}')
    placement = Placement("".join(rows))
    if twice := [piece.value for piece in Piece if placement.count(piece) > 1]:
        raise BadRequestError(f"{where} must have one {twice[0]} at most, not {placement.count(twice[0])}")
    demand(placement[MIDDLE] != Piece.KNIGHT, f"{where} has the knight on B2, where it may never stand")
    return placement


def read_pieces(text: str, where: str) -> Placement:
    """Parse a placement of all five pieces; raise BadRequestError as `read_placement`."""
    placement = read_placement(text, where)
    if missing := missing_pieces(placement):
        raise BadRequestError(f"{where} must have all five pieces; it lacks {', '.join(missing)}")
    return placement


def read_picture(text: str, where: str) -> Placement:
    """Parse a card's picture of at least one piece; raise BadRequestError as `read_placement`."""
    placement = read_placement(text, where)
    demand(placement != NOTHING, f"{where} must show at least one piece")
    return placement


def missing_pieces(placement: Placement) -> list[str]:
    """Return the letters of the pieces that are missing."""
    return [piece.value for piece in Piece if piece not in placement]
