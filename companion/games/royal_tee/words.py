"""Royal Tee's own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.locale import _
from companion.ui.words import listed, unexplained
from engines.kernel import Cell, JsonObject


class RoyalTeeWords:
    """Says why a table is refused and what a walk has brought; fulfils `companion.ui.words.GameWords`."""

    def refused(self, code: str, cells: Sequence[Cell], facts: JsonObject) -> str:
        """Say why something is refused."""
        sentence = _refusals().get(code)
        if sentence is None:
            return unexplained(code, cells)
        return sentence.format(cells=listed(cells), **facts)

    def played(self, action: JsonObject, facts: JsonObject) -> str:
        """Say where a walk led, and what it claimed where the engine's events are among the facts."""
        walk = action.get("walk")
        if not isinstance(walk, list | tuple):
            return _("No free neighbour: the turn is passed.")
        told = _("walked {steps} steps to {end}.").format(steps=len(walk), end=walk[-1])
        won = [_gain(event) for event in _events(facts)]
        return " ".join([told, *(sentence for sentence in won if sentence)])


def _refusals() -> dict[str, str]:
    return {
        "wrong-length": _("The walk to {to} has {steps} steps, the slider says {slider}."),
        "onto-royal": _("The walk goes over another Royal Tee at {cells}."),
        "unreachable": _("{slider} steps do not lead {player}'s Royal Tee to {to}."),
        "tees-missing": _("{player}'s Royal Tee has moved to {to}, but no walk there is marked with tees."),
        "royal-missing": _("{player}'s Royal Tee is not on the board; it stood on {cells}."),
        "out-of-turn": _("{player} has walked, but it is {turn}'s turn ({cells})."),
        "royal-displaced": _("Another Royal Tee than {player}'s is not where it was ({cells})."),
        "two-royals": _("{player} has more than one Royal Tee on the board ({cells})."),
        "not-enclosed": _("{player} does not enclose {cells}."),
        "wrong-colour": _("A tee of the wrong colour is on {cells}."),
        "tee-missing": _("{player}'s tee is missing on {cells}, where the walk went."),
        "extra-tee": _("{player}'s tee is on {cells}, where the walk did not go."),
        "tee-removed": _("A tee is gone from {cells}."),
        "foreign-tee": _("Another player's tee has come to {cells}."),
        "unexplained": _("No walk explains {cells}."),
    }


def _events(facts: JsonObject) -> Sequence[JsonObject]:
    events = facts.get("events")
    return [event for event in events if isinstance(event, dict)] if isinstance(events, list | tuple) else []


def _gain(event: JsonObject) -> str:
    """Say what a walk claimed or enclosed; nothing for other events."""
    cells = event.get("cells")
    if not isinstance(cells, list | tuple):
        return ""
    sentences = {"claimed": _("Spaces claimed: {number}."), "enclosed": _("Spaces enclosed: {number}.")}
    return sentences.get(str(event.get("event")), "").format(number=len(cells))
