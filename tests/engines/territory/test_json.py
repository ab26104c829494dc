"""Input that is no position, action or option: one sentence that says what, where and what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.kernel import Json, Seat
from engines.schema import read, write
from engines.territory import GAME, codec
from engines.territory.cards import DECK, Card

START: Mapping[str, Any] = {
    "game": "territory",
    "players": ["red", "yellow", "green"],
    "turn": "red",
    "round": 1,
    "owners": {},
    "white": [],
    "rolled": [],
    "await": "roll",
    "card": None,
    "deck": ["calm", "truce"],
    "over": False,
    "face_down": "mirror",
}
PLACE: Mapping[str, Any] = {**START, "await": "place", "rolled": [10]}
ROLL_OFF: Mapping[str, Any] = {
    **{key: value for key, value in START.items() if key != "face_down"},
    "await": "roll-off",
    "turn": "yellow",
    "roll_off": {"red": 5, "yellow": None, "green": None},
}
GRID: Mapping[str, Any] = {"numbers": [[2, 3], [4, 5]]}


def test_the_set_up_is_written_as_the_protocol_says() -> None:
    players = [Seat(name) for name in START["players"]]
    options: dict[str, Json] = {"deck": ["mirror", "calm", "truce"], "shuffle": False}
    assert GAME.position_to_json(GAME.new(players, options, 0)) == START


REQUIRED = [(START, key) for key in [key for key in START if key not in ("game", "face_down")]]


NO_POSITIONS = [
    (START, {"game": "chess"}, '"game" must be "territory", not "chess"'),
    (START, {"players": ["red", "green"]}, "territory has 3 to 6 players, not 2"),
    (START, {"players": ["red", "red", "green"]}, "each player can sit down only once: red, red, green"),
    (START, {"players": ["red", "pink", "green"]}, 'unknown colour "pink"; there are: red, yellow, green, blue'),
    (START, {"turn": "blue"}, '"turn" must be one of red, yellow, green, not "blue"'),
    (START, {"round": 9}, '"round" must be a whole number from 1 to 8, not 9'),
    (START, {"rounds": 0}, '"rounds" must be a whole number from 1 to 99 or null, not 0'),
    (START, {"owners": {"I1": "red"}}, "there is no space 'I1'; spaces are A1 to H8"),
    (START, {"owners": {"A1": "white"}}, 'the owner of A1 must be one of red, yellow, green, not "white"'),
    (START, {"white": ["A1"], "owners": {"A1": "red"}}, "A1 cannot be white and have an owner"),
    (START, {"rolled": [13]}, 'entry 1 of "rolled" must be a whole number from 2 to 12, not 13'),
    (START, {"await": "stop"}, '"await" must be one of roll-off, roll, place, choose, not "stop"'),
    (START, {"await": None}, '"await" must be one of roll-off, roll, place, choose, not null'),
    (START, {"await": "place"}, '"await" is "place", but nothing is rolled'),
    (START, {"white": ["A1"]}, '"white" has pieces of this turn, but nothing is rolled'),
    (START, {"await": "choose", "rolled": [3, 4, 5, 6]}, '"rolled" has 6 and '),
    (START, {"rolled": [2], "white": ["A1"]}, 'A1 cannot be white: the rolls in "rolled" place 0 pieces on spaces'),
    (PLACE, {"rolled": [10], "white": ["B1"]}, 'B1 cannot be white: the rolls in "rolled" place 0 pieces on sp'),
    (START, {"await": "choose", "rolled": [3, 4]}, '"await" is "choose", but that comes after 3 rolls, not 2'),
    (START, {"await": None, "over": True}, '"over" is true, but the game ends with the last turn of round 8, not with'),
    (PLACE, {"rolled": [2, 3, 4, 10, 10], "white": ["A1"]}, '"rolled" has 10 again after the free rolls'),
    (START, {"rolled": [2, 3, 4, 5, 6], "card": "curfew"}, '"rolled" has 5 numbers, but the turn ends after 5'),
    (PLACE, {"left": 3}, '"left" must be a whole number from 1 to 2, not 3'),
    (PLACE, {"table": {"grid": GRID}}, '"await" is "place", but no space takes a piece for 10'),
    (START, {"card": "joker"}, 'unknown card "joker"; there are: long-day, short-day'),
    (START, {"card": "a b"}, 'unknown card "a b"; there are: long-day, short-day, truce, raid, plunder,'),
    (START, {"deck": ["joker"]}, 'unknown card "joker"'),
    (START, {"face_down": "joker"}, 'unknown card "joker"'),
    (START, {"cards": [{"free_rolls": 1}]}, 'entry 1 of "cards" lacks "id"'),
    (START, {"cards": [{"id": "x", "text": "hello"}]}, 'entry 1 of "cards" has no "text"; there are: id, free_rolls,'),
    (START, {"cards": [{"id": "x", "free_rolls": 4}]}, '"free_rolls" of entry 1 of "cards" must be a whole number'),
    (START, {"cards": [{"id": "x", "doubled": [1]}]}, 'entry 1 of "doubled" of entry 1 of "cards" must be a whole'),
    (START, {"cards": [{"id": "x", "captures": "no"}]}, '"captures" of entry 1 of "cards" must be one of'),
    (START, {"cards": [{"id": "x"}, {"id": "x", "pardons": 1}]}, 'two different cards share the id "x"'),
    (START, {"table": {}}, '"table" lacks "grid"'),
    (START, {"table": {"grid": {}}}, '"grid" of "table" lacks "numbers"'),
    (START, {"table": {"grid": {"numbers": []}}}, '"numbers" of "grid" of "table" must be a list of 1 to 26, not []'),
    (START, {"table": {"grid": {"numbers": [[]]}}}, 'entry 1 of "numbers" of "grid" of "table" must be a list of 1 to'),
    (START, {"table": {"grid": {"numbers": [[2, 3], [4]]}}}, "the rows of a map must have equally many numbers"),
    (START, {"table": {"grid": {"numbers": [[1]]}}}, 'entry 1 of entry 1 of "numbers" of "grid" of "table" must be a'),
    (START, {"table": {"grid": {"numbers": [7]}}}, 'entry 1 of "numbers" of "grid" of "table" must be a list of 1 to'),
    (START, {"table": {"grid": {**GRID, "rows": 8}}}, 'the grid says 8 rows, but its "numbers" have 2'),
    (START, {"table": {"grid": GRID, "seat": []}}, "a table needs at least 3 seats, each with a colour of its own"),
    (START, {"table": {"grid": GRID, "seat": [{}]}}, 'entry 1 of "seat" of "table" lacks "colour"'),
    (
        START,
        {"table": {"grid": GRID, "seat": [{"colour": name} for name in ("white", "red", "green")]}},
        "a seat's colour cannot be white",
    ),
    (ROLL_OFF, {"roll_off": {"red": 5}}, '"roll_off" needs at least two players, who roll in turn order'),
    (ROLL_OFF, {"roll_off": {"red": None, "yellow": 3}}, '"roll_off" needs at least two players, who roll in turn'),
    (ROLL_OFF, {"roll_off": {"red": 5, "yellow": 3}}, '"roll_off" does not wait for "yellow", whose turn it is'),
    (ROLL_OFF, {"roll_off": {"red": 7, "yellow": None}}, '"roll_off" of red must be a whole number from 1 to 6 or'),
    (ROLL_OFF, {"roll_off": {"blue": None}}, '"roll_off" has no "blue"; there are: red, yellow, green'),
    (ROLL_OFF, {"turn": "red"}, '"roll_off" does not wait for "red", whose turn it is'),
    ({**START, "await": "roll-off"}, {}, 'the position lacks "roll_off"'),
]


NO_ACTIONS = [
    ([], "an action of territory must be an object, not []"),
    ({}, "an action of territory has one of roll, place, capture, stop, again, not {}"),
    ({"roll": [3], "stop": True}, "an action of territory has one of roll, place, capture, stop, again, not {"),
    ({"walk": []}, 'an action of territory has no "walk"; there are: roll, place, capture, stop, again'),
    ({"roll": []}, '"roll" must be the one or two dice thrown, not []'),
    ({"roll": [3, 7]}, 'entry 2 of "roll" must be a whole number from 1 to 6, not 7'),
    ({"roll": [3.0, 4]}, 'entry 1 of "roll" must be a whole number from 1 to 6, not 3.0'),
    ({"capture": "c4"}, '"capture" must be a space named like "C4", not "c4"'),
]


@pytest.mark.parametrize("card", DECK, ids=lambda card: card.id)
def test_a_card_read_from_its_json_is_the_same(card: Any) -> None:
    assert read(write(card), Card, "a card") == card


def test_what_may_be_seen_is_the_number_of_cards_and_which_are_still_unseen() -> None:
    seen = codec.public(GAME.position_from_json(START), Seat("red"))
    assert seen == {**START, "deck": 2, "face_down": True, "unseen": ["calm", "mirror", "truce"]}


# ---- notation


LINE = "red,yellow,green red 1/8 roll - - 8/8/8/8/8/8/8/8 deck=calm,truce face_down=mirror"
MIDDLE = "red,yellow,green yellow 2/8 choose 8.4.7 calm 6w1/8/a2w4/3w4/8/8/2b5/8 deck=truce,flood face_down=mirror"


NO_LINES = [
    ("", "a position is written as"),
    (LINE.replace("roll -", "roll"), "a position is written as"),
    (LINE.replace("8/8/8 ", "8/8 "), "there must be 8 rows of 8 spaces"),
    (LINE.replace("/8 deck", "/9 deck"), "there must be 8 rows of 8 spaces"),
    (LINE.replace("/8 deck", "/99999999999999999999 deck"), "there must be 8 rows of 8 spaces"),
    (LINE.replace("/8 deck", "/d7 deck"), "the rows name 'd', but only 3 play"),
    (LINE.replace("deck=", "turn="), 'the end of a position\'s line has no "turn"; there are: deck, left'),
    (LINE + " table={", "what follows table= must be JSON"),
    (LINE + " table={}", '"table" lacks "grid"'),
    (LINE + ' cards=[{"id":"x","pardons":9}]', '"pardons" of entry 1 of "cards" must be a whole number from 0 to 3,'),
]

NO_ACTION_LINES = [
    (line,) for line in ["", "roll", "roll 7", "roll 3  4", "roll 1 2 3", "place", "place c4", "stop now", "go"]
]
