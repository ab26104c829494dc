from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.kernel import Advice, Level, Seat
from engines.royal_ur import GAME, notation, search
from engines.royal_ur.board import COUNTERS, HOME, OFF
from engines.royal_ur.position import Action, Await, Lanes, Position, Roll
from engines.royal_ur.rules import COUNT_OF_DOTS, Option, options, throw_chances
from engines.royal_ur.search import prospect, prospects
from engines.royal_ur.solve import endings
from engines.royal_ur.weights import LEARNED
from tests.engines.royal_ur.strategies import NEW_GAMES, PLAYERS, SEEDS, before_throw, decisions, played
from tests.evaluate.ur_weights import FEATURES, learned, module_text, self_played
from tests.narrow import there


def _advised(position: Position, throws_ahead: int | None = None, level: Level = Level.STRONG) -> Advice[Action]:
    return there(search.advise(position, throws_ahead, level=level))


@given(before_throw(), st.sampled_from(sorted(COUNT_OF_DOTS)))
def test_the_tree_that_is_searched_is_the_one_of_the_rules(position: Position, dots: int) -> None:
    thrown = GAME.after(position, Roll(dots)).position
    by_rules = _options(thrown) if thrown.awaits is Await.MOVE else []
    assert _sorted(options(position.board, _seen_by_thrower(position), dots)) == _sorted(by_rules)


def _options(position: Position) -> list[Option]:
    """Follow the rules up to the next throw: what the thrower can choose among, and then the opponent."""
    if position.over or position.awaits is Await.ROLL:
        return [[_seen_by_thrower(position)]]
    after = (GAME.after(position, action).position for action in GAME.actions(position))
    followers = [option for then in after for option in _options(then)]
    return followers if position.decides == position.turn else [[leaf for option in followers for leaf in option]]


def _seen_by_thrower(position: Position) -> Lanes:
    return position.lane(position.turn), position.lane(position.other(position.turn))


def _sorted(found: list[Option]) -> list[Option]:
    return sorted(sorted(option) for option in found)


@settings(max_examples=40, deadline=None)  # the first example solves the endings
@given(SEEDS)
def test_a_solved_ending_is_worth_the_mean_of_what_its_throws_lead_to_by_the_rules(seed: int) -> None:
    position = _ending(Random(seed))
    found = prospect(position, position.turn)
    throws = [prospect(GAME.after(position, Roll(dots)).position, position.turn) for dots in range(4)]
    mean = sum(chance * held.points for chance, held in zip(throw_chances(0.5), throws, strict=True))
    assert found.exact
    assert found.points == pytest.approx(mean, abs=1e-7)


def _ending(random: Random) -> Position:
    """Give a position in which both players have one or two counters left."""
    lanes = [[HOME] * (COUNTERS - 2) + [random.randrange(OFF, HOME), random.randrange(OFF, HOME + 1)] for _ in PLAYERS]
    lanes[1] = [OFF if index in lanes[0] and 5 <= index <= 12 else index for index in lanes[1]]
    one, other = (tuple(sorted(lane)) for lane in lanes)
    return NEW_GAMES[0].then(Await.ROLL, (one, other), PLAYERS[0], PLAYERS[0], None)


@pytest.mark.parametrize(
    ("dot_chance", "win"), [(0.5, (3 / 8 + 3 / 8) / (3 / 8 + 2 * 3 / 8)), (0.3, (0.189 + 0.441) / (0.189 + 2 * 0.441))]
)
def test_one_step_from_home_each_the_chance_is_what_pencil_and_paper_say(dot_chance: float, win: float) -> None:
    """Two dots win, one dot passes the dice, all else changes nothing: w = p2 + p1 (1 - w) + (1 - p1 - p2) w."""
    line = f"white=14,home*6 black=14,home*6 white roll - dot_chance={dot_chance}"
    held = prospect(notation.read_position(line.removesuffix(" dot_chance=0.5")), Seat("white"))
    assert held.win == pytest.approx(win, abs=1e-8)
    assert held.points == pytest.approx(win - (1 - win), abs=1e-8)


def test_solving_fewer_counters_gives_the_same_values() -> None:
    board = NEW_GAMES[0].board
    one, two = endings(board, 0.5, 1), endings(board, 0.5, 2)
    rows = [two.number[lane] for lane in one.number]
    assert np.allclose(one.points, two.points[np.ix_(rows, rows)], atol=1e-8)


@settings(deadline=None)
@given(played() | before_throw())
def test_what_one_player_hopes_for_the_other_fears(position: Position) -> None:
    one, other = (prospect(position, seat, 0) for seat in position.players)
    assert one.points == pytest.approx(-other.points)
    assert one.win == pytest.approx(1 - other.win)


@settings(deadline=None)
@given(played())
def test_a_prospect_is_a_chance_and_a_finished_game_is_known(position: Position) -> None:
    held = prospect(position, position.players[0], 0)
    assert 0 <= held.win <= 1
    if position.over:
        score = GAME.score(position)
        assert held.exact
        assert held.points == score[position.players[0]] - score[position.players[1]]


@pytest.mark.parametrize(("thrown", "beginning"), [(None, 1 / 2), (0, 1 / 16), (1, 5 / 16), (2, 11 / 16), (3, 15 / 16)])
def test_in_the_throw_off_the_prospect_weighs_beginning_against_coming_second(
    thrown: int | None, beginning: float
) -> None:
    """The one who throws second begins with more dots than `thrown`, or after a tie in one case of two."""
    start = GAME.new(PLAYERS, {"throw_off": True}, 0)
    second = start if thrown is None else GAME.after(start, Roll(thrown)).position
    begins = prospect(GAME.new(PLAYERS, {}, 0), PLAYERS[0]).points
    chance = beginning if thrown is None else 1 - beginning
    assert prospect(second, second.turn).points == pytest.approx(begins * (2 * chance - 1))


@settings(max_examples=40, deadline=None)
@given(decisions())
def test_the_advice_is_an_open_decision_and_none_promises_more(decision: tuple[Position, Action]) -> None:
    position, action = decision
    advice, held = _advised(position, 0), prospects(position, 0)
    assert advice.action in held
    assert advice.value == held[advice.action].points >= held[action].points
    assert advice.numbers["choices"] == len(held)


@pytest.mark.parametrize(
    ("line", "action", "code"),
    [
        ("white=S*6,home black=off*7 white move 2", "move 0", "only-choice"),
        ("white=10,home*6 black=off*7 white move 3", "move 10", "wins"),
        ("white=3,14,home*5 black=off*7 white move 2", "move 14", "comes-home"),
        ("white=6,7,home*5 black=home*5,13,14 white move 0", "move 6", "reaches-four-fives"),
        ("white=off*3,2,8,home*2 black=off*3,12,home*3 white move 0", "move 8", "hits"),
        ("white=off*6,3 black=off*6,S white move 2", "move 3", "only-choice"),
        ("white=off*5,S,3 black=off*6,S white move 2", "move 3", "reaches-rosette"),
        ("white=off*6,4 black=off*7 white enter 2", "enter", "enters"),
    ],
)
def test_the_advice_says_in_a_word_why(line: str, action: str, code: str) -> None:
    advice = _advised(notation.read_position(line))
    assert (notation.write_action(advice.action), advice.code) == (action, code)


def test_an_easy_adviser_hurries_a_medium_one_takes_what_offers_itself_and_a_strong_one_expects_most() -> None:
    position = notation.read_position("white=1,10,home*5 black=5,S,home*5 white move 0")
    easy, medium, strong = (_advised(position, level=level) for level in Level)
    assert [notation.write_action(found.action) for found in (easy, medium)] == ["move 10", "move 1"]
    held = prospects(position)
    assert strong.action == max(held, key=lambda action: held[action].points)
    assert strong.value >= max(easy.value, medium.value)


def test_the_numbers_of_a_winning_move_are_certain() -> None:
    position = notation.read_position("white=10,home*6 black=off*7 white move 3")
    advice = _advised(position)
    assert advice.numbers == {"points": 175.0, "win": 1.0, "exact": 1.0, "choices": 1.0}


def test_eyes_that_send_the_opponents_last_counter_home_lose_the_game() -> None:
    held = prospects(notation.read_position("white=9,S,home*5 black=11,home*6 white move 2"))
    by_move = {notation.write_action(action): (found.points, found.win) for action, found in held.items()}
    assert by_move["move 0"] == (-9.0, 0.0)
    assert by_move["move 9"] > (0.0, 0.5)


@pytest.mark.parametrize("line", ["white=off*7 black=off*7 white roll -", "white=home*7 black=off*7 white over -"])
def test_where_nothing_is_to_decide_there_is_no_advice(line: str) -> None:
    assert search.advise(notation.read_position(line)) is None


def test_of_games_given_some_chance_to_win_about_that_share_is_won() -> None:
    """Calibration of the estimate, on games that it was not learned from."""
    random = Random(2024)
    samples = [sample for _ in range(160) for sample in self_played(LEARNED, random)]
    found = np.array([LEARNED.value(lanes)[1] for lanes, _ in samples])
    won = np.array([points > 0 for _, points in samples])
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        among = (found >= low) & (found < low + 0.2)
        assert abs(found[among].mean() - won[among].mean()) < 0.08
    assert np.mean((found - won) ** 2) < 0.22  # saying one half always would have 0.25


def test_learning_is_repeatable_and_finds_that_home_is_nearer_on_the_board() -> None:
    small = learned((10, 10), seed=1)
    assert small == learned((10, 10), seed=1)
    assert small.points[0] < small.points[14]
    assert len(small.points) == len(small.win) == FEATURES


def test_the_module_of_weights_is_what_learning_writes() -> None:
    scope: dict[str, object] = {}
    exec(module_text(LEARNED), scope)  # noqa: S102 - the text is our own
    assert scope["LEARNED"] == LEARNED
