"""Undoing a lens that is out of focus, to report a board that is blurred from none at all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vision.localization.markers import Gray

_RADII_PX = (1.6, 2.5, 3.2, 4.0)
"""What a point becomes in pictures 820 px wide: from one whose smallest markers can no longer be read to one whose
edges are nearly as wide as only blur makes them."""

_NOISE_TO_SIGNAL = 0.01
"""Power of the noise over that of the picture, at all frequencies alike: less lets the noise of dim pictures ring."""


def refocused(gray: Gray) -> Iterator[Gray]:
    """Undo that a lens has made a disc of each point, once for each radius, the least blurred first.

    Wiener's filter ("Extrapolation, Interpolation, and Smoothing of Stationary Time Series", 1949). Pictures are uint8
    (height, width), 820 px wide, and stay so. Edges ring: what is seen there reports that something is there, but not
    where exactly.
    """
    height, width = gray.shape
    row, column = (np.minimum(a, length - a) for a, length in zip(np.mgrid[:height, :width], gray.shape, strict=True))
    frequencies = np.fft.rfft2(gray)
    for radius_px in _RADII_PX:
        disc = np.clip(radius_px + 0.5 - np.hypot(row, column), 0, 1)
        spread = np.fft.rfft2(disc / disc.sum()).real
        undone = np.fft.irfft2(frequencies * spread / (spread**2 + _NOISE_TO_SIGNAL), s=(height, width))
        yield np.asarray(np.clip(undone, 0, 255), np.uint8)
