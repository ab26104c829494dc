"""Tournament of the advisers: win rates with their intervals, of each level against players of other kinds.

    nice python -m tests.evaluate.advisers --game royal-tee --games 40 --against random easy medium

A player is "random", a computer of some level, or "previous". The adviser
changes seats from game to game. A shared win counts as a share, and so does a game that is broken off after `--most`
actions. Where all other seats are the opponent's, "even" is the share of a player who is no better.

"previous" is the adviser of an earlier commit, which is unpacked and asked over the protocol of `companion engine`:
`PREVIOUS` has the last commit before each game's adviser was made stronger, `--previous COMMIT` names another.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, TypeAlias

from companion.games.engines import ENGINES, AnyEngine
from engines.kernel import Level, Seat
from tests.evaluate.earlier import earlier_adviser
from tests.narrow import there

SEATS: Mapping[str, Sequence[str]] = {
    "royal-tee": ("red", "green"),
    "territory": ("red", "green", "blue"),
    "royal-study": ("white", "black"),
    "royal-racers": ("suns", "moons"),
    "royal-ur": ("white", "black"),
}
PREVIOUS: Mapping[str, str] = {
    "royal-tee": "010f1ee",
    "territory": "938d96a",
    "royal-study": "938d96a",
    "royal-racers": "6bb3746",
    "royal-ur": "938d96a",
}
"""The commit before a game's adviser was last changed. Ur's and the Study's got levels then: theirs should be even."""

OPENING = 4
"""This many actions of every game are random where a game has no chance of its own, so that no two games are alike."""

_SURE = 1.96

Player: TypeAlias = Callable[[AnyEngine, Any, Random], Any]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which tournament a game belongs to."""

    game: str
    level: Level
    against: str


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a game for the adviser: its share of the win, how many actions the game had, whether it ended."""

    seed: int
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
    return Rate(mean, max(0.0, middle - half), min(1.0, middle + half))


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


@contextmanager
def opponent(against: str, game: str, commit: str | None) -> Iterator[Player]:
    """Provide a player by name; the adviser of an earlier commit as long as it is needed."""
    if against != "previous":
        yield PLAYERS[against]
        return
    with earlier_adviser(commit or PREVIOUS[game]) as advised:

        def play(engine: AnyEngine, position: Any, _random: Random) -> Any:
            return engine.game.action_from_json(advised(engine.game.position_to_json(position)))

        yield play


def line_of(pairing: Pairing, results: Sequence[Result]) -> str:
    """Return the line of the table."""
    rate = rate_of([result.share for result in results])
    broken_off = sum(not result.over for result in results)
    longest = max(result.actions for result in results)
    even = 1 / len(SEATS[pairing.game])
    return (
        f"{pairing.game:<13} {pairing.level:<7} against {pairing.against:<8} {len(results):4} games: {rate.rate:6.1%} "
        f"({rate.low:.1%} to {rate.high:.1%}; even {even:.0%}), {broken_off} broken off, longest {longest} actions"
    )


def main() -> None:
    """Print a line for each game and opponent."""
    args = _parser().parse_args()
    for game in args.game:
        for against in args.against:
            pairing, seeds = Pairing(game, args.level, against), range(args.seed, args.seed + args.games)
            with opponent(against, game, args.previous) as other:
                results = [play_game(game, adviser(args.level), other, seed, args.most) for seed in seeds]
            sys.stdout.write(line_of(pairing, results) + "\n")
            sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=[*SEATS], nargs="+", default=[*SEATS])
    parser.add_argument("--level", choices=[*Level], type=Level, default=Level.STRONG)
    parser.add_argument(
        "--against", choices=[*PLAYERS, "previous"], nargs="+", default=["random", "easy", "medium", "previous"]
    )
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--most", type=int, default=4000, help="actions after which a game is broken off")
    parser.add_argument("--seed", type=int, default=0, help="of the first game; the next have the next ones")
    parser.add_argument("--previous", metavar="COMMIT", help='the commit whose adviser is "previous"')
    return parser


if __name__ == "__main__":
    main()
