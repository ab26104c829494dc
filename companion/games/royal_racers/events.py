"""What happens in Royal Racers, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.royal_racers.cards import card_named, die_named, rank_named
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name, won_by
from companion.ui.phrases import filled, number_in, strings
from engines.kernel import JsonObject
from engines.royal_racers.position import Action, ChooseStart, Deal, Flip, Pass, PlaceFlag, Roll, Step

__all__ = ["event_sentence", "story"]


def story(seat: str | None, action: Action, events: Sequence[JsonObject], names: Names) -> list[str]:
    """Return what an action has brought; without events what was done."""
    lines = [event_sentence(event, names) for event in events if event.get("event") not in _untold(events)]
    return lines or [_done(player_name(seat, names), action)]


def _untold(events: Sequence[JsonObject]) -> tuple[str, ...]:
    """Return what goes without saying: whose turn it is, and that the game is over after its only race."""
    only_race = any(event.get("event") == "race-over" and event.get("race") == 1 for event in events)
    return ("turn", "game-over") if only_race else ("turn",)


def event_sentence(event: JsonObject, names: Names) -> str:  # noqa: PLR0911 - one line an event
    """Return one of the engine's events as a sentence."""
    match event.get("event"):
        case "rolled":
            facts = {**event, "roll": die_named(str(event.get("roll")))}
            return filled(_("{player} rolled {roll}."), facts, names)
        case "nothing-to-flip":
            facts = {**event, "rank": rank_named(number_in(event, "rank"))}
            return filled(_("No card can be turned over for the {rank}."), facts, names)
        case "turned-down" | "turned-up" | "wrong-card" as name:
            facts = {**event, "card": card_named(str(event.get("card")))}
            return filled(_of_cards()[name], facts, names)
        case "passed":
            sentence = _("{player} could not step anywhere.") if event.get("forced") else _("{player} stayed.")
            return filled(sentence, event, names)
        case "race-over":
            won = won_by(strings(event.get("winners")), names)
            return " ".join([_("Race {race} is over.").format(race=event["race"]), won, _coins(event, names)])
        case "game-over":
            return _("The game is over.") + " " + won_by(strings(event.get("winners")), names)
    return filled(_simple()[str(event.get("event"))], event, names, ("player", "owner"))


def _of_cards() -> dict[str, str]:
    return {
        "turned-down": _("{player} turned down {card} on {cell}."),
        "turned-up": _("{player} turned up {card} on {cell}: that is the right one."),
        "wrong-card": _("{player} turned up {card} on {cell}: the wrong one. It goes back face down."),
    }


def _simple() -> dict[str, str]:
    return {
        "start-chosen": _("{player} started on {cell}."),
        "flag-placed": _("{player} put flag {flag} of {owner} on {cell}."),
        "race-started": _("All flags are out: race {race} begins."),
        "turn": _("Next: {player}."),
        "returned": _("The pawn of {player} went back from {from} to {to}."),
        "return-blocked": _("Another pawn stands on {to}, so the pawn of {player} stayed on {from}."),
        "stepped": _("{player} stepped from {from} to {to}."),
        "touched": _("{player} touched flag {flag} on {cell}."),
        "last-round-over": _("Round {round} was the last one."),
        "dealt": _("The cards for race {race} are laid out."),
    }


def _coins(event: JsonObject, names: Names) -> str:
    """Return how many flags each player has touched in a race."""
    coins = event.get("coins")
    if not isinstance(coins, dict):
        return ""
    parts = []
    for seat, flags in coins.items():
        part = ngettext("{player} {number} flag", "{player} {number} flags", int(flags))
        parts.append(part.format(player=player_name(seat, names), number=flags))
    return _("Touched: {flags}.").format(flags=", ".join(parts))


def _done(player: str, action: Action) -> str:  # noqa: PLR0911 - one line an action
    match action:
        case ChooseStart(cell):
            return _("{player} started on {cell}.").format(player=player, cell=cell)
        case PlaceFlag(cell):
            return _("{player} put a flag on {cell}.").format(player=player, cell=cell)
        case Roll(rank):
            return _("{player} rolled {cell}.").format(player=player, cell=die_named(rank))
        case Flip(cell):
            return _("{player} turned over the card on {cell}.").format(player=player, cell=cell)
        case Step(cell):
            return _("{player} stepped to {cell}.").format(player=player, cell=cell)
        case Pass():
            return _("{player} stayed.").format(player=player)
        case Deal():
            return _("The cards are laid out anew.")
