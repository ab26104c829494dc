"""Tournament of the advisers: win rates with their intervals, of each level against players of other kinds.

    nice python -m tests.evaluate.advisers --game royal-tee --games 40 --against random easy medium

A player is "random" or a level of the adviser; "easy" is the greedy player of each game. The adviser changes seats from
game to game. A shared win counts as a share, and so does a game that is broken off after `--most` actions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, TypeAlias

from companion.games.engines import ENGINES, AnyEngine
from engines.kernel import Level, Outcome, Seat
from tests.engines.royal_tee.strategies import random_action as random_walk

SEATS: Mapping[str, Sequence[str]] = {
    "royal-tee": ("red", "green"),
    "territory": ("red", "green", "blue"),
    "royal-study": ("white", "black"),
    "royal-racers": ("suns", "moons"),
    "royal-ur": ("white", "black"),
}
OPENING = 4
"""So many actions of every game are random where a game has no chance of its own, so that no two games are alike."""

_SURE = 1.96

Player: TypeAlias = Callable[[AnyEngine, Any, Random], Any]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a game for the adviser: its share of the win, how many actions the game had, whether it ended."""

    share: float
    actions: int
    over: bool


@dataclass(frozen=True, slots=True)
class Rate:
    """A win rate with its 95 % interval (Wilson's)."""

    rate: float
    low: float
    high: float


def rate_of(shares: Sequence[float]) -> Rate:
    """Return the mean of shares of wins and its interval."""
    n, mean = len(shares), sum(shares) / len(shares)
    middle = (mean + _SURE**2 / (2 * n)) / (1 + _SURE**2 / n)
    half = _SURE / (1 + _SURE**2 / n) * sqrt(mean * (1 - mean) / n + _SURE**2 / (4 * n * n))
    return Rate(mean, middle - half, middle + half)


def random_player(engine: AnyEngine, position: Any, random: Random) -> Any:
    """Choose any legal action; in Royal Tee any next step, which needs no list of all walks."""
    if engine.game.name == "royal-tee":
        return random_walk(position, random)
    return random.choice(engine.game.actions(position))


def adviser(level: Level) -> Player:
    """Return a player who follows the advice of a level."""

    def play(engine: AnyEngine, position: Any, _random: Random) -> Any:
        advice = engine.advise(position, level=level)
        assert advice is not None
        return advice.action

    return play


PLAYERS: Mapping[str, Player] = {"random": random_player, **{level.value: adviser(level) for level in Level}}


def play_game(game: str, one: Player, others: Player, seed: int, most: int) -> Result:
    """Play one game; `one` sits at the seat that the seed gives."""
    engine, random = ENGINES[game], Random(seed)
    seats = [Seat(name) for name in SEATS[game]]
    mine = seats[seed % len(seats)]
    position, actions = engine.game.new(seats, {}, seed), 0
    while not engine.game.over(position) and actions < most:
        position = _next(engine, position, one if engine.game.to_act(position) == mine else others, random, actions)
        actions += 1
    over = engine.game.over(position)
    winners = engine.game.winners(position) if over else tuple(seats)
    return Result((mine in winners) / max(1, len(winners)), actions, over)


def _next(engine: AnyEngine, position: Any, player: Player, random: Random, actions: int) -> Any:
    if engine.game.to_act(position) == "dice":
        assert engine.turns.throw is not None
        action = engine.turns.throw(position, random)
    elif actions < OPENING and not engine.game.has_dice:
        action = random_player(engine, position, random)
    else:
        action = player(engine, position, random)
    outcome = engine.game.play(position, action)
    assert isinstance(outcome, Outcome), outcome
    return outcome.position


def tournament(game: str, level: Level, against: str, games: int, most: int, seed: int = 0) -> str:
    """Play games of one level against another player; return the line of the table."""
    results = [play_game(game, adviser(level), PLAYERS[against], seed + number, most) for number in range(games)]
    rate = rate_of([result.share for result in results])
    broken_off = sum(not result.over for result in results)
    longest = max(result.actions for result in results)
    return (
        f"{game:<13} {level:<7} against {against:<7} {games:4} games: {rate.rate:6.1%} "
        f"({rate.low:.1%} to {rate.high:.1%}), {broken_off} broken off, longest {longest} actions"
    )


def main() -> None:
    """Print a line for each game and opponent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=[*SEATS], nargs="+", default=[*SEATS])
    parser.add_argument("--level", choices=[*Level], type=Level, default=Level.STRONG)
    parser.add_argument("--against", choices=[*PLAYERS], nargs="+", default=["random", "easy", "medium"])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--most", type=int, default=4000, help="actions after which a game is broken off")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    for game in args.game:
        for against in args.against:
            sys.stdout.write(tournament(game, args.level, against, args.games, args.most, args.seed) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
