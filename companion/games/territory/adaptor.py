"""Territory as the rest of the companion sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis
from companion.core.verdicts import PendingPlacement
from companion.games.adaptor import TableAdaptor
from companion.games.territory import hypotheses, labels
from companion.games.territory.score import score_seen
from companion.games.territory.turns import TURNS
from companion.games.territory.words import WORDS
from engines.kernel import Cell, Game, JsonObject, Seat
from engines.territory import GAME
from engines.territory.position import Action, Position
from vision.board import Board

__all__ = ["ADAPTOR", "TerritoryAdaptor"]


class TerritoryAdaptor(TableAdaptor[Position, Action]):
    """Joins the rules of Territory with its table; fulfils `companion.games.adaptor.Adaptor`."""

    name = GAME.name
    engine: Game[Position, Action] = GAME
    turns = TURNS
    words = WORDS

    def placement(self, position: Position) -> Mapping[Cell, str]:
        """Return the label that a camera should see on every space."""
        return labels.placement(position)

    def explanations(
        self, position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence
    ) -> Sequence[Hypothesis[Position, Action]]:
        """List what may have happened since a position."""
        return hypotheses.explanations(position, left_open, evidence)

    def score_seen(self, placement: Mapping[Cell, str], board: Board) -> tuple[Mapping[Seat, int], JsonObject]:
        """Score the groups in sight."""
        return score_seen(placement, board)


ADAPTOR = TerritoryAdaptor()
"""The game's rules and its table, joined."""
