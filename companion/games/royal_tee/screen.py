"""What the screen shows of Royal Tee beside the tees: unclaimed spaces, and how many tees each player has."""

from __future__ import annotations

from companion.locale import _, ngettext
from companion.ui.names import Names
from companion.ui.page import Extras
from companion.ui.phrases import spaces
from engines.royal_tee.position import Position
from vision.board import Board

__all__ = ["extras"]


def extras(position: Position, board: Board, names: Names) -> Extras:  # noqa: ARG001 - one form for all games
    """Return what is shown beside the labels of a position."""
    free = position.unclaimed.bit_count()
    left = ngettext("{number} space is unclaimed.", "{number} spaces are unclaimed.", free).format(number=free)
    held = {
        seat: _("holds {spaces}").format(spaces=spaces(claimed.bit_count()))
        for seat, claimed in zip(position.players, position.claimed, strict=True)
    }
    return Extras(facts=(left,), of_player=held)
