"""What the network for figures learns from is what stands there, cut out as the reader cuts it out."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.board import shipped_board
from vision.image_file import load_image
from vision.recognition.figure_patches import PATCH_WH
from vision.training.data import cell_truth
from vision.training.figures import FigureData

BOARD = shipped_board("royal-study")
DATA = FigureData(BOARD)
RECORDED = Path(__file__).parents[2] / "recorded" / "royal-study"


def test_a_photograph_gives_every_cell_with_its_true_label_and_what_is_hidden() -> None:
    (lessons,) = map(DATA.cut, DATA.photographed([RECORDED / "occluded-06.jpg"]))
    read_as = dict(zip(BOARD.cells, (BOARD.label_words[i] for i in lessons.labels), strict=True))
    assert lessons.colours.shape == (9, 3, *PATCH_WH[::-1])
    assert sum(word != "empty" for word in read_as.values()) == 5
    assert [cell for cell, share in zip(BOARD.cells, lessons.visible, strict=True) if share < 0.5] == ["C1"]


def test_pictures_to_be_refused_teach_nothing() -> None:
    assert list(DATA.photographed([RECORDED / "refuse-02.jpg"])) == []
    image_bgr = np.zeros_like(load_image(RECORDED / "easy-01.jpg"))
    assert DATA.register(image_bgr, cell_truth(BOARD, ["empty"] * 9, np.ones(9))) is None


def test_a_rendered_scene_follows_from_its_seed() -> None:
    (one,), (again,) = (list(map(DATA.cut, DATA.rendered([9]))) for _ in range(2))
    assert (one.colours == again.colours).all()
    assert (one.labels == again.labels).all()
