"""The whole chain: a table is read right, remembered, refused with its reason, and never raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

import vision.boards
from tests.narrow import narrowed, there
from tests.vision.readings import as_read, read_table, wrongly_sure
from tests.vision.recognition.scenes import BOARD, out_of_focus, pictured, scene
from vision.board import Board, parse_board, shipped_board
from vision.errors import BoardFileError
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.labels import parse_label
from vision.localization.locate import Located, ScaledImage, search
from vision.localization.pose import estimate_pose
from vision.observation import Blind, BlindReason
from vision.recognition import reader as reader_module
from vision.recognition.reader import AnyTableReader, Reading, TableReader
from vision.recognition.trust import misplaced, tops_inside
from vision.simulation.occluders import reaching_arm
from vision.simulation.optics import render
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import Scene, SceneCamera
from vision.simulation.truth import truth_of

READER = TableReader(BOARD)


@pytest.mark.parametrize(("tilt_deg", "turn_deg"), [(2.0, 0.0), (20.0, 12.0), (35.0, 200.0)])
def test_every_cell_of_a_table_in_good_light_is_right_from_any_side(tilt_deg: float, turn_deg: float) -> None:
    image_bgr, truth, _ = pictured(tilt_deg, turn_deg)
    observation = read_table(BOARD, image_bgr)
    assert observation.best() == truth.labels
    assert observation.unsure().sum() <= 4  # a tinted start space may be too close to call


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
def test_no_counter_in_a_shadow_is_of_the_wrong_colour_for_certain(seed: int) -> None:
    """In 40 such pictures 21 of 567 counters and stacks have the wrong colour, and all of them are unsure."""
    board, rng = shipped_board("royal-ur"), np.random.default_rng(88_000 + seed)
    scene = random_scene(board, rng, tier="hard", size_wh=(1640, 1232))
    image_bgr, angle = render(scene, rng), rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[:1232, :1640]
    share = 1 / (1 + np.exp(-((x - 820) * np.cos(angle) + (y - 616) * np.sin(angle)) / 40))
    shaded = np.round(image_bgr * (1 - 0.7 * share[..., None])).astype(np.uint8)
    reading = as_read(TableReader(board).read(shaded))
    kinds = [str(parse_label(label).single) for label in reading.observation.best()]
    true = [str(parse_label(label).single) for label in truth_of(scene).labels]
    wrong = np.array([kind != label for kind, label in zip(kinds, true, strict=True)])
    assert not (wrong & ~reading.observation.unsure()).any()


def test_what_an_arm_hides_is_unsure_and_never_certain_and_wrong() -> None:
    arm = reaching_arm(BOARD, (210.0, 170.0), side="bottom")
    covered = scene(occluders=(arm,))
    truth = truth_of(covered)
    observation = read_table(BOARD, render(covered, np.random.default_rng(2)))
    assert truth.hidden.sum() > 8
    assert wrongly_sure(observation, truth.labels) == []
    assert (observation.unsure() & truth.hidden).sum() >= 0.9 * truth.hidden.sum()


def test_a_reading_has_what_each_stage_made_of_the_cells_in_order() -> None:
    reading = as_read(TableReader(BOARD).read(pictured(2.0, 0.0)[0]))
    names = [made.stage for made in reading.stages]
    assert (names[0], names[-1]) == ("network", "place")
    assert len(set(names)) == len(names) >= 4
    assert np.array_equal(reading.stages[-1].p, reading.observation.p)
    assert all(np.allclose(made.p.sum(axis=1), 1.0) for made in reading.stages)


@pytest.mark.parametrize(("stage", "noise"), [("search_board", 0.0), ("estimate_light", 3.0)])
def test_a_table_that_does_not_move_is_not_searched_for_again_and_one_that_looks_the_same_not_read_again(
    stage: str, noise: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    eye, image_bgr = TableReader(BOARD), pictured()[0]
    first = as_read(eye.read(image_bgr))
    monkeypatch.setattr(reader_module, stage, lambda *_any: pytest.fail("done again"))
    noisy = image_bgr + np.random.default_rng(9).normal(0, noise, image_bgr.shape)
    second = as_read(eye.read(np.clip(noisy, 0, 255).astype(np.uint8)))
    assert second.observation is first.observation


@cache
def of_ur(changed: str = "", label: str = "") -> ImageBgr:
    """A table of Ur, always the same but for one cell."""
    board = shipped_board("royal-ur")
    lying = {"E1": "black*3", "E3": "white*3", "C2": "black", "D2": "white", changed: label}
    labels = {cell: lying.get(cell, "empty") for cell in board.places}
    scene_of_ur = random_scene(board, np.random.default_rng(4), tier="medium", labels=labels, size_wh=(1280, 960))
    return render(scene_of_ur, np.random.default_rng(5))


@pytest.mark.parametrize(("cell", "label"), [("E1", "black*2"), ("E3", "white*2"), ("C2", "empty"), ("G2", "black")])
def test_whatever_changes_on_a_table_that_lies_still_is_read(cell: str, label: str) -> None:
    eye = TableReader(shipped_board("royal-ur"))
    first, second = as_read(eye.read(of_ur())), as_read(eye.read(of_ur(cell, label)))
    assert second.pose is first.pose, "the table was searched for again"
    assert second.observation is not first.observation


def test_a_table_that_was_pushed_is_found_again() -> None:
    eye = TableReader(BOARD)
    image_bgr, truth, _ = pictured()
    eye.read(image_bgr)
    pushed = as_read(eye.read(np.roll(image_bgr, (9, -14), axis=(0, 1))))
    assert pushed.observation.best() == truth.labels


def _elsewhere(camera: SceneCamera) -> SceneCamera:
    """Return a camera in whose picture most of the board is beyond the right and lower edges."""
    pose, (width, height) = camera.pose, camera.size_wh
    x, y = pose.lens.centre_px
    lens = replace(pose.lens, centre_px=(x + 0.45 * width, y + 0.45 * height))
    return replace(camera, pose=replace(pose, lens=lens))


SPOILS: Mapping[BlindReason, Sequence[Callable[[Scene], Scene]]] = {
    BlindReason.NO_BOARD: [lambda scene: replace(scene, board_present=False, pieces=())],
    BlindReason.DARK: [lambda s: replace(s, sensor=replace(s.sensor, covered=0.9995, white_rgb=(1.6, 0.8, 0.6)))],
    BlindReason.BLURRED: [
        lambda scene: replace(scene, sensor=replace(scene.sensor, shake_px=(31.0, 23.0))),
        lambda scene: replace(scene, sensor=replace(scene.sensor, blur_px=7.8)),
    ],
    BlindReason.CUT_OFF: [lambda scene: replace(scene, camera=_elsewhere(scene.camera))],
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("reason", SPOILS)
@pytest.mark.parametrize("seed", [2, 3])
def test_what_cannot_be_read_is_refused_with_its_reason(reason: BlindReason, seed: int) -> None:
    for spoil in SPOILS[reason]:
        rng = np.random.default_rng(seed)
        scene = spoil(random_scene(BOARD, rng, tier="medium", size_wh=(1280, 960)))
        assert narrowed(READER.read(render(scene, rng)), Blind).reason is reason


@pytest.mark.sampled(5)
@pytest.mark.parametrize("reduced_px", [4.0, 5.5, 8.0])
@pytest.mark.parametrize("tilt_deg", [0.0, 35.0])
def test_a_table_out_of_focus_is_reported_as_blurred_and_never_as_none(reduced_px: float, tilt_deg: float) -> None:
    refused = narrowed(READER.read(out_of_focus(pictured(tilt_deg)[0], reduced_px)), Blind)
    assert refused.reason is BlindReason.BLURRED


def test_a_table_with_two_markers_exchanged_is_refused_with_their_numbers() -> None:
    image_bgr = pictured(2.0, 0.0)[0]
    found = search(ScaledImage(image_bgr))
    one, two = BOARD.markers.ids[:2]
    reach = round(0.62 * np.ptp(found[one][:, 0]))
    middles = [found[marker].mean(axis=0).round().astype(int) for marker in (one, two)]
    first, second = (np.s_[y - reach : y + reach, x - reach : x + reach] for x, y in middles)
    exchanged = image_bgr.copy()
    exchanged[first], exchanged[second] = image_bgr[second], image_bgr[first]
    refused = narrowed(TableReader(BOARD).read(exchanged), Blind)
    assert refused == Blind(BlindReason.MARKERS, {"misfit": "swapped", "ids": f"{one}, {two}"})


def test_another_game_s_table_is_named() -> None:
    refused = narrowed(TableReader(BOARD).read(_territory()), Blind)
    assert refused.reason is BlindReason.WRONG_GAME
    assert refused.facts == {"title": "Territory"}


@pytest.mark.parametrize("dictionary", ["DICT_4X4_50", "DICT_ARUCO_MIP_36h12"])
def test_a_sharp_picture_of_our_board_is_not_blurred_to_a_table_file_with_markers_of_another_dictionary(
    dictionary: str,
) -> None:
    shipped = shipped_board("territory")
    own = msgspec.structs.replace(shipped, markers=msgspec.structs.replace(shipped.markers, dictionary=dictionary))
    for refused in (TableReader(own).read(_territory()), AnyTableReader([own]).read(_territory())):
        assert isinstance(refused, Blind)
        assert refused.reason is BlindReason.NO_BOARD
        assert refused.facts == {"game": "territory", "instead": "Territory"}


def test_of_two_boards_in_view_the_one_that_is_asked_for_is_read() -> None:
    other = shipped_board("territory")
    beside = render(
        random_scene(other, np.random.default_rng(9), tier="easy", size_wh=(1280, 960)), np.random.default_rng(2)
    )
    both = np.full((960, 1920, 3), (120, 150, 170), np.uint8)
    both[:, 320:1600] = pictured()[0]
    both[:300, :400] = cv2.resize(beside, (400, 300), interpolation=cv2.INTER_AREA)
    alone, seen = read_table(BOARD, pictured()[0]), as_read(TableReader(BOARD).read(both))
    assert seen.game == BOARD.game
    assert seen.observation.best() == alone.best()
    asked = TableReader(other).read(both)
    assert isinstance(asked, Blind) or asked.game == other.game


def _blind_to(board: Board) -> Board:
    """Give the table another game's name, which nobody has learned to read."""
    return msgspec.structs.replace(board, game="chess")


def test_a_single_table_without_eyes_is_reported_before_any_picture() -> None:
    with pytest.raises(BoardFileError, match="chess: this version has no eyes"):
        AnyTableReader([_blind_to(BOARD)])


def test_among_several_tables_only_the_one_that_lies_there_needs_eyes() -> None:
    territory = shipped_board("territory")
    solid = {name: msgspec.structs.replace(piece, shape="turned") for name, piece in territory.pieces.items()}
    other = _blind_to(msgspec.structs.replace(territory, pieces=solid))  # flat discs need none
    assert isinstance(AnyTableReader([other, BOARD]).read(pictured()[0]), Reading)
    with pytest.raises(BoardFileError, match="chess: this version has no eyes"):
        AnyTableReader([other, BOARD]).read(_territory())


def test_a_table_with_labels_that_nobody_learned_is_reported_as_such() -> None:
    text = (Path(vision.boards.__path__[0]) / "royal_tee" / "board.toml").read_text(encoding="utf-8")
    with pytest.raises(BoardFileError, match="mauve"):
        TableReader(parse_board(text.replace('"red"', '"mauve"'), "mine.toml"))


@settings(max_examples=25, deadline=None)
@given(
    image=arrays.arrays(np.uint8, st.tuples(st.integers(1, 60), st.integers(1, 60), st.just(3))),
    factor=st.integers(1, 12),
)
def test_no_noise_makes_the_reader_raise(image: ImageBgr, factor: int) -> None:
    assert isinstance(READER.read(np.kron(image, np.ones((factor, factor, 1), np.uint8))), Reading | Blind)


def _territory() -> ImageBgr:
    """Sheets of paper with four markers of another table."""
    board = shipped_board("territory")
    sheet = np.full((960, 1280, 3), 200, np.uint8)
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for marker_id, (x, y) in zip(board.markers.ids, ((200, 100), (900, 100), (900, 800), (200, 800)), strict=True):
        sheet[y : y + 80, x : x + 80] = cv2.aruco.generateImageMarker(known, marker_id, 80)[:, :, None]
    return sheet


@pytest.mark.sampled(3)
@pytest.mark.parametrize("first", range(4))
def test_with_two_markers_of_a_side_covered_nothing_is_certain_and_wrong(first: int) -> None:
    image_bgr, truth, made = pictured(32.0, 12.0)
    covered = image_bgr.copy()
    for corner in (first, (first + 1) % 4):
        corners_mm = BOARD.markers.corners_mm()[corner]
        patch_mm = corners_mm.mean(axis=0) + 1.6 * (corners_mm - corners_mm.mean(axis=0))
        cv2.fillConvexPoly(covered, made.camera.pose.project_at(patch_mm, 0.0).astype(np.int32), (120, 150, 190))
    whole, seen = read_table(BOARD, image_bgr), TableReader(BOARD).read(covered)
    if isinstance(seen, Reading):
        assert wrongly_sure(seen.observation, truth.labels) == []
        # of most cells: a single doubtful one may be surer by chance
        assert np.median(seen.observation.confidence()) < np.median(whole.confidence())


def test_places_that_show_the_print_can_only_be_whole_cells_away() -> None:
    image_bgr, _truth, _made = pictured(32.0, 12.0)
    scaled = ScaledImage(image_bgr)
    seen = {number: corners for number, corners in search(scaled).items() if number in BOARD.markers.ids[:2]}
    estimate = there(estimate_pose(BOARD, seen, scaled.size_wh))
    located, in_step = Located(estimate, seen), np.arange(len(BOARD.places)) % 2 == 0
    alone, with_print = misplaced(BOARD, located), misplaced(BOARD, located, in_step)
    assert (with_print[~in_step] == alone[~in_step]).all()
    assert (with_print[in_step] < alone[in_step]).mean() > 0.9
    assert with_print[in_step].max() < 0.2 * alone.max()


def test_pieces_whose_tops_are_cut_off_do_not_count_as_seen() -> None:
    """At a slant the upper edge cuts heads off before feet; the camera is pointed lower until it does."""
    _, truth, made = pictured(35.0, 200.0)
    pose, size_wh = made.camera.pose, made.camera.size_wh
    feet_px, tops_px = (_row_px(pose, height) for height in (0.0, BOARD.pieces["tee"].height))
    highest = min((k for k, label in enumerate(truth.labels) if label != "empty"), key=lambda k: tops_px[k])
    assert tops_inside(BOARD, truth.labels, pose, size_wh).all()
    assert tops_inside(BOARD, truth.labels, _moved_up(pose, tops_px[highest] + 1), size_wh)[highest]
    beheaded = _moved_up(pose, 0.4 * tops_px[highest] + 0.6 * feet_px[highest])
    assert not tops_inside(BOARD, truth.labels, beheaded, size_wh)[highest]


def _row_px(pose: Pose, height_mm: float) -> NDArray[np.float64]:
    """Return the rows in the picture of points over the places' middles."""
    return np.asarray(pose.project_at(BOARD.places_mm(), height_mm)[:, 1])


def _moved_up(pose: Pose, by_px: float) -> Pose:
    """Return the pose of a camera whose picture shows everything higher up."""
    across, down = pose.lens.centre_px
    return replace(pose, lens=replace(pose.lens, centre_px=(across, down - by_px)))
