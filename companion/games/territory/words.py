"""Territory's own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.territory.events import story
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.words import EventWords
from engines.kernel import Cell, JsonObject


def _refusals(cells: Sequence[Cell], _facts: JsonObject) -> dict[str, str]:
    return {**_of_the_moment(), **_of_the_space(), **_of_the_pieces(len(cells))}


def _values(_cells: Sequence[Cell], facts: JsonObject, names: Names) -> dict[str, object]:
    return {**facts, "player": player_name(str(facts.get("player")), names)}


def _things(number: int) -> dict[str, str]:
    return {
        "red": ngettext("the red piece", "red pieces", number),
        "yellow": ngettext("the yellow piece", "yellow pieces", number),
        "green": ngettext("the green piece", "green pieces", number),
        "blue": ngettext("the blue piece", "blue pieces", number),
        "purple": ngettext("the purple piece", "purple pieces", number),
        "black": ngettext("the black piece", "black pieces", number),
        "white": ngettext("the white piece", "white pieces", number),
    }


def _of_the_moment() -> dict[str, str]:
    return {
        "roll-off-first": _("A piece was moved ({cells}) before the roll to see who begins."),
        "roll-first": _("A piece was moved ({cells}) before {player} rolled."),
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


WORDS = EventWords(story, _refusals, _values, _things)
"""Why a table is refused, what was placed, and what pieces are called."""
