"""Royal Racers' own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.royal_racers.cards import card_named
from companion.games.royal_racers.events import story
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.phrases import cells_list
from companion.ui.words import EventWords
from engines.kernel import Cell, JsonObject
from engines.royal_racers.board import DECK, card_name


def _refusals(_cells: Sequence[Cell], _facts: JsonObject) -> dict[str, str]:
    return {**_of_the_moment(), **_of_cards(), **_of_pawns(), **_of_the_set_up()}


def _values(cells: Sequence[Cell], facts: JsonObject, names: Names) -> dict[str, object]:
    players = {role: player_name(str(facts.get(role)), names) for role in ("player", "owner")}
    return {"first": cells_list(cells[:1]), "rolled": facts.get("rolled"), **players}


def _things(number: int) -> dict[str, str]:
    return {
        **{card: card_named(card) for card in map(card_name, DECK)},
        "pawn-suns": _("the pawn with the sun"),
        "pawn-moons": _("the pawn with the moon"),
        "pawn-crowns": _("the pawn with the crown"),
        "pawn-arms": _("the pawn with the coat of arms"),
        "flag-suns": ngettext("the flag with the sun", "flags with the sun", number),
        "flag-moons": ngettext("the flag with the moon", "flags with the moon", number),
        "flag-crowns": ngettext("the flag with the crown", "flags with the crown", number),
        "flag-arms": ngettext("the flag with the coat of arms", "flags with the coat of arms", number),
    }


def unseen_note() -> str:
    """Return why a picture alone gives no score."""
    return _("In which order flags must be touched, and who has touched which, cannot be seen in a picture.")


def _of_the_moment() -> dict[str, str]:
    return {
        "roll-first": _("Something was moved ({cells}) before {player} rolled the die."),
        "card-first": _("The pawn of {player} was moved ({cells}) before a card was turned over."),
        "flags-first": _("Something was moved ({cells}) before all flags were put down."),
        "out-of-turn": _("The pawn of {owner} was moved ({cells}), but it is the turn of {player}."),
    }


def _of_cards() -> dict[str, str]:
    return {
        "wrong-rank": _("The card on {cells} was turned down, but {rolled} was rolled."),
        "flag-on-it": _("The card on {first} has a flag on it and stays as long as another can be turned down."),
        "under-pawn": _("The card on {cells} was turned over, but a pawn stands on it."),
        "stays-up": _("The card on {cells} was turned down; ranks above 5 always stay up."),
        "several-cards": _("More than one card was turned over ({cells})."),
        "no-card-now": _("The card on {cells} was turned over, but there is no card for {player} to turn over now."),
        "unexplained": _("No card turned over and no step explains {cells}."),
    }


def _of_pawns() -> dict[str, str]:
    return {
        "not-adjacent": _("The pawn of {player} cannot get to {cells} in one step up, down, left or right."),
        "face-down": _("The pawn of {player} was moved onto {cells}, where a card is face down."),
        "pawn-there": _("The pawn of {player} was moved onto {cells}, where a pawn stands already."),
        "flag-of-another": _(
            "The pawn of {player} was moved onto {first}, an opponent's flag, with other steps possible."
        ),
        "pawn-gone": _("The pawn of {player} is gone from {cells}."),
    }


def _of_the_set_up() -> dict[str, str]:
    return {
        "no-start-space": _("The pawn of {player} stands on no start space; these are free: {cells}."),
        "start-taken": _("The pawn of {player} stands on {cells}, a start space that is taken."),
        "wrong-quadrant": _("The flag on {cells} is in the wrong quarter of the grid."),
        "flag-there": _("There is a flag on {cells} already."),
        "flag-moved": _("A flag was put down or taken away ({cells}); flags stay where they are."),
    }


WORDS = EventWords(story, _refusals, _values, _things)
"""Why a table is refused, what was done, and what pawns and flags are called."""
