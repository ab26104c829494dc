from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from engines.kernel import BadRequestError, Json, Seat
from engines.royal_racers import GAME
from engines.royal_racers.board import DECK, card_name
from engines.royal_racers.position import Phase, Position
from tests.engines.royal_racers.strategies import SEATS, after

CARDS = [card_name(card) for card in DECK]


def _new(options: dict[str, Json], players: Sequence[Seat] = SEATS[:2], seed: int = 0) -> Position:
    return GAME.new(players, options, seed)


def test_the_seed_alone_shuffles_the_cards() -> None:
    assert _new({}, seed=4) == _new({}, seed=4)
    assert _new({}, seed=4).cards != _new({}, seed=5).cards
    assert sorted(_new({}, seed=4).cards) == list(DECK)


def test_each_race_of_a_campaign_has_a_layout_of_its_own() -> None:
    position = _new({"races": 3})
    assert len({position.cards, *position.coming}) == 3


def test_a_layout_and_start_spaces_may_be_given() -> None:
    position = _new({"layout": CARDS, "starts": {"moons": "C4", "suns": "D3"}})
    assert GAME.position_to_json(position)["pawns"] == {"suns": "D3", "moons": "C4"}
    assert (position.cards, position.phase, position.turn) == (DECK, Phase.FLAG, "suns")


@pytest.mark.parametrize(
    ("seats", "placers"),
    [
        (2, "suns moons moons suns suns moons moons suns"),
        (3, "suns moons crowns moons crowns suns crowns suns moons suns moons crowns"),
        (4, "suns moons crowns arms moons crowns arms suns crowns arms suns moons arms suns moons crowns"),
    ],
)
def test_who_lays_first_goes_round_with_each_flag(seats: int, placers: str) -> None:
    starts: Json = dict(zip(SEATS, ["C3", "D3", "D4", "C4"][:seats], strict=False))
    position = _new({"starts": starts}, SEATS[:seats])
    laid = []
    while position.phase is Phase.FLAG:
        laid.append(position.turn)
        position = after(position, GAME.actions(position)[0])
    assert laid == placers.split()
    assert (position.phase, position.turn, position.round) == (Phase.ROLL, "suns", 1)


def test_the_flags_go_round_the_quadrants_from_the_start_and_the_sixth_comes_back() -> None:
    position = _new({"flags": 6, "starts": {"suns": "D4", "moons": "C3"}, "layout": CARDS})
    while position.phase is Phase.FLAG:
        position = after(position, GAME.actions(position)[0])
    assert GAME.position_to_json(position)["flags"] == {
        "suns": ["E4", "A4", "B1", "E1", "D5", "D4"],
        "moons": ["A1", "D1", "F4", "B4", "C1", "C3"],
    }


@pytest.mark.parametrize(
    ("players", "options", "sentence"),
    [
        (["suns"], {}, "royal-racers has 2 to 4 players, not 1"),
        (["a", "b", "c", "d", "e"], {}, "royal-racers has 2 to 4 players, not 5"),
        (["suns", "suns"], {}, "each player can sit down only once: suns, suns"),
        (["suns", "two moons"], {}, 'a player must be one word of letters, digits, - and _, not "two moons"'),
        (["suns", "moons"], {"size": 6}, '"options" has no "size"; there are: flags, flag_variant, rounds, races,'),
        (["suns", "moons"], {"flags": 1}, '"flags" of "options" must be a whole number from 2 to 6, not 1'),
        (["suns", "moons"], {"flags": 7}, '"flags" of "options" must be a whole number from 2 to 6, not 7'),
        (["suns", "moons"], {"flag_variant": 1}, '"flag_variant" of "options" must be true or false, not 1'),
        (["suns", "moons"], {"rounds": 0}, '"rounds" of "options" must be a whole number from 1 to 100000, not 0'),
        (["suns", "moons"], {"races": "2"}, '"races" of "options" must be a whole number from 1 to 99, not "2"'),
        (["suns", "moons"], {"layout": "shuffled"}, '"layout" of "options" must be a list or null, not "shuffled"'),
        (["suns", "moons"], {"layout": [7]}, 'entry 1 of "layout" of "options" must be a text, not 7'),
        (["suns", "moons"], {"layout": ["10-clubs"]}, "there is no card '10-clubs'"),
        (["suns", "moons"], {"layout": CARDS[1:]}, "each of the 36 cards must lie there once, but there is no A-clubs"),
        (["suns", "moons"], {"layout": [*CARDS, CARDS[0]]}, "there must be 36 cards, not 37"),
        (
            ["suns", "moons"],
            {"starts": ["C3", "D4"]},
            '"starts" of "options" must be an object or null, not ["C3"',
        ),
        (["suns", "moons"], {"starts": {"suns": "C3"}}, '"starts" lacks "moons"'),
        (["suns", "moons"], {"starts": {"suns": "C3", "moons": "C3"}}, "moons cannot start on 'C3'; choose another of"),
        (["suns", "moons"], {"starts": {"suns": "B2", "moons": "C3"}}, "suns cannot start on 'B2'"),
        (["suns", "moons"], {"starts": {"suns": "C3", "moons": "D4", "arms": "C4"}}, '"starts" has no "arms"'),
    ],
)
def test_an_impossible_set_up_is_reported_in_one_sentence(
    players: list[str], options: dict[str, Json], sentence: str
) -> None:
    with pytest.raises(BadRequestError, match=re.escape(sentence)):
        GAME.new([Seat(name) for name in players], options, 0)
