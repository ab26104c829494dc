"""A move by hands, sampled in time."""

from random import Random

import pytest

from companion.simulator.hands import Hands, Pace, Script
from engines.kernel import Cell
from vision.board import shipped_board

BOARD = shipped_board("royal-tee")
BEFORE = {Cell("F12"): "red-royal", Cell("G1"): "green-royal", Cell("F10"): "green"}
PATH = tuple(map(Cell, ("F12", "F11", "F10")))
AFTER = {Cell("F12"): "red", Cell("F11"): "red", Cell("F10"): "red-royal", Cell("G1"): "green-royal"}


def hands(seed: int = 1) -> Hands:
    return Hands(BOARD, Random(seed), Pace(reach_s=1.0, piece_s=0.5))


def a_walk(rest_s: float = 0.0) -> Script:
    people = hands()
    return people.script(people.set_up(BEFORE), AFTER, PATH, "bottom", rest_s)


def test_a_script_begins_with_the_table_before_and_ends_with_the_table_after() -> None:
    script = a_walk()
    assert script.at(0.0).placement() == BEFORE
    assert script.at(script.ends_s).placement() == AFTER


def test_the_walking_piece_is_in_the_hand_until_it_is_put_down() -> None:
    script = a_walk()
    in_between = script.at(1.6).placement()
    assert "red-royal" not in in_between.values()
    assert in_between[Cell("F12")] == "red"


def test_a_walk_that_comes_back_lifts_the_piece_and_puts_it_down_again() -> None:
    people = hands()
    path = tuple(map(Cell, ("F12", "F11", "F12")))
    after = {**BEFORE, Cell("F11"): "red"}
    script = people.script(people.set_up(BEFORE), after, path, "bottom")
    assert Cell("F12") not in script.at(1.1).placement()
    assert script.at(script.ends_s).placement() == after


@pytest.mark.parametrize(
    ("time_s", "in_view"), [(0.5, True), (1.7, True), (3.2, True), (99.0, False)], ids=["in", "puts", "out", "gone"]
)
def test_the_hand_is_in_view_while_it_works_and_gone_afterwards(time_s: float, in_view: bool) -> None:
    assert (a_walk().at(time_s).hand is not None) == in_view


def test_the_hand_reaches_in_from_the_side_where_its_player_sits() -> None:
    hand = a_walk().at(0.1).hand
    assert hand is not None
    assert hand.side == "bottom"
    assert hand.tip_mm[1] > BOARD.size[1]


def test_a_hand_that_rests_stays_where_the_last_piece_was_put() -> None:
    script = a_walk(rest_s=5.0)
    one, other = script.at(4.0).hand, script.at(7.0).hand
    assert one is not None
    assert one == other
    assert script.ends_s == a_walk().ends_s + 5.0


def test_what_already_lies_as_wanted_is_not_touched() -> None:
    people = hands()
    lies = people.set_up(BEFORE)
    assert people.script(lies, BEFORE, (), "top") == Script(lies)


def test_pieces_stand_a_little_off_their_cells_middles_the_same_way_for_the_same_seed() -> None:
    one, other = hands(3).set_up(BEFORE), hands(3).set_up(BEFORE)
    assert one == other
    x, y = one[Cell("F12")].at_mm
    middle = BOARD.centres_mm()[BOARD.cells.index("F12")]
    assert 0 < abs(x - middle[0]) + abs(y - middle[1]) < 8
