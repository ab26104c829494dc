"""Fast random games without events, for programs that need very many of them.

`tests/engines/territory/test_playout.py` compares them with games by `GAME.play`, random number by random number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from engines.grid import Bitboard, nth_in
from engines.territory.cards import Captures, Card
from engines.territory.position import Await, Position
from engines.territory.rules import draw, order_of_turns

_Chance: TypeAlias = Callable[[], float]


def play_at_random(position: Position, random: Random) -> Position:
    """Play to the end with equally likely random decisions; return the last position of the game.

    A die shows `int(random.random() * 6) + 1`; of the n actions of `GAME.actions`, the one at
    `int(random.random() * n)` is played.

    Raises:
        ValueError: the first roll of a turn is not the expected action.
    """
    if position.awaiting is not Await.ROLL or position.rolled:
        message = "a random game goes on from a position in which the first roll of a turn is awaited"
        raise ValueError(message)
    owners, order = list(position.owners), order_of_turns(position)
    waiting = order[order.index(position.turn) :]
    while True:
        for seat in waiting:
            _Turn(position.board.spaces_of, position.in_force, owners, position.place(seat)).play(random.random)
        if position.round == position.setting.rounds:
            return replace(position, owners=tuple(owners), turn=waiting[-1], awaiting=Await.NOTHING)
        card, deck = draw(position.deck)
        position = replace(position, round=position.round + 1, card=card, deck=deck)
        waiting = order_of_turns(position)


@dataclass(slots=True)
class _Turn:
    """The changing state of a turn.

    Attributes:
        spaces_of: the spaces of each number.
        card: the active card.
        owners: each player's spaces, which the turn changes.
        mover: the index of the player whose turn it is.
        rolled: the numbers rolled.
        repeats: how many rolls after the free ones repeated a number.
        white: the spaces saved.
        extra: whether the roll is the one that a card grants after a capture.
    """

    spaces_of: tuple[Bitboard, ...]
    card: Card
    owners: list[Bitboard]
    mover: int
    rolled: list[int] = field(default_factory=list)
    repeats: int = 0
    white: Bitboard = 0
    extra: bool = False

    def play(self, chance: _Chance) -> None:
        """Roll and place until the turn ends, and give the white spaces to the mover."""
        while self._roll(chance) and self._place(chance):
            pass
        self.owners[self.mover] |= self.white

    def _roll(self, chance: _Chance) -> bool:
        """Roll; return False after a bust."""
        total = int(chance() * 6) + int(chance() * 6) + 2
        number = 14 - total if self.card.mirrored else total
        again = number in self.rolled and len(self.rolled) >= self.card.free
        self.rolled.append(number)
        self.repeats += again
        if again and not self.extra and self.repeats > self.card.pardons:
            self.white = self.white if self.card.bust_keeps else 0
            return False
        return True

    def _place(self, chance: _Chance) -> bool:
        """Place the pieces of the last roll; return whether another roll follows."""
        number, captures = self.rolled[-1], self.card.captures
        for _ in range(self.card.pieces(number)):
            space, captured = self._choose(chance, self.spaces_of[number])
            if not captured:
                self.white |= space
                continue
            self.owners[:] = [owned & ~space for owned in self.owners]
            self.owners[self.mover] |= space
            if captures is Captures.THEN_ROLL and not self.extra:
                self.extra = True
                return True
            if captures is not Captures.GO_ON:
                return False
        return self._rolls_on(chance)

    def _choose(self, chance: _Chance, spaces: Bitboard) -> tuple[Bitboard, bool]:
        """Return a random space (0 if there is none) and whether it is captured."""
        held = 0
        for owned in self.owners:
            held |= owned
        empty, others = spaces & ~held & ~self.white, spaces & held & ~self.owners[self.mover]
        count = empty.bit_count()
        choices = count if self.card.captures is Captures.FORBIDDEN else count + others.bit_count()
        if not choices:
            return 0, False
        choice = int(chance() * choices)
        return (nth_in(empty, choice), False) if choice < count else (nth_in(others, choice - count), True)

    def _rolls_on(self, chance: _Chance) -> bool:
        rolls = len(self.rolled)
        if self.extra or rolls == self.card.most_rolls:
            return False
        return rolls < self.card.may_stop_from or chance() < 1 / 2
