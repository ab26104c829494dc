"""Patches of cells as the camera sees them: a small upright picture of what stands there, seen from any side.

A standing figure is recognised by its outline and its head, which no plane parallel to the board shows. So each cell
has a patch of its own: the picture on the plane through the cell's middle that faces the camera, with the figure's axis
upright and the same scale at its foot in every patch. Seen from straight above, that plane is level.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.geometry import Floats, Pose
from vision.localization.planes import PlaneSource
from vision.recognition.light import Illumination

PATCH_WH = (64, 112)
"""Width and height of a patch in pixels."""

_ENDS_PX = np.array([(0, 0), (PATCH_WH[0] - 1, 0), (PATCH_WH[0] - 1, PATCH_WH[1] - 1), (0, PATCH_WH[1] - 1)])
"""Its corners, clockwise from the top left, (4, xy)."""

MM_PER_PX = 0.8
"""Length of a pixel at the foot: a king 75 mm high, seen from its side at 45 degrees, fills two thirds of a patch."""

FOOT_PX = (31.5, 88.0)
"""Where in a patch the cell's middle is (x, y)."""

CELL_PX = 62
"""Pixels along a cell 50 mm wide; as `planes.choose_source` counts them."""

BRIGHTEST = 1.42
"""Highest value of a colour in a patch."""

_AROUND_PX, _LOOK_PX = 24, 8
"""How far a look reaches from the foot, and the side of the squares whose mean colours it is made of.

That is 19 mm, down to the patch's lower rim, and contains the widest foot; above it neighbours are seen."""

_LIFT = 0.02

Patches = NDArray[np.float32]
"""float32 (n_cells, (blue, green, red, steepness), rows px, columns px). Colours are square roots of the light, so that
dark pieces on dark ground differ too: white paper is 1, printed black 0.14. Steepness is the sine of the angle at which
the camera looks down on that cell, the same in all its pixels."""


def warp_patches(source: PlaneSource, board: Board, pose: Pose, light: Illumination) -> Patches:
    """Return the patch of every cell, in the board's order, divided by the light there."""
    # 1. The corners of the patches that face the camera, upright: across, and up from the foot.
    centres = board.centres_mm()
    feet_mm = np.column_stack([centres, np.zeros(len(centres))])
    towards_eye = _unit(pose.eye_mm - feet_mm)
    upright = np.array([0.0, 0.0, 1.0]) - towards_eye[:, 2:] * towards_eye
    above = np.linalg.norm(upright, axis=1) < 1e-6  # seen from straight above, every direction is as good
    upright[above] = (0.0, 1.0, 0.0)
    up, turned = _unit(upright), pose.board_to_camera
    right = np.cross(-towards_eye @ turned.T, up @ turned.T) @ turned
    across, upwards = ((_ENDS_PX - FOOT_PX) * (1, -1) * MM_PER_PX).T[:, :, None]
    corners_mm = feet_mm[:, None] + across * right[:, None] + upwards * up[:, None]
    corners_px = ((pose.project(corners_mm.reshape(-1, 3)) + 0.5) * source.scale - 0.5).reshape(-1, 4, 2)
    # 2. Warp the picture to each, and look up what each level is beside white.
    white = light.white_at(centres, board.size)
    patches = np.empty((len(centres), 4, *PATCH_WH[::-1]), dtype=np.float32)
    levels, ends = np.arange(256.0), _ENDS_PX.astype(np.float32)
    for patch, steepness, outline_px, white_bgr in zip(patches, towards_eye[:, 2], corners_px, white, strict=True):
        matrix = cv2.getPerspectiveTransform(outline_px.astype(np.float32), ends)
        seen = cv2.warpPerspective(
            source.image_bgr, matrix, PATCH_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        gain = 1.0 / np.maximum(white_bgr - light.black, 4.0)
        lit = np.sqrt(((levels[:, None] - light.black) * gain + _LIFT).clip(0.0, BRIGHTEST**2)).astype(np.float32)
        for channel, shown, table in zip(patch, cv2.split(seen), lit.T, strict=False):
            cv2.LUT(shown, np.ascontiguousarray(table), dst=channel)
        patch[3] = steepness
    return patches


def looks_of(patches: Patches) -> NDArray[np.float32]:
    """Return the mean colours of squares around each foot, float32 (n_cells, bgr, rows, columns)."""
    across, down = (slice(middle - _AROUND_PX, middle + _AROUND_PX) for middle in np.ceil(FOOT_PX).astype(int))
    colours = patches[:, :3, down, across]
    n, _bgr, rows, columns = colours.shape
    squares = colours.reshape(n, 3, rows // _LOOK_PX, _LOOK_PX, columns // _LOOK_PX, _LOOK_PX)
    return np.asarray(squares.mean(axis=(3, 5), dtype=np.float32))


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
