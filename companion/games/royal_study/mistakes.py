"""What hands do wrong with the pieces: one is moved as it does not move, taken off, or others are moved as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from companion.core.hypothesis import Hypothesis, Kind
from companion.games.hypotheses import TableLikelihood, drop_explainable_mistakes
from companion.games.royal_study.labels import EMPTY, letter_of
from engines.kernel import Cell, JsonObject, Refusal
from engines.royal_study import GAME
from engines.royal_study.board import Piece
from engines.royal_study.position import Action, Move, Position

Explanation: TypeAlias = Hypothesis[Position, Action]

ONE = -3.0
"""log prior of a piece moved as it does not move: as likely as two of its moves that lead there, which stays open."""

SEVERAL = -6.0
"""log prior of squares filled and emptied in a way that neither one piece nor a chain of moves explains."""


def mistakes(position: Position, seen: TableLikelihood, allowed: Sequence[Explanation]) -> Iterator[Explanation]:
    """Return one piece moved against the rules or taken off, and two or more that no chain of moves explains."""
    stands = {cell: label for cell, label in seen.before.items() if label != EMPTY}
    free = [cell for cell in seen.before if cell not in stands]
    for start, end in product(stands, free):
        refusal = GAME.play(position, Move(Piece(letter_of(stands[start])), start, end))
        if isinstance(refusal, Refusal):
            yield _illegal(seen, {start: EMPTY, end: stands[start]}, refusal, ONE)
    for start in stands:
        yield _illegal(seen, {start: EMPTY}, Refusal("piece-gone", "1.2"), ONE)
    yield from drop_explainable_mistakes(_several(seen, stands), allowed, seen.before)


def _several(seen: TableLikelihood, stands: Mapping[Cell, str]) -> Iterator[Explanation]:
    """Take the squares that look filled or emptied as they look; which pieces stand elsewhere is not held against any.

    One piece that has left for one square, or none, is no such case.
    """
    gone = {cell: EMPTY for cell in stands if seen.evidence.best(cell) == EMPTY}
    come = {cell: label for cell in seen.before if cell not in stands and (label := seen.evidence.best(cell)) != EMPTY}
    if len(come) > len(gone):
        yield _illegal(seen, {**gone, **come}, Refusal("piece-added", "1.2", tuple(come)), SEVERAL)
    elif len(gone) > 1:
        refusal = Refusal("several-pieces", "2.1") if len(come) == len(gone) else Refusal("piece-gone", "1.2")
        yield _illegal(seen, {**gone, **come}, refusal, SEVERAL)


def _illegal(seen: TableLikelihood, expects: Mapping[Cell, str], refusal: Refusal, log_prior: float) -> Explanation:
    """Refuse a look of the table; beside the squares that show it those that the rule names."""
    pieces: JsonObject = {"piece": seen.before[next(iter(expects))]}
    return Hypothesis(
        Kind.ILLEGAL,
        log_prior,
        expects,
        seen.still_open(expects),
        code=refusal.code,
        rule=refusal.rule,
        cells=tuple(expects),
        facts={**pieces, "named": list(refusal.cells)},
    )
