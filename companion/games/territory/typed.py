"""How actions of Territory are typed: dice with anything or nothing between them, a bare space, a word."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.line import TypedLine
from companion.games.territory.prompts import explain, offered
from companion.games.typed import Command, Entered, Grammar, Mistake, Reading
from companion.locale import _
from companion.ui.names import Names
from engines.territory.position import Action, Again, Await, Capture, Place, Position, Roll, Stop

__all__ = ["GRAMMAR"]


def _phrases() -> Mapping[str, str]:
    return {
        "roll": _("roll, throw, r, again, on"),
        "stop": _("stop, keep, enough"),
        "place": _("place, put"),
        "capture": _("capture, take"),
        "yes": _("yes, y"),
        "no": _("no, n"),
    }


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    match position.awaiting:
        case Await.ROLL_OFF:
            return _die(line)
        case Await.ROLL:
            return _dice(line)
        case Await.CHOOSE:
            return _choice(line)
        case Await.PLACE:
            return _piece(position, line, names)
    return None


def _die(line: TypedLine) -> Reading[Action] | None:
    dice = line.dice()
    if not dice:
        return Command("roll") if line.has("roll") else None
    if len(dice) != 1 or not _are_dice(dice):
        return Mistake(_("One die decides who begins: type its number, 1 to 6."))
    return Entered(Roll(dice))


def _dice(line: TypedLine) -> Reading[Action] | None:
    dice = line.dice()
    if not dice:
        return Command("roll") if line.has("roll") else None
    if len(line.numbers) == 1 and 2 <= line.numbers[0] <= 12 and not _are_two(line.dice()):
        return Mistake(_("Type both dice, each 1 to 6, not their sum: 3 4."))
    if len(dice) != 2 or not _are_dice(dice):
        return Mistake(_("Two dice, each 1 to 6: 3 4."))
    return Entered(Roll(dice))


def _are_two(dice: tuple[int, ...]) -> bool:
    return len(dice) == 2 and _are_dice(dice)


def _are_dice(dice: tuple[int, ...]) -> bool:
    return all(1 <= die <= 6 for die in dice)


def _choice(line: TypedLine) -> Reading[Action] | None:
    """Read the choice; dice typed at once mean the choice to roll and the roll."""
    if len(line.dice()) > 1:
        rolled = _dice(line)
        return Entered(Again(), (rolled.action,)) if isinstance(rolled, Entered) else rolled
    if line.has("roll", "yes"):
        return Entered(Again())
    return Entered(Stop()) if line.has("stop", "no") else None


def _piece(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    if not line.cells:
        return Mistake(explain(position, names)) if line.has("place", "capture", "roll", "stop") else None
    if len(line.cells) > 1:
        return Mistake(_("One space at a time, please."))
    [cell] = line.cells
    taken = line.has("capture") or (
        not line.has("place")
        and (position.board.has(cell) and bool(position.held >> position.board.cell_index(cell) & 1))
    )
    return Entered(Capture(cell) if taken else Place(cell))


GRAMMAR: Grammar[Position, Action] = Grammar(
    phrases=_phrases,
    read=_read,
    offered=offered,
    seats=lambda position: position.players,
    explain=explain,
    columns="abcdefghi",
)
"""How lines of Territory are read."""
