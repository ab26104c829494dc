"""`companion engine` and what stands behind it: the public protocol, from the first line to the end of a game."""

from __future__ import annotations

import argparse
import io
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import engine
from companion.games.requests import answer
from engines.kernel import JsonObject

Answer = Mapping[str, Any]

NEW: JsonObject = {"do": "new", "game": "royal-tee", "players": ["red", "green"], "options": {}, "seed": 7}


def answered(request: Any) -> Answer:
    """Ask as another program would: through JSON and back."""
    expected: Answer = json.loads(json.dumps(answer(json.loads(json.dumps(request)))))
    return expected


def test_a_new_game_is_answered_with_position_score_and_who_acts() -> None:
    assert answered(NEW) == {
        "position": {
            "game": "royal-tee",
            "players": ["red", "green"],
            "turn": "red",
            "slider": 1,
            "royals": {"red": "F12", "green": "G1"},
            "claimed": {"red": ["F12"], "green": ["G1"]},
            "over": False,
        },
        "events": [],
        "score": {"red": 1, "green": 1},
        "over": False,
        "winners": [],
        "to_act": "red",
    }


def test_actions_are_the_distinct_outcomes_with_an_example_and_their_number() -> None:
    position = {**answered(NEW)["position"], "slider": 2}
    expected = answered({"do": "actions", "position": position})["actions"]
    assert {"walk": ["E12", "F12"], "end": "F12", "visited": ["E12", "F12"], "walks": 1} in expected
    assert " ".join(sorted(action["end"] for action in expected)) == "D12 E11 E11 F10 F12 F12 F12 G11 G11 H12"
    assert sum(action["walks"] for action in expected) == 10


def test_an_action_is_played_and_its_events_reported_in_order() -> None:
    expected = answered({"do": "play", "position": answered(NEW)["position"], "action": {"walk": ["F11"]}})
    assert [event["event"] for event in expected["events"]] == ["walked", "claimed", "turn"]
    assert expected["position"]["royals"]["red"] == "F11"
    assert (expected["score"], expected["over"], expected["to_act"]) == ({"red": 2, "green": 1}, False, "green")


def test_a_forbidden_action_is_illegal_with_its_reason_rule_and_cells() -> None:
    expected = answered({"do": "play", "position": answered(NEW)["position"], "action": {"walk": ["F10"]}})
    assert expected["code"] == "illegal"
    assert (expected["reason"], expected["rule"], expected["cells"]) == ("not-adjacent", "2.2", ["F12", "F10"])
    assert "not-adjacent" in expected["error"]


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (None, "a request must be an object, not null"),
        ([], "a request must be an object, not []"),
        ({}, 'a request lacks "do"'),
        ({"do": 3}, '"do" must be one of new, actions,'),
        (
            {"do": "undo"},
            '"do" must be one of new, actions, play, legal, chance, throw, playout, score, advise, solve, public, '
            'not "undo"',
        ),
        ({"do": "new"}, 'a request with "do": "new" lacks "game"'),
        ({**NEW, "game": "chess"}, 'unknown game "chess"; there are: royal-racers, royal-study, royal-tee,'),
        ({**NEW, "game": ["royal-tee"]}, '"game" must be a text, not ["royal-tee"]'),
        ({**NEW, "players": "red"}, '"players" must be a list, not "red"'),
        ({**NEW, "players": ["red", {}]}, 'entry 2 of "players" must be a text, not {}'),
        ({**NEW, "players": ["red"]}, "2 or 4 players, not 1"),
        ({**NEW, "options": []}, '"options" must be an object, not []'),
        ({**NEW, "seed": "7"}, '"seed" must be a whole number'),
        ({"do": "score"}, 'a request with "do": "score" lacks "position"'),
        ({"do": "score", "position": "start"}, '"position" must be an object, not "start"'),
        ({"do": "score", "position": {}}, 'the position lacks "game"'),
        ({"do": "score", "position": {"game": "royal-tee"}}, 'the position lacks "players"'),
        ({"do": "play", "position": answer(NEW)["position"]}, 'a request with "do": "play" lacks "action"'),
    ],
)
def test_a_bad_request_is_reported_in_one_sentence(request_: Any, sentence: str) -> None:
    expected = answered(request_)
    assert expected["code"] == "bad-request"
    assert re.search(re.escape(sentence), expected["error"])


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | st.just("royal-tee"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(NEW)), _values)
def test_whatever_stands_in_a_request_for_a_new_game_is_answered(key: str, value: Any) -> None:
    assert answered({**NEW, key: value}).keys() >= {"error", "code"} or value == NEW[key] or key in ("seed", "options")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"not json",
        b"\xff\xfe",
        b"\x00",
        b"[" * 100_000,
        b"9" * 5000,
        b'{"do": "score", "position": NaN}',
        rb'{"do": "new", "game": "royal-tee", "players": "\ud800"}',
    ],
    ids=["empty", "cut off", "words", "no text", "zero", "nested", "a huge number", "not a number", "half a letter"],
)
def test_a_line_that_cannot_be_answered_gets_an_error_and_the_next_line_is_read(line: bytes) -> None:
    first, second = engine.answers([line + b"\n", json.dumps(NEW).encode() + b"\n"])
    assert first["code"] == "bad-request"
    assert len(str(first["error"])) < 200
    assert second["to_act"] == "red"


def test_a_request_at_any_depth_of_nesting_is_answered() -> None:
    lines = [b'{"do": "score", "position": ' + b"[" * depth + b"]" * depth + b"}\n" for depth in range(800, 1010)]
    assert {found["code"] for found in engine.answers(lines)} == {"bad-request"}


def test_each_line_is_answered_before_the_next_one_is_read() -> None:
    read = []

    def lines() -> Any:
        for number in range(2):
            read.append(number)
            yield b"{}\n"

    answers = engine.answers(lines())
    next(answers)
    assert read == [0]


def test_the_command_answers_standard_input_line_by_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "\n".join([json.dumps(NEW), "{", json.dumps({"do": "score"}), "x" * 3_000_000, json.dumps(NEW)])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert engine.run(argparse.Namespace()) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [found.get("code") for found in answers] == [None, *["bad-request"] * 3, None]
    assert answers[3]["error"] == "this line is longer than 1000000 bytes"


def test_unknown_keys_are_ignored_or_refused_in_a_strict_request() -> None:
    position = {**answered(NEW)["position"], "slidr": 3}
    assert "score" in answered({"do": "score", "position": position, "colour": "red"})
    found = answered({"do": "score", "position": position, "strict": True})
    expected = "game, players, turn, slider, royals, claimed, over, zones"
    assert (found["code"], found["error"]) == (
        "bad-request",
        f'the position has no "slidr"; there are: {expected}',
    )
    found = answered({**NEW, "seeed": 7, "strict": True})
    expected = "do, strict, game, players, options, seed"
    assert found["error"] == f'a request with "do": "new" has no "seeed"; there are: {expected}'
    assert answered({**NEW, "strict": 1})["error"] == '"strict" must be true or false, not 1'
