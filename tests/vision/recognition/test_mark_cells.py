"""Whether it can be seen that a cell bears no mark: on bright tables, under mirror images, on coloured print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frame import ImageBgr
from vision.recognition.mark_cells import STEPS, covered_cells, is_bare

SIDE, MIDDLE = 57, slice(14, 43)
WHITE = np.array((235.0, 240.0, 245.0))
LINE = (60, 90, 130)
SKINS = ((120, 150, 200), (150, 175, 215), (70, 95, 140))


def cell(ground: tuple[int, int, int]) -> ImageBgr:
    """An empty cell with a line about it."""
    drawn = np.full((SIDE, SIDE, 3), ground, np.uint8)
    cv2.rectangle(drawn, (3, 3), (SIDE - 4, SIDE - 4), LINE, 1)
    return drawn


def lit(drawn: ImageBgr, by: float, *, radius: int = SIDE, sharp: bool = False) -> ImageBgr:
    """Add a lamp's mirror image about the middle."""
    light = np.zeros((SIDE, SIDE), np.float32)
    cv2.circle(light, (SIDE // 2, SIDE // 2), radius, by, -1)
    soft = light if sharp else cv2.GaussianBlur(light, (0, 0), 3)
    return np.asarray(np.clip(drawn + soft[..., None], 0, 255), np.uint8)


def with_square(drawn: ImageBgr) -> ImageBgr:
    changed = drawn.copy()
    changed[17:40, 17:40] = (40, 38, 36)
    return changed


def under_a_finger(ground: tuple[int, int, int], number: int, rng: np.random.Generator) -> ImageBgr:
    """A cell with a mark at any turn, and a finger half as wide as it over its middle in any direction."""
    fine, side = 4, 6 * STEPS
    edge = STEPS * fine
    code = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, side * fine)
    paper = cv2.copyMakeBorder(
        np.where(code > 127, 236, 26).astype(np.uint8), edge, edge, edge, edge, 0, value=(236.0,)
    )
    middle, drawn = SIDE * fine / 2, cv2.resize(cell(ground), None, fx=fine, fy=fine, interpolation=cv2.INTER_NEAREST)
    half = len(paper) / 2
    way = np.asarray(cv2.getRotationMatrix2D((half, half), float(rng.uniform(0, 360)), 1.0), np.float64)
    way[:, 2] += middle - half
    there = cv2.warpAffine(np.full_like(paper, 255), way, (SIDE * fine, SIDE * fine)) > 127
    drawn[there] = cv2.warpAffine(paper, way, (SIDE * fine, SIDE * fine))[there][:, None]
    turn = rng.uniform(0, np.pi)
    along = SIDE * fine * np.array((np.cos(turn), np.sin(turn)))
    across = side * fine / 4 * np.array((-np.sin(turn), np.cos(turn)))
    finger = middle + np.array([along + across, along - across, -along - across, -along + across])
    cv2.fillConvexPoly(drawn, np.rint(finger).astype(np.int32), SKINS[rng.integers(len(SKINS))])
    return np.asarray(cv2.resize(drawn, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize("ground", [(110, 169, 205), (225, 235, 240), (80, 100, 90), (45, 58, 50)])
def test_a_mark_at_any_turn_with_a_finger_over_its_middle_may_be_one(ground: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(1)
    drawn = [under_a_finger(ground, number, rng) for number in [*range(50), *range(50)]]
    assert not any(is_bare(one, MIDDLE, WHITE) for one in drawn)


def test_print_shows_that_a_bright_cell_is_bare() -> None:
    for ground in ((215, 225, 230), (190, 252, 255), (255, 255, 255)):
        assert is_bare(cell(ground), MIDDLE, WHITE)
        assert not is_bare(with_square(cell(ground)), MIDDLE, WHITE)


def test_a_mirror_image_can_hide_black() -> None:
    for ground in ((255, 255, 255), (215, 225, 230), (80, 100, 90)):
        assert not is_bare(lit(cell(ground), 230.0), MIDDLE, WHITE)
        assert not is_bare(lit(with_square(cell(ground)), 230.0), MIDDLE, WHITE)
    assert not is_bare(lit(cell((80, 100, 90)), 250.0, radius=16, sharp=True), MIDDLE, WHITE)


def test_a_mark_is_not_overlooked_where_a_lamps_image_is_brightest() -> None:
    drawn, light = cell((200, 215, 225)), 0.5
    cv2.rectangle(drawn, (3, 3), (SIDE - 4, SIDE - 4), (170, 200, 190), 1)
    drawn[10:47, 10:47] = 235
    y, x = np.mgrid[:SIDE, :SIDE] - SIDE // 2
    image = light * np.exp(-(x * x + y * y) / (2 * 30**2))[..., None]
    seen = 255 * ((0.6 * with_square(drawn) / 255) ** 2.2 + image) ** (1 / 2.2)
    assert not is_bare(np.asarray(np.clip(seen, 0, 255), np.uint8), MIDDLE, 0.6 * WHITE)


def test_a_veil_that_leaves_contrast_hides_nothing() -> None:
    veiled = lit(cell((150, 160, 165)), 60.0)
    assert is_bare(veiled, MIDDLE, WHITE)
    assert not is_bare(lit(with_square(cell((150, 160, 165))), 60.0), MIDDLE, WHITE)


def test_coloured_print_is_not_black() -> None:
    drawn = cell((255, 250, 255))
    cv2.circle(drawn, (28, 28), 12, (50, 55, 205), -1)
    assert is_bare(drawn, MIDDLE, WHITE)


def test_a_gradient_on_dark_ground_is_not_black() -> None:
    slope = np.linspace(0.65, 1.0, SIDE)[None, :, None] * np.array((130, 140, 120))
    drawn = np.asarray(np.broadcast_to(slope, (SIDE, SIDE, 3)), np.uint8).copy()
    cv2.rectangle(drawn, (3, 3), (SIDE - 4, SIDE - 4), (170, 200, 190), 1)
    assert is_bare(drawn, MIDDLE, WHITE)


def test_black_on_dark_ground_is_seen_beside_a_coloured_sleeve() -> None:
    drawn = cell((45, 58, 50))
    drawn[10:47, 22:54] = 235
    drawn[17:40, 29:50] = 30
    drawn[:, :26] = (200, 0, 200)
    assert not is_bare(drawn, MIDDLE, WHITE)


@pytest.mark.parametrize("line", [LINE, (215, 225, 230)])
def test_black_is_seen_in_blue_alone_under_the_mirror_image_of_a_warm_lamp(line: tuple[int, int, int]) -> None:
    drawn = cell((215, 225, 230))
    cv2.rectangle(drawn, (3, 3), (SIDE - 4, SIDE - 4), line, 1)
    warm = np.array((110, 150, 208))
    bare, marked = (np.asarray(np.clip(one + warm, 0, 255), np.uint8) for one in (drawn, with_square(drawn)))
    white = np.array((180.0, 220.0, 254.0))
    assert not is_bare(marked, MIDDLE, white)
    assert is_bare(bare, MIDDLE, white) == (line == LINE)


def test_less_black_is_a_mark_where_the_rest_of_it_can_be_outshone() -> None:
    drawn = cell((190, 195, 200))
    drawn[22:33, 22:33] = (40, 38, 36)
    white = np.array((190.0, 195.0, 200.0))
    assert is_bare(drawn, MIDDLE, white)
    assert not is_bare(lit(drawn, 70.0), MIDDLE, white)


def test_a_dark_sleeve_over_most_of_a_cell_may_hide_its_mark() -> None:
    sleeved = with_square(cell((150, 190, 200)))
    sleeved[:, 18:] = (60, 30, 38)
    assert is_bare(sleeved, MIDDLE, WHITE)
    bright = np.stack([cell((150, 190, 200)), cell((150, 190, 200)), sleeved])
    assert covered_cells(bright, MIDDLE, np.stack([WHITE] * 3)).tolist() == [False, False, True]
    beside = cell((43, 51, 50))
    beside[:, 45:] = (42, 109, 152)  # the coloured rim of a neighbour's piece
    dark = np.stack([cell((43, 51, 50)), cell((43, 51, 50)), beside])
    assert not covered_cells(dark, MIDDLE, np.stack([WHITE] * 3)).any()
