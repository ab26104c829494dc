"""Input that is no position or action: one sentence that says what, where and what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.kernel import BadRequestError
from engines.royal_racers import GAME, notation
from engines.royal_racers.board import DECK, NAMES, card_name
from engines.royal_racers.position import Deal
from tests.engines.royal_racers.strategies import SEATS

CARDS: Mapping[str, Any] = {cell: {"card": card_name(card), "up": True} for cell, card in zip(NAMES, DECK, strict=True)}
RACE: Mapping[str, Any] = {
    "players": ["suns", "moons"],
    "turn": "suns",
    "round": 3,
    "await": "roll",
    "rolled": None,
    "cards": CARDS,
    "flags": {"suns": ["B2", "E2", "C3"], "moons": ["E5", "A6", "D4"]},
    "touched": {"suns": 1, "moons": 0},
    "pawns": {"suns": "C2", "moons": "D4"},
    "over": False,
}
CAMPAIGN: Mapping[str, Any] = {
    **RACE,
    "terms": {"flags": 3, "races": 3},
    "coins": {"suns": [3], "moons": [1]},
    "coming": [[card_name(card) for card in DECK]],
}


def _card(cell: str, card: str, *, up: bool) -> Mapping[str, Any]:
    return {"cards": {**CARDS, cell: {"card": card, "up": up}}}


def test_a_position_needs_no_more_than_the_protocol_names() -> None:
    position = GAME.position_from_json(RACE)
    assert (position.terms.flags, position.terms.races, position.coins) == (3, 1, ())
    assert RACE.items() <= GAME.position_to_json(position).items()


def test_a_campaign_keeps_its_coins_and_the_layouts_to_come() -> None:
    written = GAME.position_to_json(GAME.position_from_json(CAMPAIGN))
    assert (written["coins"], written["coming"]) == (CAMPAIGN["coins"], CAMPAIGN["coming"])


def test_a_layout_to_deal_is_read_from_its_json_and_from_its_line() -> None:
    deal = Deal(DECK[::-1])
    assert GAME.action_from_json(GAME.action_to_json(deal)) == deal
    assert notation.read_action(notation.write_action(deal)) == deal


REQUIRED = [(RACE, key) for key in RACE]


NO_POSITIONS = [
    (RACE, *case)
    for case in [
        ({"game": "chess"}, '"game" must be "royal-racers", not "chess"'),
        ({"players": ["suns"]}, "royal-racers has 2 to 4 players, not 1"),
        ({"turn": "arms"}, '"turn" must be one of suns, moons, not "arms"'),
        ({"round": 0}, '"round" must be a whole number from 1 to 100000, not 0'),
        ({"round": 301}, '"round" must be a whole number from 1 to 300, not 301'),
        ({"await": "walk"}, '"await" must be one of start, flag, roll, flip, move, deal, not "walk"'),
        ({"over": True}, '"await" must be null when "over" is true, not "roll"'),
        ({"over": True, "await": None}, "the race cannot be over: no player has touched all flags"),
        ({"await": None}, '"await" must be one of start, flag, roll, flip, move, deal, not null'),
        ({"rolled": 6}, '"rolled" must be a whole number from 1 to 5 or "null" or null, not 6'),
        ({"rolled": 3}, '"rolled" must be null unless a flip or a move is awaited'),
        ({"await": "move"}, '"rolled" must hold the die when a move is awaited'),
        ({"await": "flip", "rolled": "null"}, "null was rolled, so no flip is awaited"),
        ({"await": "deal"}, "the race cannot be over: no player has touched all flags"),
        ({"await": "deal", "touched": {"suns": 3, "moons": 0}}, "no race is left, so no deal is awaited"),
        ({"await": "start"}, "all pawns stand on their start spaces, so no start is awaited"),
        ({"cards": {}}, '"cards" lacks "A1"'),
        ({"cards": {**CARDS, "G1": CARDS["A1"]}}, '"cards" has no "G1"'),
        (_card("A1", "10-clubs", up=True), "there is no card '10-clubs'"),
        (_card("A1", "2-clubs", up=True), "each of the 36 cards must lie there once, but there is no A-clubs"),
        (_card("F6", "9-spades", up=False), "the card on F6 cannot lie face down: it is 9-spades"),
        ({"flags": {"suns": ["B2"], "moons": []}}, '"flags" must be a whole number from 2 to 6, not 1'),
        ({"flags": {"suns": ["B2", "C3"], "moons": ["E5", "A6", "D4"]}}, "moons must have 2 flags on the table now"),
        ({"flags": {"suns": ["B2", "E2", "C3"], "moons": ["B2", "A6", "D4"]}}, "2 flags cannot lie on B2 together"),
        ({"flags": {"suns": ["B2", "E2", "A1"], "moons": ["E5", "A6", "D4"]}}, "suns's last flag must lie on a start"),
        ({"flags": {"suns": ["B9", "E2", "C3"], "moons": ["E5", "A6", "D4"]}}, "there is no space 'B9'"),
        ({"touched": {"suns": 4, "moons": 0}}, '"touched of suns" must be a whole number from 0 to 3, not 4'),
        ({"touched": {"suns": 3, "moons": 0}}, "a player has touched all flags, so the race is over"),
        ({"touched": {"suns": 3, "moons": 3}}, "only one player can have touched all flags"),
        ({"pawns": {"suns": "C2"}}, "2 pawns must stand on the grid, not 1"),
        ({"pawns": {"suns": "C2", "moons": "C2"}}, "2 pawns cannot stand on C2 together"),
        ({"pawns": {"suns": "C2", "arms": "D4"}}, '"pawns" has no "arms"; there are: suns, moons'),
        ({"terms": {"flags": 4}}, "suns must have 4 flags on the table now, not 3"),
        ({"terms": {"speed": 4}}, '"terms" has no "speed"'),
        ({"terms": {"races": 2}}, "1 races are left, but 0 layouts are coming"),
        ({"terms": {"races": 2}, "coming": [["A-clubs"]]}, "each of the 36 cards must lie there once"),
        ({"coins": {"suns": [1], "moons": [1]}}, "coins of 1 races are too many for a campaign of 1"),
        ({"coins": {"suns": [1], "moons": []}}, '"coins" must give each player one coin for each earlier race'),
        ({"coins": {"suns": ["x"], "moons": [1]}}, 'entry 1 of "coins" of suns must be a whole number from 0 to 6'),
    ]
]


def test_a_set_up_out_of_its_order_is_reported_in_one_sentence() -> None:
    laying = dict(GAME.position_to_json(GAME.new(SEATS[:2], {"starts": {"suns": "C3", "moons": "D4"}}, 0)))
    with pytest.raises(BadRequestError, match='"turn" must be suns, who is next in the set-up, not moons'):
        GAME.position_from_json({**laying, "turn": "moons"})
    with pytest.raises(BadRequestError, match="before the race each pawn stands on its start space"):
        GAME.position_from_json({**laying, "pawns": {"suns": "A1", "moons": "D4"}})
    with pytest.raises(BadRequestError, match="suns must have 1 flags on the table now, not 2"):
        GAME.position_from_json({**laying, "flags": {"suns": ["A1", "C3"], "moons": ["D4"]}, "turn": "moons"})


NO_ACTIONS = [
    ([], "an action of royal-racers must be an object, not []"),
    ({}, "an action of royal-racers has one of start, flag, roll, flip, step, pass, deal, not {}"),
    ({"step": "C2", "pass": True}, "an action of royal-racers has one of"),
    ({"walk": ["C2"]}, 'an action of royal-racers has no "walk"; there are: start, flag, roll, flip, step, pass,'),
    ({"roll": 0}, '"roll" must be a whole number from 1 to 5 or "null", not 0'),
    ({"roll": None}, '"roll" must be a whole number from 1 to 5 or "null", not null'),
    ({"step": "c2"}, '"step" must be a space named like "C3", not "c2"'),
    ({"deal": ["joker"]}, "there is no card 'joker'"),
]


# ---- notation


LINE = (
    "suns,moons suns 4/300 flip=3 flags=2 "
    "3C3d3H3SACAD/AHAS2C2D2H2s/4C4D4H4S5C5D/5H5S6C6D6H6S/7C7D7H7S8C8D/8H8S9C9D9H9S A1:0:A3.C3 D4:1:D1.D4 "
    "races=2:1.2 coming="
)


def test_the_line_of_these_tests_is_a_position() -> None:
    assert notation.write_position(notation.read_position(LINE)) == LINE


NO_LINES = [
    (LINE.replace(was, now, 1), sentence)
    for was, now, sentence in [
        (LINE, "", "a position is written as"),
        ("suns,moons", "suns", "a word for each of the 1 racers, not 2"),
        ("suns,moons", "suns,moons,arms", "a word for each of the 3 racers, not 2"),
        ("flip=3", "flip=6", "a position is written as"),
        ("flags=2", "flags=9", '"flags" of "terms" must be a whole number from 2 to 6, not 9'),
        ("4/300", "4/0", '"rounds" of "terms" must be a whole number from 1 to 100000, not 0'),
        ("3C3d", "3C", "the grid has 6 rows of 6 cards"),
        ("3C3d", "3C3x", "a card is written like"),
        ("3C3d", "3C3c", "there is no 3-diamonds"),
        ("A1:0", "-:0", '"pawns" has no "moons"; there are: suns'),
        ("A1:0", "B9:0", "a position is written as"),
        ("A1:0", "F11:0", "there is no space 'F11'"),
        ("A3.C3", "A3..C3", "there is no space ''"),
        ("2:1.2", "2:1.2.3", "a race gives each of 2 players a coin, not '1.2.3'"),
        ("2:1.2", "2:1.", "a race gives each of 2 players a coin, not '1.'"),
        ("coming=", "coming=9C", "each of the 36 cards must lie there once"),
    ]
]

NO_ACTION_LINES = [(line,) for line in ["", "step", "walk C2", "roll 6", "roll", "deal joker", "pass on"]]
