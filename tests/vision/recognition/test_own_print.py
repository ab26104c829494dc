"""Cells of a board without markers are compared with the picture of the empty board."""

from __future__ import annotations

import cv2
import numpy as np

from tests.narrow import narrowed
from tests.vision.localization.test_printed import POSE, own_table, photograph
from vision.frame import ImageBgr
from vision.recognition.reader import Reading, TableReader

STANDING = {"A1": "white", "C1": "black", "D2": "white", "F2": "black", "B3": "white"}
COVERED = ("A1", "B1", "A2", "B2", "A3", "B3")


def read(image_bgr: ImageBgr) -> tuple[dict[str, str], set[str]]:
    seen = narrowed(TableReader(own_table()).read(image_bgr), Reading).observation
    visible = {place for place, shown in zip(seen.cells, seen.visible, strict=True) if shown}
    return dict(zip(seen.cells, seen.best(), strict=True)), visible


def sheet_over_two_columns(image_bgr: ImageBgr) -> ImageBgr:
    """Lay a sheet of the colour of the ground over the first two columns."""
    board = own_table()
    (x, y), (wide, high) = board.grid.origin, board.grid.pitch
    corners = np.array([(x, y), (x + 2 * wide, y), (x + 2 * wide, y + 3 * high), (x, y + 3 * high)])
    mask = np.zeros(image_bgr.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(POSE.project_at(corners, 0.0)).astype(np.int32)], 255)
    ground = np.median(photograph()[mask > 0], axis=0)
    noise = np.random.default_rng(0).normal(0, 2, image_bgr.shape)
    return np.where(mask[..., None] > 0, np.clip(ground + noise, 0, 255), image_bgr).astype(np.uint8)


def test_what_lies_over_the_print_hides_it_even_in_the_colour_of_the_ground() -> None:
    labels, visible = read(photograph(labels=STANDING))
    assert {place: label for place, label in labels.items() if label != "empty"} == STANDING
    assert visible == set(labels)
    _, left = read(sheet_over_two_columns(photograph(labels=STANDING)))
    assert left == set(labels) - set(COVERED)
