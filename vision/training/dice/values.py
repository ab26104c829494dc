"""What the second network learns from: faces by themselves, always of the same size, and what is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.frame import ImageBgr
from vision.loose.dice import views
from vision.loose.dice_network import FACE_PX, PATCH_PX
from vision.synthetic.dice_picture import DicePicture
from vision.training.dice.examples import IGNORED, NOTHING, class_of, recoloured

_FACES, _DECOYS, _BESIDE = 0.76, 0.82, 0.92
"""Of what is learned from, up to so much are faces, things that are no dice, places beside dice; the rest has none."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place to look at: which picture, where, how large a face is or would be there, and what is to be told."""

    picture: int
    centre_px: tuple[float, float]
    size_px: float
    told: int


def spots_of(pictures: Sequence[DicePicture], first: int = 0) -> Iterator[Spot]:
    """Give the faces that can be told, and the things that are no dice, in pictures numbered from `first`."""
    for number, picture in enumerate(pictures, start=first):
        for face in picture.faces:
            told = class_of(face)
            if told != IGNORED and face.size_px > 14:
                yield Spot(number, face.centre_px, face.size_px, told)
        side = picture.image_bgr.shape[0]
        for x, y, size in picture.decoys:
            if min(x, y) >= 0 and max(x, y) < side:
                yield Spot(number, (x, y), max(size, 14.0), NOTHING)


def beside(picture: DicePicture, number: int, rng: np.random.Generator) -> Spot:
    """Choose a place where there is no middle of a face: often beside one, on a side of a die."""
    side = picture.image_bgr.shape[0]
    for _ in range(20):
        size, centre = float(rng.uniform(16, 60)), rng.uniform(0, side, 2)
        if picture.faces and rng.random() < 0.7:
            face = picture.faces[int(rng.integers(len(picture.faces)))]
            size = face.size_px * float(np.exp(rng.uniform(-0.4, 0.4)))
            centre = np.array(face.centre_px) + rng.uniform(-1.1, 1.1, 2) * face.size_px
        away = [np.hypot(*(centre - face.centre_px)) / face.size_px for face in picture.faces]
        if all(distance > 0.42 for distance in away):
            return Spot(number, (float(centre[0]), float(centre[1])), size, NOTHING)
    return Spot(number, (0.0, 0.0), float(side), NOTHING)


def patch_of(picture: DicePicture, spot: Spot, rng: np.random.Generator) -> ImageBgr:
    """Cut a place out, turned at will, mirrored, stretched and a little astray, as a first look may be."""
    angle, along = rng.uniform(0, 2 * np.pi, 2)
    turn, back = (np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in (angle, along))
    stretch = back.T @ np.diag([np.exp(rng.uniform(-0.25, 0.05)), 1.0]) @ back
    mirror = np.diag([rng.choice([-1.0, 1.0]), 1.0])
    linear = FACE_PX / spot.size_px * np.exp(rng.normal(0, 0.12)) * stretch @ mirror @ turn
    centre = np.array(spot.centre_px) + np.clip(rng.normal(0, 0.075, 2), -0.25, 0.25) * spot.size_px
    move = np.column_stack([linear, PATCH_PX / 2 - linear @ centre])
    image = picture.image_bgr
    size = (PATCH_PX, PATCH_PX)
    beyond = [128.0] * 3 if rng.random() < 0.7 else rng.integers(0, 256, 3).tolist()
    return recoloured(np.asarray(cv2.warpAffine(image, move, size, borderValue=beyond), np.uint8), rng)


def planes_of(patches: NDArray[np.uint8]) -> torch.Tensor:
    """Make patches (n, height, width, 3) ready for the network."""
    return (torch.from_numpy(patches.transpose(0, 3, 1, 2).copy()).float() - 128) / 64


def batch_of(
    pool: Sequence[DicePicture],
    spots: Sequence[Spot],
    others: Sequence[DicePicture],
    size: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Draw a batch: mostly faces, some decoys; the rest lies beside dice or in pictures without any."""
    faces = [spot for spot in spots if spot.told != NOTHING]
    decoys = [spot for spot in spots if spot.told == NOTHING] or faces
    patches, told = [], []
    for chance in rng.random(size):
        if chance < _DECOYS:
            among = faces if chance < _FACES else decoys
            spot = among[int(rng.integers(len(among)))]
            picture = pool[spot.picture]
        else:
            those = others if others and chance > _BESIDE else pool
            picture = those[int(rng.integers(len(those)))]
            spot = beside(picture, 0, rng)
        patches.append(patch_of(picture, spot, rng))
        told.append(spot.told)
    return np.stack(patches), np.array(told)


def logits_of_values(network: nn.Module, held_out: Sequence[DicePicture]) -> tuple[torch.Tensor, torch.Tensor]:
    """Give the logits (n, CLASSES), looked at as the reader does, and the truth (n,) of faces and places beside."""
    rng = np.random.default_rng(0)
    spots = [spot for spot in spots_of(held_out) if spot.told != NOTHING]
    spots += [beside(picture, number, rng) for number, picture in enumerate(held_out)]
    logits = []
    with torch.no_grad():
        for spot in spots:
            astray = np.array(spot.centre_px) + rng.normal(0, 0.05, 2) * spot.size_px
            patches = views(held_out[spot.picture].image_bgr, astray, spot.size_px * float(np.exp(rng.normal(0, 0.1))))
            logits.append(network(planes_of(patches)).mean(dim=0))
    return torch.stack(logits), torch.tensor([spot.told for spot in spots])
