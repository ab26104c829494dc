"""The expected action in Royal Racers and what is possible, in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.royal_racers.cards import card_named, rank_named
from companion.locale import _
from companion.ui.names import Names, player_name
from companion.ui.phrases import cells_list
from engines.grid import bit
from engines.royal_racers import laying, morph
from engines.royal_racers.board import NAMES, card_name, cell_index, names_in
from engines.royal_racers.moves import steps
from engines.royal_racers.position import (
    Action,
    ChooseStart,
    Deal,
    Flip,
    Pass,
    Phase,
    PlaceFlag,
    Position,
    Roll,
    Step,
    owner_of,
)
from engines.royal_racers.rules import actions

__all__ = ["action_name", "explain", "offered", "possible", "prompt", "without_trace"]


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action; the game is not over."""
    sentences = {
        Phase.START: _("{player}: choose one of the four spaces in the middle to start on."),
        Phase.FLAG: _("{player}: put flag {flag} of {owner} on a card."),
        Phase.ROLL: _("{player}: roll the die."),
        Phase.FLIP: _("{player}: turn over a card for the {rank}."),
        Phase.MOVE: _("{player}: step to a space beside your pawn, or stay."),
        Phase.DEAL: _("{player}: lay out the cards for the next race."),
        Phase.OVER: "",
    }
    owner = owner_of(position.place, len(position.players))
    return sentences[position.phase].format(
        player=player_name(position.turn, names),
        owner=player_name(position.players[owner], names),
        flag=len(position.flags[owner]),
        rank=rank_named(position.rolled),
    )


def explain(position: Position, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return how to type the expected action."""
    match position.phase:
        case Phase.ROLL:
            return _(
                "Type what the die shows: ace or 1, 2 to 5, or null for the empty face;"
                " or roll to let the companion throw it."
            )
        case Phase.DEAL:
            return _(
                "Type deal to lay the cards out as the companion has shuffled them, or deal with all 36 cards that"
                " lie there, row by row from A1: deal 5h 9s ac ..."
            )
    return _open(position)


def possible(position: Position, names: Names) -> str:
    """Return what is possible in a sentence or two."""
    return explain(position, names)


def _open(position: Position) -> str:
    match position.phase:
        case Phase.START:
            return _("Free: {cells}.").format(cells=cells_list(names_in(laying.open_starts(position))))
        case Phase.FLAG:
            return _("Free: {cells}.").format(cells=cells_list(names_in(laying.flag_spaces(position))))
        case Phase.FLIP:
            return _flips(position)
        case Phase.MOVE:
            open_to_it = names_in(steps(position))
            if not open_to_it:
                return _("No step is possible: pass.")
            return _("You can step to {cells}, or pass to stay.").format(cells=cells_list(open_to_it))
    return ""


def _flips(position: Position) -> str:
    down, up = names_in(morph.turning_down(position)), names_in(morph.turning_up(position))
    sentences = []
    if down:
        sentences.append(_("Turn one down: {cells}.").format(cells=cells_list(down)))
    if up:
        sentences.append(_("Or turn one up from memory: {cells}.").format(cells=cells_list(up)))
    return " ".join(sentences)


def offered(position: Position) -> Sequence[Action]:
    """Return the actions that are listed by number."""
    return actions(position)


def without_trace(position: Position) -> Sequence[Action]:
    """Return the actions that leave no trace on the table."""
    return [Pass()] if position.phase is Phase.MOVE else []


def action_name(position: Position, action: Action, names: Names) -> str:  # noqa: ARG001, PLR0911 - one form for all games, one line an action
    """Return what an action is called in a list."""
    match action:
        case ChooseStart(cell):
            return _("start on {cell}").format(cell=cell)
        case PlaceFlag(cell):
            return _("flag on {cell}").format(cell=cell)
        case Flip(cell):
            return _flip(position, cell)
        case Step(cell):
            return _("step to {cell}").format(cell=cell)
        case Pass():
            return _("stay")
        case Deal():
            return _("lay out the cards")
        case Roll():
            return _("roll the die")


def _flip(position: Position, cell: str) -> str:
    """Name a card to turn over; what is face down is not given away."""
    index = cell_index(cell)
    if position.down & bit(index):
        return _("turn up {cell}").format(cell=NAMES[index])
    return _("turn down {card} on {cell}").format(card=card_named(card_name(position.cards[index])), cell=NAMES[index])
