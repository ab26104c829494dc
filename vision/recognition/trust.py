"""Checks whether a located board can be read: enough of it in the picture, sharp, and placed precisely enough."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Floats, Lens, Pose
from vision.labels import parse_label
from vision.localization.locate import Located, ScaledImage, locate, search_board
from vision.observation import Blind, BlindReason
from vision.recognition.light import TableView, estimate_light
from vision.recognition.refusal import BLURRED_EDGE_PX, blur_px, is_blurred

MOST_CUT_OFF = 0.125
"""Largest share of the cells outside the picture; with more the picture is rejected."""

MOST_SIGMA_PITCH = 0.16
"""Largest standard deviation of a place's position, in cells; above it, the place may be confused with another."""

_FAR_PITCH = 0.22
"""Position error, in cells, from which on a neighbour may be read instead of the place. In training pictures with two
markers of a side covered, 2, 5 and 17 % of the cells were wrong if places were off by 0.06, 0.085 and 0.115 cells."""

_NEXT_PITCH = 0.5
"""The same for a place whose print is seen; half a cell away begins the print of the next one."""


def rejection_reason(scaled: ScaledImage, board: Board, located: Located) -> Blind | None:
    """Return why a located board cannot be read; None if it can."""
    outside = 1 - _inside(board, located.estimate.pose, scaled.size_wh).mean()
    if outside > MOST_CUT_OFF:
        return Blind(BlindReason.CUT_OFF, {"outside": float(outside)})
    if len(located.detections) < 3 and blur_px(scaled.reduced_gray) > BLURRED_EDGE_PX:
        return Blind(BlindReason.BLURRED)
    if np.median(_sigma_pitch(board, located)) <= MOST_SIGMA_PITCH:
        return None
    if is_blurred(scaled.reduced_gray, [board], len(located.detections)):
        return Blind(BlindReason.BLURRED)
    return Blind(BlindReason.NO_BOARD, {"markers": len(located.detections)})


def view_table(image_bgr: ImageBgr, board: Board, lens: Lens | None = None) -> TableView | None:
    """Return the table in a picture, uint8 (height, width, 3); None if the reader would refuse it."""
    scaled = ScaledImage(image_bgr)
    located = locate(scaled, board, search_board(scaled, board), lens)
    if located is None or rejection_reason(scaled, board, located):
        return None
    return TableView(scaled, located, estimate_light(image_bgr, board, located.estimate.pose, located.detections))


def readable_cells(board: Board, located: Located, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """Return a mask of the places inside the picture with a position precise enough to read, bool (n_places,)."""
    placed = _sigma_pitch(board, located) <= MOST_SIGMA_PITCH
    return np.asarray(_inside(board, located.estimate.pose, size_wh) & placed)


def misplaced(board: Board, located: Located, in_step: NDArray[np.bool_] | None = None) -> Floats:
    """Return the probability that another place is read because the pose is off, float64 (n_places,).

    The errors of both coordinates are normal, so the distance is Rayleigh distributed. Places with a print that repeats
    `in_step` with the grid, bool (n_places,), can only be off by a whole cell.
    """
    far = _FAR_PITCH if in_step is None else np.where(in_step, _NEXT_PITCH, _FAR_PITCH)
    return np.asarray(np.exp(-(far**2) / (2 * np.maximum(_sigma_pitch(board, located), 1e-6) ** 2)))


def tops_inside(board: Board, labels: Sequence[str], pose: Pose, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """Return a mask of the places whose pieces' heads are at least half inside the picture, bool (n_places,)."""
    tops_mm = []  # three quarters of the height of the highest piece or stack
    for label in map(parse_label, labels):
        kinds = [board.piece_of(label), *(kind for kind, _ in label.on_card)]
        heights = [board.pieces[kind].height for kind in kinds if kind is not None]
        tops_mm.append(0.75 * max(heights, default=0.0) * label.height)
    return _is_shown(pose.project(np.column_stack([board.places_mm(), tops_mm])), size_wh)


def _heads_mm(board: Board) -> Floats:
    """Return the places' centres at half the height of the lowest piece, float64 (n_places, xyz) in mm."""
    centres = board.places_mm()
    return np.column_stack([centres, np.full(len(centres), min(piece.height for piece in board.pieces.values()) / 2)])


def _inside(board: Board, pose: Pose, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """Return a mask of the places inside the picture, bool (n_places,)."""
    return _is_shown(pose.project(_heads_mm(board)), size_wh)


def _is_shown(pixels: Floats, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    return np.asarray(((pixels >= 0) & (pixels < np.asarray(size_wh))).all(axis=1))


def _sigma_pitch(board: Board, located: Located) -> Floats:
    """Return the standard deviation of each place's position, in cells, float64 (n_places,)."""
    heads = _heads_mm(board)
    pose = located.estimate.pose
    aside = heads + np.array([board.grid.pitch[0], 0.0, 0.0])
    pitch_px = np.linalg.norm(pose.project(aside) - pose.project(heads), axis=1)
    return np.asarray(located.estimate.sigma_px(heads) / np.maximum(pitch_px, 1e-6), dtype=np.float64)
