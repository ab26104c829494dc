"""Fast random games without events, for programs that need very many of them.

A player's counters are kept as a number for each index. Random numbers are used one by one as in a loop over
`GAME.throw` and `GAME.actions`, so that `tests/engines/royal_ur/test_playout.py` can compare both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TypeAlias

from engines.royal_ur.board import COUNTERS, HOME, OFF, START, Board, Sign
from engines.royal_ur.position import Await, Lane, Position
from engines.royal_ur.rules import COUNT_OF_DOTS, ENDING_DOTS, ENTERING_DOTS, FORFEIT_COUNT

Counts: TypeAlias = list[int]
"""A player's number of counters at each index: 0 to 14 on S and the squares, 15 home, the last (-1) off the board."""


@dataclass(frozen=True, slots=True)
class _Track:
    """Whether each index is shared by both ways, carries a counter on, offers an entry, or causes a forfeit."""

    shared: tuple[bool, ...]
    fives: tuple[bool, ...]
    rosettes: tuple[bool, ...]
    eyes: tuple[bool, ...]


@lru_cache(maxsize=4)
def _track(board: Board) -> _Track:
    signs = (Sign.FOUR_FIVES, Sign.ROSETTE, Sign.EYES)
    return _Track(board.shared, *(tuple(each is sign for each in board.signs) for sign in signs))


def play_at_random(position: Position, random: Random) -> Position:
    """Play to the end with equally likely random decisions; return the last position of the game.

    Of the n actions of `GAME.actions`, the one at `int(random.random() * n)` is played.

    Raises:
        ValueError: no throw of a turn is expected.
    """
    if position.awaits is not Await.ROLL:
        message = "a random game goes on from a position in which a throw is awaited"
        raise ValueError(message)
    track, place = _track(position.board), position.place(position.turn)
    both = [[lane.count(index) for index in (*range(START, HOME + 1), OFF)] for lane in position.lanes]
    while not _turn(track, both[place], both[1 - place], random.random, position.dot_chance):
        place = 1 - place
    turn = position.players[place]
    return position.then(None, (_lane(both[0]), _lane(both[1])), turn, turn, None)


def _lane(counts: Counts) -> Lane:
    return tuple(index for index in range(OFF, HOME + 1) for _ in range(counts[index]))


def _turn(track: _Track, mine: Counts, theirs: Counts, chance: Callable[[], float], dot: float) -> bool:
    """Play a turn; return whether it ended the game."""
    while True:
        dots = (chance() < dot) + (chance() < dot) + (chance() < dot)
        if dots == ENDING_DOTS:
            return False
        starts = _starts(mine, COUNT_OF_DOTS[dots])
        choices = len(starts) + (dots == ENTERING_DOTS and mine[OFF] > 0)
        if not choices:
            continue
        choice = int(chance() * choices)
        if choice == len(starts):
            _enter(mine)
            continue
        end = _land(track, mine, theirs, starts[choice], COUNT_OF_DOTS[dots])
        if track.rosettes[end]:
            _offer(mine, chance)
        elif track.eyes[end] and (starts := _starts(theirs, FORFEIT_COUNT)):
            there = _land(track, theirs, mine, starts[int(chance() * len(starts))], FORFEIT_COUNT)
            if track.rosettes[there]:
                _offer(theirs, chance)
        if mine[HOME] == COUNTERS or theirs[HOME] == COUNTERS:
            return True


def _starts(counts: Counts, count: int) -> list[int]:
    return [index for index, held in enumerate(counts[: HOME + 1 - count]) if held]


def _enter(counts: Counts) -> None:
    counts[OFF] -= 1
    counts[START] += 1


def _offer(counts: Counts, chance: Callable[[], float]) -> None:
    """Enter a counter or decline at random, if there is one to enter."""
    if counts[OFF] and chance() < 1 / 2:
        _enter(counts)


def _land(track: _Track, mine: Counts, theirs: Counts, start: int, count: int) -> int:
    """Move a counter; return its new index."""
    mine[start] -= 1
    end, going_on = start, True
    while going_on:
        end += count
        enemies = theirs[end] if track.shared[end] else 0
        if enemies > 1:
            mine[OFF] += 1
            return OFF
        if enemies:
            theirs[end] = 0
            theirs[OFF] += 1
        going_on = track.fives[end] and end + count <= HOME
    mine[end] += 1
    return end
