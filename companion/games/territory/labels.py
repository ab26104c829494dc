"""Positions of Territory as labels on spaces: the words of the table file."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Cell
from engines.territory.position import Position
from vision.labels import EMPTY

__all__ = ["EMPTY", "WHITE", "placement"]

WHITE = "white"


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every space."""
    board = position.board
    labels = dict.fromkeys(board.names, EMPTY)
    labels.update(dict.fromkeys(board.names_in(position.white), WHITE))
    for seat, spaces in zip(position.players, position.owners, strict=True):
        labels.update(dict.fromkeys(board.names_in(spaces), str(seat)))
    return labels
