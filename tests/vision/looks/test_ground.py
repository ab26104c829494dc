"""Cells that show the print which comes again are open, whatever the ground."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.looks.ground import Ground, Looks, edges_shown

_CELL, _SIDE = 24, 8
_MIDDLES = [(_CELL * (row + 1), _CELL * (column + 1)) for row in range(_SIDE) for column in range(_SIDE)]


def _board(rng: np.random.Generator, *, lines: bool = True) -> NDArray[np.float32]:
    """Draw planks of wood, float32 (bgr, px, px), with lines that cross in the middle of each cell, or without."""
    px = _CELL * (_SIDE + 1)
    grain = cv2.GaussianBlur(rng.normal(size=(px, px)).astype(np.float32), (0, 0), 1.5, sigmaY=12)
    light = np.linspace(0.8, 1.2, px, dtype=np.float32)[None, :] + 0.03 * grain / grain.std()
    if lines:
        for at in range(_CELL, px, _CELL):
            light[at, :] -= 0.3
            light[:, at] -= 0.3
    return np.stack([light * level for level in (0.35, 0.55, 0.8)]).astype(np.float32)


def _covered(plane: NDArray[np.float32], rng: np.random.Generator, width: int) -> NDArray[np.float32]:
    """Lay a brown arm with a weave over the left of a plane."""
    weave = cv2.GaussianBlur(rng.normal(size=plane.shape[1:]).astype(np.float32), (0, 0), 2.0)
    weave = 1 + 0.05 * weave / weave.std()
    arm = plane.copy()
    arm[:, :, :width] = np.array([0.3, 0.5, 0.75])[:, None, None] * weave[None, :, :width]
    return arm


def _ground(plane: NDArray[np.float32]) -> Ground:
    steps = np.hypot(*np.meshgrid(np.arange(_CELL) - 11.5, np.arange(_CELL) - 11.5)) > 8
    return Ground(plane, _CELL, _MIDDLES, np.repeat(steps[None], len(_MIDDLES), axis=0))


@pytest.mark.parametrize("columns", [0, 2, 3])
def test_a_print_that_comes_again_shows_what_is_open_beside_and_without_an_arm(columns: int) -> None:
    rng = np.random.default_rng(columns)
    ground = _ground(_covered(_board(rng), rng, _CELL * columns + _CELL // 2))
    empty, looks = np.ones(len(_MIDDLES), dtype=bool), Looks()
    looks.learn(ground, empty)
    is_open = looks.refine(ground, empty, empty).is_open.reshape(_SIDE, _SIDE)
    assert not is_open[:, :columns].any()
    assert is_open[:, columns:].mean() > 0.9


def test_an_arm_over_most_of_the_board_is_not_taken_for_its_ground() -> None:
    rng = np.random.default_rng(5)
    ground, looks = _ground(_covered(_board(rng), rng, _CELL * 5 + _CELL // 2)), Looks()
    empty = np.ones(len(_MIDDLES), dtype=bool)
    looks.learn(ground, empty)
    assert not looks.refine(ground, empty, empty).is_open.reshape(_SIDE, _SIDE)[:, :5].any()


def test_where_nothing_comes_again_nothing_is_known() -> None:
    rng = np.random.default_rng(7)
    ground, looks = _ground(_board(rng, lines=False)), Looks()
    empty = np.ones(len(_MIDDLES), dtype=bool)
    looks.learn(ground, empty)
    assert looks.refine(ground, empty, empty).is_open.mean() < 0.1


@pytest.mark.parametrize("seed", range(5))
def test_cells_that_look_like_no_other_are_not_open_because_some_are_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rosette, drawn = rng.normal(size=(_CELL, _CELL)), rng.normal(size=[_CELL * (_SIDE + 1)] * 2)
    alike = rng.permutation(len(_MIDDLES))[:12]
    for y, x in [_MIDDLES[cell] for cell in alike]:
        drawn[y - 12 : y + 12, x - 12 : x + 12] = rosette
    plane = np.stack([0.5 + 0.1 * cv2.GaussianBlur(drawn, (0, 0), 1.5)] * 3).astype(np.float32)
    ground, looks, empty = _ground(plane), Looks(), np.ones(len(_MIDDLES), dtype=bool)
    looks.learn(ground, empty)
    shown = looks.refine(ground, empty, np.arange(len(_MIDDLES)) % 2 == 0)
    assert not np.delete(shown.is_open, alike).any()


def test_a_piece_stands_on_an_open_cell_and_is_not_bare() -> None:
    rng = np.random.default_rng(3)
    plane, piece = _board(rng), 27
    y, x = _MIDDLES[piece]
    disc = np.hypot(*np.meshgrid(np.arange(-12, 12) + 0.5, np.arange(-12, 12) + 0.5)) < 7
    plane[:, y - 12 : y + 12, x - 12 : x + 12][:, disc] = 0.1
    ground, looks = _ground(plane), Looks()
    empty = np.arange(len(_MIDDLES)) != piece
    looks.learn(ground, empty)
    shown = looks.refine(ground, empty, empty)
    assert shown.is_open[piece]
    assert not shown.bare[piece]
    assert not shown.alike[piece]


def test_pieces_whose_shape_is_that_of_the_print_stand_out_more_and_are_not_bare() -> None:
    rng = np.random.default_rng(4)
    plane, pieces = _board(rng), [12, 27, 45]
    for y, x in (_MIDDLES[piece] for piece in pieces):
        plane[:, y - 1 : y + 1, x - 9 : x + 9] -= 0.3  # crosses of sticks along the printed lines
        plane[:, y - 9 : y + 9, x - 1 : x + 1] -= 0.3
    ground, looks = _ground(plane), Looks()
    empty = np.ones(len(_MIDDLES), dtype=bool)
    empty[pieces] = False
    looks.learn(ground, empty)
    shown = looks.refine(ground, empty, empty)
    assert not shown.bare[pieces].any()
    assert shown.bare[empty].mean() > 0.9


def _ringed(rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw an orange board with a ring on each cell and another number in each ring, float32 (bgr, px, px)."""
    px = _CELL * (_SIDE + 1)
    drawn = np.full((px, px, 3), (90, 153, 242), np.uint8)
    for y, x in _MIDDLES:
        cv2.circle(drawn, (x, y), 9, (50, 65, 100), 1, cv2.LINE_AA)
        number = str(rng.integers(2, 13))
        cv2.putText(drawn, number, (x - 3 * len(number), y + 3), cv2.FONT_HERSHEY_PLAIN, 0.6, (60, 80, 120), 1)
    board = drawn / np.float32(255) + 0.01 * rng.normal(size=drawn.shape)
    return np.ascontiguousarray(cv2.GaussianBlur(board, (0, 0), 0.8).transpose(2, 0, 1), np.float32)


def test_doubted_cells_that_look_like_their_certain_neighbours_are_alike_and_a_piece_is_not() -> None:
    rng = np.random.default_rng(11)
    plane, piece = _ringed(rng), 27
    y, x = _MIDDLES[piece]
    disc = np.hypot(*np.meshgrid(np.arange(-12, 12) + 0.5, np.arange(-12, 12) + 0.5)) < 8
    plane[:, y - 12 : y + 12, x - 12 : x + 12][:, disc] = np.array([0.15, 0.15, 0.75])[:, None]
    ground, looks = _ground(plane), Looks()
    empty = np.ones(len(_MIDDLES), dtype=bool)
    certain = rng.random(len(_MIDDLES)) < 0.6
    certain[piece] = False
    looks.learn(ground, empty)
    shown = looks.refine(ground, empty, certain)
    is_ground = shown.bare | shown.alike
    assert np.delete(is_ground, piece).mean() > 0.95
    assert not is_ground[piece]


def _lacking(plane: NDArray[np.float32]) -> set[int]:
    """Return the cells that lack the print of a plane on which all cells seem empty for certain."""
    ground, looks, empty = _ground(plane), Looks(), np.ones(len(_MIDDLES), dtype=bool)
    looks.learn(ground, empty)
    return set(np.flatnonzero(looks.refine(ground, empty, empty).lacking).tolist())


def _chequered(rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw plain squares of two colours, float32 (bgr, px, px)."""
    rows, columns = (np.mgrid[: _CELL * (_SIDE + 1), : _CELL * (_SIDE + 1)] + _CELL // 2) // _CELL
    board = np.where((rows + columns) % 2, 0.3, 0.8) * np.array([0.6, 0.8, 1.0])[:, None, None]
    return np.asarray(board + rng.normal(0, 0.01, board.shape), np.float32)


@pytest.mark.parametrize("draw", [_ringed, _board, _chequered])
def test_cells_that_show_none_of_what_open_ones_do_lack_it_and_no_other_cell_does(
    draw: Callable[[np.random.Generator], NDArray[np.float32]],
) -> None:
    plane = draw(np.random.default_rng(13))
    y, x = _MIDDLES[8 * 4 + 1]
    hand = plane.copy()
    hand[:, y - 2 * _CELL : y + _CELL, : x + _CELL] = 0.97  # pale and without texture, over four cells and their edges
    assert (
        {8 * 3, 8 * 3 + 1, 8 * 4, 8 * 4 + 1} <= _lacking(hand) <= {8 * r + c for r in (2, 3, 4, 5) for c in (0, 1, 2)}
    )
    assert not _lacking(plane)


def test_nothing_lacks_a_print_where_none_comes_again() -> None:
    assert not _lacking(_board(np.random.default_rng(7), lines=False))


@pytest.mark.parametrize("chequered", [True, False])
def test_a_cell_that_something_smooth_reaches_over_shows_no_edges(chequered: bool) -> None:
    rng, cell = np.random.default_rng(8), 40
    rows, columns = np.mgrid[: 4 * cell, : 4 * cell]
    dark = ((rows + cell // 2) // cell + (columns + cell // 2) // cell) % 2 == 1
    lines = np.minimum((rows - cell // 2) % cell, (columns - cell // 2) % cell) < 2
    board = np.where(dark if chequered else lines, 0.4, 0.9)[None] * np.array([0.9, 0.8, 0.7])[:, None, None]
    arm = (columns - 3 * cell) ** 2 + (rows - cell) ** 2 < (0.9 * cell) ** 2
    board = np.where(arm, 0.8 + 0.001 * rows, board) + rng.normal(0, 0.01, (3, 4 * cell, 4 * cell))
    middles = [(cell * row, cell * column) for row in (1, 2, 3) for column in (1, 2, 3)]

    shown = edges_shown(board.astype(np.float32), cell, middles)

    assert shown[2] < 2
    assert shown[[0, 3, 4, 6, 7, 8]].min() == 4
