"""Marks that the detector of quadrangles did not read, because a lamp's mirror image veils part of them.

The levels of black and of white inside a mark are interpolated from its frame and from the white about it, so that a
veil that changes over the mark does not matter, and modules at which both are bright count for neither bit. An id is
accepted only if no other of the dictionary fits. A coloured lamp's image veils one colour less than the others: where
grey shows no mark, the darkest colour of each pixel may.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, Marks
from vision.board_sections import markers_in
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.localization.markers import module_is_white, modules_of
from vision.recognition.light import Illumination
from vision.recognition.mark_cells import SATURATED, STEPS, blank_cells, darkest_colours, gray_cells, sample_cells
from vision.recognition.marks import SURE_MODULE_PX, SeenMark, modules_px

_FRAME = 6
"""Modules along the side of a mark's black square."""

_LEAST_CONTRAST = 24.0
"""Grey levels by which black and white differ at least: five times the noise of a dim picture."""

_LEAST_MARGIN = 0.15
"""Part of that difference by which a module's level is at least away from the middle between black and white."""

_SMALLEST, _LARGEST = 0.5, 1.2
"""Sides of a dark thing, over a mark's side, that may be a mark or what is seen of one."""

_LEAST_FRAME, _MOST_UNCLEAR = 10, 2
"""Modules of the black frame that are seen dark, half of them, and that may be neither dark nor saturated: those at the
edge of a mirror image."""

_LEAST_SIDES = 2
"""Sides of a frame that stand out from the white beside them: the others may be veiled."""

_MORE = 1.25
"""Contrast of a cell in its darkest colours over that in grey, from which on those are searched for a mark, too."""

_THRESHOLDS = (0.4, 0.6, 0.8)
"""Levels between the darkest and the brightest of a cell by which dark things are found."""

_TURNS = np.radians((-6.0, -3.0, 0.0, 3.0, 6.0))
"""By how much a mark may be turned against the smallest rectangle about what is seen of it."""

_GRID = np.stack(np.meshgrid(*[np.arange(-3.5, 4.0)] * 2), axis=-1)
"""Middles of the modules of a mark and of the white about it, from its own middle, (8, 8, xy)."""

_OUTER = np.ones((_FRAME, _FRAME), np.bool_)
_OUTER[1:-1, 1:-1] = False
"""The frame among the modules of a mark."""


def look_again(
    image_bgr: ImageBgr, board: Board, marks: Marks, pose: Pose, *, light: Illumination, found: Set[str]
) -> tuple[NDArray[np.bool_], tuple[SeenMark, ...]]:
    """Look at each place on which no mark was `found` in a picture, uint8 (height, width, 3), if marks are large there.

    Returns:
        On which places nothing can be a mark, bool (n_places,), and the marks that are read on the others.
    """
    px = modules_px(board, marks, pose)
    blank, rows = np.zeros(len(px), np.bool_), np.flatnonzero(px >= SURE_MODULE_PX)
    rows = np.array([row for row in rows if board.places[row] not in found], np.intp)
    if not len(rows):
        return blank, ()
    cells, middle = sample_cells(image_bgr, board, marks, pose, rows.tolist())
    blank[rows] = blank_cells(cells, middle, light.white_at(board.places_mm()[rows], board.size), board, marks)
    smallest, recovered = min(marks.size_of(part) for part in marks.ids), []
    for row, cell in zip(rows, cells, strict=True):
        legible = not blank[row] and modules_of(marks.dictionary) == _FRAME
        if legible and (part := read_in_colours(cell, marks)) is not None:
            recovered.append(SeenMark(part, board.places[row], float(px[row]) * marks.size_of(part) / smallest))
    return blank, tuple(recovered)


def read_in_colours(cell_bgr: ImageBgr, marks: Marks) -> str | None:
    """Return the part whose mark is read in a sampled cell, uint8 (side, side, bgr): in grey or the darkest colour."""
    gray, darkest = gray_cells(cell_bgr), darkest_colours(cell_bgr).astype(np.float64)
    part = read_mark(gray, marks)
    return part if part or _contrast(darkest) < _MORE * _contrast(gray) else read_mark(darkest, marks)


def _contrast(levels: Floats) -> float:
    low, high = _extremes(levels)
    return 1 - low / max(high, 1.0)


def _extremes(levels: Floats) -> tuple[float, float]:
    """Return the 2nd and the 90th percentile of levels, without interpolation."""
    low, high = round(0.02 * (levels.size - 1)), round(0.9 * (levels.size - 1))
    ordered = np.partition(levels, (low, high), axis=None)
    return float(ordered[low]), float(ordered[high])


def read_mark(gray: Floats, marks: Marks) -> str | None:
    """Return the part whose mark is the only one that explains a sampled cell, float64 (side, side), if there is one.

    The smallest marks have `STEPS` samples a module.
    """
    parts = {number: part for part, number in marks.ids.items()}
    smooth = np.asarray(cv2.blur(gray, (STEPS - 1, STEPS - 1)), np.float64)
    # 1. What may be the modules of a mark, (8, 8), with the mark's size in mm: that which stands out most.
    low, high = _extremes(gray)
    sizes = sorted({marks.size_of(part) for part in marks.ids})
    found = []
    for share, size in product(_THRESHOLDS, sizes):
        dark = np.asarray(gray < low + share * (high - low), np.uint8)
        found += [(levels, size) for levels in _squares(dark, smooth, STEPS * size / sizes[0])]
    best = max(found, key=lambda one: _outstanding(one[0]).mean(), default=None)
    modules = None if best is None else _modules(best[0])
    if best is None or modules is None:
        return None
    # 2. The ids of the marks that explain these modules, and the one that has that size.
    (light, known), size = modules, best[1]
    fits = (_codes(marks.dictionary)[..., known] == light[known]).all(axis=2).any(axis=1)
    ids = np.flatnonzero(fits).tolist()
    of_size = {number for part, number in marks.ids.items() if marks.size_of(part) == size}
    return parts.get(ids[0]) if len(ids) == 1 and ids[0] in of_size else None


def _outstanding(levels: Floats) -> Floats:
    """Return the mean difference between each side of a frame and the white beside it, in grey levels, (4,)."""
    along, down = levels[1:-1], levels[:, 1:-1]
    white = np.stack([down[0], down[-1], along[:, 0], along[:, -1]])
    black = np.stack([down[1], down[-2], along[:, 1], along[:, -2]])
    return np.asarray((white - black).mean(axis=1))


def _squares(dark: NDArray[np.uint8], smooth: Floats, module: float) -> Iterator[Floats]:
    """Yield the levels (8, 8) where a mark with modules of that many samples may be: at dark parts inside a cell."""
    fine = (-0.25 * module, 0.0, 0.25 * module)
    count, labels, stats, _middles = cv2.connectedComponentsWithStats(dark, connectivity=8)
    side, length = _FRAME * module, len(dark)
    for k in range(1, count):
        left, top, width, height, area = (int(v) for v in stats[k])
        inside = left > 0 and top > 0 and left + width < length and top + height < length
        if not inside or not (_SMALLEST * _SMALLEST * side < area**0.5 < _LARGEST * side):
            continue
        points = np.argwhere(labels == k)[:, ::-1].astype(np.float32)
        (x, y), sides, degrees = cv2.minAreaRect(points)
        wide = np.array(sides) + 1.0
        if not ((wide > _SMALLEST * side) & (wide < _LARGEST * side)).all():
            continue
        # Squares that share edges with the rectangle, which may be only a part of a mark; those with a frame that
        #   stands out are moved and turned a little in all ways.
        turn = np.radians(degrees)
        steps = [(-gap / 2, 0.0, gap / 2) if gap > module / 2 else (0.0,) for gap in side - wide]
        for along, across in product(*steps):
            middle = (x, y) + np.array((along, across)) @ _axes(turn)
            if (_outstanding(_levels(smooth, middle, turn, module)) >= _LEAST_CONTRAST).sum() >= _LEAST_SIDES:
                for more, u, v in product(_TURNS, fine, fine):
                    yield _levels(smooth, middle + np.array((u, v)) @ _axes(turn), turn + more, module)


def _axes(turn: float) -> Floats:
    """Return the directions along and down a mark that is turned, (2, xy)."""
    return np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])


def _levels(smooth: Floats, middle: Floats, turn: float, module: float) -> Floats:
    """Return the levels of the modules of a mark and of the white around it, float64 (8, 8)."""
    at = (_GRID * module @ _axes(turn) + middle).astype(np.float32)
    return np.asarray(cv2.remap(smooth, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _modules(levels: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
    """Return which modules of the code are light and which can be seen, bool (16,), if the levels can be a mark's."""
    frame = levels[1:-1, 1:-1]
    white, black = _inside(levels)[1:-1, 1:-1], _inside(frame)
    contrast = white - black
    dark_frame = (contrast >= _LEAST_CONTRAST)[_OUTER]
    veiled_frame = (frame >= SATURATED)[_OUTER]
    if dark_frame.sum() < _LEAST_FRAME or (~dark_frame & ~veiled_frame).sum() > _MOST_UNCLEAR:
        return None
    share = ((frame - black) / np.maximum(contrast, 1.0))[1:-1, 1:-1]
    dark, light = share < 0.5 - _LEAST_MARGIN, share > 0.5 + _LEAST_MARGIN
    known = (dark | light) & (contrast >= _LEAST_CONTRAST)[1:-1, 1:-1]
    if veiled_frame.any():
        known &= dark | (frame < SATURATED)[1:-1, 1:-1]
    return light.ravel(), known.ravel()


def _inside(levels: Floats) -> Floats:
    """Return levels (n, n) interpolated from their edge (Coons, "Surfaces for computer-aided design", 1967)."""
    t = np.linspace(0, 1, len(levels))
    u, v = t[None, :], t[:, None]
    across = (1 - v) * levels[0] + v * levels[-1]
    along = (1 - u) * levels[:, :1] + u * levels[:, -1:]
    (a, b), (c, d) = levels[[0, -1]][:, [0, -1]]
    corners = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * c + u * d)
    return np.asarray(across + along - corners)


@lru_cache
def _codes(dictionary: str) -> NDArray[np.bool_]:
    """Return the code of every mark of a dictionary in each of its four turns, bool (n, 4, 16)."""
    drawn = [module_is_white(dictionary, number)[1:-1, 1:-1] for number in range(markers_in(dictionary))]
    return np.asarray([[np.rot90(code, turns).ravel() for turns in range(4)] for code in drawn])
