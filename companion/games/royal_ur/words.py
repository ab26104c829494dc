"""The Royal Game of Ur's own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.royal_ur.events import story
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.words import EventWords
from engines.kernel import Cell, JsonObject


def _values(_cells: Sequence[Cell], facts: JsonObject, names: Names) -> dict[str, object]:
    players = {role: player_name(str(facts[role]), names) for role in ("player", "turn") if role in facts}
    return {**facts, **players}


def _things(number: int) -> dict[str, str]:
    return {
        "white": ngettext("the white counter", "white counters", number),
        "black": ngettext("the black counter", "black counters", number),
    }


def undecided_note(*, over: bool | None) -> str:
    """Return why a picture alone gives no score."""
    if over is None:
        return _("No counter is on the board: the picture does not show the score.")
    return _("Both sides are on the board: nobody has scored yet.")


def won_note(winner: str, least: int, most: int, *, home: bool) -> str:
    """Return the score of a side of which nothing is on the board, as far as a picture shows it."""
    points = (
        _("{points} points") if least == most else _("{points} to {most} points, by how many of the others are home")
    )
    sentence = _("{player} is home: {points}.") if home else _("If {player} is home, not still to enter: {points}.")
    return sentence.format(player=player_name(winner), points=points.format(points=least, most=most))


def _refusals(_cells: Sequence[Cell], facts: JsonObject) -> dict[str, str]:
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


WORDS = EventWords(story, _refusals, _values, _things)
"""Why a table is refused, what was moved, and what counters are called."""
