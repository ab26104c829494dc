"""What the second network learns from: faces by themselves, always of the same size, and what is not one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32
from vision.markerless.dice import cluster_detections
from vision.markerless.dice_network import FACE_PX, PATCH_PX, DieDetector, Places
from vision.training.dice.data import IGNORED, NOTHING, class_of, developed, recoloured, turn_of
from vision.training.render.dice_picture import DicePicture

_FACES, _TAKEN = 0.72, 0.96
"""Of what is learned from, up to so much are faces, then what the first network takes for faces; the rest is anywhere
beside faces."""

_TURN_RAD = 0.12
"""How far patches are turned where the camera did not look steeply down."""

_TAKEN_FOR_A_FACE = 0.05
"""Probability of a face above which a place that has none is learned from: a little less than is looked at."""

_FARTHEST = 0.4
"""A face up to this far from a patch's middle, in faces, is still the one to read; one beyond _NOT_THIS is not."""

_NOT_THIS = 0.55


@dataclass(frozen=True, slots=True)
class PatchSpot:
    """A place to look at: which picture, where, how large a face is or would be there, and the true answer."""

    picture: int
    centre_px: tuple[float, float]
    size_px: float
    truth: int


def spots_of(pictures: Sequence[DicePicture], first: int = 0) -> Iterator[PatchSpot]:
    """Return what is learned from in pictures numbered from `first`.

    Faces that can be read, and what the first network takes for a face and is none: most often the side of a die.
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
    """Choose a place where there is no middle of a face: often beside one, on a side of a die."""
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
    """Cut a place out, turned a little, mirrored, stretched and off, as a first look may be; return how far off."""
    angle = turn_of(picture, rng, _TURN_RAD)
    along = rng.uniform(0, 2 * np.pi)
    turn, back = (np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in (angle, along))
    longer = float(np.clip(rng.normal(0, rng.choice([0.06, 0.22])), -0.5, 0.5))
    stretch = back.T @ np.diag([np.exp(rng.uniform(-0.12, 0.02)), 1.0]) @ back
    mirror = np.diag([rng.choice([-1.0, 1.0]), 1.0])
    linear = FACE_PX / spot.size_px * np.exp(longer) * stretch @ mirror @ turn
    spread, farthest = (rng.choice([0.04, 0.14]), _FARTHEST) if spot.truth != NOTHING else (0.04, 0.1)
    away = _within(rng.normal(0, spread, 2), farthest) * spot.size_px
    move = np.column_stack([linear, PATCH_PX / 2 - linear @ (spot.centre_px - away)])
    size = (PATCH_PX, PATCH_PX)
    beyond = [128.0] * 3 if rng.random() < 0.7 else rng.integers(0, 256, 3).tolist()
    patch = np.asarray(cv2.warpAffine(picture.image_bgr, move, size, borderValue=beyond), np.uint8)
    offset = (*(linear @ away / FACE_PX), longer / np.log(2))
    return recoloured(developed(patch, rng), rng), np.array(offset, np.float32)


def _within(away: Floats, farthest: float) -> Floats:
    return away * min(1.0, farthest / max(float(np.hypot(*away)), 1e-9))


def batch_of(
    pool: Sequence[DicePicture], spots: Sequence[PatchSpot], size: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.int64], Floats32]:
    """Draw a batch: patches, what they show, and how far off they are, float32 (n, 3)."""
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
    patches, offset = zip(*(patch_of(pool[spot.picture], spot, rng) for spot in chosen), strict=True)
    return np.stack(patches), np.array([spot.truth for spot in chosen]), np.stack(offset)
