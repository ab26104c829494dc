"""How actions of the Royal Game of Ur are typed: dots, the square of a counter, a word."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.line import TypedLine
from companion.games.royal_ur.prompts import explain, offered
from companion.games.typed import Command, Entered, Grammar, Mistake, Reading
from companion.locale import _
from companion.ui.names import Names, player_name
from engines.kernel import Cell
from engines.royal_ur.board import HOME, START
from engines.royal_ur.position import Action, Await, Decline, Enter, Move, Position, Roll
from engines.royal_ur.rules import can_enter, count_of, legal_starts

__all__ = ["GRAMMAR"]

_MOST_DOTS = 3


def _phrases() -> Mapping[str, str]:
    return {
        "roll": _("roll, throw, r"),
        "none": _("none, zero, nothing"),
        "dots": _("dots, dot"),
        "move": _("move"),
        "enter": _("enter, in"),
        "decline": _("decline, leave, pass"),
        "start": _("start, s"),
        "home": _("home"),
        "yes": _("yes, y"),
        "no": _("no, n"),
    }


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    match position.awaits:
        case Await.THROW_OFF | Await.ROLL:
            return _throw(line)
        case Await.ENTER:
            return _offer(position, line)
    return _counter(position, line, names)


def _throw(line: TypedLine) -> Reading[Action] | None:
    numbers = [0] if line.has("none") else line.numbers
    if not numbers:
        return Command("roll") if line.has("roll") else None
    if len(numbers) > 1 or numbers[0] > _MOST_DOTS or not {*line.words} <= {"roll", "none", "dots"} or line.cells:
        return Mistake(_("Type how many of the three dice show a dot: 0, 1, 2 or 3."))
    return Entered(Roll(numbers[0]))


def _offer(position: Position, line: TypedLine) -> Reading[Action] | None:
    entrance = position.board.cell(position.place(position.decides), START)
    if line.has("enter", "yes", "start") or entrance in line.cells:
        return Entered(Enter())
    return Entered(Decline()) if line.has("decline", "no") else None


def _counter(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    if line.has("enter"):
        return Entered(Enter())
    if line.has("decline"):
        return Entered(Decline())
    place = position.place(position.decides)
    cells = [*line.cells, *([position.board.cell(place, START)] if line.has("start") else [])]
    if not cells:
        return Mistake(explain(position, names)) if len(line.numbers) > 1 or line.has("move") else None
    return _of_square(position, cells, names)


def _of_square(position: Position, cells: list[Cell], names: Names) -> Reading[Action]:
    """Return the move of the counter on a square, or of the one that comes to it."""
    way, count = position.board.ways[position.place(position.decides)], count_of(position)
    if not any(cells[0] in lane for lane in position.board.ways):
        return Mistake(_("{cell} is not on the board; its squares are A1 to H3.").format(cell=cells[0]))
    if cells[0] not in way:
        sentence = _("The way of {player} does not lead over {cell}.")
        return Mistake(sentence.format(player=player_name(position.decides, names), cell=cells[0]))
    start = way.index(cells[0])
    lane = position.lane(position.decides)
    if start not in lane:
        return _to_square(position, cells[0], start, names)
    if start == START and len(cells) == 1 and can_enter(position) and start in legal_starts(position):
        sentence = _("Enter a counter on {cell}, or move the one that stands there? Type enter, or {cell} {end}.")
        return Mistake(sentence.format(cell=cells[0], end=way[start + count]))
    if len(cells) > 1 and cells[1] != way[min(start + count, HOME)]:
        sentence = _("From {start} the counter goes {count} on, to {end}.")
        return Mistake(sentence.format(start=cells[0], count=count, end=way[min(start + count, HOME)]))
    return Entered(Move(start))


def _to_square(position: Position, cell: Cell, index: int, names: Names) -> Reading[Action]:
    """Read a square on which no counter stands as the one that a counter comes to."""
    if index == START and can_enter(position):
        return Entered(Enter())
    if index - count_of(position) in legal_starts(position):
        return Entered(Move(index - count_of(position)))
    sentence = _("{player} has no counter on {cell}.")
    return Mistake(
        sentence.format(player=player_name(position.decides, names), cell=cell) + " " + explain(position, names)
    )


GRAMMAR: Grammar[Position, Action] = Grammar(
    phrases=_phrases,
    read=_read,
    offered=offered,
    seats=lambda position: position.players,
    explain=explain,
    columns="abcdefgh",
)
"""How lines of the Royal Game of Ur are read."""
