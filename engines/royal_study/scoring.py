"""The score of The Royal Study: a point for each round won (RULES.md, section 5)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Seat
from engines.royal_study.position import Match, Position


def score(position: Position) -> Mapping[Seat, int]:
    """Give each player's points; nobody's for a bare puzzle."""
    if isinstance(position, Match):
        return dict(zip(position.players, position.points, strict=True))
    return {}


def leaders(match: Match) -> tuple[Seat, ...]:
    """Give who has the most points, in the players' order; nobody where points are not counted."""
    if match.terms.together:
        return ()
    most = max(match.points)
    return tuple(seat for seat, points in score(match).items() if points == most)
