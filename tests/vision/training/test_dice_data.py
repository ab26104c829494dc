"""What the dice's network learns from is what lies there, however it is mirrored, scaled and lit."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.markerless.dice_network import FACE_PX, MIDDLE_PX, OFFSET_PX, PATCH_PX, STRIDE
from vision.training.dice.data import (
    IGNORED,
    NOTHING,
    PLACES_PX,
    SIDE_PX,
    UNTOLD,
    PatchSpot,
    drawn,
    patch_of,
    spots_of,
    targets,
    turn_of,
    varied,
    without_dice,
)
from vision.training.dice.picture import DicePicture, TopFace

_MIDDLE = (84.0, 76.0)


def _face(value: int | None = 5, size_px: float = 30.0, seen: float = 1.0, marks_seen: float = 1.0) -> TopFace:
    return TopFace(value, _MIDDLE, size_px, seen, marks_seen)


def _at_middle(face: TopFace) -> int:
    column, row = (int(side // STRIDE) for side in face.centre_px)
    return int(targets([face]).classes[row, column])


@pytest.mark.parametrize(
    ("face", "expected"),
    [
        (_face(), 5),
        (_face(value=None), UNTOLD),
        (_face(marks_seen=0.5), UNTOLD),
        (_face(seen=0.5), UNTOLD),
        (_face(seen=0.2), IGNORED),
        (_face(size_px=16.0), IGNORED),
        (_face(size_px=52.0), IGNORED),
        (_face(size_px=9.0), NOTHING),
        (_face(size_px=90.0), NOTHING),
    ],
    ids=["a five", "an emblem", "a pip covered", "half covered", "mostly covered", "small", "large", "tiny", "huge"],
)
def test_a_face_is_read_where_it_can_be_read(face: TopFace, expected: int) -> None:
    assert _at_middle(face) == expected


def test_places_of_a_face_report_the_way_to_its_middle_and_its_size() -> None:
    said = targets([_face(size_px=2 * MIDDLE_PX / 1.5)])
    rows, columns = np.nonzero(said.classes == 5)
    assert len(rows) >= 4
    x, y, size = said.shape[:, rows, columns]
    assert np.allclose(STRIDE * (columns + 0.5) + OFFSET_PX * x, _MIDDLE[0])
    assert np.allclose(STRIDE * (rows + 0.5) + OFFSET_PX * y, _MIDDLE[1])
    assert np.allclose(MIDDLE_PX * 2**size, 2 * MIDDLE_PX / 1.5, rtol=1e-4)


@pytest.mark.parametrize("seed", range(12))
def test_a_variation_moves_the_truth_with_the_picture(seed: int) -> None:
    image = np.zeros((192, 192, 3), np.uint8)
    cv2.circle(image, (84, 76), 6, (255, 255, 255), cv2.FILLED)
    made = varied(DicePicture(image, (_face(),)), np.random.default_rng(seed))
    x, y = made.faces[0].centre_px
    around = made.image_bgr[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4].mean()
    assert made.image_bgr.shape == (SIDE_PX, SIDE_PX, 3)
    assert around > 150 > made.image_bgr[round(y) + 12, round(x)].mean()


def test_only_pictures_taken_steeply_from_above_are_turned_at_will() -> None:
    image = np.zeros((192, 192, 3), np.uint8)
    steep, slanted = (DicePicture(image, (), steep=steep) for steep in (True, False))
    rng = np.random.default_rng(0)
    assert max(turn_of(steep, rng, 0.05) for _ in range(50)) > 5
    assert max(abs(turn_of(slanted, rng, 0.05)) for _ in range(50)) < 0.3


def test_pictures_are_drawn_alike_for_the_same_seed() -> None:
    one, other = (next(drawn([7], PLACES_PX)) for _ in range(2))
    assert (one.image_bgr == other.image_bgr).all()
    assert one.faces == other.faces


def test_pieces_of_other_pictures_have_no_dice(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "board.jpg"), np.full((300, 400, 3), 90, np.uint8))
    pieces = list(without_dice(tmp_path, 3, np.random.default_rng(0)))
    assert [piece.faces for piece in pieces] == [()] * 3
    assert (targets(pieces[0].faces).classes == NOTHING).all()


@pytest.mark.parametrize("seed", range(8))
def test_a_patch_reports_how_far_offset_its_face_is(seed: int) -> None:
    image = np.zeros((192, 192, 3), np.uint8)
    cv2.circle(image, (84, 76), 8, (255, 255, 255), cv2.FILLED)
    spot = PatchSpot(0, _MIDDLE, 30.0, 5)
    patch, offset = patch_of(DicePicture(image, (_face(),)), spot, np.random.default_rng(seed))
    grey = patch.mean(axis=2)
    rows, columns = np.nonzero(grey > (grey.min() + grey.max()) / 2)
    seen = np.array([columns.mean(), rows.mean()]) + 0.5 - PATCH_PX / 2
    assert seen == pytest.approx(offset[:2] * FACE_PX, abs=1.5)
    radius_px = np.sqrt(len(rows) / np.pi)
    assert radius_px * 30 / 8 == pytest.approx(FACE_PX * 2 ** offset[2], rel=0.2)


@pytest.mark.long
def test_sides_of_dice_that_are_taken_for_faces_are_learned_from_as_none() -> None:
    spots = list(spots_of(list(drawn(range(90_100, 90_120), PLACES_PX))))
    assert {spot.truth for spot in spots} > {NOTHING}
    assert sum(spot.truth == NOTHING for spot in spots) > 5
