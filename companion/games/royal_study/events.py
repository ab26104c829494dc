"""What happens in The Royal Study, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.royal_study.pieces import card_number, the_piece, way_named
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name, won_by
from companion.ui.phrases import filled, moves, number_in, points, strings
from engines.kernel import JsonObject
from engines.royal_study.position import Action, Call, Draw, Move, Say, Turning

__all__ = ["event_sentence", "story"]


def story(seat: str | None, action: Action, events: Sequence[JsonObject], names: Names) -> list[str]:
    """Return what an action has brought; without events what was done."""
    only = _only_card(events)
    lines = [_met(_("the card")) if event is only else event_sentence(event, names) for event in events]
    return lines or [_done(player_name(seat, names), action, names)]


def event_sentence(event: JsonObject, names: Names) -> str:  # noqa: PLR0911 - one line an event
    """Return one of the engine's events as a sentence."""
    match event.get("event"):
        case "called":
            return _called(event, names)
        case "execution":
            return _execution(event, names)
        case "moved":
            return _moved(event)
        case "turned" | "mirrored":
            card = card_number(1) if number_in(event, "target") else _("the card")
            return _capital(_("{card} is turned {way}.").format(card=card, way=way_named(str(event["way"]))))
        case "met":
            return _met(card_number(number_in(event, "target")))
        case "solved":
            return _solved(event, names)
        case "failed":
            return _failed(event, names)
        case "point":
            had = points(number_in(event, "points"))
            return filled(_("The point goes to {player}, {had} now."), {**event, "had": had}, names)
        case "game-over":
            winners = strings(event.get("winners"))
            return _("The match is over.") + (" " + won_by(winners, names) if winners else "")
    return filled(_simple()[str(event.get("event"))], event, names)


def _only_card(events: Sequence[JsonObject]) -> JsonObject | None:
    """Return the card that solves a round and has none after it, so that it needs no number; None for others."""
    met = [event for event in events if event.get("event") == "met"]
    is_solved = any(event.get("event") == "solved" for event in events)
    return met[0] if is_solved and [event.get("target") for event in met] == [0] else None


def _met(card: str) -> str:
    return _capital(_("{card} is met.").format(card=card))


def _simple() -> dict[str, str]:
    return {
        "pieces-placed": _("Card {number} shows where the pieces begin."),
        "round": _("Round {round}: {player} draws."),
        "card-drawn": _("Card {number} is drawn."),
        "challenged": _("{player} challenged: it can be done in fewer moves!"),
        "declined": _("{player} did not challenge."),
        "hourglass-out": _("The hourglass ran out; {player} did not challenge."),
        "again": _("The pieces go back to where they stood, for another try."),
    }


def _moved(facts: JsonObject) -> str:
    """Return which piece went where; its name comes first, so that no language has to bend it."""
    piece = the_piece(str(facts["piece"]))
    return _capital(filled(_("{piece} went from {from} to {to}."), {**facts, "piece": piece}))


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _called(event: JsonObject, names: Names) -> str:
    number = moves(number_in(event, "number"))
    sentence = ngettext(
        "{player} called {steps}. The other has {seconds} second to challenge.",
        "{player} called {steps}. The other has {seconds} seconds to challenge.",
        number_in(event, "seconds"),
    )
    return filled(sentence, {**event, "steps": number}, names)


def _execution(event: JsonObject, names: Names) -> str:
    """Return who makes the moves; nothing where no number of steps is fewer than the call."""
    if number_in(event, "limit") < 0:
        return ""
    limit = moves(number_in(event, "limit"))
    sentence = _("{player} makes the moves, {limit} at most.")
    if event.get("seconds") is not None:
        sentence = _("{player} makes the moves, {limit} at most, within {seconds} seconds.")
    return filled(sentence, {**event, "limit": limit}, names)


def _solved(event: JsonObject, names: Names) -> str:
    if "player" not in event:
        return _("Solved!")
    made = moves(number_in(event, "steps"))
    return filled(_("Solved! {player} needed {made}."), {**event, "made": made}, names)


def _failed(event: JsonObject, names: Names) -> str:
    reasons = {
        "gave-up": _("{player} gave up after {made}."),
        "time-up": _("The time was up: {player} did not make it."),
        "no-steps-left": _("No move was left: {player} did not make it."),
    }
    made = moves(number_in(event, "steps"))
    return filled(reasons[str(event["why"])], {**event, "made": made}, names)


def _done(player: str, action: Action, names: Names) -> str:
    match action:
        case Move(piece, start, end):
            return _moved({"piece": piece.value, "from": start, "to": end})
        case Turning(way, _target):
            return _("The card is turned {way}.").format(way=way_named(way))
        case Draw(card):
            return _("Card {number} is drawn.").format(number=card.number)
        case Call(number, by):
            return _("{player} called {number}.").format(player=player_name(by, names), number=number)
        case Say():
            return _("{player} decided.").format(player=player)
