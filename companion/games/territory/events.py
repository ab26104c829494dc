"""What happens in Territory, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.territory.card_words import card_named, card_text, card_title
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name, player_names, won_by
from companion.ui.phrases import cells_list, filled, strings
from engines.kernel import JsonObject
from engines.territory.cards import SHIPPED
from engines.territory.position import Action, Again, Capture, Place, Roll, Stop

__all__ = ["event_sentence", "story"]


def story(seat: str | None, action: Action, events: Sequence[JsonObject], names: Names) -> list[str]:
    """Return what an action has brought; without events what was done."""
    lines = [event_sentence(event, names) for event in events if event.get("event") != "turn"]
    return lines or [_done(player_name(seat, names), action)]


def event_sentence(event: JsonObject, names: Names) -> str:  # noqa: PLR0911 - one line an event
    """Return one of the engine's events as a sentence."""
    match event.get("event"):
        case "rolled" | "rolled-for-first":
            return _rolled(event, names)
        case "busted":
            return _busted(event, names)
        case "kept":
            return _kept(event, names)
        case "round":
            return _round(event)
        case "roll-off-tied":
            tied = player_names(strings(event.get("players")), names)
            return _("{players} rolled the same and roll again.").format(players=tied)
        case "game-over":
            return _("The last round is over.") + " " + won_by(strings(event.get("winners")), names)
    return filled(_simple()[str(event.get("event"))], event, names, ("player", "from"))


def _simple() -> dict[str, str]:
    return {
        "begins": _("{player} begins."),
        "turn": _("Next: {player}."),
        "card-drawn-face-down": _("A card is drawn face down; in the first round none is in force."),
        "placed": _("{player} placed a white piece on {cell} ({number})."),
        "captured": _("{player} captured {cell} ({number}) from {from}."),
        "extra-roll": _("{player} has one more roll, which cannot bust."),
        "nothing-to-place": _("No space of the {number} is open: nothing is placed."),
        "pardoned": _("The {number} has come again, but the card forgives it."),
        "rolls-again": _("{player} chose to roll again."),
        "stopped": _("{player} stopped."),
    }


def _done(player: str, action: Action) -> str:
    match action:
        case Roll(dice):
            return _("{player} rolled {cell}.").format(player=player, cell=", ".join(map(str, dice)))
        case Place(cell):
            return _("{player} placed a white piece on {cell}.").format(player=player, cell=cell)
        case Capture(cell):
            return _("{player} captured {cell}.").format(player=player, cell=cell)
        case Stop():
            return _("{player} stopped.").format(player=player)
        case Again():
            return _("{player} chose to roll again.").format(player=player)


def _rolled(event: JsonObject, names: Names) -> str:
    player, dice = player_name(str(event.get("player")), names), strings(event.get("dice"))
    if len(dice) == 1:
        return _("{player} rolled {die} to see who begins.").format(player=player, die=dice[0])
    sum_of_dice, number = sum(map(int, dice)), event.get("number")
    sentence = _("{player} rolled {first} and {second}: {number}.")
    if sum_of_dice != number:
        sentence = _("{player} rolled {first} and {second}, which counts as {number} in this round.")
    return sentence.format(player=player, first=dice[0], second=dice[1], number=number)


def _busted(event: JsonObject, names: Names) -> str:
    lost = strings(event.get("cells"))
    facts = {"player": player_name(str(event.get("player")), names), "number": event.get("number")}
    if not lost:
        return _("The {number} had come before: {player} went bust, but lost no piece.").format_map(facts)
    sentence = ngettext(
        "The {number} had come before: {player} went bust, and the white piece comes off ({cells}).",
        "The {number} had come before: {player} went bust, and the white pieces come off ({cells}).",
        len(lost),
    )
    return sentence.format(cells=cells_list(lost), **facts)


def _kept(event: JsonObject, names: Names) -> str:
    cells = strings(event.get("cells"))
    sentence = ngettext("{player} kept {number} space: {cells}.", "{player} kept {number} spaces: {cells}.", len(cells))
    player = player_name(str(event.get("player")), names)
    return sentence.format(player=player, number=len(cells), cells=cells_list(cells))


def _round(event: JsonObject) -> str:
    card = event.get("card")
    if not isinstance(card, str):
        return _("Round {round} begins, without a card.").format(round=event["round"])
    title = card_title(card_named(card))
    begun = _("Round {round} begins with the card {card}.").format(round=event["round"], card=title)
    return f"{begun} {card_text(SHIPPED[card])}" if card in SHIPPED else begun
