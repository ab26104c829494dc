from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pytest

from engines.kernel import BadRequestError, Cell, Json, Outcome, Seat
from engines.royal_tee import GAME
from engines.royal_tee.board import Side
from engines.royal_tee.position import Position, Walk
from engines.royal_tee.rules import play, steps_from, walk_along

WHITE: Mapping[str, Json] = {"colour": "white", "side": "left", "start": "A1", "rgb": [255, 255, 255]}
BLACK: Mapping[str, Json] = {"colour": "black", "side": "right", "start": "L12"}
OTHER_COPY = (WHITE, BLACK)


def _new(players: Sequence[str], options: dict[str, Json] | None = None) -> Position:
    return GAME.new([Seat(name) for name in players], options or {}, 0)


@pytest.mark.parametrize(
    ("players", "order"),
    [
        (["red", "green"], "red green"),
        (["green", "red"], "red green"),
        (["yellow", "blue"], "blue yellow"),
        (["yellow", "green", "red", "blue"], "red blue green yellow"),
    ],
)
def test_turns_go_counter_clockwise_from_red_or_the_first_seat_after_it(players: list[str], order: str) -> None:
    position = _new(players)
    assert (" ".join(position.players), position.turn) == (order, order.split(maxsplit=1)[0])


def test_a_printed_copy_with_other_colours_zones_and_starts_is_data() -> None:
    position = _new(["black", "white"], {"seats": OTHER_COPY})
    assert position.players == ("white", "black")
    assert position.zones == (Side.LEFT, Side.RIGHT)
    assert GAME.position_to_json(position)["royals"] == {"white": "A1", "black": "L12"}


def test_a_position_of_another_copy_keeps_its_zones_in_json_and_through_a_turn() -> None:
    position = _new(["black", "white"], {"seats": OTHER_COPY})
    assert GAME.position_to_json(position)["zones"] == {"white": "left", "black": "right"}
    outcome = play(position, walk_along(steps_from(position, position.royal(position.turn))[:1]))
    assert isinstance(outcome, Outcome)
    assert GAME.position_from_json(GAME.position_to_json(outcome.position)) == outcome.position


def test_the_zone_that_is_wall_is_the_one_of_the_printed_copy() -> None:
    start = _new(["black", "white"], {"seats": [{**WHITE, "start": "A4"}, BLACK]})
    around_a5 = ["B4", "B5", "B6", "A6"]
    data = {**GAME.position_to_json(start), "slider": 4}
    outcome = play(GAME.position_from_json(data), Walk(tuple(map(Cell, around_a5))))
    assert isinstance(outcome, Outcome)
    assert outcome.events[2].to_json() == {"event": "enclosed", "player": "white", "cells": ["A5"], "taken": {}}


@pytest.mark.parametrize(
    ("players", "options", "sentence"),
    [
        ([], {}, "royal-tee has 2 or 4 players, not 0"),
        (["red"], {}, "royal-tee has 2 or 4 players, not 1"),
        (["red", "blue", "green"], {}, "royal-tee has 2 or 4 players, not 3"),
        (["red", "blue"], {}, "two must sit opposite each other"),
        (["red", "red"], {}, "each player can sit down only once: red, red"),
        (["red", "pink"], {}, 'unknown colour "pink"; there are: red, blue, green, yellow'),
        (["red", "green"], {"size": 8}, '"options" has no "size"; there are: seats'),
        (["red", "green"], {"seats": []}, '"seats" of "options" must be a list of at least 1 or null, not []'),
        (
            ["red", "green"],
            {"seats": {"red": "F12"}},
            '"seats" of "options" must be a list of at least 1 or null, not {"red": "F12"}',
        ),
        (["red", "green"], {"seats": ["red"]}, 'entry 1 of "seats" of "options" must be an object, not "red"'),
        (["red", "green"], {"seats": [{"colour": "red"}]}, 'entry 1 of "seats" of "options" lacks "side"'),
        (["white", "black"], {"seats": [WHITE, {**BLACK, "start": "A1"}]}, "a start space of its own"),
        (["white", "black"], {"seats": [WHITE, {**BLACK, "start": "M1"}]}, "there is no space 'M1'"),
        (["white", "black"], {"seats": [WHITE, {**BLACK, "side": "left"}]}, "its zone is at the left"),
        (
            ["white", "black"],
            {"seats": [WHITE, {**BLACK, "side": "up"}]},
            '"side" of entry 2 of "seats" of "options" must be one of bottom, right, top,',
        ),
    ],
)
def test_an_impossible_set_up_is_reported_in_one_sentence(
    players: list[str], options: dict[str, Json], sentence: str
) -> None:
    with pytest.raises(BadRequestError, match=re.escape(sentence)):
        _new(players, options)
