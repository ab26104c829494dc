"""Training data: labelled pictures, registered and normalised as by the reader, and varied."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

import cv2
import numpy as np

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Floats, Lens, Pose
from vision.image_file import load_image
from vision.localization.locate import ScaledImage, locate, search
from vision.localization.markers import of_board
from vision.localization.planes import Planes, PlaneSource, choose_source, warp_planes
from vision.localization.pose import PoseEstimate
from vision.recognition.light import Illumination, estimate_light
from vision.recognition.trust import rejection_reason
from vision.simulation.optics import render
from vision.simulation.scene import Scene

_POSE_SPREAD = 1.2
"""Factor on the standard deviation of poses, since their covariance ignores a warped sheet."""

_MOST_FOCAL_STEP = 0.05
"""Largest relative step of the focal length. From straight above it is undetermined, together with the distance, and a
covariance holds for small steps only."""


def blurred(source: PlaneSource, rng: np.random.Generator) -> ImageBgr:
    """Return a picture, sometimes blurred a little."""
    if rng.random() > 0.3:
        return source.image_bgr
    return np.asarray(cv2.GaussianBlur(source.image_bgr, (0, 0), rng.uniform(0.3, 1.0)), dtype=np.uint8)


def jittered(estimate: PoseEstimate, rng: np.random.Generator) -> Pose:
    """Return a pose drawn from an estimate's covariance."""
    variances, axes = np.linalg.eigh(estimate.covariance)
    step = axes @ (np.sqrt(np.maximum(variances, 0)) * rng.normal(size=len(variances))) * _POSE_SPREAD
    step *= min(1.0, _MOST_FOCAL_STEP / max(abs(step[6]), 1e-9))
    pose = estimate.pose
    lens = Lens(pose.lens.focal_px * float(np.exp(step[6])), pose.lens.centre_px, pose.lens.k1 + float(step[7]))
    return Pose(lens, pose.rotation + step[:3], pose.shift_mm + step[3:6])


def relit(planes: Planes, rng: np.random.Generator, *, tint: float = 0.03) -> Planes:
    """Return planes with other colour, contrast, evenness and noise, alike at all heights.

    `tint` is the strength of a cast on black, small enough that dark pieces of different hues stay distinguishable.
    """
    heights = len(planes) // 3
    views = planes.reshape(heights, 3, *planes.shape[1:])
    views = np.sign(views) * np.abs(views) ** np.exp(rng.normal(0, 0.15))
    mixed = np.einsum("ij,hjrc->hirc", np.eye(3) + rng.normal(0, 0.04, (3, 3)), views)
    gain = np.exp(rng.normal(0, 0.1, 3) + rng.normal(0, 0.15))
    lit = mixed * gain[:, None, None] + rng.normal(0, tint, 3)[:, None, None]
    lit = _unevenly(lit, rng)
    if rng.random() < 0.4:
        lit = lit + rng.normal(0, rng.uniform(0.005, 0.06), lit.shape)
    return np.clip(lit, -0.25, 2.0).reshape(planes.shape).astype(np.float32)


def _unevenly(views: Floats, rng: np.random.Generator) -> Floats:
    """Return views (heights, bgr, rows, columns) with a gradient and a spot of glare or shade."""
    rows, columns = views.shape[2:]
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    if rng.random() < 0.5:
        views = views * np.exp(rng.normal(0, 0.15) * x + rng.normal(0, 0.15) * y)
    if rng.random() < 0.35:
        middle, radius = rng.uniform(-1, 1, 2), rng.uniform(0.1, 0.8)
        spot = 1 / (1 + np.exp((np.hypot(x - middle[0], y - middle[1]) - radius) / rng.uniform(0.02, 0.3)))
        glare, shade = spot * rng.uniform(0.1, 0.8), 1 - spot * rng.uniform(0.1, 0.6)
        views = views + glare if rng.random() < 0.5 else views * shade
    return views


S = TypeVar("S")

_FIRST = 64
"""Least number of samples that a pool begins with."""


class Pool(Generic[S]):
    """A pool of samples: making one costs more than a training step, so that each is used several times.

    Args:
        make: makes a sample.
        turn: varies a sample cheaply each time that it is used.
        size: the number of samples that are kept.
        rng: the source of chance.
    """

    def __init__(
        self,
        make: Callable[[], S],
        turn: Callable[[S, np.random.Generator], S],
        size: int,
        rng: np.random.Generator,
    ) -> None:
        self._make, self._turn, self._size, self._rng = make, turn, size, rng
        self._samples: list[S] = []

    def batch(self, number: int, fresh: int) -> list[S]:
        """Return `number` random samples, after `fresh` new ones were made."""
        for _ in range(fresh if self._samples else max(_FIRST, 2 * number)):
            self._renew(self._make())
        picks = self._rng.integers(len(self._samples), size=number)
        return [self._turn(self._samples[i], self._rng) for i in picks]

    def _renew(self, sample: S) -> None:
        if len(self._samples) < self._size:
            self._samples.append(sample)
        else:
            self._samples[int(self._rng.integers(self._size))] = sample


class Supply(Generic[S]):
    """Examples to draw from: labelled pictures, and scenes that are rendered one by one while others are drawn from.

    Args:
        pictures: examples of labelled pictures.
        share: how often one of them is drawn.
        scenes: renders examples of scenes.
        uses: the number of draws after which another scene is rendered, while there are more.
        rng: the source of chance.
    """

    def __init__(
        self, pictures: Sequence[S], share: float, scenes: Iterator[S], uses: int, rng: np.random.Generator
    ) -> None:
        self._pictures, self._share, self._scenes, self._uses, self._rng = pictures, share, scenes, uses, rng
        self._rendered: list[S] = []
        self._drawn = 0

    def pick(self) -> S:
        """Return a random example."""
        if self._drawn % self._uses == 0:
            self._rendered.extend(islice(self._scenes, 1))
        self._drawn += 1
        among = self._pictures if not self._rendered or self._rng.random() < self._share else self._rendered
        return among[int(self._rng.integers(len(among)))]


ExampleT = TypeVar("ExampleT")


@dataclass(frozen=True, slots=True, eq=False)
class Registered:
    """One picture, ready to be warped.

    Attributes:
        source: the picture, reduced for warping.
        estimate: the board's estimated pose with its covariance.
        light: the estimated light.
    """

    source: PlaneSource
    estimate: PoseEstimate
    light: Illumination


def register(image_bgr: ImageBgr, board: Board, *, cell_px: int) -> Registered | None:
    """Return a picture, uint8 (height, width, 3), registered as by the reader; None if the reader would refuse it."""
    scaled = ScaledImage(image_bgr)
    detections = of_board(search(scaled), board)
    located = locate(scaled, board, detections, None) if detections else None
    if located is None or rejection_reason(scaled, board, located):
        return None
    pose = located.estimate.pose
    return Registered(
        choose_source(image_bgr, scaled.reduced_bgr, board, pose, cell_px=cell_px),
        located.estimate,
        estimate_light(image_bgr, board, pose, located.detections),
    )


def rendered(
    seeds: Sequence[int],
    scene_of: Callable[[np.random.Generator, int], Scene],
    make: Callable[[ImageBgr, Scene], ExampleT | None],
) -> Iterator[ExampleT]:
    """Yield an example of one random scene for each seed, without those that the reader would refuse."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        scene = scene_of(rng, seed)
        made = make(render(scene, rng), scene)
        if made is not None:
            yield made


def photographed(
    pictures: Iterable[Path], make: Callable[[ImageBgr, Mapping[str, Any]], ExampleT | None]
) -> Iterator[ExampleT]:
    """Yield examples of pictures that have a truth file next to them, in the form of tests/recorded."""
    for picture in pictures:
        truth = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
        made = make(load_image(picture), truth)
        if made is not None:
            yield made


def labels_and_visible(board: Board, truth: Mapping[str, Any]) -> tuple[list[str], Floats]:
    """Return the label of each place in a truth file, and whether it is visible (1 or 0), float64 (n_places,)."""
    labels = [truth["cells"].get(place, "empty") for place in board.places]
    return labels, np.array([float(place not in truth["hidden"]) for place in board.places])


def warp(
    seen: Registered, board: Board, heights_mm: Sequence[float], rng: np.random.Generator, *, cell_px: int
) -> tuple[Planes, Pose]:
    """Return planes of a picture that is blurred and warped by a slightly wrong pose, and that pose."""
    source, pose = replace(seen.source, image_bgr=blurred(seen.source, rng)), jittered(seen.estimate, rng)
    return warp_planes(source, board, pose, seen.light, heights_mm, cell_px=cell_px), pose
