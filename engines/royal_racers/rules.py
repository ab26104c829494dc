"""What an action does, or why it is forbidden. Paragraph numbers are those of RULES.md beside this file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from engines.grid import Bitboard
from engines.kernel import Cell, Outcome, Refusal
from engines.royal_racers import laying, morph, moves
from engines.royal_racers.board import names_in
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
)

_PARAGRAPHS = {
    Phase.START: "1.2",
    Phase.FLAG: "1.4",
    Phase.ROLL: "3.1",
    Phase.FLIP: "3.2",
    Phase.MOVE: "4.1",
    Phase.DEAL: "6.2",
}


def play(position: Position, action: Action) -> Outcome[Position] | Refusal:  # noqa: PLR0911 - one line an action
    """Apply an action, or return why the rules forbid it."""
    if position.phase is Phase.OVER:
        return Refusal("game-over", "5.3")
    match position.phase, action:
        case Phase.START, ChooseStart(cell):
            return laying.choose_start(position, cell)
        case Phase.FLAG, PlaceFlag(cell):
            return laying.place_flag(position, cell)
        case Phase.ROLL, Roll(rank):
            return morph.roll(position, rank)
        case Phase.FLIP, Flip(cell):
            return morph.flip(position, cell)
        case Phase.FLIP, Pass() if position.terms.optional_flip:
            return Outcome(replace(position, phase=Phase.MOVE))
        case Phase.MOVE, Step(cell):
            return moves.step(position, cell)
        case Phase.MOVE, Pass():
            return moves.stay(position)
        case Phase.DEAL | Phase.START, Deal(cards) if not (position.phase is Phase.START and position.pawns):
            return laying.deal(position, cards)
    return Refusal("not-awaited", _PARAGRAPHS[position.phase])


def actions(position: Position) -> list[Action]:
    """List the legal actions; empty if the die is expected or all is over.

    For a campaign's next race the one listed lays out what was drawn when the game was set up; a real table's own
    layout is just as legal.
    """
    match position.phase:
        case Phase.START:
            return _each(ChooseStart, laying.open_starts(position))
        case Phase.FLAG:
            return _each(PlaceFlag, laying.flag_spaces(position))
        case Phase.FLIP:
            flips = _each(Flip, morph.turning_down(position) | morph.turning_up(position))
            return [*flips, Pass()] if position.terms.optional_flip else flips
        case Phase.MOVE:
            return [*_each(Step, moves.steps(position)), Pass()]
        case Phase.DEAL:
            return [Deal(position.coming[0])]
        case Phase.ROLL | Phase.OVER:
            return []


def _each(kind: Callable[[Cell], Action], spaces: Bitboard) -> list[Action]:
    names: Iterable[Cell] = names_in(spaces)
    return [kind(name) for name in names]
