"""The expected action in Territory and what is possible, in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.phrases import cells_list, percent
from engines.territory.position import Action, Again, Await, Capture, Place, Position, Roll, Stop
from engines.territory.rules import actions, targets
from engines.territory.search import bust_chance

__all__ = ["action_name", "explain", "offered", "possible", "prompt", "without_trace"]


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action; the game is not over."""
    return _prompt_of(position).format(player=player_name(position.turn, names), **_facts(position))


def _prompt_of(position: Position) -> str:  # noqa: PLR0911 - one line a moment
    match position.awaiting:
        case Await.ROLL_OFF:
            return _("{player}: roll one die to see who begins.")
        case Await.PLACE if position.left > 1:
            return _("{player}: place {left} pieces for the {number}, one after the other.")
        case Await.PLACE:
            return _("{player}: place a piece for the {number}.")
        case Await.CHOOSE if bust_chance(position) == 0:
            return _("{player}: roll again or stop? Another roll cannot bust.")
        case Await.CHOOSE:
            return _("{player}: roll again or stop? Another roll busts in {bust} percent of all cases.")
    if position.extra:
        return _("{player}: one more roll, which cannot bust.")
    free = position.in_force.free - len(position.rolled)
    if free > 0:
        return ngettext(
            "{player}: roll both dice ({free} free roll left).",
            "{player}: roll both dice ({free} free rolls left).",
            free,
        )
    return _("{player}: roll both dice.")


def _facts(position: Position) -> dict[str, object]:
    return {
        "left": position.left,
        "number": position.rolled[-1] if position.rolled else "",
        "free": position.in_force.free - len(position.rolled),
        "bust": percent(bust_chance(position)),
    }


def explain(position: Position, names: Names) -> str:
    """Return how to type the expected action; "" after the end."""
    match position.awaiting:
        case Await.ROLL_OFF:
            return _("Type what the die shows, 1 to 6, or roll to let the companion throw it.")
        case Await.ROLL:
            return _("Type what the two dice show, each 1 to 6 (3 4), or roll to let the companion throw them.")
        case Await.CHOOSE:
            return _("Type roll or stop.")
        case Await.PLACE:
            return possible(position, names)
    return ""


def possible(position: Position, names: Names) -> str:
    """Return what is possible, where it is too much for a list."""
    if position.awaiting is not Await.PLACE:
        return explain(position, names)
    where = targets(position, position.rolled[-1])
    sentences = []
    if where.empty:
        sentences.append(_("Free: {cells}.").format(cells=cells_list(position.board.names_in(where.empty))))
    if where.capturable:
        cells = cells_list(position.board.names_in(where.capturable))
        sentences.append(_("To capture: {cells}.").format(cells=cells))
    return " ".join(sentences)


def offered(position: Position) -> Sequence[Action]:
    """Return the actions that are listed by number."""
    return actions(position)


def without_trace(position: Position) -> Sequence[Action]:
    """Return the actions that leave no trace on the table."""
    return [Again(), Stop()] if position.awaiting is Await.CHOOSE else []


def action_name(position: Position, action: Action, names: Names) -> str:
    """Return what an action is called in a list."""
    match action:
        case Place(cell):
            return _("place on {cell}").format(cell=cell)
        case Capture(cell):
            space = 1 << position.board.cell_index(action.cell)
            held_by = zip(position.players, position.owners, strict=True)
            return _("capture {cell} from {player}").format(
                cell=cell, player=player_name(next((seat for seat, owned in held_by if owned & space), None), names)
            )
        case Again():
            return _("roll again")
        case Stop():
            return _("stop and keep the pieces")
        case Roll(dice):
            return _("roll {dice}").format(dice=" ".join(map(str, dice)))
