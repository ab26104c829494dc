"""The Royal Study's own sentences."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.royal_study.events import story
from companion.games.royal_study.pieces import the_piece
from companion.locale import _, ngettext
from companion.ui.names import NO_NAMES, Names, label_name
from companion.ui.phrases import cells_list, events_in
from companion.ui.words import unexplained
from engines.kernel import Cell, JsonObject
from engines.royal_study.board import Piece


class RoyalStudyWords:
    """Says why a table is refused and what was moved; fulfils `companion.ui.words.GameWords`."""

    def refused(self, code: str, cells: Sequence[Cell], facts: JsonObject, names: Names = NO_NAMES) -> str:  # noqa: ARG002 - a piece says it all
        """Return why something is refused."""
        sentence = {**_of_one_piece(), **_of_pieces(len(cells)), **_of_a_card()}.get(code)
        if sentence is None:
            return unexplained(cells)
        named = facts.get("named")
        blockers = cells_list(map(str, named)) if isinstance(named, list | tuple) else ""
        ends = {"start": cells_list(cells[:1]), "end": cells_list(cells[1:2])}
        return sentence.format(
            card=facts.get("card", ""),
            piece=piece_name(str(facts.get("piece"))),
            cells=cells_list(cells),
            named=blockers,
            **ends,
        )

    def played(self, seat: str | None, action: JsonObject, facts: JsonObject, names: Names = NO_NAMES) -> str:
        """Return what was done, and what came of it where the engine's events are among the facts."""
        return " ".join(story(seat, action, events_in(facts), names))

    def thing(self, label: str, number: int = 1) -> str:  # noqa: ARG002 - there is one of each
        """Return what a piece is called by its label."""
        letters = {piece.name.lower(): piece.value for piece in Piece}
        return the_piece(letters[label]) if label in letters else label_name(label)


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
