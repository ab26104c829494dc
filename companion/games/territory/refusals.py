"""Why an action of Territory is forbidden, and what to do instead."""

from __future__ import annotations

from companion.games.territory.card_words import card_named, card_title
from companion.locale import _
from companion.ui.names import Names, player_name
from companion.ui.phrases import cells_list
from engines.kernel import Cell, Refusal
from engines.territory.position import Action, Position

__all__ = ["refusal_sentence"]


def refusal_sentence(position: Position, action: Action, refusal: Refusal, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return why the rules forbid an action in a position, and what would be allowed."""
    cell = refusal.cells[0] if refusal.cells else Cell("")
    board = position.board
    return _sentences()[refusal.code].format(
        cell=cell,
        cells=cells_list(refusal.cells),
        last=position.board.names[-1],
        number=(board.numbers[board.cell_index(cell)] if board.has(cell) else None),
        rolled=position.rolled[-1] if position.rolled else "",
        rolls=len(position.rolled),
        stop_from=position.in_force.may_stop_from,
        card=card_title(card_named(position.card or "")),
        player=player_name(position.turn, names),
    )


def _sentences() -> dict[str, str]:
    return {
        "game-over": _("The game is over: the last round has been played."),
        "off-board": _("{cell} is not on the map; its spaces are A1 to {last}."),
        "one-die": _("To find out who begins, each player rolls one die: type its number, 1 to 6."),
        "two-dice": _("A roll is two dice: type both numbers, each 1 to 6."),
        "roll-off-first": _("First find out who begins: {player} rolls one die."),
        "too-early-to-stop": _(
            "You have rolled {rolls} of the {stop_from} rolls that a turn has at least; you may stop after that."
        ),
        "roll-first": _("Roll the dice first."),
        "nothing-to-place": _("Nothing is left to place: roll again or stop."),
        "piece-first": _("First put a piece on a space of the {rolled}: {cells}."),
        "other-number": _("{cell} has the number {number}, but you rolled {rolled}."),
        "not-empty": _("{cell} is not empty; a white piece needs an empty space of the {rolled}."),
        "nobody-there": _("Nobody holds {cell}, so there is nothing to capture: place a piece on it."),
        "own-space": _("{cell} is yours already; only the spaces of others can be captured."),
        "no-captures": _("Nobody may capture in this round: the card {card} is in force."),
    }
