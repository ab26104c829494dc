"""Which set of discs is which colour, however far from the declared colours a set is."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import Floats
from vision.recognition.disc_colours import colours_in_picture

BLACK, WHITE, RED = (0.1, 0.1, 0.1), (0.9, 0.9, 0.9), (0.05, 0.05, 0.7)
WOOD, GREEN, DYED = (0.3, 0.6, 0.85), (0.0, 0.5, 0.0), (0.0, 0.02, 0.95)
"""Colours as (blue, green, red) of light, white being 1."""


def discs(colour: tuple[float, float, float], n: int) -> Floats:
    rng = np.random.default_rng(n)
    return np.array(colour) + rng.normal(0, 0.02, (n, 3))


def most_probable(declared: list[tuple[float, float, float]], *found: Floats, ground: Floats) -> tuple[float, Floats]:
    seen = np.concatenate([*found, np.empty((0, 3))])
    ways = colours_in_picture(np.array(declared), seen, np.broadcast_to(ground, seen.shape))
    assert sum(p for p, _ in ways) == pytest.approx(1.0)
    p, known = ways[0]
    return p, np.array([mean for mean, _ in known])


def test_without_discs_the_colours_are_as_declared() -> None:
    p, means = most_probable([BLACK, WHITE], ground=np.array(GREEN))
    assert p == pytest.approx(1.0)
    assert means == pytest.approx(np.array([BLACK, WHITE]))


@pytest.mark.parametrize("swapped", [False, True])
def test_two_sets_are_two_colours_though_both_are_nearest_to_one(swapped: bool) -> None:
    declared = [WHITE, RED] if swapped else [RED, WHITE]
    _, means = most_probable(declared, discs(WOOD, 12), discs(DYED, 4), ground=np.array(GREEN))
    red, white = means[::-1] if swapped else means
    assert np.abs(red - DYED).max() < 0.15
    assert np.abs(white - WOOD).max() < 0.15


def test_one_set_far_from_all_colours_may_be_either() -> None:
    p, _ = most_probable([RED, WHITE], discs(WOOD, 12), ground=np.array(GREEN))
    assert p < 0.95


def test_close_colours_are_not_exchanged() -> None:
    yellow, orange = (0.2, 0.7, 0.9), (0.1, 0.45, 0.9)
    p, means = most_probable(
        [yellow, orange], discs((0.12, 0.8, 1.04), 9), discs((0.03, 0.45, 1.05), 20), ground=np.array(GREEN)
    )
    assert p > 0.95
    assert means[0][1] > 0.7


def test_more_squares_that_look_like_discs_are_none_of_the_colours() -> None:
    _, means = most_probable([BLACK, WHITE], discs(GREEN, 30), discs(BLACK, 3), ground=np.array((0.0, 0.55, 0.05)))
    assert np.abs(means - [BLACK, WHITE]).max() < 0.15


def test_glossy_discs_of_all_brightnesses_are_one_colour() -> None:
    grey = [discs((level, level, level), 2) for level in (0.35, 0.42, 0.5, 0.57, 0.65, 0.7)]
    _, (black, white) = most_probable([BLACK, WHITE], *grey, discs((1.0, 1.0, 1.0), 1), ground=np.array(GREEN))
    assert black.max() < 0.6
    assert white.min() > 0.8
