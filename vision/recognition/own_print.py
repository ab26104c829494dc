"""Compares the cells of a board that has no markers with the picture of the empty board in its table file.

The picture shows what is printed on each cell. A cell that shows that is open and empty; one that shows nothing of it,
although it would stand out, is covered by something, even if that has the ground's colour.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, cell_column_row
from vision.board_sections import Printed, empty_board
from vision.geometry import Floats
from vision.labels import EMPTY
from vision.localization.planes import view_planes
from vision.looks.ground import BLUR, HALF_EXPLAINED, shape_of, squares_about
from vision.recognition.labeller import OPEN, PIECE_SHOWS_GROUND, Labelled
from vision.recognition.light import TableView

_CELL_PX = 24
_HALF_PX, _OFF_PX = 10, 2
"""Half the side of what is compared of a cell, without its edges, where a sheet may end as the print does, and how far
off its place it may be, in pixels."""

_WIDE_PX = _HALF_PX + _OFF_PX

_ERRORS = 2.0
"""Standard errors that decide whether a cell shows its print (their usual 5 %)."""

_Array = NDArray[np.float32]


def weigh_print(board: Board, printed: Printed, view: TableView, labelled: Labelled) -> Labelled:
    """Return labels revised by whether each cell shows its own print."""
    at = [cell_column_row(place) for place in board.places]
    middles = [(_CELL_PX * (row + 1), _CELL_PX * (column + 1)) for column, row in at]
    planes = view_planes(view, board, (0.0,), cell_px=_CELL_PX), _empty_plane(board, printed)
    seen, own = (squares_about(shape_of(plane, _CELL_PX), middles, _WIDE_PX) for plane in planes)
    # 1. Some cells show their print for certain. As much of it as these show is usual: the picture may be less sharp.
    shown, error, _ = _shown(seen, own, np.ones(own.shape[1:], np.float32))
    certain = shown > _ERRORS * error
    if not certain.any():
        return labelled
    usual = float(np.median(shown[certain]))
    # 2. Cells that lack theirs are not empty: hidden if nothing is seen on them, else there is a piece.
    is_empty = np.equal(board.label_words, EMPTY)
    lacking = shown + _ERRORS * error < usual / 2
    hidden = lacking & (labelled.p[:, is_empty].sum(axis=1) > 0.5)
    unlikely = np.outer(lacking & ~hidden, is_empty)
    p_visible = np.where(hidden, np.minimum(labelled.p_visible, 1 - OPEN), labelled.p_visible)
    # 3. Cells that show theirs where any piece would hide it are probably empty.
    feet = [piece.diameter or piece.size or 0.0 for piece in board.pieces.values()]
    if min(feet):
        down, across = (np.mgrid[: 2 * _WIDE_PX, : 2 * _WIDE_PX] + 0.5 - _WIDE_PX) / _CELL_PX
        away_mm = np.hypot(across * board.grid.pitch[0], down * board.grid.pitch[1])
        of_foot, error, alike = _shown(seen, own, np.asarray(away_mm < min(feet) / 2, np.float32))
        bare = ~lacking & (of_foot > _ERRORS * error) & (alike > HALF_EXPLAINED)
        unlikely |= np.outer(bare, ~is_empty)
        p_visible = np.where(bare, np.maximum(p_visible, OPEN), p_visible)
    p = labelled.p * np.where(unlikely, PIECE_SHOWS_GROUND, 1.0)
    return replace(labelled, p=p / p.sum(axis=1, keepdims=True), p_visible=p_visible)


def _empty_plane(board: Board, printed: Printed) -> _Array:
    """Return the empty board as `warp_planes` would, in grey, float32 (1, rows px, columns px)."""
    gray = cv2.cvtColor(empty_board(printed), cv2.COLOR_BGR2GRAY).astype(np.float32) / printed.white
    to_picture = gray.shape[1] / printed.rectangle[2]
    # 1. Pixels of the picture along and at the start of a plane, which begins half a cell outside the grid.
    step = np.asarray(board.grid.pitch) / _CELL_PX * to_picture
    start = (np.asarray(board.grid.origin) - np.asarray(board.grid.pitch) / 2 - printed.rectangle[:2]) * to_picture
    matrix = np.column_stack([np.diag(step), start + step / 2 - 0.5])
    size = ((board.grid.columns + 1) * _CELL_PX, (board.grid.rows + 1) * _CELL_PX)
    # 2. Blur by what one pixel of the plane covers, and warp.
    sharp = cv2.GaussianBlur(gray, (0, 0), max(0.3, 0.4 * float(step.max())))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpAffine(sharp, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat[None], np.float32)


def _shown(seen: _Array, own: _Array, weights: _Array) -> tuple[Floats, Floats, Floats]:
    """Return how much of its print each cell shows, 1 being all, its standard error, and the correlation, (n,) each.

    `weights` are of the pixels that count, float32 (px, px).
    """
    inner = slice(_OFF_PX, -_OFF_PX)
    weights = weights[inner, inner] / weights[inner, inner].sum()

    def centred(cells: _Array) -> _Array:
        return np.asarray(cells - (weights * cells).sum(axis=(1, 2))[:, None, None], np.float32)

    prints = centred(own[:, inner, inner])
    strength = np.maximum((weights * prints**2).sum(axis=(1, 2)), 1e-9)
    found = []
    for down, right in product(range(2 * _OFF_PX + 1), repeat=2):
        # 1. Least squares: seen = slope * print + noise.
        cells = centred(seen[:, down : down + weights.shape[0], right : right + weights.shape[1]])
        slope = (weights * cells * prints).sum(axis=(1, 2)) / strength
        total = np.maximum((weights * cells**2).sum(axis=(1, 2)), 1e-9)
        found.append((slope * np.sqrt(strength / total), slope, np.maximum(total - slope**2 * strength, 0.0)))
    # 2. At the best offset. The noise is alike over the width of the blur, hence independent in as many places:
    places = (weights > 0).sum() / (BLUR * _CELL_PX) ** 2
    alike, slopes, noises = np.array(found).transpose(1, 0, 2)
    best = alike.argmax(axis=0), np.arange(len(seen))
    return slopes[best], np.sqrt(noises[best] / strength / places), alike[best]
