"""The legal steps of a puzzle and what they do: a piece moves, or a card is turned or mirrored (RULES.md, 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engines.grid import CellIndex
from engines.kernel import Event, Outcome, Refusal
from engines.royal_study.board import MIDDLE, NAMES, REACH, SQUARES, Piece, cell_index, colouring_of, names, on_board
from engines.royal_study.placement import Placement, Way, write_placement
from engines.royal_study.position import Move, Puzzle, Step, Turning


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


LEVEL_TO_TURN, LEVEL_TO_MIRROR = 2, 3


def steps(puzzle: Puzzle) -> list[Step]:
    """List every legal step: the moves first, then what may be done to the cards that have not been met."""
    ways = [way for way in Way if puzzle.level >= _level_for(way)]
    return [*moves(puzzle.pieces), *[Turning(way, place) for place in puzzle.open_targets for way in ways]]


def take(puzzle: Puzzle, step: Step) -> Outcome[Puzzle] | Refusal:
    """Make a step, or return why the rules forbid it."""
    if isinstance(step, Move):
        return refuse_move(puzzle.pieces, step) or _move(puzzle, step)
    return _refuse_turning(puzzle, step) or _turn(puzzle, step)


def _level_for(way: Way) -> int:
    return LEVEL_TO_MIRROR if way.mirrors else LEVEL_TO_TURN


def _refuse_turning(puzzle: Puzzle, step: Turning) -> Refusal | None:
    if step.target >= len(puzzle.targets):
        return Refusal("no-such-target", "3.2")
    if puzzle.level < _level_for(step.way):
        return Refusal("level-too-low", "3.4" if step.way.mirrors else "3.2")
    if puzzle.targets[step.target].done:
        return Refusal("already-met", "3.3")
    return None


def _move(puzzle: Puzzle, step: Move) -> Outcome[Puzzle]:
    facts = {"piece": step.piece.value, "from": step.start, "to": step.end}
    return _met(replace(puzzle, pieces=moved(puzzle.pieces, step)), Event("moved", facts))


def _turn(puzzle: Puzzle, step: Turning) -> Outcome[Puzzle]:
    targets = [t.turned(step.way) if place == step.target else t for place, t in enumerate(puzzle.targets)]
    after = replace(puzzle, targets=tuple(targets))
    picture = write_placement(targets[step.target].picture)
    name = "mirrored" if step.way.mirrors else "turned"
    return _met(after, Event(name, {"way": step.way.value, "target": step.target, "picture": picture}))


def _met(puzzle: Puzzle, event: Event) -> Outcome[Puzzle]:
    marked = puzzle.marked()
    return Outcome(marked, (event, *tell_met(puzzle, marked)))


def tell_met(before: Puzzle, after: Puzzle) -> tuple[Event, ...]:
    """Return which cards have been met between two looks at a puzzle."""
    return tuple(Event("met", {"target": place}) for place in before.open_targets if after.targets[place].done)
