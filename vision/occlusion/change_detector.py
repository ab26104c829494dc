"""Detect cheaply whether a picture shows what the last ones showed, before it is worth reading.

The pictures are compared small and averaged, so that noise cancels. A lamp that flickers changes all of a picture by
one factor, which is taken out up to a limit; any other difference counts. What is reported as unchanged may be a little
darker or shifted by a fraction of a pixel: so a table has to be read now and then all the same.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from vision.frame import Frame, ImageBgr
from vision.geometry import Floats32

WIDTH_PX = 205
"""Width of the small picture: a piece of 2 cm on a table that fills a picture is 5 pixels of it wide."""

REFERENCES = 6
"""This many of the latest pictures are averaged."""

LIGHT_CHANGED = 0.05
"""Share of the light: the occlusion gate reports another light from 0.06 on, and lamps flicker by 0.02 to each side."""

_LEAST_LEVELS = 4.0
"""Grey levels, the mean of 3 by 3 small pixels, that count as a change: the noise of a lit picture is at most 0.5."""

_NOISE_SIGMAS, _MOST_NOISE = 8.0, 1.5
"""What noise adds to that; of a camera that is even noisier every picture counts as changed."""

_EDGE_SHARE = 0.1
"""At an edge, the share of its height that a view a fraction of a pixel off may differ by."""

_AROUND = np.ones((3, 3), np.uint8)


class ChangeDetector:
    """Compares pictures of one camera with the average of the last ones it was given as unchanged."""

    def __init__(self) -> None:
        self._kept: deque[Floats32] = deque(maxlen=REFERENCES)
        self._mean = self._tolerance = self._last = np.zeros((1, 1, 3), np.float32)
        self._noise = 0.0

    def forget(self) -> None:
        """Compare with nothing: the next picture counts as changed. How noisy the camera is stays known."""
        self._kept.clear()

    def add(self, frame: Frame) -> None:
        """Add a picture, of a table on which nothing moves, to those that later ones are compared with."""
        small = _small(frame)
        if small.shape != self._last.shape:
            self.forget()
        else:
            self._noise = min(_noise_between(self._last, small), _MOST_NOISE)
        self._last = small
        self._kept.append(small)
        self._mean = np.mean(self._kept, axis=0, dtype=np.float32)
        levels = cv2.morphologyEx(self._mean, cv2.MORPH_GRADIENT, _AROUND)  # how much they differ round a pixel
        edges = np.float32(_EDGE_SHARE) * np.asarray(levels, np.float32)
        self._tolerance = edges + np.float32(_LEAST_LEVELS + _NOISE_SIGMAS * self._noise)

    def changed(self, frame: Frame) -> bool:
        """Return whether a picture shows something else than the average, or the same in another light."""
        small = _small(frame)
        if not self._kept or small.shape != self._mean.shape:
            return True
        gain = _brightness(small) / _brightness(self._mean)
        if np.abs(gain - 1.0).max() > LIGHT_CHANGED:
            return True
        apart = cv2.absdiff(small, self._mean * gain)
        return bool(cv2.subtract(apart, self._tolerance).max() > 0)


def _noise_between(one: Floats32, other: Floats32) -> float:
    """Return the standard deviation of a small pixel, by the median, which no small movement disturbs."""
    return float(np.median(np.abs(other[::4] - one[::4])) / 0.6745 / np.sqrt(2.0))


def _small(frame: Frame) -> Floats32:
    """Return a picture made small, float32 (height, width, bgr): every other row of what is averaged is left out."""
    image_bgr = frame.image_bgr if frame.small_bgr is None else frame.small_bgr
    small = _reduced(image_bgr, max(1, image_bgr.shape[1] // WIDTH_PX))
    return np.asarray(cv2.blur(small.astype(np.float32), (3, 3)), np.float32)


def _reduced(image_bgr: ImageBgr, factor: int) -> ImageBgr:
    if factor < 2:
        return image_bgr
    size_wh = (max(1, image_bgr.shape[1] // factor), max(1, image_bgr.shape[0] // factor))
    rows = image_bgr[:: factor // 2]
    return np.asarray(cv2.resize(rows, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def _brightness(small: Floats32) -> Floats32:
    """Return the mean of each channel, float32 (3,); 1 is added, so that black has a factor as well."""
    return np.asarray(cv2.mean(small)[:3], np.float32) + np.float32(1.0)
