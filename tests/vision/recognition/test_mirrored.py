"""A lamp's mirror image on a bare place is no white piece."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.vision.readings import as_read, read_table
from vision.board import shipped_board
from vision.frame import ImageBgr
from vision.image_file import load_image
from vision.recognition.reader import TableReader

_RECORDED = Path(__file__).parents[2] / "recorded"


def _with_lamp(image_bgr: ImageBgr, at_px: tuple[float, float], radius_px: float) -> ImageBgr:
    """Mirror a lamp, burnt out in its middle, soft at its edge."""
    y, x = np.mgrid[0 : image_bgr.shape[0], 0 : image_bgr.shape[1]]
    away = np.hypot(x - at_px[0], y - at_px[1]) / radius_px
    return np.asarray((image_bgr + 400 * np.clip(1.2 - away, 0, 1)[..., None]).clip(0, 255), np.uint8)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("picture", ["territory/medium-33", "territory/hard-35", "royal-ur/medium-34"])
def test_a_lamp_mirrored_on_bare_places_is_no_white_piece(picture: str) -> None:
    image_bgr = load_image(_RECORDED / f"{picture}.jpg")
    truth = json.loads((_RECORDED / f"{picture}.json").read_text())
    board = shipped_board(truth["game"])
    plain = as_read(TableReader(board).read(image_bgr))
    places = board.places_mm()
    for row in [row for row, place in enumerate(board.places) if truth["cells"].get(place) == "empty"][::9]:
        ends = plain.pose.project_at(np.array([places[row], places[row] + (board.grid.pitch[0], 0.0)]), 0.0)
        radius_px = 0.35 * float(np.linalg.norm(ends[1] - ends[0]))
        seen = read_table(board, _with_lamp(image_bgr, (ends[0][0], ends[0][1]), radius_px))
        assert seen.unsure()[row] or seen.best()[row] == "empty"
