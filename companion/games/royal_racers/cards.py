"""The playing cards of Royal Racers in sentences."""

from __future__ import annotations

from companion.locale import _
from engines.royal_racers.position import NULL_ROLL

__all__ = ["card_named", "die_named", "rank_named"]


def rank_named(rank: int | str | None) -> str:
    """Return a rank as the players say it: ace, 2 to 9."""
    return _("ace") if rank in (1, "1", "A") else str(rank)


def die_named(face: int | str | None) -> str:
    """Return what the die shows: an empty face, the ace, 2 to 5."""
    return _("the empty face") if face in (NULL_ROLL, "null") else rank_named(face)


def card_named(card: str) -> str:
    """Return a card with its article: "the 7 of hearts"."""
    rank, _dash, suit = card.partition("-")
    suits = {
        "clubs": _("the {rank} of clubs"),
        "diamonds": _("the {rank} of diamonds"),
        "hearts": _("the {rank} of hearts"),
        "spades": _("the {rank} of spades"),
    }
    return suits[suit].format(rank=rank_named(rank))
