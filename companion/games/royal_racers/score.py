"""What a picture alone says about a race: not the order of the flags, so not who has touched how many."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.royal_racers.labels import parts_of
from companion.games.royal_racers.words import unseen_note
from engines.kernel import Cell, JsonObject, Seat


def score_seen(placement: Mapping[Cell, str]) -> tuple[Mapping[Seat, int], JsonObject]:
    """Return no score; `detail` has pawns and flags by player, and the cells of the cards that are face down."""
    lying = {cell: parts_of(label) for cell, label in placement.items()}
    seats = sorted({seat for parts in lying.values() for seat in (parts.flag, parts.pawn) if seat})
    return {}, {
        "pawns": {parts.pawn: cell for cell, parts in lying.items() if parts.pawn},
        "flags": {seat: [cell for cell, parts in lying.items() if parts.flag == seat] for seat in seats},
        "down": [cell for cell, parts in lying.items() if parts.is_up is False],
        "note": unseen_note(),
    }
