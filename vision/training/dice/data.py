"""Training data of the dice networks: rendered dice, targets of every place in a picture, and patches of faces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32
from vision.image_file import load_image
from vision.markerless.dice import (
    LEAST_READ_PX,
    Candidates,
    DiceReader,
    cluster_detections,
    non_max_suppression,
)
from vision.markerless.dice_network import FACE_PX, MIDDLE_PX, OFFSET_PX, PATCH_PX, STRIDE, DieDetector, Places
from vision.training.data import Sample
from vision.training.dice.picture import DicePicture, TopFace, random_dice_picture

SIDE_PX = 160
"""Side of a training picture, which is cropped from one larger by a fifth."""

_DRAWN_PX = 192
WIDE_PX, ANY_FACES_PX = 576, (20.0, 90.0)
"""Side of a picture as large as a camera's look at a tray, and its range of face sizes."""

PLACES_PX = (15.0, 58.0)
"""Range of face sizes for the first network, a little wider than that which it has to find."""

VALUES_PX = (19.0, 46.0)
"""Range of face sizes for the second network, at least its input's size, because photographs are as sharp."""

LEAST_PX, MOST_PX = 18.0, 48.0
"""Range of face sizes that have to be found."""

_UNTAUGHT_PX = (15.0, 58.0)
"""Faces within this range but outside the one above are ignored in training; others count as nothing."""

NOTHING, UNTOLD, IGNORED = 0, 7, -1
CLASSES = 8
"""Number of classes: nothing, the values 1 to 6, and a die whose value cannot be read."""


@dataclass(frozen=True, slots=True, eq=False)
class DiceTargets:
    """The targets of every place: classes int64 (rows, columns); offset x, y and size float32 (3, rows, columns).

    Those of a patch are of one place: () and (3,).
    """

    classes: NDArray[np.int64]
    shape: Floats32


def drawn(seeds: Iterable[int], faces_px: tuple[float, float], side_px: int = _DRAWN_PX) -> Iterator[DicePicture]:
    """Yield a rendered picture for each seed, with faces within a range of sizes."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        yield random_dice_picture(rng, side_px, float(np.exp(rng.uniform(*np.log(faces_px)))))


def without_dice(folder: Path, number: int, rng: np.random.Generator) -> Iterator[DicePicture]:
    """Yield crops at all scales of the pictures in a folder, in which there are no dice."""
    paths = sorted(folder.rglob("*.jpg"))
    for path in rng.permutation([str(path) for path in paths])[:number]:
        image_bgr = load_image(path)
        for _ in range(max(1, number // len(paths))):
            side = int(np.exp(rng.uniform(np.log(0.7 * _DRAWN_PX), np.log(min(image_bgr.shape[:2])))))
            y, x = (int(rng.integers(0, length - side + 1)) for length in image_bgr.shape[:2])
            crop = image_bgr[y : y + side, x : x + side]
            small = cv2.resize(crop, (_DRAWN_PX, _DRAWN_PX), interpolation=cv2.INTER_AREA)
            yield DicePicture(np.asarray(small, np.uint8), ())


def varied(picture: DicePicture, rng: np.random.Generator) -> DicePicture:
    """Return a picture mirrored, turned, scaled and shifted at random, with other colours and light."""
    scale = float(np.exp(rng.uniform(-0.2, 0.2)))
    mirrored = -scale if rng.random() < 0.5 else scale
    angle = turn_of(picture, rng, 0.05)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    linear = turn @ np.array([[mirrored, rng.normal(0, 0.04)], [0.0, scale]])
    middle = np.full(2, _DRAWN_PX / 2) + rng.uniform(-24, 24, 2)
    move = np.column_stack([linear, SIDE_PX / 2 - linear @ middle])
    beyond = rng.integers(0, 256, 3).tolist()
    image = cv2.warpAffine(picture.image_bgr, move, (SIDE_PX, SIDE_PX), borderValue=beyond)
    faces = []
    for face in picture.faces:
        x, y = (move @ (*face.centre_px, 1.0)).tolist()
        # one that the picture's edge cuts is only partly visible
        cut = min(x, y, SIDE_PX - x, SIDE_PX - y) < 0.5 * face.size_px * scale
        seen = min(face.seen, 0.6) if cut else face.seen
        faces.append(replace(face, centre_px=(x, y), size_px=face.size_px * scale, seen=seen))
    return DicePicture(recoloured(developed(np.asarray(image, np.uint8), rng), rng), faces, steep=picture.steep)


def turn_of(picture: DicePicture, rng: np.random.Generator, spread_rad: float) -> float:
    """Return a random angle to turn a picture by: any if the camera looked steeply down, else small."""
    if picture.steep:
        return float(rng.uniform(0, 2 * np.pi))
    return float(rng.normal(0, spread_rad))


def developed(image_bgr: ImageBgr, rng: np.random.Generator) -> ImageBgr:
    """Return a square picture blurred or sharpened, with another tone curve, exposure and shading.

    Photographs that were reduced are sharper than any rendered picture.
    """
    soft = cv2.GaussianBlur(image_bgr, (0, 0), rng.uniform(0.5, 1.3)).astype(np.float32)
    image = np.clip(image_bgr + rng.uniform(-0.8, 1.8) * (image_bgr - soft), 0, 255) / 255
    bent = np.power(image, float(np.exp(rng.normal(0, 0.25)))) * 255 * np.exp(rng.normal(-0.05, 0.2))
    shade = np.linspace(-1, 1, len(image_bgr), dtype=np.float32) * rng.normal(0, 0.12)
    lit = bent * np.exp(shade if rng.random() < 0.5 else shade[:, None])[..., None]
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def recoloured(image_bgr: ImageBgr, rng: np.random.Generator) -> ImageBgr:
    """Return a picture with other colours, contrast and sharpness."""
    image = image_bgr.astype(np.float32)
    if rng.random() < 0.35:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.3:
        grey = image.mean(axis=2, keepdims=True)
        image = grey + rng.uniform(0, 1) * (image - grey)
    image = 128 + np.exp(rng.normal(0, 0.15)) * (image - 128) + rng.normal(0, 12)
    if rng.random() < 0.15:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.0))
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def targets(faces: Sequence[TopFace]) -> DiceTargets:
    """Return the targets: a face's class near its middle, and nothing away from dice."""
    side = SIDE_PX // STRIDE
    classes = np.zeros((side, side), np.int64)
    shape = np.zeros((3, side, side), np.float32)
    row, column = (STRIDE * (a + 0.5) for a in np.mgrid[:side, :side])
    for face in faces:
        if not _UNTAUGHT_PX[0] < face.size_px < _UNTAUGHT_PX[1]:
            continue
        x, y = face.centre_px[0] - column, face.centre_px[1] - row
        away = np.hypot(x, y)
        classes[(away < 0.5 * face.size_px) & (classes == NOTHING)] = IGNORED
        truth = class_of(face)
        near = away < max(0.28 * face.size_px, 0.6 * STRIDE)
        classes[near] = truth
        log_size = np.full_like(x, np.log2(face.size_px / MIDDLE_PX))
        shape[:, near] = np.stack([x / OFFSET_PX, y / OFFSET_PX, log_size])[:, near]
    return DiceTargets(classes, shape)


def sample_of(picture: DicePicture) -> Sample[DiceTargets]:
    """Return a picture with its targets."""
    return Sample(planes_of(picture.image_bgr), targets(picture.faces))


def planes_of(images_bgr: NDArray[np.uint8]) -> Floats32:
    """Return pictures uint8 (..., rows px, columns px, bgr) as a network's input, float32 (..., bgr, rows, columns)."""
    return np.asarray((np.moveaxis(images_bgr, -1, -3).astype(np.float32) - 128) / 64, np.float32)


def class_of(face: TopFace) -> int:
    """Return a face's class: its value if it is visible, UNTOLD if partly, IGNORED if hardly or of the wrong size."""
    if not LEAST_PX <= face.size_px <= MOST_PX or face.seen < 0.35:
        return IGNORED
    whole = face.seen > 0.72 and face.marks_seen > 0.97
    return face.value if whole and face.value is not None else UNTOLD


_FACES, _TAKEN = 0.72, 0.96
"""Cumulative shares of a batch: faces, then false detections of the first network; the rest are places off faces."""

_TURN_RAD = 0.12
"""Standard deviation of the rotation of patches if the camera did not look steeply down."""

_TAKEN_FOR_A_FACE = 0.05
"""Probability of a face from which on a false detection is used: a little less than the reader's threshold."""

_FARTHEST = 0.4
"""Largest distance of a face from a patch's middle, in faces, at which it is the one to read; beyond _NOT_THIS it is
not."""

_NOT_THIS = 0.55


@dataclass(frozen=True, slots=True)
class PatchSpot:
    """A place of a patch: its picture, its centre, the size of a face there, and the true class."""

    picture: int
    centre_px: tuple[float, float]
    size_px: float
    truth: int


def spots_of(pictures: Sequence[DicePicture], first: int = 0) -> Iterator[PatchSpot]:
    """Yield the spots of pictures that are numbered from `first`.

    They are readable faces, and false detections of the first network, mostly sides of dice.
    """
    network = DieDetector()
    for number, picture in enumerate(pictures, start=first):
        for face in picture.faces:
            truth = class_of(face)
            if truth != IGNORED and face.size_px > 14:
                yield PatchSpot(number, face.centre_px, face.size_px, truth)
        places = network.look(picture.image_bgr)
        likely = (places.p > _TAKEN_FOR_A_FACE) & (places.sizes_px > 12)
        taken = cluster_detections(Places(places.p[likely], places.centres_px[likely], places.sizes_px[likely]))
        for centre, size in zip(taken.centres_px.tolist(), taken.sizes_px.tolist(), strict=True):
            if not _on_a_face(picture, centre):
                yield PatchSpot(number, (centre[0], centre[1]), size, NOTHING)


def _on_a_face(picture: DicePicture, centre_px: Sequence[float]) -> bool:
    away = (np.hypot(*np.subtract(centre_px, face.centre_px)) / face.size_px for face in picture.faces)
    return any(faces < _NOT_THIS for faces in away)


def beside(picture: DicePicture, number: int, rng: np.random.Generator) -> PatchSpot:
    """Return a random place off the middles of faces, often next to one on a side of a die."""
    side = picture.image_bgr.shape[0]
    for _ in range(20):
        size, centre = float(rng.uniform(16, 60)), rng.uniform(0, side, 2)
        if picture.faces and rng.random() < 0.7:
            face = picture.faces[int(rng.integers(len(picture.faces)))]
            size = face.size_px * float(np.exp(rng.uniform(-0.4, 0.4)))
            centre = np.array(face.centre_px) + rng.uniform(-1.1, 1.1, 2) * face.size_px
        if not _on_a_face(picture, centre.tolist()):
            return PatchSpot(number, (float(centre[0]), float(centre[1])), size, NOTHING)
    return PatchSpot(number, (0.0, 0.0), float(side), NOTHING)


def patch_of(picture: DicePicture, spot: PatchSpot, rng: np.random.Generator) -> tuple[ImageBgr, Floats32]:
    """Return a patch of a place, turned, mirrored, stretched and shifted at random, and its offset from the face."""
    angle = turn_of(picture, rng, _TURN_RAD)
    along = rng.uniform(0, 2 * np.pi)
    turn, back = (np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in (angle, along))
    longer = float(np.clip(rng.normal(0, rng.choice([0.06, 0.22])), -0.5, 0.5))
    stretch = back.T @ np.diag([np.exp(rng.uniform(-0.12, 0.02)), 1.0]) @ back
    mirror = np.diag([rng.choice([-1.0, 1.0]), 1.0])
    linear = FACE_PX / spot.size_px * np.exp(longer) * stretch @ mirror @ turn
    spread, farthest = (rng.choice([0.04, 0.14]), _FARTHEST) if spot.truth != NOTHING else (0.04, 0.1)
    away = rng.normal(0, spread, 2)
    away *= spot.size_px * min(1.0, farthest / max(float(np.hypot(*away)), 1e-9))
    move = np.column_stack([linear, PATCH_PX / 2 - linear @ (spot.centre_px - away)])
    size = (PATCH_PX, PATCH_PX)
    beyond = [128.0] * 3 if rng.random() < 0.7 else rng.integers(0, 256, 3).tolist()
    patch = np.asarray(cv2.warpAffine(picture.image_bgr, move, size, borderValue=beyond), np.uint8)
    offset = (*(linear @ away / FACE_PX), longer / np.log(2))
    return recoloured(developed(patch, rng), rng), np.array(offset, np.float32)


def random_patches(
    pool: Sequence[DicePicture], spots: Sequence[PatchSpot], size: int, rng: np.random.Generator
) -> list[Sample[DiceTargets]]:
    """Return random patches with their classes and offsets."""
    faces = [spot for spot in spots if spot.truth != NOTHING]
    none = [spot for spot in spots if spot.truth == NOTHING] or faces
    chosen = []
    for chance in rng.random(size):
        if chance < _TAKEN:
            among = faces if chance < _FACES else none
            chosen.append(among[int(rng.integers(len(among)))])
        else:
            number = int(rng.integers(len(pool)))
            chosen.append(beside(pool[number], number, rng))
    samples = []
    for spot in chosen:
        patch, offset = patch_of(pool[spot.picture], spot, rng)
        samples.append(Sample(planes_of(patch), DiceTargets(np.array(spot.truth), offset)))
    return samples


# ---- the probability that a top face is at a place, from both networks' logits: a logistic regression

_REFITS = 4
_WORTH_FITTING = 0.05
_ROUNDS = 2000
_RIDGE = 0.1
"""Ridge penalty, which keeps the weights finite if the classes are separable."""


def fit_presence(pictures: Iterable[DicePicture]) -> list[float]:
    """Return the weights of both networks' logits and the constant, fitted to held-out pictures.

    Only candidates that remain after non-maximum suppression count: not a side next to a more probable top. What
    remains depends on the weights, so that they are fitted several times.
    """
    reader = DiceReader()
    looks = [(picture, reader.look(picture.image_bgr, hopeless=True)) for picture in pictures]
    weights = np.array([1.0, 1.0, 0.0])
    for _ in range(_REFITS):
        said, truth = (
            np.concatenate(parts) for parts in zip(*(_remaining(*look, weights) for look in looks), strict=True)
        )
        # logistic regression with Boehning's bound of the Hessian (1992), which prevents overshooting
        bend, weights = said.T @ said / 4 + _RIDGE * np.eye(said.shape[1]), np.zeros(said.shape[1])
        for _ in range(_ROUNDS):
            p = 1 / (1 + np.exp(-said @ weights))
            weights = weights - np.linalg.solve(bend, said.T @ (p - truth) + _RIDGE * weights)
    return [round(float(weight), 3) for weight in weights]


def _remaining(picture: DicePicture, candidates: Candidates, weights: Floats) -> tuple[Floats, Floats]:
    """Return the features of the candidates that would be reported, (n, 3), and whether each is a top face, (n,).

    Counters and blocks are left out, since they are far more frequent in rendered pictures than next to a throw, as are
    faces that are too small or cut by the picture's edge, because the truth lists only dice whose middle is in it.
    """
    places = candidates.places
    first, second, constant = weights.tolist()
    kept = list(non_max_suppression(places, candidates.p_die((first, second, constant)), _WORTH_FITTING))
    said = np.column_stack([candidates.log_odds(), np.ones_like(places.p)])[kept]
    centres, sizes = places.centres_px[kept], places.sizes_px[kept]
    tops = ((*face.centre_px, 0.5 * face.size_px) for face in picture.faces)
    truth, decoys = (_within(spots, centres) for spots in (tops, picture.decoys))
    room = np.minimum(centres, picture.image_bgr.shape[0] - centres).min(axis=1, initial=np.inf)
    counts = ~decoys & (room > 0.8 * sizes) & (sizes >= LEAST_READ_PX)
    return said[counts], truth[counts].astype(np.float64)


def _within(spots: Iterable[tuple[float, float, float]], centres_px: Floats) -> NDArray[np.bool_]:
    """Return for each centre (n, 2) whether it is within the radius of a spot (x, y, radius), bool (n,)."""
    near = np.zeros(len(centres_px), np.bool_)
    for x, y, size in spots:
        near |= np.hypot(centres_px[:, 0] - x, centres_px[:, 1] - y) < size
    return near
