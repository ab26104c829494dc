"""What people choose from a list is what is played, and a clock runs for the time that it has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.choices import alternatives
from companion.core.messages import ChoiceMade, ExplanationChosen
from companion.core.playing import run_clock
from companion.core.state import new_state
from companion.core.step import step
from companion.core.verdicts import Unclear
from companion.games import GAMES
from companion.simulator.moves import legal
from tests.contracts.tables import played

UR = GAMES["royal-ur"]


@pytest.mark.parametrize("index", [-1, 0, 1, 2])
def test_the_explanation_that_people_choose_is_played(index: int) -> None:
    position = next(p for p in played("ur").positions if len(UR.engine.actions(p)) == 2)
    actions = UR.engine.actions(position)
    listed = tuple(map(UR.engine.action_to_json, actions))
    state = replace(new_state(UR, position), verdict=Unclear("ambiguous", (), listed))
    chosen, _effects = step(state, ExplanationChosen(index, 0))
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
    state = next(state for state in states if state.rules.prompt(state.position).deadline is not None)
    state = replace(state, now_ns=5_000_000_000, progress=replace(state.progress, remaining_s=remaining_s))
    clock = run_clock(state)[0].clock
    assert clock is not None
    assert clock.remaining_s(state.now_ns) == (clock.seconds if remaining_s is None else remaining_s)
