"""What the layout's network learns from is what lies there, however it is turned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.recognition.cards.scenes import BOARD, pictured
from vision.recognition.cards.layout import CELL_PX, lying_words, standing_words
from vision.training.data import Example, LayoutData, LayoutTruth, Sample, shifted

DATA = LayoutData(BOARD)


def _example() -> Example[LayoutTruth]:
    image_bgr, truth, _ = pictured()
    made = DATA.register(image_bgr, DATA.in_words(truth))
    assert made is not None
    return made


def test_an_example_shows_what_is_uppermost_and_what_stands() -> None:
    truth = _example().truth
    row, column = 4, 2  # C5

    assert lying_words(BOARD)[truth.lying[row, column]] == "flag-crowns"
    assert standing_words(BOARD)[truth.standing[row, column]] == "pawn-suns"
    assert lying_words(BOARD)[truth.lying[1, 0]] == "back"
    assert lying_words(BOARD)[truth.lying[0, 0]] == "face"


def test_a_picture_that_the_reader_would_refuse_is_no_example() -> None:
    image_bgr, truth, _ = pictured()
    assert DATA.register(np.zeros_like(image_bgr), DATA.in_words(truth)) is None


def _blobs(sample: Sample[LayoutTruth]) -> np.ndarray:
    """Where the bright blob of each cell lies, off its middle in mm (rows, columns, xy)."""
    half = CELL_PX // 2
    rows, columns = sample.truth.lying.shape
    cells = sample.planes[0, half:-half, half:-half].reshape(rows, CELL_PX, columns, CELL_PX)
    steps = (np.arange(CELL_PX) + 0.5) / CELL_PX - 0.5
    weights = cells / cells.sum(axis=(1, 3), keepdims=True)
    x, y = np.einsum("rycx,x->rc", weights, steps), np.einsum("rycx,y->rc", weights, steps)
    return np.stack([x, y], axis=-1) * BOARD.grid.pitch


@pytest.mark.parametrize("seed", range(6))
def test_places_turn_with_the_picture(seed: int) -> None:
    made = DATA.draw(_example(), np.random.default_rng(1))
    place = made.truth.place
    planes = np.zeros_like(made.planes)
    half = CELL_PX // 2
    for row in range(BOARD.grid.rows):
        for column in range(BOARD.grid.columns):
            x, y = place[row, column, :2] / BOARD.grid.pitch * CELL_PX + half + CELL_PX * np.array([column, row]) + half
            planes[0, round(float(y) - 0.5), round(float(x) - 0.5)] = 1.0
    result = DATA.turned(Sample(planes, made.truth), np.random.default_rng(seed))

    np.testing.assert_allclose(_blobs(result), result.truth.place[..., :2], atol=0.51 * 97 / CELL_PX)


def test_who_misjudges_the_board_s_pose_sees_the_cards_elsewhere() -> None:
    example = _example()
    pose = example.estimate.pose
    beside = replace(example, estimate=replace(example.estimate, covariance=np.zeros((8, 8))))
    exact = DATA.draw(beside, np.random.default_rng(1)).truth.place
    moved = replace(pose, shift_mm=pose.shift_mm + pose.board_to_camera @ np.array([2.0, 0.0, 0.0]))

    np.testing.assert_allclose(exact, example.truth.place, atol=1e-4)
    seen = shifted(example.truth.place, BOARD, pose, moved) - example.truth.place
    np.testing.assert_allclose(seen, np.broadcast_to([-2.0, 0.0, 0.0], seen.shape), atol=0.1)
