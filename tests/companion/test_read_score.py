"""`companion read` and `companion score` say what the protocol promises, whatever the eye has seen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE, REFUSED, UNUSABLE
from companion.locale import speaking
from companion.shell.config_places import write_own
from companion.ui.names import label_name
from companion.ui.picture import LEAST_CELL_PX, annotate, annotate_dice, save_picture
from engines.kernel import Seat
from engines.royal_ur.board import DEFAULT_WAYS, HOME
from tests.companion.conftest import SIZE_WH, Answered, Refused, Sees, Told, reading
from tests.companion.languages import LANGUAGES
from tests.companion.shell.seen import from_above, observation
from tests.narrow import there
from tests.vision.test_any_board import MARKED, MARKED_TEXT
from vision.board import shipped_board, table_file
from vision.camera.check import small_places
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.markerless.dice import DiceReader, LooseDie
from vision.observation import Blind, BlindReason
from vision.recognition.labeller import StageResult
from vision.recognition.reader import Reading

_BOARD = shipped_board("royal-tee")
_LABELS = {"A1": "red", "B1": "red-royal", "C1": "green", "D1": "green", "E1": "green-royal", "F1": "blue"}


def test_read_gives_every_cell_with_its_label_and_confidence(sees: Sees, told: Told) -> None:
    sees.append(reading("royal-tee", _LABELS, doubtful=["D4"], hidden=["C4"]))
    (line,) = told("read", "--json", "after.png").splitlines()
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


def test_read_answers_for_each_image_in_order_and_one_refusal_shows_in_the_exit_code(sees: Sees, told: Told) -> None:
    sees += [reading("royal-tee", {}), Blind(BlindReason.CUT_OFF, {"outside": 0.25}), reading("royal-tee", _LABELS)]
    answer = [json.loads(line) for line in told("read", "--json", *["after.png"] * 3, code=REFUSED).splitlines()]
    assert [line["status"] for line in answer] == ["ok", "refused", "ok"]
    assert answer[1] == {
        "image": "after.png",
        "status": "refused",
        "reason": "cut-off",
        "message": "too little of the board is in the picture (cells outside: 25 %)",
    }


def test_every_reason_of_a_refusal_has_a_sentence(sees: Sees, told: Told) -> None:
    reasons = [reason for reason in BlindReason if reason is not BlindReason.UNREADABLE_FILE]
    refused = [Blind(reason) for reason in reasons]
    refused += [
        Blind(BlindReason.NO_BOARD, {"markers": 1}),
        Blind(BlindReason.NO_BOARD, {"game": "royal-tee"}),
        Blind(BlindReason.NO_BOARD, {"game": "territory", "instead": "Territory"}),
        Blind(BlindReason.WRONG_GAME, {"title": "Territory"}),
    ]
    sees += refused
    sentences = told("read", *["after.png"] * len(refused), code=REFUSED).splitlines()
    assert len(set(sentences)) == len(refused)
    assert all(len(sentence) > len("after.png: refused: ") for sentence in sentences)


def test_another_games_table_is_named_in_the_players_language(sees: Sees, told: Told) -> None:
    title = "The Royal Game of Ur"
    for reason, fact in ((BlindReason.WRONG_GAME, "title"), (BlindReason.NO_BOARD, "instead")):
        sees.append(Blind(reason, {fact: title}))
        with speaking("fr"):
            assert "Jeu royal d'Ur" in told("read", "after.png", code=REFUSED)


def test_read_for_people_draws_the_table_and_names_the_doubt(sees: Sees, told: Told) -> None:
    sees.append(reading("royal-tee", _LABELS, hidden=["C4"]))
    lines = told("read", "after.png").splitlines()
    assert lines[0].startswith("after.png: Royal Tee, read in ")
    assert lines[2].split() == ["1", "r", "R", "g", "g", "G", "b", *["·"] * 6]
    assert lines[5].split()[3] == "·?"
    counted = "blue 1, empty 137, green 2, royal piece: green 1, red 1, royal piece: red 1"
    assert lines[-2:] == [counted, "unsure (1): C4"]


@pytest.mark.parametrize("command", ["read", "score"])
def test_cells_that_are_too_small_in_the_picture_are_the_reason_of_their_doubt(
    command: str, sees: Sees, told: Told
) -> None:
    near = reading("territory", {"A1": "red"}, doubtful=["D4"])
    far = replace(near, pose=from_above(shipped_board("territory"), (320, 240)))
    sees += [far, replace(near, pose=from_above(shipped_board("territory"), (1640, 1232)))]
    nearer = "-> nearer, or a larger picture"
    assert nearer in told(command, "after.png")
    assert nearer not in told(command, "after.png")


def test_small_marks_that_are_read_for_certain_are_no_reason_to_go_nearer(sees: Sees, told: Told) -> None:
    Path("marked.toml").write_text(MARKED_TEXT, encoding="utf-8")
    far = Reading("marked", observation(MARKED, {}), from_above(MARKED, (320, 240)))
    sees.append(far)
    assert small_places(MARKED, far) == MARKED.places
    assert told("read", "--table", "marked.toml", "after.png").endswith("no cell in doubt\n")


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
    sees: Sees, told: Told, answered: Answered
) -> None:
    sees += [_explained(), _explained()]
    explained = answered("read", "--explain", "d4", "--picture", "d4.png", "after.png")["explained"]
    assert explained["cell"] == "D4"
    assert [(made["stage"], made["visible"], next(iter(made["labels"]))) for made in explained["stages"]] == [
        ("network", 1.0, "green"),
        ("place", 0.0, "red"),
    ]
    drawn = there(cv2.imread("d4.png"))
    assert drawn.shape[0] == drawn.shape[1]
    *_rest, first, last = told("read", "--explain", "D4", "after.png").splitlines()
    assert "network" in first
    assert "green" in first
    assert "red" in last


def test_a_cell_that_the_table_lacks_is_not_explained(sees: Sees) -> None:
    sees.append(_explained())
    assert main(["read", "--explain", "Z9", "after.png"]) == UNUSABLE


def test_score_counts_the_spaces_of_each_colour(sees: Sees, answered: Answered) -> None:
    sees.append(reading("royal-tee", _LABELS, doubtful=["D4"]))
    answer = answered("score", "after.png")
    assert (answer["status"], answer["game"], answer["leaders"], answer["unsure"]) == (
        "ok",
        "royal-tee",
        ["green"],
        ["D4"],
    )
    assert {seat: score for seat, score in answer["scores"].items() if score} == {"red": 2, "green": 3, "blue": 1}
    assert isinstance(answer["detail"], dict)


def test_score_says_who_leads(sees: Sees, told: Told) -> None:
    tables = [
        (_LABELS, "green in the lead"),
        ({"A1": "red", "B1": "green"}, "green, red in the lead together"),
        ({}, "nobody in the lead"),
    ]
    for labels, said in tables:
        sees.append(reading("royal-tee", labels))
        assert said in told("score", "after.png")


def test_only_the_table_in_the_picture_needs_the_cells_of_ours_to_be_scored(
    sees: Sees, answered: Answered, refused: Refused, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    write_own("royal-tee-own.toml", table_file("territory").read_text("utf-8").replace('"territory"', '"royal-tee"'))
    sees.append(reading("territory", {}))
    assert answered("score", "after.png")["game"] == "territory"
    sees.append(reading("royal-tee", _LABELS))
    assert "royal-tee needs the cells of ours to be scored" in refused("score", "after.png")


def test_score_refuses_as_read_does(sees: Sees, answered: Answered) -> None:
    sees.append(Blind(BlindReason.CUT_OFF))
    assert answered("score", "after.png", code=REFUSED)["reason"] == "cut-off"


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


def test_what_follows_from_one_height_of_stacks_is_not_reported_as_certain(sees: Sees, told: Told) -> None:
    home = DEFAULT_WAYS[Seat("black")][HOME]
    seen = reading("royal-ur", {"A2": "white", home: "black"})
    p = seen.observation.p.copy()
    p[seen.observation.cells.index(home)] = [word.startswith("black") / 7 for word in seen.observation.labels]
    sees.append(replace(seen, observation=replace(seen.observation, p=p)))
    low, high = told("score", "after.png").splitlines()[-2:]
    assert low.startswith("Counted with the lowest stacks: If Black is home, not still to enter")
    assert high.startswith("Counted with the highest stacks: Black is home: ")


# ---- `companion read` reports the objective card beside the board, or that there is none


RECORDED = Path(__file__).parent.parent / "recorded" / "royal-study"


def test_the_card_beside_the_board_is_reported_to_programs_and_people_or_that_there_is_none(
    answered: Answered, told: Told
) -> None:
    with_a_card, without = RECORDED / "easy-02.jpg", RECORDED / "medium-01.jpg"
    assert answered("read", with_a_card)["card"] == {"number": 13, "side": "back", "turns": 0}
    assert answered("read", without)["card"] is None
    said = told("read", "--game", "royal-study", with_a_card)
    assert "Objective card 13, back up; quarter turns clockwise: 0." in said
    assert "card" not in told("read", "--game", "royal-study", without).lower()


# ---- `companion dice` says what the protocol promises, whatever the eye has seen


_FOUR = LooseDie(4, 0.99, (81.4, 44.2), 20.0)
_FIVE = LooseDie(5, 0.987, (120.0, 60.0), 20.0)
_DOUBTFUL = LooseDie(None, 0.6, (150.0, 90.0), 20.0)


@pytest.fixture
def image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("t.png", np.full((120, 200, 3), 200, np.uint8))
    return "t.png"


def _sees(monkeypatch: pytest.MonkeyPatch, *dice: LooseDie) -> None:
    monkeypatch.setattr(DiceReader, "read", lambda _self, _image: dice)


def test_every_die_has_value_confidence_and_place_and_those_reported_are_added(
    image: str, monkeypatch: pytest.MonkeyPatch, answered: Answered
) -> None:
    _sees(monkeypatch, _FOUR, _FIVE, _DOUBTFUL)
    answer = answered("dice", image)
    assert answer.pop("milliseconds") >= 0
    assert answer == {
        "image": image,
        "status": "ok",
        "dice": [
            {"value": 4, "confidence": 0.99, "centre_px": [81, 44]},
            {"value": 5, "confidence": 0.987, "centre_px": [120, 60]},
            {"value": None, "confidence": 0.6, "centre_px": [150, 90]},
        ],
        "total": 9,
        "unsure": 1,
    }


@pytest.mark.parametrize(
    ("dice", "last_line"),
    [
        ((_FOUR, _FIVE), "2 dice, total 9"),
        ((_FOUR,), "1 die, total 4"),
        ((_FOUR, _DOUBTFUL), "1 die, total 4; 1 die that cannot be read"),
        ((_DOUBTFUL, _DOUBTFUL), "0 dice, total 0; 2 dice that cannot be read"),
        ((), "no dice"),
    ],
)
def test_a_person_is_reported_every_die_the_total_and_the_doubt(
    dice: tuple[LooseDie, ...], last_line: str, image: str, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    _sees(monkeypatch, *dice)
    lines = told("dice", image).splitlines()
    assert lines[-1] == last_line
    assert len(lines) == 2 + len(dice)


def test_a_refused_picture_is_reported_with_its_reason(
    image: str, monkeypatch: pytest.MonkeyPatch, answered: Answered
) -> None:
    monkeypatch.setattr(DiceReader, "read", lambda _self, _image: Blind(BlindReason.DARK))
    assert answered("dice", image, code=REFUSED)["reason"] == "dark"


def test_the_picture_is_written_and_shows_doubt_by_form(image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _sees(monkeypatch, _FOUR)
    assert main(["dice", "--picture", "read.png", image]) == DONE
    plain = there(cv2.imread(image))
    written = there(cv2.imread("read.png"))
    assert (written != plain).any()
    sure, unsure = (
        annotate_dice(np.asarray(plain, np.uint8), [LooseDie(value, 0.5, (100.0, 60.0), 40.0)]) for value in (4, None)
    )
    assert (sure != unsure).any()


# ---- the annotated picture shows pieces, specials and doubt by form, not by colour alone


_EMPTY = dict.fromkeys(_BOARD.cells, "empty")


def _pose(side_px: int) -> Pose:
    return from_above(_BOARD, (side_px, side_px))


def _picture(side_px: int) -> ImageBgr:
    return np.full((side_px, side_px, 3), 128, np.uint8)


_ONE_CELL: Mapping[str, Mapping[str, Any]] = {
    "empty": {"labels": _EMPTY},
    "a red tee": {"labels": _EMPTY | {"C3": "red"}},
    "a green tee": {"labels": _EMPTY | {"C3": "green"}},
    "red's Royal Tee": {"labels": _EMPTY | {"C3": "red-royal"}},
    "unsure": {"labels": _EMPTY, "unsure": ["C3"]},
    "hidden": {"labels": _EMPTY, "unsure": ["C3"], "hidden": ["C3"]},
}


@pytest.mark.parametrize(("one", "other"), list(combinations(_ONE_CELL, 2)))
def test_what_lies_on_a_cell_can_be_reported_without_colour(one: str, other: str) -> None:
    grey_seats = tuple(msgspec.structs.replace(seat, rgb=(90, 90, 90)) for seat in _BOARD.seat)
    board, side_px = msgspec.structs.replace(_BOARD, seat=grey_seats), 900
    images = [annotate(_picture(side_px), board, _pose(side_px), **_ONE_CELL[name]) for name in (one, other)]
    first, second = (cv2.cvtColor(image[:side_px], cv2.COLOR_BGR2GRAY).astype(int) for image in images)
    assert (abs(first - second) > 60).sum() > 50


def test_the_original_stays_as_it_is() -> None:
    image = _picture(900)
    annotate(image, _BOARD, _pose(900), **_ONE_CELL["red's Royal Tee"])
    assert (image == 128).all()


def test_a_small_picture_is_enlarged_until_letters_can_be_read() -> None:
    annotated = annotate(_picture(400), _BOARD, _pose(400), _EMPTY)
    assert annotated.shape[1] >= LEAST_CELL_PX * _BOARD.size[0] / _BOARD.grid.pitch[0] - 1


def test_header_and_legend_lie_beside_the_picture_not_over_it() -> None:
    side_px = 1000
    bare = annotate(_picture(side_px), _BOARD, _pose(side_px), _EMPTY)
    titled = annotate(_picture(side_px), _BOARD, _pose(side_px), _EMPTY, lines=["Royal Tee", "red 3"])
    added = titled.shape[0] - bare.shape[0]
    assert added > 20
    assert bare.shape[0] > side_px
    assert (titled[-side_px:] == bare[-side_px:]).all()


@pytest.mark.parametrize("title", ["Königlicher Tee", "Königin und Straße", "王様のティー"])
def test_a_title_in_any_script_is_no_obstacle(title: str) -> None:
    assert annotate(_picture(400), _BOARD, _pose(400), _EMPTY, lines=[title]).size


@pytest.mark.parametrize("name", ["out.png", "out.jpg"])
def test_a_picture_is_written_in_the_format_of_its_name(name: str, tmp_path: Path) -> None:
    save_picture(tmp_path / name, _picture(100))
    assert np.asarray(cv2.imread(str(tmp_path / name))).shape == (100, 100, 3)


def test_a_picture_that_cannot_be_written_is_an_error_with_the_files_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere.out\.png"):
        save_picture(tmp_path / "nowhere" / "out.png", _picture(10))


def test_a_picture_that_a_full_disk_does_not_take_is_reported_as_that(tmp_path: Path) -> None:
    (tmp_path / "out.jpg").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device"):
        save_picture(tmp_path / "out.jpg", np.zeros((64, 64, 3), np.uint8))


def test_a_table_of_cards_alone_is_not_called_empty() -> None:
    board = shipped_board("royal-racers")
    tables = dict.fromkeys(board.cells, "empty"), dict(zip(board.cells, board.card_words, strict=True))
    bare, laid = (annotate(_picture(900), board, _pose(900), labels) for labels in tables)
    assert len(laid) < len(bare), "a line of the legend less"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legend_calls_no_piece_by_a_code_of_the_table_file(language: str) -> None:
    with speaking(language):
        named = [label_name(word) for word in _BOARD.label_words]
    assert len(named) == len(set(named)) == len(_BOARD.label_words)
    assert not [name for name in named if "-" in name]
