"""What the screen shows of Royal Tee beside the tees and the points: how many spaces are unclaimed."""

from __future__ import annotations

from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.page import Extras
from engines.royal_tee.board import Side
from engines.royal_tee.position import Position
from vision.board import Board

__all__ = ["extras"]


def extras(position: Position, board: Board, names: Names) -> Extras:  # noqa: ARG001 - one form for all games
    """Return what is shown beside the labels of a position."""
    free = position.unclaimed.bit_count()
    left = ngettext("{number} space is unclaimed.", "{number} spaces are unclaimed.", free).format(number=free)
    if not free:
        left = _("No space is unclaimed.")
    lying = dict(zip(position.players, position.zones, strict=True))
    zones = "; ".join(_side_words(side).format(player=player_name(seat, names)) for seat, side in lying.items())
    edges = {side.value: seat for seat, side in lying.items()}
    return Extras(facts=(left, _("Zones: {zones}.").format(zones=zones)), edges=edges)


def _side_words(side: Side) -> str:
    return {
        Side.TOP: _("{player} above"),
        Side.RIGHT: _("{player} right"),
        Side.BOTTOM: _("{player} below"),
        Side.LEFT: _("{player} left"),
    }[side]
