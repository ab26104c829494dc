"""What an arm hides stays hidden while the arm rests, what pieces set down at once hide does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.shell.devices import PATIENCE_S, gate_over
from tests.vision.occlusion.films import Act, Moment, arm_acts, clean, film
from vision.board import shipped_board
from vision.frame import Frame
from vision.occlusion.gate import OcclusionState
from vision.occlusion.gate_patches import PatchKind
from vision.simulation.hands import Limbs
from vision.simulation.scene import Scene, camera_over
from vision.simulation.truth import stand_pieces

BOARD = shipped_board("royal-tee")
LABELS = {**dict.fromkeys(BOARD.cells, "empty"), "F10": "red", "G10": "red", "C3": "green"}
SET_DOWN = {**LABELS, **{f"{column}{row}": "red" for column in "DEFGH" for row in range(4, 9)}}
TIP_MM = (240.0, 210.0)
FPS = 5.0
UNDER_THE_ARM = ("F8", "G11")

Hidden = Sequence[NDArray[np.bool_]]


@pytest.fixture
def watch() -> Callable[..., Hidden]:
    """Returns what gives the cells that the gate finds hidden in each frame of a film."""

    def watched(*acts: tuple[float, Act], fps: float = FPS) -> Hidden:
        camera = camera_over(BOARD, (640, 480), tilt_deg=14.0)
        scene = Scene(BOARD, camera, stand_pieces(BOARD, LABELS, np.random.default_rng(3)))
        gate = gate_over(BOARD)
        takes = film(scene, [(1.2, clean), *acts], np.random.default_rng(1), fps)
        frames = (Frame(take.image_bgr, round(take.at_s * 1e9)) for take in takes)
        return [gate(frame, camera.pose).hidden for frame in frames]

    return watched


def under_the_arm(hidden: NDArray[np.bool_]) -> list[bool]:
    return [bool(hidden[BOARD.cells.index(cell)]) for cell in UNDER_THE_ARM]


def test_cells_under_a_resting_arm_stay_hidden_until_it_leaves(watch: Callable[..., Hidden]) -> None:
    reach, rest, leave = arm_acts(BOARD, TIP_MM, Limbs(), "flat", rest_s=4 * PATIENCE_S)
    hidden = watch(reach, rest, leave, (1.0, clean))
    resting = hidden[round(1.7 * FPS) + 1 : round((1.7 + rest[0]) * FPS)]
    assert len(resting) > 3 * PATIENCE_S * FPS
    assert all(all(under_the_arm(cells)) for cells in resting)
    assert not hidden[-1].any()


def test_cells_are_not_hidden_for_ever(watch: Callable[..., Hidden]) -> None:
    _reach, rest, _leave = arm_acts(BOARD, TIP_MM, Limbs(), "flat")
    at_rest = rest[1](0.5)
    hidden = watch((2 * PatchKind.ARM.value, lambda _share: at_rest), fps=1.0)
    assert all(under_the_arm(hidden[round(PatchKind.ARM.value / 2)]))
    assert not hidden[-1].any()


def test_pieces_set_down_at_once_are_not_taken_for_an_arm(watch: Callable[..., Hidden]) -> None:
    pieces = stand_pieces(BOARD, SET_DOWN, np.random.default_rng(4))
    hidden = watch((PATIENCE_S + 0.8, lambda _share: Moment(OcclusionState.CLEAN, pieces=pieces)))
    assert not hidden[-1].any()
