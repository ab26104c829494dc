"""The chain from a picture to probabilities for every cell: markers, pose, light, planes, labels, doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.board import Board, shipped_board, shipped_games
from vision.frame import ImageBgr
from vision.geometry import Floats, Lens, Pose
from vision.observation import Blind, BlindReason, Observation
from vision.pipeline.labeller import CellLabeller, Labelled
from vision.pipeline.light import estimate_light
from vision.pipeline.locate import Located, Shot, locate, search, still_there
from vision.pipeline.markers import Sightings, of_board, whose
from vision.pipeline.planes import choose_source, warp_planes
from vision.pipeline.refusal import BLURRED_EDGE_PX, blur_px, why_nothing

VISIBLE = 0.5
"""Probability of being seen below which nothing is built on a cell: the truth of the samples draws the line at half."""

MOST_CUT_OFF = 0.125
"""Share of the cells that may lie outside the picture before it is refused."""

MOST_ASTRAY_PITCH = 0.16
"""Standard deviation of a cell's place, in cells, from which on it is not known which cell is looked at."""


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
        shot = Shot.of(image_bgr)
        if self._located is not None and still_there(shot, self._board, self._located):
            return self._look(shot, self._located)
        return self.read_found(shot, search(shot))

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
        return self._why_not(shot, located) or located

    def _why_not(self, shot: Shot, located: Located) -> Blind | None:
        """Tell why a board that was found cannot be read all the same."""
        outside = 1 - _inside(self._board, located.estimate.pose, shot.size_wh).mean()
        if outside > MOST_CUT_OFF:
            return Blind(BlindReason.CUT_OFF, f"{outside:.0%} of the cells lie outside the picture")
        if len(located.sightings) < 3 and blur_px(shot.reduced_gray) > BLURRED_EDGE_PX:
            return Blind(BlindReason.BLURRED, "everything in the picture is blurred")
        if np.median(_astray(self._board, located)) > MOST_ASTRAY_PITCH:
            seen = len(located.sightings)
            return Blind(BlindReason.NO_BOARD, f"{seen} of 4 markers seen: too few to say where the board lies")
        return None

    def _look(self, shot: Shot, located: Located) -> Reading:
        board, pose = self._board, located.estimate.pose
        light = estimate_light(shot.image_bgr, board, pose, located.sightings)
        source = choose_source(shot.image_bgr, shot.reduced_bgr, board, pose)
        labelled = self._labeller.label(warp_planes(source, board, pose, light, self._labeller.heights_mm))
        placed = _inside(board, pose, shot.size_wh) & (_astray(board, located) <= MOST_ASTRAY_PITCH)
        return Reading(board.game, _observe(board, labelled, placed), pose)


def read_any(image_bgr: ImageBgr, boards: Sequence[Board]) -> Reading | Blind:
    """Read a picture of one of several tables; the markers tell of which.

    Raises:
        BoardFileError: the table that lies there cannot be read by this version.
    """
    shot = Shot.of(image_bgr)
    sightings = search(shot)
    board = whose(sightings, boards)
    if board is not None:
        return TableReader(board).read_found(shot, sightings)
    known = [shipped_board(game) for game in shipped_games()]
    return why_nothing(shot.gray, shot.reduced_gray, sightings, known)


def _observe(board: Board, labelled: Labelled, placed: NDArray[np.bool_]) -> Observation:
    """Join what was read with how well it could be seen: what cannot be seen can be anything."""
    seen = np.where(placed, labelled.p_visible, 0.0)[:, None]
    p = seen * labelled.p + (1 - seen) / labelled.p.shape[1]
    return Observation(board.cells, board.label_words, p, placed & (labelled.p_visible >= VISIBLE))


def _heads_mm(board: Board) -> Floats:
    """Middles of the cells at half the height of the lowest piece, float64 (n_cells, xyz)."""
    centres = board.centres_mm()
    return np.column_stack([centres, np.full(len(centres), min(piece.height for piece in board.pieces.values()) / 2)])


def _inside(board: Board, pose: Pose, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """Tell which cells lie in the picture, bool (n_cells,)."""
    pixels = pose.project(_heads_mm(board))
    return np.asarray(((pixels >= 0) & (pixels < np.asarray(size_wh))).all(axis=1))


def _astray(board: Board, located: Located) -> Floats:
    """Standard deviation of each cell's place, in cells, float64 (n_cells,)."""
    heads = _heads_mm(board)
    pose = located.estimate.pose
    aside = heads + np.array([board.grid.pitch[0], 0.0, 0.0])
    pitch_px = np.linalg.norm(pose.project(aside) - pose.project(heads), axis=1)
    return np.asarray(located.estimate.sigma_px(heads) / np.maximum(pitch_px, 1e-6), dtype=np.float64)
