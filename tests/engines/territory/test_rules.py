from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.rulebook import rules_text
from engines.kernel import Json, Refusal, Seat
from engines.schema import write
from engines.territory import GAME, rules, scoring
from engines.territory.board import EIGHT_BY_EIGHT, MAPS, NINE_BY_EIGHT, Board
from engines.territory.cards import DECK
from engines.territory.position import Action, Await, Position, Roll
from tests.engines.drawing import parse_territory
from tests.engines.steps import any_step
from tests.engines.territory import reference
from tests.engines.territory.strategies import any_actions, option_sets, positions, seats, turns

Turn = tuple[Position, Action]


def _plain(position: Position) -> dict[str, Any]:
    return dict(GAME.position_to_json(position))


@settings(max_examples=60)
@given(seats(), option_sets(), st.integers(0, 9999))
def test_a_whole_game_goes_as_the_plain_rules_have_it(players: list[Seat], options: dict[str, Json], seed: int) -> None:
    position, random = GAME.new(players, options, seed), Random(seed)
    plain = _plain(position)
    while not position.over:
        assert [GAME.action_to_json(action) for action in GAME.actions(position)] == reference.options(plain)
        action = any_step(GAME, position, random)
        position = GAME.after(position, action).position
        after = reference.play(plain, dict(GAME.action_to_json(action)))
        assert after == _plain(position)
        plain = after
    assert reference.score(plain) == GAME.score(position)


@given(st.data())
def test_the_plain_rules_forbid_the_same_actions(data: st.DataObject) -> None:
    position = data.draw(positions())
    action = data.draw(any_actions(position))
    result = rules.play(position, action)
    plain = reference.play(_plain(position), dict(GAME.action_to_json(action)))
    assert plain == (None if isinstance(result, Refusal) else _plain(result.position))


@given(turns())
def test_the_events_report_every_piece_that_moves(turn: Turn) -> None:
    before, outcome = turn[0], GAME.after(*turn)
    found = [event.to_json() for event in outcome.events]
    assert found
    owner = dict(_plain(before)["owners"])
    white = set(_plain(before)["white"])
    for event in found:
        white, owner = _as_told(event, white, owner)
    assert (sorted(white), owner) == (sorted(_plain(outcome.position)["white"]), _plain(outcome.position)["owners"])


def _as_told(event: Any, white: set[str], owner: dict[str, str]) -> tuple[set[str], dict[str, str]]:
    match event["event"]:
        case "placed":
            return white | {event["cell"]}, owner
        case "captured":
            assert owner[event["cell"]] == event["from"]
            return white, {**owner, event["cell"]: event["player"]}
        case "busted":
            return white - set(event["cells"]), owner
        case "kept":
            return white - set(event["cells"]), {**owner, **dict.fromkeys(event["cells"], event["player"])}
    return white, owner


@given(turns())
def test_the_last_event_reports_whose_turn_it_is_when_that_has_changed(turn: Turn) -> None:
    before, outcome = turn[0], GAME.after(*turn)
    last = outcome.events[-1].to_json()
    if outcome.position.over:
        assert last["event"] == "game-over"
    elif outcome.position.turn != before.turn and before.roll_off is None:
        assert last == {"event": "turn", "player": outcome.position.turn}


@given(turns())
def test_events_never_name_a_hidden_card(turn: Turn) -> None:
    outcome = GAME.after(*turn)
    drawn = outcome.position.card
    named = {event.facts["card"] for event in outcome.events if "card" in event.facts}
    assert named <= {drawn}


def test_every_refusal_of_the_code_stands_in_the_rules_with_its_paragraph() -> None:
    folder, text = Path(rules.__file__).parent, rules_text("territory")
    rows = re.findall(r"^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (\d\.\d) \|", text, re.MULTILINE)
    source = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    given = dict(re.findall(r'Refusal\(\s*"([a-z-]+)", "(\d\.\d)"', source))
    assert given == {code: paragraph for codes, paragraph in rows for code in re.findall("[a-z-]+", codes)}
    assert all(f"\n{paragraph} " in text for paragraph in given.values())


# ---- scoring


DRAWN = parse_territory("12r  7r 12.\n 7.  2y  7r\n11w  7y  2r\nred,yellow,green red 8/8 choose 11.11.11 -")


def test_corners_do_not_connect_and_white_is_nobodys_yet() -> None:
    assert scoring.score(DRAWN) == {"red": 12, "yellow": 12, "green": 0}


def test_equal_scores_share_the_lead() -> None:
    over = replace(DRAWN, awaiting=Await.NOTHING)
    assert GAME.winners(over) == ("red", "yellow")


# ---- set up


THREE = ["red", "yellow", "green"]
GRID: dict[str, Json] = {"numbers": [[7, 6], [8, 7]]}
WOODS: list[Json] = [{"colour": "oak", "rgb": [1, 2, 3]}, {"colour": "ash"}, {"colour": "elm"}]


def _new(players: list[str], options: dict[str, Json] | None = None, seed: int = 0) -> Position:
    return GAME.new([Seat(name) for name in players], options or {}, seed)


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(THREE, 8), ([*THREE, "blue"], 6), ([*THREE, "blue", "purple"], 5), ([*THREE, "blue", "purple", "black"], 4)],
)
def test_more_players_play_fewer_rounds(players: list[str], rounds: int) -> None:
    assert _new(players).setting.rounds == rounds


def test_the_first_player_named_begins_and_a_card_lies_face_down() -> None:
    position = _new(["green", "red", "blue"])
    assert (position.turn, position.round, position.card, GAME.to_act(position)) == ("green", 1, None, "dice")
    assert position.deck != _new(["green", "red", "blue"], seed=1).deck
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
            position = GAME.after(position, Roll((rolls[seat],))).position
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


def test_the_deck_has_at_least_a_dozen_cards_that_differ_in_what_they_do() -> None:
    effects = [tuple(map(str, {**write(card), "id": None}.items())) for card in DECK]
    assert len(set(effects)) == len(DECK) >= 12
    every_effect = {key for card in DECK for key in write(card)} - {"id"}
    assert every_effect == {
        "free_rolls", "stop_from", "most_rolls", "pardons", "bust_keeps",
        "captures", "doubled", "closed", "mirrored", "reversed",
    }  # fmt: skip


def test_the_table_that_ships_is_not_written_into_positions() -> None:
    grid: Json = {"columns": 8, "rows": 8, "numbers": [list(row) for row in EIGHT_BY_EIGHT.rows()]}
    assert "table" not in GAME.position_to_json(_new(THREE, {"table": {"grid": grid}}))
    assert "table" in GAME.position_to_json(_new(THREE, {"map": "nine-by-eight"}))


def test_the_engine_and_the_table_file_know_the_same_map_and_colours() -> None:
    table = tomllib.loads((Path(__file__).parents[3] / "vision/boards/territory/board.toml").read_text("utf-8"))
    assert _new(THREE, {"table": table}) == _new(THREE)


def test_a_card_written_out_as_it_ships_is_the_one_that_ships() -> None:
    written = _new(THREE, {"deck": [write(card) for card in DECK]})
    assert written == _new(THREE)


def test_a_card_of_ones_own_may_take_the_name_of_one_that_ships() -> None:
    own: dict[str, Any] = {"id": "truce", "free_rolls": 2}
    position = _new(THREE, {"deck": ["calm", own], "shuffle": False})
    assert [position.setting.cards[name] for name in position.deck] == [position.setting.own_cards[0]]


NO_SET_UPS = [
    (["red", "green"], {}, "territory has 3 to 6 players, not 2"),
    ([*THREE, "blue", "purple", "black", "red"], {}, "territory has 3 to 6 players, not 7"),
    ([*THREE, "red"], {}, "each player can sit down only once: red, yellow, green, red"),
    ([*THREE, "white"], {}, 'unknown colour "white"; there are: red, yellow, green, blue, purple, black'),
    (THREE, {"size": 8}, '"options" has no "size"; there are: roll_off, map, table, rounds, deck, shuffle'),
    (THREE, {"map": "round"}, '"map" must be one of eight-by-eight, nine-by-eight, not "round"'),
    (THREE, {"map": "nine-by-eight", "table": {"grid": GRID}}, '"map" and "table" both say which map to play on'),
    (THREE, {"table": {"grid": GRID, "seat": WOODS}}, 'unknown colour "red"; there are: oak, ash, elm'),
    (THREE, {"deck": ["joker"]}, 'unknown card "joker"; there are: long-day'),
    (THREE, {"deck": [{"id": ""}]}, '"id" of entry 1 of "deck" of "options" must be one word of letters, digits, -'),
]
