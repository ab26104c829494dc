"""Ways to look at one face by itself: turned a little and mirrored, or turned by quarters as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.markerless.dice_network import FACE_PX, PATCH_PX, STRIDE

_APART_RAD = 0.1


@dataclass(frozen=True, slots=True)
class DieView:
    """How a face is turned before it is looked at, and whether it is mirrored before that."""

    angle_rad: float
    mirrored: bool

    def turn(self) -> Floats:
        """Return what turns and mirrors the picture's (x, y), float64 (2, 2); its transpose undoes that."""
        cosine, sine = np.cos(self.angle_rad), np.sin(self.angle_rad)
        rotate = np.array([[cosine, -sine], [sine, cosine]])
        return np.asarray(rotate @ np.diag((-1 if self.mirrored else 1, 1)), np.float64)


UPRIGHT = tuple(DieView(_APART_RAD * (k - 1.5), mirrored) for k in range(4) for mirrored in (False, True))
"""Never upside down: a camera held at a slant sees the top of a die above its side, and often nothing else
tells them apart."""

FEW = (UPRIGHT[2], UPRIGHT[5])
"""For a first look: one is mirrored."""

ALL_ROUND = tuple(DieView(view.angle_rad + quarter * np.pi / 2, view.mirrored) for quarter in range(4) for view in FEW)
"""For what is seen steeply from above: there a top looks like a top however it is turned."""

TURNED = ALL_ROUND[4:6]
"""The first of them turned by half: with these a throw looks the same upside down."""

EVERY = tuple(dict.fromkeys(UPRIGHT + ALL_ROUND))
"""Each way once, for two are in both."""


def views(image_bgr: ImageBgr, centre_px: Floats, size_px: float, ways: Sequence[DieView] = UPRIGHT) -> ImageBgr:
    """Cut a face out, seen in several ways, uint8 (n, PATCH_PX, PATCH_PX, 3); grey outside the picture."""
    scale = FACE_PX / size_px
    reach = 0.75 * PATCH_PX / scale + 2
    low = np.maximum(np.floor(centre_px - reach), 0).astype(int)
    high = np.minimum(np.ceil(centre_px + reach), image_bgr.shape[1::-1]).astype(int)
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    if scale < 1:
        part = scaled(part, scale)
    stretch = scale * (high - low) / part.shape[1::-1]
    centre = (centre_px - low) * part.shape[1::-1] / (high - low)
    return np.stack([_seen(part, centre, way.turn() @ np.diag(stretch)) for way in ways])


def _seen(part_bgr: ImageBgr, centre: Floats, linear: Floats) -> ImageBgr:
    move = np.column_stack([linear, PATCH_PX / 2 - linear @ centre])
    grey = (128, 128, 128)
    return np.asarray(cv2.warpAffine(part_bgr, move, (PATCH_PX, PATCH_PX), borderValue=grey), np.uint8)


def scaled(image_bgr: ImageBgr, scale: float) -> ImageBgr:
    """Make a picture larger or smaller, at least STRIDE pixels high and wide."""
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    size = tuple(max(STRIDE, round(scale * side)) for side in image_bgr.shape[1::-1])
    return np.asarray(cv2.resize(image_bgr, size, interpolation=way), np.uint8)
