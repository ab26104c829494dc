"""What is seen, as one player's walk feels it: numbers by space, so that the search needs no words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from companion.core.evidence import Evidence
from companion.core.verdicts import PendingPlacement
from companion.games.royal_tee.labels import placement, royal_label
from engines.grid import Bitboard, CellIndex
from engines.kernel import Seat
from engines.royal_tee.board import NAMES
from engines.royal_tee.position import Position


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The evidence beside the position before, for the walk of one player.

    Attributes:
        position: the position before, with the walker as `turn`.
        evidence: what is seen.
        labels: the label of every space before, by its number.
        left_open: things left to do from earlier turns, by space.
        before: log p that a space is as before, by space.
        tee, royal: log p of the walker's tee and Royal Tee, by space.
        gain: what a space adds to an explanation when it is claimed; 0 for the walker's own.
        most_probable, highest: the most probable label of each space, and its log p.
    """

    position: Position
    evidence: Evidence
    labels: tuple[str, ...]
    left_open: dict[CellIndex, PendingPlacement]
    before: list[float]
    tee: list[float]
    royal: list[float]
    gain: list[float]
    most_probable: tuple[str, ...]
    highest: list[float]

    @property
    def seat(self) -> Seat:
        """The walker."""
        return self.position.turn

    @property
    def own(self) -> Bitboard:
        """The walker's spaces before."""
        return self.position.claimed[self.position.place(self.seat)]

    @property
    def start(self) -> CellIndex:
        """Where the walker's Royal Tee stood."""
        return self.position.royal(self.seat)


def look(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> Seen:
    """Hold the evidence against the position before, for the walk of the player whose turn it is."""
    labels = tuple(placement(position).values())
    todos = {CellIndex(NAMES.index(todo.cell)): todo for todo in left_open}
    rows = evidence.log_p[[evidence.row[name] for name in NAMES]]
    column = evidence.column
    before = [float(rows[i, column[label]]) for i, label in enumerate(labels)]
    for cell, todo in todos.items():
        before[cell] = float(np.logaddexp(before[cell], rows[cell, column[todo.observed]])) - log(2.0)
    tee: list[float] = rows[:, column[position.turn]].tolist()
    royal: list[float] = rows[:, column[royal_label(position.turn)]].tolist()
    own = position.claimed[position.place(position.turn)]
    gain = [0.0 if own >> i & 1 else tee[i] - before[i] for i in range(len(NAMES))]
    most_probable = tuple(evidence.labels[j] for j in rows.argmax(axis=1))
    highest: list[float] = rows.max(axis=1).tolist()
    return Seen(position, evidence, labels, todos, before, tee, royal, gain, most_probable, highest)
