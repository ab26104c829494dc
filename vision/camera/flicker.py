"""Bands of a lamp that flickers with the mains, on pictures whose rows are exposed one after the other.

Such a lamp makes each row brighter or darker by a sine of its number, from picture to picture in another phase. All
else that happens on a table is no sine of the rows over the whole picture. The mean of some pictures has no bands.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import cv2
import numpy as np

from vision.frame import Frame, ImageBgr
from vision.geometry import Floats

_KEPT = 16
"""Pictures whose mean is what they are held against: at five a second some three seconds."""

_LEAST, _MOST = 0.01, 0.4
"""Amplitude of bands, as a share of the light, from which on they matter, and up to which they are bands."""

_EXPLAINED = 0.8
"""Share of the rows' change that bands explain if nothing else happens."""

_AGREED, _ALIKE = 3, 0.1
"""Pictures that must show bands of one width, and by what share the widths may differ."""

_LEAST_PERIODS, _LEAST_ROWS = 1.5, 32
_ROW_STEP = 4
"""Every this many rows and columns are looked at."""


class FlickerFilter:
    """Recognises bands, and takes them out of pictures of one camera that stands still."""

    def __init__(self) -> None:
        self._profiles: deque[Floats] = deque(maxlen=_KEPT)
        self._seen: deque[float] = deque(maxlen=_AGREED)
        self.periods: float | None = None

    @property
    def flickers(self) -> bool:
        """Whether bands have been seen."""
        return self.periods is not None

    def steadied(self, frame: Frame) -> Frame:
        """Return a picture without bands: the same one as long as none have been seen."""
        rows = np.log(frame.image_bgr[::_ROW_STEP, ::_ROW_STEP].mean(axis=(1, 2)) + 1.0)
        if len(rows) < _LEAST_ROWS:
            return frame
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
        """Note of how many periods bands are, once some pictures in a row agree on it."""
        periods, bands, explained = _best_sine(change)
        if explained < _EXPLAINED or not _LEAST < np.abs(bands).max() < _MOST:
            self._seen.clear()
            return
        self._seen.append(periods)
        if len(self._seen) == _AGREED and max(self._seen) < (1 + _ALIKE) * min(self._seen):
            self.periods = float(np.median(self._seen))


def _without(picture: ImageBgr, bands: Floats) -> ImageBgr:
    """Return a picture divided by bands (n,), the logarithms of what its rows are brighter by."""
    gain = np.exp(-cv2.resize(bands.reshape(-1, 1), (1, len(picture)), interpolation=cv2.INTER_LINEAR))
    lit = picture.astype(np.float32) * gain.astype(np.float32)[:, :, None]
    return np.asarray(cv2.convertScaleAbs(lit), np.uint8)


def _best_sine(change: Floats) -> tuple[float, Floats, float]:
    """Return of how many periods the sine is that explains most of a change over the rows (n,), it, and its share."""
    spectrum = np.abs(np.fft.rfft((change - change.mean()) * np.hanning(len(change))))
    spectrum[: int(_LEAST_PERIODS)] = 0.0
    peak = int(spectrum[: len(change) // 8].argmax())
    choices = [periods for periods in np.arange(peak - 1.0, peak + 1.05, 0.1) if periods >= _LEAST_PERIODS]
    fits = [(float(periods), *_fit(change, float(periods))) for periods in choices]
    return max(fits, key=lambda fit: fit[2]) if fits else (0.0, np.zeros_like(change), 0.0)


def _fit(change: Floats, periods: float) -> tuple[Floats, float]:
    """Return the sine of that many periods in a change over rows (n,), beside a parabola, and the share explained."""
    at = np.linspace(0.0, 1.0, len(change))
    sine = np.column_stack([np.cos(2 * np.pi * periods * at), np.sin(2 * np.pi * periods * at)])
    terms = np.column_stack([np.ones_like(at), at, at**2, sine])
    fitted = np.linalg.lstsq(terms, change, rcond=None)[0]
    rest = change - terms @ fitted
    smooth = change - terms[:, :3] @ np.linalg.lstsq(terms[:, :3], change, rcond=None)[0]
    explained = 1.0 - float(rest @ rest) / max(float(smooth @ smooth), 1e-12)
    return np.asarray(sine @ fitted[3:]), explained
