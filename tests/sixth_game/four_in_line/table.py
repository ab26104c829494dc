"""Four in Line's turns, and its rules joined with its table: what a camera should see, and what may have happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from companion.core.hypothesis import GameRules, Hypothesis, Kind
from companion.core.turns import Turns, acting
from companion.core.verdicts import Prompt
from companion.games.hypotheses import Explainer, TableLikelihood
from engines.kernel import Advice, Cell, JsonObject, Level, Seat
from vision.board import Board, shipped_board

from .rules import CELLS, GAME, Place, Position

__all__ = ["EMPTY", "TABLE", "TURNS", "advise", "placement"]

EMPTY = "empty"

MISTAKE = -4.0  # log prior beside that of a legal disc, which is 0

Explanation: TypeAlias = Hypothesis[Position, Place]


def advise(position: Position, *, level: Level = Level.STRONG) -> Advice[Place] | None:  # noqa: ARG001 - one level
    """Propose the space with which the mover's longest line grows most, the first of several."""
    legal = GAME.actions(position)
    if not legal:
        return None
    best = max(legal, key=lambda action: _line_after(position, action))
    length = _line_after(position, best)
    return Advice(best, "longest-line", {"length": length}, length)


def _line_after(position: Position, action: Place) -> int:
    discs = tuple(position.turn if cell == action.cell else position.on(cell) for cell in CELLS)
    return Position(position.players, position.turn, discs).longest(position.turn)


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject:
    return {**data, "discs": {str(cell): label for cell, label in labels.items() if label != EMPTY}}


TURNS: Turns[Position, Place] = Turns(lambda position: Prompt(acting(GAME, position), "place"), adopt=_adopt)


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every space."""
    return {cell: disc or EMPTY for cell, disc in zip(CELLS, position.discs, strict=True)}


def _mistakes(position: Position, seen: TableLikelihood, _allowed: Sequence[Explanation]) -> Iterator[Explanation]:
    odd = seen.odd()
    if not odd:
        return
    wrong = {cell: label for cell, label in odd.items() if not (seen.before[cell] == EMPTY and label == position.turn)}
    removed = EMPTY in wrong.values()
    code = "too-many" if not wrong else ("disc-removed" if removed else "foreign-disc")
    if wrong or len(odd) > 1:
        yield Hypothesis(Kind.ILLEGAL, MISTAKE, odd, code=code, rule="2.1", cells=tuple(wrong or odd))


def score_seen(labels: Mapping[Cell, str], board: Board) -> tuple[Mapping[Seat, int], JsonObject]:
    """Score the lines in sight."""
    players = tuple(Seat(colour) for colour in board.colours)
    discs = tuple(Seat(labels[cell]) if labels[cell] != EMPTY else None for cell in CELLS)
    return GAME.score(Position(players, players[0], discs)), {}


EXPLAINER: Explainer[Position, Place] = Explainer(game=GAME, labels=placement, most_actions=1, mistakes=_mistakes)

TABLE: GameRules[Position, Place] = GameRules(
    engine=GAME,
    board=partial(shipped_board, GAME.name),
    turns=TURNS,
    placement=placement,
    explanations=EXPLAINER.explanations,
    score_seen=score_seen,
)
