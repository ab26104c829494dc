"""A hint that proposes a move can be accepted; the companion calls where anybody may act first."""

from __future__ import annotations

from dataclasses import replace

from companion.core.choices import TAKE_HINT
from companion.core.display import attention, view
from companion.core.entries import Advised, Arranged, Played
from companion.core.messages import Advise, ChoiceMade, Effect, HintAsked, SeatsArranged, StartTimer, TimerFired
from companion.core.playing import CALL, CALL_S
from companion.core.verdicts import ActionSource, Attention
from companion.games import GAMES
from engines.kernel import JsonObject, Outcome, Seat
from hardware.panel import Button
from tests.companion.core.tables import ChoosingTable, act
from tests.companion.evening_table import EveningTable


def hinted(game: str = "royal-tee", *, sees: bool = True) -> EveningTable:
    table = EveningTable(game, 2, sees=sees)
    if sees:
        table.put_right()
    table.take(HintAsked(table.clock.now_ns()))
    return table


def advice(table: EveningTable) -> JsonObject:
    assert table.state.advice is not None
    assert table.state.advice.action is not None
    return table.game.engine.action_to_json(table.state.advice.action)


def played(table: EveningTable) -> list[Played]:
    return [entry for entry in table.log.entries if isinstance(entry, Played)]


def test_done_plays_the_move_that_was_advised_once_the_table_is_seen_to_be_as_before() -> None:
    table = hinted()
    proposed = advice(table)
    assert attention(table.state) is Attention.CHOICE
    assert view(table.state).buttons[Button.DONE] == TAKE_HINT
    table.press(Button.DONE)
    table.look(1.0)
    assert [(entry.action, entry.source) for entry in played(table)] == [(proposed, ActionSource.BUTTON)]
    assert table.state.progress.left_open, "people put the pieces where it says"


def test_who_makes_another_move_than_advised_and_presses_done_has_made_that_one() -> None:
    table = hinted()
    engine, position = table.game.engine, table.state.position
    other = next(a for a in engine.actions(position) if engine.action_to_json(a) != advice(table))
    outcome = engine.play(position, other)
    assert isinstance(outcome, Outcome)
    table.labels = dict(table.game.placement(outcome.position))
    table.look(0.2)
    table.press(Button.DONE)
    table.look(1.0)
    assert table.state.position == outcome.position


def test_without_a_camera_the_choice_plays_it_at_once() -> None:
    table = hinted(sees=False)
    proposed = advice(table)
    codes = [choice.code for choice in view(table.state).choices]
    table.take(ChoiceMade(codes.index(TAKE_HINT), table.clock.now_ns()))
    assert [entry.action for entry in played(table)] == [proposed]


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
