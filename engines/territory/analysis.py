"""What a played game of Territory shows afterwards: how much each decision gave away."""

from __future__ import annotations

from engines.kernel import Outcome
from engines.territory.position import Action, Again, Await, Position, Stop
from engines.territory.rounds import is_last_turn
from engines.territory.rules import actions, play
from engines.territory.search import Measure, lead, share_of_win, value_of_position, value_of_rolling

ROLLS_AHEAD = 1
"""A decision is judged by what this many further rolls are expected to bring."""


def chance_given_away(position: Position, action: Action) -> float:
    """Return how much more of the win the best decision of the last turn could expect than the one taken, from 0 to 1.

    Before the last turn of the game it is 0: what points are worth then depends on turns that nobody knows.
    """
    return _given_away(position, action, for_the_win=True) if is_last_turn(position) else 0.0


def points_given_away(position: Position, action: Action) -> float:
    """Return how many points of expected lead the best decision was ahead of the one taken."""
    return _given_away(position, action, for_the_win=False)


def best_decision(position: Position) -> Action:
    """Return the decision with the highest expected lead; in the last turn of the game, chance to win before that.

    Raises:
        ValueError: no decision is open.
    """
    measures = (share_of_win, lead) if is_last_turn(position) else (lead,)
    return max(actions(position), key=lambda choice: [_worth(position, choice, each) for each in measures])


def _given_away(position: Position, action: Action, *, for_the_win: bool) -> float:
    measure = share_of_win if for_the_win else lead
    if position.awaiting not in (Await.CHOOSE, Await.PLACE):
        return 0.0
    best = max(_worth(position, choice, measure) for choice in actions(position))
    return best - _worth(position, action, measure)


def _worth(position: Position, choice: Action, measure: Measure) -> float:
    """Return what a decision is worth to the mover, in the units of the measure."""
    if isinstance(choice, Stop):
        return measure(position, position.turn)
    if isinstance(choice, Again):
        return value_of_rolling(position, ROLLS_AHEAD, measure)
    outcome = play(position, choice)
    if not isinstance(outcome, Outcome):
        raise ValueError(f"{choice} is not possible here: {outcome.code}")
    return value_of_position(outcome.position, position.turn, ROLLS_AHEAD, measure)
