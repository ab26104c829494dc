"""The expected action in Royal Tee and what is possible, in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from engines.royal_tee.board import NEIGHBOURS, cell_name
from engines.royal_tee.position import FIRST_SLIDER, Action, Pass, Position, Walk
from engines.royal_tee.rules import actions, can_walk

__all__ = ["action_name", "explain", "offered", "possible", "prompt", "without_trace"]


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action; the game is not over."""
    player = player_name(position.turn, names)
    if not can_walk(position):
        return _("{player}: there is no free space beside your Royal Tee; you pass.").format(player=player)
    sentence = ngettext(
        "{player}: walk exactly {slider} step.", "{player}: walk exactly {slider} steps.", position.slider
    )
    return sentence.format(player=player, slider=position.slider)


def explain(position: Position, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return how to type the expected action."""
    if not can_walk(position):
        return _("Type pass.")
    here = cell_name(position.royal(position.turn))
    near = " ".join(cell_name(cell) for cell in NEIGHBOURS[position.royal(position.turn)][:1])
    sentence = _(
        "Your Royal Tee stands on {here}. Type the spaces you walk on ({near} ...), directions (3 up 2 left),"
        " the corners, or only the space where you end."
    )
    return sentence.format(here=here, near=near)


def possible(position: Position, names: Names) -> str:
    """Return what is possible, where it is too much for a list."""
    return explain(position, names)


def offered(position: Position) -> Sequence[Action]:
    """Return the actions that can be chosen by number; empty if they are too many."""
    if not can_walk(position):
        return [Pass()]
    return actions(position) if position.slider == FIRST_SLIDER else []


def without_trace(position: Position) -> Sequence[Action]:
    """Return the actions that leave no trace on the table."""
    return [] if position.over or can_walk(position) else [Pass()]


def action_name(position: Position, action: Action, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return what an action is called in a list."""
    if isinstance(action, Walk):
        return _("walk to {walk}").format(walk=", ".join(action.cells))
    return _("pass")
