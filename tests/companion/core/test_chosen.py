"""What the players choose from a list is what is played, and a clock runs for the time that it has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.choices import EXPLANATION, alternatives, shown_choice
from companion.core.display import view
from companion.core.entries import Advised, Arranged
from companion.core.messages import ChoiceMade
from companion.core.playing import advised, carried, entered, played_again, run_clock, took_back
from companion.core.state import new_state
from companion.core.step import step
from companion.core.verdicts import ActionSource, Confirmed, PendingPlacement, TookBack, Unclear
from companion.games import GAMES
from companion.simulator.planner import legal
from engines.kernel import Cell
from hardware.panel import Button, ButtonPressed
from tests.contracts.tables import played

UR = GAMES["royal-ur"]


@pytest.mark.parametrize("index", [-1, 0, 1, 2])
def test_the_explanation_that_people_choose_is_played(index: int) -> None:
    position = next(p for p in played("ur").positions if len(UR.engine.actions(p)) == 2)
    actions = UR.engine.actions(position)
    state = replace(new_state(UR, position), verdict=Unclear("ambiguous", (), tuple(actions)))
    explained = [place for place, choice in enumerate(alternatives(state)) if choice.code == EXPLANATION]
    chosen, _effects = step(state, ChoiceMade(explained[index] if index in {0, 1} else index + 10, 0))
    assert chosen.position == (legal(UR, position, actions[index]) if index in {0, 1} else position)


@pytest.mark.parametrize("index", [-1, 0, 1, 2])
def test_each_of_the_choices_can_be_made_and_no_other(index: int) -> None:
    states = [new_state(GAMES["royal-racers"], position) for position in played("racers").positions]
    two = next(state for state in states if len(alternatives(state)) == 2)
    made, _effects = step(two, ChoiceMade(index, 0))
    assert (made.position != two.position) == (index in {0, 1})


@pytest.mark.parametrize("remaining_s", [None, 17.25])
def test_a_clock_runs_for_its_time_or_for_what_is_left_of_it(remaining_s: float | None) -> None:
    states = (new_state(GAMES["royal-study"], position) for position in played("study").positions)
    state = next(state for state in states if state.rules.turns.prompt(state.position).deadline is not None)
    state = replace(state, now_ns=5_000_000_000, progress=replace(state.progress, remaining_s=remaining_s))
    clock = run_clock(state)[0].clock
    assert clock is not None
    assert clock.remaining_s(state.now_ns) == (clock.seconds if remaining_s is None else remaining_s)


def test_what_is_taken_back_and_played_again_is_the_last_action() -> None:
    turns = played("ur").turns[:2]
    actions = [turn.action for turn in turns]
    state = new_state(UR, turns[0].before)
    for action in actions:
        state, _effects = entered(state, action, ActionSource.TYPED)
    back, _effects = took_back(state, rejected_position=None)
    assert isinstance(back.verdict, TookBack)
    assert back.verdict.action == actions[1] != actions[0]
    again, _effects = played_again(back)
    assert isinstance(again.verdict, Confirmed)
    assert (again.verdict.action, again.verdict.probability) == (actions[1], 1.0)


@pytest.mark.parametrize(("own", "knows", "plays"), [(True, True, True), (True, False, False), (False, True, False)])
def test_advice_is_played_for_a_seat_of_the_companions_and_else_shown(own: bool, knows: bool, plays: bool) -> None:
    states = (new_state(UR, position) for position in played("ur").positions)
    state = next(
        state for state in states if UR.turns.prompt(state.position).seat and not UR.turns.dice.awaited(state.position)
    )
    seat = UR.turns.prompt(state.position).seat
    assert seat is not None
    arrangement = Arranged(companion_seats=(seat,) if own else ())
    state = replace(state, progress=replace(state.progress, arrangement=arrangement))
    action = UR.engine.actions(state.position)[0] if knows else None
    after, _effects = advised(state, Advised(action, "best", {}, state.position, 0))
    assert (view(after).request == action and knows, after.advice is not None) == (plays, not plays)


def test_what_is_left_to_do_is_what_two_actions_ask_for_together() -> None:
    a1, b1, c1 = map(Cell, ("A1", "B1", "C1"))
    earlier = (PendingPlacement(a1, "red", "empty"), PendingPlacement(b1, "empty", "red"))
    changed = (PendingPlacement(a1, "empty", "red"), PendingPlacement(c1, "blue", "empty"))
    assert carried(earlier, changed) == (earlier[1], changed[1])


def test_done_plays_the_choice_again_that_was_taken_back() -> None:
    states = [new_state(GAMES["royal-study"], position) for position in played("study").positions]
    two = next(state for state in states if sum(choice.standing for choice in alternatives(state)) == 2)
    for choice in alternatives(two):
        assert choice.action is not None
        made, _effects = entered(two, choice.action, ActionSource.BUTTON)
        back, _effects = took_back(made, rejected_position=None)
        assert shown_choice(back) == choice
        assert shown_choice(step(back, ButtonPressed(Button.MODE, 1))[0]) in {*alternatives(two)} - {choice}
