"""`companion replay`: every game is shown and judged again, by the real command."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.cli.exits import DONE, UNUSABLE
from companion.games.engines import ENGINES
from companion.games.record import read_record
from companion.games.speech import title_of

GAMES = sorted((Path(__file__).parents[1] / "golden").glob("*/games/*.txt"))

TEE = """\
game: royal-tee
about: two steps
players: red green
F11
G2
E11 D11
"""

TOO_SHORT = "This walk to G3 has 1 step; you have to walk exactly 2. (rule 2.1)"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "evening.txt"
    path.write_text(TEE, "utf-8")
    return path


Replayed = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def replayed(capsys: pytest.CaptureFixture[str]) -> Replayed:
    """Replay a record; return the exit code, what was written, line by line if it is JSON, and what was reported."""

    def run(*arguments: object) -> tuple[int, Any, str]:
        code = main(["replay", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, [json.loads(line) for line in out.splitlines()] if "--json" in arguments else out, err

    return run


@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_every_golden_game_is_reported_to_its_end(path: Path, replayed: Replayed) -> None:
    whole = read_record(path.read_text("utf-8"))
    code, (*actions, end), err = replayed(path, "--json")
    assert (code, err, end["status"]) == (DONE, "", "ok")
    assert [found["text"] for found in actions] == list(map(whole.engine.notation.write_action, whole.actions))
    assert [found["number"] for found in actions] == list(range(1, end["actions"] + 1))
    assert end["result"] == (end["score"] if end["over"] else None)


@pytest.mark.parametrize("game", ENGINES)
def test_every_game_is_reported_to_people(game: str, replayed: Replayed) -> None:
    path = next(path for path in GAMES if path.parts[-3] == game)
    whole = read_record(path.read_text("utf-8"))
    code, out, err = replayed(path)
    lines = out.splitlines()
    assert (code, err, lines[0]) == (DONE, "", title_of(game))
    for number in range(1, len(whole.actions) + 1):
        assert any(re.match(rf"{number:>4}  [A-Z].*[.!]$", line) for line in lines), number
    assert any(re.search(r"^(The game is over|Winners?: .*) \(", line) for line in lines[-8:])


def test_an_action_is_reported_with_who_acted_and_what_came_of_it(record: Path, replayed: Replayed) -> None:
    _code, out, _err = replayed(record)
    assert out.splitlines()[:3] == [
        "Royal Tee",
        "about: two steps",
        "   1  Red walked 1 step to F11 and claimed 1 space.",
    ]
    assert out.endswith("Green: walk exactly 2 steps. (Red 4, Green 2)\n")


def test_the_table_is_drawn_where_its_copy_is_the_one_that_ships(record: Path, replayed: Replayed) -> None:
    _code, out, _err = replayed(record)
    assert [line.split() for line in out.splitlines() if line.startswith("11 ")] == [["11", *"···Rrr······"]]

    other = next(path for path in GAMES if path.stem == "other-copy" and path.parts[-3] == "royal-tee")
    _code, out, _err = replayed(other)
    assert any(line.startswith("oak@left,elm@right ") for line in out.splitlines()[-5:])


@pytest.mark.parametrize(
    ("at", "last", "standing"),
    [
        (0, "about: two steps", "Red: walk exactly 1 step. (Red 1, Green 1)"),
        (1, "   1  Red walked 1 step to F11", "Green: walk exactly 1 step. (Red 2, Green 1)"),
        (3, "   3  Red walked 2 steps to D11", "Green: walk exactly 2 steps. (Red 4, Green 2)"),
    ],
)
def test_a_game_is_shown_as_far_as_it_is_asked_for(
    record: Path, at: int, last: str, standing: str, replayed: Replayed
) -> None:
    code, out, _err = replayed(record, "--at", at)
    before_table = out.partition("\n\n")[0].splitlines()
    assert code == DONE
    assert before_table[-1].startswith(last)
    assert out.splitlines()[-1] == standing


def test_the_position_after_every_action_is_shown_on_request(record: Path, replayed: Replayed) -> None:
    _code, out, _err = replayed(record, "--step")
    assert [line for line in out.splitlines() if re.match(r"\w+: walk", line)] == [
        "Green: walk exactly 1 step. (Red 2, Green 1)",
        "Red: walk exactly 2 steps. (Red 2, Green 2)",
        *["Green: walk exactly 2 steps. (Red 4, Green 2)"] * 2,
    ]
    _code, (*actions, end), _err = replayed(record, "--step", "--json")
    assert [found["position"]["turn"] for found in actions] == ["green", "red", "green"]
    assert actions[-1]["position"] == end["position"]


def test_the_first_illegal_action_ends_the_game_with_one_sentence(record: Path, replayed: Replayed) -> None:
    record.write_text(TEE + "G3\nF5 F6\n", "utf-8")
    sentence = f'companion: {record}, line 7: the rules forbid "G3": {TOO_SHORT}\n'

    code, out, err = replayed(record)
    assert (code, err) == (UNUSABLE, sentence)
    assert f"   4  {TOO_SHORT}" in out.splitlines()
    assert out.splitlines()[-1] == "Green: walk exactly 2 steps. (Red 4, Green 2)"

    code, (*actions, end), err = replayed(record, "--json")
    assert (code, err, len(actions)) == (UNUSABLE, sentence, 4)
    assert end["status"] == "illegal"
    assert end["illegal"] == {"number": 4, "reason": "wrong-length", "rule": "2.1", "cells": ["G3"]}


def test_all_of_a_game_is_judged_even_where_less_is_shown(record: Path, replayed: Replayed) -> None:
    record.write_text(TEE + "G3\n", "utf-8")
    code, out, err = replayed(record, "--at", 1)
    assert code == UNUSABLE
    assert "forbidden" not in out
    assert "line 7: the rules forbid" in err


def test_a_result_that_the_game_does_not_come_to_is_reported(record: Path, replayed: Replayed) -> None:
    record.write_text(TEE + "result: red 4, green 3\n", "utf-8")
    found = "the result says red 4, green 3, but the game comes to red 4, green 2"
    code, (*_actions, end), err = replayed(record, "--json")
    assert (code, err) == (UNUSABLE, f"companion: {record}, line 7: {found}\n")
    assert end["status"] == "wrong-result"
