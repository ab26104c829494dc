"""What the next player can answer a walk with: the strongest of the replies that are worth most as the board is now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.grid import Bitboard, CellIndex, bit
from engines.royal_tee.board import SIZE, Side
from engines.royal_tee.enclosure import enclosed_rows
from engines.royal_tee.position import LAST_SLIDER, Position
from engines.royal_tee.shapes import Rows, count, fitting, rows_of, words_of
from engines.royal_tee.survey import Holdings

_BARRED, _ENDING = -1000, 500


@dataclass(frozen=True, slots=True, eq=False)
class Replies:
    """The replies that are looked at.

    Attributes:
        rows: (12, k): the sets of spaces that they visit, those that take most first.
        others: the spaces of the players but the mover now, the next player's first.
        zone: the side of the next player's zone.
        closed: the spaces of Royal Tees that stay where they are.
    """

    rows: Rows
    others: tuple[Bitboard, ...]
    zone: Side
    closed: Bitboard

    @classmethod
    def of(cls, position: Position, most: int) -> Replies:
        """Find the next player's walks that take most as the board is now, the mover's Royal Tee being elsewhere."""
        place = position.place(position.turn)
        following = (place + 1) % len(position.players)
        slider = min(position.slider + (following == 0), LAST_SLIDER)
        others, zone = (*position.claimed[place + 1 :], *position.claimed[:place]), position.zones[following]
        still = (royal for seat, royal in enumerate(position.royals) if seat not in (place, following))
        closed = sum(bit(royal) for royal in still)
        rows = fitting(position.royals[following], slider, closed).rows
        stepped = rows | rows_of(others[0])[:, None]
        after = stepped | enclosed_rows(stepped, zone) & ~rows_of(closed)[:, None]
        best = np.argsort(-count(words_of(after)), kind="stable")[:most]
        return cls(np.ascontiguousarray(rows[:, best]), others, zone, closed)

    def strongest(self, mine: Rows, ends: Sequence[CellIndex], most: int) -> Holdings:
        """Answer several walks of the mover, each with that of the first replies that is best for who makes it.

        Args:
            mine: (12, n): the mover's spaces after each walk.
            ends: where each walk ends.
            most: that many replies are tried.

        Returns:
            Who holds what after the replies; as before if no reply is possible.
        """
        rows, theirs = self.rows[:, None, :most], (rows_of(self.others[0])[:, None] & ~mine)[:, :, None]
        closed = np.stack([rows_of(self.closed | bit(end)) for end in ends], axis=1)[:, :, None]
        stepped = rows | theirs
        flat = stepped.reshape(len(stepped), -1)
        after = stepped | enclosed_rows(flat, self.zone).reshape(stepped.shape) & ~closed
        held, kept = count(words_of(after)), count(words_of(mine[:, :, None] & ~after))
        barred: npt.NDArray[np.bool_] = np.bitwise_or.reduce(rows & closed, axis=0) != 0
        ending = _ENDING * (held + kept == SIZE * SIZE) * np.sign(held - kept)
        best = np.where(barred, _BARRED, held - kept + ending).argmax(axis=1)
        each = np.arange(len(best))
        now = np.where(barred[each, best], theirs[:, :, 0], after[:, each, best])
        left = (rows_of(held)[:, None] & ~mine & ~now for held in self.others[1:])
        return Holdings(mine & ~now, (now, *left))
