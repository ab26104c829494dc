"""The board rectified to a view from straight above, once for each height of interest.

Seen at a slant, the head of a piece appears next to its cell. If the picture is warped at the head's own height, every
head is in the middle of its cell at any slant, and parts at other heights are smeared away from it (plane sweep:
Collins, "A space-sweep approach to true multi-image matching", 1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.recognition.light import Illumination, TableView

CELL_PX = 16
"""Default number of pixels along a cell's side in a plane."""

_SOURCE_DETAIL = 1.4
"""Pixels of the warped picture per pixel of a plane: enough for sharp planes, few enough to avoid aliasing."""

_LEAST_WIDTH_PX = 160
"""Least width of a reduced picture, even if a wrong pose puts the board very near."""

_KNOTS = 2
"""Knots per cell between which the warp is interpolated; lens distortion between them is below 0.01 px."""

Planes = NDArray[np.float32]
"""float32 (heights x bgr, rows px, columns px): white paper is 1, printed black 0; half a cell of margin per side."""


_LOOKED_AT, _LOOK_PX = 0.75, 3
"""The share of a cell's side that its look covers, and the usual side in pixels of the squares it is averaged over."""


_LAYERS, _RIM = 3, 0.05
"""Number of a piece's horizontal sections that are tested, and the width of its blurred edge, in cells."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaneSource:
    """A picture reduced for warping, uint8 (height, width, 3), and its width over the whole picture's."""

    image_bgr: ImageBgr
    scale: float


def choose_source(
    image_bgr: ImageBgr, reduced_bgr: ImageBgr, board: Board, pose: Pose, *, cell_px: int = CELL_PX
) -> PlaneSource:
    """Reduce a picture by averaging until a cell is only slightly larger than in a plane, where it has `cell_px`.

    `reduced_bgr` is the same picture, already reduced; it is used for speed if it is large enough.
    """
    # 1. The pixels along a cell in the middle of the board, and the reduction that follows.
    middle = np.asarray(board.size) / 2
    ends = pose.project_at(np.array([middle - board.grid.pitch, middle + board.grid.pitch]), 0.0)
    shown_px = float(np.linalg.norm(ends[1] - ends[0])) / np.sqrt(8)
    whole_width = image_bgr.shape[1]
    wanted = float(np.clip(_SOURCE_DETAIL * cell_px / max(shown_px, 1.0), min(1.0, _LEAST_WIDTH_PX / whole_width), 1.0))
    # 2. Resize from the smaller picture if that has a pixel for each pixel of a plane.
    larger = reduced_bgr if wanted * whole_width <= _SOURCE_DETAIL * reduced_bgr.shape[1] else image_bgr
    ratio = wanted * whole_width / larger.shape[1]
    by = cv2.INTER_AREA if ratio < 0.5 else cv2.INTER_LINEAR  # above a half, four pixels are the average
    small = cv2.resize(larger, None, fx=ratio, fy=ratio, interpolation=by) if ratio < 0.95 else larger
    return PlaneSource(np.asarray(small, dtype=np.uint8), small.shape[1] / whole_width)


def view_planes(view: TableView, board: Board, heights_mm: Sequence[float], *, cell_px: int = CELL_PX) -> Planes:
    """Return the planes of a board at heights in mm above it, from the picture that it was found in."""
    scaled, pose = view.scaled, view.pose
    source = choose_source(scaled.image_bgr, scaled.reduced_bgr, board, pose, cell_px=cell_px)
    return warp_planes(source, board, pose, view.light, heights_mm, cell_px=cell_px)


def warp_planes(
    source: PlaneSource,
    board: Board,
    pose: Pose,
    light: Illumination,
    heights_mm: Sequence[float],
    *,
    cell_px: int = CELL_PX,
) -> Planes:
    """Warp a picture to planes at heights in mm above the board, and divide by the light."""
    # 1. The warp's knots, (rows, columns, xy) in mm: half cells' centres, one more per side than planes.
    across, down = (count * _KNOTS + 2 * _KNOTS for count in (board.grid.columns, board.grid.rows))
    x, y = ((np.arange(count) + 0.5) / _KNOTS - 1.0 for count in (across, down))
    knots = np.stack(np.meshgrid(x, y), axis=-1) * np.asarray(board.grid.pitch) + np.asarray(board.grid.origin)
    # 2. Project the knots at each height to pixels of the reduced picture; pixel centres are at whole numbers.
    flat = knots.reshape(-1, 2)
    raised = np.concatenate([np.column_stack([flat, np.full(len(flat), h)]) for h in heights_mm])
    pixels = (pose.project(raised) + 0.5) * source.scale - 0.5
    # 3. Warp each plane, uint8 (heights, rows px, columns px, bgr).
    maps = pixels.reshape(len(heights_mm), *knots.shape).astype(np.float32)
    views = []
    for knot_map in maps:
        columns_px, rows_px = cv2.split(_spread(knot_map, cell_px))
        views.append(
            cv2.remap(source.image_bgr, columns_px, rows_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        )
    seen = np.asarray(views, np.uint8)
    # 4. Divide by the light: black to 0, white paper to 1.
    white = light.white_at(flat, board.size).reshape(*knots.shape[:2], 3)
    gain = _spread((1.0 / np.maximum(white - light.black, 4.0)).astype(np.float32), cell_px)
    black = light.black.astype(np.float32)[:, None, None]
    lit = np.subtract(seen.transpose(0, 3, 1, 2), black, dtype=np.float32, order="C")
    lit *= gain.transpose(2, 0, 1)
    return np.clip(lit, -0.25, 2.0, out=lit).reshape(len(seen) * 3, *seen.shape[1:3])


def coarse_looks(
    planes: Planes, places: Sequence[tuple[int, int]], cell_px: int, square_px: int = _LOOK_PX
) -> NDArray[np.float32]:
    """Return coarse pictures of the cells' middles at every height, float32 (n_cells, heights x bgr, n, n).

    Args:
        planes: as returned by `warp_planes`.
        places: row and column of each cell.
        cell_px: pixels along a cell.
        square_px: side of the squares that each pixel of the coarse pictures averages.
    """
    half = round(cell_px * _LOOKED_AT / 2 / square_px) * square_px
    middles = [(cell_px * (row + 1), cell_px * (column + 1)) for row, column in places]
    cells = np.stack([planes[:, y - half : y + half, x - half : x + half] for y, x in middles])
    n = 2 * half // square_px
    squares = cells.reshape(len(cells), len(planes), n, square_px, n, square_px)
    return np.asarray(squares.mean(axis=(3, 5), dtype=np.float32))


def clear_of_pieces(board: Board, pose: Pose, cell_px: int) -> NDArray[np.bool_]:
    """Return a mask of each place's pixels that no piece on its centre can hide, bool (n_places, px, px).

    A piece hides the circle of its foot, that of its top, which appears farther from the camera and larger, and
    everything between them.
    """
    places = board.places_mm()
    steps = ((np.arange(cell_px) + 0.5) / cell_px - 0.5)[:, None] * np.asarray(board.grid.pitch)
    spots = np.stack(np.meshgrid(steps[:, 0], steps[:, 1]), axis=-1)
    clear, rim = np.ones((len(places), cell_px, cell_px), dtype=np.bool_), _RIM * min(board.grid.pitch)
    for piece in board.pieces.values():
        radius = max(piece.diameter or 0.0, piece.head_diameter or 0.0, piece.size or 0.0) / 2
        for height in np.linspace(0.0, piece.height, _LAYERS):
            scale = pose.eye_mm[2] / max(pose.eye_mm[2] - height, 1.0)
            middle = (scale - 1.0) * (places - pose.eye_mm[:2])
            clear &= np.linalg.norm(spots[None] - middle[:, None, None], axis=3) > scale * radius + rim
    return clear


def _spread(knots: NDArray[np.float32], cell_px: int) -> NDArray[np.float32]:
    """Interpolate values at knots (rows, columns, n) to all pixels of a plane, without the outermost knots."""
    step = cell_px // _KNOTS
    rows, columns = knots.shape[:2]
    dense = cv2.resize(knots, (columns * step, rows * step), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(dense[step:-step, step:-step], dtype=np.float32)
