"""Views of one face for the second network: turned a little and mirrored, or turned by quarters as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.markerless.dice_network import FACE_PX, PATCH_PX, STRIDE, VALUES, DieDecision, PipClassifier, Places

_APART_RAD = 0.1


@dataclass(frozen=True, slots=True)
class DieView:
    """How a face is turned before it is looked at, and whether it is mirrored before that."""

    angle_rad: float
    mirrored: bool

    def turn(self) -> Floats:
        """Return the matrix that mirrors and turns (x, y), float64 (2, 2); its transpose undoes that."""
        cosine, sine = np.cos(self.angle_rad), np.sin(self.angle_rad)
        rotate = np.array([[cosine, -sine], [sine, cosine]])
        return np.asarray(rotate @ np.diag((-1 if self.mirrored else 1, 1)), np.float64)


UPRIGHT = tuple(DieView(_APART_RAD * (k - 1.5), mirrored) for k in range(4) for mirrored in (False, True))
"""Never upside down: a camera held at a slant sees the top of a die above its side, and often nothing else
tells them apart."""

FEW = (UPRIGHT[2], UPRIGHT[5])
"""The first views of a face; one is mirrored."""

ALL_ROUND = tuple(DieView(view.angle_rad + quarter * np.pi / 2, view.mirrored) for quarter in range(4) for view in FEW)
"""For what is seen steeply from above: there a top looks like a top however it is turned."""

TURNED = ALL_ROUND[4:6]
"""The first of them turned by half: with these a throw looks the same upside down."""

EVERY = tuple(dict.fromkeys(UPRIGHT + ALL_ROUND))
"""Each view once, as two are in both."""


class FaceViews:
    """The second network's output for places in one picture, in several views; each view is classified only once.

    Args:
        network: reads the faces.
        smaller: the picture and what is left of it when it is halved again and again, as `halved` returns.
        places: where faces may be, n of them.
    """

    def __init__(self, network: PipClassifier, smaller: Sequence[ImageBgr], places: Places) -> None:
        self._network, self._smaller, self._places = network, smaller, places
        self._answers = np.full((len(places.p), len(EVERY), VALUES + 5), np.nan)

    def ask(self, ways: Sequence[DieView], rows: NDArray[np.intp] | None = None) -> DieDecision:
        """Return the output for some of the places, all by default, in these views, (n, ways, ...).

        Offsets are in the picture's directions, however the view was turned.
        """
        chosen = np.arange(len(self._places.p)) if rows is None else rows
        columns = [EVERY.index(way) for way in ways]
        unseen = {row: [k for k in columns if np.isnan(self._answers[row, k, 0])] for row in chosen.tolist()}
        self._look({row: missing for row, missing in unseen.items() if missing})
        logits, offset = np.split(self._answers[chosen][:, columns], [VALUES + 2], axis=-1)
        return DieDecision(logits, offset)

    def _look(self, unseen: Mapping[int, Sequence[int]]) -> None:
        if not unseen:
            return
        answers = self._network.classify(np.concatenate([self._seen(row, unseen[row]) for row in unseen]))
        at = [(row, k) for row, missing in unseen.items() for k in missing]
        for (row, k), logits, offset in zip(at, answers.logits, answers.offset, strict=True):
            self._answers[row, k] = [*logits, *(offset[:2] @ EVERY[k].turn()), offset[2]]

    def _seen(self, row: int, missing: Sequence[int]) -> ImageBgr:
        """Return views of a face from the most reduced picture that shows it at least twice as large as FACE_PX."""
        size_px = float(self._places.sizes_px[row])
        level = int(np.clip(np.log2(size_px / (2 * FACE_PX)), 0, len(self._smaller) - 1))
        ratio = self._smaller[level].shape[1] / self._smaller[0].shape[1]
        centre_px = (self._places.centres_px[row] + 0.5) * ratio - 0.5
        return views(self._smaller[level], centre_px, size_px * ratio, [EVERY[k] for k in missing])


def halved(image_bgr: ImageBgr) -> list[ImageBgr]:
    """Return a picture and it halved again and again, until its shorter side is at most four times FACE_PX."""
    smaller = [image_bgr]
    while min(smaller[-1].shape[:2]) > 4 * FACE_PX:
        smaller.append(scaled(smaller[-1], 0.5))
    return smaller


def views(image_bgr: ImageBgr, centre_px: Floats, size_px: float, ways: Sequence[DieView] = UPRIGHT) -> ImageBgr:
    """Return views of a face, uint8 (n, PATCH_PX, PATCH_PX, 3); grey outside the picture."""
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
    """Return a picture scaled, but at least STRIDE pixels high and wide."""
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    size = tuple(max(STRIDE, round(scale * side)) for side in image_bgr.shape[1::-1])
    return np.asarray(cv2.resize(image_bgr, size, interpolation=way), np.uint8)
