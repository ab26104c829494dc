"""What the network learns from is what lies there, however it is turned and lit."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.recognition.scenes import BOARD, pictured
from vision.localization.planes import CELL_PX
from vision.simulation.truth import Truth
from vision.training.data import CellData, CellTruth, Example, Sample, cell_truth, opening

DATA = CellData(BOARD)


def truth_on_grid(truth: Truth) -> CellTruth:
    return DATA.on_grid(cell_truth(BOARD, truth.labels, truth.visible))


def example() -> Example[CellTruth]:
    image_bgr, truth, _ = pictured()
    made = DATA.register(image_bgr, truth_on_grid(truth))
    assert made is not None
    return made


@pytest.mark.parametrize("seed", range(8))
def test_labels_turn_with_the_picture(seed: int) -> None:
    labels = np.arange(144).reshape(12, 12)
    painted = np.zeros((1, 13 * CELL_PX, 13 * CELL_PX), dtype=np.float32)
    half = CELL_PX // 2
    painted[0, half:-half, half:-half] = np.kron(labels, np.ones((CELL_PX, CELL_PX)))
    sample = DATA.turned(Sample(painted, CellTruth(labels, np.ones((12, 12), np.float32))), np.random.default_rng(seed))
    middles = sample.planes[0, CELL_PX - 1 :: CELL_PX, CELL_PX - 1 :: CELL_PX][:12, :12]
    assert (middles == sample.truth.labels).all()


def test_an_example_has_the_truth_s_labels_in_the_board_s_order() -> None:
    made = example()
    assert BOARD.label_words[made.truth.labels[9, 4]] == "red-royal"
    assert BOARD.label_words[made.truth.labels[0, 0]] == "empty"
    assert made.truth.visible.min() > 0.5


@pytest.mark.parametrize("seed", range(6))
def test_an_opening_has_every_royal_tee_beside_its_start(seed: int) -> None:
    labels = opening(BOARD, np.random.default_rng(seed))
    assert set(labels) == set(BOARD.cells)
    assert set(labels.values()) <= set(BOARD.label_words)
    assert sorted(word for word in labels.values() if word.endswith("-royal")) == sorted(
        f"{colour}-royal" for colour in BOARD.colours
    )


def test_a_picture_that_the_reader_would_refuse_is_no_example() -> None:
    image_bgr, truth, _ = pictured()
    assert DATA.register(np.zeros_like(image_bgr), truth_on_grid(truth)) is None


def test_a_variation_follows_from_its_seed_and_differs_from_the_next() -> None:
    made = example()
    first, again, other = (DATA.draw(made, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert (first.planes == again.planes).all()
    assert first.planes.shape == (9, 13 * CELL_PX, 13 * CELL_PX)
    assert not np.array_equal(first.planes, other.planes)
    assert sorted(first.truth.labels.ravel()) == sorted(made.truth.labels.ravel())
