"""Why an action of Royal Racers is forbidden, and what to do instead."""

from __future__ import annotations

from companion.games.royal_racers.cards import card_named, rank_named
from companion.locale import _
from companion.ui.names import Names, player_name
from companion.ui.phrases import cells_list
from engines.kernel import Cell, Refusal
from engines.royal_racers.board import card_name, cell_index, on_board
from engines.royal_racers.position import Action, Phase, Position

__all__ = ["refusal_sentence"]


def refusal_sentence(position: Position, action: Action, refusal: Refusal, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return why the rules forbid an action in a position, and what would be allowed."""
    cells = refusal.cells
    sentence = _awaited()[position.phase] if refusal.code == "not-awaited" else _sentences()[refusal.code]
    return sentence.format(
        player=player_name(position.turn, names),
        cell=cells[0] if cells else "",
        last=cells[-1] if cells else "",
        cells=cells_list(cells),
        others=cells_list(cells[1:]),
        card=_card_on(position, cells[0]) if cells else "",
        rank=rank_named(position.rolled),
    )


def _card_on(position: Position, cell: Cell) -> str:
    return card_named(card_name(position.cards[cell_index(cell)])) if on_board(cell) else ""


def _awaited() -> dict[Phase, str]:
    return {
        Phase.START: _("First everybody chooses a start space: it is up to {player}."),
        Phase.FLAG: _("First all flags are put down: it is up to {player}."),
        Phase.ROLL: _("{player} must roll the die first."),
        Phase.FLIP: _("{player} must turn over a card first."),
        Phase.MOVE: _("{player} must step now, or stay."),
        Phase.DEAL: _("First the cards for the next race are laid out."),
        Phase.OVER: _("The game is over."),
    }


def _sentences() -> dict[str, str]:
    return {
        "game-over": _("The game is over."),
        "no-start-space": _("That is no free start space; these are: {cells}."),
        "start-taken": _("A pawn stands on {cell} already. Choose another of the four spaces in the middle."),
        "off-board": _("{cell} is not on the grid; its spaces are A1 to F6."),
        "wrong-quadrant": _("{cell} is in the wrong quarter of the grid for this flag."),
        "flag-there": _("There is a flag on {cell} already."),
        "incomplete-deck": _("Lay out each of the 36 cards once; a card is named twice at {cells}."),
        "wrong-rank": _("{cell} shows {card}, but the die shows {rank}."),
        "flag-on-it": _("{cell} has a flag on it. Turn down another card of that rank first: {others}."),
        "under-pawn": _("A pawn stands on {cell}; a card under a pawn is never turned over."),
        "stays-up": _("{cell} shows {card}; cards from 6 to 9 always stay face up."),
        "not-adjacent": _("{last} is not beside {cell}. A step goes one space up, down, left or right."),
        "face-down": _("The card on {cell} is face down; nobody can step there."),
        "pawn-there": _("Another pawn stands on {cell}."),
        "flag-of-another": _("{cell} has a flag of somebody else. Step to {others} instead."),
    }
