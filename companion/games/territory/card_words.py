"""The round cards' titles, and what each changes in words; a card of somebody's own is described by its effects."""

from __future__ import annotations

from collections.abc import Iterator

from companion.locale import _, ngettext
from companion.ui.names import either
from engines.territory.cards import SHIPPED, Captures, Card
from engines.territory.position import Position


def card_title(card: Card) -> str:
    """Name a card; a card of somebody's own deck by its id."""
    names = {
        "long-day": _("Long day"),
        "short-day": _("Short day"),
        "truce": _("Truce"),
        "raid": _("Raid"),
        "plunder": _("Plunder"),
        "mercy": _("Mercy"),
        "soft-landing": _("Soft landing"),
        "harvest": _("Harvest"),
        "twin-peaks": _("Twin peaks"),
        "far-shores": _("Far shores"),
        "flood": _("Flood"),
        "mirror": _("Mirror"),
        "about-turn": _("About turn"),
        "open-gate": _("Open gate"),
        "curfew": _("Curfew"),
        "calm": _("Calm"),
    }
    return names.get(card.id, card.id.replace("-", " ").capitalize())


def card_text(card: Card) -> str:
    """Describe what a card changes while it is active."""
    return " ".join(_effects(card)) or _("Nothing changes in this round.")


def _effects(card: Card) -> Iterator[str]:
    yield from _of_the_rolls(card)
    yield from _of_the_bust(card)
    yield from _of_the_numbers(card)
    if text := _of_captures(card.captures):
        yield text
    if card.reversed:
        yield _("Turns go the other way round.")


def _of_the_rolls(card: Card) -> Iterator[str]:
    if card.free_rolls:
        text = ngettext("Each turn has {number} free roll.", "Each turn has {number} free rolls.", card.free)
        yield text.format(number=card.free)
    if card.stop_from is not None:
        yield _("You may stop from roll {number} on.").format(number=card.stop_from)
    if card.most_rolls is not None:
        yield _("A turn ends after roll {number}.").format(number=card.most_rolls)


def _of_the_bust(card: Card) -> Iterator[str]:
    if card.pardons == 1:
        yield _("The first repeated number of a turn does not end it.")
    elif card.pardons:
        text = ngettext(
            "{number} repeated number of a turn does not end it.",
            "The first {number} repeated numbers of a turn do not end it.",
            card.pardons,
        )
        yield text.format(number=card.pardons)
    if card.bust_keeps:
        yield _("A repeated number ends the turn, but the white pieces stay.")


def _of_the_numbers(card: Card) -> Iterator[str]:
    if card.doubled:
        yield _("A roll of {numbers} places two pieces.").format(numbers=either(map(str, card.doubled)))
    if card.closed:
        yield _("A roll of {numbers} places no piece.").format(numbers=either(map(str, card.closed)))
    if card.mirrored:
        yield _("Numbers are mirrored: a roll of n counts as 14 minus n.")


def _of_captures(captures: Captures) -> str:
    return {
        Captures.END_THE_TURN: "",
        Captures.FORBIDDEN: _("Nobody may capture another player's space."),
        Captures.GO_ON: _("A capture does not end the turn."),
        Captures.THEN_ROLL: _("After a capture you roll once more, then the turn ends."),
    }[captures]


def card_named(card: str) -> Card:
    """Return the shipped card of that id; for another id a card of which no effect is known."""
    return SHIPPED.get(card) or Card(card)


def card_lines(position: Position) -> list[str]:
    """Return the active card with what it changes; empty if there is none."""
    if position.card is None:
        return []
    card = position.in_force
    return [_("{term}: {meaning}").format(term=card_title(card), meaning=card_text(card))]
