"""Tournament of the advisers: win rates with their intervals, of each level against players of other kinds.

    nice python -m tests.evaluate.advisers --game royal-tee --games 40 --against random easy medium

A player is "random" or a computer of some level. The adviser changes seats from game to game. A shared win counts as a
share, and so does a game that is broken off after `--most` actions. Where all other seats are the opponent's, "even" is
the share of a player who is no better.
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
from engines.kernel import Level, Seat
from tests.narrow import there

SEATS: Mapping[str, Sequence[str]] = {
    "royal-tee": ("red", "green"),
    "territory": ("red", "green", "blue"),
    "royal-study": ("white", "black"),
    "royal-racers": ("suns", "moons"),
    "royal-ur": ("white", "black"),
}

OPENING = 4
"""This many actions of every game are random where a game has no chance of its own, so that no two games are alike."""

_SURE = 1.96

Player: TypeAlias = Callable[[AnyEngine, Any, Random], Any]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a game for the adviser: its share of the win, how many actions the game had, whether it ended."""

    seed: int
    share: float
    actions: int
    over: bool


def rate_of(shares: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of shares of wins, and the ends of its 95 % interval (Wilson's)."""
    n, mean = len(shares), sum(shares) / len(shares)
    middle = (mean + _SURE**2 / (2 * n)) / (1 + _SURE**2 / n)
    half = _SURE / (1 + _SURE**2 / n) * sqrt(mean * (1 - mean) / n + _SURE**2 / (4 * n * n))
    return mean, max(0.0, middle - half), min(1.0, middle + half)


def random_player(engine: AnyEngine, position: Any, random: Random) -> Any:
    """Choose any legal action."""
    return engine.game.any_action(position, random)


def adviser(level: Level) -> Player:
    """Return a player who follows the advice of a level."""

    def play(engine: AnyEngine, position: Any, random: Random) -> Any:
        return there(engine.decide(position, level, random)).action

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
    return Result(seed, (mine in winners) / max(1, len(winners)), actions, over)


def _next(engine: AnyEngine, position: Any, player: Player, random: Random, actions: int) -> Any:
    if engine.game.to_act(position) == "dice":
        action = engine.turns.dice.throw(position, random)
    elif actions < OPENING and not engine.game.has_dice:
        action = random_player(engine, position, random)
    else:
        action = player(engine, position, random)
    return engine.game.after(position, action).position


def line_of(game: str, level: Level, against: str, results: Sequence[Result]) -> str:
    """Return the line of a game's tournament against one opponent."""
    rate, low, high = rate_of([result.share for result in results])
    broken_off = sum(not result.over for result in results)
    longest, even = max(result.actions for result in results), 1 / len(SEATS[game])
    return (
        f"{game:<13} {level:<7} against {against:<8} {len(results):4} games: {rate:6.1%} "
        f"({low:.1%} to {high:.1%}; even {even:.0%}), {broken_off} broken off, longest {longest} actions"
    )


def main() -> None:
    """Print a line for each game and opponent."""
    args = _parser().parse_args()
    for game in args.game:
        for against in args.against:
            seeds, other = range(args.seed, args.seed + args.games), PLAYERS[against]
            results = [play_game(game, adviser(args.level), other, seed, args.most) for seed in seeds]
            sys.stdout.write(line_of(game, args.level, against, results) + "\n")
            sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=[*SEATS], nargs="+", default=[*SEATS])
    parser.add_argument("--level", choices=[*Level], type=Level, default=Level.STRONG)
    parser.add_argument("--against", choices=[*PLAYERS], nargs="+", default=["random", "easy", "medium"])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--most", type=int, default=4000, help="actions after which a game is broken off")
    parser.add_argument("--seed", type=int, default=0, help="of the first game; the next have the next ones")
    return parser


if __name__ == "__main__":
    main()
