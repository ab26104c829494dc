"""How the score of Territory comes about: the best group of each player, space by space."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.bundle import ScoreItem, ScorePart
from companion.games.speech import summed
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from engines.grid import Bitboard, cells_in
from engines.kernel import Seat
from engines.territory.position import Position
from engines.territory.scoring import POINTS, best_group, groups

__all__ = ["score_parts"]


def score_parts(position: Position, names: Names) -> Sequence[ScorePart]:
    """Return each player's best group with the points of each space, in turn order."""
    owners = zip(position.players, position.owners, strict=True)
    return [_part(position, seat, spaces, names) for seat, spaces in owners]


def _part(position: Position, seat: Seat, spaces: Bitboard, names: Names) -> ScorePart:
    board, group = position.board, best_group(position.board, spaces)
    items = tuple(
        ScoreItem(board.names[cell], POINTS[board.numbers[cell]], board.names[cell]) for cell in cells_in(group.spaces)
    )
    player = player_name(seat, names)
    sentence = _("{player} has no space yet.") if not items else _("The best group of {player}: {sum}.")
    text = sentence.format(player=player, sum=summed(items) if items else "")
    others = len(list(groups(board, spaces))) - 1
    remark = ngettext("{number} other group does not count.", "{number} other groups do not count.", others)
    return ScorePart(seat, group.points, items, text, remark.format(number=others) if others > 0 else "")
