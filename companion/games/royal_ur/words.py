"""The Royal Game of Ur's own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.locale import _, ngettext
from companion.ui.names import seat_name
from companion.ui.words import listed, unexplained
from engines.kernel import Cell, JsonObject


class RoyalUrWords:
    """Says why a table is refused and what was moved; fulfils `companion.ui.words.GameWords`."""

    def refused(self, code: str, cells: Sequence[Cell], facts: JsonObject) -> str:
        """Say why something is refused."""
        sentence = _refusals(facts).get(code)
        if sentence is None:
            return unexplained(code, cells)
        players = {role: seat_name(str(facts[role])) for role in ("player", "turn") if role in facts}
        return sentence.format(cells=listed(cells), **{**facts, **players})

    def played(self, action: JsonObject, facts: JsonObject) -> str:
        """Say what was moved, and what it met on its way where the engine's events are among the facts."""
        if "enter" in action:
            return _("A counter was entered.")
        if "decline" in action:
            return _("No counter was entered.")
        events = facts.get("events")
        told = [_happened(event) for event in events if isinstance(event, dict)] if isinstance(events, list) else []
        return " ".join(filter(None, told)) or _moved(action)


def undecided_note(*, over: bool | None) -> str:
    """Say why a picture tells no score."""
    if over is None:
        return _("No counter is on the board: the picture does not tell the score.")
    return _("Both sides are on the board: nobody has scored yet.")


def won_note(winner: str, least: int, most: int, *, home: bool) -> str:
    """Say the score of a side of which nothing is on the board, as far as a picture tells it."""
    points = (
        _("{points} points") if least == most else _("{points} to {most} points, by how many of the others are home")
    )
    sentence = _("{player} is home: {points}.") if home else _("If {player} is home, not still to enter: {points}.")
    return sentence.format(player=seat_name(winner), points=points.format(points=least, most=most))


def _refusals(facts: JsonObject) -> dict[str, str]:
    squares = facts.get("squares")
    wrong_count = ngettext(
        "{player}'s counter went {squares} square from {start} to {end}, the throw says {count}.",
        "{player}'s counter went {squares} squares from {start} to {end}, the throw says {count}.",
        squares if isinstance(squares, int) else 0,
    )
    return {
        "wrong-count": wrong_count,
        "backwards": _("{player}'s counter went back from {start} to {end}."),
        "stack-hit": _("Two or more counters on {end} cannot be hit: {player}'s counter goes off the board instead."),
        "entered-elsewhere": _(
            "{player}'s counter came onto the board at {end}; it cannot come there from where it was."
        ),
        "put-on": _("{player} has entered a counter, which the throw does not allow."),
        "off-the-way": _("{player}'s counter is on {end}, where {player}'s way does not lead."),
        "taken-off": _("{player}'s counter is gone from {start}, which the throw does not bring home."),
        "out-of-turn": _("A counter of {player}'s was moved ({cells}), but {turn} has to move."),
        "several-counters": _("More than one counter was moved ({cells})."),
        "throw-awaited": _("A counter was moved ({cells}) before the dice were thrown."),
        "offer-open": _("A counter was moved ({cells}) while {turn} may only enter one."),
        "unexplained": _("No move of a counter explains {cells}."),
    }


def _moved(action: JsonObject) -> str:
    start = action.get("move")
    if start == 0:
        return _("moved a counter from where they enter.")
    return _("moved the counter on square {number} of its way.").format(number=start)


def _happened(event: JsonObject) -> str:
    """Say one of the engine's events; nothing for those that a screen shows anyway."""
    sentences = {
        "moved": _("moved from {start} to {end}."),
        "moved-on": _("moved on to {end}."),
        "hit": _("{player}'s counter on {cell} is sent off."),
        "sent-off": _("{player}'s counter is sent off {cell}."),
        "home": _("a counter is home."),
        "offered": _("{player} may enter a counter."),
        "forfeit": _("{player} must move a counter."),
    }
    sentence = sentences.get(str(event.get("event")), "")
    facts = {"start": event.get("from"), "end": event.get("to"), "cell": event.get("cell")}
    return sentence.format(player=seat_name(str(event.get("player"))), **facts)
