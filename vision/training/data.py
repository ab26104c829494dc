"""What the models of boards learn from: pictures with truth, registered and lit by the chain that will read them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.image_file import load_image
from vision.localization.locate import ScaledImage, locate, search
from vision.localization.markers import of_board
from vision.localization.planes import Planes, PlaneSource, choose_source, warp_planes
from vision.localization.pose import PoseEstimate
from vision.recognition.light import Illumination, estimate_light
from vision.recognition.trust import rejection_reason
from vision.simulation.optics import render
from vision.simulation.scene import Scene
from vision.training.augment import blurred, jittered

ExampleT = TypeVar("ExampleT")


@dataclass(frozen=True, slots=True, eq=False)
class Registered:
    """One picture, ready to be warped.

    Attributes:
        source: the picture, reduced for warping.
        estimate: the board's pose, as estimated, with its doubt.
        light: as estimated.
    """

    source: PlaneSource
    estimate: PoseEstimate
    light: Illumination


def register(image_bgr: ImageBgr, board: Board, *, cell_px: int) -> Registered | None:
    """Register a picture uint8 (height, width, 3) as the reader does; None if it would refuse it."""
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
    """Render one random scene a seed; those whose pictures the reader would refuse are left out."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        scene = scene_of(rng, seed)
        made = make(render(scene, rng), scene)
        if made is not None:
            yield made


def photographed(
    pictures: Iterable[Path], make: Callable[[ImageBgr, Mapping[str, Any]], ExampleT | None]
) -> Iterator[ExampleT]:
    """Read pictures that have a truth file beside them, in the form of tests/recorded."""
    for picture in pictures:
        truth = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
        made = make(load_image(picture), truth)
        if made is not None:
            yield made


def labels_and_visible(board: Board, truth: Mapping[str, Any]) -> tuple[list[str], Floats]:
    """Return the label of each place in a truth file, and the share of it that can be seen, float64 (n_places,)."""
    labels = [truth["cells"].get(place, "empty") for place in board.places]
    return labels, np.array([float(place not in truth["hidden"]) for place in board.places])


def warp(
    seen: Registered, board: Board, heights_mm: Sequence[float], rng: np.random.Generator, *, cell_px: int
) -> tuple[Planes, Pose]:
    """Warp one variation of a picture: a little blurred, by a pose a little off, which is returned as well."""
    source, pose = replace(seen.source, image_bgr=blurred(seen.source, rng)), jittered(seen.estimate, rng)
    return warp_planes(source, board, pose, seen.light, heights_mm, cell_px=cell_px), pose
