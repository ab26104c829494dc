"""`companion read` and `companion score` say what the protocol promises, whatever the eye has seen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE, REFUSED, UNUSABLE
from tests.companion.conftest import SIZE_WH, Answered, Sees, reading
from vision.board import shipped_board
from vision.frame import ImageBgr
from vision.observation import Blind, BlindReason
from vision.recognition.labeller import StageResult
from vision.recognition.reader import Reading

_BOARD = shipped_board("royal-tee")
_LABELS = {"A1": "red", "B1": "red-royal", "C1": "green", "D1": "green", "E1": "green-royal", "F1": "blue"}


def test_read_gives_every_cell_with_its_label_and_confidence(sees: Sees, capsys: pytest.CaptureFixture[str]) -> None:
    sees.append(reading("royal-tee", _LABELS, doubtful=["D4"], hidden=["C4"]))
    assert main(["read", "--json", "after.png"]) == DONE
    (line,) = capsys.readouterr().out.splitlines()
    answer = json.loads(line)
    assert {key: answer[key] for key in ("image", "status", "game", "card")} == {
        "image": "after.png",
        "status": "ok",
        "game": "royal-tee",
        "card": None,
    }
    assert tuple(answer["cells"]) == _BOARD.cells
    assert answer["cells"]["B1"] == {"label": "red-royal", "confidence": 0.9999}
    assert answer["cells"]["L12"] == {"label": "empty", "confidence": 0.9999}
    assert answer["unsure"] == ["C4", "D4"]
    assert 0 <= answer["milliseconds"] < 60_000


def test_read_answers_for_each_image_in_order_and_one_refusal_shows_in_the_exit_code(
    sees: Sees, capsys: pytest.CaptureFixture[str]
) -> None:
    sees += [reading("royal-tee", {}), Blind(BlindReason.CUT_OFF, {"outside": 0.25}), reading("royal-tee", _LABELS)]
    assert main(["read", "--json", *["after.png"] * 3]) == REFUSED
    answer = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["status"] for line in answer] == ["ok", "refused", "ok"]
    assert answer[1] == {
        "image": "after.png",
        "status": "refused",
        "reason": "cut-off",
        "message": "too little of the board is in the picture (cells outside: 25 %)",
    }


def test_every_reason_of_a_refusal_has_a_sentence(sees: Sees, capsys: pytest.CaptureFixture[str]) -> None:
    reasons = [reason for reason in BlindReason if reason is not BlindReason.UNREADABLE_FILE]
    refused = [Blind(reason) for reason in reasons]
    refused += [
        Blind(BlindReason.NO_BOARD, {"markers": 1}),
        Blind(BlindReason.NO_BOARD, {"game": "royal-tee"}),
        Blind(BlindReason.NO_BOARD, {"game": "territory", "instead": "Territory"}),
        Blind(BlindReason.WRONG_GAME, {"title": "Territory"}),
    ]
    sees += refused
    assert main(["read", *["after.png"] * len(refused)]) == REFUSED
    sentences = capsys.readouterr().out.splitlines()
    assert len(set(sentences)) == len(refused)
    assert all(len(sentence) > len("after.png: refused: ") for sentence in sentences)


def test_read_for_people_draws_the_table_and_names_the_doubt(sees: Sees, capsys: pytest.CaptureFixture[str]) -> None:
    sees.append(reading("royal-tee", _LABELS, hidden=["C4"]))
    assert main(["read", "after.png"]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("after.png: Royal Tee, read in ")
    assert lines[2].split() == ["1", "r", "R", "g", "g", "G", "b", *["·"] * 6]
    assert lines[5].split()[3] == "·?"
    counted = "blue 1, empty 137, green 2, royal piece: green 1, red 1, royal piece: red 1"
    assert lines[-2:] == [counted, "unsure (1): C4"]


def _explained() -> Reading:
    """Make a reading of which a first stage took D4 for green, and the last one takes it for red."""
    before, after = reading("royal-tee", {"D4": "green"}), reading("royal-tee", {"D4": "red"})
    seen = np.ones(len(_BOARD.cells))
    stages = (
        StageResult("network", before.observation.p, seen),
        StageResult("place", after.observation.p, np.zeros_like(seen)),
    )
    return replace(after, stages=stages)


def test_read_explains_what_each_stage_made_of_a_cell_and_draws_it_alone(
    sees: Sees, capsys: pytest.CaptureFixture[str]
) -> None:
    sees += [_explained(), _explained()]
    assert main(["read", "--json", "--explain", "d4", "--picture", "d4.png", "after.png"]) == DONE
    explained = json.loads(capsys.readouterr().out)["explained"]
    assert explained["cell"] == "D4"
    assert [(made["stage"], made["visible"], next(iter(made["labels"]))) for made in explained["stages"]] == [
        ("network", 1.0, "green"),
        ("place", 0.0, "red"),
    ]
    drawn = cv2.imread("d4.png")
    assert drawn is not None
    assert drawn.shape[0] == drawn.shape[1]
    assert main(["read", "--explain", "D4", "after.png"]) == DONE
    *_rest, first, last = capsys.readouterr().out.splitlines()
    assert "network" in first
    assert "green" in first
    assert "red" in last


def test_a_cell_that_the_table_lacks_is_not_explained(sees: Sees) -> None:
    sees.append(_explained())
    assert main(["read", "--explain", "Z9", "after.png"]) == UNUSABLE


def test_score_counts_the_spaces_of_each_colour(sees: Sees, capsys: pytest.CaptureFixture[str]) -> None:
    sees.append(reading("royal-tee", _LABELS, doubtful=["D4"]))
    assert main(["score", "--json", "after.png"]) == DONE
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["game"], answer["leaders"], answer["unsure"]) == (
        "ok",
        "royal-tee",
        ["green"],
        ["D4"],
    )
    assert {seat: score for seat, score in answer["scores"].items() if score} == {"red": 2, "green": 3, "blue": 1}
    assert isinstance(answer["detail"], dict)


def test_score_says_who_leads(sees: Sees, capsys: pytest.CaptureFixture[str]) -> None:
    tables = [
        (_LABELS, "green in the lead"),
        ({"A1": "red", "B1": "green"}, "green, red in the lead together"),
        ({}, "nobody in the lead"),
    ]
    for labels, said in tables:
        sees.append(reading("royal-tee", labels))
        assert main(["score", "after.png"]) == DONE
        assert said in capsys.readouterr().out


def test_score_refuses_as_read_does(sees: Sees, capsys: pytest.CaptureFixture[str]) -> None:
    sees.append(Blind(BlindReason.CUT_OFF))
    assert main(["score", "--json", "after.png"]) == REFUSED
    assert json.loads(capsys.readouterr().out)["reason"] == "cut-off"


@pytest.mark.parametrize(
    ("images", "written"), [(1, ["out.png"]), (3, ["out-1.png", "out-3.png"])], ids=["one image", "the second refused"]
)
def test_pictures_are_named_after_the_one_asked_for(images: int, written: list[str], sees: Sees) -> None:
    sees += [reading("royal-tee", {}), Blind(BlindReason.DARK), reading("royal-tee", {})]
    main(["read", "--json", "--picture", "out.png", *["after.png"] * images])
    assert sorted(path.name for path in Path().glob("out*.png")) == written


def test_score_writes_its_picture(sees: Sees) -> None:
    sees.append(reading("royal-tee", _LABELS))
    assert main(["score", "--picture", "score.jpg", "after.png"]) == DONE
    picture: ImageBgr | None = cv2.imread("score.jpg")  # type: ignore[assignment]  # OpenCV's stubs leave the type open
    assert picture is not None
    assert picture.shape[0] > SIZE_WH[1]


def test_territory_is_scored_by_the_best_groups(sees: Sees, answered: Answered) -> None:
    sees.append(reading("territory", {"A1": "red", "B1": "red", "H8": "blue"}))
    answer = answered("score", "after.png")
    assert (answer["scores"], answer["leaders"]) == ({"blue": 1, "red": 8}, ["red"])
    assert answer["detail"]["red"] == {"cells": ["A1", "B1"], "points": 8}


def test_ur_is_scored_as_far_as_a_picture_reports(sees: Sees, answered: Answered) -> None:
    sees.append(reading("royal-ur", {"A2": "black", "E1": "black"}))
    answer = answered("score", "after.png")
    assert (answer["scores"], answer["leaders"]) == ({"white": 22, "black": 0}, ["white"])
    assert (answer["detail"]["least"], answer["detail"]["most"]) == (22, 147)
    assert answer["detail"]["note"].startswith("If White is home, not still to enter: 22 to 147 points")


def test_a_race_has_no_score_in_a_picture(sees: Sees, answered: Answered) -> None:
    sees.append(reading("royal-racers", {"C3": "A-clubs+pawn-suns"}))
    answer = answered("score", "after.png")
    assert (answer["scores"], answer["leaders"], answer["detail"]["pawns"]["suns"]) == ({}, [], "C3")
