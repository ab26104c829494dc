"""What the screen shows of Royal Racers beside the cards: numbered flags, flags touched and next, die, round, coins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.royal_racers.cards import rank_named
from companion.games.royal_racers.labels import COVERED, card_label, face_of
from companion.locale import _
from companion.ui.board_text import letter
from companion.ui.names import Names, card_name
from companion.ui.page import Extras
from engines.kernel import Seat
from engines.royal_racers.board import NAMES
from engines.royal_racers.position import SETTING_UP, Position
from vision.board import Board
from vision.labels import Label

__all__ = ["extras", "flag_sign"]


def extras(position: Position, board: Board, names: Names) -> Extras:  # noqa: ARG001 - one form for all games
    """Return what is shown beside the labels of a position."""
    signs = _flag_signs(position, board)
    second = f"{flag_sign(board, board.colours[0])}2"
    # the card under each flag as it lies: its rank decides what can be turned over
    covered = (cell for row in position.flags for cell in row)
    return Extras(
        facts=tuple(_facts(position)),
        of_player={seat: words for seat in position.players if (words := _flags(position, seat))},
        texts=signs,
        below={str(NAMES[cell]): letter(board, card_label(position, cell)) for cell in covered},
        legend={second: _("second flag of the suns")}
        if any(sign.startswith(second) for sign in signs.values())
        else {},
    )


def _facts(position: Position) -> Iterator[str]:
    if position.terms.races > 1:
        yield _("Race {race} of {races}").format(race=position.race, races=position.terms.races)
    if position.phase not in SETTING_UP:
        yield _("Round {round}").format(round=position.round)
        if position.rolled is not None:
            yield _("Die: {face}").format(face=rank_named(position.rolled) if position.rolled else _("empty"))
        if position.place < len(position.pawns) and position.pawn not in position.flags[position.place]:
            card = card_name(face_of(position, position.pawn))
            yield _("The pawn stands on {cell}: {card}.").format(cell=NAMES[position.pawn], card=card)


def _flags(position: Position, seat: Seat) -> str:
    """Return a player's flags: how many are touched, and the next one."""
    place = position.players.index(seat)
    row = position.flags[place]
    if not row or position.phase in SETTING_UP:
        return ""
    touched = position.touched[place]
    if touched == len(row):
        return _("all flags touched")
    ahead = NAMES[row[touched]]
    return _("flags {touched} of {flags}, next {cells}").format(touched=touched, flags=len(row), cells=ahead)


def flag_sign(board: Board, seat: str) -> str:
    """Return what is drawn for a player's flag."""
    return letter(board, str(Label(card=COVERED, on_card=(("flag", seat),))))


def _flag_signs(position: Position, board: Board) -> Mapping[str, str]:
    """Return the signs of spaces with a flag: the flag with its number, and the pawn on it.

    While flags are laid the start space, which is the last flag, has the number that it will have.
    """
    pawns = dict(zip(position.pawns, position.players, strict=False))
    texts = {}
    for seat, row in zip(position.players, position.flags, strict=True):
        for place, cell in enumerate(row, 1):
            number = position.terms.flags if place == len(row) else place
            pawn = pawns.get(cell)
            on_it = letter(board, str(Label(card=COVERED, on_card=(("pawn", pawn),)))) if pawn else ""
            texts[str(NAMES[cell])] = f"{flag_sign(board, seat)}{number}{on_it}"
    return texts
