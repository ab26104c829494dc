"""The expected action in the Royal Game of Ur and what is possible, in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.locale import _
from companion.ui.names import Names, player_name
from engines.royal_ur.board import HOME, START
from engines.royal_ur.landing import ENTERING_DOTS
from engines.royal_ur.position import Action, Await, Decline, Enter, Move, Position, Roll
from engines.royal_ur.rules import actions, can_enter, count_of

__all__ = ["action_name", "explain", "offered", "possible", "prompt", "without_trace"]


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action; the game is not over."""
    if position.awaits is None:
        return ""
    sentences = {
        Await.THROW_OFF: _("{player}: throw the three dice to see who begins."),
        Await.ROLL: _("{player}: throw the three dice."),
        Await.MOVE: _("{player}: move a counter {count} on."),
        Await.ENTER: _("{player}: the rosette lets you enter a counter. Do you?"),
        Await.FORFEIT: _("{player}: the eyes make you move a counter {count} on."),
    }
    sentence = sentences[position.awaits]
    if position.awaits is Await.MOVE and position.dots == ENTERING_DOTS and can_enter(position):
        sentence = _("{player}: move a counter {count} on, or enter one.")
    acting = position.turn if position.awaits in (Await.THROW_OFF, Await.ROLL) else position.decides
    return sentence.format(player=player_name(acting, names), count=count_of(position))


def explain(position: Position, names: Names) -> str:
    """Return how to type the expected action; "" after the end."""
    match position.awaits:
        case Await.THROW_OFF | Await.ROLL:
            return _("Type how many dots the dice show, 0 to 3, or roll to let the companion throw them.")
        case Await.ENTER:
            return _("Type enter or decline.")
    return _squares(position, names)


def possible(position: Position, names: Names) -> str:
    """Return what is possible in one sentence."""
    return _squares(position, names) or explain(position, names)


def _squares(position: Position, names: Names) -> str:
    legal = actions(position)
    choices = [action_name(position, action, names) for action in legal]
    if not choices:
        return ""
    if not any(isinstance(action, Move) for action in legal):
        return _("Possible: {players}.").format(players=", ".join(choices))
    return _("Name the square that the counter stands on: {choices}.").format(choices=", ".join(choices))


def offered(position: Position) -> Sequence[Action]:
    """Return the actions that are listed by number."""
    return actions(position)


def without_trace(position: Position) -> Sequence[Action]:
    """Return the actions that leave no trace on the table."""
    return [Decline()] if position.awaits is Await.ENTER else []


def action_name(position: Position, action: Action, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return what an action is called in a list."""
    match action:
        case Move(start):
            place, end = position.place(position.decides), start + count_of(position)
            facts = {"start": position.board.cell(place, start), "end": position.board.cell(place, min(end, HOME))}
            return (_("{start} home") if end == HOME else _("{start} to {end}")).format_map(facts)
        case Enter():
            cell = position.board.cell(position.place(position.decides), START)
            return _("enter a counter on {cell}").format(cell=cell)
        case Decline():
            return _("enter none")
        case Roll(dots):
            return _("throw {dots}").format(dots=dots)
