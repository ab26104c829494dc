"""What a step does to a puzzle: a piece moves, or a card is turned or mirrored (RULES.md, sections 2 and 3)."""

from __future__ import annotations

from dataclasses import replace

from engines.kernel import Event, Outcome, Refusal
from engines.royal_study.moves import moved, moves, refuse_move
from engines.royal_study.placement import Way, write_placement
from engines.royal_study.position import Move, Puzzle, Step, Turning

LEVEL_TO_TURN, LEVEL_TO_MIRROR = 2, 3


def steps(puzzle: Puzzle) -> list[Step]:
    """List every legal step: the moves first, then what may be done to the cards that have not been met."""
    ways = [way for way in Way if puzzle.level >= _level_for(way)]
    return [*moves(puzzle.pieces), *[Turning(way, place) for place in puzzle.open_targets for way in ways]]


def take(puzzle: Puzzle, step: Step) -> Outcome[Puzzle] | Refusal:
    """Make a step, or report why the rules forbid it."""
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
