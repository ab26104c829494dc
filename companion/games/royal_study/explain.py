"""How the score of The Royal Study comes about: a point for each round won; together, how close they came."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.bundle import ScoreItem, ScorePart
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.phrases import moves, points
from engines.kernel import Seat
from engines.royal_study.position import Await, Match, Position
from engines.royal_study.search import least

__all__ = ["score_parts"]


def score_parts(position: Position, names: Names) -> Sequence[ScorePart]:
    """Return each player's rounds won, in turn order; nobody has any where all solve together."""
    if not isinstance(position, Match):
        return []
    together = _together(position)
    return [
        ScorePart(seat, has, _rounds(has), _sentence(position, seat, has, names), together)
        for seat, has in zip(position.players, position.points, strict=True)
    ]


def _rounds(has: int) -> tuple[ScoreItem, ...]:
    return (ScoreItem(_("rounds won"), has),) if has else ()


def _sentence(match: Match, seat: Seat, has: int, names: Names) -> str:
    player = player_name(seat, names)
    if len(match.players) == 1:
        return _("{player} solves alone; no points are counted.").format(player=player)
    if match.terms.together:
        return _("{player} solves together with the others; no points are counted.").format(player=player)
    sentence = ngettext(
        "{player} won {number} round: {points}. {needed} win the match.",
        "{player} won {number} rounds: {points}. {needed} win the match.",
        has,
    )
    return sentence.format(player=player, number=has, points=points(has), needed=match.terms.points)


def _together(match: Match) -> str:
    """Return how close the last execution came to the fewest steps, once nobody competes for it."""
    if match.awaits is not Await.NEXT or match.begun is None:
        return ""
    fewest = moves(least(match.begun))
    return _("It took {made}; the fewest possible are {least}.").format(made=moves(match.used), least=fewest)
