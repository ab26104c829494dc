"""Removes the bands of a lamp that flickers with the mains from pictures of a rolling shutter.

The brightness of the rows varies as a sine of their number, whose phase differs from picture to picture. Nothing else
on a table is a sine of the rows over the whole picture. The mean of several pictures has no bands.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import cv2
import numpy as np

from vision.frame import Frame, ImageBgr
from vision.geometry import Floats

_KEPT = 16
"""Number of pictures in the reference mean: about three seconds at five a second."""

_LEAST, _MOST = 0.01, 0.4
"""Smallest amplitude that is corrected, and largest that counts as bands, as shares of the light."""

_EXPLAINED = 0.8
"""Least share of the rows' variance that a sine must explain."""

_AGREED, _ALIKE = 3, 0.1
"""Number of pictures that must show bands of one width, and the largest relative difference of the widths."""

_LEAST_PERIODS, _LEAST_ROWS = 1.5, 32
_ROW_STEP, _COLUMN_STEP = 4, 8
"""Rows and columns are subsampled by these factors."""

_ROWS_AT_ONCE = 64
"""Rows that are corrected together: as floating-point numbers a whole picture takes eight times its memory."""


class FlickerFilter:
    """Detects bands and removes them from the pictures of a camera that does not move."""

    def __init__(self) -> None:
        self._profiles: deque[Floats] = deque(maxlen=_KEPT)
        self._seen: deque[float] = deque(maxlen=_AGREED)
        self.periods: float | None = None

    @property
    def flickers(self) -> bool:
        """Whether bands were detected."""
        return self.periods is not None

    def steadied(self, frame: Frame) -> Frame:
        """Return a picture without bands, or the same picture until bands are detected."""
        height, width = frame.image_bgr.shape[:2]
        if height < _LEAST_ROWS * _ROW_STEP or width < _COLUMN_STEP:
            return frame
        fewer = cv2.resize(
            frame.image_bgr, None, fx=1 / _COLUMN_STEP, fy=1 / _ROW_STEP, interpolation=cv2.INTER_NEAREST
        )
        rows = np.log(cv2.reduce(fewer, 1, cv2.REDUCE_AVG, dtype=cv2.CV_64F).mean(axis=(1, 2)) + 1.0)
        if self._profiles and len(self._profiles[0]) != len(rows):
            self._profiles.clear()
        self._profiles.append(rows)
        if len(self._profiles) < _AGREED:
            return frame
        change = rows - np.mean(self._profiles, axis=0)
        if self.periods is None:
            self._look_for_bands(change)
        if self.periods is None:
            return frame
        bands, _ = _fit(change, self.periods)
        if np.abs(bands).max() >= _MOST:
            return frame
        small_bgr = None if frame.small_bgr is None else _without(frame.small_bgr, bands)
        return replace(frame, image_bgr=_without(frame.image_bgr, bands), small_bgr=small_bgr)

    def _look_for_bands(self, change: Floats) -> None:
        """Set the number of periods of the bands, once several pictures in a row agree on it."""
        # 1. A change so small contains no sine that counts: of an idle table each look ends here.
        if change.std() < _LEAST / 4:
            self._seen.clear()
            return
        # 2. The sine that explains most of the change over the rows: its periods, its values, its share.
        spectrum = np.abs(np.fft.rfft((change - change.mean()) * np.hanning(len(change))))
        spectrum[: int(_LEAST_PERIODS)] = 0.0
        peak = int(spectrum[: len(change) // 8].argmax())
        choices = [periods for periods in np.arange(peak - 1.0, peak + 1.05, 0.1) if periods >= _LEAST_PERIODS]
        fits = [(float(periods), *_fit(change, float(periods))) for periods in choices]
        periods, bands, explained = max(fits, key=lambda fit: fit[2], default=(0.0, np.zeros_like(change), 0.0))
        # 3. Several pictures must agree on it.
        if explained < _EXPLAINED or not _LEAST < np.abs(bands).max() < _MOST:
            self._seen.clear()
            return
        self._seen.append(periods)
        if len(self._seen) == _AGREED and max(self._seen) < (1 + _ALIKE) * min(self._seen):
            self.periods = float(np.median(self._seen))


def _without(picture: ImageBgr, bands: Floats) -> ImageBgr:
    """Return a picture divided by bands (n,), the logarithms of the relative brightness of its rows."""
    gain = np.exp(-cv2.resize(bands.reshape(-1, 1), (1, len(picture)), interpolation=cv2.INTER_LINEAR))
    gain_of_rows = gain.astype(np.float32)[:, :, None]
    steadied = np.empty_like(picture)
    for top in range(0, len(picture), _ROWS_AT_ONCE):
        rows = slice(top, top + _ROWS_AT_ONCE)
        steadied[rows] = cv2.convertScaleAbs(picture[rows].astype(np.float32) * gain_of_rows[rows])
    return steadied


def _fit(change: Floats, periods: float) -> tuple[Floats, float]:
    """Fit a sine of some periods and a parabola to a change over rows (n,); return the sine and its share."""
    at = np.linspace(0.0, 1.0, len(change))
    sine = np.column_stack([np.cos(2 * np.pi * periods * at), np.sin(2 * np.pi * periods * at)])
    terms = np.column_stack([np.ones_like(at), at, at**2, sine])
    fitted = np.linalg.lstsq(terms, change, rcond=None)[0]
    rest = change - terms @ fitted
    smooth = change - terms[:, :3] @ np.linalg.lstsq(terms[:, :3], change, rcond=None)[0]
    explained = 1.0 - float(rest @ rest) / max(float(smooth @ smooth), 1e-12)
    return np.asarray(sine @ fitted[3:]), explained
