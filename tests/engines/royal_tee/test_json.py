"""Input that is no position, action or option: one sentence that says what, where and what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

START: Mapping[str, Any] = {
    "game": "royal-tee",
    "players": ["red", "green"],
    "turn": "red",
    "slider": 1,
    "royals": {"red": "F12", "green": "G1"},
    "claimed": {"red": ["F12"], "green": ["G1"]},
    "over": False,
}
EVERY_CELL = [f"{column}{row}" for column in "ABCDEFGHIJKL" for row in range(1, 13)]


REQUIRED = [(START, key) for key in [key for key in START if key != "game"]]


NO_POSITIONS = [
    (START, *case)
    for case in [
        ({"game": "chess"}, '"game" must be "royal-tee", not "chess"'),
        ({"players": ["red"]}, "royal-tee has 2 or 4 players, not 1"),
        ({"players": ["red", "red"]}, "each player can sit down only once: red, red"),
        ({"players": ["red", "blue"]}, "players cannot be red, blue in this order: two must sit opposite each other"),
        ({"players": ["red", "pink"]}, 'unknown colour "pink"; there are: red, blue, green, yellow'),
        ({"players": ["red", "pink"], "zones": {"pink": "up"}}, '"zones" of pink must be one of bottom, right, top,'),
        ({"players": ["red", "lime green"], "zones": {"lime green": "top"}}, "a player must be one word"),
        ({"zones": {"green": "bottom"}}, "each player needs a side of the board of their own"),
        ({"players": ["red", "yellow", "green", "blue"]}, "turns go counter-clockwise"),
        ({"turn": "blue"}, '"turn" must be one of red, green, not "blue"'),
        ({"slider": 0}, '"slider" must be a whole number from 1 to 9, not 0'),
        ({"slider": 10}, '"slider" must be a whole number from 1 to 9, not 10'),
        ({"royals": {"red": "F12"}}, '"royals" lacks "green"'),
        ({"royals": {"red": "F12", "green": "G1", "blue": "L7"}}, '"royals" has no "blue"; there are: red, green'),
        ({"royals": {"red": "F13", "green": "G1"}}, "there is no space 'F13'; spaces are A1 to L12"),
        ({"royals": {"red": "F12", "green": "F12"}}, "two Royal Tees, red and green, cannot both stand on F12"),
        ({"royals": {"red": "F11", "green": "G1"}}, "F11 is under the Royal Tee of red, so it must be among red's"),
        ({"royals": {"red": "G1", "green": "F12"}}, "G1 is under the Royal Tee of red, so it must be among red's"),
        ({"claimed": {"red": ["F12", "M1"], "green": ["G1"]}}, "there is no space 'M1'; spaces are A1 to L12"),
        ({"claimed": {"red": ["F12", "E5"], "green": ["G1", "E5"]}}, "E5 cannot be claimed by both red and green"),
        ({"over": True}, '"over" is true, but A1 is not claimed'),
        ({"claimed": {"red": [cell for cell in EVERY_CELL if cell != "G1"], "green": ["G1"]}}, '"over" is false, but'),
    ]
]


NO_ACTIONS = [
    ([], "an action of royal-tee must be an object, not []"),
    ({}, "an action of royal-tee has one of walk, pass, not {}"),
    ({"walk": ["F11"], "pass": True}, "an action of royal-tee has one of walk, pass, not {"),
    ({"roll": 3}, 'an action of royal-tee has no "roll"; there are: walk, pass'),
    ({"walk": ["f11"]}, 'entry 1 of "walk" must be a space named like "F12", not "f11"'),
    ({"walk": ["F" * 99]}, "..."),
]


# ---- notation


LINE = "red@bottom,green@top red 1 6B5/12/12/12/12/12/12/12/12/12/12/5A6"


NO_LINES = [
    ("", "a position is written as"),
    (LINE.replace("red 1", "red"), "a position is written as"),
    (LINE.replace("@bottom", ""), 'a player is written as "red@bottom"'),
    (LINE.replace("@top", "@top,red@left"), "there must be one C"),
    (LINE.replace("5A6", "5A5"), "12 rows of 12"),
    (LINE.replace("/12/", "/", 1), "12 rows of 12"),
    (LINE.replace("/12/", "/999999999999/", 1), "12 rows of 12"),
    (LINE.replace("5A6", "12"), "one A"),
    (LINE.replace("/12/", "/11A/", 1), "one A"),
    (LINE.replace("/12/", "/11c/", 1), "more players"),
]
