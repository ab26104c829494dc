"""What most games' adaptors have in common: a table as it ships, no slider, no doubt of their own, no card beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from companion.core.evidence import Evidence
from engines.kernel import JsonObject
from vision.board import Board, shipped_board

if TYPE_CHECKING:
    from vision.recognition.objective import ObjectiveCard


class TableAdaptor:
    """The parts of `companion.games.adaptor.Adaptor` that a game only writes where it differs."""

    name: str

    def board(self) -> Board:
        """Give the table file that ships for the game."""
        return shipped_board(self.name)

    def slider(self, position: Any) -> int:  # noqa: ARG002 - most games have no slider
        """Give 0: the game has no slider."""
        return 0

    def with_confusions(self, evidence: Evidence) -> Evidence:
        """Give evidence as it is: all labels look unlike one another."""
        return evidence

    def done_beside(self, position: Any, card: ObjectiveCard | None) -> Sequence[JsonObject]:  # noqa: ARG002 - no such cards
        """Give nothing: no card lies beside the board."""
        return ()
