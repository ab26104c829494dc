"""`companion judge` says what the protocol promises, whatever the eye has seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE, REFUSED
from companion.games.royal_tee import TABLE
from engines.kernel import Cell
from engines.royal_tee.position import Position, Walk
from tests.companion.games.looks import BOARD, after, at_slider, look_of, new_game, observe
from tests.companion.games.readings import EASY
from tests.companion.games.test_royal_tee_hypotheses import ABOUT_TO_ENCLOSE
from vision.geometry import Lens, Pose
from vision.observation import Blind, BlindReason
from vision.recognition.reader import AnyTableReader, Reading

START = at_slider(new_game("red", "green"), 2)
WALK = Walk((Cell("F11"), Cell("E11")))
SIZE_WH = (96, 72)


def seen(labels: dict[Cell, str], seed: int = 0, hidden: tuple[str, ...] = ()) -> Reading:
    pose = Pose.from_matrix(Lens(50.0, Lens.middle_of(SIZE_WH)), np.diag([1.0, 1.0, -1.0]), (228.0, 228.0, 550.0))
    return Reading("royal-tee", observe(labels, np.random.default_rng(seed), EASY, hidden), pose)


class Judge:
    """Runs the command on pictures with given readings."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.readings: list[Reading | Blind] = []
        self.capsys = capsys

    def json(self, position: Position, *readings: Reading | Blind, code: int = DONE) -> dict[str, Any]:
        assert self.run(position, *readings, options=("--json",)) == code
        answer: dict[str, Any] = json.loads(self.capsys.readouterr().out)
        return answer

    def run(self, position: Position, *readings: Reading | Blind, options: tuple[str, ...] = ()) -> int:
        Path("p.json").write_text(json.dumps(TABLE.engine.position_to_json(position)))
        self.readings[:] = readings
        before = ("--before", "before.png") if len(readings) > 1 else ()
        return main(["judge", "--game", "royal-tee", "--position", "p.json", *before, "--after", "after.png", *options])


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Judge:
    monkeypatch.chdir(tmp_path)
    for name in ("before.png", "after.png"):
        cv2.imwrite(name, np.full((SIZE_WH[1], SIZE_WH[0], 3), 200, np.uint8))
    fixture = Judge(capsys)
    monkeypatch.setattr(AnyTableReader, "read", lambda _self, _image: fixture.readings.pop(0))
    return fixture


def test_a_legal_walk_is_reported_with_its_action_and_the_position_after_it(judge: Judge) -> None:
    then = after(START, WALK)
    answer = judge.json(START, seen(look_of(then)))
    assert (answer["status"], answer["verdict"]) == ("ok", "legal")
    assert answer["actions"] == [{"walk": ["F11", "E11"]}]
    assert answer["position"] == TABLE.engine.position_to_json(then)
    assert answer["probability"] > 0.97
    assert (answer["todo"], answer["cells"]) == ([], [])
    assert answer["why"].startswith("Red walked 2 steps to E11 and claimed ")


def test_bonus_tees_that_are_not_placed_are_left_to_do(judge: Judge) -> None:
    labels = {**look_of(after(ABOUT_TO_ENCLOSE, Walk((Cell("F10"),)))), Cell("F12"): "empty"}
    answer = judge.json(ABOUT_TO_ENCLOSE, seen(labels))
    assert answer["verdict"] == "legal"
    assert answer["todo"] == [{"cell": "F12", "put": "red"}]


def test_a_walk_against_the_rules_is_reported_with_its_rule_its_cells_and_why(judge: Judge) -> None:
    labels = {**look_of(after(START, WALK)), Cell("A1"): "red"}
    answer = judge.json(START, seen(labels))
    assert (answer["verdict"], answer["code"], answer["rule"]) == ("illegal", "extra-tee", "3.1")
    assert (answer["cells"], answer["actions"]) == (["A1"], [])
    assert answer["position"] == TABLE.engine.position_to_json(START)
    assert answer["why"] == "Red's tee is on A1, where the walk did not go. (rule 3.1)"


def test_what_is_seen_for_certain_to_be_otherwise_is_named_with_what_belongs_there(judge: Judge) -> None:
    then = after(START, WALK)
    answer = judge.json(
        then, seen({**look_of(then), Cell("E12"): "empty"}), seen({**look_of(then), Cell("F11"): "empty"})
    )
    assert (answer["verdict"], answer["code"]) == ("illegal", "altered")
    assert answer["cells"] == ["F11"]
    assert answer["todo"] == [{"cell": "F11", "put": "red"}]
    assert answer["unsure"] == []


def test_nothing_moved_is_reported_unchanged(judge: Judge) -> None:
    answer = judge.json(START, seen(look_of(START), 1), seen(look_of(START), 2))
    assert (answer["verdict"], answer["actions"]) == ("unchanged", [])


def test_rivals_are_all_reported_and_the_cells_that_decide_between_them(judge: Judge) -> None:
    answer = judge.json(START, seen(look_of(after(START, WALK)), hidden=("F11", "E12")))
    assert answer["verdict"] == "ambiguous"
    assert {tuple(action["walk"]) for action in answer["actions"]} == {("F11", "E11"), ("E12", "E11")}
    assert set(answer["cells"]) == {"F11", "E12"}
    assert {"F11", "E12"} <= set(answer["unsure"])


def test_the_picture_before_takes_the_blame_for_a_cell_that_it_shows_wrong_as_well(judge: Judge) -> None:
    wrong = {Cell("C5"): "green"}  # a speck of dirt that the eye takes for a tee, in both pictures
    labels = {**look_of(after(START, WALK)), **wrong}
    assert judge.json(START, seen(labels))["verdict"] == "illegal"
    answer = judge.json(START, seen({**look_of(START), **wrong}, 1), seen(labels, 2))
    assert answer["verdict"] == "legal"
    assert answer["contradicted"] == ["C5"]


def test_without_json_people_get_sentences(judge: Judge, capsys: pytest.CaptureFixture[str]) -> None:
    odd = {**look_of(START), Cell("C5"): "green"}
    labels = {**look_of(after(START, WALK)), Cell("C5"): "green"}
    assert judge.run(START, seen(odd, 1), seen(labels, 2)) == DONE
    verdict, action, contradicted = capsys.readouterr().out.splitlines()[:3]
    assert verdict.startswith("legal (")
    assert action == '{"walk": ["F11", "E11"]}'
    assert "C5" in contradicted


@pytest.mark.parametrize("blind_first", [True, False])
def test_a_refused_picture_is_reported_as_read_reports_it(judge: Judge, *, blind_first: bool) -> None:
    blind, fine = Blind(BlindReason.DARK), seen(look_of(START))
    readings = (blind, fine) if blind_first else (fine, blind)
    answer = judge.json(START, *readings, code=REFUSED)
    assert (answer["status"], answer["reason"]) == ("refused", "dark")
    assert answer["image"] == ("before.png" if blind_first else "after.png")


POSITION = TABLE.engine.position_to_json(START)
OVER = {
    **POSITION,
    "claimed": {"red": [c for c in BOARD.cells if c != "G1"], "green": ["G1"]},
    "over": True,
}


def test_without_game_the_position_reports_it(judge: Judge, capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.json").write_text(json.dumps(POSITION))
    judge.readings.append(seen(look_of(START)))
    assert main(["judge", "--position", "p.json", "--after", "after.png", "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["verdict"] == "unchanged"
