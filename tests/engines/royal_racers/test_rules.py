from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engines.grid import CellIndex, bit
from engines.kernel import Json, Refusal, Seat
from engines.royal_racers import GAME, notation, rules, scoring
from engines.royal_racers.board import DECK, NAMES, card_name
from engines.royal_racers.position import Action, Deal, Flip, Pass, Phase, Position
from tests.engines.royal_racers import reference
from tests.engines.royal_racers.strategies import SEATS, tables, turns
from tests.engines.steps import any_step

Turn = tuple[Position, Action]


@given(turns())
def test_the_events_report_who_acts_next_and_whether_all_is_over(turn: Turn) -> None:
    outcome = GAME.after(*turn)
    found = [event.to_json() for event in outcome.events]
    assert (found[-1]["event"] == "game-over") == GAME.over(outcome.position)
    handed_on = [event["player"] for event in found if event["event"] == "turn"]
    assert handed_on in ([], [outcome.position.turn])
    assert bool(handed_on) or outcome.position.turn == turn[0].turn


@pytest.mark.parametrize("seed", range(12))
def test_the_engine_agrees_with_the_plain_reference_through_a_whole_race(seed: int) -> None:
    random = Random(seed)
    options = {"flags": 2 + seed % 5, "flag_variant": seed % 2 == 0, "rounds": 40}
    position = GAME.new(SEATS[: 2 + seed % 3], options, seed)
    state = dict(GAME.position_to_json(position))
    while not GAME.over(position):
        assert GAME.actions_to_json(position) == reference.legal(state)
        action = any_step(GAME, position, random)
        position = GAME.after(position, action).position
        state = reference.play(state, dict(GAME.action_to_json(action)))
        assert GAME.position_to_json(position) == state


@given(tables(), st.integers(0, 1000))
def test_any_action_on_any_table_has_the_outcome_of_the_plain_reference(position: Position, seed: int) -> None:
    state = dict(GAME.position_to_json(position))
    assert GAME.actions_to_json(position) == reference.legal(state)
    action = any_step(GAME, position, Random(seed))
    after = reference.play(state, dict(GAME.action_to_json(action)))
    assert GAME.position_to_json(GAME.after(position, action).position) == after


def test_four_pawns_on_all_cards_of_the_rank_let_any_card_be_turned_up_without_penalty() -> None:
    # Cards under pawns may lie face down themselves: here one of the threes does.
    line = (
        "suns,moons,crowns,arms suns 4/300 flip=3 flags=2 "
        "3C3d3H3SACAD/AHAS2C2D2H2s/4C4D4H4S5C5D/5H5S6C6D6H6S/7C7D7H7S8C8D/8H8S9C9D9H9S "
        "A1:0:A3.C3 B1:0:D1.D3 C1:0:E6.D4 D1:0:B5.C4"
    )
    position = notation.read_position(line)
    outcome = GAME.after(position, Flip(NAMES[11]))
    assert [event.name for event in outcome.events] == ["turned-up"]
    assert outcome.position.down == position.down & ~bit(CellIndex(11))
    assert outcome.position.pawns == position.pawns


@pytest.mark.parametrize("seed", range(4))
def test_any_36_cards_may_be_dealt_for_the_next_race(seed: int) -> None:
    random = Random(seed)
    position = GAME.new(SEATS[:3], {"flags": 2, "rounds": 2, "races": 2}, seed)
    while position.phase is not Phase.DEAL:
        position = GAME.after(position, any_step(GAME, position, random)).position
    cards = tuple(random.sample(position.cards, 36))
    dealt = GAME.after(position, Deal(cards)).position
    assert (dealt.cards, dealt.phase, dealt.race) == (cards, Phase.START, 2)
    assert scoring.score(dealt) == scoring.score(position)
    assert GAME.actions(position) == [Deal(position.coming[0])]


def test_a_wrong_card_is_shown_and_lies_face_down_again() -> None:
    position = notation.read_position(
        "suns,moons suns 4/300 flip=3 flags=2 "
        "3C3D3H3SACAD/AHAS2C2D2H2s/4C4D4H4S5C5D/5H5S6C6D6H6S/7C7D7H7S8C8D/8H8S9C9D9H9S A1:0:A3.C3 D4:0:D1.D4"
    )
    outcome = GAME.after(position, Flip(NAMES[11]))
    assert [event.to_json() for event in outcome.events] == [
        {"event": "wrong-card", "player": "suns", "cell": "F2", "card": card_name(position.cards[11])},
        {"event": "returned", "player": "suns", "from": "A1", "to": "C3"},
    ]
    assert outcome.position.down == position.down


@pytest.mark.parametrize(
    ("coins", "touched", "winners"),
    [
        (((5, 2), (1, 5)), (5, 0), ["suns"]),
        (((5, 4), (0, 5)), (3, 5), ["moons"]),
        (((3, 3), (3, 3)), (2, 2), ["suns", "moons"]),
        (((5, 0), (4, 5)), (4, 4), ["suns"]),
        (((5, 4), (5, 4)), (0, 5), ["moons"]),  # suns won two races of three
    ],
)
def test_a_campaign_goes_to_the_largest_sum_of_flags(
    coins: tuple[tuple[int, ...], ...], touched: tuple[int, ...], winners: list[str]
) -> None:
    position = GAME.new(SEATS[:2], {}, 0)
    running = replace(position, coins=coins, touched=touched)
    assert GAME.winners(running) == ()
    assert list(GAME.winners(replace(running, phase=Phase.OVER))) == winners


def test_a_flip_can_be_passed_only_where_that_is_agreed_on() -> None:
    position = GAME.new(SEATS[:2], {"starts": {"suns": "C3", "moons": "D4"}, "flags": 2, "optional_flip": True}, 3)
    random = Random(1)
    while position.phase is not Phase.FLIP:
        position = GAME.after(position, any_step(GAME, position, random)).position
    assert Pass() in GAME.actions(position)
    after = GAME.after(position, Pass()).position
    assert (after.phase, after.turn, after.down) == (Phase.MOVE, position.turn, position.down)
    agreed = replace(position, terms=structs.replace(position.terms, optional_flip=False))
    assert Pass() not in GAME.actions(agreed)
    assert rules.play(agreed, Pass()) == Refusal("not-awaited", "3.2")
    assert GAME.position_from_json(GAME.position_to_json(position)) == position
    assert notation.read_position(notation.write_position(position)) == position


# ---- whole games of players who act at random: the rules bound them (RULES.md 5.4)


def test_players_who_only_pass_are_stopped_by_the_last_round() -> None:
    position = GAME.new(SEATS[:2], {"flags": 2, "rounds": 4}, 5)
    random = Random(5)
    while not GAME.over(position):
        choices = GAME.actions(position)
        position = GAME.after(position, choices[-1] if choices else any_step(GAME, position, random)).position
    assert (position.round, position.touched) == (4, (0, 0))


# ---- set up


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
        position = GAME.after(position, GAME.actions(position)[0]).position
    assert laid == placers.split()
    assert (position.phase, position.turn, position.round) == (Phase.ROLL, "suns", 1)


def test_the_flags_go_round_the_quadrants_from_the_start_and_the_sixth_comes_back() -> None:
    position = _new({"flags": 6, "starts": {"suns": "D4", "moons": "C3"}, "layout": CARDS})
    while position.phase is Phase.FLAG:
        position = GAME.after(position, GAME.actions(position)[0]).position
    assert GAME.position_to_json(position)["flags"] == {
        "suns": ["E4", "A4", "B1", "E1", "D5", "D4"],
        "moons": ["A1", "D1", "F4", "B4", "C1", "C3"],
    }


NO_SET_UPS = [
    (["suns"], {}, "royal-racers has 2 to 4 players, not 1"),
    (["a", "b", "c", "d", "e"], {}, "royal-racers has 2 to 4 players, not 5"),
    (["suns", "suns"], {}, "each player can sit down only once: suns, suns"),
    (["suns", "two moons"], {}, 'a player must be one word of letters, digits, - and _, not "two moons"'),
    (["suns", "moons"], {"size": 6}, '"options" has no "size"; there are: flags, flag_variant, rounds, races,'),
    (["suns", "moons"], {"flags": 1}, '"flags" of "options" must be a whole number from 2 to 6, not 1'),
    (["suns", "moons"], {"flags": 7}, '"flags" of "options" must be a whole number from 2 to 6, not 7'),
    (["suns", "moons"], {"rounds": 0}, '"rounds" of "options" must be a whole number from 1 to 100000, not 0'),
    (["suns", "moons"], {"races": "2"}, '"races" of "options" must be a whole number from 1 to 99, not "2"'),
    (["suns", "moons"], {"layout": ["10-clubs"]}, "there is no card '10-clubs'"),
    (["suns", "moons"], {"layout": CARDS[1:]}, "each of the 36 cards must lie there once, but there is no A-clubs"),
    (["suns", "moons"], {"layout": [*CARDS, CARDS[0]]}, "there must be 36 cards, not 37"),
    (["suns", "moons"], {"starts": {"suns": "C3"}}, '"starts" lacks "moons"'),
    (["suns", "moons"], {"starts": {"suns": "C3", "moons": "C3"}}, "moons cannot start on 'C3'; choose another of"),
    (["suns", "moons"], {"starts": {"suns": "B2", "moons": "C3"}}, "suns cannot start on 'B2'"),
    (["suns", "moons"], {"starts": {"suns": "C3", "moons": "D4", "arms": "C4"}}, '"starts" has no "arms"'),
]
