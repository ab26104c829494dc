"""Royal Racers as the rest of the companion sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.evidence import Evidence, with_label_confusion
from companion.core.hypothesis import Hypothesis
from companion.core.verdicts import PendingPlacement
from companion.games.adaptor import TableAdaptor
from companion.games.royal_racers import hypotheses, labels
from companion.games.royal_racers.score import score_seen
from companion.games.royal_racers.turns import TURNS
from companion.games.royal_racers.words import WORDS
from engines.kernel import Cell, Game, JsonObject, Seat
from engines.royal_racers import GAME
from engines.royal_racers.position import Action, Position
from vision.board import Board

__all__ = ["ADAPTOR", "RoyalRacersAdaptor"]


class RoyalRacersAdaptor(TableAdaptor[Position, Action]):
    """Joins the rules of Royal Racers with its table; fulfils `companion.games.adaptor.Adaptor`."""

    name = GAME.name
    engine: Game[Position, Action] = GAME
    turns = TURNS
    words = WORDS

    def placement(self, position: Position) -> Mapping[Cell, str]:
        """Return the label that a camera should see on every cell."""
        return labels.placement(position)

    def with_confusions(self, evidence: Evidence) -> Evidence:
        """Distinguish neither faces nor flags under pawns: where each is is known, and a reading may mix up two."""
        return with_label_confusion(evidence, labels.kind_of, 1.0)

    def explanations(
        self, position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence
    ) -> Sequence[Hypothesis[Position, Action]]:
        """List what may have happened since a position."""
        return hypotheses.explanations(position, left_open, evidence)

    def score_seen(self, placement: Mapping[Cell, str], board: Board) -> tuple[Mapping[Seat, int], JsonObject]:  # noqa: ARG002 - all boards are alike
        """Return what a picture shows of a race, which is not a score."""
        return score_seen(placement)


ADAPTOR = RoyalRacersAdaptor()
"""The game's rules and its table, joined."""
