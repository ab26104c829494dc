"""Marks under a lamp's mirror image: read where one id alone explains what is left of them, and never read wrongly."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.board import Marks
from vision.recognition.mark_cells import STEPS, gray_cells
from vision.recognition.mark_recovery import read_in_colours, read_mark

MARKS = Marks(size_mm=18.0, ids={f"part-{number}": number for number in range(10, 17)})
SIDE, PAPER, INK = 57, 225.0, 40.0
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)


def cell(number: int, turn_deg: float = 0.0, module: float = STEPS) -> np.ndarray:
    """A mark with its white border on a grey ground, float64 (SIDE, SIDE)."""
    fine = 12
    tile = np.pad(cv2.aruco.generateImageMarker(DICTIONARY, number, 6 * fine), fine, constant_values=255)
    turned = cv2.getRotationMatrix2D((len(tile) / 2 - 0.5, len(tile) / 2 - 0.5), turn_deg, module / fine)
    matrix = np.asarray(turned, np.float64)
    matrix[:, 2] += SIDE / 2 - len(tile) / 2
    levels = cv2.warpAffine(tile.astype(np.float32), matrix, (SIDE, SIDE), borderValue=-1.0)
    drawn = np.where(levels < 0, 170.0, INK + levels * ((PAPER - INK) / 255))
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.8))


def veiled(drawn: np.ndarray, reach: float, strength: float, direction_deg: float = 30.0) -> np.ndarray:
    """Add light from one side, as a mirror image with a soft edge; `reach` 0 is at the middle."""
    along = (np.arange(SIDE) - SIDE / 2) / SIDE
    angle = np.radians(direction_deg)
    at = along[:, None] * np.sin(angle) + along * np.cos(angle)
    return np.asarray(np.clip(drawn + strength / (1 + np.exp(-(at - reach) * 30)), 0, 255))


@pytest.mark.parametrize("turn_deg", [0.0, 17.0, 44.0, 90.0])
def test_a_mark_under_a_veil_is_read(turn_deg: float) -> None:
    assert read_mark(veiled(cell(12, turn_deg), 0.0, 150.0), MARKS) == "part-12"
    assert read_mark(veiled(cell(16, turn_deg), 0.25, 400.0), MARKS) == "part-16"


def test_a_mark_is_read_in_blue_alone_under_the_image_of_a_warm_lamp() -> None:
    drawn = np.clip(cell(12, 17.0)[..., None] + (120.0, 205.0, 215.0), 0, 255).astype(np.uint8)
    assert read_mark(gray_cells(drawn), MARKS) is None
    assert read_in_colours(drawn, MARKS) == "part-12"


def test_what_is_outshone_leaves_no_other_part() -> None:
    read = [
        read_mark(veiled(cell(number, turn), reach, 500.0, direction), MARKS)
        for number, turn in ((10, 5.0), (14, 30.0))
        for reach in (-0.1, 0.0, 0.1, 0.3)
        for direction in (0.0, 100.0, 230.0)
    ]
    assert {part for part in read[:12] if part} == {"part-10"}
    assert {part for part in read[12:] if part} == {"part-14"}
    assert None in read


def test_marks_of_other_games_and_other_sizes_are_none() -> None:
    assert read_mark(cell(40), MARKS) is None
    assert read_mark(cell(12, module=1.6 * STEPS), MARKS) is None


def test_print_is_no_mark() -> None:
    square, digits = (np.full((SIDE, SIDE), PAPER, np.uint8) for _ in range(2))
    square[16:41, 16:41] = INK
    cv2.putText(digits, "8", (16, 42), cv2.FONT_HERSHEY_SIMPLEX, 1.2, INK, 4)
    for drawn in (square, digits, np.full((SIDE, SIDE), PAPER)):
        assert read_mark(drawn.astype(np.float64), MARKS) is None
