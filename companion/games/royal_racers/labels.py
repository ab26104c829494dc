"""Positions of Royal Racers as labels on cells: the words of the table file, joined of card, flag and pawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engines.grid import CellIndex, bit
from engines.kernel import Cell, Seat
from engines.royal_racers.board import ALL_CELLS, NAMES, card_name
from engines.royal_racers.position import Position
from vision.labels import BACK, COVERED, Label, parse_label

__all__ = ["BACK", "COVERED", "LabelParts", "card_label", "face_of", "kind_of", "parts_of", "placement"]

_FLAG, _PAWN = "flag", "pawn"
_UP, _ANY = "up", "any"


@dataclass(frozen=True, slots=True)
class LabelParts:
    """What is on a cell: the card ("7-hearts", "back", "covered"), whose flag on it, whose pawn on both."""

    card: str
    flag: Seat | None = None
    pawn: Seat | None = None

    @property
    def label(self) -> str:
        """The table file's word for it."""
        on_card = tuple((kind, seat) for kind, seat in ((_FLAG, self.flag), (_PAWN, self.pawn)) if seat)
        return str(Label(card=self.card, on_card=on_card))

    @property
    def is_up(self) -> bool | None:
        """Whether the card is face up; None if a flag covers it."""
        return None if self.card == COVERED else self.card != BACK


def parts_of(label: str) -> LabelParts:
    """Return the parts of a label."""
    seen = parse_label(label)
    flag, pawn = (Seat(colour) if (colour := seen.colour_on_card(kind)) else None for kind in (_FLAG, _PAWN))
    return LabelParts(seen.card, flag, pawn)


def kind_of(label: str) -> str:
    """Return a label without what is known of a table anyway and hard to see.

    That is which card it is that is face up, and whose flag it is on which a pawn stands: a pawn hides the symbol, and
    nobody can exchange the flag without lifting it.
    """
    seen = parse_label(label)
    if seen.is_face:
        return str(replace(seen, card=_UP))
    hidden = seen.colour_on_card(_FLAG) and seen.colour_on_card(_PAWN)
    return str(replace(seen, on_card=((_FLAG, _ANY), *seen.on_card[1:]))) if hidden else label


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every cell; a flag hides which way its card is."""
    flags = {cell: seat for seat, row in zip(position.players, position.flags, strict=True) for cell in row}
    pawns = dict(zip(position.pawns, position.players, strict=False))
    cards = {cell: COVERED if cell in flags else card_label(position, cell) for cell in ALL_CELLS}
    return {NAMES[cell]: LabelParts(card, flags.get(cell), pawns.get(cell)).label for cell, card in cards.items()}


def face_of(position: Position, cell: CellIndex) -> str:
    """Return the card on a cell, whichever way it is."""
    return card_name(position.cards[cell])


def card_label(position: Position, cell: CellIndex) -> str:
    """Return the card on a cell as it is, or would without a flag on it."""
    return BACK if position.down & bit(cell) else face_of(position, cell)
