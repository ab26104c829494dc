"""A table of cards is read: what lies where, which card it is, and what cannot be known."""

from __future__ import annotations

import copy
from functools import cache

import cv2
import msgspec
import numpy as np
import pytest

from tests.vision.readings import read_table, table_view, wrongly_sure
from tests.vision.recognition.cards.scenes import BOARD, FACE_DOWN, FLAGS, PAWNS, pictured, scene
from vision.errors import BoardFileError
from vision.geometry import Floats
from vision.labels import BACK
from vision.observation import Observation
from vision.recognition.cards.layout import Layout, LayoutReader, lying_words
from vision.simulation.optics import render
from vision.simulation.scene import Mug
from vision.simulation.truth import CardTruth

_UNDER_THE_MUG = "C3"


@cache
def _layout() -> Layout:
    image_bgr, _, _ = pictured()
    return LayoutReader(BOARD).read(table_view(BOARD, image_bgr))


@pytest.mark.sampled(7)
@pytest.mark.parametrize("tilt_deg", [5.0, 18.0, 30.0])
def test_cards_flags_and_pawns_are_read(tilt_deg: float) -> None:
    image_bgr, truth, _ = pictured(tilt_deg)
    seen = read_table(BOARD, image_bgr)

    assert _wrong(seen, truth) == []
    assert seen.unsure().sum() <= 4


def _wrong(seen: Observation, truth: CardTruth) -> list[tuple[str, str, str]]:
    """Cells with what was read and what is true, where these differ."""
    return [
        (cell, found, true)
        for cell, found, true in zip(seen.cells, seen.best(), truth.labels, strict=True)
        if found != true
    ]


def test_a_table_seen_from_its_other_side_reads_the_same() -> None:
    image_bgr, truth, _ = pictured()
    seen = read_table(BOARD, np.ascontiguousarray(image_bgr[::-1, ::-1]))
    assert _wrong(seen, truth) == []  # the markers say which way the table lies


def test_with_too_few_pixels_nothing_is_reported_as_certain() -> None:
    image_bgr, _, _ = pictured()
    small = cv2.resize(image_bgr, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    assert read_table(BOARD, np.asarray(small, np.uint8)).unsure().all()


def test_a_card_that_is_burnt_out_is_not_a_back_for_certain() -> None:
    image_bgr, _, made = pictured()
    burnt, cell = image_bgr.copy(), "C3"
    middle = BOARD.centres_mm()[BOARD.cells.index(cell)]
    corners = made.camera.pose.project_at(middle + np.array([(-40, -53), (40, -53), (40, 53), (-40, 53)]), 0.0)
    cv2.fillConvexPoly(burnt, corners.astype(np.int32), (255, 255, 255))
    seen = read_table(BOARD, burnt)
    assert seen.unsure()[seen.cells.index(cell)]


def _with_plain_backs(off_mm: Floats, turn_deg: float) -> Observation:
    """Read the table with a sand-coloured rectangle of a card's size in place of each back."""
    image_bgr, _, made = pictured()
    plain, turn = image_bgr.copy(), np.radians(turn_deg)
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    turned = half * BOARD.cards["size"] @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
    for cell, off in zip(FACE_DOWN, off_mm, strict=True):
        middle = BOARD.centres_mm()[BOARD.cells.index(cell)]
        x, y = made.camera.pose.project_at(middle + np.array([(0.5 * BOARD.grid.pitch[0], 0.0)]), 0.0)[0].astype(int)
        mat = tuple(image_bgr[y, x].tolist())
        for outline, bgr in ((middle + half * BOARD.grid.pitch, mat), (middle + off + turned, (150, 190, 215))):
            cv2.fillConvexPoly(plain, made.camera.pose.project_at(outline, 0.0).astype(np.int32), bgr)
    return read_table(BOARD, plain)


def test_plain_backs_that_lie_askew_are_cards() -> None:
    rows = [BOARD.cells.index(cell) for cell in FACE_DOWN]
    askew = _with_plain_backs(np.array([(2.0, 1.5), (-1.5, 2.5), (2.5, -1.0)]), 3.0)
    assert [askew.best()[row] for row in rows] == [BACK] * len(rows)
    assert not askew.unsure()[rows].any()


def test_a_back_that_is_taken_for_a_flag_is_known_by_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    image_bgr, _, _ = pictured()
    misread, row, words = copy.deepcopy(_layout()), BOARD.cells.index(FACE_DOWN[0]), lying_words(BOARD)
    misread.p_lying[row] = 0.0
    misread.p_lying[row, [words.index("flag-moons"), words.index(BACK)]] = 0.9, 0.1
    monkeypatch.setattr(LayoutReader, "read", lambda *_any: misread)
    assert read_table(BOARD, image_bgr).best()[row] == BACK


def test_places_are_found_to_the_millimetre() -> None:
    _, truth, _ = pictured()
    bare = [cell not in FLAGS and cell not in PAWNS for cell in BOARD.cells]
    off = np.abs(_layout().place - truth.place)[bare]

    assert off[:, :2].max() < 2.0
    assert np.degrees(off[:, 2].max()) < 2.5


def test_what_a_mug_hides_is_unsure_and_no_certain_mistake_is_made_beside_it() -> None:
    x, y = BOARD.centres_mm()[BOARD.cells.index(_UNDER_THE_MUG)]
    made = scene(occluders=(Mug(float(x), float(y), 0.0, 42.0, 90.0, (60, 90, 160)),))
    _, truth, _ = pictured()
    seen = read_table(BOARD, render(made, np.random.default_rng(5)))

    assert seen.unsure()[seen.cells.index(_UNDER_THE_MUG)]
    assert wrongly_sure(seen, truth.labels) == []


def test_colours_that_the_network_never_saw_are_reported() -> None:
    seats = tuple(msgspec.structs.replace(seat, colour=f"dark-{seat.colour}") for seat in BOARD.seat)
    with pytest.raises(BoardFileError, match="seat"):
        LayoutReader(msgspec.structs.replace(BOARD, seat=seats))
