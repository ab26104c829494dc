"""Advice for Territory: the chance to bust, and the values of stopping, rolling and placing.

Values are leads in points: the mover's best group, with the white pieces, less the best group of the best other player.

The method is expectimax over a number of rolls, after which the mover is assumed to stop. With one roll it is the
one-step look-ahead rule: roll while one more roll, then stopping, is worth more than stopping now. That rule is optimal
as long as the chance to bust and the stake only grow and no roll gains more than the one before. Here a piece may join
two groups, so that it is a lower bound: rolling is worth it whenever the rule says so, but a long shot may be missed.
Other players' turns and later cards are ignored.

In the last turn of the game the chance to win counts before points: a leader stops, others roll. Only a strong adviser
does so, and values a place by the next roll. A medium one places for immediate points, and an easy one also takes no
avoidable risk.

Strength, one against two of the other level, where a third is even: a strong one won 50 % of 200 games against medium
ones (43 to 57), a medium one 46 % of 400 (41 to 51) against easy computers, which leave one decision in three
unweighed. Looking ahead in the last turn only was worth nothing: 34 % of 400 (30 to 39).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from engines.kernel import Advice, Level, Seat, require_legal
from engines.territory.board import HIGHEST_NUMBER, LOWEST_NUMBER
from engines.territory.position import Action, Again, Await, Capture, Position, Roll, Stop
from engines.territory.rules import actions, busts, is_last_turn, play
from engines.territory.scoring import best_group

Measure: TypeAlias = Callable[[Position, Seat], float]
"""The value of a position to a player if the turn, or the game, ended there."""

CHANCES: Mapping[int, float] = {n: (6 - abs(7 - n)) / 36 for n in range(LOWEST_NUMBER, HIGHEST_NUMBER + 1)}
"""The probability of each sum of two dice."""


_EQUAL = 1e-9
"""Largest rounding error of sums of chances, which are equal within it."""


def bust_chance(position: Position) -> float:
    """Return the chance that the mover's next roll busts; 0 if it is free, or if no roll can follow."""
    if position.awaiting in (Await.ROLL_OFF, Await.NOTHING):
        return 0.0
    return sum(chance for number, chance in CHANCES.items() if busts(position, number))


def points(position: Position, seat: Seat) -> int:
    """Return the points of a player's best group; for the mover white pieces count."""
    saved = position.white if seat == position.turn else 0
    return best_group(position.board, position.owners[position.place(seat)] | saved).points


def lead(position: Position, seat: Seat) -> int:
    """Return a player's points less those of the best other."""
    return points(position, seat) - max(points(position, other) for other in position.players if other != seat)


def value_of_rolling(position: Position, rolls: int = 1, measure: Measure = lead) -> float:
    """Return the expectation of the mover's lead, or of another `measure`, if the dice are thrown now.

    `rolls` is the number of throws that are searched, at least one; before each later one the mover may stop.
    """
    # the sums of dice that count as a number under the active card
    sums = {number: 14 - number if position.in_force.mirrored else number for number in CHANCES}
    rolled = {number: _play(position, Roll((dice // 2, dice - dice // 2))) for number, dice in sums.items()}
    return sum(
        chance * value_of_position(rolled[number], position.turn, rolls - 1, measure)
        for number, chance in CHANCES.items()
    )


def share_of_win(position: Position, seat: Seat) -> float:
    """Return a player's share of the win if the game ended now: 1 alone, less if tied, 0 behind."""
    most = [points(position, other) for other in position.players]
    return (points(position, seat) == max(most)) / most.count(max(most))


def _play(position: Position, action: Action) -> Position:
    return require_legal(play(position, action)).position


def value_of_position(position: Position, mover: Seat, rolls: int, measure: Measure = lead) -> float:
    """Return what the mover may expect from a position on, looking at that many rolls more."""
    if position.turn != mover or position.over:
        return measure(position, mover)
    match position.awaiting:
        case Await.PLACE:
            return max(
                value_of_position(_play(position, action), mover, rolls, measure) for action in actions(position)
            )
        case Await.CHOOSE if rolls > 0:
            return max(measure(position, mover), value_of_rolling(position, rolls, measure))
        case Await.ROLL if rolls > 0:
            return value_of_rolling(position, rolls, measure)
    return measure(position, mover)


def advise(position: Position, rolls: int = 1, *, level: Level = Level.STRONG) -> Advice[Action] | None:
    """Propose an action to the mover, looking at that many rolls ahead; None if there is nothing to decide.

    Codes: "worth-the-risk" and "not-worth-the-risk" with the numbers bust (chance), stop and roll (leads);
    "only-space", "best-space" and "best-capture" with gain (points of the mover) and choices. In the last turn of the
    game the numbers win_stop and win_roll, or win, are the shares of the win that may be expected.
    """
    if position.awaiting is Await.CHOOSE:
        stop, roll = lead(position, position.turn), value_of_rolling(position, rolls)
        numbers: dict[str, float] = {"bust": bust_chance(position), "stop": stop, "roll": roll}
        daring = roll > stop and level is not Level.EASY
        if _for_the_win(position, level):
            won = share_of_win(position, position.turn)
            chance = value_of_rolling(position, rolls, share_of_win)
            numbers |= {"win_stop": won, "win_roll": chance}
            daring = won == 0 or chance > won + _EQUAL  # nothing is lost by rolling on where stopping loses
        if daring:
            return Advice(Again(), "worth-the-risk", numbers, roll)
        return Advice(Stop(), "not-worth-the-risk", numbers, stop)
    if position.awaiting is Await.PLACE:
        return _advise_piece(position, rolls if level is Level.STRONG else 0, level)
    return None


def _for_the_win(position: Position, level: Level) -> bool:
    return level is Level.STRONG and is_last_turn(position)


def _advise_piece(position: Position, rolls: int, level: Level) -> Advice[Action]:
    choices, mover = actions(position), position.turn
    after = {action: _play(position, action) for action in choices}
    values = {action: value_of_position(then, mover, rolls, lead) for action, then in after.items()}
    wins = dict.fromkeys(choices, 0.0)
    if _for_the_win(position, level):
        wins = {action: value_of_position(then, mover, rolls, share_of_win) for action, then in after.items()}
    best = max(choices, key=lambda action: (wins[action], values[action]))
    # the mover's points after a piece, whether or not that ends the turn
    gain = points(replace(_play(position, best), turn=position.turn), position.turn) - points(position, mover)
    numbers: dict[str, float] = {"gain": gain, "choices": len(choices)}
    if _for_the_win(position, level):
        numbers["win"] = wins[best]
    code = "best-capture" if isinstance(best, Capture) else "best-space"
    return Advice(best, code if len(choices) > 1 else "only-space", numbers, values[best])


# ---- what a played game of Territory shows afterwards: how much each decision gave away


ROLLS_AHEAD = 1
"""A decision is judged by what this many further rolls are expected to bring."""


def chance_given_away(position: Position, action: Action) -> float:
    """Return how much more of the win the best decision of the last turn could expect than the one taken, from 0 to 1.

    Before the last turn of the game it is 0: what points are worth then depends on turns that nobody knows.
    """
    return _given_away(position, action, share_of_win) if is_last_turn(position) else 0.0


def points_given_away(position: Position, action: Action) -> float:
    """Return how many points of expected lead the best decision was ahead of the one taken."""
    return _given_away(position, action, lead)


def best_decision(position: Position) -> Action:
    """Return the decision with the highest expected lead; in the last turn of the game, chance to win before that.

    Raises:
        ValueError: no decision is open.
    """
    measures = (share_of_win, lead) if is_last_turn(position) else (lead,)
    return max(actions(position), key=lambda choice: [_worth(position, choice, each) for each in measures])


def _given_away(position: Position, action: Action, measure: Measure) -> float:
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
    return value_of_position(_play(position, choice), position.turn, ROLLS_AHEAD, measure)
