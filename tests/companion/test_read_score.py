"""`companion read` and `companion score` say what the protocol promises, whatever the eye has seen."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE, REFUSED, UNUSABLE
from vision.board import Board, shipped_board
from vision.frame import ImageBgr
from vision.geometry import Lens, Pose
from vision.observation import Blind, BlindReason, Observation
from vision.recognition.labeller import StageResult
from vision.recognition.reader import AnyTableReader, Reading

_BOARD = shipped_board("royal-tee")
_SIZE_WH = (640, 480)
_LABELS = {"A1": "red", "B1": "red-royal", "C1": "green", "D1": "green", "E1": "green-royal", "F1": "blue"}


def _from_above(board: Board) -> Pose:
    """Look straight down at the whole board."""
    lens = Lens(500.0, Lens.middle_of(_SIZE_WH))
    width, height = board.size
    return Pose.from_matrix(lens, np.diag([1.0, 1.0, -1.0]), (width / 2, height / 2, 550.0))


def _reading(labels: Mapping[str, str], close: Collection[str] = (), hidden: Collection[str] = ()) -> Reading:
    """Make a reading that is certain of these labels except on the cells given."""
    cells, words = _BOARD.cells, _BOARD.label_words
    p = np.full((len(cells), len(words)), 0.01 / (len(words) - 1))
    for row, cell in enumerate(cells):
        p[row, words.index(labels.get(cell, "empty"))] = 0.99
        if cell in close:
            p[row] = 1 / len(words)
    visible = np.array([cell not in hidden for cell in cells])
    return Reading(_BOARD.game, Observation(cells, words, p, visible), _from_above(_BOARD))


@pytest.fixture
def image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A picture's name in the current folder."""
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("t.png", np.full((_SIZE_WH[1], _SIZE_WH[0], 3), 200, np.uint8))
    return "t.png"


@pytest.fixture
def sees(monkeypatch: pytest.MonkeyPatch) -> list[Reading | Blind]:
    """What the eye makes of the pictures to come, in order."""
    results: list[Reading | Blind] = []
    monkeypatch.setattr(AnyTableReader, "read", lambda _self, _image: results.pop(0))
    return results


def test_read_gives_every_cell_with_its_label_and_confidence(
    image: str, sees: list[Reading | Blind], capsys: pytest.CaptureFixture[str]
) -> None:
    sees.append(_reading(_LABELS, close=["D4"], hidden=["C4"]))
    assert main(["read", "--json", image]) == DONE
    (line,) = capsys.readouterr().out.splitlines()
    answer = json.loads(line)
    assert {key: answer[key] for key in ("image", "status", "game", "card")} == {
        "image": image,
        "status": "ok",
        "game": "royal-tee",
        "card": None,
    }
    assert tuple(answer["cells"]) == _BOARD.cells
    assert answer["cells"]["B1"] == {"label": "red-royal", "confidence": 0.99}
    assert answer["cells"]["L12"] == {"label": "empty", "confidence": 0.99}
    assert answer["unsure"] == ["C4", "D4"]
    assert 0 <= answer["milliseconds"] < 60_000


def test_read_answers_for_each_image_in_order_and_one_refusal_shows_in_the_exit_code(
    image: str, sees: list[Reading | Blind], capsys: pytest.CaptureFixture[str]
) -> None:
    sees += [_reading({}), Blind(BlindReason.CUT_OFF, {"outside": 0.25}), _reading(_LABELS)]
    assert main(["read", "--json", image, image, image]) == REFUSED
    answer = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["status"] for line in answer] == ["ok", "refused", "ok"]
    assert answer[1] == {
        "image": image,
        "status": "refused",
        "reason": "cut-off",
        "message": "too little of the board is in the picture (cells outside: 25 %)",
    }


def test_every_reason_of_a_refusal_has_a_sentence(
    image: str, sees: list[Reading | Blind], capsys: pytest.CaptureFixture[str]
) -> None:
    reasons = [reason for reason in BlindReason if reason is not BlindReason.UNREADABLE_FILE]
    refused = [Blind(reason) for reason in reasons]
    refused += [
        Blind(BlindReason.NO_BOARD, {"markers": 1}),
        Blind(BlindReason.NO_BOARD, {"game": "royal-tee"}),
        Blind(BlindReason.WRONG_GAME, {"title": "Territory"}),
    ]
    sees += refused
    assert main(["read", *[image] * len(refused)]) == REFUSED
    sentences = capsys.readouterr().out.splitlines()
    assert len(set(sentences)) == len(refused)
    assert all(len(sentence) > len(f"{image}: refused: ") for sentence in sentences)


def test_read_for_people_draws_the_table_and_names_the_doubt(
    image: str, sees: list[Reading | Blind], capsys: pytest.CaptureFixture[str]
) -> None:
    sees.append(_reading(_LABELS, hidden=["C4"]))
    assert main(["read", image]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("t.png: Royal Tee, read in ")
    assert lines[2].split() == ["1", "r", "R", "g", "g", "G", "b", *["·"] * 6]
    assert lines[5].split()[3] == "·?"
    counted = "blue 1, empty 137, green 2, royal piece: green 1, red 1, royal piece: red 1"
    assert lines[-2:] == [counted, "unsure (1): C4"]


def _explained() -> Reading:
    """Make a reading of which a first stage took D4 for green, and the last one takes it for red."""
    before, after = _reading({"D4": "green"}), _reading({"D4": "red"})
    seen = np.ones(len(_BOARD.cells))
    stages = (
        StageResult("network", before.observation.p, seen),
        StageResult("place", after.observation.p, np.zeros_like(seen)),
    )
    return replace(after, stages=stages)


def test_read_explains_what_each_stage_made_of_a_cell_and_draws_it_alone(
    image: str, sees: list[Reading | Blind], capsys: pytest.CaptureFixture[str]
) -> None:
    sees += [_explained(), _explained()]
    assert main(["read", "--json", "--explain", "d4", "--picture", "d4.png", image]) == DONE
    explained = json.loads(capsys.readouterr().out)["explained"]
    assert explained["cell"] == "D4"
    assert [(made["stage"], made["visible"], next(iter(made["labels"]))) for made in explained["stages"]] == [
        ("network", 1.0, "green"),
        ("place", 0.0, "red"),
    ]
    drawn = cv2.imread("d4.png")
    assert drawn is not None
    assert drawn.shape[0] == drawn.shape[1]
    assert main(["read", "--explain", "D4", image]) == DONE
    *_rest, first, last = capsys.readouterr().out.splitlines()
    assert "network" in first
    assert "green" in first
    assert "red" in last


def test_a_cell_that_the_table_lacks_is_not_explained(image: str, sees: list[Reading | Blind]) -> None:
    sees.append(_explained())
    assert main(["read", "--explain", "Z9", image]) == UNUSABLE


def test_score_counts_the_spaces_of_each_colour(
    image: str, sees: list[Reading | Blind], capsys: pytest.CaptureFixture[str]
) -> None:
    sees.append(_reading(_LABELS, close=["D4"]))
    assert main(["score", "--json", image]) == DONE
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["game"], answer["leaders"], answer["unsure"]) == (
        "ok",
        "royal-tee",
        ["green"],
        ["D4"],
    )
    assert {seat: score for seat, score in answer["scores"].items() if score} == {"red": 2, "green": 3, "blue": 1}
    assert isinstance(answer["detail"], dict)


def test_score_says_who_leads(image: str, sees: list[Reading | Blind], capsys: pytest.CaptureFixture[str]) -> None:
    tables = [
        (_LABELS, "green in the lead"),
        ({"A1": "red", "B1": "green"}, "green, red in the lead together"),
        ({}, "nobody in the lead"),
    ]
    for labels, said in tables:
        sees.append(_reading(labels))
        assert main(["score", image]) == DONE
        assert said in capsys.readouterr().out


def test_score_refuses_as_read_does(
    image: str, sees: list[Reading | Blind], capsys: pytest.CaptureFixture[str]
) -> None:
    sees.append(Blind(BlindReason.CUT_OFF))
    assert main(["score", "--json", image]) == REFUSED
    assert json.loads(capsys.readouterr().out)["reason"] == "cut-off"


@pytest.mark.parametrize(
    ("images", "written"), [(1, ["out.png"]), (3, ["out-1.png", "out-3.png"])], ids=["one image", "the second refused"]
)
def test_pictures_are_named_after_the_one_asked_for(
    images: int, written: list[str], image: str, sees: list[Reading | Blind]
) -> None:
    sees += [_reading({}), Blind(BlindReason.DARK), _reading({})]
    main(["read", "--json", "--picture", "out.png", *[image] * images])
    assert sorted(path.name for path in Path().glob("out*.png")) == written


def test_score_writes_its_picture(image: str, sees: list[Reading | Blind]) -> None:
    sees.append(_reading(_LABELS))
    assert main(["score", "--picture", "score.jpg", image]) == DONE
    picture: ImageBgr | None = cv2.imread("score.jpg")  # type: ignore[assignment]  # OpenCV's stubs leave the type open
    assert picture is not None
    assert picture.shape[0] > _SIZE_WH[1]
