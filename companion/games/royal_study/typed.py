"""How actions of The Royal Study are typed: "7 anna", "king b2", "turn right", a card's number, a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.line import TypedLine
from companion.games.royal_study.pieces import the_piece
from companion.games.royal_study.prompts import explain, offered
from companion.games.typed import Entered, Grammar, Mistake, Reading
from companion.locale import _
from companion.ui.names import Names, either, player_name
from engines.grid import CellIndex
from engines.kernel import Cell, Seat
from engines.royal_study.board import NAMES, Piece, on_board
from engines.royal_study.placement import Way
from engines.royal_study.position import (
    MOST_STEPS,
    Action,
    Await,
    Call,
    Card,
    Draw,
    Match,
    Move,
    Position,
    Say,
    Side,
    Turning,
    puzzle_of,
)
from engines.royal_study.steps import moves

__all__ = ["GRAMMAR"]

_PIECES = {"king": Piece.KING, "queen": Piece.QUEEN, "rook": Piece.ROOK, "bishop": Piece.BISHOP, "knight": Piece.KNIGHT}
_TURNS = {"right": 1, "upside": 2, "left": 3}


def _phrases() -> Mapping[str, str]:
    return {
        "king": _("king, k"),
        "queen": _("queen, q"),
        "rook": _("rook, r"),
        "bishop": _("bishop, b"),
        "knight": _("knight, n"),
        "draw": _("draw"),
        "face": _("face, front, f"),
        "back": _("back"),
        "left": _("left, l"),
        "right": _("right"),
        "upside": _("upside, half, bottom, top"),
        "call": _("call, calls, moves, steps, step"),
        "challenge": _("challenge, fewer"),
        "decline": _("decline, pass"),
        "time": _("time"),
        "up": _("up, over"),
        "give": _("give"),
        "turn": _("turn, rotate, t"),
        "mirror": _("mirror, flip, m"),
        "first": _("first"),
        "second": _("second"),
        "next": _("next, on"),
        "again": _("again, once, more"),
        "stop": _("stop, enough"),
        "yes": _("yes, y"),
        "no": _("no"),
        "card": _("card"),
    }


def _read(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:  # noqa: PLR0911 - one line a moment
    if not isinstance(position, Match):
        return _step(position, line, names)
    match position.awaits:
        case Await.START | Await.CARD:
            return _draw(line)
        case Await.CALL:
            return _call(position, line, names)
        case Await.CHALLENGE:
            return _answer(line)
        case Await.EXECUTE:
            return _execution(position, line, names)
        case Await.NEXT:
            return _said(line, {"next": Say.NEXT, "again": Say.AGAIN, "stop": Say.STOP, "no": Say.STOP})
    return None


def _said(line: TypedLine, meanings: Mapping[str, Say]) -> Reading[Action] | None:
    said: Iterator[Action] = (meanings[word] for word in line.words if word in meanings)
    return next(map(Entered, said), None)


# ---- cards and numbers


def _draw(line: TypedLine) -> Reading[Action] | None:
    """Read a card as it is; "17 b2" is its back, turned twice."""
    if not line.numbers:
        return Mistake(_("Type the number on the card.")) if line.has("draw", "face") else None
    [number, *turns] = [*line.numbers, *(int(cell[1:]) for cell in line.cells)]
    side = Side.BACK if line.has("back") or any(cell[0] == "B" for cell in line.cells) else Side.FACE
    quarters = turns[0] if turns else next((_TURNS[word] for word in line.words if word in _TURNS), 0)
    if len(turns) > 1 or quarters not in range(4):
        return Mistake(_("After the number, type back if the back is up, and right, left or upside if it is turned."))
    return Entered(Draw(Card(number, side, quarters)))


def _call(match: Match, line: TypedLine, names: Names) -> Reading[Action] | None:
    """Read a call; who calls must be said, since both may be first."""
    if len(line.numbers) != 1:
        return Mistake(explain(match, names)) if line.numbers or line.seats or line.has("call") else None
    [number] = line.numbers
    if number > MOST_STEPS:
        return Mistake(_("Nobody needs that many moves: call a number up to {most}.").format(most=MOST_STEPS))
    if len(line.seats) != 1:
        return Mistake(
            _("Who calls {number}? Type {examples}.").format(
                number=number, examples=either(f"{number} {player_name(seat, names)}" for seat in match.players)
            )
        )
    return Entered(Call(number, line.seats[0]))


def _answer(line: TypedLine) -> Reading[Action] | None:
    meanings = {
        "challenge": Say.CHALLENGE,
        "yes": Say.CHALLENGE,
        "decline": Say.DECLINE,
        "no": Say.DECLINE,
        "time": Say.TIME_UP,
    }
    return _said(line, meanings)


# ---- steps


def _execution(match: Match, line: TypedLine, names: Names) -> Reading[Action] | None:
    if line.has("give"):
        return Entered(Say.GIVE_UP)
    if line.has("time"):
        return Entered(Say.TIME_UP)
    return _step(match, line, names)


def _step(position: Position, line: TypedLine, names: Names) -> Reading[Action] | None:
    if line.has("turn", "mirror"):
        return _turning(line)
    if not line.cells:
        return Mistake(explain(position, names)) if line.has(*_PIECES) else None
    off = next((cell for cell in line.cells if not on_board(cell)), None)
    if off is not None:
        return Mistake(_("{cell} is not on the board; its squares are A1 to C3.").format(cell=off))
    piece = next((_PIECES[word] for word in line.words if word in _PIECES), None)
    if len(line.cells) == 1:
        return _to(position, piece, line.cells[0])
    return _from_to(position, piece, line.cells[0], line.cells[1])


def _from_to(position: Position, piece: Piece | None, start: Cell, end: Cell) -> Reading[Action]:
    pieces = puzzle_of(position).pieces
    stands = pieces[NAMES.index(start)]
    if stands == ".":
        return Mistake(_("No piece stands on {cell}.").format(cell=start))
    return Entered(Move(piece or Piece(stands), start, end))


def _to(position: Position, piece: Piece | None, end: Cell) -> Reading[Action]:
    """Read a bare square as the move of the one piece that can go there, or of the piece that is named."""
    pieces = puzzle_of(position).pieces
    if piece is not None:
        return Entered(Move(piece, NAMES[CellIndex(pieces.index(piece.value))], end))
    can = [move for move in moves(pieces) if move.end == end]
    if len(can) == 1:
        return Entered(can[0])
    if not can:
        return Mistake(_("No piece can go to {cell} now.").format(cell=end))
    named = either(the_piece(move.piece.value) for move in can)
    return Mistake(_("Which piece goes to {cell}? It can be {pieces}.").format(cell=end, pieces=named))


def _turning(line: TypedLine) -> Reading[Action]:
    target = 1 if line.has("second") or line.numbers == (2,) else 0
    if line.has("turn"):
        way = next((word for word in line.words if word in ("left", "right")), None)
        if way is None:
            return Mistake(_("Which way? Type turn right or turn left."))
        return Entered(Turning(Way.CLOCKWISE if way == "right" else Way.COUNTER_CLOCKWISE, target))
    if line.has("left", "right"):
        return Entered(Turning(Way.LEFT_RIGHT, target))
    if line.has("upside"):
        return Entered(Turning(Way.TOP_BOTTOM, target))
    return Mistake(_("Which way? Type mirror left-right or mirror top-bottom."))


def _seats(position: Position) -> tuple[Seat, ...]:
    return position.players if isinstance(position, Match) else ()


GRAMMAR: Grammar[Position, Action] = Grammar(
    phrases=_phrases,
    read=_read,
    offered=offered,
    seats=_seats,
    explain=explain,
    columns="abc",
)
"""How lines of The Royal Study are read."""
