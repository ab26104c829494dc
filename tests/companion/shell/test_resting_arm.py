"""What an arm hides stays hidden while the arm rests, what pieces set down at once hide does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.shell.frame_reader import PATIENCE_S, Stillness, gate_over, really_hidden
from tests.vision.occlusion.films import Act, Moment, arm_acts, clean, film
from vision.board import shipped_board
from vision.frame import Frame
from vision.observation import Observation
from vision.occlusion.gate import OcclusionState
from vision.occlusion.gate_patches import PatchKind
from vision.simulation.occluders import Limbs
from vision.simulation.scene import Scene, camera_over
from vision.simulation.truth import stand_pieces

BOARD = shipped_board("royal-tee")
LABELS = {**dict.fromkeys(BOARD.cells, "empty"), "F10": "red", "G10": "red", "C3": "green"}
SET_DOWN = {**LABELS, **{f"{column}{row}": "red" for column in "DEFGH" for row in range(4, 9)}}
TIP_MM = (240.0, 210.0)
FPS = 5.0
UNDER_THE_ARM = ("F8", "G11")
AT_THE_FINGERS = ("G5", "H5")

ENCLOSED = tuple(f"{column}{row}" for column in "ABCDEFGHIJKL" for row in range(1, 6))

Hidden = Sequence[NDArray[np.bool_]]


@pytest.fixture
def watch() -> Callable[..., Hidden]:
    """Returns what gives the cells that the gate finds hidden in each frame of a film."""
    return lambda *acts, fps=FPS: [seen.hidden for seen in watched(*acts, fps=fps)]


def watched(*acts: tuple[float, Act], fps: float = FPS) -> Sequence[Stillness]:
    camera = camera_over(BOARD, (640, 480), tilt_deg=14.0)
    scene = Scene(BOARD, camera, stand_pieces(BOARD, LABELS, np.random.default_rng(3)))
    gate = gate_over(BOARD)
    takes = film(scene, [(max(1.2, 4 / fps), clean), *acts], np.random.default_rng(1), fps)
    frames = (Frame(take.image_bgr, round(take.at_s * 1e9)) for take in takes)
    return [gate(frame, camera.pose) for frame in frames]


def under_the_arm(hidden: NDArray[np.bool_]) -> list[bool]:
    return [bool(hidden[BOARD.cells.index(cell)]) for cell in UNDER_THE_ARM]


def test_cells_under_a_resting_arm_stay_hidden_until_it_leaves(watch: Callable[..., Hidden]) -> None:
    reach, rest, leave = arm_acts(BOARD, TIP_MM, Limbs(), "flat", rest_s=4 * PATIENCE_S)
    hidden = watch(reach, rest, leave, (1.0, clean))
    resting = hidden[round(1.7 * FPS) + 1 : round((1.7 + rest[0]) * FPS)]
    assert len(resting) > 3 * PATIENCE_S * FPS
    assert all(all(under_the_arm(cells)) for cells in resting)
    assert not hidden[-1].any()


@pytest.mark.long
def test_cells_are_not_hidden_for_ever(watch: Callable[..., Hidden]) -> None:
    _reach, rest, _leave = arm_acts(BOARD, TIP_MM, Limbs(), "flat")
    at_rest = rest[1](0.5)
    rests_s = PatchKind.ARM.value + 6.0
    hidden = watch((rests_s, lambda _share: at_rest), (4.0, clean), fps=1.0)
    assert all(under_the_arm(hidden[4 + round(PatchKind.ARM.value / 2)]))
    assert not hidden[4 + round(rests_s) - 1].any()
    assert not hidden[-1].any(), "nor is what was under it, once the arm has left that was taken for the board"


def test_pieces_set_down_at_once_are_not_taken_for_an_arm(watch: Callable[..., Hidden]) -> None:
    pieces = stand_pieces(BOARD, SET_DOWN, np.random.default_rng(4))
    hidden = watch((PATIENCE_S + 0.8, lambda _share: Moment(OcclusionState.CLEAN, pieces=pieces)))
    assert not hidden[-1].any()


def test_pieces_that_were_moved_between_two_photographs_are_no_hands() -> None:
    camera = camera_over(BOARD, (640, 480), tilt_deg=14.0)

    def moved(*, retaken: bool) -> Sequence[Stillness]:
        """Return what is found in a second of the first photograph, and then in a second of the other."""
        gate, seen = gate_over(BOARD), []
        for first_s, labels in ((0.0, LABELS), (1.0, SET_DOWN)):
            scene = Scene(BOARD, camera, stand_pieces(BOARD, labels, np.random.default_rng(3)))
            image_bgr = next(iter(film(scene, [(0.2, clean)], np.random.default_rng(1), FPS))).image_bgr
            for place in range(round(FPS)):
                at_ns = round((first_s + place / FPS) * 1e9)
                seen.append(gate(Frame(image_bgr, at_ns, retaken=retaken and place == 0), camera.pose))
        return seen[round(FPS) :]

    assert any(seen.hidden.any() for seen in moved(retaken=False)), "a camera that stands still would have seen a hand"
    photographs = moved(retaken=True)
    assert not any(seen.hidden.any() for seen in photographs)
    assert photographs[-1].still


def test_tees_of_an_enclosure_are_seen_beside_the_arm_that_set_them_down() -> None:
    reach, rest, _leave = arm_acts(BOARD, TIP_MM, Limbs(), "flat")
    labels = {**LABELS, **dict.fromkeys(ENCLOSED, "red")}
    pieces = stand_pieces(BOARD, labels, np.random.default_rng(4))
    seen = watched(reach, (1.0, lambda share: replace(rest[1](share), pieces=pieces)))[-1]
    hidden = dict(zip(BOARD.cells, really_hidden(read_for_certain(labels), seen), strict=True))
    assert seen.hidden.sum() > len(ENCLOSED)
    assert all(hidden[cell] for cell in UNDER_THE_ARM)
    assert [cell for cell in ENCLOSED if hidden[cell] and cell not in AT_THE_FINGERS] == []


def test_what_is_read_as_empty_beside_an_arm_stays_hidden() -> None:
    beside = np.ones(len(BOARD.cells), bool)
    seen = Stillness(still=True, hidden=beside, beside=beside)
    assert really_hidden(read_for_certain(dict.fromkeys(BOARD.cells, "empty")), seen).all()
    assert not really_hidden(read_for_certain(dict.fromkeys(BOARD.cells, "red")), seen).any()


def read_for_certain(labels: Mapping[str, str]) -> Observation:
    p = np.array([[float(labels[cell] == word) for word in BOARD.label_words] for cell in BOARD.cells])
    return Observation(BOARD.cells, tuple(BOARD.label_words), p, np.ones(len(BOARD.cells), bool))
