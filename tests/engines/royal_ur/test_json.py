"""Input that is no position, action or option: one sentence that says what, where and what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.kernel import Seat
from engines.royal_ur import GAME
from engines.royal_ur.board import DEFAULT_SQUARES

START: Mapping[str, Any] = {
    "game": "royal-ur",
    "players": ["white", "black"],
    "turn": "white",
    "await": "roll",
    "dots": None,
    "counters": {"white": [-1] * 7, "black": [-1] * 7},
    "over": False,
}
MOVE: Mapping[str, Any] = {
    "await": "move",
    "dots": 0,
    "counters": {"white": [-1, -1, 0, 0, 4, 7, 15], "black": [-1] * 7},
}
SQUARES = [{"sign": square.sign.value, "value": square.value} for square in DEFAULT_SQUARES]
WHITE_WAY = ["E3", "D3", "C3", "B3", "A3", "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "H3", "G3", "F3"]
BLACK_WAY = ["E1", "D1", "C1", "B1", "A1", "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "H1", "G1", "F1"]


def _counters(white: list[int], black: list[int]) -> dict[str, Any]:
    return {"counters": {"white": white, "black": black}}


def test_the_set_up_is_written_as_the_protocol_says() -> None:
    assert GAME.position_to_json(GAME.new([Seat("white"), Seat("black")], {}, 0)) == START


def test_the_example_of_the_protocol_is_read_and_its_counters_sorted() -> None:
    position = GAME.position_from_json({**START, **MOVE, "dots": 3, **_counters([0, 0, 4, 7, -1, -1, 15], [-1] * 7)})
    assert position.lanes[0] == (-1, -1, 0, 0, 4, 7, 15)
    expected = [{"move": 0}, {"move": 4}, {"move": 7}, {"enter": True}]
    assert GAME.actions_to_json(position) == expected


def test_a_finished_position_waits_for_nothing_whatever_it_says() -> None:
    ended = {**START, **_counters([15] * 7, [-1] * 7), "over": True}
    assert GAME.position_to_json(GAME.position_from_json(ended))["await"] is None
    assert GAME.score(GAME.position_from_json(ended)) == {"white": 175, "black": 0}


REQUIRED = [(START, key) for key in [key for key in START if key != "game"]]


NO_POSITIONS = [
    (START, *case)
    for case in [
        ({"game": "chess"}, '"game" must be "royal-ur", not "chess"'),
        ({"players": ["white"]}, "royal-ur has 2 players, not 1"),
        ({"players": ["white", "white"]}, "each player can sit down only once: white, white"),
        ({"players": ["white", "light green"]}, "a player must be one word"),
        ({"players": ["white", "pink"]}, 'unknown colour "pink"; there are: white, black'),
        ({"turn": "pink"}, '"turn" must be one of white, black, not "pink"'),
        ({"await": "luck"}, '"await" must be one of throw-off, roll, move, enter, forfeit or null, not "luck"'),
        ({"await": None}, '"await" must be one of throw-off, roll, move, enter, forfeit, not null'),
        ({"await": ["roll"]}, '"await" must be one of throw-off, roll, move, enter, forfeit or null, not'),
        ({"dots": 4}, '"dots" must be a whole number from 0 to 3 or null, not 4'),
        ({"dots": 2}, '"dots" must be null while a throw is awaited, not 2'),
        ({"over": True}, '"over" is true, but no player has all counters home'),
        (_counters([15] * 7, [-1] * 7), '"over" is false, but a player has all counters home'),
        ({**_counters([15] * 7, [15] * 7), "over": True}, "only one player can have all counters home"),
        ({"counters": {"white": [-1] * 7}}, '"counters" lacks "black"'),
        ({"counters": {**START["counters"], "red": [-1] * 7}}, '"counters" has no "red"; there are: white, black'),
        (_counters([-1] * 6, [-1] * 7), '"counters" of white must be a list of 7, not [-1, -1, -1, -1, -1, -1]'),
        (_counters([-1] * 7, [-1] * 6 + [16]), 'entry 7 of "counters" of black must be a whole number from -1 to 15,'),
        (_counters([-1] * 6 + [5], [-1] * 6 + [5]), "both players cannot have counters on A2"),
        ({"thrown": 2}, '"thrown" belongs to the throw-off only'),
        ({"decides": "black"}, '"decides" must be white here, not black'),
        ({"await": "throw-off", **_counters([-1] * 6 + [0], [-1] * 7)}, "in the throw-off all counters are off"),
        ({**MOVE, "dots": None}, '"dots" must be 0, 2 or 3 while a move is awaited, not null'),
        ({**MOVE, "dots": 1}, '"dots" must be 0, 2 or 3 while a move is awaited, not 1'),
        ({**MOVE, **_counters([-1] * 7, [0] * 7)}, "no move can be awaited: white has none with 0 dots"),
        ({**MOVE, "decides": "black"}, '"decides" must be white here, not black'),
        ({**MOVE, "await": "enter", "dots": 1}, '"dots" must be 0, 2, 3 or null while a decision is awaited, not 1'),
        ({**MOVE, "await": "enter", **_counters([4] * 7, [-1] * 7)}, "white has no counter off the board"),
        ({**MOVE, "await": "enter", **_counters([-1] * 7, [-1] * 7)}, "white has no counter on a rosette"),
        ({**MOVE, "await": "forfeit"}, "no forfeit can be awaited: black has no counter that can move"),
        ({**MOVE, "await": "forfeit", "decides": "white"}, '"decides" must be black here, not white'),
        ({"dot_chance": 0.01}, '"dot_chance" must be a number from 0.05 to 0.95 or null, not 0.01'),
        ({"dot_chance": float("nan")}, '"dot_chance" must be a number from 0.05 to 0.95 or null, not NaN'),
        ({"squares": []}, '"squares" must be a list of 14 or null, not []'),
        ({"squares": [*SQUARES[:13], {"sign": "eyes"}]}, 'entry 14 of "squares" lacks "value"'),
        ({"squares": [{"sign": "moon", "value": 1}, *SQUARES[1:]]}, '"sign" of entry 1 of "squares" must be one of'),
        ({"squares": [{"sign": "eyes", "value": -1}, *SQUARES[1:]]}, '"value" of entry 1 of "squares" must be a whole'),
        ({"squares": [{"sign": "eyes", "value": 1, "x": 2}, *SQUARES[1:]]}, 'entry 1 of "squares" has no "x"; there'),
        ({"paths": {"white": WHITE_WAY}}, 'unknown colour "black"; there are: white'),
        ({"paths": {"white": WHITE_WAY, "black": BLACK_WAY[:15]}}, "black's path must be 16 different cells"),
        ({"paths": {"white": WHITE_WAY, "black": [*BLACK_WAY[:15], "E1"]}}, "black's path must be 16 different cells"),
        (
            {"paths": {"white": WHITE_WAY, "black": [*BLACK_WAY[:15], "f1"]}},
            'a space named like "E3", not "f1"',
        ),
        ({"paths": {"white": WHITE_WAY, "black": [*BLACK_WAY[:15], "F3"]}}, "both ways lead over F3"),
        ({"paths": {"white": WHITE_WAY, "black": BLACK_WAY[::-1]}}, "both ways lead over A2"),
    ]
]


NO_ACTIONS = [
    ([], "an action of royal-ur must be an object, not []"),
    ({}, "an action of royal-ur has one of roll, move, enter, decline, not {}"),
    ({"move": 3, "enter": True}, "an action of royal-ur has one of roll, move, enter, decline"),
    ({"walk": []}, 'an action of royal-ur has no "walk"; there are: roll, move, enter, decline'),
    ({"roll": 4}, '"roll" must be a whole number from 0 to 3, not 4'),
    ({"roll": [1, 2]}, '"roll" must be a whole number from 0 to 3, not [1, 2]'),
    ({"move": -1}, '"move" must be a whole number from 0 to 14, not -1'),
    ({"move": 15}, '"move" must be a whole number from 0 to 14, not 15'),
]

# ---- notation


LINE = "white=off*7 black=off*7 white roll -"


NO_LINES = [
    ("", "a position is written as counters, turn, the expected action and dots, not ''"),
    (LINE.replace("roll", "ROLL"), "a position is written as"),
    (LINE.replace("off*7", "off*8", 1), "a counter is written as"),
    (LINE.replace("- ", "") + " speed=3", "a position has no 'speed'; there are: by, thrown"),
    (LINE + " dot_chance=often", '"dot_chance" must be a number from 0.05 to 0.95 or null, not "often"'),
    (LINE + " squares=eyes:4", '"squares" must be a list of 14 or null, not [{"sign": "eyes", "value": 4}]'),
]

NO_ACTION_LINES = [(line,) for line in ["", "roll", "roll x", "move -1", "pass", "enter 3", "roll 3 3"]]
