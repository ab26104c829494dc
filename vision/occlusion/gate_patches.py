"""Detection of hands among the covered pixels: patches that cross the margin, or are larger than pieces."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np

from vision.occlusion.gate_look import BOARD_PX, Mask, PatchComparison

_SPECK_PX = 2
_JOINED_PX = 13
"""Gaps of up to 2.5 cm are closed: a sleeve of the board's colour shows only where it hides lines and holes."""

_TOUCHING_PX = 3
"""Gaps of up to 7 mm within one object are closed; gaps between pieces on neighbouring cells are wider."""

_FINGER_PX = 5
"""Least width of a finger, 1 cm; narrower parts are dropped."""

_BAND_PX = 4
"""Width of the view's border, which an arm crosses."""

_WINDOW_PX = 21
_LEAST_ON_BOARD = 0.003
"""Least share of the board that a patch covers; a crossing of a Go board has as much."""

_ARM_WIDTH = 0.06
"""Least width of an arm at the margin, over the board's side; a tall piece's head is narrower."""

_LARGE, _HUGE = 0.05, 0.12
"""Shares of the board: one or two pieces of any game stay below the first, a handful below the second."""


class PatchKind(Enum):
    """The kind of a patch; the value is the time in seconds after which it becomes part of the clean board."""

    ARM = 30.0
    HUGE = 20.0
    LARGE = 1.0
    SLIM = 1.5
    """It crosses the margin, but is so slim that it may be a tall piece at the edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A patch that may be a hand, and its mask, uint8 (height, width).

    `solid` is the part of the mask that is large or connected to the margin. Pieces set down close to an arm are not in
    it; they are in the patch only because gaps are closed.
    """

    kind: PatchKind
    mask: Mask
    solid: Mask


def hands_in(covered: Mask, valid: Mask, board: Mask) -> list[Patch]:
    """Return the patches of the covered pixels that may be hands; `valid` is a mask of what can be compared."""
    # 1. Connected patches of what is covered, specks left out and small gaps closed.
    count, labels, stats, _ = cv2.connectedComponentsWithStats(_clean(covered, _JOINED_PX), connectivity=4)
    board_px = float(cv2.countNonZero(board))
    large = [label for label in range(1, count) if stats[label, cv2.CC_STAT_AREA] >= _LEAST_ON_BOARD * board_px]
    if not large:
        return []
    # 2. A band along the inner border of what can be compared, which arms cross.
    kernel = np.ones((2 * _BAND_PX + 1, 2 * _BAND_PX + 1), np.uint8)
    inner = np.asarray(cv2.erode(valid, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=(0.0,)), np.uint8)
    band = valid & ~inner
    # 3. The objects that cross the margin or are large, without closing gaps between pieces.
    number, objects, sizes, _ = cv2.connectedComponentsWithStats(_clean(covered, _TOUCHING_PX), connectivity=4)
    incoming = set(np.unique(objects[band > 0]))
    kept = [n for n in range(1, number) if n in incoming or sizes[n, cv2.CC_STAT_AREA] >= _LARGE * board_px]
    solid = np.where(np.isin(objects, kept), 255, 0).astype(np.uint8)
    patches = []
    for label in large:
        # 4. Its kind follows from its share of the board and from its width where it crosses the view's border.
        mask = np.where(labels == label, 255, 0).astype(np.uint8)
        on_board, at_border = cv2.countNonZero(mask & board) / board_px, cv2.countNonZero(mask & band)
        if on_board < _LEAST_ON_BOARD or (not at_border and on_board < _LARGE):
            continue
        if at_border:
            kind = PatchKind.ARM if at_border / _BAND_PX / BOARD_PX >= _ARM_WIDTH else PatchKind.SLIM
        else:
            kind = PatchKind.HUGE if on_board >= _HUGE else PatchKind.LARGE
        patches.append(Patch(kind, mask, mask & solid))
    return patches


def standing_out(mask: Mask, look: PatchComparison) -> float:
    """Return the median difference in grey levels between the two sides of a patch's contour."""
    ring = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    contour = (ring > 0) & (look.inside > 0)
    # The mean of the levels on each side around each pixel, in a window of some 4 cm.
    means, window = [], (_WINDOW_PX, _WINDOW_PX)
    for side in (mask, ~mask & look.inside):
        share = (side > 0).astype(np.float32)[..., None]
        weight = np.maximum(cv2.boxFilter(share, -1, window), 1e-3)
        means.append((cv2.boxFilter(look.levels * share, -1, window) / weight[..., None])[contour])
    return float(np.median(np.abs(means[0] - means[1]).max(axis=1))) if contour.any() else 0.0


def _clean(covered: Mask, gap_px: int) -> Mask:
    """Return a mask without specks and parts too narrow for a finger, with gaps of up to `gap_px` closed."""
    steps = ((cv2.MORPH_OPEN, _SPECK_PX), (cv2.MORPH_CLOSE, gap_px), (cv2.MORPH_OPEN, _FINGER_PX))
    for step, size_px in steps:
        covered = np.asarray(cv2.morphologyEx(covered, step, np.ones((size_px, size_px), np.uint8)), np.uint8)
    return covered
