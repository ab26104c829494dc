"""Royal Tee's own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.royal_tee.events import story
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.words import EventWords
from engines.kernel import Cell, JsonObject


def _values(_cells: Sequence[Cell], facts: JsonObject, names: Names) -> dict[str, object]:
    players = {role: player_name(str(facts[role]), names) for role in ("player", "turn") if role in facts}
    return {**facts, **players}


def _things(number: int) -> dict[str, str]:
    return {
        "red": ngettext("the red tee", "red tees", number),
        "blue": ngettext("the blue tee", "blue tees", number),
        "green": ngettext("the green tee", "green tees", number),
        "yellow": ngettext("the yellow tee", "yellow tees", number),
        "red-royal": _("the red Royal Tee"),
        "blue-royal": _("the blue Royal Tee"),
        "green-royal": _("the green Royal Tee"),
        "yellow-royal": _("the yellow Royal Tee"),
    }


def _refusals(cells: Sequence[Cell], facts: JsonObject) -> dict[str, str]:
    return {**_of_the_walk(facts), **_of_the_royals(), **_of_the_tees(len(cells))}


def _of_the_walk(facts: JsonObject) -> dict[str, str]:
    steps, slider = facts.get("steps"), facts.get("slider")
    too_long = ngettext(
        "The walk to {to} has {steps} step, the slider says {slider}.",
        "The walk to {to} has {steps} steps, the slider says {slider}.",
        steps if isinstance(steps, int) else 0,
    )
    too_far = ngettext(
        "{slider} step does not lead {player}'s Royal Tee to {to}.",
        "{slider} steps do not lead {player}'s Royal Tee to {to}.",
        slider if isinstance(slider, int) else 0,
    )
    return {
        "wrong-length": too_long,
        "unreachable": too_far,
        "onto-royal": _("The walk goes over another Royal Tee at {cells}."),
        "tees-missing": _("{player}'s Royal Tee has moved to {to}, but no walk there is marked with tees."),
        "out-of-turn": _("{player} has walked, but it is {turn}'s turn ({cells})."),
        "not-enclosed": _("{player} does not enclose {cells}."),
        "unexplained": _("No walk explains {cells}."),
    }


def _of_the_royals() -> dict[str, str]:
    return {
        "royal-missing": _("{player}'s Royal Tee is not on the board; it stood on {cells}."),
        "royal-displaced": _("Another Royal Tee than {player}'s is not where it was ({cells})."),
        "royal-unplaced": _(
            "{player}'s Royal Tee is not clearly on one space ({cells}). Put it in the middle of its space."
        ),
        "two-royals": _("{player} has more than one Royal Tee on the board ({cells})."),
    }


def _of_the_tees(cells: int) -> dict[str, str]:
    return {
        "wrong-colour": ngettext(
            "A tee of the wrong colour is on {cells}.", "Tees of the wrong colour are on {cells}.", cells
        ),
        "tee-missing": ngettext(
            "{player}'s tee is missing on {cells}, where the walk went.",
            "{player}'s tees are missing on {cells}, where the walk went.",
            cells,
        ),
        "extra-tee": ngettext(
            "{player}'s tee is on {cells}, where the walk did not go.",
            "{player}'s tees are on {cells}, where the walk did not go.",
            cells,
        ),
        "tee-removed": ngettext("A tee is gone from {cells}.", "Tees are gone from {cells}.", cells),
        "foreign-tee": ngettext(
            "Another player's tee has come to {cells}.", "Other players' tees have come to {cells}.", cells
        ),
    }


WORDS = EventWords(story, _refusals, _values, _things)
"""Why a table is refused, what a walk has brought, and what tees are called."""
