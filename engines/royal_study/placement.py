"""Pieces on the nine squares as a value: how a line of text gives them, how a card is turned, when a picture is met.

A placement is nine letters, row by row from the top left, "." for an empty square. The text form has a stroke between
the rows: "KQB/N../R..". Pieces on the board are always all five; a card may leave some out (RULES.md 3.5).
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

from engines.grid import CellIndex
from engines.kernel import BadRequestError
from engines.royal_study.board import MIDDLE, SIZE, SQUARES, Colouring, Piece, colouring_of

Placement = NewType("Placement", str)

NOTHING = Placement("." * len(SQUARES))
_LONGEST_QUOTE = 40


class Way(StrEnum):
    """One way to turn or mirror a card, as seen when looking at it; it costs one step.

    "cw" brings the card's top row to the right: ".KN/RB./Q.." becomes "QR./.BK/..N".
    """

    CLOCKWISE = "cw"
    COUNTER_CLOCKWISE = "ccw"
    LEFT_RIGHT = "left-right"
    TOP_BOTTOM = "top-bottom"

    @property
    def mirrors(self) -> bool:
        """Whether the card is taken up and laid down on its other side."""
        return self in (Way.LEFT_RIGHT, Way.TOP_BOTTOM)


def _source(way: Way, row: int, column: int) -> int:
    """Return the square whose content comes to (row, column)."""
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
    """Return a picture as it is after turning and mirroring it, one way after the other."""
    for way in ways:
        placement = Placement("".join([placement[source] for source in _SOURCES[way]]))
    return placement


def meets(pieces: Placement, picture: Placement) -> bool:
    """Return whether every piece of a picture stands where it shows it."""
    return all(shown in (".", stands) for shown, stands in zip(picture, pieces, strict=True))


def colouring(placement: Placement) -> Colouring | None:
    """Return which squares are dark if the bishop stands on one of them; None without a bishop."""
    bishop = placement.find(Piece.BISHOP)
    return None if bishop < 0 else colouring_of(CellIndex(bishop))


def write_placement(placement: Placement) -> str:
    """Write a placement as three rows with strokes between them."""
    return "/".join(placement[first : first + SIZE] for first in range(0, len(placement), SIZE))


def read_placement(text: str, where: str) -> Placement:
    """Read what `write_placement` wrote; any pieces, at most one of each kind, the knight beside the middle.

    Raises:
        BadRequestError: it is not valid; the sentence begins with `where`. So do all functions here that read.
    """
    rows = text.split("/")
    if [len(row) for row in rows] != [SIZE] * SIZE or not set("".join(rows)) <= {*Piece, "."}:
        raise BadRequestError(f'{where} must be three rows like "KQB/N../R..", not {text[:_LONGEST_QUOTE]!r}')
    placement = Placement("".join(rows))
    if twice := [piece.value for piece in Piece if placement.count(piece) > 1]:
        raise BadRequestError(f"{where} must have one {twice[0]} at most, not {placement.count(twice[0])}")
    if placement[MIDDLE] == Piece.KNIGHT:
        raise BadRequestError(f"{where} has the knight on B2, where it may never stand")
    return placement


def read_pieces(text: str, where: str) -> Placement:
    """Read a placement of all five pieces."""
    placement = read_placement(text, where)
    if missing := missing_pieces(placement):
        raise BadRequestError(f"{where} must have all five pieces; it lacks {', '.join(missing)}")
    return placement


def read_picture(text: str, where: str) -> Placement:
    """Read what a card shows: one piece at least."""
    placement = read_placement(text, where)
    if placement == NOTHING:
        raise BadRequestError(f"{where} must show at least one piece")
    return placement


def missing_pieces(placement: Placement) -> list[str]:
    """List the pieces that do not stand anywhere."""
    return [piece.value for piece in Piece if piece not in placement]
