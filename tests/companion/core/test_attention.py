"""What the players have to look at is one value, and lamps and screen follow it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.display import attention, lamps, view
from companion.core.messages import Began, Buzz, ChoiceMade, DeviceFailed, DiceRead, FrameBlind
from companion.core.state import new_state
from companion.core.step import step
from companion.core.verdicts import Attention, Position
from companion.games import GAMES
from engines.kernel import Cell
from hardware.panel import Button, ButtonPressed, Rhythm, Signal
from tests.companion.core.tables import TEE, ChoosingTable, SteppedTable, act
from tests.companion.games.looks import look_of, new_game
from vision.observation import BlindReason


@pytest.fixture
def table() -> SteppedTable:
    return SteppedTable(new_game("red", "green"))


def blinded(table: SteppedTable, seconds: float, reason: BlindReason = BlindReason.DARK) -> list[object]:
    effects: list[object] = []
    for _ in range(round(seconds / 0.2)):
        table.at_ns += 200_000_000
        effects += table.take(FrameBlind(reason, table.at_ns))
    return effects


def test_a_turn_that_goes_on_calls_for_nothing(table: SteppedTable) -> None:
    table.lie(look_of(table.start), 2.0)
    assert attention(table.state) is None
    assert lamps(table.state) == {"red": Rhythm.TURN, "green": Rhythm.OFF}


def test_with_the_light_off_no_lamp_says_whose_turn_it_is_and_the_buzzer_says_so_once(table: SteppedTable) -> None:
    table.lie(look_of(table.start), 2.0)
    effects = blinded(table, 20.0)
    assert view(table.state).attention is Attention.BLIND
    assert set(lamps(table.state).values()) == {Rhythm.BLIND}
    assert effects.count(Buzz(Signal.UNSURE)) == 1
    table.lie(look_of(table.start), 2.0)
    assert attention(table.state) is None


def test_a_hand_that_passes_the_lens_calls_for_nothing(table: SteppedTable) -> None:
    table.lie(look_of(table.start), 2.0)
    blinded(table, 1.0)
    assert attention(table.state) is None


@pytest.mark.parametrize(("resumed", "expected"), [(False, Attention.SET_UP), (True, Attention.RESUMED)])
def test_a_table_that_is_not_yet_right_calls_everybody(resumed: bool, expected: Attention) -> None:
    state, _effects = step(new_state(TEE, Position(new_game("red", "green"))), Began(0, resumed=resumed))
    assert attention(state) is expected
    assert set(lamps(state).values()) == {Rhythm.SET_UP}


def test_moves_that_are_judged_on_done_only_are_shown_by_the_lamp_of_the_player(table: SteppedTable) -> None:
    table.take(ButtonPressed(Button.MODE, 0, held=True))
    codes = [choice.code for choice in view(table.state).choices]
    table.take(ChoiceMade(codes.index("judge-on-done"), 0))
    table.take(ChoiceMade(codes.index("continue"), 0))
    assert attention(table.state) is Attention.ON_DONE
    assert lamps(table.state) == {"red": Rhythm.ON_DONE, "green": Rhythm.OFF}


def test_what_done_would_take_is_shown_by_a_rhythm_of_its_own() -> None:
    table = ChoosingTable(GAMES["royal-ur"], "white black")
    table.take(DiceRead(act(GAMES["royal-ur"], roll=2), 0))
    assert attention(table.state) is Attention.THROW
    table.press(Button.BACK, Button.MODE)
    assert attention(table.state) is Attention.CHOICE
    assert Rhythm.CHOICE in lamps(table.state).values()


def test_the_caller_who_is_chosen_has_the_lamp() -> None:
    table = ChoosingTable(GAMES["royal-study"], "white black", "button")
    table.press(Button.MODE)
    assert lamps(table.state) == {"white": Rhythm.OFF, "black": Rhythm.CHOICE}


def test_the_most_pressing_reason_comes_first(table: SteppedTable) -> None:
    wrong = {**look_of(table.start), Cell("A1"): "green"}
    table.lie(wrong, 9.0)
    assert attention(table.state) in (Attention.REFUSED, Attention.UNSURE)
    blinded(table, 3.0)
    assert attention(table.state) is Attention.BLIND
    table.take(DeviceFailed("camera", "gone"))
    assert attention(table.state) is Attention.FAULT
    assert attention(replace(table.state, paused=True)) is Attention.FAULT


@pytest.mark.parametrize(("seconds", "said"), [(5.0, False), (12.0, True)])
def test_a_hand_that_lies_on_the_board_is_not_taken_for_missing_colours(
    table: SteppedTable, seconds: float, said: bool
) -> None:
    table.lie(look_of(table.start), 2.0)
    table.frame(look_of(table.start), still=False)
    blinded(table, seconds, BlindReason.NO_COLOUR)
    assert (attention(table.state) is Attention.BLIND) is said
