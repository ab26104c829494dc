"""Samples the cells of a table with marks from above, and decides which cells certainly bear no mark."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, Marks
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.localization.markers import modules_of

STEPS = 4
"""Samples along a module of the smallest mark."""

SATURATED = 250
"""Level from which on a colour may be brighter than the picture can show."""

_REACH = 0.6
"""Half the side of the square in which black is searched for, over the side of the largest mark."""

_REACH_STANDING, _MOST_INNER = 1.25, 0.75
"""The same where marks are on the two feet of standing figures: each is beside the middle of its cell; and the most of
what is sampled."""

_NODES = 9
"""Points along a cell that are projected; those between them are interpolated, to a hundredth of a pixel."""

_SAMPLED = 0.55
"""Half the side of what is sampled of a cell, over its pitch."""

_BLACK = 0.45
"""Level of each colour over that of the white beside it, below which a pixel is as dark as a mark's black."""

_BLACK_SHARE, _IN_PARTS = 0.11, 1.35
"""Part of the square that one black thing has where a third of a mark's frame can be seen, and how much more of it all
have together, as a finger over a mark's middle leaves it in parts. Strokes thinner than a module do not count: of bold
digits one has 0.08 and two have 0.13."""

_LIGHT, _CUT = 0.8, 0.1
"""Level over that of the lightest beside a black thing from which on it is as light, in the shadow of a piece's edge,
too; and the share of what is beside it that is darker, from which on something hides part of it: skin and sleeves are
darker than a mark's white in one colour at least. Beside whole print is its ground."""

_WITH_HIDDEN = 2.0
"""How much a black thing counts of which a part is hidden: half a mark or more may be."""

_MUCH = 0.3
"""Share of pixels saturated in all colours from which on half of a mark may be outshone."""

_PAPER = 0.6
"""Share of the pixels of a cell's edge that are darker than its ground: print, shadows, what is beside the cell."""

_DARKEST = 0.01
"""Share of the pixels of a part of a cell's edge that are as dark as its print."""

_OUTSHONE = 0.92
"""Level over that of the white beside it from which on black is no longer darker than noise makes white."""

_COLOURED = 0.5
"""Level of a colour over that of grey, below which what covers most of a cell is coloured and is no print's ground."""

_MIRRORED = 1.15
"""Level over that of white paper from which on light is mirrored: nothing else reflects more than white paper."""

_NEAR = 3 * STEPS + 1
"""Side of the square in which a mark's black has its white, in samples: a module and a half to each side. A tenth of a
cell is brighter than the white that counts, so that light digits and dots on dark ground do not make it black."""

_LIGHTER = 0.15
"""By how much a mark's black may be lighter than the darkest pixels beside it, over the level of white."""

_WHITE = 0.5
"""Level over that of white paper from which on something is white, even in shadow. Black is a mark's only near white as
wide as a module."""

_CROSS = cv2.getStructuringElement(cv2.MORPH_CROSS, (STEPS - 1, STEPS - 1))
"""What fits into a stroke of a module at any turn; a square does not fit into a frame that is turned by 45 degrees."""

_SECTORS = 8
"""Parts of a cell's edge. A lamp's mirror image is smooth: where print is seen dark in each, black in the middle is not
outshone."""


def sample_cells(
    image_bgr: ImageBgr, board: Board, marks: Marks, pose: Pose, rows: Sequence[int]
) -> tuple[NDArray[np.uint8], slice]:
    """Return samples of places with their edges, uint8 (n, side, side, bgr), and the part in which a mark can be."""
    step = min(marks.size_of(part) for part in marks.ids) / modules_of(marks.dictionary) / STEPS
    reach, inner = _SAMPLED * min(board.grid.pitch), _inner_mm(board, marks)
    count = round(reach / step)
    off = np.arange(-count, count + 1) * step
    middles = board.places_mm()[list(rows)]
    nodes = np.linspace(off[0], off[-1], _NODES)
    points = (middles[:, None] + np.stack(np.meshgrid(nodes, nodes), axis=-1).reshape(-1, 2)).reshape(-1, 2)
    known = pose.project_at(points, 0.0).reshape(len(middles), _NODES, _NODES, 2).astype(np.float32)
    # Interpolate along each side, not as a matrix product, which would use more cores.
    place = np.linspace(0, _NODES - 1, len(off), dtype=np.float32)
    low = np.minimum(place.astype(int), _NODES - 2)
    share = (place - low).astype(np.float32)[:, None]
    down = known[:, low] + share[..., None] * (known[:, low + 1] - known[:, low])
    at = (down[:, :, low] + share * (down[:, :, low + 1] - down[:, :, low])).reshape(-1, len(off), 2)
    cells = cv2.remap(image_bgr, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    edge = max(0, count - round(inner / step))
    return np.asarray(cells, np.uint8).reshape(len(middles), len(off), len(off), 3), slice(edge, 2 * count + 1 - edge)


def _inner_mm(board: Board, marks: Marks) -> float:
    """Return half the side of the square in which black is searched for, in mm; print is needed around it."""
    largest = max(marks.size_of(part) for part in marks.ids)
    if not marks.standing_mm:
        return _REACH * largest
    return min(_REACH_STANDING * largest, _MOST_INNER * _SAMPLED * min(board.grid.pitch))


def blank_cells(
    cells_bgr: NDArray[np.uint8], middle: slice, whites_bgr: Floats, board: Board, marks: Marks
) -> NDArray[np.bool_]:
    """Return in which sampled cells nothing can be a mark, bool (n,): nothing is black or outshone.

    There is none if each label has a mark. `whites_bgr` is as for `is_bare`, of each cell.
    """
    if all(marks.ids.keys() & label.single.parts() for label in board.cell_labels):
        return np.zeros(len(cells_bgr), np.bool_)
    largest = max(marks.size_of(part) for part in marks.ids)
    share = _BLACK_SHARE * (_REACH * largest / _inner_mm(board, marks)) ** 2
    bare = [is_bare(cell, middle, white, share) for cell, white in zip(cells_bgr, whites_bgr, strict=True)]
    return np.asarray(bare) & ~covered_cells(cells_bgr, middle, whites_bgr)


def covered_cells(cells_bgr: NDArray[np.uint8], middle: slice, whites_bgr: Floats) -> NDArray[np.bool_]:
    """Return which sampled cells are mostly covered by something dark, such as a sleeve, bool (n,).

    A dark print's ground is no darker than most cells', and no darker than its own edge unless a neighbour's piece is
    there.
    """
    edge, _inside = _sectors(cells_bgr.shape[1], middle.start, middle.stop)
    gray = gray_cells(cells_bgr).reshape(len(cells_bgr), -1)
    grounds = np.median(gray, axis=1)
    around = np.max([np.median(gray[:, sector], axis=1) for sector in edge], axis=0)
    levels = grounds / np.maximum(gray_cells(whites_bgr), 1.0)
    usual = float(np.median(levels)) if len(levels) > 1 else np.inf
    return np.asarray((grounds < _BLACK * around) & (levels < _BLACK * usual))


def is_bare(cell_bgr: ImageBgr, middle: slice, white_bgr: Floats, black_share: float = _BLACK_SHARE) -> bool:
    """Return whether nothing in the middle of a cell can be a mark or half of one.

    A lamp's mirror image lifts black as much as white: how far, the print on and about the cell shows in each colour.

    Args:
        cell_bgr: a sampled cell, uint8 (side, side, bgr).
        middle: the part that a mark can be in.
        white_bgr: levels that white paper has there, (bgr,).
        black_share: share of that part that one black thing has where a third of a mark's frame can be seen.
    """
    edge, inside = _sectors(len(cell_bgr), middle.start, middle.stop)
    least = darkest_colours(cell_bgr)
    saturated = float((least[middle, middle] >= SATURATED).mean())
    if saturated >= _MUCH and np.quantile(least.ravel()[np.concatenate(edge)], _PAPER) < _OUTSHONE * SATURATED:
        return False  # a mirror image on a cell that is not so bright itself
    smooth = cv2.blur(cell_bgr, (STEPS - 1, STEPS - 1)).astype(np.float32)
    bright = _quantile(cell_bgr.reshape(-1, 3), 0.9)
    beside = np.clip(
        cv2.dilate(smooth, np.ones((_NEAR, _NEAR), np.uint8)), 1.0, np.maximum(bright, 1).astype(np.float32)
    )
    levels, fine = smooth / beside, np.asarray(cell_bgr / beside, np.float32)
    most = np.maximum(_quantile(cell_bgr.reshape(-1, 3), 0.5), _quantile(cell_bgr[middle, middle].reshape(-1, 3), 0.9))
    mirrored = bool((most > _MIRRORED * white_bgr).any())
    brighter = _LIGHTER if mirrored and saturated < _MUCH else 0.0  # a small lamp is brightest in the middle
    veil = np.minimum(_veil(fine, edge) + brighter, _veil(fine, inside) + _LIGHTER)
    black_share *= max(0.5, 1 - saturated) if mirrored else 1.0  # what is outshone cannot be black
    shown, needs_all = veil <= _OUTSHONE, True
    if not shown.any():
        if saturated >= _MUCH:  # half a mark may be outshone
            return False
        veil, shown = np.full(3, _OUTSHONE, np.float32), np.ones(3, np.bool_)
        needs_all = not mirrored  # a warm lamp's image leaves black in blue alone
    white = _wide(_in_all(smooth > _WHITE * np.minimum(white_bgr, 255.0)))
    ground = _quantile(cell_bgr.reshape(-1, 3), 0.5).astype(np.float64)
    ground[ground < _COLOURED * gray_cells(ground)] = np.inf  # of a sleeve over the cell, which may be darker than ink
    dark = (levels < np.maximum(veil, _BLACK)) & (cell_bgr < _OUTSHONE * ground)
    black = _in_all(dark | ~shown) if needs_all else ~_in_all(~dark)
    near_white = np.asarray(cv2.dilate(white, np.ones((_NEAR, _NEAR), np.uint8)) > 0)
    in_middle = np.ascontiguousarray(_wide(np.asarray(black & near_white))[middle, middle])
    if not in_middle.any():
        return True
    paper = (smooth / np.clip(white_bgr, 1.0, 255.0)).min(axis=2)
    shares = _black_shares(in_middle, black[middle, middle], paper[middle, middle])
    return bool(max(shares) < black_share and sum(shares) < _IN_PARTS * black_share)


def _black_shares(wide: NDArray[np.uint8], black: NDArray[np.bool_], levels: Floats) -> list[float]:
    """Return the share of the middle of a cell that each wide black thing has: more if something hides part of it.

    Args:
        wide: the things.
        black: everything that is black, strokes that are thinner too.
        levels: of the darkest colour of each pixel.
    """
    near, at_edge = (np.ones((side, side), np.uint8) for side in (2 * STEPS + 1, STEPS + 1))
    ground = cv2.dilate(np.asarray(black, np.uint8), at_edge) == 0
    count, things = cv2.connectedComponents(wide, connectivity=4)
    shares = []
    for k in range(1, count):
        thing = np.asarray(things == k, np.uint8)
        beside = levels[(cv2.dilate(thing, near) > 0) & ground]
        is_cut = beside.size and (beside < _LIGHT * np.quantile(beside, 0.9)).mean() > _CUT
        shares.append(float(thing.mean()) * (_WITH_HIDDEN if is_cut else 1.0))
    return shares


def _veil(levels: NDArray[np.float32], sectors: Sequence[NDArray[np.intp]]) -> NDArray[np.float32]:
    """Return the level of the darkest print in each sector of a part of a cell, the highest of all sectors, (bgr,)."""
    pixels = levels.reshape(-1, 3)
    return np.asarray(np.max([_quantile(pixels.take(sector, axis=0), _DARKEST) for sector in sectors], axis=0))


def _quantile(levels: NDArray[Any], share: float) -> NDArray[Any]:
    """Return a quantile of each colour, without interpolation, (bgr,)."""
    place = int(share * (len(levels) - 1))
    return np.asarray(np.partition(levels, place, axis=0)[place])


@lru_cache
def _sectors(side: int, start: int, stop: int) -> tuple[list[NDArray[np.intp]], list[NDArray[np.intp]]]:
    """Return the sectors of a cell's edge and of its middle, each the places of its pixels, row by row."""
    inner = np.zeros((side, side), np.bool_)
    inner[start:stop, start:stop] = True
    along = np.arange(side) - (side - 1) / 2
    turn = np.arctan2(along[:, None], along) / (2 * np.pi) + 0.5
    edge = [~inner & ((turn * _SECTORS).astype(int) % _SECTORS == k) for k in range(_SECTORS)]
    middle = [inner & ((turn * 4).astype(int) % 4 == k) for k in range(4)]
    return [np.flatnonzero(sector) for sector in edge], [np.flatnonzero(sector) for sector in middle]


def _wide(is_so: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return a mask without what is narrower than a module; a cross is about as wide in every direction."""
    return np.asarray(cv2.morphologyEx(np.asarray(is_so, np.uint8), cv2.MORPH_OPEN, _CROSS), np.uint8)


def _in_all(is_so: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which pixels are True in all three colours (..., bgr); slices are faster than a sum over so few."""
    return np.asarray(is_so[..., 0] & is_so[..., 1] & is_so[..., 2])


def darkest_colours(cells_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the darkest colour of each pixel of sampled cells (..., bgr), uint8 (...,)."""
    return np.asarray(np.minimum(np.minimum(cells_bgr[..., 0], cells_bgr[..., 1]), cells_bgr[..., 2]))


def gray_cells(cells_bgr: NDArray[Any]) -> Floats:
    """Return sampled cells or colours (..., bgr) in grey, float64 (...,)."""
    return np.asarray(cells_bgr @ np.array([0.114, 0.587, 0.299]))
