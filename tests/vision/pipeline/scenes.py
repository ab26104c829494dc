"""A rendered table for the tests of the eye: drawn once, used by many."""

from __future__ import annotations

from functools import cache

import numpy as np

from vision.board import shipped_board
from vision.frame import ImageBgr
from vision.synthetic.optics import render
from vision.synthetic.scene import Occluder, Scene, camera_over
from vision.synthetic.truth import Truth, stand_pieces, truth_of

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
