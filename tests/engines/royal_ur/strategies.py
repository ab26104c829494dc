"""Positions for property tests: any that could lie on a table, and those that games come to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from hypothesis import strategies as st

from engines.kernel import Json, Seat
from engines.royal_ur import GAME
from engines.royal_ur.board import COUNTERS, HOME, OFF
from engines.royal_ur.position import Action, Await, Decline, Enter, Lanes, Move, Position, Roll
from tests.engines.steps import any_step

PLAYERS = (Seat("white"), Seat("black"))
ANY_DOTS = st.integers(0, 3)
OTHER_COPY: Mapping[str, Json] = {
    "paths": {
        "red": [f"A{row}" for row in range(1, 5)] + [f"B{row}" for row in range(1, 9)] + ["A8", "A7", "A6", "A5"],
        "blue": [f"C{row}" for row in range(1, 5)] + [f"B{row}" for row in range(1, 9)] + ["C8", "C7", "C6", "C5"],
    },
    "squares": [
        {"sign": sign, "value": value}
        for value, sign in enumerate(["four-fives", "grid", "rosette", "zigzag", "eyes", "circles", "four-fives"] * 2)
    ],
    "dot_chance": 0.3,
}
"""Another printed copy: other colours, cells, signs, and four-fives so late that they can lead beyond home."""


def actions() -> st.SearchStrategy[Action]:
    """Anything that could be tried, legal or not."""
    moves: st.SearchStrategy[Action] = st.integers(0, HOME - 1).map(Move)
    return moves | ANY_DOTS.map(Roll) | st.sampled_from([Enter(), Decline()])


NEW_GAMES = (
    GAME.new(PLAYERS, {}, 0),
    GAME.new(PLAYERS[::-1], {"throw_off": True}, 0),
    GAME.new([Seat("red"), Seat("blue")], OTHER_COPY, 0),
)


@cache
def _positions_of_games() -> list[Position]:
    """Play some random games of each set-up and keep all their positions, the end among them."""
    random, positions = Random(0), []
    for start in NEW_GAMES * 3:
        positions.append(start)
        while not positions[-1].over:
            positions.append(GAME.after(positions[-1], any_step(GAME, positions[-1], random)).position)
    return positions


def played() -> st.SearchStrategy[Position]:
    """A position that a random game comes to."""
    return st.deferred(lambda: st.sampled_from(_positions_of_games()))


SEEDS = st.integers(0, 2**32 - 1)


def before_throw() -> st.SearchStrategy[Position]:
    """Any position in which a throw is expected, also such as games hardly come to: crowded, all stacked."""
    return SEEDS.map(lambda seed: _any_table(Random(seed)))


def _any_table(random: Random) -> Position:
    counters = range(OFF, HOME + 1) if random.random() < 0.5 else random.choices(range(OFF, HOME + 1), k=4)
    one, other = (random.choices(counters, k=COUNTERS - 1) for _ in PLAYERS)
    meet = set(one) & set(range(5, 13))
    apart = [OFF if index in meet else index for index in other]
    lanes: Lanes = (tuple(sorted([*one, random.randrange(OFF, 5)])), tuple(sorted([*apart, random.randrange(OFF, 5)])))
    seat = random.choice(PLAYERS)
    return NEW_GAMES[0].then(Await.ROLL, lanes, seat, seat, None)


def decisions() -> st.SearchStrategy[tuple[Position, Action]]:
    """A position that expects a decision, and a legal one."""
    tables = st.builds(_thrown, played() | before_throw(), st.sampled_from([0, 2, 3]))
    return st.builds(_with_decision, tables.filter(lambda position: bool(GAME.actions(position))), SEEDS)


def _thrown(position: Position, dots: int) -> Position:
    if position.awaits is not Await.ROLL:
        return position
    return GAME.after(position, Roll(dots)).position


def _with_decision(position: Position, seed: int) -> tuple[Position, Action]:
    return position, Random(seed).choice(GAME.actions(position))
