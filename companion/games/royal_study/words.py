"""The Royal Study's own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.royal_study.events import story
from companion.games.royal_study.pieces import the_piece
from companion.locale import _, ngettext
from companion.ui.names import Names
from companion.ui.phrases import cells_list
from companion.ui.words import EventWords
from engines.kernel import Cell, JsonObject
from engines.royal_study.board import Piece


def _refusals(cells: Sequence[Cell], _facts: JsonObject) -> dict[str, str]:
    return {**_of_one_piece(), **_of_pieces(len(cells)), **_of_a_card()}


def _values(cells: Sequence[Cell], facts: JsonObject, _names: Names) -> dict[str, object]:
    named = facts.get("named")
    return {
        "card": facts.get("card", ""),
        "piece": piece_name(str(facts.get("piece"))),
        "named": cells_list(map(str, named)) if isinstance(named, list | tuple) else "",
        "start": cells_list(cells[:1]),
        "end": cells_list(cells[1:2]),
    }


def _things(_number: int) -> dict[str, str]:
    return {piece.name.lower(): the_piece(piece.value) for piece in Piece}


def piece_name(label: str) -> str:
    """Name a piece by the table file's word for it."""
    names = {
        "king": _("king"),
        "queen": _("queen"),
        "rook": _("rook"),
        "bishop": _("bishop"),
        "knight": _("knight"),
    }
    return names.get(label, label)


def unseen_note() -> str:
    """Return why a picture alone gives no score."""
    return _("Points cannot be seen in a picture; where the pieces stand can.")


def _of_one_piece() -> dict[str, str]:
    return {
        "not-its-move": _("The {piece} does not move like that: {start} to {end}."),
        "in-the-way": _("The {piece} cannot get from {start} to {end}: something stands on {named}."),
        "bishop-off-dark": _("The bishop was moved from {start} to {end}, off the dark squares."),
        "knight-in-the-middle": _("The knight was moved from {start} to {end}, where it may never stand."),
        "not-now": _("The {piece} was moved from {start} to {end}, but no piece may be moved now."),
        "game-over": _("The {piece} was moved from {start} to {end}, but the match is over."),
    }


def _of_a_card() -> dict[str, str]:
    return {
        "card-turned": _("Card {card} was turned at the wrong time. Lay it as it is shown here."),
        "level-too-low": _("Card {card} was turned, which this level does not allow. Lay it as it is shown here."),
        "already-met": _("Card {card} was turned, but it is met already. Lay it as it is shown here."),
        "incomplete-card": _("Card {card} does not show all five pieces. Draw another one to begin with."),
    }


def _of_pieces(squares: int) -> dict[str, str]:
    return {
        "piece-gone": ngettext(
            "The piece on {cells} is gone; all five stay on the board.",
            "Pieces are gone ({cells}); all five stay on the board.",
            squares,
        ),
        "piece-added": _("There are more pieces on the board than five ({cells})."),
        "several-pieces": _("More than one piece stands elsewhere, and no few moves explain it ({cells})."),
        "unexplained": _("No move of a piece explains {cells}."),
    }


WORDS = EventWords(story, _refusals, _values, _things)
"""Why a table is refused, what was moved, and what pieces are called."""
