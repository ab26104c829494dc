"""What joins one engine with its table. The core's `Rules`, and what the commands need beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from companion.core.hypothesis import Rules
from companion.ui.words import GameWords
from engines.kernel import Cell, JsonObject, Seat
from vision.board import Board


class Adaptor(Rules, Protocol):
    """One game, joined: rules, table, and the way from one to the other."""

    @property
    def name(self) -> str:
        """The game's name in commands and JSON."""
        ...

    @property
    def words(self) -> GameWords:
        """The game's own sentences."""
        ...

    def board(self) -> Board:
        """Return the table file that ships for the game."""
        ...

    def score_seen(self, placement: Mapping[Cell, str], board: Board) -> tuple[Mapping[Seat, int], JsonObject]:
        """Score labels seen in a picture of a table, without a position: score of each seat, the protocol's `detail`.

        A "note" in `detail` is a sentence for people.
        """
        ...
