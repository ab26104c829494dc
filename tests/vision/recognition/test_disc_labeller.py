"""Flat discs of declared colours are read without a model, as a table of any new game has them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from vision.board import forget, load_board, parse_board, register, shipped_board, shipped_games
from vision.errors import BoardFileError
from vision.observation import Blind, Observation
from vision.recognition.disc_labeller import DiscLabeller, reads
from vision.recognition.reader import AnyTableReader, Reading, TableReader, labeller_of
from vision.simulation.optics import render
from vision.simulation.positions import random_labels
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import Scene, camera_over
from vision.simulation.truth import Truth, stand_pieces, truth_of

FILE = Path(__file__).parent / "discs.toml"
TEXT = FILE.read_text(encoding="utf-8")
BOARD = load_board(FILE)
_NAME = 'game = "example-discs"'
_BASE = TEXT[TEXT.index(_NAME) + len(_NAME) : TEXT.index("base = 300")] + "base = 300"


@pytest.fixture
def registered() -> Iterator[None]:
    register(FILE)
    yield
    forget(BOARD.game)


def plain_scene(seed: int) -> Scene:
    rng = np.random.default_rng(40_000 + seed)
    tilt, turn = float(rng.uniform(0, 35)), float(rng.normal(0, 10))
    camera = camera_over(BOARD, (1640, 1232), tilt_deg=tilt, turn_deg=turn)
    return Scene(BOARD, camera, stand_pieces(BOARD, random_labels(BOARD, rng), rng))


def read(scene: Scene) -> tuple[Observation, Truth]:
    reading = TableReader(BOARD).read(render(scene, np.random.default_rng(1)))
    assert isinstance(reading, Reading), reading
    return reading.observation, truth_of(scene)


@cache
def plain_readings() -> tuple[tuple[Observation, Truth], ...]:
    return tuple(read(plain_scene(seed)) for seed in range(8))


def test_a_table_of_plain_discs_is_read_and_mostly_with_certainty() -> None:
    right = np.concatenate([np.equal(seen.best(), truth.labels) for seen, truth in plain_readings()])
    unsure = np.concatenate([seen.unsure() for seen, _ in plain_readings()])
    assert (right | unsure).all()
    assert right.mean() > 0.98
    assert unsure.mean() < 0.25  # a glossy black disc mirrors the ceiling: alone it could be a white one in shade


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


def test_stacked_discs_are_read_without_their_number() -> None:
    stacked = parse_board(TEXT.replace("height = 6.0", "height = 6.0, stack = 3"), "mine.toml")
    labeller = DiscLabeller(stacked)
    p = labeller._spread(np.array([[0.02, 0.95, 0.01]]))
    seen = Observation(("A1",), labeller.labels, p, np.array([True]))
    assert seen.best() == ("white",)
    assert not seen.unsure()[0]


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
    reading = AnyTableReader([shipped_board(game) for game in shipped_games()]).read(
        render(scene, np.random.default_rng(1))
    )
    assert isinstance(reading, Reading)
    assert reading.game == BOARD.game


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
        (_NAME + _BASE, 'game = "other"' + _BASE.replace("300", "10"), "found 10 of royal-tee"),
        (_NAME + _BASE, 'game = "other"' + _BASE.replace("300", "158"), "found 158 of royal-study"),
        ('game = "example-discs"', 'game = "other"', "found 300 of example-discs"),
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
