"""What a played race shows afterwards: who had luck with the die."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engines.kernel import Outcome, Seat
from engines.royal_racers import rules
from engines.royal_racers.position import THROWS, Phase, Position, Roll
from engines.royal_racers.search import advise


def luck_of_throw(position: Position, roll: Roll) -> float:
    """Return by how many turns of lead a throw was better than the average of all six, played on as advised.

    Raises:
        ValueError: no throw is expected.
    """
    if position.phase is not Phase.ROLL:
        message = "no throw is awaited"
        raise ValueError(message)
    worth = {rank: _worth_of(position, Roll(rank)) for rank in THROWS}
    return worth[roll.rank] - sum(worth.values()) / len(worth)


def luck(throws: Iterable[tuple[Position, Roll]]) -> Mapping[Seat, float]:
    """Add up each player's luck with the die over a race, in turns of lead, from the positions before the throws."""
    total: dict[Seat, float] = {}
    for position, roll in throws:
        total[position.turn] = total.get(position.turn, 0.0) + luck_of_throw(position, roll)
    return total


def _worth_of(position: Position, roll: Roll) -> float:
    outcome = rules.play(position, roll)
    advice = advise(outcome.position) if isinstance(outcome, Outcome) else None
    if advice is None:
        raise AssertionError("after a throw that is awaited a flip or a move is")
    return advice.value
