"""What happens in the Royal Game of Ur, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.phrases import filled, number_in
from engines.kernel import JsonObject
from engines.royal_ur.landing import COUNT_OF_DOTS, ENDING_DOTS, ENTERING_DOTS
from engines.royal_ur.position import Action, Decline, Enter, Move, Roll

__all__ = ["event_sentence", "story"]


def story(seat: str | None, action: Action, events: Sequence[JsonObject], names: Names) -> list[str]:
    """Return what an action has brought; without events what was done."""
    lines = [event_sentence(event, names) for event in events if event.get("event") not in _untold(events)]
    return lines or [_done(player_name(seat, names), action)]


def _untold(events: Sequence[JsonObject]) -> tuple[str, ...]:
    """Return what goes without saying: whose turn it is, and the last counter home where all are."""
    over = any(event.get("event") == "game-over" for event in events)
    return ("turn", "home") if over else ("turn",)


def event_sentence(event: JsonObject, names: Names) -> str:
    """Return one of the engine's events as a sentence."""
    match event.get("event"):
        case "threw":
            return _threw(event, names)
        case "threw-off":
            dots = number_in(event, "dots")
            sentence = ngettext(
                "{player} threw {dots} dot to see who begins.", "{player} threw {dots} dots to see who begins.", dots
            )
            return filled(sentence, event, names)
        case "home":
            number = number_in(event, "counters")
            sentence = ngettext(
                "A counter is home: {player} has {counters} there now.",
                "A counter is home: {player} has {counters} there now.",
                number,
            )
            return filled(sentence, event, names)
        case "game-over":
            sentence = ngettext(
                "All seven counters of {winner} are home. Winner: {winner}, with {points} point.",
                "All seven counters of {winner} are home. Winner: {winner}, with {points} points.",
                number_in(event, "points"),
            )
            return filled(sentence, event, names, ("winner",))
    return filled(_simple()[str(event.get("event"))], event, names)


def _simple() -> dict[str, str]:
    return {
        "turn": _("Next: {player}."),
        "throw-off-tied": _("Both threw the same: throw again."),
        "no-move": _("No counter of {player} can move: {player} throws again."),
        "moved": _("{player} moved a counter from {from} to {to}."),
        "moved-on": _("The four-fives carried it on from {from} to {to}."),
        "hit": _("The counter of {player} on {cell} was hit and goes off the board."),
        "sent-off": _("On {cell} two or more counters stand together: the counter of {player} goes off the board."),
        "entered": _("{player} entered a counter on {cell}."),
        "offered": _("The rosette on {cell} lets {player} enter a counter."),
        "declined": _("{player} entered no counter."),
        "forfeit": _("The eyes on {cell} make {player} move a counter 4 squares."),
        "forfeit-void": _("The eyes on {cell} look at nothing: {player} has no counter that could move."),
    }


def _threw(event: JsonObject, names: Names) -> str:
    dots = number_in(event, "dots")
    facts = {"player": player_name(str(event.get("player")), names), "dots": dots}
    if dots == ENDING_DOTS:
        return _("{player} threw one dot: the turn is over.").format_map(facts)
    facts["count"] = COUNT_OF_DOTS[dots]
    if dots == ENTERING_DOTS:
        return _("{player} threw three dots: move {count}, or enter a counter.").format_map(facts)
    if dots == 0:
        return _("{player} threw no dot: move {count}.").format_map(facts)
    return _("{player} threw {dots} dots: move {count}.").format_map(facts)


def _done(player: str, action: Action) -> str:
    match action:
        case Roll(dots):
            return _("{player} threw {number}.").format(player=player, number=dots)
        case Move():
            return _("{player} moved a counter.").format(player=player)
        case Enter():
            return _("{player} entered a counter.").format(player=player)
        case Decline():
            return _("{player} entered no counter.").format(player=player)
