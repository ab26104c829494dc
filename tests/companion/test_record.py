"""Records: one text form for all games. The golden games are records, and nothing is lost on the way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.cli.exits import DONE, UNUSABLE
from companion.games.engines import ENGINES
from companion.games.record import GameRecord, RecordError, check, position_after, read_record, replay, write_record
from companion.games.speech import title_of
from engines.kernel import Seat

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = sorted(GOLDEN.glob("*/games/*.txt"))

SMALL = """\
game: royal-ur
about: a beginning
players: white black
options: {}

roll 3
enter
"""


def golden(path: Path) -> str:
    return path.read_text("utf-8")


def name(path: Path) -> str:
    return f"{path.parts[-3]}/{path.stem}"


def plain(text: str) -> list[str]:
    """The lines that say something, without a result's words for the players."""
    lines = [line.partition(";")[0] if line.startswith("result:") else line for line in text.splitlines()]
    return [re.sub(r"[ =,]+", " ", line) if line.startswith("result:") else line for line in lines if line]


# ---- whole games


@pytest.mark.parametrize("path", GAMES, ids=name)
def test_a_golden_game_is_a_record_that_holds_and_is_written_as_it_was_read(path: Path) -> None:
    record = read_record(golden(path))
    plies = tuple(replay(record))
    check(record, plies)
    assert len(plies) == len(record.actions)
    assert record.engine.game.over(position_after(record, plies)) == (record.result is not None)
    assert plain(write_record(record)) == plain(golden(path))
    assert read_record(write_record(record)) == record


@pytest.mark.parametrize("path", GAMES, ids=name)
def test_a_golden_game_that_reports_other_points_is_not_believed(path: Path) -> None:
    text = golden(path) if "result:" in golden(path) else f"{golden(path)}result: red 1\n"
    text = re.sub(r"^(result: [\w-]+[ =])[0-9]+", r"\g<1>777", text, flags=re.M)
    record = read_record(text)
    line = next(n for n, found in enumerate(text.splitlines(), 1) if found.startswith("result:"))
    with pytest.raises(RecordError, match=f"line {line}: the result says .* 777.*, but the game comes to"):
        check(record, tuple(replay(record)))


# ---- the way to text and back

about = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30).map(str.strip)
headers = st.dictionaries(st.sampled_from(["about", "date", "table", "x-y", "claim"]), about)


_KNOWN: dict[Path, GameRecord] = {}


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """A part of a golden game, begun from the start or a position on the way, with or without its result."""
    path = draw(st.sampled_from(GAMES))
    whole = _KNOWN.setdefault(path, read_record(golden(path)))
    first, end = sorted(draw(st.lists(st.integers(0, len(whole.actions)), min_size=2, max_size=2)))
    plies = list(replay(whole))
    start = position_after(whole, plies[:first])
    result = whole.engine.game.score(position_after(whole, plies[:end])) if draw(st.booleans()) else None
    found = {**draw(headers), "position": whole.engine.notation.write_position(start)}
    return GameRecord(whole.game, found, start, whole.actions[first:end], result)


@settings(max_examples=60, deadline=None)
@given(records())
def test_every_record_survives_the_way_to_text_and_back(record: GameRecord) -> None:
    text = write_record(record)
    again = read_record(text)
    assert again == record
    assert write_record(again) == text
    check(again, tuple(replay(again)))


@given(st.lists(st.sampled_from(["", "   ", "# a comment", "#"]), max_size=3), st.randoms(use_true_random=False))
def test_comments_and_blank_lines_change_nothing_but_the_lines_reported(extra: list[str], random: Random) -> None:
    lines = SMALL.splitlines()
    for line in extra:
        lines.insert(random.randrange(len(lines) + 1), line)
    record = read_record("\n".join(lines))
    assert record == read_record(SMALL)
    assert [lines[line - 1] for line in record.lines] == ["roll 3", "enter"]


def test_a_game_begins_as_its_headers_tell() -> None:
    players, seed = [Seat("red"), Seat("green"), Seat("blue")], 9
    game = ENGINES["territory"].game
    text = 'game: territory\nplayers: red green blue\nseed: 9\noptions: {"rounds": 2}\n'
    record = read_record(text)
    assert record.start == game.new(players, {"rounds": 2}, seed)
    assert (record.actions, record.result) == ((), None)
    assert read_record("game: territory\nplayers: red green blue").start == game.new(players, {}, 0)


# ---- what is no record


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 'line 1: expected "game:" and one of royal-racers, .*, found ""'),
        ("roll 3", 'line 1: expected "game:"'),
        ("\n# so\ngame: chess\n", 'line 3: expected "game:" and one of royal-racers, .*, found "chess"'),
        ("game: royal-ur\n", 'line 1: a game begins with "players:"'),
        ("game: royal-ur\nseed: 3\n", 'line 2: a game begins with "players:"'),
        ("game: royal-ur\nposition: x\nseed: 3\n", 'line 3: a game begins with "players:"'),
        ("game: royal-ur\nplayers: white black\nposition: x\n", 'line 2: a game begins with "players:"'),
        ("game: royal-ur\nposition: white black\n", "line 2: a position is written as"),
        ("game: royal-ur\nplayers: white\n", "line 2: "),
        ("game: royal-ur\nplayers: white black\nplayers: white black\n", 'line 3: "players" appears twice'),
        ("game: royal-ur\nplayers: white black\noptions: {\n", r'line 2: expected JSON, found "\{"'),
        ("game: royal-ur\nplayers: white black\noptions: []\n", 'line 2: "options" must be an object'),
        ("game: royal-ur\nplayers: white black\noptions: " + "[" * 100_000, "line 2: expected JSON, found"),
        ("game: royal-ur\nplayers: white black\nseed: seven\n", 'line 2: expected JSON, found "seven"'),
        ("game: royal-ur\nplayers: white black\nseed: -1\n", 'line 2: "seed" must be a whole number from 0'),
        (f"game: royal-ur\nplayers: white black\nseed: {'9' * 5000}\n", "line 2: expected JSON, found"),
        (SMALL + "jump 3\n", "line 8: an action of royal-ur is written as one of"),
        (SMALL + "seed: 3\n", 'line 8: expected an action, found "seed: 3": headers stand above the actions'),
        (SMALL + "result: white 0, black 0\nroll 3\n", 'line 8: expected an action, found "result: white 0, black 0"'),
        (SMALL + "result: white won\n", 'line 8: expected a result like "red 61, green 83", found "white won"'),
        (SMALL + "jump 3\nresult: white won\n", "line 8: an action of royal-ur is written as one of"),
        (SMALL + "result:\n", 'line 8: expected a result like "red 61, green 83", found ""'),
        (SMALL + f"result: white {'9' * 5000}\n", "line 8: expected a result like"),
    ],
)
def test_what_is_no_record_is_reported_with_line_and_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(RecordError, match=expected) as caught:
        read_record(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("game", "players", "actions", "expected"),
    [
        ("royal-ur", "white black", ["roll 3", "roll 3"], r'"roll 3": Use the last throw first: .* \(rule 3.4\)'),
        ("royal-ur", "white black", ["roll 3", "move 5"], r'"move 5": White has no counter on A2. \(rule 3.3\)'),
        ("royal-tee", "red green", ["E12", "Z99"], r'"Z99": Z99 is not on the board.* \(rule 2.3\)'),
    ],
)
def test_the_first_action_that_the_rules_forbid_is_reported(
    game: str, players: str, actions: list[str], expected: str
) -> None:
    text = "\n".join(["# one", f"game: {game}", f"players: {players}", "", "# two", *actions, actions[0]])
    record = read_record(text)
    plies = tuple(replay(record))
    assert len(plies) == 2
    with pytest.raises(RecordError, match=f"line 7: the rules forbid {expected}"):
        check(record, plies)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
def test_a_line_that_is_cut_out_moved_or_misspelt_never_ends_in_a_traceback(path: Path, random: Random) -> None:
    lines = golden(path).splitlines()
    _spoil(lines, random)
    try:
        record = read_record("\n".join(lines))
        check(record, tuple(replay(record)))
    except RecordError as error:
        assert re.match(r"line [0-9]+: .", str(error))


def _spoil(lines: list[str], random: Random) -> None:
    place = random.randrange(len(lines))
    line = lines.pop(place)
    what = random.randrange(4)
    if what == 0:
        lines.insert(random.randrange(len(lines)), line)
    elif what == 1:
        lines.insert(place, line[: random.randrange(len(line) + 1)])
    elif what == 2:
        lines.insert(place, line.replace(random.choice(line or " "), random.choice("Z9-=:é")))


# ---- `companion replay`: every game is shown and judged again, by the real command


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


@pytest.mark.parametrize("game", ENGINES)
def test_every_game_is_reported_to_its_end_to_people_and_programs(game: str, replayed: Replayed) -> None:
    path = next(path for path in GAMES if path.parts[-3] == game)
    whole = read_record(golden(path))
    code, (*actions, end), err = replayed(path, "--json")
    assert (code, err, end["status"]) == (DONE, "", "ok")
    assert [found["text"] for found in actions] == list(map(whole.engine.notation.write_action, whole.actions))
    assert [found["number"] for found in actions] == list(range(1, end["actions"] + 1))
    assert end["result"] == (end["score"] if end["over"] else None)
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
