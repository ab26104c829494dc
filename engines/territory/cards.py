"""Cards as data: a small vocabulary of changes to the rules of one round (RULES.md, section 6), and our own deck."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from engines.actions import between
from engines.decode import as_flag, as_list, as_number, as_object, as_one_of, as_text, is_word, member, only_keys, quote
from engines.kernel import BadRequestError, Json, JsonObject
from engines.territory.board import HIGHEST_NUMBER, LOWEST_NUMBER

FREE_ROLLS = 3
MOST_ROLLS = 20
_FEWER_FREE, _MORE_FREE = -2, 3
_MOST_PARDONS = 3


class Captures(StrEnum):
    """What taking another's space does to the turn."""

    END_THE_TURN = "end-the-turn"
    FORBIDDEN = "forbidden"
    GO_ON = "go-on"
    THEN_ROLL = "then-roll"


@dataclass(frozen=True, slots=True)
class Card:
    """A card: what it changes while it is in force. The default of each effect is the rule without a card.

    Attributes:
        id: the card's name in decks, positions and events: one word.
        free_rolls: how many free rolls a turn has more, or fewer if negative.
        stop_from: the roll from which on the player may stop; None: the last free one.
        most_rolls: the roll after which the turn ends by itself; None: no such roll.
        pardons: how many repeats of a turn do not bust.
        bust_keeps: whether a bust ends the turn but leaves the white pieces.
        captures: what a capture does to the turn.
        doubled: numbers of which a roll places two pieces.
        closed: numbers of which a roll places none.
        mirrored: whether 14 less the sum of the dice is the number rolled.
        reversed: whether turns go counter-clockwise.
    """

    id: str
    free_rolls: int = 0
    stop_from: int | None = None
    most_rolls: int | None = None
    pardons: int = 0
    bust_keeps: bool = False
    captures: Captures = Captures.END_THE_TURN
    doubled: tuple[int, ...] = ()
    closed: tuple[int, ...] = ()
    mirrored: bool = False
    reversed: bool = False

    @property
    def free(self) -> int:
        """How many rolls of a turn are free."""
        return FREE_ROLLS + self.free_rolls

    @property
    def may_stop_from(self) -> int:
        """The roll from which on the player may stop."""
        return self.free if self.stop_from is None else self.stop_from

    def pieces(self, number: int) -> int:
        """Return how many pieces a roll of a number places."""
        if number in self.closed:
            return 0
        return 2 if number in self.doubled else 1


NO_CARD = Card("")
"""The rules as they are when no card is in force."""

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
"""The deck that ships, in the order in which it is printed."""

SHIPPED: Mapping[str, Card] = {card.id: card for card in DECK}


def card_from_json(data: Json) -> Card:
    """Read a card: {"id": "mine", "free_rolls": 1, "doubled": [6, 8]}.

    Raises:
        BadRequestError: it is none.
    """
    given = as_object(data, "a card")
    only_keys(given, ("id", *_EFFECTS), "a card")
    name = card_id(member(given, "id", "a card"))
    return Card(name, **{key: _EFFECTS[key](given[key], f'"{key}" of {name}') for key in given if key != "id"})


def card_id(value: Json) -> str:
    """Take the name of a card.

    Raises:
        BadRequestError: it is none.
    """
    name = as_text(value, "a card's id")
    if not is_word(name):
        raise BadRequestError(f"a card's id must be one word of letters, digits, - and _, not {quote(name)}")
    return name


def card_to_json(card: Card) -> JsonObject:
    """Write a card; what it leaves as it is is left out."""
    changed = {f.name: getattr(card, f.name) for f in fields(card) if getattr(card, f.name) != f.default}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in changed.items()}


def _numbers(value: Json, where: str) -> tuple[int, ...]:
    listed = as_list(value, where)
    return tuple(sorted({as_number(n, f"each of {where}", LOWEST_NUMBER, HIGHEST_NUMBER) for n in listed}))


_EFFECTS: Mapping[str, Callable[[Json, str], Any]] = {
    "free_rolls": between(_FEWER_FREE, _MORE_FREE),
    "stop_from": between(1, MOST_ROLLS),
    "most_rolls": between(1, MOST_ROLLS),
    "pardons": between(0, _MOST_PARDONS),
    "bust_keeps": as_flag,
    "captures": lambda value, where: as_one_of(value, where, Captures),
    "doubled": _numbers,
    "closed": _numbers,
    "mirrored": as_flag,
    "reversed": as_flag,
}
"""How each effect is read: the vocabulary."""
