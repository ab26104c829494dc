"""Cards as data: a small vocabulary of changes to the rules of a round (RULES.md, section 6), and the shipped deck."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from engines.schema import one_word
from engines.territory.board import HIGHEST_NUMBER, LOWEST_NUMBER

FREE_ROLLS = 3
MOST_ROLLS = 20


class Captures(StrEnum):
    """The effect of a capture on the turn."""

    END_THE_TURN = "end-the-turn"
    FORBIDDEN = "forbidden"
    GO_ON = "go-on"
    THEN_ROLL = "then-roll"


_Number = Annotated[int, Meta(ge=LOWEST_NUMBER, le=HIGHEST_NUMBER)]


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a card changes while it is active. The default of each effect is the rule without a card.

    Attributes:
        id: the card's name in decks, positions and events: one word.
        free_rolls: the number of additional free rolls of a turn, negative for fewer.
        stop_from: the roll from which on the player may stop; None: the last free one.
        most_rolls: the roll after which the turn ends; None: no limit.
        pardons: the number of repeats in a turn that do not bust.
        bust_keeps: whether a bust ends the turn but leaves the white pieces.
        captures: the effect of a capture on the turn.
        doubled: numbers for which a roll places two pieces.
        closed: numbers for which a roll places none.
        mirrored: whether 14 less the sum of the dice is the number rolled.
        reversed: whether turns go counter-clockwise.
    """

    id: Annotated[str, one_word("one word of letters, digits, - and _")]
    free_rolls: Annotated[int, Meta(ge=-2, le=3)] = 0
    stop_from: Annotated[int, Meta(ge=1, le=MOST_ROLLS)] | None = None
    most_rolls: Annotated[int, Meta(ge=1, le=MOST_ROLLS)] | None = None
    pardons: Annotated[int, Meta(ge=0, le=3)] = 0
    bust_keeps: bool = False
    captures: Captures = Captures.END_THE_TURN
    doubled: tuple[_Number, ...] = ()
    closed: tuple[_Number, ...] = ()
    mirrored: bool = False
    reversed: bool = False

    @property
    def free(self) -> int:
        """The number of free rolls of a turn."""
        return FREE_ROLLS + self.free_rolls

    @property
    def may_stop_from(self) -> int:
        """The roll from which on the player may stop."""
        return self.free if self.stop_from is None else self.stop_from

    def pieces(self, number: int) -> int:
        """Return the number of pieces that a roll of a number places."""
        if number in self.closed:
            return 0
        return 2 if number in self.doubled else 1


NO_CARD = Card("")
"""The rules without an active card."""

DECK = (
    Card("long-day", free_rolls=1),
    Card("short-day", free_rolls=-1),
    Card("truce", captures=Captures.FORBIDDEN),
    Card("raid", captures=Captures.GO_ON),
    Card("plunder", captures=Captures.THEN_ROLL),
    Card("mercy", pardons=1),
    Card("soft-landing", bust_keeps=True),
    Card("harvest", doubled=(7,)),
    Card("twin-peaks", doubled=(4, 10)),
    Card("far-shores", doubled=(2, 3, 11, 12)),
    Card("flood", closed=(7,)),
    Card("mirror", mirrored=True),
    Card("about-turn", reversed=True),
    Card("open-gate", stop_from=1),
    Card("curfew", most_rolls=5),
    Card("calm"),
)
"""The shipped deck, in the order in which it is printed."""

SHIPPED: Mapping[str, Card] = {card.id: card for card in DECK}


def ordered(card: Card) -> Card:
    """Return a card with its numbers in ascending order, each once."""
    doubled, closed = (tuple(sorted({*numbers})) for numbers in (card.doubled, card.closed))
    return msgspec.structs.replace(card, doubled=doubled, closed=closed)
