"""A network is asked only about what looks other than before, and nothing that changes is overlooked."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import Floats
from vision.recognition.memory import Pictures, Remembering


class _Counted:
    """Answers with the mean of each picture, and counts the pictures that it was asked about."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, pictures: Pictures) -> Floats:
        self.asked += len(pictures)
        return np.asarray(pictures.mean(axis=(1, 2, 3))[:, None], np.float64)


@pytest.fixture
def pictures() -> Pictures:
    return np.random.default_rng(3).random((4, 3, 32, 24), dtype=np.float32)


def test_what_looks_the_same_but_for_noise_is_not_asked_again(pictures: Pictures) -> None:
    network = _Counted()
    memory = Remembering(network)
    first = memory.answers(range(4), pictures)
    noise = np.random.default_rng(4).normal(0, 0.03, pictures.shape).astype(np.float32)
    np.testing.assert_array_equal(memory.answers(range(4), pictures + noise), first)
    assert network.asked == 4


def test_a_small_thing_that_changed_is_asked_about_alone(pictures: Pictures) -> None:
    network = _Counted()
    memory = Remembering(network)
    memory.answers(range(4), pictures)
    changed = pictures.copy()
    changed[2, :, 8:14, 8:14] += 0.2
    found = memory.answers(range(4), changed)
    assert network.asked == 5
    np.testing.assert_allclose(found, _Counted()(changed))


def test_what_is_small_beside_a_block_is_noticed_in_smaller_blocks(pictures: Pictures) -> None:
    network = _Counted()
    memory = Remembering(network, block_px=4)
    memory.answers(range(4), pictures)
    changed = pictures.copy()
    changed[2, :, 6:10, 6:10] += 0.2  # over the corners of four blocks of either size
    memory.answers(range(4), changed)
    assert network.asked == 5


def test_what_changes_slowly_is_noticed(pictures: Pictures) -> None:
    memory = Remembering(_Counted())
    for step in range(30):
        found = memory.answers([0], pictures[:1] + np.float32(0.01 * step))
    assert found[0, 0] == pytest.approx(pictures[0].mean() + 0.29, abs=0.05)


def test_places_are_remembered_apart(pictures: Pictures) -> None:
    network = _Counted()
    memory = Remembering(network)
    memory.answers([7, 9], pictures[:2])
    np.testing.assert_allclose(memory.answers([9, 7], pictures[[1, 0]]), _Counted()(pictures[[1, 0]]))
    assert network.asked == 2
