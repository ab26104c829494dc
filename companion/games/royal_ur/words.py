"""The Royal Game of Ur's own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.royal_ur.events import story
from companion.locale import _, ngettext
from companion.ui.names import NO_NAMES, Names, label_name, player_name
from companion.ui.phrases import cells_list, events_in
from companion.ui.words import unexplained
from engines.kernel import Cell, JsonObject


class RoyalUrWords:
    """Says why a table is refused and what was moved; fulfils `companion.ui.words.GameWords`."""

    def refused(self, code: str, cells: Sequence[Cell], facts: JsonObject, names: Names = NO_NAMES) -> str:
        """Return why something is refused."""
        sentence = _refusals(facts).get(code)
        if sentence is None:
            return unexplained(cells)
        players = {role: player_name(str(facts[role]), names) for role in ("player", "turn") if role in facts}
        return sentence.format(cells=cells_list(cells), **{**facts, **players})

    def played(self, seat: str | None, action: JsonObject, facts: JsonObject, names: Names = NO_NAMES) -> str:
        """Return what was done, and what came of it where the engine's events are among the facts."""
        return " ".join(story(seat, action, events_in(facts), names))

    def thing(self, label: str, number: int = 1) -> str:
        """Return what a counter is called by its label."""
        things = {
            "white": ngettext("the white counter", "white counters", number),
            "black": ngettext("the black counter", "black counters", number),
        }
        return things.get(label) or label_name(label)


def undecided_note(*, over: bool | None) -> str:
    """Return why a picture alone gives no score."""
    if over is None:
        return _("No counter is on the board: the picture does not tell the score.")
    return _("Both sides are on the board: nobody has scored yet.")


def won_note(winner: str, least: int, most: int, *, home: bool) -> str:
    """Return the score of a side of which nothing is on the board, as far as a picture shows it."""
    points = (
        _("{points} points") if least == most else _("{points} to {most} points, by how many of the others are home")
    )
    sentence = _("{player} is home: {points}.") if home else _("If {player} is home, not still to enter: {points}.")
    return sentence.format(player=player_name(winner), points=points.format(points=least, most=most))


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
