"""What a picture alone says about The Royal Study: where the pieces stand, and which of our cards they meet."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.royal_study.labels import EMPTY, letter_of
from companion.games.royal_study.words import unseen_note
from engines.kernel import Cell, JsonObject, Seat
from engines.royal_study.board import NAMES
from engines.royal_study.cards import CARDS
from engines.royal_study.placement import Placement, meets, write_placement
from engines.royal_study.position import QUARTERS, Card, Side


def score_seen(placement: Mapping[Cell, str]) -> tuple[Mapping[Seat, int], JsonObject]:
    """Return no score, since points cannot be seen.

    `detail` has the position as the engine writes it, and which of the shipped cards it meets, with how each must be.
    """
    pieces = Placement("".join(letter_of(placement.get(name, EMPTY)) for name in NAMES))
    meets_cards = [
        {"number": card.number, "side": card.side.value, "turns": card.turns}
        for card in [
            Card(number, side, turns) for number in range(len(CARDS)) for side in Side for turns in range(QUARTERS)
        ]
        if meets(pieces, card.lay(CARDS[card.number]))
    ]
    return {}, {"pieces": write_placement(pieces), "meets": meets_cards, "note": unseen_note()}
