"""How the score of Royal Tee comes about."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.bundle import ScoreItem, ScorePart
from companion.locale import ngettext
from companion.ui.names import Names, player_name
from engines.grid import Bitboard, cells_in
from engines.kernel import Seat
from engines.royal_tee.board import cell_name
from engines.royal_tee.position import Position

__all__ = ["score_parts"]


def score_parts(position: Position, names: Names) -> Sequence[ScorePart]:
    """Return each player's spaces, a point each, in turn order."""
    held = zip(position.players, position.claimed, strict=True)
    return [_part(position, seat, spaces, names) for seat, spaces in held]


def _part(position: Position, seat: Seat, spaces: Bitboard, names: Names) -> ScorePart:
    cells = [cell_name(cell) for cell in cells_in(spaces)]
    items = tuple(ScoreItem(cell, 1, cell) for cell in cells)
    sentence = ngettext(
        "{player} holds {number} of 144 spaces: {number} point.",
        "{player} holds {number} of 144 spaces: {number} points.",
        len(cells),
    )
    free = position.unclaimed.bit_count()
    remark = ngettext("{free} space is still free.", "{free} spaces are still free.", free) if free else ""
    text = sentence.format(player=player_name(seat, names), number=len(cells))
    return ScorePart(seat, len(cells), items, text, remark.format(free=free))
