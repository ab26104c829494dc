"""Films of rendered tables, with the truth of every frame: hands, shadows, lamps, bumps, moved pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from vision.board import Board, shipped_board
from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32
from vision.occlusion.gate import OcclusionState
from vision.occlusion.gate_look import outline_of
from vision.simulation.occluders import Limbs, reaching_arm
from vision.simulation.optics import StaticTable, lay_table, render_frame
from vision.simulation.scene import Arm, Scene, ScenePiece, camera_over
from vision.simulation.truth import stand_pieces

BOARD = shipped_board("royal-tee")
LABELS = {**dict.fromkeys(BOARD.cells, "empty"), "F10": "red", "G10": "blue", "C3": "green", "J4": "green-royal"}
SIZE_WH = (640, 480)
LIMBS: Mapping[str, Limbs] = {
    "usual": Limbs(),
    "glove": Limbs(skin=(90, 90, 90), sleeve=(60, 60, 62)),
    "dark": Limbs(skin=(84, 58, 46), sleeve=(190, 190, 180)),
    "like the board": Limbs(skin=(214, 200, 178), sleeve=(120, 84, 56)),
}


@cache
def scene() -> Scene:
    """A table of Royal Tee with four pieces on it."""
    pieces = stand_pieces(BOARD, LABELS, np.random.default_rng(3))
    return Scene(BOARD, camera_over(BOARD, SIZE_WH, tilt_deg=22.0), pieces)


@dataclass(frozen=True, eq=False)
class Moment:
    """What is over the table.

    Attributes:
        truth: what the detector should report; None if two states pass into one another.
        arms: over the board.
        light: what the light is multiplied by, a number or float32 (height, width, 1 or 3).
        shift_px: of the picture, as after a bump.
        pieces: what stands on the board, if not the scene's.
        covered: the camera's lens is.
    """

    truth: OcclusionState | None
    arms: tuple[Arm, ...] = ()
    light: Floats32 | float = 1.0
    shift_px: tuple[float, float] = (0.0, 0.0)
    pieces: tuple[ScenePiece, ...] | None = None
    covered: bool = False


@dataclass(frozen=True, eq=False)
class Take:
    """A frame of a film; `truth` None if two states pass into one another."""

    at_s: float
    image_bgr: ImageBgr
    outline_px: Floats
    truth: OcclusionState | None


Act = Callable[[float], Moment]
"""What is over the table, by the share of the act that is over."""


def always(moment: Moment) -> Act:
    """The same all along."""
    return lambda _share: moment


clean = always(Moment(OcclusionState.CLEAN))
"""Nothing over the table."""


def pause(seconds: float) -> tuple[float, Act]:
    """Give nothing over the table, and time to find that out."""
    return seconds, always(Moment(None))


def film(
    scene: Scene, acts: Sequence[tuple[float, Act]], rng: np.random.Generator, fps: float = 10.0
) -> Iterator[Take]:
    """Play acts, each with how long it takes in s, one after another."""
    table = lay_table(scene, rng)
    outline_px, frame = outline_of(scene.board, scene.camera.pose), 0
    for seconds, act in acts:
        count = round(seconds * fps)
        for k in range(count):
            moment = act(k / max(count - 1, 1))
            shifted = outline_px + np.array(moment.shift_px)
            yield Take(frame / fps, _picture(table, moment, rng), shifted, moment.truth)
            frame += 1


def _picture(table: StaticTable, moment: Moment, rng: np.random.Generator) -> ImageBgr:
    lit = replace(table, light=(table.light * np.sqrt(moment.light)).astype(np.float32))
    pieces = table.scene.pieces if moment.pieces is None else moment.pieces
    image = render_frame(lit, pieces, moment.arms, rng)
    if moment.shift_px != (0.0, 0.0):
        shift = np.array([(1.0, 0.0, moment.shift_px[0]), (0.0, 1.0, moment.shift_px[1])])
        image = np.asarray(cv2.warpAffine(image, shift, image.shape[1::-1], borderMode=cv2.BORDER_REFLECT), np.uint8)
    return np.asarray(image // 12 if moment.covered else image, np.uint8)


def in_light(light_at: Callable[[float], Floats32 | float], truth: OcclusionState | None = OcclusionState.CLEAN) -> Act:
    """Nothing over the table, its light multiplied."""
    return lambda share: Moment(truth, light=light_at(share))


def arm_acts(
    board: Board, tip_mm: tuple[float, float], limbs: Limbs, gesture: str, rest_s: float = 1.0
) -> tuple[tuple[float, Act], tuple[float, Act], tuple[float, Act]]:
    """Give the acts in which an arm reaches in from the bottom, rests (trembling a little) and leaves."""
    tremble_mm = np.random.default_rng(7).normal(0.0, 0.2, (100, 2))
    outside_mm = np.array([board.size[0] / 2, 1.5 * board.size[1]])

    def arm(at_mm: Floats) -> tuple[Arm, ...]:
        return (reaching_arm(board, (float(at_mm[0]), float(at_mm[1])), gesture=gesture, limbs=limbs),)

    def reach(share: float) -> Moment:
        return Moment(None, arm(outside_mm + share * (np.array(tip_mm) - outside_mm)))

    def rest(share: float) -> Moment:
        return Moment(OcclusionState.HAND, arm(np.array(tip_mm) + tremble_mm[round(99 * share)]))

    return (0.5, reach), (rest_s, rest), (0.6, lambda share: reach(1 - share))


def shaded(scene: Scene, tip_mm: tuple[float, float], *, half_mm: float, depth: float, soft_mm: float) -> Floats32:
    """Give the light under the shadow of an arm that is not in the picture, float32 (height, width, 1).

    The shadow is a strip `2 * half_mm` wide from beyond the board's right edge to a tip.
    """
    (width, height), right_mm = scene.camera.size_wh, 2.0 * scene.board.size[0]
    x, y = tip_mm
    strip_mm = [(x, y - half_mm), (right_mm, y - half_mm), (right_mm, y + half_mm), (x, y + half_mm)]
    corners_px = scene.camera.pose.project_at(strip_mm, 0.0)
    mask = np.zeros((height, width), np.float32)
    cv2.fillPoly(mask, [np.round(corners_px).astype(np.int32)], 1.0)
    px_per_mm = float(np.linalg.norm(corners_px[0] - corners_px[3])) / (2 * half_mm)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, soft_mm * px_per_mm))
    return np.asarray(1.0 - depth * soft, np.float32)[:, :, None]
