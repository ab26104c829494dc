from __future__ import annotations

import re
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import BadRequestError, Json, Outcome, Seat
from engines.territory import GAME
from engines.territory.board import EIGHT_BY_EIGHT, MAPS, NINE_BY_EIGHT, Board
from engines.territory.cards import DECK, card_to_json
from engines.territory.position import Await, Position, Roll
from engines.territory.scoring import POINTS

THREE = ["red", "yellow", "green"]
GRID: dict[str, Json] = {"numbers": [[7, 6], [8, 7]]}
WOODS: list[Json] = [{"colour": "oak", "rgb": [1, 2, 3]}, {"colour": "ash"}, {"colour": "elm"}]


def _new(players: list[str], options: dict[str, Json] | None = None, seed: int = 0) -> Position:
    return GAME.new([Seat(name) for name in players], options or {}, seed)


@pytest.mark.parametrize(
    ("players", "rounds"),
    [
        (THREE, 8),
        ([*THREE, "blue"], 6),
        ([*THREE, "blue", "purple"], 5),
        ([*THREE, "blue", "purple", "black"], 4),
    ],
)
def test_more_players_play_fewer_rounds(players: list[str], rounds: int) -> None:
    assert _new(players).setting.rounds == rounds


def test_the_first_player_named_begins_and_a_card_lies_face_down() -> None:
    position = _new(["green", "red", "blue"])
    assert (position.turn, position.round, position.card, GAME.to_act(position)) == ("green", 1, None, "dice")
    assert sorted([*position.deck, position.face_down or ""]) == sorted(card.id for card in DECK)


def test_the_roll_off_comes_before_the_first_card() -> None:
    position = _new(THREE, {"roll_off": True})
    assert (position.awaiting, position.face_down, GAME.to_act(position)) == (Await.ROLL_OFF, None, "dice")
    assert len(position.deck) == len(DECK)


@given(st.lists(st.lists(st.integers(1, 6), min_size=3, max_size=3), min_size=1, max_size=5))
def test_the_player_who_begins_has_beaten_all_others_and_the_seats_stay_in_order(passes: list[list[int]]) -> None:
    position, contenders = _new(THREE, {"roll_off": True}), list(THREE)
    for dice in passes:
        if position.roll_off is None:
            break
        rolls = dict(zip(contenders, dice, strict=False))
        for seat in contenders:
            assert position.turn == seat
            outcome = GAME.play(position, Roll((rolls[seat],)))
            assert isinstance(outcome, Outcome)
            position = outcome.position
        contenders = [seat for seat in contenders if rolls[seat] == max(rolls.values())]
    assert (position.roll_off is None) == (len(contenders) == 1)
    assert position.turn == contenders[0]
    place = THREE.index(position.players[0])
    assert list(position.players) == THREE[place:] + THREE[:place]


def test_the_nine_by_eight_has_each_number_twice_as_often_as_there_are_ways_to_roll_it() -> None:
    counts = Counter(NINE_BY_EIGHT.numbers)
    assert [counts[number] for number in range(2, 13)] == [2, 4, 6, 8, 10, 12, 10, 8, 6, 4, 2]
    assert (NINE_BY_EIGHT.columns, len(NINE_BY_EIGHT.numbers)) == (9, 72)


@pytest.mark.parametrize("board", MAPS.values(), ids=MAPS)
def test_equal_numbers_are_nowhere_side_by_side(board: Board) -> None:
    rows = list(board.rows())
    lines = [*rows, *zip(*rows, strict=True)]
    assert all(one != other for line in lines for one, other in pairwise(line))


def test_points_are_what_the_rules_give() -> None:
    assert POINTS == {2: 11, 12: 11, 3: 9, 11: 9, 4: 7, 10: 7, 5: 5, 9: 5, 6: 3, 8: 3, 7: 1}


def test_the_deck_has_at_least_a_dozen_cards_that_differ_in_what_they_do() -> None:
    effects = [tuple(map(str, {**card_to_json(card), "id": None}.items())) for card in DECK]
    assert len(set(effects)) == len(DECK) >= 12
    every_effect = {key for card in DECK for key in card_to_json(card)} - {"id"}
    assert every_effect == {
        "free_rolls", "stop_from", "most_rolls", "pardons", "bust_keeps",
        "captures", "doubled", "closed", "mirrored", "reversed",
    }  # fmt: skip


def test_a_table_files_content_brings_its_own_map_and_colours() -> None:
    position = _new(["elm", "oak", "ash"], {"table": {"game": "territory", "grid": GRID, "seat": WOODS}})
    assert (position.board.names, position.board.numbers) == (("A1", "B1", "A2", "B2"), (7, 6, 8, 7))
    assert GAME.position_from_json(GAME.position_to_json(position)) == position


def test_the_table_that_ships_is_not_written_into_positions() -> None:
    grid: Json = {"columns": 8, "rows": 8, "numbers": [list(row) for row in EIGHT_BY_EIGHT.rows()]}
    assert "table" not in GAME.position_to_json(_new(THREE, {"table": {"grid": grid}}))
    assert "table" in GAME.position_to_json(_new(THREE, {"map": "nine-by-eight"}))


def test_the_engine_and_the_table_file_know_the_same_map_and_colours() -> None:
    table = tomllib.loads((Path(__file__).parents[3] / "vision/boards/territory/board.toml").read_text("utf-8"))
    assert _new(THREE, {"table": table}) == _new(THREE)


def test_a_card_written_out_as_it_ships_is_the_one_that_ships() -> None:
    written = _new(THREE, {"deck": [card_to_json(card) for card in DECK]})
    assert written == _new(THREE)


def test_a_card_of_ones_own_may_take_the_name_of_one_that_ships() -> None:
    own: dict[str, Any] = {"id": "truce", "free_rolls": 2}
    position = _new(THREE, {"deck": ["calm", own], "shuffle": False})
    assert [position.setting.card(name) for name in position.deck] == [position.setting.own_cards[0]]


@pytest.mark.parametrize(
    ("players", "options", "sentence"),
    [
        (["red", "green"], {}, "territory has 3 to 6 players, not 2"),
        ([*THREE, "blue", "purple", "black", "red"], {}, "territory has 3 to 6 players, not 7"),
        ([*THREE, "red"], {}, "each player can sit down only once: red, yellow, green, red"),
        ([*THREE, "white"], {}, 'unknown colour "white"; there are: red, yellow, green, blue, purple, black'),
        (THREE, {"size": 8}, '"options" has no "size"; there are: roll_off, map, table, rounds, deck, shuffle'),
        (THREE, {"roll_off": 1}, '"roll_off" of "options" must be true or false, not 1'),
        (THREE, {"shuffle": "no"}, '"shuffle" of "options" must be true or false, not "no"'),
        (THREE, {"map": "round"}, '"map" must be one of eight-by-eight, nine-by-eight, not "round"'),
        (THREE, {"map": "nine-by-eight", "table": {"grid": GRID}}, '"map" and "table" both say which map to play on'),
        (THREE, {"table": {"grid": GRID, "seat": WOODS}}, 'unknown colour "red"; there are: oak, ash, elm'),
        (THREE, {"rounds": 2.5}, '"rounds" of "options" must be a whole number from 1 to 99 or null, not 2.5'),
        (THREE, {"deck": "calm"}, '"deck" of "options" must be a list or null, not "calm"'),
        (THREE, {"deck": ["joker"]}, 'unknown card "joker"; there are: long-day'),
        (THREE, {"deck": [3]}, 'entry 1 of "deck" of "options" must be a text or an object, not 3'),
        (
            THREE,
            {"deck": [{"id": ""}]},
            '"id" of entry 1 of "deck" of "options" must be one word of letters, digits, -',
        ),
        (
            THREE,
            {"deck": [{"id": "x", "mirrored": 1}]},
            '"mirrored" of entry 1 of "deck" of "options" must be true or false, not 1',
        ),
    ],
)
def test_an_impossible_set_up_is_reported_in_one_sentence(
    players: list[str], options: dict[str, Json], sentence: str
) -> None:
    with pytest.raises(BadRequestError, match=re.escape(sentence)):
        _new(players, options)
