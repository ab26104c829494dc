"""Positions and actions of Territory as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from string import ascii_lowercase
from typing import TypeAlias

from engines.grid import Bitboard, union
from engines.kernel import Cell, Seat
from engines.territory.board import COLOURS, EIGHT_BY_EIGHT, Board
from engines.territory.cards import NO_CARD, SHIPPED, Card

FEWEST_PLAYERS, MOST_PLAYERS = 3, 6
ROUNDS: Mapping[int, int] = {3: 8, 4: 6, 5: 5, 6: 4}
"""The number of rounds by the number of players (RULES.md 1.4)."""


class Await(StrEnum):
    """The expected action."""

    ROLL_OFF = "roll-off"
    ROLL = "roll"
    PLACE = "place"
    CHOOSE = "choose"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Setting:
    """The setting of a whole game.

    Attributes:
        board: the map.
        colours: the colours of the pieces.
        rounds: the number of rounds.
        own_cards: cards that are not in the shipped deck, or differ from it.
    """

    board: Board = EIGHT_BY_EIGHT
    colours: tuple[Seat, ...] = COLOURS
    rounds: int = ROUNDS[FEWEST_PLAYERS]
    own_cards: tuple[Card, ...] = ()

    @property
    def cards(self) -> Mapping[str, Card]:
        """All cards that the game may name, by id: the shipped ones, and its own in their place."""
        return {**SHIPPED, **{card.id: card for card in self.own_cards}} if self.own_cards else SHIPPED


@dataclass(frozen=True, slots=True)
class RollOff:
    """One pass of rolling for who begins: the players who roll, in turn order, and the rolls so far."""

    contenders: tuple[Seat, ...]
    rolls: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game. Tuples by player are parallel to `players`.

    Attributes:
        setting: the setting of the whole game.
        players: the seats clockwise; the first begins each round.
        turn: the player who rolls or decides; after the end, whose turn ended it.
        round: the round, from 1.
        owners: each player's spaces; no two share one.
        white: the spaces saved in this turn.
        rolled: the numbers rolled in this turn, in order, as changed by the active card.
        awaiting: the expected action.
        left: while a piece is to be placed, how many the last roll still places; 0 otherwise.
        extra: whether the roll is the one that a card grants after a capture.
        card: the id of the active card, None if there is none.
        deck: the ids of the cards still to be drawn, the next one first. Hidden.
        face_down: the id of the card drawn in round 1. Hidden.
        roll_off: the roll-off, None after it.
    """

    setting: Setting
    players: tuple[Seat, ...]
    turn: Seat
    round: int
    owners: tuple[Bitboard, ...]
    white: Bitboard = 0
    rolled: tuple[int, ...] = ()
    awaiting: Await = Await.ROLL
    left: int = 0
    extra: bool = False
    card: str | None = None
    deck: tuple[str, ...] = ()
    face_down: str | None = None
    roll_off: RollOff | None = None

    def __str__(self) -> str:
        """Return a drawing of the map: each space's number with the letter of its owner, "*" if it is white."""
        state = "over" if self.over else f"{self.turn}: {self.awaiting}"
        rolled = f" after {' '.join(map(str, self.rolled))}" if self.rolled else ""
        seats = ", ".join(f"{letter} = {seat}" for letter, seat in zip(ascii_lowercase, self.players, strict=False))
        spaces = []
        for index, number in enumerate(self.board.numbers):
            held = (letter for letter, owned in zip(ascii_lowercase, self.owners, strict=False) if owned >> index & 1)
            spaces.append(f"{number:2}{next(held, '*' if self.white >> index & 1 else ' ')}")
        wide = self.board.columns
        rows = (" ".join(spaces[first : first + wide]).rstrip() for first in range(0, len(spaces), wide))
        return "\n".join([f"Territory, round {self.round}, {state}{rolled} ({seats})", *rows])

    @property
    def over(self) -> bool:
        """Whether the last round is finished."""
        return self.awaiting is Await.NOTHING

    @property
    def board(self) -> Board:
        """The map."""
        return self.setting.board

    @property
    def in_force(self) -> Card:
        """The active card, or `NO_CARD`."""
        return NO_CARD if self.card is None else self.setting.cards[self.card]

    @property
    def held(self) -> Bitboard:
        """The spaces that players own."""
        return union(self.owners)

    def place(self, seat: Seat) -> int:
        """Return a player's index in `players` and in all tuples that are parallel to it."""
        return self.players.index(seat)

    def owner_of(self, space: Bitboard) -> Seat | None:
        """Return the player who owns a space, given as a set of one; None if nobody does."""
        return next((seat for seat, owned in zip(self.players, self.owners, strict=True) if owned & space), None)

    def with_owner(self, spaces: Bitboard, seat: Seat) -> tuple[Bitboard, ...]:
        """Return the owners after these spaces became one player's."""
        return tuple(
            owned | spaces if player == seat else owned & ~spaces
            for player, owned in zip(self.players, self.owners, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw of the dice, before a card changes it."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Again:
    """Roll once more; the throw itself follows."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop, and keep the white pieces."""


@dataclass(frozen=True, slots=True)
class Place:
    """Put a white piece on an empty space."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Capture:
    """Take another player's space."""

    cell: Cell


Action: TypeAlias = Roll | Again | Stop | Place | Capture
