"""Fast random races without events, for programs that need very many of them.

`tests/engines/test_playouts.py` compares them with games by `GAME.play`, random number by random number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TypeAlias

from engines.grid import Bitboard, CellIndex, bit, nth_in
from engines.kernel import require_legal
from engines.royal_racers import rules
from engines.royal_racers.position import NULL_ROLL, THROWS, Phase, Position
from engines.royal_racers.rules import avoided_by, cells_of_rank, end_race, ways_on

_Chance: TypeAlias = Callable[[], float]


def play_at_random(position: Position, random: Random) -> Position:
    """Play to the end with equally likely random decisions; return the last position of the race or campaign.

    The die shows `THROWS[int(random.random() * 6)]`; of the n actions of `GAME.actions`, the one at
    `int(random.random() * n)` is played.

    Raises:
        ValueError: a flip or a move is expected: the turn has to be finished first.
    """
    while position.phase is not Phase.OVER:
        if position.phase in (Phase.FLIP, Phase.MOVE):
            message = "a random race goes on from a position in which neither a flip nor a move is awaited"
            raise ValueError(message)
        if position.phase is Phase.ROLL:
            position = _race(position, random.random)
        else:
            listed = rules.actions(position)
            position = require_legal(rules.play(position, listed[int(random.random() * len(listed))])).position
    return position


def _race(position: Position, chance: _Chance) -> Position:
    """Play a race to its end."""
    race, seats = _Race(position), len(position.players)
    place, number = position.place, position.round
    while not race.turn(place, chance):
        place = (place + 1) % seats
        if place == (number - 1) % seats:
            if number == position.terms.rounds:
                place = (place - 1) % seats
                break
            number += 1
            place = (number - 1) % seats
    return end_race(race.after(position, place, number), ()).position


class _Race:
    """The cards, pawns and flags of a race, changed from turn to turn."""

    def __init__(self, position: Position) -> None:
        """Copy them from a position."""
        seats = range(len(position.players))
        self.of_rank = [cells_of_rank(position.cards, rank) for rank in THROWS]
        self.down, self.seen = position.down, list(position.seen)
        self.flags, self.flagged = position.flags, position.flagged
        self.avoided = [avoided_by(position, place) for place in seats]
        self.pawns, self.touched = list(position.pawns), list(position.touched)
        self.optional, self.most = position.terms.optional_flip, position.terms.flags

    def after(self, position: Position, place: int, number: int) -> Position:
        """Return a position with the race's present state."""
        return replace(
            position,
            turn=position.players[place],
            round=number,
            down=self.down,
            seen=tuple(self.seen),
            pawns=tuple(self.pawns),
            touched=tuple(self.touched),
        )

    def turn(self, place: int, chance: _Chance) -> bool:
        """Roll, flip and move; return whether the last flag was touched."""
        standing = 0
        for pawn in self.pawns:
            standing |= 1 << pawn
        rank = THROWS[int(chance() * len(THROWS))]
        if rank != NULL_ROLL:
            standing = self._flip(place, self.of_rank[rank], standing, chance)
        return self._move(place, standing, chance)

    def _flip(self, place: int, of_rank: Bitboard, standing: Bitboard, chance: _Chance) -> Bitboard:
        """Turn a card over; return the spaces with a pawn afterwards."""
        face_up = of_rank & ~self.down & ~standing
        choices = (face_up & ~self.flagged or face_up) | self.down & ~standing
        count = choices.bit_count()
        choice = int(chance() * (count + self.optional)) if count else 0
        if choice == count:
            return standing
        space = nth_in(choices, choice)
        cell = CellIndex(space.bit_length() - 1)
        if not self.down & space:
            self.down |= space
            self.seen.append(cell)
            return standing
        if cell in self.seen:
            self.seen.remove(cell)
        if of_rank & space or not of_rank & ~standing:
            self.down ^= space
            return standing
        self.seen.append(cell)
        return self._send_back(place, standing)

    def _send_back(self, place: int, standing: Bitboard) -> Bitboard:
        here, there = self.pawns[place], self.flags[place][self.touched[place] - 1]
        if standing & bit(there):
            return standing
        self.pawns[place] = there
        return standing ^ bit(here) ^ bit(there)

    def _move(self, place: int, standing: Bitboard, chance: _Chance) -> bool:
        here = self.pawns[place]
        steps = ways_on(here, self.down | standing, self.avoided[place])
        choice = int(chance() * (steps.bit_count() + 1))
        space = nth_in(steps, choice)
        if not space:
            return False
        there = self.pawns[place] = CellIndex(space.bit_length() - 1)
        if there == self.flags[place][self.touched[place]]:
            self.touched[place] += 1
        return self.touched[place] == self.most
