"""DONE plays a choice that leaves no trace only on a table that certainly looks as before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from companion.core.choices import EXPLANATION, TAKE_HINT, alternatives, shown_choice
from companion.core.display import attention, view
from companion.core.entries import Advised, Arranged, Played
from companion.core.messages import (
    Advise,
    ChoiceMade,
    Effect,
    HintAsked,
    SeatsArranged,
    StartTimer,
    TimerFired,
)
from companion.core.playing import CALL, CALL_S, advised, carried, entered, run_clock, took_back
from companion.core.state import new_state
from companion.core.step import step
from companion.core.verdicts import Action, ActionSource, Attention, Confirmed, PendingPlacement, Unclear
from companion.core.verdicts import Position as Opaque
from companion.games import GAMES, SIMULATED
from companion.games.royal_racers.table import placement
from companion.simulator.planner import legal
from engines.kernel import Cell, JsonObject, Seat
from engines.royal_racers.position import Pass, Phase
from hardware.panel import Button, ButtonPressed
from tests.companion.core.tables import ChoosingTable, act
from tests.companion.evening_table import SHORT_S, EveningTable
from tests.companion.games.test_royal_racers_hypotheses import in_race
from tests.contracts.tables import played
from tests.narrow import narrowed, there

START = in_race(Phase.MOVE)
PAWN = next(Cell(cell) for cell, label in placement(START).items() if "+pawn-" in label)


def _after_done(pawn: float, hidden: Sequence[str] = ()) -> EveningTable:
    """Let a table be seen for 5 s on which one pawn is seen with a probability, and press DONE."""
    table = EveningTable("royal-racers", 0)
    table.opening = Opaque(START)
    table.lay(START)
    table.restart()
    label = table.labels[PAWN]
    table.doubtful = {PAWN: {label: pawn, label.partition("+pawn-")[0]: 0.9999 - pawn}}
    table.look(5.0, hidden)
    table.press(Button.DONE)
    return table


def test_a_pass_is_played_where_nothing_has_moved() -> None:
    assert narrowed(_after_done(0.99).state.verdict, Confirmed).action == Action(Pass())


@pytest.mark.parametrize(("pawn", "hidden"), [(0.6, ()), (0.99, (PAWN,))])
def test_no_pass_is_played_where_a_pawn_may_have_moved_until_people_step_to_it(
    pawn: float, hidden: Sequence[str]
) -> None:
    table = _after_done(pawn, hidden)
    assert narrowed(table.state.verdict, Unclear).cells == (PAWN,)
    assert table.state.position == Opaque(START)
    assert view(table.state).shown is None
    table.press(Button.MODE, Button.DONE)
    assert narrowed(table.state.verdict, Confirmed).action == Action(Pass())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", SIMULATED)
def test_done_on_a_table_that_is_said_to_differ_plays_nothing(game: str) -> None:
    table, random, pressed = EveningTable(game, 2), Random(2), False
    while not pressed and not table.state.over:
        table.goes_forward()
        table.put_right()
        position = table.state.position
        if not _may_leave_no_trace(table):
            continue
        cell = Cell(random.choice(table.game.board().places))
        table.labels = {**table.labels, cell: random.choice(table.game.board().label_words)}
        table.look(1.4)
        if table.state.position == position and view(table.state).out_of_step:
            table.lay(position)
            table.look(0.2)
            table.press(Button.DONE)
            table.look(SHORT_S)
            pressed = True
            assert table.state.position == position, table.state.verdict
    assert pressed


def _may_leave_no_trace(table: EveningTable) -> bool:
    """Return whether an action is allowed after which the table looks as before."""
    engine, labels, position = table.game.engine, table.game.placement, table.state.position
    if table.awaits_throw or table.state.over:
        return False
    return any(labels(engine.after(position, a).position) == labels(position) for a in engine.actions(position))


# ---- what the players choose from a list is what is played, and a clock runs for the time that it has


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
    clock = there(run_clock(state)[0].clock)
    assert clock.remaining_s(state.now_ns) == (clock.seconds if remaining_s is None else remaining_s)


@pytest.mark.parametrize(("own", "knows", "plays"), [(True, True, True), (True, False, False), (False, True, False)])
def test_advice_is_played_for_a_seat_of_the_companions_and_else_shown(own: bool, knows: bool, plays: bool) -> None:
    states = (new_state(UR, position) for position in played("ur").positions)
    state = next(
        state for state in states if UR.turns.prompt(state.position).seat and not UR.turns.dice.awaited(state.position)
    )
    seat = there(UR.turns.prompt(state.position).seat)
    arrangement = Arranged(companion_seats=(seat,) if own else ())
    state = replace(state, progress=replace(state.progress, arrangement=arrangement))
    action = UR.engine.actions(state.position)[0] if knows else None
    after, _effects = advised(state, Advised(action, "best", {}, state.position, 0))
    assert (view(after).request == action and knows, after.advice is not None) == (plays, not plays)


def test_advice_for_a_position_that_is_no_longer_there_is_dropped() -> None:
    states = (new_state(UR, position) for position in played("ur").positions)
    state = next(state for state in states if len(UR.engine.actions(state.position)) == 2)
    first, other = UR.engine.actions(state.position)
    arrangement = Arranged(companion_seats=(Seat("white"), Seat("black")))
    state = replace(state, progress=replace(state.progress, arrangement=arrangement))
    late = Advised(first, "best", {}, legal(UR, state.position, other), 0)
    assert advised(state, late) == (state, ())


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


# ---- A hint that proposes a move can be accepted; the companion calls where anybody may act first


def hinted(*, sees: bool = True) -> EveningTable:
    table = EveningTable("royal-tee", 2, sees=sees)
    if sees:
        table.put_right()
    table.take(HintAsked(table.clock.now_ns()))
    return table


def advice(table: EveningTable) -> JsonObject:
    assert table.state.advice is not None
    assert table.state.advice.action is not None
    return table.game.engine.action_to_json(table.state.advice.action)


def entries_of(table: EveningTable) -> list[Played]:
    return [entry for entry in table.log.entries if isinstance(entry, Played)]


def test_done_plays_the_move_that_was_advised_once_the_table_is_seen_to_be_as_before() -> None:
    table = hinted()
    proposed = advice(table)
    assert attention(table.state) is Attention.CHOICE
    assert view(table.state).buttons[Button.DONE] == TAKE_HINT
    table.press(Button.DONE)
    table.look(1.0)
    assert [(entry.action, entry.source) for entry in entries_of(table)] == [(proposed, ActionSource.BUTTON)]
    assert table.state.progress.left_open, "people put the pieces where it says"


def test_who_makes_another_move_than_advised_and_presses_done_has_made_that_one() -> None:
    table = hinted()
    engine, position = table.game.engine, table.state.position
    other = next(a for a in engine.actions(position) if engine.action_to_json(a) != advice(table))
    outcome = engine.after(position, other)
    table.labels = dict(table.game.placement(outcome.position))
    table.look(0.2)
    table.press(Button.DONE)
    table.look(1.0)
    assert table.state.position == outcome.position


def against_the_companion() -> tuple[ChoosingTable, list[Effect]]:
    table = ChoosingTable(GAMES["royal-study"], "white black", "button")
    table.state = replace(table.state, setting_up=False)
    return table, table.take(SeatsArranged(Arranged(companion_seats=(Seat("black"),)), 0))


def test_in_the_study_the_companion_calls_when_nobody_has_for_a_while() -> None:
    table, effects = against_the_companion()
    assert StartTimer(CALL, CALL_S) in effects
    assert Advise(table.state.position) in table.take(TimerFired(CALL, 0))
    table.take(Advised(act(table.game, call=5, by="white"), "least-total", {}, table.state.position, 0))
    assert table.played == [({"call": 5, "by": "black"}, ActionSource.COMPANION)]


def test_people_who_call_first_have_called() -> None:
    table, _effects = against_the_companion()
    table.take(ChoiceMade(0, 0, number=9))
    assert table.played == [({"call": 9, "by": "white"}, ActionSource.TYPED)]
    assert table.take(TimerFired(CALL, 0)) == []


def test_a_hint_that_people_ask_for_is_no_call_of_the_companion() -> None:
    table, _effects = against_the_companion()
    table.take(HintAsked(0))
    table.take(Advised(act(table.game, call=5, by="white"), "least-total", {}, table.state.position, 0))
    assert not table.played
