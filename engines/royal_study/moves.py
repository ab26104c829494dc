"""How pieces move on the nine squares: every legal move, and why another one is not legal (RULES.md, section 2)."""

from __future__ import annotations

from collections.abc import Iterator

from engines.grid import CellIndex
from engines.kernel import Refusal
from engines.royal_study.board import MIDDLE, NAMES, REACH, SQUARES, Piece, cell_index, colouring_of, names, on_board
from engines.royal_study.placement import Placement
from engines.royal_study.position import Move


def moves(pieces: Placement) -> list[Move]:
    """List every legal move, by the square it starts from."""
    return [move for start in SQUARES if pieces[start] != "." for move in _moves_from(pieces, start)]


def _moves_from(pieces: Placement, start: CellIndex) -> Iterator[Move]:
    piece = Piece(pieces[start])
    for end, over in REACH[piece][start]:
        if pieces[end] == "." and all(pieces[square] == "." for square in over):
            yield Move(piece, NAMES[start], NAMES[end])


def moved(pieces: Placement, move: Move) -> Placement:
    """Return the placement after a move; legality is not looked at."""
    start, end = cell_index(move.start), cell_index(move.end)
    after = list(pieces)
    after[start], after[end] = ".", move.piece.value
    return Placement("".join(after))


def refuse_move(pieces: Placement, move: Move) -> Refusal | None:
    """Return why a move is not legal; None if it is."""
    for name in (move.start, move.end):
        if not on_board(name):
            return Refusal("off-board", "1.1", (name,))
    start, end = cell_index(move.start), cell_index(move.end)
    if pieces[start] != move.piece:
        return Refusal("not-there", "2.1", (move.start,))
    return _refuse_way(pieces, move.piece, start, end)


def _refuse_way(pieces: Placement, piece: Piece, start: CellIndex, end: CellIndex) -> Refusal | None:
    if piece is Piece.KNIGHT and end == MIDDLE:
        return Refusal("knight-in-the-middle", "2.5", names(end))
    if piece is Piece.BISHOP and colouring_of(start) != colouring_of(end):
        return Refusal("bishop-off-dark", "2.4", names(end))
    over = dict(REACH[piece][start]).get(end)
    if over is None:
        return Refusal("not-its-move", "2.2", names(start, end))
    if pieces[end] != ".":
        return Refusal("occupied", "2.1", names(end))
    if blockers := [square for square in over if pieces[square] != "."]:
        return Refusal("in-the-way", "2.3", names(*blockers))
    return None
