"""A rendered table for the tests of the eye: drawn once, used by many."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.board import shipped_board
from vision.frame import ImageBgr
from vision.localization.markers import SEARCH_WIDTH_PX
from vision.simulation.optics import render
from vision.simulation.scene import Occluder, Scene, camera_over
from vision.simulation.truth import Truth, stand_pieces, truth_of

BOARD = shipped_board("royal-tee")
POSITION = {
    "F11": "red",
    "F10": "red",
    "E10": "red-royal",
    "G2": "green",
    "G3": "green-royal",
    "H9": "red",
    "C4": "green",
}


def scene(tilt_deg: float = 20.0, turn_deg: float = 12.0, occluders: tuple[Occluder, ...] = ()) -> Scene:
    """A table in even light with seven pieces, seen from a tilt off the vertical."""
    camera = camera_over(BOARD, (1280, 960), tilt_deg=tilt_deg, turn_deg=turn_deg, k1=-0.03)
    labels = {cell: POSITION.get(cell, "empty") for cell in BOARD.cells}
    return Scene(
        BOARD, camera, stand_pieces(BOARD, labels, np.random.default_rng(3), jitter_mm=0.5), occluders=occluders
    )


@cache
def pictured(tilt_deg: float = 20.0, turn_deg: float = 12.0) -> tuple[ImageBgr, Truth, Scene]:
    """A picture of that table, with its truth."""
    made = scene(tilt_deg, turn_deg)
    return render(made, np.random.default_rng(5)), truth_of(made), made


def out_of_focus(image_bgr: ImageBgr, reduced_px: float) -> ImageBgr:
    """Make each point a disc, of that radius once the picture has been reduced for the search."""
    radius_px = reduced_px * image_bgr.shape[1] / SEARCH_WIDTH_PX
    disc = np.clip(radius_px + 0.5 - np.hypot(*np.mgrid[-15:16, -15:16]), 0, 1)
    return np.asarray(cv2.filter2D(image_bgr, -1, disc / disc.sum()), np.uint8)
