"""The two small networks that read dice, and what it takes to trust their numbers.

The first finds the top faces of dice in a whole picture; the second looks at one face by itself and reads its pips, in
several views: turned a little and mirrored, or turned by quarters as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.shipped_network import FallibleOutputs, OutputCalibration, load, softmax

STRIDE = 8
"""Pixels from one place of the first network's maps to the next."""

MIDDLE_PX = 29.0
"""The size of face that is 0 in the maps; each doubling adds 1."""

OFFSET_PX = 16.0
"""The distance to a face's middle that is 1 in the maps."""

PATCH_PX, FACE_PX = 64, 26.0
"""Side of what the second network is shown of a face, and how large the face is in it: all of the die is seen, or
a side could not be distinguished from the top."""

VALUES = 6


_AT_ONCE = 64
"""Patches that are looked at in one go: each takes half a megabyte meanwhile, and a small Pi has little."""


_MOST_PX, _HALO_PX = 1_150_000, 96
"""Pictures are looked at in tiles of at most that many pixels, with so much of their neighbours that no number changes:
one of 2560 by 1920 pixels would take 200 MB as a whole."""


class PipClassifierFile(FallibleOutputs, frozen=True, kw_only=True):
    """The second network's parameters, and those of both together.

    `presence` has the weights of the log odds of a top face by the first and by the second network, and a constant;
    fitted on pictures that neither was trained on.
    """

    presence: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The first network's output for places in a picture, one row each.

    Attributes:
        p: float64 (n,), probability that the place is about the middle of a die's top face.
        centres_px: float64 (n, 2), middle of the face there, if there is one, (x, y).
        sizes_px: float64 (n,), root of its area.
    """

    p: Floats
    centres_px: Floats
    sizes_px: Floats

    def at(self, rows: NDArray[np.intp]) -> Places:
        """Return the places of these rows."""
        return Places(self.p[rows], self.centres_px[rows], self.sizes_px[rows])


def join(parts: Sequence[Places]) -> Places:
    """Return the places of all parts, at least one, in one."""
    return Places(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("p", "centres_px", "sizes_px"))
    )


@dataclass(frozen=True, slots=True, eq=False)
class DieDecision:
    """The second network's output for patches, one row each.

    Attributes:
        logits: float64 (n, 8): no face, the values 1 to 6, a face that cannot be read.
        offset: float64 (n, 3), how far the face's middle is from the patch's (x, y), in faces, and how much larger the
            face is than FACE_PX, as a logarithm to the base 2.
    """

    logits: Floats
    offset: Floats


class DieDetector:
    """The detector of top faces. It holds a network, so only one thread may use it at a time."""

    def __init__(self) -> None:
        self._file, self._network = load("dice-places", OutputCalibration)

    def look(self, image_bgr: ImageBgr) -> Places:
        """Return the places of a picture, whose sides must be multiples of STRIDE; it detects faces of 18 to 48 px."""
        return join([self._tile(image_bgr, *tile) for tile in _tiles(*image_bgr.shape[:2])])

    def _tile(self, image_bgr: ImageBgr, down: slice, right: slice) -> Places:
        # 1. The maps of the tile, float64 (5, rows, columns), from a picture of it and its neighbours.
        seen = tuple(slice(max(0, span.start - _HALO_PX), span.stop + _HALO_PX) for span in (down, right))
        rows, columns = (
            slice((span.start - wide.start) // STRIDE, (span.stop - wide.start) // STRIDE)
            for span, wide in zip((down, right), seen, strict=True)
        )
        maps = self._network(_as_input([image_bgr[seen]]))[0][:, rows, columns]
        # 2. What each of their places says.
        p = softmax(maps[:2].reshape(2, -1).T / self._file.temperature)[:, 1]
        row, column = STRIDE * (np.mgrid[: maps.shape[1], : maps.shape[2]] + 0.5)
        centres = np.stack([column + right.start, row + down.start]) + OFFSET_PX * maps[2:4]
        sizes = MIDDLE_PX * 2 ** np.clip(maps[4], -3, 3)
        return Places(p, centres.reshape(2, -1).T, sizes.ravel())


def _tiles(height: int, width: int) -> Iterator[tuple[slice, slice]]:
    """Yield the rows and columns of tiles that are as square as can be and small enough with their neighbours."""
    down = right = 1
    while (height / down + 2 * _HALO_PX) * (width / right + 2 * _HALO_PX) > _MOST_PX:
        down, right = (down + 1, right) if height / down > width / right else (down, right + 1)
    rows, columns = (
        [STRIDE * (side // STRIDE * k // number) for k in range(number + 1)]
        for side, number in ((height, down), (width, right))
    )
    for (top, bottom), (left, end) in product(pairwise(rows), pairwise(columns)):
        yield slice(top, bottom), slice(left, end)


class PipClassifier:
    """The classifier of faces by their pips. It holds a network, so only one thread may use it at a time.

    Attributes:
        file: the parameters of this network and of both together.
    """

    def __init__(self) -> None:
        self.file, self._network = load("dice-values", PipClassifierFile)

    def classify(self, patches_bgr: NDArray[np.uint8]) -> DieDecision:
        """Return the output for patches, uint8 (n, PATCH_PX, PATCH_PX, 3)."""
        batches = (patches_bgr[k : k + _AT_ONCE] for k in range(0, len(patches_bgr), _AT_ONCE))
        output = np.concatenate([self._network(_as_input(batch)) for batch in batches])
        return DieDecision(output[:, : VALUES + 2] / self.file.temperature, output[:, VALUES + 2 :])


def _as_input(pictures_bgr: Iterable[ImageBgr]) -> NDArray[np.float32]:
    """Return pictures of one size as the networks' input, float32 (n, 3, height, width)."""
    return np.asarray(cv2.dnn.blobFromImages(list(pictures_bgr), 1 / 64, mean=(128, 128, 128)), np.float32)


def logit(p: Floats) -> Floats:
    """Return the logarithms of the odds, float64 (n,), of probabilities (n,)."""
    safe = np.clip(p, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(safe / (1 - safe)))


# ---- views of one face

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
        if any(unseen.values()):
            views = [self._views_of(row, missing) for row, missing in unseen.items() if missing]
            answers = self._network.classify(np.concatenate(views))
            at = [(row, k) for row, missing in unseen.items() for k in missing]
            for (row, k), logits, offset in zip(at, answers.logits, answers.offset, strict=True):
                self._answers[row, k] = [*logits, *(offset[:2] @ EVERY[k].turn()), offset[2]]
        logits, offset = np.split(self._answers[chosen][:, columns], [VALUES + 2], axis=-1)
        return DieDecision(logits, offset)

    def _views_of(self, row: int, missing: Sequence[int]) -> ImageBgr:
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
    turns = (way.turn() @ np.diag(stretch) for way in ways)
    moves = (np.column_stack([linear, PATCH_PX / 2 - linear @ centre]) for linear in turns)
    size, grey = (PATCH_PX, PATCH_PX), (128, 128, 128)
    return np.stack([np.asarray(cv2.warpAffine(part, move, size, borderValue=grey), np.uint8) for move in moves])


def scaled(image_bgr: ImageBgr, scale: float) -> ImageBgr:
    """Return a picture scaled, but at least STRIDE pixels high and wide."""
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    size = tuple(max(STRIDE, round(scale * side)) for side in image_bgr.shape[1::-1])
    return np.asarray(cv2.resize(image_bgr, size, interpolation=way), np.uint8)
