"""Why an action of The Royal Study is forbidden, and what to do instead."""

from __future__ import annotations

from companion.games.royal_study.pieces import the_piece
from companion.locale import _
from companion.ui.names import Names, player_name, player_names
from companion.ui.phrases import cells_list
from engines.kernel import Refusal
from engines.royal_study.position import Action, Await, Match, Move, Position, puzzle_of

__all__ = ["refusal_sentence"]


def refusal_sentence(position: Position, action: Action, refusal: Refusal, names: Names) -> str:
    """Return why the rules forbid an action in a position, and what would be allowed."""
    if refusal.code == "not-now":
        return _not_now(position, names)
    sentence = {**_of_pieces(), **_of_cards(), **_of_the_match()}[refusal.code]
    cells = refusal.cells
    return sentence.format(
        piece=the_piece(action.piece.value) if isinstance(action, Move) else "",
        start=action.start if isinstance(action, Move) else "",
        end=action.end if isinstance(action, Move) else "",
        cell=cells[0] if cells else "",
        cells=cells_list(cells),
        level=puzzle_of(position).level,
        players=player_names(position.players, names) if isinstance(position, Match) else "",
    )


def _not_now(position: Position, names: Names) -> str:
    if not isinstance(position, Match):
        return _("Move the pieces until the card is met.")
    sentences = {
        Await.START: _("First draw the card that shows where the pieces begin."),
        Await.CARD: _("{player} draws a card first."),
        Await.CALL: _("First somebody calls a number of moves."),
        Await.CHALLENGE: _("{player} decides first: challenge, or not?"),
        Await.EXECUTE: _("{player} is making the moves; give up, or go on."),
        Await.NEXT: _("The round is over: next card, once more, or stop?"),
        Await.NOTHING: _("The match is over."),
    }
    return sentences[position.awaits].format(player=player_name(position.turn, names))


def _of_pieces() -> dict[str, str]:
    return {
        "off-board": _("{cell} is not on the board; its squares are A1 to C3."),
        "not-there": _("On {cell} there is something else; look where {piece} stands."),
        "occupied": _("A piece stands on {cell}; nothing is captured here."),
        "not-its-move": _("There is no way for {piece} from {start} to {end}."),
        "in-the-way": _("From {start} to {end} the way is blocked on {cells}; only the knight jumps."),
        "bishop-off-dark": _("The bishop stays on the dark squares, and {cell} is a light one."),
        "knight-in-the-middle": _("The knight never stands on {cell}, the square in the middle."),
    }


def _of_cards() -> dict[str, str]:
    return {
        "no-such-card": _("There is no card with that number; they go from 0 to 59."),
        "incomplete-card": _("The first card must show all five pieces. Draw another one."),
        "already-drawn": _("That card has been drawn already; read its number again."),
        "level-too-low": _(
            "On level {level} this is not allowed: cards are turned from level 2 on, turned over on level 3."
        ),
        "no-such-target": _("There is only one card in this round."),
        "already-met": _("That card is met already and stays as it is."),
        "no-cards-left": _("No cards are left. Try once more, or stop."),
    }


def _of_the_match() -> dict[str, str]:
    return {
        "not-a-player": _("These play: {players}. Say who calls."),
        "no-time-limit": _("No time was agreed for making the moves."),
        "game-over": _("The match is over."),
    }
