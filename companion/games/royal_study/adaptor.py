"""The Royal Study as the rest of the companion sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.evidence import Evidence, with_label_confusion
from companion.core.hypothesis import CardBeside, Hypothesis
from companion.core.verdicts import PendingPlacement
from companion.games.adaptor import TableAdaptor
from companion.games.royal_study import hypotheses, labels
from companion.games.royal_study.score import score_seen
from companion.games.royal_study.turning import beside
from companion.games.royal_study.turns import TURNS
from companion.games.royal_study.words import WORDS
from engines.kernel import Cell, Game, JsonObject, Seat
from engines.royal_study import GAME
from engines.royal_study.position import Action, Card, Position, Side
from vision.board import Board

if TYPE_CHECKING:
    from vision.recognition.objective import ObjectiveCard

__all__ = ["ADAPTOR", "RoyalStudyAdaptor"]


class RoyalStudyAdaptor(TableAdaptor[Position, Action]):
    """Joins the rules of The Royal Study with its table; fulfils `companion.games.adaptor.Adaptor`."""

    name = GAME.name
    engine: Game[Position, Action] = GAME
    turns = TURNS
    words = WORDS

    def placement(self, position: Position) -> Mapping[Cell, str]:
        """Return the label that a camera should see on every square."""
        return labels.placement(position)

    def with_confusions(self, evidence: Evidence) -> Evidence:
        """Doubt which piece stands on a square: the position before says it better."""
        return with_label_confusion(evidence, labels.kind_of, hypotheses.IDENTITY_ERROR)

    def explanations(
        self, position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence
    ) -> Sequence[Hypothesis[Position, Action]]:
        """List what may have happened since a position."""
        return hypotheses.explanations(position, left_open, evidence)

    def beside(self, position: Position, card: ObjectiveCard) -> CardBeside[Action]:
        """Return whether an objective card is drawn, or was turned or mirrored since a position."""
        return beside(position, Card(card.number, Side(card.side), card.quarter_turns))

    def score_seen(self, placement: Mapping[Cell, str], board: Board) -> tuple[Mapping[Seat, int], JsonObject]:  # noqa: ARG002 - all boards are alike
        """Return where the pieces stand, which is not a score."""
        return score_seen(placement)


ADAPTOR = RoyalStudyAdaptor()
"""The game's rules and its table, joined."""
