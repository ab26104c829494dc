"""The change of light on a board between two looks: a smooth factor, robust against hands and shadows.

The logarithm of the factor is a plane at first, then a quadratic over the view, one for each channel. It is fitted to
the means of blocks by iteratively reweighted least squares with Tukey's biweight (Huber, Robust Statistics, 1981), so
blocks under a hand or in a shadow get no weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Floats, Floats32
from vision.occlusion.gate_look import Mask, PatchComparison

_BLOCKS = 24
_REACHES = ((3, 0.35), (3, 0.25), (6, 0.2), (6, 0.15))
"""Number of terms and width of the biweight in each round of the fit."""

_STIFFNESS = 0.5
"""Ridge on slope and curvature, in blocks, which limits extrapolation from few blocks."""


def _terms() -> Floats:
    """Return 1, u, v, u², uv, v² for every block, u and v from -1 to 1."""
    v, u = (axis.ravel() for axis in np.mgrid[-1 : 1 : _BLOCKS * 1j, -1 : 1 : _BLOCKS * 1j])
    return np.column_stack([np.ones(len(u)), u, v, u * u, u * v, v * v])


_TERMS = _terms()


@dataclass(frozen=True, slots=True, eq=False)
class LightChange:
    """The smooth change of light.

    Attributes:
        logs: float32 (height, width, bgr), logarithm of the factor on every level.
        blocks: float64 (n, bgr), the same for the blocks that are in both pictures.
    """

    logs: Floats32
    blocks: Floats

    @property
    def size(self) -> float:
        """The largest change of any channel, as a share, leaving out the fifth of the blocks that changed most."""
        return float(np.quantile(np.abs(self.blocks).max(axis=1), 0.8)) if len(self.blocks) else 0.0


def light_change(before: PatchComparison, now: PatchComparison, both: Mask) -> LightChange:
    """Fit the change of light between two looks; `both` is a mask of what is inside both pictures."""
    # 1. Means of the change of logarithms over blocks that are almost wholly in both pictures.
    share = cv2.resize(both, (_BLOCKS, _BLOCKS), interpolation=cv2.INTER_AREA).astype(np.float64) / 255
    seen = share.ravel() > 0.9
    means = cv2.resize(now.logs - before.logs, (_BLOCKS, _BLOCKS), interpolation=cv2.INTER_AREA)
    # 2. Fit the smooth factor to them, and bring it back to the size of the view.
    fitted = _TERMS @ _fit(_TERMS[seen], means.reshape(-1, 3)[seen].astype(np.float64))
    grid = fitted.reshape(_BLOCKS, _BLOCKS, 3).astype(np.float32)
    logs = cv2.resize(grid, both.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return LightChange(np.asarray(logs, np.float32), fitted[seen])


def _fit(terms: Floats, logs: Floats) -> Floats:
    """Return the coefficients (6, bgr) of the change that most blocks agree on."""
    # Iteratively reweighted least squares: weigh each block by how well the last fit explains it, fit again; from an
    #   even change over a plane to a quadratic, with ever narrower weights.
    coefficients = np.zeros((6, 3))
    if len(logs) == 0:
        return coefficients
    coefficients[0] = _most_agreed(logs)
    for count, reach in _REACHES:
        weights = _biweight(logs - terms @ coefficients, reach)
        coefficients[:] = 0.0
        coefficients[:count] = _weighted_fit(terms[:, :count], logs, weights)
    return coefficients


def _most_agreed(logs: Floats) -> Floats:
    """Return the uniform change to start from: none or the median, whichever more blocks agree with."""
    starts = np.stack([np.zeros(3), np.median(logs, axis=0)])
    agreeing = [_biweight(logs - start, _REACHES[0][1]).sum() for start in starts]
    return np.asarray(starts[int(np.argmax(agreeing))])


def _biweight(misfits: Floats, reach: float) -> Floats:
    worst = np.abs(misfits).max(axis=1) / reach
    return np.asarray(np.maximum(1 - worst**2, 0.0) ** 2)


def _weighted_fit(terms: Floats, logs: Floats, weights: Floats) -> Floats:
    ridge = np.diag([1e-6] + [_STIFFNESS] * (terms.shape[1] - 1))
    weighted = terms * weights[:, None]
    return np.asarray(np.linalg.solve(weighted.T @ terms + ridge, weighted.T @ logs))
