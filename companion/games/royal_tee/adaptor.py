"""Royal Tee as the rest of the companion sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis
from companion.core.verdicts import PendingPlacement
from companion.games.adaptor import TableAdaptor
from companion.games.royal_tee import hypotheses, labels
from companion.games.royal_tee.turns import TURNS
from companion.games.royal_tee.words import WORDS
from engines.kernel import Cell, Game, JsonObject, Seat
from engines.royal_tee import GAME
from engines.royal_tee.position import Action, Position
from vision.board import Board


class RoyalTeeAdaptor(TableAdaptor[Position, Action]):
    """Joins the rules of Royal Tee with its table; fulfils `companion.games.adaptor.Adaptor`."""

    name = GAME.name
    engine: Game[Position, Action] = GAME
    turns = TURNS
    words = WORDS

    def placement(self, position: Position) -> Mapping[Cell, str]:
        """Return the label that a camera should see on every cell."""
        return labels.placement(position)

    def bar(self, position: Position) -> int:
        """Return how many steps a walk has."""
        return position.slider

    def explanations(
        self, position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence
    ) -> Sequence[Hypothesis[Position, Action]]:
        """List what may have happened since a position."""
        return hypotheses.explanations(position, left_open, evidence)

    def score_seen(self, placement: Mapping[Cell, str], board: Board) -> tuple[Mapping[Seat, int], JsonObject]:  # noqa: ARG002 - all boards score alike
        """Count the spaces of each colour in sight; one under a Royal Tee is its owner's.

        `detail` has the number of empty spaces.
        """
        spaces = Counter(seat for label in placement.values() if (seat := labels.owner(label)) is not None)
        return dict(sorted(spaces.items())), {"empty": sum(label == labels.EMPTY for label in placement.values())}


ADAPTOR = RoyalTeeAdaptor()
