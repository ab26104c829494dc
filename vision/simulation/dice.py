"""Dice with pips next to the board, drawn on the canvas of the simulated table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.simulation.canvas import canvas_bgr, toned
from vision.simulation.outlines import SHIFT, SQUARE, ring, sixteenths
from vision.simulation.scene import SceneCamera

_BODY: Rgb = (232, 228, 216)
_PIP: Rgb = (24, 22, 22)
_PIP_RADIUS, _PIP_OFFSET = 0.095, 0.26
"""Radius of a pip, and its distance from the face's middle lines, over the side."""

_AROUND = {1: (2, 3), 2: (6, 3), 3: (2, 6), 4: (5, 1), 5: (4, 6), 6: (5, 4)}
"""The faces on two neighbouring sides of a die, by the one on top; opposite ones add up to 7."""

_AROUND_DOTTED = {0: (0, 1), 1: (1, 0)}
"""The same for a die with one dot or none on a face; opposite ones add up to 1."""


def pip_places(value: int, across: float, along: float) -> Floats:
    """Return the places of the pips of a value, 0 to 6, about the middle of a face, float64 (value, 2).

    `across` and `along` are the offsets of those in the corners; a six's rows of three run along.
    """
    corners = [(-across, -along), (across, along), (-across, along), (across, -along)]
    middle = [(0.0, 0.0)] if value % 2 else []
    sides = [(-across, 0.0), (across, 0.0)] if value == 6 else []
    return np.array([*corners[: value // 2 * 2], *middle, *sides]).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class SceneDie:
    """A die at rest on the table.

    Attributes:
        pips: the pips on top, 0 for none.
        at_mm: its middle, (x, y).
        size_mm: its side.
        turn_deg: its rotation.
        dotted: whether its faces have one dot or none.
    """

    pips: int
    at_mm: tuple[float, float]
    size_mm: float
    turn_deg: float = 0.0
    dotted: bool = False


def draw_dice(canvas: ImageBgr, camera: SceneCamera, dice: Sequence[SceneDie]) -> None:
    """Draw dice on a canvas uint8 (height, width, 3), in place, from the farthest to the nearest."""
    eye = camera.pose.eye_mm

    def fill(points_mm: Floats, colour: Rgb) -> None:
        corners = sixteenths(camera.pose.project(points_mm))
        cv2.fillPoly(canvas, [corners], canvas_bgr(colour), cv2.LINE_AA, SHIFT)

    for die in sorted(dice, key=lambda die: -float(np.hypot(die.at_mm[0] - eye[0], die.at_mm[1] - eye[1]))):
        for middle, across, down, pips, tone in _faces(die):
            if np.dot(np.cross(across, down), eye - middle) > 0:  # its outer side faces the camera
                sides = np.stack([across, down])
                fill(middle + SQUARE @ sides, toned(_BODY, tone))
                for place in pip_places(pips, _PIP_OFFSET, _PIP_OFFSET):
                    fill(middle + 2 * (place + _PIP_RADIUS * ring(24)) @ sides, _PIP)


def _faces(die: SceneDie) -> Iterator[tuple[Floats, Floats, Floats, int, float]]:
    """Yield the four sides and the top: middle and half-side vectors, float64 (xyz), pips, and brightness."""
    half, turn = die.size_mm / 2, np.radians(die.turn_deg)
    right = half * np.array([np.cos(turn), np.sin(turn), 0.0])
    front = half * np.array([-np.sin(turn), np.cos(turn), 0.0])
    up = np.array([0.0, 0.0, half])
    middle = np.array([*die.at_mm, half])
    (one, other), both = (_AROUND_DOTTED[die.pips], 1) if die.dotted else (_AROUND[die.pips], 7)
    sides = [(right, front, one), (front, -right, other), (-right, -front, both - one), (-front, right, both - other)]
    for outwards, along, pips in sides:
        yield middle + outwards, along, up, pips, 0.8 + 0.1 * float(outwards[0] / half)
    yield middle + up, right, front, die.pips, 1.0


def room_beside(camera: SceneCamera, size_mm: tuple[float, float], across_mm: float) -> tuple[float, float] | None:
    """Return the middle of a square next to the board that is in the picture, (x, y) in mm; None if there is no room.

    Args:
        camera: the camera over the board.
        size_mm: the board's width and height.
        across_mm: the square's side.
    """
    width, height = size_mm
    half = across_mm / 2 + 6.0
    places = [(width + half, height / 2), (-half, height / 2), (width / 2, height + half), (width / 2, -half)]
    for place in places:
        pixels = camera.pose.project_at(half * SQUARE + place, 0.0)
        if (pixels > 0).all() and (pixels < np.array(camera.size_wh)).all():
            return place
    return None
