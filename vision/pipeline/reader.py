"""The chain from a picture to probabilities for every cell: markers, pose, light, planes, labels, doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.board import Board, shipped_board, shipped_games
from vision.frame import ImageBgr
from vision.geometry import Lens, Pose
from vision.observation import Blind, Observation
from vision.pipeline.labeller import CellLabeller, Labelled
from vision.pipeline.light import estimate_light
from vision.pipeline.locate import Located, Shot, locate, search, still_there
from vision.pipeline.markers import Sightings, of_board, whose
from vision.pipeline.planes import choose_source, warp_planes
from vision.pipeline.refusal import why_nothing
from vision.pipeline.trust import readable_cells, why_not

VISIBLE = 0.5
"""Probability of being seen below which nothing is built on a cell: the truth of the samples draws the line at half."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What was read of which table, and where it lies."""

    game: str
    observation: Observation
    pose: Pose


class TableReader:
    """Reads pictures of one table. It remembers where the table lay: while nothing moves, it need not be searched for.

    Args:
        board: the table.
        lens: the camera's, if it was calibrated; else it is estimated from the markers.

    Raises:
        BoardFileError: this table cannot be read.
    """

    def __init__(self, board: Board, lens: Lens | None = None) -> None:
        self._board = board
        self._lens = lens
        self._labeller = CellLabeller(board)
        self._located: Located | None = None

    def read(self, image_bgr: ImageBgr) -> Reading | Blind:
        """Read a picture, uint8 (height, width, 3), or tell why it cannot be read. Never raises on any picture."""
        shot = Shot(image_bgr)
        if self._located is not None and still_there(shot, self._board, self._located):
            return self._look(shot, self._located)
        return self.read_found(shot, search(shot))

    def forget(self) -> None:
        """Search for the table again in the next picture, as if it were the first."""
        self._located = None

    def read_found(self, shot: Shot, sightings: Sightings) -> Reading | Blind:
        """Read a picture in which the markers have been searched for."""
        self._located = None
        located = self._locate(shot, sightings)
        if isinstance(located, Blind):
            return located
        self._located = located
        return self._look(shot, located)

    def _locate(self, shot: Shot, sightings: Sightings) -> Located | Blind:
        located = locate(shot, self._board, sightings, self._lens) if of_board(sightings, self._board) else None
        if located is None:
            known = [shipped_board(game) for game in shipped_games() if game != self._board.game]
            return why_nothing(shot.gray, shot.reduced_gray, sightings, known)
        return why_not(shot, self._board, located) or located

    def _look(self, shot: Shot, located: Located) -> Reading:
        board, pose = self._board, located.estimate.pose
        light = estimate_light(shot.image_bgr, board, pose, located.sightings)
        source = choose_source(shot.image_bgr, shot.reduced_bgr, board, pose)
        labelled = self._labeller.label(warp_planes(source, board, pose, light, self._labeller.heights_mm))
        placed = readable_cells(board, located, shot.size_wh)
        return Reading(board.game, _observe(board, labelled, placed), pose)


class AnyTableReader:
    """Reads pictures of one of several tables; the markers tell of which.

    Raises:
        BoardFileError: one of these tables cannot be read.
    """

    def __init__(self, boards: Sequence[Board]) -> None:
        self._boards = boards
        self._readers = {board.game: TableReader(board) for board in boards}

    def read(self, image_bgr: ImageBgr) -> Reading | Blind:
        """Read a picture, uint8 (height, width, 3), or tell why it cannot be read. Never raises on any picture."""
        shot = Shot(image_bgr)
        sightings = search(shot)
        board = whose(sightings, self._boards)
        if board is not None:
            return self._readers[board.game].read_found(shot, sightings)
        known = [shipped_board(game) for game in shipped_games()]
        return why_nothing(shot.gray, shot.reduced_gray, sightings, known)


def _observe(board: Board, labelled: Labelled, placed: NDArray[np.bool_]) -> Observation:
    """Join what was read with how well it could be seen: what cannot be seen can be anything."""
    seen = np.where(placed, labelled.p_visible, 0.0)[:, None]
    p = seen * labelled.p + (1 - seen) / labelled.p.shape[1]
    return Observation(board.cells, board.label_words, p, placed & (labelled.p_visible >= VISIBLE))
