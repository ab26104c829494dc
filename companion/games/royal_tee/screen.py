"""What the screen shows of Royal Tee beside the tees and the points: how many spaces are unclaimed."""

from __future__ import annotations

from companion.locale import ngettext
from companion.ui.names import Names
from companion.ui.page import Extras
from engines.royal_tee.position import Position
from vision.board import Board

__all__ = ["extras"]


def extras(position: Position, board: Board, names: Names) -> Extras:  # noqa: ARG001 - one form for all games
    """Return what is shown beside the labels of a position."""
    free = position.unclaimed.bit_count()
    left = ngettext("{number} space is unclaimed.", "{number} spaces are unclaimed.", free).format(number=free)
    return Extras(facts=(left,))
