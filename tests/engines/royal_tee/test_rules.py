from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.grid import Bitboard, CellIndex, cells_in, set_of
from engines.kernel import Cell, Json, Seat
from engines.royal_tee import GAME, notation
from engines.royal_tee.board import NAMES, NEIGHBOURS, SIZE, Side, cell_index
from engines.royal_tee.position import Action, Pass, Position, Walk
from engines.royal_tee.rules import (
    actions,
    after_walk,
    distinct_walks,
    enclosed,
    play,
    steps_from,
    walk_along,
)
from tests.engines.royal_tee import reference
from tests.engines.royal_tee.strategies import boards, positions, turns

Turn = tuple[Position, Action]


@given(turns())
def test_a_walk_claims_and_encloses_what_it_does_by_the_plain_rules(turn: Turn) -> None:
    position, action = turn
    if isinstance(action, Walk):
        table = reference.Table.of(position)
        table.walk(position.turn, [divmod(cell_index(name), SIZE) for name in action.cells])
        assert reference.Table.of(GAME.after(position, action).position) == table


@given(turns())
def test_the_outcome_depends_only_on_the_end_and_the_spaces_visited(turn: Turn) -> None:
    position, action = turn
    if isinstance(action, Walk):
        cells = [cell_index(name) for name in action.cells]
        visited = set_of([position.royal(position.turn), *cells])
        assert after_walk(position, cells[-1], visited) == play(position, action)


@given(turns(), st.integers(1, 3))
def test_turning_the_board_with_its_seats_changes_nothing(turn: Turn, quarters: int) -> None:
    position, action = turn
    assert GAME.after(_turned(position, quarters), _turned_action(action, quarters)).position == _turned(
        GAME.after(*turn).position, quarters
    )


@given(turns())
def test_the_events_report_all_that_has_changed(turn: Turn) -> None:
    before, outcome = turn[0], GAME.after(*turn)
    found = [event.to_json() for event in outcome.events]
    mover = before.place(before.turn)
    gained = outcome.position.claimed[mover] & ~before.claimed[mover]
    cells = [cell for event in found if event["event"] in ("claimed", "enclosed") for cell in _texts(event["cells"])]
    assert sorted(cells) == sorted(NAMES[index] for index in cells_in(gained))
    last = "game-over" if outcome.position.over else "turn"
    assert found[-1]["event"] == last
    assert ("slider-moved" in [event["event"] for event in found]) == (outcome.position.slider > before.slider)


def test_every_winner_of_a_tie_is_reported() -> None:
    rows = [*["a" * SIZE] * 5, "a" * 11 + "A", *["b" * SIZE] * 4, "b" * 11 + "B", "b" * 11 + "1"]
    position = notation.read_position("red@bottom,green@top green 1 " + "/".join(rows))
    outcome = GAME.after(position, Walk((Cell("L12"),)))
    assert outcome.events[-1].to_json() == {"event": "game-over", "winners": ["red", "green"]}
    assert GAME.to_act(outcome.position) is None


def _texts(value: object) -> list[str]:
    assert isinstance(value, list)
    return value


def _turned_cell(index: CellIndex, quarters: int) -> CellIndex:
    """Turn a space counter-clockwise about the board's middle."""
    row, column = divmod(index, SIZE)
    for _ in range(quarters):
        row, column = SIZE - 1 - column, row
    return CellIndex(row * SIZE + column)


def _turned_set(spaces: Bitboard, quarters: int) -> Bitboard:
    return set_of(_turned_cell(index, quarters) for index in cells_in(spaces))


def _turned(position: Position, quarters: int) -> Position:
    return replace(
        position,
        royals=tuple(_turned_cell(royal, quarters) for royal in position.royals),
        claimed=tuple(_turned_set(spaces, quarters) for spaces in position.claimed),
        zones=tuple(list(Side)[(zone.place + quarters) % len(Side)] for zone in position.zones),
    )


def _turned_action(action: Action, quarters: int) -> Action:
    if isinstance(action, Pass):
        return action
    return Walk(tuple(NAMES[_turned_cell(cell_index(name), quarters)] for name in action.cells))


# ---- whole games of players who step at random


FAR_TOO_MANY_TURNS = 5000


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [["red", "green"], ["blue", "yellow"], ["red", "blue", "green", "yellow"]])
def test_a_random_game_comes_to_its_end_and_the_scores_add_up_to_144(players: list[str], seed: int) -> None:
    random = Random(seed)
    position = GAME.new([Seat(name) for name in players], {}, seed)
    turns = 0
    while not GAME.over(position):
        outcome = GAME.after(position, GAME.any_action(position, random))
        assert outcome.position.slider == min(9, 1 + (turns + 1) // len(players)) or outcome.position.over
        position, turns = outcome.position, turns + 1
        assert turns < FAR_TOO_MANY_TURNS
    assert sum(GAME.score(position).values()) == 144
    assert (GAME.to_act(position), GAME.actions(position)) == (None, [])


# ---- walks


@given(positions(st.integers(1, 5)))
def test_counting_by_shapes_agrees_with_walking_every_walk(position: Position) -> None:
    found = distinct_walks(position)
    visited = [sorted(NAMES[cell] for cell in cells_in(walk.visited)) for walk in found]
    counted = {(NAMES[walk.end], *names): walk.walks for walk, names in zip(found, visited, strict=True)}
    assert counted == _walked_one_by_one(position)


def _walked_one_by_one(position: Position) -> dict[tuple[str, ...], int]:
    """Return the numbers of walks that end on the same space and visit the same spaces, by their names."""
    return {(walk["end"], *walk["visited"]): walk["walks"] for walk in reference.listing(position)}


@given(positions(st.integers(1, 5)))
def test_every_example_is_a_walk_with_its_end_and_visited_spaces(position: Position) -> None:
    for found in distinct_walks(position):
        assert _is_walk(position, found.example)
        assert _walked(position, found.example) == (found.end, found.visited)


@given(positions(st.integers(1, 4)))
def test_the_list_for_the_protocol_agrees_with_walking_every_walk(position: Position) -> None:
    if not position.over and steps_from(position, position.royal(position.turn)):
        made: list[dict[str, Any]] = [dict(walk) for walk in GAME.actions_to_json(position)]
        assert _walked_one_by_one(position) == {(walk["end"], *walk["visited"]): walk["walks"] for walk in made}


@given(positions())
def test_every_action_is_listed_once_and_none_when_the_game_is_over(position: Position) -> None:
    listed = actions(replace(position, slider=min(position.slider, 3)))
    assert len(listed) == len(set(listed))
    assert bool(listed) != position.over


def _walked(position: Position, walk: tuple[CellIndex, ...]) -> tuple[CellIndex, Bitboard]:
    return walk[-1], set_of([position.royal(position.turn), *walk])


def _is_walk(position: Position, walk: tuple[CellIndex, ...]) -> bool:
    here = position.royal(position.turn)
    for there in walk:
        if there not in steps_from(position, here) or there not in NEIGHBOURS[here]:
            return False
        here = there
    return True


# ---- enclosure


zones = st.sampled_from(Side)


@given(boards(), zones)
def test_flooding_all_spaces_at_once_agrees_with_flooding_place_by_place(own: Bitboard, zone: Side) -> None:
    assert enclosed(own, zone) == reference.enclosed(own, zone)


# ---- set up


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
    outcome = GAME.after(position, walk_along(steps_from(position, position.royal(position.turn))[:1]))
    assert GAME.position_from_json(GAME.position_to_json(outcome.position)) == outcome.position


def test_the_zone_that_is_wall_is_the_one_of_the_printed_copy() -> None:
    start = _new(["black", "white"], {"seats": [{**WHITE, "start": "A4"}, BLACK]})
    around_a5 = ["B4", "B5", "B6", "A6"]
    data = {**GAME.position_to_json(start), "slider": 4}
    outcome = GAME.after(GAME.position_from_json(data), Walk(tuple(map(Cell, around_a5))))
    assert outcome.events[2].to_json() == {"event": "enclosed", "player": "white", "cells": ["A5"], "taken": {}}


NO_SET_UPS = [
    ([], {}, "royal-tee has 2 or 4 players, not 0"),
    (["red"], {}, "royal-tee has 2 or 4 players, not 1"),
    (["red", "blue", "green"], {}, "royal-tee has 2 or 4 players, not 3"),
    (["red", "blue"], {}, "two must sit opposite each other"),
    (["red", "red"], {}, "each player can sit down only once: red, red"),
    (["red", "pink"], {}, 'unknown colour "pink"; there are: red, blue, green, yellow'),
    (["red", "green"], {"size": 8}, '"options" has no "size"; there are: seats'),
    (["red", "green"], {"seats": []}, '"seats" of "options" must be a list of at least 1 or null, not []'),
    (["red", "green"], {"seats": {"red": "F12"}}, '"seats" of "options" must be a list of at least 1 or null, not'),
    (["red", "green"], {"seats": [{"colour": "red"}]}, 'entry 1 of "seats" of "options" lacks "side"'),
    (["white", "black"], {"seats": [WHITE, {**BLACK, "start": "A1"}]}, "a start space of its own"),
    (["white", "black"], {"seats": [WHITE, {**BLACK, "start": "M1"}]}, "there is no space 'M1'"),
    (["white", "black"], {"seats": [WHITE, {**BLACK, "side": "left"}]}, "its zone is at the left"),
    (["white", "black"], {"seats": [WHITE, {**BLACK, "side": "up"}]}, '"side" of entry 2 of "seats" of "options" must'),
]
