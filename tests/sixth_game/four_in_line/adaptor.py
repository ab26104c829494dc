"""Four in Line's rules joined with its table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.verdicts import PendingPlacement
from companion.games.adaptor import TableAdaptor
from companion.games.hypotheses import TableLikelihood, table_likelihood
from engines.kernel import Cell, Game, JsonObject, Outcome, Seat
from vision.board import Board

from .engine import TURNS
from .rules import CELLS, GAME, Place, Position
from .sentences import FourInLineWords

__all__ = ["ADAPTOR"]

EMPTY = "empty"

NOTHING = 2.0  # log priors beside that of a legal disc, which is 0
MISTAKE = -4.0


class FourInLineAdaptor(TableAdaptor[Position, Place]):
    """The parts of `companion.games.adaptor.Adaptor` that are the game's own."""

    name = GAME.name
    engine: Game[Position, Place] = GAME
    turns = TURNS
    words = FourInLineWords()

    def placement(self, position: Position) -> Mapping[Cell, str]:
        """Return the label that a camera should see on every space."""
        return {cell: disc or EMPTY for cell, disc in zip(CELLS, position.discs, strict=True)}

    def explanations(
        self, position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence
    ) -> Sequence[Hypothesis[Position, Place]]:
        """List every disc that may have been put down, "nothing", and what looks wrong."""
        seen = table_likelihood(self.placement(position), left_open, evidence)
        optional = tuple(left_open)
        nothing: Hypothesis[Position, Place] = Hypothesis(Kind.UNCHANGED, NOTHING, optional=optional)
        return [nothing, *self._placed(position, optional), *_mistakes(position, seen)]

    def _placed(
        self, position: Position, optional: tuple[PendingPlacement, ...]
    ) -> Iterator[Hypothesis[Position, Place]]:
        for action in GAME.actions(position):
            outcome = GAME.play(position, action)
            if isinstance(outcome, Outcome):
                expects = {action.cell: str(position.turn)}
                yield Hypothesis(Kind.LEGAL, 0.0, expects, optional, action=action, position=outcome.position)

    def score_seen(self, placement: Mapping[Cell, str], board: Board) -> tuple[Mapping[Seat, int], JsonObject]:
        """Score the lines in sight."""
        players = tuple(Seat(colour) for colour in board.colours)
        discs = tuple(Seat(placement[cell]) if placement[cell] != EMPTY else None for cell in CELLS)
        return GAME.score(Position(players, players[0], discs)), {}


def _mistakes(position: Position, seen: TableLikelihood) -> Iterator[Hypothesis[Position, Place]]:
    odd = seen.odd()
    if not odd:
        return
    wrong = {cell: label for cell, label in odd.items() if not (seen.before[cell] == EMPTY and label == position.turn)}
    code = "too-many" if not wrong else _code(*next(iter(wrong.items())))
    if wrong or len(odd) > 1:
        yield Hypothesis(Kind.ILLEGAL, MISTAKE, odd, code=code, rule="2.1", cells=tuple(wrong or odd))


def _code(_cell: Cell, label: str) -> str:
    return "disc-removed" if label == EMPTY else "foreign-disc"


ADAPTOR = FourInLineAdaptor()
