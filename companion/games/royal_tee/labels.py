"""Positions as labels on cells: the words of the table file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from engines.grid import cells_in
from engines.kernel import Cell, JsonObject, Seat
from engines.royal_tee.board import NAMES, cell_name
from engines.royal_tee.position import Position
from vision.labels import EMPTY, Label, parse_label

__all__ = ["EMPTY", "is_royal", "owner", "placement", "royal_label", "score_seen"]

_ROYAL = "royal"


def royal_label(seat: Seat) -> str:
    """Return the label of a player's Royal Tee."""
    return str(Label(seat, _ROYAL))


def is_royal(label: str) -> bool:
    """Return whether a label is that of a Royal Tee."""
    return parse_label(label).kind == _ROYAL


def owner(label: str) -> Seat | None:
    """Return whose space a label makes a cell; None for an empty one."""
    return None if label == EMPTY else Seat(parse_label(label).piece)


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every cell; a Royal Tee stands there without a small tee."""
    labels = dict.fromkeys(NAMES, EMPTY)
    for seat, spaces, royal in zip(position.players, position.claimed, position.royals, strict=True):
        labels.update((cell_name(cell), str(seat)) for cell in cells_in(spaces))
        labels[cell_name(royal)] = royal_label(seat)
    return labels


def score_seen(placement: Mapping[Cell, str]) -> tuple[Mapping[Seat, int], JsonObject]:
    """Count the spaces of each colour in sight; one under a Royal Tee is its owner's.

    `detail` has the number of empty spaces.
    """
    spaces = Counter(seat for label in placement.values() if (seat := owner(label)) is not None)
    return dict(sorted(spaces.items())), {"empty": sum(label == EMPTY for label in placement.values())}
