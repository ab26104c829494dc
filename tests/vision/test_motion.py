"""The motion gate on drawn pictures: noise, lamps, hands that move and hands that rest."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.board import Board, shipped_board
from vision.frame import ImageBgr
from vision.geometry import Lens, Pose
from vision.pipeline.motion import MotionGate

BOARD: Board = shipped_board("royal-tee")
SIZE_WH = (820, 616)
SKIN_BGR, TEE_BGR, CLOTH_BGR = (110, 140, 205), (38, 40, 200), (190, 212, 222)


def pose(shift_mm: float = 0.0) -> Pose:
    """Look straight down from 700 mm."""
    lens = Lens(750.0, Lens.middle_of(SIZE_WH))
    return Pose.from_matrix(lens, np.diag([1.0, 1.0, -1.0]), (228.0 + shift_mm, 228.0, 700.0))


def at_px(x_mm: float, y_mm: float) -> tuple[int, int]:
    x, y = pose().project_at([(x_mm, y_mm)], 0.0)[0].round().astype(int).tolist()
    return x, y


def clean() -> ImageBgr:
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), CLOTH_BGR, dtype=np.uint8)
    for x, y in BOARD.centres_mm():
        cv2.circle(image, at_px(x, y), 3, (30, 30, 30), -1)
    return image


def with_tees(image: ImageBgr) -> ImageBgr:
    for x, y in BOARD.centres_mm()[30:60]:
        cv2.circle(image, at_px(x, y), 7, TEE_BGR, -1)
    return image


def with_hand(image: ImageBgr, x_mm: float = 200.0) -> ImageBgr:
    cv2.line(image, at_px(x_mm, 200.0), at_px(x_mm, 500.0), SKIN_BGR, 70)
    return image


def under_a_shadow(image: ImageBgr) -> ImageBgr:
    left = image[:, : SIZE_WH[0] // 3]
    left[:] = left // 2
    return image


def dimmed(image: ImageBgr) -> ImageBgr:
    return np.asarray(image * np.array([0.75, 0.7, 0.6]), dtype=np.uint8)


def noisy(image: ImageBgr, seed: int) -> ImageBgr:
    noise: NDArray[np.float64] = np.random.default_rng(seed).normal(0.0, 5.0, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def gate_that_knows_the_clean_board() -> MotionGate:
    gate = MotionGate(BOARD)
    gate.look(noisy(clean(), 0), pose())
    gate.accept()
    return gate


def test_the_first_look_is_not_still_since_nothing_can_be_compared() -> None:
    assert not MotionGate(BOARD).look(clean(), pose()).still


@pytest.mark.parametrize(
    ("change", "still", "clear"),
    [
        (lambda image: image, True, True),
        (dimmed, True, True),
        (with_tees, True, True),
        (with_hand, True, False),
        (under_a_shadow, True, False),
    ],
    ids=["noise", "lamp", "tees", "resting-hand", "shadow"],
)
def test_what_stays_is_still_and_only_what_is_larger_than_pieces_is_not_clear(
    change: Callable[[ImageBgr], ImageBgr], still: bool, clear: bool
) -> None:
    gate = gate_that_knows_the_clean_board()
    gate.look(noisy(change(clean()), 1), pose())
    stillness = gate.look(noisy(change(clean()), 2), pose())
    assert (stillness.still, stillness.clear) == (still, clear)


def test_a_hand_that_moves_is_neither_still_nor_clear() -> None:
    gate = gate_that_knows_the_clean_board()
    gate.look(noisy(with_hand(clean(), 200.0), 1), pose())
    stillness = gate.look(noisy(with_hand(clean(), 215.0), 2), pose())
    assert (stillness.still, stillness.clear) == (False, False)


def test_a_lamp_that_settles_from_frame_to_frame_moves_nothing() -> None:
    gate = gate_that_knows_the_clean_board()
    for step in range(5):
        level = 1.0 - 0.06 * step
        stillness = gate.look(noisy(np.asarray(clean() * level, dtype=np.uint8), step), pose())
        assert (stillness.still, stillness.clear) == (True, True)


def test_before_any_clean_board_is_known_nothing_is_said_to_be_covered() -> None:
    gate = MotionGate(BOARD)
    gate.look(with_hand(clean()), pose())
    assert gate.look(with_hand(clean()), pose()).clear


def test_an_accepted_look_is_clean_from_then_on_so_a_shadow_that_stays_blocks_nothing() -> None:
    gate = gate_that_knows_the_clean_board()
    assert not gate.look(under_a_shadow(clean()), pose()).clear
    gate.accept()
    assert gate.look(under_a_shadow(clean()), pose()).clear
    assert gate.look(clean(), pose()).clear, "the board without the shadow is still known"


def test_a_board_that_was_pushed_is_not_still_at_first_and_then_is() -> None:
    gate = gate_that_knows_the_clean_board()
    pushed = pose(shift_mm=12.0)
    assert not gate.look(clean(), pushed).still
    assert gate.look(clean(), pushed).still
