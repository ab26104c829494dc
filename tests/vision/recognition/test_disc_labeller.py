"""Flat discs of declared colours are read without a model, as a table of any new game has them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.drawn_tables import draw, pose_above
from tests.vision.readings import as_read, read_table, wrongly_sure
from vision.board import Board, cell_column_row, load_board, parse_board, register, shipped_board, shipped_games
from vision.errors import BoardFileError
from vision.localization.planes import Planes
from vision.observation import Blind, Observation
from vision.recognition.disc_labeller import DiscLabeller, reads
from vision.recognition.disc_scene import CELL_PX
from vision.recognition.reader import AnyTableReader, TableReader, labeller_of
from vision.simulation.optics import render
from vision.simulation.random_scene import random_labels, random_scene
from vision.simulation.scene import Scene, camera_over
from vision.simulation.truth import Truth, stand_pieces, truth_of

FILE = Path(__file__).parent / "discs.toml"
TEXT = FILE.read_text(encoding="utf-8")
BOARD = load_board(FILE)
_NAME = 'game = "example-discs"'
_BASE = TEXT[TEXT.index(_NAME) + len(_NAME) : TEXT.index("base = 300")] + "base = 300"


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.board._registered", {})
    register(FILE)


def plain_scene(seed: int) -> Scene:
    rng = np.random.default_rng(40_000 + seed)
    tilt, turn = float(rng.uniform(0, 35)), float(rng.normal(0, 10))
    camera = camera_over(BOARD, (1640, 1232), tilt_deg=tilt, turn_deg=turn)
    return Scene(BOARD, camera, stand_pieces(BOARD, random_labels(BOARD, rng), rng))


def read(scene: Scene) -> tuple[Observation, Truth]:
    return read_table(BOARD, render(scene, np.random.default_rng(1))), truth_of(scene)


@cache
def plain_readings() -> tuple[tuple[Observation, Truth], ...]:
    return tuple(read(plain_scene(seed)) for seed in range(4))


def test_a_table_of_plain_discs_is_read_and_mostly_with_certainty() -> None:
    right = np.concatenate([np.equal(seen.best(), truth.labels) for seen, truth in plain_readings()])
    unsure = np.concatenate([seen.unsure() for seen, _ in plain_readings()])
    assert [wrong for seen, truth in plain_readings() for wrong in wrongly_sure(seen, truth.labels)] == []
    assert right.mean() > 0.98
    assert unsure.mean() < 0.25  # a glossy black disc mirrors the ceiling: alone it could be a white one in shade


@pytest.mark.long
def test_boards_and_sets_of_any_look_are_mostly_read() -> None:
    readings = [
        read(random_scene(BOARD, np.random.default_rng(50_000 + seed), tier=tier, size_wh=(1640, 1232)))
        for tier in ("easy", "medium")
        for seed in range(6)
    ]
    right = np.concatenate([np.equal(seen.best(), truth.labels) for seen, truth in readings])
    silent = np.concatenate([~np.equal(s.best(), t.labels) & ~s.unsure() & ~t.hidden for s, t in readings])
    assert right.mean() > 0.9
    assert silent.mean() < 0.05


def test_stacks_are_read_with_their_height_or_say_that_it_is_open() -> None:
    """A tall stack hides the place behind it, and its top is seen over that place, where it is not to be read."""
    text = TEXT.replace("height = 6.0", "height = 12.0, stack = 2").replace("diameter = 24.0", "diameter = 32.0")
    board = parse_board(text, "mine.toml")
    stacks = {"D5": "white*2", "D7": "white", "B4": "white", "F4": "white*2", "E3": "black*2", "C3": "black"}
    labels = dict.fromkeys(board.places, "empty") | stacks
    scene = Scene(
        board, camera_over(board, (1640, 1232), tilt_deg=40.0), stand_pieces(board, labels, np.random.default_rng(3))
    )
    seen = read_table(board, render(scene, np.random.default_rng(1)))
    for cell, best, unsure in zip(seen.cells, seen.best(), seen.unsure(), strict=True):
        assert best in (labels[cell], labels[cell].partition("*")[0]) or unsure, (cell, best)
    certain = [best for cell, best, unsure in zip(seen.cells, seen.best(), seen.unsure(), strict=True) if not unsure]
    assert len(certain) > 0.8 * len(seen.cells)
    for cell, (least, most) in seen.open_heights().items():
        assert least <= (2 if labels[cell].endswith("*2") else 1) <= most, cell


def _planes_of(colours: dict[str, tuple[float, float, float]], ground: tuple[float, float, float]) -> Planes:
    """Draw a table seen from straight above, with discs in some colours on its cells; white paper is 1."""
    plane = np.empty((CELL_PX * 10, CELL_PX * 10, 3), np.float32)
    plane[:] = ground
    for cell, colour in colours.items():
        column, row = cell_column_row(cell)
        cv2.circle(plane, (CELL_PX * (column + 2), CELL_PX * (row + 2)), 8, colour, -1)
    return np.asarray(np.tile(cv2.GaussianBlur(plane, (0, 0), 0.8).transpose(2, 0, 1), (2, 1, 1)), np.float32)


_ABOVE = np.array([180.0, 180.0, 600.0])
"""The camera's place over the board's middle, in mm."""


def _read_planes(planes: Planes, board: Board = BOARD) -> Observation:
    labeller = DiscLabeller(board)
    labelled = labeller.label_planes(planes, _ABOVE)
    return Observation(board.places, labeller.labels, labelled.p, labelled.p_visible > 0.5)


def test_black_discs_that_are_darker_than_the_markers_print_are_black() -> None:
    black = dict.fromkeys(("A1", "D3", "F6"), (-0.14, -0.11, -0.09))
    seen = _read_planes(_planes_of({**black, "G4": (0.95, 0.96, 0.96)}, (0.35, 0.6, 0.85)))
    assert [cell for cell, word in zip(seen.cells, seen.best(), strict=True) if word == "black"] == list(black)
    assert not seen.unsure().any()


def test_discs_of_bare_wood_are_the_white_ones_next_to_black_ones() -> None:
    wood = dict.fromkeys(("A1", "D3", "F6", "G4", "B6", "D6"), (0.36, 0.62, 0.85))
    black = dict.fromkeys(("D1", "F2", "E4", "C5"), (0.02, 0.02, 0.03))
    seen = _read_planes(_planes_of({**wood, **black}, (0.05, 0.5, 0.1)))
    expected = {**dict.fromkeys(BOARD.places, "empty"), **dict.fromkeys(wood, "white"), **dict.fromkeys(black, "black")}
    assert dict(zip(seen.cells, seen.best(), strict=True)) == expected
    assert not seen.unsure().any()


def test_discs_of_bare_wood_are_the_white_ones_next_to_red_ones_though_wood_is_nearer_to_red() -> None:
    board = parse_board(TEXT.replace("rgb = [34, 32, 34]", "rgb = [180, 20, 20]").replace("black", "red"), "mine.toml")
    wood = dict.fromkeys(("A1", "D3", "F6", "G4", "B6", "D6"), (0.36, 0.62, 0.85))
    red = dict.fromkeys(("D1", "F2", "E4", "C5"), (0.0, 0.02, 0.9))
    seen = _read_planes(_planes_of({**wood, **red}, (0.05, 0.5, 0.1)), board)
    words, unsure = (dict(zip(seen.cells, values, strict=True)) for values in (seen.best(), seen.unsure()))
    assert all(words[cell] == "white" or unsure[cell] for cell in wood)
    assert all(words[cell] == "red" or unsure[cell] for cell in red)
    assert {words[cell] for cell in wood} == {"white"}


@pytest.mark.parametrize("half_mm", [24.0, 34.0])
def test_white_paper_or_glare_wider_than_a_disc_is_not_a_white_disc(half_mm: float) -> None:
    planes = _planes_of({"A1": (0.02, 0.02, 0.03), "G7": (0.97, 0.97, 0.96)}, (0.35, 0.6, 0.85))
    half = round(half_mm / 40.0 * CELL_PX)
    x = y = CELL_PX * 5
    planes[:, y - half : y + half, x - half : x + half // 3] = 1.0
    seen = _read_planes(planes)
    words, unsure = dict(zip(seen.cells, seen.best(), strict=True)), dict(zip(seen.cells, seen.unsure(), strict=True))
    assert words["A1"] == "black"
    assert words["G7"] == "white"
    assert all(word != "white" or unsure[cell] for cell, word in words.items() if cell != "G7")


def test_stacks_along_the_far_edge_are_never_taken_for_empty_ground() -> None:
    """What is looked at behind such a stack must not be the stack itself."""
    text = TEXT.replace("height = 6.0", "height = 12.0, stack = 2").replace("diameter = 24.0", "diameter = 36.0")
    board = parse_board(text, "mine.toml")
    labels = dict.fromkeys(board.places, "empty") | dict.fromkeys(("A1", "D1", "G1", "D2", "F2"), "black*2")
    rng = np.random.default_rng(3)
    scene = Scene(board, camera_over(board, (1640, 1232), tilt_deg=38.0), stand_pieces(board, labels, rng))
    reading = read_table(board, render(scene, np.random.default_rng(1)))
    seen = dict(zip(board.places, zip(reading.best(), reading.unsure(), strict=True), strict=True))
    assert all(seen[cell][0] == "black" or seen[cell][1] for cell in ("A1", "D1", "G1", "D2", "F2"))


def test_squares_of_both_colours_under_an_arm_are_not_empty_ground() -> None:
    board = parse_board(TEXT[: TEXT.index("missing")] + TEXT[TEXT.index("[pieces]") :], "mine.toml")
    dark = [cell for cell in board.places if sum(cell_column_row(cell)) % 2 == 0]
    labels = dict.fromkeys(dark[::2], "white") | dict.fromkeys(dark[1::3], "black")
    pose, skin_bgr = pose_above(board, 25.0), (60, 85, 140)
    image = draw(board, labels, pose, ground=(30, 130, 30), dark=(225, 45, 35))
    hand, elbow = pose.project_at(np.array([(180.0, 170.0), (330.0, -60.0)]), 40.0).astype(int).tolist()
    places_px, arm = pose.project_at(board.places_mm(), 0.0), np.zeros(image.shape[:2], np.uint8)
    cv2.line(arm, hand, elbow, 255, int(2.2 * np.linalg.norm(places_px[1] - places_px[0])))
    image[arm > 0] = np.clip(np.random.default_rng(0).normal(skin_bgr, 4.0, ((arm > 0).sum(), 3)), 0, 255)
    seen = read_table(board, image)
    covered = np.array([arm[y, x] > 0 for x, y in places_px.astype(int).tolist()])
    assert seen.unsure()[covered].all()
    true = np.array([labels.get(cell, "empty") for cell in board.places])
    assert np.equal(seen.best(), true)[~covered].all()
    assert not seen.unsure()[~covered].any()


def test_only_flat_discs_of_the_seats_colours_are_read_without_a_model() -> None:
    assert reads(BOARD)
    assert isinstance(labeller_of(BOARD), DiscLabeller)
    assert [game for game in shipped_games() if reads(shipped_board(game))] == ["royal-ur", "territory"]
    for old, new in (('"disc"', '"turned"'), ('man = "{colour}"', 'man = "man"')):
        with pytest.raises(BoardFileError):
            labeller_of(parse_board(TEXT.replace(old, new), "mine.toml"))


@pytest.mark.usefixtures("registered")
def test_a_registered_table_is_recognised_by_its_markers_among_all_others() -> None:
    assert BOARD.game in shipped_games()
    assert shipped_board(BOARD.game) == BOARD
    scene = plain_scene(0)
    reader = AnyTableReader([shipped_board(game) for game in shipped_games()])
    assert as_read(reader.read(render(scene, np.random.default_rng(1)))).game == BOARD.game


@pytest.mark.usefixtures("registered")
def test_another_board_s_picture_is_named_as_the_wrong_game() -> None:
    scene = plain_scene(1)
    seen = TableReader(shipped_board("territory")).read(render(scene, np.random.default_rng(1)))
    assert isinstance(seen, Blind)
    assert seen.facts == {"title": "Discs"}


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('game = "example-discs"', 'game = "royal-tee"', 'game: expected a name that no other table has, found "royal'),
        (_NAME + _BASE, 'game = "other"' + _BASE.replace("300", "10"), "than those of royal-tee, found [10, "),
        (_NAME + _BASE, 'game = "other"' + _BASE.replace("300", "158"), "than those of royal-study, found [158, "),
        ('game = "example-discs"', 'game = "other"', "than those of example-discs, found [300, "),
    ],
)
def test_tables_that_clash_are_rejected(tmp_path: Path, old: str, new: str, expected: str) -> None:
    file = tmp_path / "board.toml"
    assert old in TEXT
    file.write_text(TEXT.replace(old, new), encoding="utf-8")
    with pytest.raises(BoardFileError) as raised:
        register(file)
    assert expected in str(raised.value)
    assert str(file) in str(raised.value)


@pytest.mark.usefixtures("registered")
def test_registering_the_same_file_again_changes_nothing() -> None:
    assert register(FILE) == BOARD
    assert shipped_games().count(BOARD.game) == 1
