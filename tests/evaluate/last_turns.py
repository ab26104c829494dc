"""How much chance to win Territory's adviser gives away in last turns, by a search that looks further ahead.

    nice python -m tests.evaluate.last_turns --games 40

Random games come to the last turn of the last player, who then follows the advice. Each decision of that turn is held
against the best one for the win, with `--rolls` throws ahead. A win is certain if stopping wins alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev

from engines.kernel import Level, Outcome, Seat
from engines.territory import GAME
from engines.territory.analysis import chance_given_away
from engines.territory.position import Action, Again, Await, Position
from engines.territory.rounds import is_last_turn
from engines.territory.search import advise, share_of_win
from tests.engines.territory.strategies import random_action

SEATS = [Seat("red"), Seat("green"), Seat("blue")]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a last turn: what it gave away, from 0 to 1, and whether it put a certain win at risk."""

    loss: float
    certain: bool
    risked: bool


def decisions(level: Level, games: int, rolls: int, seed: int = 0) -> Iterator[Decision]:
    """Return each decision that advice of a level makes in the last turns of random games."""
    for number in range(games):
        position, random = GAME.new(SEATS, {"rounds": 5}, seed + number), Random(seed + number)
        while not position.over:
            action = random_action(position, random)
            if is_last_turn(position) and (advice := advise(position, level=level)):
                action = advice.action
                yield _judged(position, action, rolls)
            outcome = GAME.play(position, action)
            assert isinstance(outcome, Outcome)
            position = outcome.position


def _judged(position: Position, action: Action, rolls: int) -> Decision:
    certain = position.awaiting is Await.CHOOSE and share_of_win(position, position.turn) == 1
    return Decision(chance_given_away(position, action, rolls), certain, certain and isinstance(action, Again))


def line_of(level: Level, made: list[Decision]) -> str:
    """Return the line of the table."""
    losses = [decision.loss for decision in made]
    half = 1.96 * stdev(losses) / sqrt(len(losses))
    risked, certain = (sum(getattr(decision, name) for decision in made) for name in ("risked", "certain"))
    lost = f"{100 * fmean(losses):.2f} points of chance given away (+-{100 * half:.2f})"
    return f"{level:<7} {len(made):4} decisions: {lost}, {risked} of {certain} certain wins risked"


def main() -> None:
    """Print a line for each level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--rolls", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0, help="of the first game; the next have the next ones")
    parser.add_argument("--level", choices=[*Level], type=Level, nargs="+", default=[Level.MEDIUM, Level.STRONG])
    args = parser.parse_args()
    for level in args.level:
        sys.stdout.write(line_of(level, [*decisions(level, args.games, args.rolls, args.seed)]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
