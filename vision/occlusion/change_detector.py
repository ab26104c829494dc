"""A cheap test whether a picture differs from the last ones, and so is worth reading.

Pictures are reduced and averaged, so that noise cancels. A flickering lamp changes a whole picture by one factor, which
is divided out up to a limit; any other difference counts. An unchanged picture may be slightly darker or shifted by a
fraction of a pixel, so a table must still be read now and then.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from vision.frame import Frame
from vision.geometry import Floats32

WIDTH_PX = 205
"""Width of the reduced picture; a piece 2 cm wide on a table that fills the picture has 5 pixels."""

REFERENCES = 6
"""Number of recent pictures that are averaged."""

LIGHT_CHANGED = 0.05
"""Largest relative change of light that is divided out: the occlusion gate reports 0.06, and lamps flicker by 0.02."""

_LEAST_LEVELS = 4.0
"""Difference in grey levels, averaged over 3 by 3 pixels, that is a change; noise of a lit picture is at most 0.5."""

_NOISE_SIGMAS, _MOST_NOISE = 8.0, 1.5
"""Addition to that in standard deviations of the noise, and the most noise; with more, every picture is changed."""

_EDGE_SHARE = 0.1
"""Share of an edge's height that a shift by a fraction of a pixel may change."""

_AROUND = np.ones((3, 3), np.uint8)


class ChangeDetector:
    """A comparison of one camera's pictures with the average of the last unchanged ones."""

    def __init__(self) -> None:
        self._kept: deque[Floats32] = deque(maxlen=REFERENCES)
        self._mean = self._tolerance = self._last = np.zeros((1, 1, 3), np.float32)
        self._noise = 0.0

    def forget(self) -> None:
        """Drop the references, so that the next picture is changed, but keep the estimate of the noise."""
        self._kept.clear()

    def add(self, frame: Frame) -> None:
        """Add a picture of a table at rest to the references."""
        small = _small(frame)
        if small.shape != self._last.shape:
            self.forget()
        else:
            # a pixel's standard deviation by the median absolute difference, which ignores small movements
            noise = float(np.median(np.abs(small[::4] - self._last[::4])) / 0.6745 / np.sqrt(2.0))
            self._noise = min(noise, _MOST_NOISE)
        self._last = small
        self._kept.append(small)
        self._mean = np.mean(self._kept, axis=0, dtype=np.float32)
        levels = cv2.morphologyEx(self._mean, cv2.MORPH_GRADIENT, _AROUND)  # how much they differ round a pixel
        edges = np.float32(_EDGE_SHARE) * np.asarray(levels, np.float32)
        self._tolerance = edges + np.float32(_LEAST_LEVELS + _NOISE_SIGMAS * self._noise)

    def changed(self, frame: Frame) -> bool:
        """Return whether a picture differs from the average in content or in light."""
        # 1. Divide out a small change of light, one gain for each channel.
        small = _small(frame)
        if not self._kept or small.shape != self._mean.shape:
            return True
        gain = _brightness(small) / _brightness(self._mean)
        if np.abs(gain - 1.0).max() > LIGHT_CHANGED:
            return True
        # 2. Compare each pixel's difference with its tolerance.
        apart = cv2.absdiff(small, self._mean * gain)
        return bool(cv2.subtract(apart, self._tolerance).max() > 0)


def _small(frame: Frame) -> Floats32:
    """Return a reduced picture, float32 (height, width, bgr); most rows are skipped before averaging, for speed."""
    small = frame.image_bgr if frame.small_bgr is None else frame.small_bgr
    factor = small.shape[1] // WIDTH_PX
    if factor >= 2:
        size_wh = (max(1, small.shape[1] // factor), max(1, small.shape[0] // factor))
        small = np.asarray(cv2.resize(small[:: factor // 2], size_wh, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.blur(small.astype(np.float32), (3, 3)), np.float32)


def _brightness(small: Floats32) -> Floats32:
    """Return the mean of each channel plus 1, float32 (3,), so that black pictures have a ratio too."""
    return np.asarray(cv2.mean(small)[:3], np.float32) + np.float32(1.0)
