"""Fits the probability that a top face is at a place from both networks' logits: a logistic regression."""

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
"""Ridge penalty, which keeps the weights finite if the classes are separable."""


def fit_presence(pictures: Iterable[DicePicture]) -> list[float]:
    """Return the weights of both networks' logits and the constant, fitted to held-out pictures.

    Only candidates that remain after non-maximum suppression count: not a side next to a more probable top. What
    remains depends on the weights, so that they are fitted several times.
    """
    reader = DiceReader()
    looks = [(picture, reader.look(picture.image_bgr)) for picture in pictures]
    weights = np.array([1.0, 1.0, 0.0])
    for _ in range(_REFITS):
        said, truth = (np.concatenate(parts) for parts in zip(*(_left(*look, weights) for look in looks), strict=True))
        weights = _regress(said, truth)
    return [round(float(weight), 3) for weight in weights]


def _left(picture: DicePicture, candidates: Candidates, weights: Floats) -> tuple[Floats, Floats]:
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


def _regress(said: Floats, truth: Floats) -> Floats:
    """Fit a logistic regression with Boehning's bound of the Hessian (1992), which prevents overshooting."""
    bend = said.T @ said / 4 + _RIDGE * np.eye(said.shape[1])
    weights = np.zeros(said.shape[1])
    for _ in range(_ROUNDS):
        p = 1 / (1 + np.exp(-said @ weights))
        weights = weights - np.linalg.solve(bend, said.T @ (p - truth) + _RIDGE * weights)
    return weights
