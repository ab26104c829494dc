"""Territory's round cards: what each is called, and what it changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.locale import _, ngettext
from companion.ui.people import enumerated
from engines.territory.cards import NO_CARD, Captures, Card
from engines.territory.position import Position

__all__ = ["card_effect", "card_lines", "card_name"]


def card_name(card: str) -> str:
    """Return what a card of the deck is called; a card of somebody's own keeps its word."""
    names = {
        "long-day": _("Long Day"),
        "short-day": _("Short Day"),
        "truce": _("Truce"),
        "raid": _("Raid"),
        "plunder": _("Plunder"),
        "mercy": _("Mercy"),
        "soft-landing": _("Soft Landing"),
        "harvest": _("Harvest"),
        "twin-peaks": _("Twin Peaks"),
        "far-shores": _("Far Shores"),
        "flood": _("Flood"),
        "mirror": _("Mirror"),
        "about-turn": _("About Turn"),
        "open-gate": _("Open Gate"),
        "curfew": _("Curfew"),
        "calm": _("Calm"),
    }
    return names.get(card, card)


def card_effect(card: Card) -> str:
    """Return in sentences what a card changes while it is in force."""
    if replace(card, id="") == NO_CARD:
        return _("Nothing changes in this round.")
    return " ".join([*_rolls(card), *_pieces(card), *_captures(card), *_order(card)])


def card_lines(position: Position) -> list[str]:
    """Return the card in force with what it changes; nothing where there is none."""
    if position.card is None:
        return []
    return [_("{term}: {meaning}").format(term=card_name(position.card), meaning=card_effect(position.in_force))]


def _rolls(card: Card) -> Iterator[str]:
    if card.free_rolls:
        sentence = ngettext("{free} roll of a turn is free.", "The first {free} rolls of a turn are free.", card.free)
        yield sentence.format(free=card.free)
    if card.stop_from is not None:
        yield _("You may stop from roll {number} on.").format(number=card.stop_from)
    if card.most_rolls is not None:
        yield _("A turn ends by itself after roll {number}.").format(number=card.most_rolls)
    if card.pardons:
        sentence = ngettext(
            "{number} repeated number in a turn is forgiven.",
            "{number} repeated numbers in a turn are forgiven.",
            card.pardons,
        )
        yield sentence.format(number=card.pardons)
    if card.bust_keeps:
        yield _("After a bust the white pieces stay and become yours.")


def _pieces(card: Card) -> Iterator[str]:
    if card.doubled:
        yield _("A roll of {numbers} places two pieces.").format(numbers=_either(card.doubled))
    if card.closed:
        yield _("A roll of {numbers} places nothing.").format(numbers=_either(card.closed))
    if card.mirrored:
        yield _("The number rolled is 14 less the dice: 5 counts as 9.")


def _captures(card: Card) -> Iterator[str]:
    sentences = {
        Captures.FORBIDDEN: _("Nobody may capture a space."),
        Captures.GO_ON: _("A capture does not end the turn."),
        Captures.THEN_ROLL: _("A capture gives one more roll that cannot bust; with its piece the turn ends."),
    }
    if card.captures in sentences:
        yield sentences[card.captures]


def _order(card: Card) -> Iterator[str]:
    if card.reversed:
        yield _("Turns go the other way round; the first player still begins.")


def _either(numbers: tuple[int, ...]) -> str:
    return enumerated(map(str, numbers))
