"""Changes between two looks at a board: pixels that are covered, and pixels that are only lit differently.

Light multiplies, so a shadow keeps the slopes of the logarithm, while a hand replaces them. This distinguishes the two
for any skin, sleeve or glove. Where the board has no slopes, colour decides.

The light on the whole board changes by a smooth factor. Its logarithm is a plane at first, then a quadratic over the
view, one for each channel. It is fitted to the means of blocks by iteratively reweighted least squares with Tukey's
biweight (Huber, Robust Statistics, 1981), so blocks under a hand or in a shadow get no weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Floats, Floats32
from vision.occlusion.gate_look import Mask, PatchComparison, mean_of

# ---- the smooth change of light

_BLOCKS = 24
_REACHES = ((3, 0.35), (3, 0.25), (6, 0.2), (6, 0.15))
"""Number of terms and width of the biweight in each round of the fit."""

_STIFFNESS = 0.5
"""Ridge on slope and curvature, in blocks, which limits extrapolation from few blocks."""


_V, _U = (axis.ravel() for axis in np.mgrid[-1 : 1 : _BLOCKS * 1j, -1 : 1 : _BLOCKS * 1j])
_TERMS = np.column_stack([np.ones(len(_U)), _U, _V, _U * _U, _U * _V, _V * _V])
"""1, u, v, u², uv, v² for every block, u and v from -1 to 1."""


def _fit(terms: Floats, logs: Floats) -> Floats:
    """Return the coefficients (6, bgr) of the change that most blocks agree on."""
    # Iteratively reweighted least squares: weigh each block by how well the last fit explains it, fit again; from an
    #   even change over a plane to a quadratic, with ever narrower weights.
    coefficients = np.zeros((6, 3))
    if len(logs) == 0:
        return coefficients
    # Start from no change or a uniform one, the median, whichever more blocks agree with.
    starts = np.stack([np.zeros(3), np.median(logs, axis=0)])
    coefficients[0] = starts[int(np.argmax([_biweight(logs - start, _REACHES[0][1]).sum() for start in starts]))]
    for count, reach in _REACHES:
        weights = _biweight(logs - terms @ coefficients, reach)
        coefficients[:] = 0.0
        used, ridge = terms[:, :count], np.diag([1e-6] + [_STIFFNESS] * (count - 1))
        weighted = used * weights[:, None]
        coefficients[:count] = np.linalg.solve(weighted.T @ used + ridge, weighted.T @ logs)
    return coefficients


def _biweight(misfits: Floats, reach: float) -> Floats:
    worst = np.abs(misfits).max(axis=1) / reach
    return np.asarray(np.maximum(1 - worst**2, 0.0) ** 2)


# ---- what is covered, and what is lit differently

_LEAST_LEVELS = 10.0
"""Least change in grey levels that counts; averaged noise and compression stay below it."""

_RELATIVE = 0.06
_EDGE_SHARE = 0.35
"""Share of an edge's height that a shift by a fraction of a pixel may change."""

_WINDOW_PX = 21
"""Side of the windows in which slopes are compared, some 4 cm; nearly every one contains print."""

_TEXTURE = 0.012
"""Root mean square of slopes from which on a window has structure to compare."""

_KEPT, _NEW = 0.5, 0.2
"""Least shares of the earlier slopes that are kept, and of the present slopes that are old; a shadow's edge is new."""

_CHROMA, _MOST_CHROMA = 0.14, 0.35
"""Differences between the channels' logarithms: a shadow's bluer light is mostly below the first, never above the
second."""

_FAINT, _FAINT_PX = 0.07, 15
"""A shadow too faint for single pixels is detected by the mean over some 3.5 cm, where noise and edges cancel."""

_EXPOSED = (16.0, 240.0)
"""Grey levels between which a small change of light is visible."""

_DEEPEST = 1.6
"""Most that a shadow takes off the logarithm (four fifths of the light)."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """The change between two looks; masks are uint8 (height, width).

    Attributes:
        light: the size of the smooth change of light, as `changed_levels` returns it.
        valid: a mask of the part of the view that is in both pictures.
        covered: a mask of the pixels that show something else.
        darker, brighter: masks of the pixels that show the same thing in a different light than their surroundings.
        kept: the share of the board's slopes that are still there; 1 for all, about 0 if something else is seen.
    """

    light: float
    valid: Mask
    covered: Mask
    darker: Mask
    brighter: Mask
    kept: float


def changed_levels(
    before: PatchComparison, now: PatchComparison, valid: Mask, least: float = _LEAST_LEVELS
) -> tuple[float, Floats32, Mask]:
    """Return the smooth change of light between two looks, and a mask of the pixels that it does not explain.

    The change is returned as its size and as the logarithm of the factor on every level, float32 (height, width, bgr).
    The size is the largest of any channel, as a share, leaving out the fifth of the blocks that changed most. `valid`
    is a mask of what is inside both pictures.
    """
    # 1. Means of the change of logarithms over blocks that are almost wholly in both pictures.
    share = cv2.resize(valid, (_BLOCKS, _BLOCKS), interpolation=cv2.INTER_AREA).astype(np.float64) / 255
    seen = share.ravel() > 0.9
    means = cv2.resize(now.logs - before.logs, (_BLOCKS, _BLOCKS), interpolation=cv2.INTER_AREA)
    # 2. Fit the smooth factor to them, and bring it back to the size of the view.
    fitted = _TERMS @ _fit(_TERMS[seen], means.reshape(-1, 3)[seen].astype(np.float64))
    light = float(np.quantile(np.abs(fitted[seen]).max(axis=1), 0.8)) if seen.any() else 0.0
    grid = fitted.reshape(_BLOCKS, _BLOCKS, 3).astype(np.float32)
    logs = np.asarray(cv2.resize(grid, valid.shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)
    # 3. What the levels should be if only the light had changed.
    expected = np.minimum(before.levels * cv2.exp(logs), np.float32(255.0))
    # 4. The largest deviation of any channel, against a tolerance: a constant for noise, a share of the level, and a
    #   share of the local range, since at edges a small shift changes much.
    largest = _extreme(np.maximum, np.abs(now.levels - expected))
    tolerance = cv2.addWeighted(mean_of(expected), _RELATIVE, cv2.max(before.range, now.range), _EDGE_SHARE, least)
    above = np.asarray(cv2.compare(largest, np.asarray(tolerance, np.float32), cv2.CMP_GT), np.uint8)
    return light, logs, above & valid


def compare(before: PatchComparison, now: PatchComparison, board: Mask) -> Change:
    """Return the change between two looks; `board` is a mask of the board in the view."""
    # 1. Where the levels differ from what the light alone explains.
    valid = before.inside & now.inside
    light, light_logs, differs = changed_levels(before, now, valid)
    # 2. Light multiplies, so the slopes of the logarithm stay under a shadow; a hand replaces them by its own.
    (x, y), (now_x, now_y) = before.slopes, now.slopes
    slopes = (x * now_x + y * now_y, x * x + y * y, now_x * now_x + now_y * now_y)
    kept, all_of_them = (cv2.mean(plane, mask=valid & board)[0] for plane in slopes[:2])
    # 3. The local change of light beyond the smooth one; the same slopes in other light are relit, the rest is
    #   covered.
    excess = np.asarray(cv2.blur(now.logs - before.logs - light_logs, (5, 5)), np.float32)
    relit = differs & _relit(excess, slopes, differs) if differs.any() else differs
    covered = np.asarray(differs & ~relit, np.uint8)
    # 4. Shadows too faint for single pixels: wide areas whose light has changed slightly, by a mean over a window.
    uncovered, size = valid & ~covered & _exposed(before) & _exposed(now), (_FAINT_PX, _FAINT_PX)
    there = np.asarray(uncovered > 0, np.float32)
    count = np.maximum(cv2.boxFilter(there, -1, size), 0.3)
    mean = np.asarray(cv2.boxFilter(there * mean_of(excess), -1, size), np.float32) / count
    wide = np.where(np.abs(mean) > _FAINT, 255, 0).astype(np.uint8)
    relit |= np.asarray(cv2.morphologyEx(wide, cv2.MORPH_OPEN, np.ones(size, np.uint8)), np.uint8) & uncovered
    darker = np.where(mean_of(excess) < 0, 255, 0).astype(np.uint8)
    return Change(light, valid, covered, relit & darker, relit & ~darker, kept / max(all_of_them, 1e-12))


def _relit(excess: Floats32, slopes: tuple[Floats32, Floats32, Floats32], differs: Mask) -> Mask:
    """Return a mask of the pixels that may show the same thing in a different light, within `differs`.

    `excess` is the change of the logarithms beyond the smooth change of light, float32 (height, width, bgr); `slopes`
    are the product of the slopes of two looks, and the square of each look's slopes, float32 (height, width).
    """
    # 1. Sums over a window of the product and the squares of the slopes before and now.
    there = np.asarray(differs > 0, np.float32)
    planes, window = (np.ones_like(there), *slopes), (_WINDOW_PX, _WINDOW_PX)
    count, kept, before, now = (cv2.boxFilter(there * plane, -1, window, normalize=False) for plane in planes)
    # 2. Where there was texture: enough of it is kept, and not much is new. Elsewhere colour decides: light hardly
    #   tints.
    textured = before > _TEXTURE**2 * np.maximum(count, 1.0)
    tint = _extreme(np.maximum, excess) - _extreme(np.minimum, excess)
    same = np.where(textured, (kept > _KEPT * before) & (kept > _NEW * now), tint < _CHROMA)
    # 3. In any case the tint must be small, and no shadow takes more than _DEEPEST.
    plausible = same & (tint < _MOST_CHROMA) & (np.abs(mean_of(excess)) < _DEEPEST)
    return np.where(plausible, 255, 0).astype(np.uint8)


def _exposed(look: PatchComparison) -> Mask:
    """Return a mask of the pixels that are neither black nor saturated."""
    brightest = _extreme(np.maximum, look.levels)
    return np.asarray(cv2.inRange(brightest, _EXPOSED[0], _EXPOSED[1]), np.uint8)


def _extreme(choose: Callable[[Floats32, Floats32], Floats32], image: Floats32) -> Floats32:
    """Return the largest or smallest channel of each pixel, float32 (height, width)."""
    return choose(choose(image[..., 0], image[..., 1]), image[..., 2])
