"""Positions and actions of Royal Racers as frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from engines.grid import Bitboard, CellIndex, bit, set_of
from engines.kernel import Cell, Seat
from engines.royal_racers.board import NAMES, SIZE, Card, Layout, Rank, short_name

NULL_ROLL: Rank = 0
"""The die's empty face."""

THROWS: tuple[Rank, ...] = (NULL_ROLL, 1, 2, 3, 4, 5)
"""The die's faces, equally likely."""

FEWEST_FLAGS, MOST_FLAGS = 2, 6
MOST_ROUNDS, MOST_RACES = 100_000, 99


class Phase(StrEnum):
    """The expected action."""

    START = "start"
    FLAG = "flag"
    ROLL = "roll"
    FLIP = "flip"
    MOVE = "move"
    DEAL = "deal"
    OVER = "over"


SETTING_UP = (Phase.START, Phase.FLAG)
RACING = (Phase.ROLL, Phase.FLIP, Phase.MOVE)
RACE_OVER = (Phase.DEAL, Phase.OVER)


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the players agree on before they race.

    Attributes:
        flags: the number of flags that each player has to touch, including the start space.
        flag_variant: whether flags of opponents are stepped on only if there is no other step (RULES.md 4.5).
        rounds: the number of rounds after which a race ends at the latest (RULES.md 5.4).
        races: the number of races of the campaign; 1 is a single race.
        optional_flip: whether a player may turn no card after the roll (RULES.md 3.10).
    """

    flags: Annotated[int, Meta(ge=FEWEST_FLAGS, le=MOST_FLAGS)] = 5
    flag_variant: bool = False
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 300
    races: Annotated[int, Meta(ge=1, le=MOST_RACES)] = 1
    optional_flip: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A position with an expected action, or the last one. Tuples by player are parallel to `players`.

    Attributes:
        players: the seats, clockwise; the first begins.
        turn: the player who acts; after the end, whose turn ended it.
        round: the round of the race, from 1.
        phase: the expected action.
        rolled: the die, from the roll to the end of the turn.
        cards: the card on each space, face up or down.
        down: the spaces whose card is face down.
        flags: each player's flags in order, the start space last; while flags are laid, those laid so far.
        touched: how many flags each player has touched.
        pawns: the spaces of the pawns; while start spaces are chosen, those of the first players only.
        terms: what the players agreed on.
        coins: each player's flags touched in each earlier race of the campaign.
        coming: the layouts drawn for later races.
        seen: the face-down spaces whose face all players have seen, the latest last: cards that were turned down in
            this race, or turned up in vain. Positions that differ only in this are equal.
    """

    players: tuple[Seat, ...]
    turn: Seat
    round: int
    phase: Phase
    rolled: Rank | None
    cards: Layout
    down: Bitboard
    flags: tuple[tuple[CellIndex, ...], ...]
    touched: tuple[int, ...]
    pawns: tuple[CellIndex, ...]
    terms: Terms = field(default_factory=Terms)
    coins: tuple[tuple[int, ...], ...] = ()
    coming: tuple[Layout, ...] = ()
    seen: tuple[CellIndex, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        """Return a drawing of the cards, "##" for one that is face down, and each player's pawn and flags."""
        cards = ["##" if self.down >> cell & 1 else short_name(card) for cell, card in enumerate(self.cards)]
        rows = (" ".join(cards[first : first + SIZE]) for first in range(0, len(cards), SIZE))
        state = f"{self.turn}: {self.phase}" + ("" if self.rolled is None else f" for {self.rolled or 'null'}")
        racers = []
        for place, seat in enumerate(self.players):
            pawn = NAMES[self.pawns[place]] if place < len(self.pawns) else "-"
            flags = " ".join(NAMES[cell] for cell in self.flags[place])
            racers.append(f"{seat} on {pawn}, flags {flags}, {self.touched[place]} touched")
        return "\n".join([f"Royal Racers, round {self.round}, {state}", *rows, *racers])

    @property
    def over(self) -> bool:
        """Whether the last race is over."""
        return self.phase is Phase.OVER

    @property
    def place(self) -> int:
        """The index of `turn` in `players` and in all tuples that are parallel to it."""
        return self.players.index(self.turn)

    @property
    def pawn(self) -> CellIndex:
        """The space of the pawn of `turn`."""
        return self.pawns[self.place]

    @property
    def standing(self) -> Bitboard:
        """The spaces with a pawn."""
        return set_of(self.pawns)

    @property
    def flagged(self) -> Bitboard:
        """The spaces with a flag, including start spaces."""
        return set_of(cell for row in self.flags for cell in row)

    @property
    def race(self) -> int:
        """The number of the race on the table, from 1."""
        return len(self.coins) + 1

    def last_touched(self, place: int) -> CellIndex:
        """Return the flag that a player touched last, or the start space before the first (RULES.md 3.5)."""
        return self.flags[place][self.touched[place] - 1]  # with none touched it is the last one: the start

    def is_free(self, cell: CellIndex) -> bool:
        """Return whether no pawn stands on a space."""
        return not self.standing & bit(cell)


def placer_of(number: int, players: int) -> int:
    """Return the index of the player who lays the flag with a number, from 0, in the order of laying (RULES.md 1.5)."""
    flag, turn = divmod(number, players)
    return (flag + turn) % players


def owner_of(placer: int, players: int) -> int:
    """Return the index of the player whose flags a player lays: the neighbour on the right (RULES.md 1.4)."""
    return (placer - 1) % players


@dataclass(frozen=True, slots=True)
class ChooseStart:
    """Choose a start space."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class PlaceFlag:
    """Lay the next flag of the right neighbour."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw of the die."""

    rank: Rank


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn a card over."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Step:
    """Move one's pawn to an adjacent space."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave one's pawn where it is, or in the variant turn no card."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Lay out the cards of a race, row by row."""

    cards: tuple[Card, ...]


Action: TypeAlias = ChooseStart | PlaceFlag | Roll | Flip | Step | Pass | Deal
