"""How far to trust the two networks together that a top face is somewhere: a logistic regression."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.markerless.dice import LEAST_READ_PX, Candidates, DiceReader, non_max_suppression
from vision.training.dice.picture import DicePicture

_REFITS = 4
_WORTH_FITTING = 0.05
_ROUNDS = 2000
_RIDGE = 0.1
"""Keeps the weights finite where nothing is ever mistaken."""


def fit_presence(pictures: Iterable[DicePicture]) -> list[float]:
    """Fit the weights of both networks' logits and the constant to what is in pictures that neither learned from.

    Only what is left when each die has been used once counts: a side beside a surer top does not count, however well it
    looks by itself. What is left depends on the weights, so they are fitted a few times over.
    """
    reader = DiceReader()
    looks = [(picture, reader.look(picture.image_bgr)) for picture in pictures]
    weights = np.array([1.0, 1.0, 0.0])
    for _ in range(_REFITS):
        said, truth = (np.concatenate(parts) for parts in zip(*(_left(*look, weights) for look in looks), strict=True))
        weights = _regress(said, truth)
    return [round(float(weight), 3) for weight in weights]


def _left(picture: DicePicture, candidates: Candidates, weights: Floats) -> tuple[Floats, Floats]:
    """Return what the networks say about the candidates that would be reported, (n, 3), and which are top faces, (n,).

    Counters and blocks do not count, since they are in drawn pictures far more often than beside a throw, nor does what
    the picture's edge cuts: the truth lists only dice whose middle is in it. Faces too small do not either.
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
    """Tell of each centre (n, 2) whether it is nearer to the middle (x, y) of a spot than the spot's third number."""
    near = np.zeros(len(centres_px), np.bool_)
    for x, y, size in spots:
        near |= np.hypot(centres_px[:, 0] - x, centres_px[:, 1] - y) < size
    return near


def _regress(said: Floats, truth: Floats) -> Floats:
    """Fit a logistic regression with steps that Boehning's bound of the curvature keeps from overshooting (1992)."""
    bend = said.T @ said / 4 + _RIDGE * np.eye(said.shape[1])
    weights = np.zeros(said.shape[1])
    for _ in range(_ROUNDS):
        p = 1 / (1 + np.exp(-said @ weights))
        weights = weights - np.linalg.solve(bend, said.T @ (p - truth) + _RIDGE * weights)
    return weights
