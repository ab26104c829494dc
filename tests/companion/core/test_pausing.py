"""A pause loses nothing, and after a take-back the companion's own seat waits until it is asked to play on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.choices import COMPANION, DICE, LEAVE, alternatives
from companion.core.display import bar, digits, lamps, view
from companion.core.entries import Arranged
from companion.core.messages import (
    ActionEntered,
    Advise,
    CellSet,
    ChoiceMade,
    DiceRead,
    SeatsArranged,
    StartTimer,
    Throw,
    Thrown,
    TimerFired,
)
from companion.core.playing import DEADLINE, entered
from companion.core.state import BY_BUTTON, State, new_state, winners
from companion.core.step import step
from companion.core.verdicts import ActionSource
from companion.games import GAMES
from engines.kernel import Cell, Seat
from hardware.panel import Button, ButtonPressed, Rhythm
from tests.companion.core.tables import ChoosingTable, act, of_type
from tests.contracts.tables import played
from tests.narrow import there

TERRITORY, UR, RACERS = (GAMES[game] for game in ("territory", "royal-ur", "royal-racers"))
ROLL, DONE, BACK, MODE = Button.ROLL, Button.DONE, Button.BACK, Button.MODE
WHITE, BLACK = Seat("white"), Seat("black")


def ur(*companion_seats: Seat, dice: str = BY_BUTTON) -> ChoosingTable:
    """A game whose first throw is expected from white."""
    table = ChoosingTable(UR, "white black", dice)
    table.take(SeatsArranged(Arranged(companion_seats=companion_seats, dice=dice), 0))
    return table


# ---- the companion's own seat


def own_turn() -> State:
    """White, a seat of the companion's, has thrown, entered a counter, and thrown again; it is to move."""
    table = ur(WHITE)
    table.state = replace(table.state, sees=False)
    table.take(Thrown(act(UR, roll=3), 0))
    assert of_type(table.take(ActionEntered(act(UR, enter=True), 0)), Throw)
    assert of_type(table.take(Thrown(act(UR, roll=3), 0)), Advise)
    return table.state


def test_after_a_take_back_the_companion_waits_for_done_before_it_plays_its_own_seat() -> None:
    state, effects = step(own_turn(), ButtonPressed(BACK, 10**9))
    assert not of_type([*effects], Throw)
    assert [choice.code for choice in alternatives(state)][:1] == [COMPANION]
    assert view(state).buttons[DONE] == COMPANION
    _state, effects = step(state, ButtonPressed(DONE, 2 * 10**9))
    assert len(of_type([*effects], Throw)) == 1


def test_all_actions_can_be_taken_back_one_by_one() -> None:
    state = own_turn()
    for press in range(3):
        state, effects = step(state, ButtonPressed(BACK, (press + 1) * 10**9))
        assert not of_type([*effects], Advise)
        assert not of_type([*effects], Throw)
    assert not state.progress.past


def test_a_pause_does_not_let_the_companion_act_that_waits() -> None:
    state, _effects = step(own_turn(), ButtonPressed(BACK, 10**9))
    for _press in range(2):
        state, effects = step(state, ButtonPressed(MODE, 2 * 10**9, held=True))
        assert not of_type([*effects], Throw)


def test_the_companion_plays_on_by_itself_once_people_have_played_again() -> None:
    state, _effects = step(own_turn(), ButtonPressed(BACK, 10**9))
    state, effects = step(state, ButtonPressed(BACK, 2 * 10**9, held=True))
    assert of_type([*effects], Advise), "nothing that was taken back is left"
    assert COMPANION not in [choice.code for choice in alternatives(state)]


def test_the_companion_goes_on_when_the_end_is_taken_back() -> None:
    state = own_turn()
    state, _effects = step(state, ButtonPressed(MODE, 10**9, held=True))
    codes = [choice.code for choice in alternatives(state)]
    state, _effects = step(state, ChoiceMade(codes.index("count-now"), 2 * 10**9))
    assert state.progress.ended
    _state, effects = step(state, ButtonPressed(BACK, 3 * 10**9))
    assert of_type([*effects], Advise)


# ---- what a pause keeps


def test_a_pause_keeps_what_was_chosen_and_counted() -> None:
    table = ur(dice="typed")
    table.press(ROLL, ROLL)
    counted = there(table.state.number)
    table.press(MODE, held=True)
    table.press(MODE, MODE)
    table.press(MODE, held=True)
    assert (table.state.number, table.state.paused) == (counted, False)
    table.press(MODE)
    chosen = there(table.state.chosen)
    table.press(MODE, held=True)
    table.press(MODE)
    table.take(ChoiceMade(0, table.at_ns))
    assert (table.state.paused, table.state.chosen) == (False, chosen)


def test_a_throw_that_was_read_before_a_pause_counts_after_it() -> None:
    table = ur(dice="camera")
    table.take(DiceRead(act(UR, roll=2), 0))
    table.press(MODE, held=True)
    table.take(TimerFired(DICE, 10**9))
    played = len(table.played)
    assert [timer.name for timer in of_type(table.press(MODE, held=True), StartTimer)] == [DICE]
    table.take(TimerFired(DICE, 2 * 10**9))
    assert len(table.played) == played + 1


def test_a_throw_that_comes_in_a_pause_is_dropped_and_can_be_made_again() -> None:
    table = ur()
    assert of_type(table.press(ROLL), Throw)
    table.press(MODE, held=True)
    played = len(table.played)
    table.take(Thrown(act(UR, roll=2), table.at_ns))
    assert len(table.played) == played
    table.press(MODE, held=True)
    assert of_type(table.press(ROLL), Throw)


@pytest.mark.parametrize("event", [ActionEntered(act(UR, roll=1), 0), CellSet(Cell("A1"), "white", 0)])
def test_nothing_is_played_or_set_in_a_pause(event: ActionEntered | CellSet) -> None:
    table = ur(dice="typed")
    table.press(MODE, held=True)
    before = table.state
    table.take(event)
    assert (table.state.position, table.state.overrides) == (before.position, before.overrides)
    table.press(MODE, held=True)
    table.take(event)
    assert (table.state.position, table.state.overrides) != (before.position, before.overrides)


# ---- what the panel shows in a pause


def test_all_lamps_show_the_pause_and_the_leaving_players_lamp_who_it_is_about() -> None:
    table = ur()
    table.press(MODE, held=True)
    assert set(lamps(table.state).values()) == {Rhythm.PAUSED}
    shown = []
    for _press in range(len(alternatives(table.state))):
        choice = alternatives(table.state)[table.state.chosen or 0]
        lit = [seat for seat, rhythm in lamps(table.state).items() if rhythm is Rhythm.TURN]
        assert lit == ([choice.by] if choice.code == LEAVE else [])
        shown.append(bar(table.state))
        table.press(MODE)
    assert shown == [*range(1, len(shown) + 1)], "the bar shows the place of the choice"


def test_digits_show_a_throw_until_another_player_has_acted() -> None:
    table = ur()
    table.take(Thrown(act(UR, roll=1), 0))
    assert (UR.turns.prompt(table.state.position).seat, digits(table.state)) == (BLACK, 1), "one dot ends a turn"
    turns = played("racers").turns
    state = new_state(RACERS, turns[0].before)
    shown = set()
    for turn in turns:
        seat, action = RACERS.turns.prompt(state.position).seat, turn.action
        state, _effects = entered(state, action, ActionSource.TYPED)
        if not isinstance(action, RACERS.turns.dice.kind) and RACERS.turns.prompt(state.position).seat not in (
            None,
            seat,
        ):
            shown.add(digits(state))
    assert shown == {None}


def test_nobody_wins_a_game_that_is_ended_before_anybody_has_a_point() -> None:
    state = new_state(TERRITORY, TERRITORY.engine.new([Seat("green"), Seat("purple"), Seat("red")], {}, 0))
    state, _effects = step(state, ButtonPressed(MODE, 0, held=True))
    state, _effects = step(state, ChoiceMade(2, 0))
    assert state.progress.ended
    assert winners(state) == ()
    assert set(lamps(state).values()) == {Rhythm.OFF}


def test_a_second_press_while_the_dice_are_thrown_throws_no_second_time() -> None:
    table = ur()
    assert len(of_type(table.press(ROLL), Throw)) == 1
    assert not of_type(table.press(ROLL), Throw)


# ---- the hourglass


def hourglass() -> ChoosingTable:
    """The Study after a number was called: the hourglass has begun to run."""
    table = ChoosingTable(GAMES["royal-study"], "white black")
    table.state = replace(table.state, sees=False, setting_up=False)
    table.take(ActionEntered(act(table.game, call=9, by="white"), 0))
    assert table.state.clock is not None
    return table


def test_when_the_hourglass_has_run_out_the_game_goes_on_as_the_rules_say() -> None:
    table = hourglass()
    deadline = there(GAMES["royal-study"].turns.prompt(table.state.position).deadline)
    table.take(TimerFired(DEADLINE, 60 * 10**9))
    assert table.played[1:] == [(table.game.engine.action_to_json(deadline.time_up), ActionSource.CLOCK)]
    assert table.state.clock is None
    table.take(TimerFired(DEADLINE, 61 * 10**9))
    assert len(table.played) == 2


def test_an_hourglass_that_was_paused_is_not_out_and_goes_on_with_what_was_left() -> None:
    table = hourglass()
    table.at_ns = 20 * 10**9
    table.press(MODE, held=True)
    left_s = there(table.state.progress.remaining_s)
    table.take(TimerFired(DEADLINE, 60 * 10**9))
    assert len(table.played) == 1
    table.at_ns = 300 * 10**9
    assert StartTimer(DEADLINE, left_s) in table.press(MODE, held=True)
    assert 0 < left_s < there(table.state.clock).seconds
    assert there(table.state.clock).remaining_s(table.at_ns) == pytest.approx(left_s)
