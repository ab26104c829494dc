"""The public protocol's sentences about each game, held by requests as another program would write them.

Positions stand here with the protocol's own keys and nothing else: no "game", no options.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from companion.cli.arguments import REQUESTS
from companion.games import requests
from companion.games.requests import answer
from tests.companion.test_engine_protocol import answered
from vision.board import table_file

Asked = Mapping[str, Any]

TEE: Asked = {
    "players": ["red", "green"],
    "turn": "red",
    "slider": 3,
    "royals": {"red": "F12", "green": "G1"},
    "claimed": {"red": ["F12", "F11"], "green": ["G1"]},
    "over": False,
}
TERRITORY: Asked = {
    "players": ["red", "green", "blue"],
    "turn": "red",
    "round": 2,
    "owners": {"A1": "red", "B1": "red", "H1": "green"},
    "white": ["B2"],
    "rolled": [7, 4, 12],
    "await": "choose",
    "card": None,
    "deck": [],
    "over": False,
}
STUDY: Asked = {"pieces": "KQB/N../R..", "targets": ["RNK/..Q/..B"], "level": 2}
_ACES_ON = ("A1", "B2", "E2", "E5")
"""One ace lies free, the others under flags, where cards are not turned as long as another can be."""
_DECK = [f"{rank}-{suit}" for rank in ("A", *range(2, 10)) for suit in ("clubs", "diamonds", "hearts", "spades")]
_CELLS = sorted((f"{column}{row}" for row in range(1, 7) for column in "ABCDEF"), key=lambda cell: cell not in _ACES_ON)
RACERS: Asked = {
    "players": ["suns", "moons"],
    "turn": "suns",
    "round": 1,
    "await": "roll",
    "rolled": None,
    "cards": {cell: {"card": card, "up": True} for cell, card in zip(_CELLS, _DECK, strict=True)},
    "flags": {"suns": ["B2", "E2", "E5", "B5", "C3"], "moons": ["E6", "B6", "B1", "E1", "D4"]},
    "touched": {"suns": 0, "moons": 2},
    "pawns": {"suns": "C3", "moons": "D4"},
    "over": False,
}
UR: Asked = {
    "players": ["white", "black"],
    "turn": "white",
    "await": "roll",
    "dots": None,
    "counters": {"white": [0, 0, 4, 7, -1, -1, 15], "black": [-1, -1, -1, -1, -1, -1, 13]},
    "over": False,
}


POSITIONS: Mapping[str, Asked] = {
    "royal-tee": TEE,
    "territory": TERRITORY,
    "royal-study": STUDY,
    "royal-racers": RACERS,
    "royal-ur": UR,
}


def _ask(do: str, position: Asked, **more: Any) -> Any:
    return answered({"do": do, "position": position, **more})


def _played(position: Asked, *actions: Asked) -> Any:
    found: Any = {"position": position}
    for action in actions:
        found = _ask("play", found["position"], action=action)
        assert "error" not in found, found
    return found


@pytest.mark.parametrize("game", POSITIONS)
def test_a_position_is_known_by_its_keys_and_comes_back_with_all_of_them(game: str) -> None:
    expected = _ask("public", POSITIONS[game])["public"]
    assert expected["game"] == game
    assert expected.keys() >= POSITIONS[game].keys()


@pytest.mark.parametrize("game", POSITIONS)
def test_the_request_may_name_the_game_instead(game: str) -> None:
    assert _ask("score", POSITIONS[game], game=game) == _ask("score", POSITIONS[game])
    other = next(name for name in POSITIONS if name != game)
    assert _ask("score", POSITIONS[game], game=other)["code"] == "bad-request"


@pytest.mark.parametrize(
    ("position", "score", "to_act"),
    [
        (TEE, {"red": 2, "green": 1}, "red"),
        (TERRITORY, {"red": 8, "green": 1, "blue": 0}, "red"),
        (RACERS, {"suns": 0, "moons": 2}, "dice"),
        (UR, {"white": 0, "black": 0}, "dice"),
    ],
    ids=["spaces", "points of the best group", "flags touched", "nothing before the end"],
)
def test_the_score_is_what_the_protocol_says_for_each_game(position: Asked, score: Asked, to_act: str) -> None:
    assert _ask("score", position) == {"score": score, "over": False, "winners": [], "to_act": to_act}


def test_another_map_comes_with_the_table_files_content() -> None:
    table = tomllib.loads(table_file("territory").read_text("utf-8"))
    table["grid"]["numbers"][0][0] = 2
    new = answer({"do": "new", "game": "territory", "players": ["red", "green", "blue"], "options": {"table": table}})
    rolled: Any = _played(json.loads(json.dumps(new["position"])), {"roll": [1, 1]})
    assert {"place": "A1"} in _ask("actions", rolled["position"])["actions"]
    asked = {**TERRITORY, "await": "place", "rolled": [2], "white": [], "owners": {}, "table": table}
    assert {"place": "A1"} in _ask("actions", asked)["actions"]


def test_the_study_lists_piece_moves_and_takes_steps() -> None:
    expected = _ask("actions", STUDY)["actions"]
    assert {"move": "N", "from": "A2", "to": "C3"} in expected
    assert all(action.keys() == {"move", "from", "to"} for action in expected)
    assert _played(STUDY, {"move": "N", "from": "A2", "to": "C3"})["position"]["pieces"] == "KQB/.../R.N"
    for step in ({"turn": "cw", "target": 0}, {"turn": "ccw", "target": 0}):
        assert _played(STUDY, step)["position"]["pieces"] == STUDY["pieces"]
    for way in ("left-right", "top-bottom"):
        assert "error" not in _played({**STUDY, "level": 3}, {"mirror": way, "target": 0})


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_line_that_solve_answers_solves_in_the_fewest_steps(level: int) -> None:
    expected = _ask("solve", {**STUDY, "level": level})
    assert expected.keys() == {"least", "line"}
    assert len(expected["line"]) == expected["least"]
    assert _played({**STUDY, "level": level}, *expected["line"])["over"] is True
    assert (expected["least"] == 1) == (level > 1)


def test_solve_writes_more_of_the_best_lines_on_request_and_only_puzzles_can_be_solved() -> None:
    expected = _ask("solve", {**STUDY, "level": 1}, lines=3)
    assert 1 <= len(expected["lines"]) <= 3
    assert {len(line) for line in expected["lines"]} == {expected["least"]}
    assert _ask("solve", STUDY, lines=-1)["code"] == "bad-request"
    assert _ask("solve", UR) == {"error": "royal-ur is not a puzzle to solve", "code": "bad-request"}


TWELVES = [
    f"{'ABCDEFGH'[column]}{row}"
    for row, numbers in enumerate(tomllib.loads(table_file("territory").read_text("utf-8"))["grid"]["numbers"], 1)
    for column, number in enumerate(numbers)
    if number == 12
]


HOME: Asked = {**UR, "await": "move", "dots": 2, "counters": {"white": [14, *[15] * 6], "black": [*[15] * 6, -1]}}
OFFERED: Asked = {**UR, "await": "enter", "dots": 2, "counters": {**UR["counters"], "white": [4, 0, 0, 7, -1, -1, 15]}}
FORFEIT: Asked = {**UR, "await": "forfeit", "dots": 2, "counters": {"white": [1, *[-1] * 6], "black": [0, *[-1] * 6]}}
NONE_IN: Asked = {**UR, "counters": {"white": [-1] * 7, "black": [-1] * 7}}
PLACING: Asked = {**TERRITORY, "await": "place", "rolled": [12, 7]}
FULL: Asked = {**TERRITORY, "await": "roll", "rolled": [7], "owners": dict.fromkeys(TWELVES, "red"), "white": []}


@pytest.mark.parametrize(
    ("position", "action", "events", "to_act", "then"),
    [
        (HOME, {"move": 14}, {"game-over"}, None, {"over": True}),
        (OFFERED, {"decline": True}, set(), "dice", {}),
        (FORFEIT, {"move": 0}, {"moved", "offered"}, "black", {}),
        (UR, {"roll": 3}, {"threw"}, "white", {"await": "move", "dots": 3}),
        (NONE_IN, {"roll": 2}, {"threw", "no-move"}, "dice", {}),
        (TERRITORY, {"roll": [6, 1]}, {"busted"}, "dice", {}),
        (TERRITORY, {"roll": [5, 5]}, {"rolled"}, "red", {"await": "place", "rolled": [7, 4, 12, 10]}),
        (TERRITORY, {"stop": True}, set(), "dice", {"owners": {**TERRITORY["owners"], "B2": "red"}, "white": []}),
        (PLACING, {"capture": "H1"}, set(), "dice", {"owners": {**TERRITORY["owners"], "H1": "red", "B2": "red"}}),
        (PLACING, {"place": "D3"}, set(), "dice", {"white": ["B2", "D3"]}),
        (FULL, {"roll": [6, 6]}, {"rolled", "nothing-to-place"}, "dice", {}),
        (RACERS, {"roll": "null"}, set(), "suns", {"await": "move", "rolled": "null"}),
        (RACERS, {"roll": 3}, set(), "suns", {"await": "flip", "rolled": 3}),
        ({**RACERS, "await": "flip", "rolled": 1}, {"flip": "A1"}, set(), "suns", {"await": "move"}),
        ({**RACERS, "await": "move", "rolled": "null"}, {"step": "C2"}, set(), "dice", {}),
        ({**RACERS, "await": "move", "rolled": "null"}, {"pass": True}, set(), "dice", {}),
    ],
)
def test_an_action_that_is_written_so_is_listed_and_leads_on(
    position: Asked, action: Asked, events: set[str], to_act: str | None, then: Asked
) -> None:
    if "roll" not in action:
        assert action in _ask("actions", position)["actions"]
    found = _played(position, action)
    assert (found["to_act"], events <= {event["event"] for event in found["events"]}) == (to_act, True)
    assert {key: found["position"][key] for key in then} == then
    assert position is not HOME or found["score"] == {"white": 25, "black": 0}, "what the loser has left"


@pytest.mark.parametrize("game", POSITIONS)
def test_advice_is_an_action_with_code_numbers_and_value_or_says_that_nothing_is_to_be_decided(game: str) -> None:
    expected = _ask("advise", POSITIONS[game])
    assert expected.keys() == {"action", "code", "numbers", "value"}
    if _ask("score", POSITIONS[game])["to_act"] == "dice":
        assert expected == {"action": None, "code": "nothing-to-decide", "numbers": {}, "value": None}
    else:
        assert "error" not in _played(POSITIONS[game], expected["action"])


def test_programs_ask_what_is_legal_what_chance_may_do_and_how_a_random_game_ends() -> None:
    waits = {**UR, "await": "roll", "dots": None}
    outcomes = _ask("chance", waits)["outcomes"]
    assert [each["probability"] for each in outcomes] == [1 / 8, 3 / 8, 3 / 8, 1 / 8]
    assert _ask("throw", waits, seed=5) == _ask("throw", waits, seed=5)
    assert _ask("throw", waits, seed=5)["action"] in [each["action"] for each in outcomes]
    assert _ask("legal", waits, action={"roll": 3}) == {"legal": True}
    assert _ask("legal", waits, action={"move": 0}) == {"legal": False}
    assert _ask("playout", waits, seed=5)["over"]
    moves = _played(waits, {"roll": 3})["position"]
    assert _ask("chance", moves) == {"outcomes": []}
    assert _ask("throw", moves) == {"error": "no throw is expected in this position", "code": "bad-request"}


def test_a_beginner_asked_with_a_seed_does_not_weigh_every_decision() -> None:
    moves = _played({**UR, "await": "roll", "dots": None}, {"roll": 3})["position"]
    codes = [_ask("advise", moves, level="easy", seed=seed)["code"] for seed in range(30)]
    assert 0 < codes.count("unweighed") < 30
    assert _ask("advise", moves, level="easy")["code"] != "unweighed"


def test_a_viewer_who_does_not_play_is_reported_so() -> None:
    expected = _ask("public", RACERS, viewer="crowns")
    assert expected == {"error": '"viewer" must be null or one of suns, moons, not "crowns"', "code": "bad-request"}
    assert _ask("public", RACERS, viewer=["suns"])["code"] == "bad-request"


def test_the_commands_help_names_every_request() -> None:
    assert REQUESTS.split(", ") == list(requests.ANSWERS)
