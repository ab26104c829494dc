"""`companion judge` and `companion score` for the games with discs and counters, whatever the eye has seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE, UNUSABLE
from companion.games import GAMES
from engines.kernel import Cell, Outcome, Seat
from tests.companion.games.readings import observe
from vision.board import table_file
from vision.geometry import Lens, Pose
from vision.recognition.objective import ObjectiveCard
from vision.recognition.reader import AnyTableReader, Reading

Decision = Callable[..., dict[str, Any]]

TERRITORY = {
    "players": ["red", "blue", "green"],
    "turn": "red",
    "round": 2,
    "owners": {"A1": "red", "D1": "blue"},
    "white": ["C1"],
    "rolled": [7, 8, 4],
    "await": "place",
    "card": None,
    "deck": [],
    "over": False,
}
UR = {
    "players": ["white", "black"],
    "turn": "white",
    "await": "move",
    "dots": 2,
    "counters": {"white": [5, 5, -1, -1, -1, -1, -1], "black": [6, -1, -1, -1, -1, -1, -1]},
    "over": False,
}


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Decision:
    """Runs a command on a picture with a given reading."""
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("after.png", np.full((72, 96, 3), 200, np.uint8))
    pose = Pose.from_matrix(Lens(50.0, Lens.middle_of((96, 72))), np.diag([1.0, 1.0, -1.0]), (200.0, 200.0, 550.0))
    monkeypatch.setattr(AnyTableReader, "_reader", lambda _self, _board: None)

    def run(game: str, labels: Mapping[str, str], *arguments: str, card: ObjectiveCard | None = None) -> dict[str, Any]:
        board = GAMES[game].board()
        observation = observe(board.places, board.label_words, {Cell(c): label for c, label in labels.items()})
        monkeypatch.setattr(AnyTableReader, "read", lambda _self, _image: Reading(game, observation, pose, card))
        assert main([*arguments, "--game", game, "--json"]) == DONE
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        return answer

    return run


def judged(
    command: Decision,
    game: str,
    position: Mapping[str, Any],
    labels: Mapping[str, str],
    card: ObjectiveCard | None = None,
) -> dict[str, Any]:
    Path("p.json").write_text(json.dumps({"game": game, **position}))
    return command(game, labels, "judge", "--position", "p.json", "--after", "after.png", card=card)


def test_a_capture_is_reported_with_what_is_still_to_be_exchanged(command: Decision) -> None:
    answer = judged(command, "territory", TERRITORY, {"A1": "red", "D1": "red", "C1": "white"})
    assert (answer["verdict"], answer["actions"]) == ("legal", [{"capture": "D1"}])
    assert answer["position"]["owners"] == {"A1": "red", "C1": "red", "D1": "red"}
    assert answer["todo"] == [{"cell": "C1", "put": "red"}]


def test_a_piece_on_another_number_is_reported_with_both(command: Decision) -> None:
    answer = judged(command, "territory", TERRITORY, {"A1": "red", "D1": "blue", "C1": "white", "H8": "white"})
    assert (answer["verdict"], answer["code"], answer["rule"]) == ("illegal", "other-number", "3.1")
    assert answer["cells"] == ["H8"]
    assert answer["why"] == "H8 has the number 7, but 4 was rolled. (rule 3.1)"


def test_all_that_was_played_between_two_looks_is_reported_in_order(command: Decision) -> None:
    labels = {"A1": "red", "D1": "blue", "C1": "red", "A3": "red"}
    answer = judged(command, "territory", {**TERRITORY, "owners": {"A1": "red", "D1": "blue"}}, labels)
    assert (answer["verdict"], answer["actions"]) == ("legal", [{"place": "A3"}, {"stop": True}])


def test_a_counter_that_was_hit_is_reported_to_be_taken_off(command: Decision) -> None:
    answer = judged(command, "royal-ur", UR, {"A2": "white", "B2": "white*2"})
    assert (answer["verdict"], answer["actions"]) == ("legal", [{"move": 5}])
    assert answer["position"]["counters"]["black"] == [-1] * 7
    assert answer["todo"] == [{"cell": "B2", "put": "white"}]


def test_a_wrong_count_is_reported_with_the_squares_gone(command: Decision) -> None:
    answer = judged(command, "royal-ur", UR, {"A2": "white", "B2": "black", "D2": "white"})
    assert (answer["verdict"], answer["code"]) == ("illegal", "wrong-count")
    assert answer["why"] == "White's counter went 3 squares from A2 to D2, the throw says 1. (rule 3.1)"


STUDY = {"pieces": "KQB/N../R..", "targets": ["RNB/.K./..Q"], "level": 2}
STANDS = {"A1": "king", "B1": "queen", "C1": "bishop", "A2": "knight", "A3": "rook"}


def test_a_move_of_the_study_is_reported_with_the_position_after_it(command: Decision) -> None:
    labels = {**STANDS, "A2": "empty", "C3": "knight"}
    answer = judged(command, "royal-study", STUDY, labels)
    assert (answer["verdict"], answer["actions"]) == ("legal", [{"move": "N", "from": "A2", "to": "C3"}])
    assert answer["position"]["pieces"] == "KQB/.../R.N"
    assert answer["why"] == "The knight went from A2 to C3."


def test_a_knight_in_the_middle_is_reported(command: Decision) -> None:
    answer = judged(command, "royal-study", STUDY, {**STANDS, "A2": "empty", "B2": "knight"})
    assert (answer["verdict"], answer["code"]) == ("illegal", "knight-in-the-middle")
    assert answer["why"] == "The knight was moved from A2 to B2, where it may never stand. (rule 2.5)"


@pytest.mark.parametrize(
    ("lies", "actions"),
    [
        (ObjectiveCard(0, "face", 0), []),
        (ObjectiveCard(0, "face", 1), ["cw"]),
        (ObjectiveCard(0, "face", 3), ["ccw"]),
        (ObjectiveCard(0, "face", 2), ["cw", "cw"]),
        (ObjectiveCard(0, "back", 0), []),
        (ObjectiveCard(5, "face", 1), []),
    ],
    ids=["as before", "a quarter", "a quarter back", "half", "not on this level", "another card"],
)
def test_a_card_that_was_turned_is_reported(command: Decision, lies: ObjectiveCard, actions: list[str]) -> None:
    answer = judged(command, "royal-study", STUDY, STANDS, lies)
    assert answer["actions"] == [{"turn": way, "target": 0} for way in actions]
    assert answer["verdict"] == ("legal" if actions else "unchanged")
    moved = judged(command, "royal-study", STUDY, {**STANDS, "A2": "empty", "C3": "knight"}, lies)
    assert moved["actions"] == [*answer["actions"], {"move": "N", "from": "A2", "to": "C3"}]


@pytest.mark.usefixtures("command")
def test_a_position_of_another_map_is_reported_before_anything_is_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    twelve = {"grid": {"numbers": [[2, 3, 4, 5, 6, 7, 8, 9, 10]]}}
    position = {"game": "territory", **TERRITORY, "table": twelve, "owners": {}, "white": [], "rolled": [4]}
    Path("p.json").write_text(json.dumps(position))
    assert main(["judge", "--game", "territory", "--position", "p.json", "--after", "after.png"]) == UNUSABLE
    assert 'p.json: the table "Territory" has no I1' in capsys.readouterr().err


@pytest.mark.usefixtures("command")
def test_a_label_that_the_table_lacks_is_a_fault_of_the_table_file(capsys: pytest.CaptureFixture[str]) -> None:
    without = table_file("territory").read_text().replace('["{colour}", "white"]', '"{colour}"')
    Path("mine.toml").write_text(without)
    Path("p.json").write_text(json.dumps({"game": "territory", **TERRITORY}))
    assert main(["judge", "--table", "mine.toml", "--position", "p.json", "--after", "after.png"]) == UNUSABLE
    assert 'mine.toml: the table "Territory" has no white' in capsys.readouterr().err


def test_territory_is_scored_by_the_best_groups(command: Decision) -> None:
    answer = command("territory", {"A1": "red", "B1": "red", "H8": "blue"}, "score", "after.png")
    assert (answer["scores"], answer["leaders"]) == ({"blue": 1, "red": 8}, ["red"])
    assert answer["detail"]["red"] == {"cells": ["A1", "B1"], "points": 8}


def test_ur_is_scored_as_far_as_a_picture_reports(command: Decision) -> None:
    answer = command("royal-ur", {"A2": "black", "E1": "black"}, "score", "after.png")
    assert (answer["scores"], answer["leaders"]) == ({"white": 22, "black": 0}, ["white"])
    assert (answer["detail"]["least"], answer["detail"]["most"]) == (22, 147)
    assert answer["detail"]["note"].startswith("If White is home, not still to enter: 22 to 147 points")


RACE = GAMES["royal-racers"]


def race(awaits: str, rolled: int | str) -> tuple[dict[str, Any], dict[str, str]]:
    """Give a race of two, all flags laid, and how its table looks."""
    position = RACE.engine.new([Seat("suns"), Seat("moons")], {"flags": 2}, 1)
    while RACE.engine.to_act(position) != "dice":
        result = RACE.engine.play(position, RACE.engine.actions(position)[0])
        assert isinstance(result, Outcome)
        position = result.position
    labels = {str(cell): label for cell, label in RACE.placement(position).items()}
    return {**RACE.engine.position_to_json(position), "await": awaits, "rolled": rolled}, labels


def stepped(labels: Mapping[str, str], start: str, end: str) -> dict[str, str]:
    return {**labels, start: labels[start].removesuffix("+pawn-suns"), end: f"{labels[end]}+pawn-suns"}


def test_a_step_of_a_race_is_reported(command: Decision) -> None:
    position, labels = race("move", "null")
    answer = judged(command, "royal-racers", position, stepped(labels, "C3", "C4"))
    assert (answer["verdict"], answer["actions"], answer["todo"]) == ("legal", [{"step": "C4"}], [])
    assert answer["position"]["pawns"]["suns"] == "C4"
    assert answer["why"] == "Sun stepped from C3 to C4."


def test_a_pawn_that_goes_too_far_is_reported_with_its_way(command: Decision) -> None:
    position, labels = race("move", "null")
    answer = judged(command, "royal-racers", position, stepped(labels, "C3", "C5"))
    assert (answer["verdict"], answer["code"], answer["cells"]) == ("illegal", "not-adjacent", ["C3", "C5"])


def test_a_race_has_no_score_in_a_picture(command: Decision) -> None:
    answer = command("royal-racers", race("move", "null")[1], "score", "after.png")
    assert (answer["scores"], answer["leaders"], answer["detail"]["pawns"]["suns"]) == ({}, [], "C3")
