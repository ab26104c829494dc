"""What a game adds to its screen: numbers, signs, cards, and what a player has beside the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engines.kernel import Seat


@dataclass(frozen=True, slots=True)
class ExtraDrawing:
    """A small drawing beside the board, such as a card.

    Attributes:
        title: what it is.
        rows: its lines, all of one width.
    """

    title: str
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extras:
    """What a game adds to the page of a position.

    Attributes:
        facts: short sentences, the most wanted first: the round, the dice of this turn, the card in force.
        of_player: what a player has beside the board, a few words each.
        texts: by cell, what is drawn in place of the signs of its label.
        below: by cell, a small sign or number in the line below it; no cell of the board has one where this is empty.
        legend: signs of this game with the words that they stand for.
        drawings: cards and the like.
    """

    facts: tuple[str, ...] = ()
    of_player: Mapping[Seat, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    below: Mapping[str, str] = field(default_factory=dict)
    legend: Mapping[str, str] = field(default_factory=dict)
    drawings: tuple[ExtraDrawing, ...] = ()


NOTHING = Extras()
