"""Throws by hand: read by the camera, counted on the panel, corrected and kept."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.choices import DICE, THROW_DICE
from companion.core.display import bar, digits, view
from companion.core.entries import Arranged, Played
from companion.core.messages import DiceRead, Recalled, SeatsArranged, Show, StartTimer, Throw, Thrown, TimerFired
from companion.core.state import new_state
from companion.core.step import step
from companion.core.verdicts import ActionSource, Confirmed, Refused, Unclear
from companion.games import GAMES
from companion.games.speech import SPEECHES
from companion.ui.words import verdict_words
from engines.kernel import Seat
from hardware.panel import Button, SliderMoved
from tests.companion.core.tables import ChoosingTable, act
from tests.companion.evening_table import EveningTable

UR, TERRITORY, RACERS = (GAMES[game] for game in ("royal-ur", "territory", "royal-racers"))


ROLL, DONE, BACK, MODE = Button.ROLL, Button.DONE, Button.BACK, Button.MODE


def ur(dice: str = "camera") -> ChoosingTable:
    return ChoosingTable(UR, "white black", dice)


def test_a_throw_that_is_read_is_shown_and_counts_after_a_short_wait() -> None:
    table = ur()
    effects = table.take(DiceRead(act(UR, roll=2), 0))
    assert not table.played
    assert [timer.name for timer in effects if isinstance(timer, StartTimer)] == [DICE]
    assert [effect.lit.number for effect in effects if isinstance(effect, Show)] == [2]
    table.take(TimerFired(DICE, 10**9))
    assert table.played == [({"roll": 2}, ActionSource.CAMERA)]


def test_a_misread_throw_is_counted_instead_without_throwing_again() -> None:
    table = ur()
    table.take(DiceRead(act(UR, roll=2), 0))
    table.press(BACK)
    table.take(TimerFired(DICE, 10**9))
    assert not table.played
    table.press(ROLL, ROLL, ROLL, ROLL)
    assert (digits(table.state), bar(table.state)) == (3, 3)
    effects = table.press(DONE)
    assert table.played == [({"roll": 3}, ActionSource.TYPED)]
    assert not [effect for effect in effects if isinstance(effect, Throw)]


def test_a_misread_throw_that_counted_already_is_corrected_without_throwing_again() -> None:
    table = ur()
    table.take(DiceRead(act(UR, roll=2), 0))
    table.press(DONE, BACK)
    assert view(table.state).dice_read == act(UR, roll=2), "it still stands"
    table.press(ROLL, ROLL, DONE)
    assert table.played[-1] == ({"roll": 1}, ActionSource.TYPED)


def test_back_over_a_throw_keeps_it() -> None:
    table = ur()
    table.take(DiceRead(act(UR, roll=2), 0))
    table.press(DONE, BACK, DONE)
    assert [action for action, _source in table.played] == [{"roll": 2}, {"roll": 2}]
    replayed = new_state(UR, table.start)
    for entry in table.entries:
        replayed, _effects = step(replayed, Recalled(entry))
    assert replayed.progress == table.state.progress


def test_a_throw_of_the_companion_s_own_seat_that_was_taken_back_counts_again() -> None:
    table = ur("button")
    table.take(Thrown(act(UR, roll=2), 0))
    table.take(SeatsArranged(Arranged(companion_seats=(Seat("black"),)), 0))
    table.take(Thrown(act(UR, roll=1), 0))
    table.press(BACK, BACK, ROLL)
    assert [action for action, _source in table.played][2:] == [{"roll": 2}]
    table.take(Thrown(act(UR, roll=3), 0))
    assert table.played[-1][0] == {"roll": 1}


def test_a_throw_that_was_taken_back_counts_no_more_where_other_dice_are_thrown() -> None:
    table = ChoosingTable(TERRITORY, "red yellow green", "button", roll_off=True)
    for dice in ([4], [2], [1], [6, 2]):
        table.take(Thrown(act(TERRITORY, roll=dice), 0))
    table.press(BACK, BACK, BACK, BACK)
    for die in (3, 3, 1):
        table.take(Thrown(act(TERRITORY, roll=[die]), 0, ActionSource.TYPED))
    assert [effect for effect in table.press(ROLL) if isinstance(effect, Throw)], "both throw again, one die"


def test_back_goes_on_back_over_a_throw_that_was_taken_back() -> None:
    table = ur()
    table.take(DiceRead(act(UR, roll=2), 0))
    table.press(DONE)
    table.take(DiceRead(act(UR, roll=1), 0))
    table.press(DONE, BACK, BACK)
    assert table.state.position == table.start


def test_two_dice_are_counted_one_after_the_other_and_back_goes_to_the_one_before() -> None:
    table = ChoosingTable(TERRITORY, "red green blue", "typed")
    assert view(table.state).dice_awaited == 2
    table.press(ROLL, ROLL, DONE)
    assert view(table.state).dice_counted == (2,)
    table.press(BACK)
    assert (table.state.number, table.state.dice_counted) == (2, ())
    table.press(ROLL, DONE)
    table.take(SliderMoved(9, 0))
    assert digits(table.state) == 6, "a die has no more"
    table.press(DONE)
    assert table.played == [({"roll": [3, 6]}, ActionSource.TYPED)]


def test_the_face_without_a_number_is_counted_as_0() -> None:
    table = ChoosingTable(RACERS, "suns moons", "typed")
    while not table.game.turns.dice.awaited(table.state.position):
        table.take(Recalled(Played(_any_action(table))))
    table.press(ROLL, DONE)
    assert table.played == [({"roll": "null"}, ActionSource.TYPED)]


def _any_action(table: ChoosingTable) -> Any:
    engine = table.game.engine
    return engine.action_to_json(engine.actions(table.state.position)[0])


def test_the_companion_throws_where_people_choose_that() -> None:
    table = ur("typed")
    assert not [effect for effect in table.press(ROLL, BACK) if isinstance(effect, Throw)]
    table.press(MODE)
    assert view(table.state).buttons[DONE] == THROW_DICE
    assert [effect for effect in table.press(DONE) if isinstance(effect, Throw)]


def test_what_people_count_is_not_interrupted_by_the_camera() -> None:
    table = ur()
    table.press(ROLL)
    table.take(DiceRead(act(UR, roll=2), 0))
    table.press(DONE)
    assert table.played == [({"roll": 0}, ActionSource.TYPED)]


@pytest.mark.parametrize("dice", ["camera", "typed"])
def test_stopping_is_still_possible_where_one_may_throw_again(dice: str) -> None:
    table = ChoosingTable(TERRITORY, "red green blue", dice)
    engine = table.game.engine
    while not (table.game.turns.dice.awaited(table.state.position) and table.game.turns.choices(table.state.position)):
        if table.game.turns.dice.awaited(table.state.position):
            table.press(ROLL, ROLL, DONE, ROLL, ROLL, ROLL, DONE)
        else:
            table.take(Recalled(Played(_any_action(table))))
    assert view(table.state).buttons[DONE] == "stop"
    before = engine.position_to_json(table.state.position)
    table.take(DiceRead(act(TERRITORY, roll=[1, 1]), 0))
    table.press(BACK, MODE, MODE)
    assert view(table.state).buttons[DONE] == "stop"
    assert engine.position_to_json(table.state.position) == before


# ---- ROLL before the move is confirmed


def placing() -> EveningTable:
    """A table on which a piece was put after a throw, and not judged yet."""
    table = EveningTable("territory", 5)
    while not table.game.engine.actions(table.state.position):
        table.goes_forward()
    table.put_right()
    action = table.game.engine.actions(table.state.position)[0]
    table.labels = dict(table.game.placement(table.game.engine.after(table.state.position, action).position))
    return table


def throws(table: EveningTable) -> int:
    return sum("roll" in entry.action for entry in table.log.entries if isinstance(entry, Played))


def test_roll_that_is_pressed_while_the_move_is_judged_throws_once_it_is_confirmed() -> None:
    table = placing()
    before, placed_by = throws(table), view(table.state).to_act
    table.look(0.2)
    table.press(ROLL, ROLL)
    assert view(table.state).buttons[ROLL] == "throw-soon"
    assert throws(table) == before
    table.look(1.0)
    assert throws(table) == before + 1
    verdict = table.state.verdict
    assert isinstance(verdict, Confirmed) and verdict.seat is None
    assert verdict.earlier is not None and verdict.earlier.seat == placed_by, "the move is told with the throw"
    told = verdict_words(view(table.state), SPEECHES["territory"].words)
    assert "placed" in told and "rolled" in told


def test_a_throw_does_not_ask_again_for_pieces_that_were_put_down_before_the_next_look() -> None:
    table = EveningTable("territory", 5)
    while not (table.awaits_throw and isinstance(told := table.state.verdict, Confirmed) and told.todo):
        table.goes_forward()
    table.lay(table.state.position)
    table.press(ROLL)
    thrown = view(table.state)
    assert "Put" not in verdict_words(thrown, SPEECHES["territory"].words)
    assert thrown.todo, "it is shown beside the throw until that is seen"
    table.look(1.0)
    assert not view(table.state).todo


def test_roll_is_not_kept_for_a_move_that_is_refused_or_comes_much_later() -> None:
    table = placing()
    before, put = throws(table), dict(table.labels)
    table.labels = {**table.labels, next(cell for cell, label in put.items() if label == "empty"): "white"}
    table.press(ROLL)
    table.look(9.0)
    assert isinstance(table.state.verdict, Refused | Unclear)
    assert ROLL not in view(table.state).buttons
    table.labels = put
    table.look(3.0)
    assert throws(table) == before


def test_roll_is_not_kept_where_people_throw_themselves_or_in_a_game_without_dice() -> None:
    for table in (ur("camera"), ChoosingTable(GAMES["royal-tee"], "red green", "button")):
        table.press(ROLL)
        assert view(table.state).buttons.get(ROLL) != "throw-soon"
