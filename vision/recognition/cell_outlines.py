"""Whether the outlines that a board's cells are printed with can be seen: what reaches over a cell covers part of one.

A hand, a sleeve or a cup that hides a piece crosses the outline of its cell, whatever its colour and however smooth.
The outline of a neighbour's side may be under that neighbour's piece instead, which its mark shows. Fingers and edges
of pieces are lines, too, but not straight ones along a whole side, and as far off its place as the opposite side's.
"""

from __future__ import annotations

from collections.abc import Set

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose

_LEAST_LEVELS, _LEAST_LOG = 5.0, 0.02
"""Grey levels by which a line differs at least from both of its flanks, three times what noise leaves of a dim
picture's mean over a part of a side; and the same as a ratio's natural logarithm: cloth and skin change less within so
few millimetres, and a lamp's mirror image leaves that much."""

_STEP = 0.02
"""Between the points that are sampled across a side, in cells."""

_REACH, _FLANKS = 5, (2, 4)
"""Steps by which a line may be off its place, a tenth of a cell as a board of which two markers are hidden can be; and
from the line to its flanks, of a sharp one and of a blurred one."""

_ALONG, _PARTS, _SAMPLES = 0.36, 3, 8
"""Half of a side that is looked at, in cells: places beside the cells have round corners; its parts, each of a third of
a mark or less; and the points along each."""

_SIDES = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])
"""Directions from a cell's middle to its sides, (4, xy)."""

_NODES = 3
"""Points along a side and across it that are projected; those between them are interpolated."""


def bare_cells(
    image_bgr: ImageBgr, board: Board, pose: Pose, blank: NDArray[np.bool_], found: Set[str]
) -> NDArray[np.bool_]:
    """Return where it can be seen in a picture, uint8 (height, width, 3), that there is no mark, bool (n_places,).

    That is on `blank` places, on which nothing can be one, where none was found, and nothing covers the printed
    outline, but for sides that a piece beside them hides. `found` has the places on which marks were read.
    """
    bare = np.asarray(blank & [place not in found for place in board.places])
    rows = np.flatnonzero(bare)
    if board.marks is None or not board.marks.outlined or not len(rows):
        return bare
    # 1. Sample each part of each side of the places, along and across, (n_rows, 4, along, across).
    gray, middles, pitch = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), board.places_mm(), np.asarray(board.grid.pitch)
    across = _STEP * (_REACH + max(_FLANKS))
    out, along = np.linspace(0.5 - across, 0.5 + across, _NODES), np.linspace(-_ALONG, _ALONG, _NODES)
    off = along[:, None, None] * _SIDES[:, None, None, ::-1] + out[None, :, None] * _SIDES[:, None, None]
    nodes = middles[rows][:, None, None, None] + off * pitch
    known = pose.project_at(nodes.reshape(-1, 2), 0.0).reshape(nodes.shape)
    length, width = _weights(_PARTS * _SAMPLES), _weights(2 * (_REACH + max(_FLANKS)) + 1)
    points = np.einsum("ai,bj,nsijc->nsabc", length, width, known, optimize=True)
    x, y = (points[..., k].reshape(len(points), -1).astype(np.float32) for k in (0, 1))
    sides = cv2.remap(gray, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    parts = sides.reshape(len(points), len(_SIDES), _PARTS, _SAMPLES, -1).mean(axis=3)
    # 2. Where across a side a line is seen along all of its parts, in each of them a step off at most: darker or
    #   lighter than both of its flanks.
    clear = (_depth(parts) >= _LEAST_LEVELS) & (_depth(np.log(np.maximum(parts, 1.0))) >= _LEAST_LOG)
    near = clear.copy()
    near[..., 1:] |= clear[..., :-1]
    near[..., :-1] |= clear[..., 1:]
    # 3. A side on whose other side a mark was read needs no line: that piece hides it.
    neighbours, marked = middles[rows][:, None] + _SIDES * pitch, middles[[one in found for one in board.places]]
    beside = (np.abs(neighbours[:, :, None] - marked) < pitch / 2).all(axis=-1).any(axis=-1)
    seen = near.all(axis=-2) | beside[..., None]
    # 4. Lines at opposite sides must be as far off their places, and the same way.
    up, right, down, left = np.moveaxis(seen, 1, 0)
    bare[rows] = (up[:, ::-1] & down).any(axis=1) & (left[:, ::-1] & right).any(axis=1)
    return bare


def _weights(count: int) -> Floats:
    """Return the weight of each node at that many points from the first to the last, float64 (count, nodes)."""
    place = np.linspace(0, _NODES - 1, count)
    return np.asarray(np.maximum(1 - np.abs(place[:, None] - np.arange(_NODES)), 0.0))


def _depth(levels: Floats) -> Floats:
    """Return by how much each point across differs from its flanks on both sides, the sharp or the blurred ones."""
    edge, count = max(_FLANKS), levels.shape[-1]
    line = levels[..., edge:-edge]
    depths = []
    for flank in _FLANKS:
        before, behind = (levels[..., edge + way : count - edge + way] - line for way in (-flank, flank))
        depths.append(np.maximum(np.minimum(before, behind), -np.maximum(before, behind)))
    return np.maximum(*depths)
