"""The score of The Royal Study: a point for each round won (RULES.md, section 5)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Seat, leaders
from engines.royal_study.position import Match, Position


def score(position: Position) -> Mapping[Seat, int]:
    """Return each player's points; empty for a bare puzzle."""
    if isinstance(position, Match):
        return dict(zip(position.players, position.points, strict=True))
    return {}


def winners(position: Position) -> tuple[Seat, ...]:
    """Return the seats with the most points of a match that is over, in the players' order; several in a tie (5.4).

    The result is empty for a bare puzzle and for players who try together: they have no points.
    """
    if not isinstance(position, Match) or position.terms.together or not position.over:
        return ()
    return leaders(score(position))
