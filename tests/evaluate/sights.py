"""An eye that needs no pictures: what a good reader would say of a simulated table, from what is on it."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

import numpy as np

from companion.core.hypothesis import Rules
from companion.core.messages import FrameBlind, FrameRead
from companion.shell.frame_reader import FrameReader, Sight
from companion.simulator.hands import Tabletop
from engines.kernel import Cell
from tests.evaluate.disturbances import Disturbances, Trouble
from tests.evaluate.things import thing_on
from vision.errors import CameraError
from vision.frame import Frame
from vision.labels import EMPTY
from vision.observation import BlindReason, Observation
from vision.recognition.reader import Reading
from vision.simulation.scene import camera_over

COVERED_MM = 60.0
"""So far from the fingertips cells are hidden."""

SURE = 0.999


class TrueEye(FrameReader):
    """Sees every cell as it is, with a probability of nearly 1; those under a hand are hidden.

    Args:
        game: whose table it looks at.
        table_at: returns the table at a moment, in s since the first frame.
        next_frame_ns: waits for the next frame.
        disturbances: when it sees nothing; glare does not disturb it.
    """

    def __init__(
        self,
        game: Rules,
        table_at: Callable[[float], Tabletop],
        next_frame_ns: Callable[[], int],
        disturbances: Disturbances | None = None,
    ) -> None:
        self._disturbances = disturbances or Disturbances()
        self._camera, self.sight, self.repeats = None, None, False
        self._board, self._words = game.board(), game.board().label_words
        self._game = game.board().game
        self._column = {word: column for column, word in enumerate(self._words)}
        self._pose = camera_over(game.board(), (64, 48)).pose
        self._table_at, self._next_frame_ns = table_at, next_frame_ns
        self._first_ns: int | None = None
        self._last: Tabletop | None = None

    def look(self) -> FrameRead | FrameBlind:
        """Return what is on the table at the moment of the next frame."""
        at_ns = self._next_frame_ns()
        self._first_ns = at_ns if self._first_ns is None else self._first_ns
        time_s = (at_ns - self._first_ns) / 1e9
        table = self._table_at(time_s)
        if (refused := self._refused(time_s)) is not None:
            self._last = None
            return FrameBlind(refused, at_ns)
        still, self._last = table == self._last, table
        seen = self._observation(table)
        self.sight = Sight(Frame(np.zeros((48, 64, 3), np.uint8), at_ns), Reading(self._game, seen, self._pose))
        return FrameRead(seen, still, at_ns, table.card)

    def _refused(self, time_s: float) -> BlindReason | None:
        """Return why a picture of this moment could not be read.

        Raises:
            CameraError: the camera gives none.
        """
        now = self._disturbances.now(time_s)
        if Trouble.FAILURE in now:
            while Trouble.FAILURE in self._disturbances.now(time_s):
                time_s = (self._next_frame_ns() - (self._first_ns or 0)) / 1e9
                self._table_at(time_s)
            message = "the simulated camera gives no picture"
            raise CameraError(message)
        if Trouble.DARK in now:
            return BlindReason.DARK
        return BlindReason.BLURRED if self._disturbances.shakes(time_s) else None

    def _observation(self, table: Tabletop) -> Observation:
        placement = table.placement()
        truth = np.array([self._column.get(placement.get(Cell(cell), EMPTY), 0) for cell in self._board.places])
        bare = np.array([placement.get(Cell(cell), EMPTY) not in self._column for cell in self._board.places])
        visible = np.array([not _covered(table, x, y) for x, y in self._board.places_mm()])
        p = np.full((len(truth), len(self._words)), (1 - SURE) / (len(self._words) - 1))
        p[np.arange(len(truth)), truth] = SURE
        p[~visible | bare] = 1 / len(self._words)
        return Observation(self._board.places, self._words, p, visible)


def _covered(table: Tabletop, x_mm: float, y_mm: float) -> bool:
    thing = thing_on(table)
    middles = [hand.tip_mm for hand in table.hands] + ([thing.at_mm] if thing else [])
    return any(hypot(x_mm - x, y_mm - y) < COVERED_MM for x, y in middles)
