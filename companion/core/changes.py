"""By how much the cells of a table look different from in another picture, beside the noise that is in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.observation import Observation

SAME_UNTO = 2.5
"""A cell whose look has changed by that many times as much as most cells' is as likely the same as not; where most have
changed by that many times the noise between two pictures, the light is another."""

LEAST_NOISE = 0.003
"""Noise of a picture without any, such as of a simulated one: a share of white."""


def touched_since(frame: Observation, earlier: Observation) -> NDArray[np.bool_]:
    """Return which cells look different from in an earlier frame, or were hidden in it, (n_cells,)."""
    change = changed_from(frame, earlier.appearance)
    return np.asarray(~earlier.visible | (np.nan_to_num(in_noise(change), nan=0.0) > SAME_UNTO))


def as_in_last(frames: Sequence[Observation], least: int = 1) -> list[Observation]:
    """Return frames with the cells hidden that looked different from in the last one: they were touched meanwhile.

    A quick hand is in no frame, and a stack that is read with doubt hardly shows that it was there. A cell stays in
    all frames where it looked the same in fewer than `least`.
    """
    *earlier, last = frames or (None,)
    if last is None:
        return []
    same = [frame.visible & ~touched_since(last, frame) for frame in earlier]
    enough = np.sum([*same, last.visible], axis=0) >= least
    shown = [np.where(enough, alike, frame.visible) for frame, alike in zip(earlier, same, strict=True)]
    return [*(replace(frame, visible=cells) for frame, cells in zip(earlier, shown, strict=True)), last]


def uncovered(frame: Observation, known: Observation, noise: float) -> Observation:
    """Return a frame in which hidden cells are in sight that look as they do in a known one, with what was read there.

    Whatever is over the board, it is not over a cell that looks as without it, beside the `noise` between two frames.
    """
    if frame.cells != known.cells:
        return frame
    same = np.nan_to_num(changed_from(frame, known.appearance), nan=np.inf) <= SAME_UNTO * noise
    again = same & known.visible & ~frame.visible
    return replace(frame, p=np.where(again[:, None], known.p, frame.p), visible=frame.visible | again)


def changed_from(frame: Observation, earlier: NDArray[np.float32] | None) -> NDArray[np.float64]:
    """Return how much each cell's look differs from an earlier one, as a share of white; nan where that is unknown."""
    if frame.appearance is None or earlier is None:
        return np.full(len(frame.cells), np.nan)
    return np.asarray(np.abs(frame.appearance - earlier).mean(axis=(1, 2, 3)), dtype=np.float64)


def in_noise(change: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each cell's change over that of most cells, which only noise has changed, (n_cells,)."""
    return change / least_change(change)


def least_change(change: NDArray[np.float64]) -> float:
    """Return by how much noise alone changes a cell."""
    return max(typical(change), LEAST_NOISE / 2)


def typical(change: NDArray[np.float64]) -> float:
    """Return by how much most cells have changed; nan counts for nothing."""
    known = change[np.isfinite(change)]
    return float(np.median(known)) if len(known) else 0.0


def noise(frames: Sequence[Observation], known: float | None) -> float:
    """Return how much one cell differs between frames of a still table, as a share of white; the median of the cells.

    Of a single frame, or of frames without looks, that is what is `known` from earlier ones, LEAST_NOISE without any.
    """
    first, last = frames[0].appearance, frames[-1].appearance
    if len(frames) < 2 or first is None or last is None:
        return LEAST_NOISE if known is None else known
    return max(LEAST_NOISE, float(np.median(np.abs(first - last).mean(axis=(1, 2, 3)))))
