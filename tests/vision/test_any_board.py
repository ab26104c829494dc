"""Boards of other people: any dictionary, ids and places of markers; measured from pictures, found, and read."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from tests.vision.drawn_tables import SIZE_WH, draw, paste_marker, pose_above
from tests.vision.readings import read_table, wrongly_sure
from vision.board import Board, Rgb, parse_board, shipped_board
from vision.board_sections import PlacedMarker
from vision.errors import BoardFileError
from vision.localization.locate import Located, ScaledImage, locate, search
from vision.localization.markers import Sightings
from vision.localization.pose import Misfit, MisfitKind, find_misfit
from vision.localization.survey import SurveyedPicture, SurveyError, SurveyProblem, find_any, survey
from vision.observation import Blind, BlindReason
from vision.recognition.reader import TableReader

_PLACED = """
[[markers.placed]]
id = 4
centre = [-25, -10]
angle = 20
[[markers.placed]]
id = 7
centre = [220, 5]
angle = 200
[[markers.placed]]
id = 25
centre = [215, 222]
angle = 95
side = 24
[[markers.placed]]
id = 14
centre = [-22, 190]
"""
GO_TEXT = f"""
game = "go"
title = "Go"
size = [198.0, 213.3]
[markers]
dictionary = "DICT_4X4_50"
side = 30.0
{_PLACED}
[grid]
columns = 9
rows = 9
origin = [0.0, 0.0]
pitch = [22.0, 23.7]
lines = {[[f"A{row}", f"I{row}"] for row in range(1, 10)] + [[f"{x}1", f"{x}9"] for x in "ABCDEFGHI"]}
[[seat]]
colour = "black"
rgb = [30, 30, 32]
[[seat]]
colour = "white"
rgb = [236, 232, 222]
[pieces]
stone = {{ shape = "disc", diameter = 21.5, height = 8.0 }}
[labels]
empty = "empty"
stone = "{{colour}}"
"""
GO = parse_board(GO_TEXT, "go")

MARKED_TEXT = """
game = "marked"
title = "Marked pieces"
size = [240.0, 240.0]
[markers]
dictionary = "DICT_ARUCO_ORIGINAL"
side = 30.0
placed = [{ id = 11, centre = [30, 30] }, { id = 12, centre = [210, 30] }, { id = 13, centre = [30, 210] }]
[grid]
columns = 5
rows = 5
origin = [45.0, 45.0]
pitch = [30.0, 30.0]
[pieces]
king = { shape = "tile", size = 15.0, height = 1.0, count = 1 }
rook = { shape = "tile", size = 15.0, height = 1.0 }
[labels]
empty = "empty"
king = "king"
rook = "rook"
[marks]
dictionary = "DICT_ARUCO_ORIGINAL"
size_mm = 10.0
ids = { king = 3, rook = 600 }
"""
MARKED = parse_board(MARKED_TEXT, "marked")


def _located(board: Board, slant_deg: float = 25.0) -> tuple[Located | None, np.ndarray]:
    pose = pose_above(board, slant_deg)
    scaled = ScaledImage(draw(board, pose=pose))
    found = locate(scaled, board, search(scaled, board.markers.dictionary), None)
    grid_mm = board.places_mm()[[0, board.grid.columns - 1, -1, -board.grid.columns]]
    return found, pose.project_at(grid_mm, 0.0)


@pytest.mark.parametrize("dictionary", ["DICT_4X4_50", "DICT_5X5_100", "DICT_7X7_250", "DICT_APRILTAG_16h5"])
def test_a_board_is_found_by_markers_of_any_dictionary_at_any_place_and_angle(dictionary: str) -> None:
    board = msgspec.structs.replace(GO, markers=msgspec.structs.replace(GO.markers, dictionary=dictionary))
    found, truth_px = _located(board)
    assert found is not None
    assert len(found.detections) == 4
    grid_mm = board.places_mm()[[0, 8, -1, -9]]
    assert np.abs(found.estimate.pose.project_at(grid_mm, 0.0) - truth_px).max() < 1.0


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("id = 14", "id = 50", "ids from 0 to 49, as DICT_4X4_50 has, found 50"),
        ("id = 14", "id = 25", "another id for each marker"),
        ("angle = 20\n", "angle = 1e9\n", "markers.placed[0].angle: expected a number from -360 to 360"),
        ("side = 24", "side = 0", "markers.placed[2].side: expected a length above 0 mm"),
        ("side = 30.0", "side = 30.0\nbase = 3", "neither, or both"),
        (_PLACED, "[[markers.placed]]\nid = 4\ncentre = [1, 1]\n", "3 markers or more, found 1"),
        ("diameter = 21.5", "diameter = 22.5", "pieces.stone.diameter: expected at most the width of a cell, 22 mm"),
    ],
)
def test_markers_that_cannot_be_are_refused_in_one_sentence(old: str, new: str, reported: str) -> None:
    assert old in GO_TEXT
    with pytest.raises(BoardFileError) as raised:
        parse_board(GO_TEXT.replace(old, new, 1), "mine.toml")
    assert reported in str(raised.value)


@pytest.mark.parametrize("hold_height", [True, False])
def test_markers_about_a_board_are_measured_from_one_photograph(hold_height: bool) -> None:
    pose = pose_above(GO, 30.0)
    scaled = ScaledImage(draw(GO, pose=pose))
    points_mm = GO.places_mm()[[0, 8, -1, -9]]
    dictionary, seen = find_any(scaled)
    one = SurveyedPicture("one.jpg", SIZE_WH, seen, pose.project_at(points_mm, 0.0))
    found = survey([one], (8 * 22.0, 8 * (23.7 if hold_height else 22.0)), dictionary, hold_height=hold_height)
    assert dictionary == "DICT_4X4_50"
    assert found.height_mm == pytest.approx(8 * 23.7, rel=0.015)
    assert not found.disagreements
    for marker, truth in zip(found.markers, sorted(GO.markers.each, key=lambda one: one.id), strict=True):
        _is_near(marker, truth, points_mm[0])


@pytest.mark.parametrize(
    ("dictionary", "ids"), [("DICT_4X4_1000", (27, 274, 479, 807)), ("DICT_APRILTAG_36h10", (4, 7, 25, 2000))]
)
def test_the_largest_dictionaries_are_found_without_being_named(dictionary: str, ids: tuple[int, ...]) -> None:
    placed = tuple(msgspec.structs.replace(one, id=i) for one, i in zip(GO.markers.each, ids, strict=True))
    markers = msgspec.structs.replace(GO.markers, dictionary=dictionary, placed=placed)
    board = msgspec.structs.replace(GO, markers=markers)
    found, seen = find_any(ScaledImage(draw(board, pose=pose_above(board, 30.0))))
    assert found == dictionary
    assert sorted(seen) == sorted(ids)


def _seen_markers(board: Board) -> dict[int, np.ndarray]:
    """Return where markers are in a picture, exactly."""
    squares_px = pose_above(board, 25.0).project_at(board.markers.corners_mm().reshape(-1, 2), 0.0)
    return dict(zip(board.markers.ids, squares_px.reshape(-1, 4, 2).astype(np.float32), strict=True))


def test_the_survey_s_derivatives_are_those_of_its_misfits() -> None:
    corners_px = pose_above(GO, 25.0).project_at(GO.places_mm()[[0, 8, -1, -9]], 0.0)
    pictures = [SurveyedPicture("one.jpg", SIZE_WH, _seen_markers(GO), corners_px)]
    pictures.append(SurveyedPicture("two.jpg", SIZE_WH, _seen_markers(GO)))
    problem = SurveyProblem(pictures, (8 * 22.0, 8 * 23.0), hold_height=False)
    values = problem.start + 0.002
    misfit, derivatives = problem.linearise(values)
    for column in range(len(values)):
        step = np.zeros(len(values))
        step[column] = 1e-6
        expected = (problem.linearise(values + step)[0] - problem.linearise(values - step)[0]) / 2e-6
        assert derivatives[:, column] == pytest.approx(expected, rel=1e-4, abs=1e-2)
    assert len(misfit) == len(derivatives)


def _misfit(found: dict[int, np.ndarray], *copies: tuple[int, np.ndarray]) -> Misfit | None:
    return find_misfit(GO, Sightings(found, copies), SIZE_WH)


def test_markers_that_do_not_fit_one_another_are_named() -> None:
    good = _seen_markers(GO)
    side = good[7][1] - good[7][0]
    elsewhere = good[25] + (300, -200)
    torn = {number: corners + np.array([60 * (number in (14, 25)), 0]) for number, corners in good.items()}
    assert _misfit(good) is None
    assert _misfit(good | {7: good[7] + side / 2}) == Misfit(MisfitKind.MOVED, (7,))
    assert _misfit(good, (25, elsewhere)) == Misfit(MisfitKind.COPIED, (25,))
    assert _misfit(good | {25: elsewhere}, (25, good[25])) == Misfit(MisfitKind.COPIED, (25,))
    assert _misfit(good | {4: good[25], 25: good[4]}) == Misfit(MisfitKind.SWAPPED, (4, 25))
    again = [(number, corners + np.array([700, 0])) for number, corners in good.items()]
    assert _misfit(good, *again) == Misfit(MisfitKind.TWICE, (4, 7, 14, 25))
    assert _misfit(torn) == Misfit(MisfitKind.UNFIT, (4, 7, 14, 25))


@pytest.mark.parametrize("turned_deg", [30.0, 90.0, 180.0, -45.0])
def test_a_marker_turned_on_its_place_is_named(turned_deg: float) -> None:
    angles = {one.id: one.angle + turned_deg * (one.id == 7) for one in GO.markers.each}
    placed = tuple(msgspec.structs.replace(one, angle=angles[one.id]) for one in GO.markers.each)
    seen = _seen_markers(msgspec.structs.replace(GO, markers=msgspec.structs.replace(GO.markers, placed=placed)))
    assert _misfit(seen) == Misfit(MisfitKind.MOVED, (7,))
    del seen[4]
    misfit = _misfit(seen)
    assert misfit is not None
    assert misfit.kind is MisfitKind.UNFIT


@pytest.mark.parametrize("cut_px", [(-500, 0), (250, 0), (-250, 400), (500, -200)])
def test_of_a_picture_cut_out_of_a_larger_one_no_marker_is_said_to_be_moved(cut_px: tuple[int, int]) -> None:
    squares_px = pose_above(GO, 40.0).project_at(GO.markers.corners_mm().reshape(-1, 2), 0.0).reshape(-1, 4, 2)
    seen = dict(zip(GO.markers.ids, (squares_px + cut_px).astype(np.float32), strict=True))
    assert _misfit(seen) == Misfit(MisfitKind.UNFIT, (4, 7, 14, 25))
    side = seen[7][1] - seen[7][0]
    moved = _misfit(seen | {7: seen[7] + side / 2})
    assert moved is not None
    assert moved.kind in {MisfitKind.MOVED, MisfitKind.UNFIT}


def test_a_marker_under_a_finger_or_a_square_of_another_size_is_no_misfit() -> None:
    good = _seen_markers(GO)
    covered = good[7].copy()
    covered[0] += 0.4 * (covered[1] - covered[0])
    small = good[7].mean(axis=0) + 0.4 * (good[7] - good[7].mean(axis=0)) + (200, 50)
    assert _misfit(good | {7: covered}) is None
    assert _misfit(good, (7, small)) is None


@pytest.mark.parametrize("board", [GO, MARKED], ids=["go", "marked"])
def test_a_mirrored_picture_is_said_to_be_mirrored(board: Board) -> None:
    image = np.ascontiguousarray(draw(board)[:, ::-1])
    assert TableReader(board).read(image) == Blind(BlindReason.MIRRORED)


def _is_near(marker: PlacedMarker, truth: PlacedMarker, origin_mm: np.ndarray) -> None:
    assert marker.id == truth.id
    assert np.abs(np.subtract(truth.centre, origin_mm) - marker.centre).max() < 1.5
    assert abs((marker.angle - truth.angle + 180) % 360 - 180) < 1.0
    assert marker.side == pytest.approx(truth.side, rel=0.02)


def test_a_marker_that_was_moved_between_two_photographs_is_named() -> None:
    first, later = pose_above(GO, 10.0), pose_above(GO, 35.0)
    moved = [
        msgspec.structs.replace(one, centre=(one.centre[0] + 12, one.centre[1])) if one.id == 7 else one
        for one in GO.markers.placed
    ]
    other = msgspec.structs.replace(GO, markers=msgspec.structs.replace(GO.markers, placed=tuple(moved)))
    photographs = []
    for name, board, pose in (("one", GO, first), ("two", GO, later), ("three", other, first)):
        squares_px = pose.project_at(board.markers.corners_mm().reshape(-1, 2), 0.0).reshape(-1, 4, 2)
        seen = dict(zip(board.markers.ids, squares_px.astype(np.float32), strict=True))
        corners = pose.project_at(GO.places_mm()[[0, 8, -1, -9]], 0.0) if name == "one" else None
        photographs.append(SurveyedPicture(name, SIZE_WH, seen, corners))
    found = survey(photographs, (8 * 22.0, 8 * 22.0), "DICT_4X4_50", hold_height=False)
    assert (found.disagreements[0].name, found.disagreements[0].marker) == ("three", 7)
    assert not survey(photographs[:2], (8 * 22.0, 8 * 22.0), "DICT_4X4_50", hold_height=False).disagreements


def test_a_photograph_with_too_few_markers_is_refused() -> None:
    seen = dict(list(search(ScaledImage(draw(GO)), "DICT_4X4_50").items())[:2])
    with pytest.raises(SurveyError, match="found 2"):
        survey(
            [SurveyedPicture("one.jpg", SIZE_WH, seen, np.eye(4, 2))], (100.0, 100.0), "DICT_4X4_50", hold_height=True
        )


def _draw_marks(board: Board, truth: dict[str, tuple[str, int]], height_mm: float, slant_deg: float) -> np.ndarray:
    pose = pose_above(board, slant_deg, away=1.6)
    image = draw(board, pose=pose)
    middles = dict(zip(board.cells, board.places_mm(), strict=True))
    square = 5.0 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    for cell, (_word, number) in truth.items():
        paste_marker(image, pose, "DICT_ARUCO_ORIGINAL", number, middles[cell] + square, height_mm)
    return cv2.GaussianBlur(image, (0, 0), 0.6).astype(np.uint8)


@pytest.mark.parametrize("height_mm", [0.0, 20.0, 48.0])
def test_marks_on_heads_of_any_height_are_read_on_the_cells_of_their_feet(height_mm: float) -> None:
    assert MARKED.marks is not None
    board = msgspec.structs.replace(MARKED, marks=msgspec.structs.replace(MARKED.marks, raised=True))
    truth = {"B1": ("king", 3), "D4": ("rook", 600), "E1": ("rook", 600), "A5": ("rook", 600)}
    seen = read_table(board, _draw_marks(board, truth, height_mm, 35.0))
    best = dict(zip(seen.cells, seen.best(), strict=True))
    assert {cell: word for cell, word in best.items() if word != "empty"} == {c: word for c, (word, _) in truth.items()}


def test_marked_pieces_of_the_boards_own_dictionary_are_read_without_a_network() -> None:
    truth = {"B2": ("king", 3), "D4": ("rook", 600), "E1": ("rook", 600)}
    seen = read_table(MARKED, _draw_marks(MARKED, truth, 1.0, 15.0))
    best = dict(zip(seen.cells, seen.best(), strict=True))
    assert best == {cell: truth[cell][0] if cell in truth else "empty" for cell in MARKED.cells}


@pytest.mark.parametrize("slant_deg", [0.0, 40.0])
def test_discs_that_touch_one_another_are_not_taken_for_the_ground(slant_deg: float) -> None:
    rng = np.random.default_rng(1)
    truth = {cell: str(rng.choice(["empty", "black", "white"], p=[0.4, 0.3, 0.3])) for cell in GO.cells}
    image = draw(GO, {cell: word for cell, word in truth.items() if word != "empty"}, pose_above(GO, slant_deg))
    seen, true = read_table(GO, image), [truth[cell] for cell in GO.cells]
    assert wrongly_sure(seen, true) == []
    assert np.not_equal(seen.best(), true).mean() < 0.1


def test_a_white_stone_on_white_paper_is_not_an_empty_point_for_certain() -> None:
    labels = dict.fromkeys(("B2", "D5", "G7", "I9"), "white") | dict.fromkeys(("C3", "F6"), "black")
    seen = read_table(GO, draw(GO, labels, ground=(236, 230, 220)))
    assert wrongly_sure(seen, [labels.get(cell, "empty") for cell in seen.cells]) == []
    assert (~seen.unsure()).sum() > 0.9 * (len(seen.cells) - 4)


def _own_territory() -> Board:
    """A board that somebody has measured, with Territory's grid and pieces on it."""
    shipped = shipped_board("territory")
    width, height = shipped.size
    places = ((-25.0, -10.0, 20.0), (width + 25, 5.0, 200.0), (width + 20, height, 95.0), (-22.0, height - 20, 0.0))
    placed = tuple(PlacedMarker(id=i, centre=(x, y), angle=angle) for i, (x, y, angle) in enumerate(places))
    markers = msgspec.structs.replace(shipped.markers, dictionary="DICT_4X4_50", base=None, corners=(), placed=placed)
    return msgspec.structs.replace(shipped, markers=markers)


@pytest.mark.parametrize(
    ("ground", "dark"),
    [((206, 170, 110), (110, 70, 40)), ((225, 218, 205), (165, 35, 30)), ((220, 230, 235), (40, 110, 40))],
)
def test_a_piece_of_its_squares_colour_on_an_own_board_is_not_overlooked_for_certain(ground: Rgb, dark: Rgb) -> None:
    board, lies = _own_territory(), {"A1": "red", "C3": "white", "C4": "black", "F6": "green", "G7": "purple"}
    for labels in ({}, lies):
        seen = read_table(board, draw(board, labels, ground=ground, dark=dark))
        assert wrongly_sure(seen, [labels.get(cell, "empty") for cell in seen.cells]) == []
        assert seen.unsure().sum() <= 2


def test_an_own_board_without_any_print_is_open() -> None:
    board = _own_territory()
    bare = msgspec.structs.replace(board, grid=msgspec.structs.replace(board.grid, lines=(("A1", "H1"),)))
    seen = read_table(bare, draw(bare, ground=(225, 200, 160)))
    assert set(seen.best()) == {"empty"}
    assert not seen.unsure().any()


def test_what_an_arm_hides_on_an_own_board_is_not_empty_for_certain() -> None:
    board, labels = _own_territory(), {"C4": "black", "D4": "black", "D5": "red", "E5": "green"}
    image, (width, height) = draw(board, labels, ground=(225, 218, 205), dark=(165, 35, 30)), board.size
    arm = np.array([(0.35, 1.4), (0.6, 1.4), (0.62, 0.45), (0.55, 0.3), (0.42, 0.35)]) * (width, height)
    cv2.fillPoly(image, [np.rint(pose_above(board).project_at(arm, 30.0)).astype(np.int32)], (60, 80, 120))
    seen = read_table(board, image)
    assert wrongly_sure(seen, [labels.get(cell, "empty") for cell in seen.cells]) == []


def test_discs_of_nearly_the_ground_s_colour_are_in_doubt_and_never_empty_for_certain() -> None:
    text = GO_TEXT.replace("rgb = [30, 30, 32]", "rgb = [112, 70, 40]").replace("diameter = 21.5", "diameter = 14.0")
    board = parse_board("\n".join(line for line in text.splitlines() if not line.startswith("lines")), "brown")
    rng = np.random.default_rng(1)
    labels = {cell: str(rng.choice(["black", "white"])) for cell in board.places if rng.random() < 0.3}
    seen = read_table(board, draw(board, labels, pose_above(board), ground=(130, 70, 60)))
    assert wrongly_sure(seen, [labels.get(cell, "empty") for cell in seen.cells]) == []
    assert set(np.array(seen.cells)[seen.unsure()]) <= {cell for cell, label in labels.items() if label == "black"}


@pytest.mark.parametrize(("man", "dark"), [((80, 80, 82), (60, 78, 86)), ((30, 30, 32), (50, 40, 30))])
def test_dark_men_on_dark_squares_are_seen(man: Rgb, dark: Rgb) -> None:
    text = GO_TEXT.replace("rgb = [30, 30, 32]", f"rgb = {[*man]}").replace("21.5, height = 8.0", "18.5, height = 7.0")
    board = parse_board("\n".join(line for line in text.splitlines() if not line.startswith("lines")), "draughts")
    rng = np.random.default_rng(3)
    labels = {cell: str(rng.choice(["black", "white"])) for cell in board.places[1::2] if rng.random() < 0.75}
    image = draw(board, labels, pose_above(board, 45.0), ground=(120, 160, 190), dark=dark, loose=0.1)
    seen, true = read_table(board, image), [labels.get(cell, "empty") for cell in board.places]
    assert wrongly_sure(seen, true) == []
    assert np.not_equal(seen.best(), true).sum() <= 3
