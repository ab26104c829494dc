"""A start space is printed in its pieces' colour: that it shows the board's print does not speak against them."""

from __future__ import annotations

import numpy as np

from vision.board import shipped_board
from vision.localization.planes import CELL_PX, view_planes
from vision.looks.ground import Looks
from vision.observation import SURE
from vision.recognition.labeller import Labelled, height_mm, with_looks
from vision.recognition.trust import view_table
from vision.simulation.optics import render
from vision.simulation.scene import Scene, camera_over


def test_only_the_own_pieces_of_a_start_space_stay_as_probable_when_it_shows_the_print() -> None:
    board = shipped_board("royal-tee")
    view = view_table(render(Scene(board, camera_over(board, (1640, 1232))), np.random.default_rng(3)), board)
    assert view is not None
    heights_mm = (0.0, *(height_mm(board, name) for name in ("tee", "royal")))
    start = next(seat.start for seat in board.seat if seat.colour == "blue")
    start_row, other_row = (board.places.index(str(place)) for place in (start, "D4"))
    empty, blue, red = map(board.label_words.index, ("empty", "blue", "red"))
    p = np.zeros((len(board.places), len(board.label_words)))
    p[:, empty] = 1.0
    p[[start_row, other_row]] = 0.0
    p[np.ix_([start_row, other_row], [empty, blue, red])] = (0.6, 0.2, 0.2)
    labelled = Labelled(p, np.ones(len(p)))
    planes = view_planes(view, board, heights_mm, cell_px=CELL_PX)
    seen = with_looks(labelled, board, view, planes, looks=Looks(), sure=SURE, knows_grounds=True).p
    assert seen[other_row, [blue, red]].max() < 0.01
    assert seen[start_row, red] < 0.01
    assert seen[start_row, blue] > 0.2
