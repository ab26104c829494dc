"""Territory's own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.locale import _, ngettext
from companion.ui.names import seat_name
from companion.ui.words import listed, unexplained
from engines.kernel import Cell, JsonObject


class TerritoryWords:
    """Says why a table is refused and what was placed; fulfils `companion.ui.words.GameWords`."""

    def refused(self, code: str, cells: Sequence[Cell], facts: JsonObject) -> str:
        """Say why something is refused."""
        sentence = {**_of_the_moment(), **_of_the_space(), **_of_the_pieces(len(cells))}.get(code)
        if sentence is None:
            return unexplained(code, cells)
        player = seat_name(str(facts.get("player")))
        return sentence.format(cells=listed(cells), **{**facts, "player": player})

    def played(self, action: JsonObject, facts: JsonObject) -> str:
        """Say what was placed, captured or decided, and what was kept where the engine's events are among the facts."""
        sentences = {
            "place": _("placed a piece on {cell}."),
            "capture": _("captured {cell}."),
            "stop": _("stopped."),
            "again": _("rolls again."),
        }
        said = [text.format(cell=action[kind]) for kind, text in sentences.items() if kind in action]
        events = facts.get("events")
        kept = [_kept(event) for event in events if isinstance(event, dict)] if isinstance(events, list) else []
        return " ".join([*said, *filter(None, kept)])


def _of_the_moment() -> dict[str, str]:
    return {
        "roll-off-first": _("A piece was moved ({cells}) before it was rolled who begins."),
        "roll-first": _("A piece was moved ({cells}) before {player} has rolled."),
        "nothing-to-place": _("{cells} changed, but {player} has nothing to place: roll again or stop."),
        "too-early-to-stop": _("{player}'s white pieces on {cells} were exchanged, but it is too early to stop."),
        "piece-first": _("{player}'s white pieces on {cells} were exchanged before the piece of the roll was placed."),
    }


def _of_the_space() -> dict[str, str]:
    return {
        "other-number": _("{cells} has the number {number}, but {rolled} was rolled."),
        "not-empty": _("A white piece was put on {cells}, which is not empty."),
        "own-space": _("{cells} is {player}'s own and cannot be captured."),
        "no-captures": _("{cells} was captured, but the card in force forbids captures."),
        "nobody-there": _("{cells} was captured, but nobody holds it."),
    }


def _of_the_pieces(cells: int) -> dict[str, str]:
    return {
        "too-many": _("More pieces were placed ({cells}) than the roll gives."),
        "not-white": _("A piece of {player}'s own colour was put on {cells} instead of a white one."),
        "foreign-piece": ngettext(
            "A piece of a colour whose turn it is not has come to {cells}.",
            "Pieces of a colour whose turn it is not have come to {cells}.",
            cells,
        ),
        "white-removed": ngettext(
            "A white piece is gone from {cells}; they come off after a bust only.",
            "White pieces are gone from {cells}; they come off after a bust only.",
            cells,
        ),
        "piece-removed": ngettext(
            "A piece is gone from {cells}; it leaves only when it is captured.",
            "Pieces are gone from {cells}; they leave only when they are captured.",
            cells,
        ),
        "unexplained": _("No placing of a piece explains {cells}."),
    }


def _kept(event: JsonObject) -> str:
    """Say how many white pieces took the player's colour; nothing for other events."""
    cells = event.get("cells")
    if event.get("event") != "kept" or not isinstance(cells, list | tuple):
        return ""
    return _("Spaces kept: {number}.").format(number=len(cells))
