"""Each game is played with four buttons by people who see the panel only: its display, or no more than its lamps."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.core.view import View
from companion.games import GAMES
from companion.games.captions import choice_words
from companion.shell.config_files import find_wiring
from companion.shell.feed import FedPanel
from companion.simulator.behaviour import VerdictCounts
from companion.simulator.planner import Means, SimulatedMove, legal
from companion.ui.oled import Leaf
from engines.kernel import Seat
from engines.royal_racers.position import Flip, Step
from hardware.panel import Rhythm, Shown, Signal, Tally
from tests.contracts.tables import played
from tests.evaluate.by_panel import WIRINGS, PanelReader, Played, play

TURNS = None if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 4
"""To its score in the long evaluation, to see that it goes in the gate."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_is_played_by_people_who_see_the_display_and_lamps_alone(game: str, tmp_path: Path) -> None:
    played = play(game, 3, find_wiring(WIRINGS / "display.toml", {}), tmp_path, turns=TURNS)
    assert played.counts.confirmed == played.counts.legal
    assert played.counts.caught == played.counts.cheats
    assert played.followed
    assert played.read == played.score
    assert played.finished or TURNS
    assert not played.problems


def test_a_game_that_stopped_before_the_turns_that_were_asked_for_is_not_finished() -> None:
    counts = VerdictCounts(legal=4, confirmed=3)
    as_far_as_asked = Played(False, {}, {}, True, counts, presses=0, turns=3)
    assert as_far_as_asked.problems == []
    assert replace(as_far_as_asked, turns=4).problems == ["not finished"]
    assert replace(as_far_as_asked, turns=None).problems == ["not finished"]


@pytest.mark.parametrize("game", sorted(GAMES) if TURNS is None else ["royal-ur"])
def test_a_game_is_played_by_people_who_see_three_lamps_and_hear_a_buzzer(game: str, tmp_path: Path) -> None:
    played = play(game, 4, find_wiring(WIRINGS / "three-lamps.toml", {}), tmp_path, turns=TURNS)
    assert played.counts.confirmed == played.counts.legal
    assert played.followed
    assert TURNS or (played.finished and played.read == played.score)


def test_where_done_would_answer_a_question_by_a_choice_the_own_move_may_come_until_all_were_shown() -> None:
    game = GAMES["royal-racers"]
    position = game.engine.new([Seat("suns"), Seat("moons")], {}, 1)
    while not any(isinstance(action, Step) for action in game.engine.actions(position)):
        awaited = game.engine.actions(position)
        position = legal(game, position, awaited[0] if awaited else game.engine.action_from_json({"roll": "null"}))
    move = next(action for action in game.engine.actions(position) if isinstance(action, Step))
    seen: list[View] = []
    made = SimulatedMove(Seat("suns"), Means.HANDS, move, {})
    people = SimpleNamespace(position=position, see=seen.append, move=made)
    lamps = [Seat("suns"), Seat("moons")]
    reader = PanelReader(game, people, lamps)  # type: ignore[arg-type]  # of the people no more is asked
    reader.lit(Shown((Rhythm.UNSURE, Rhythm.OFF), signal=Signal.UNSURE), buzzes=True)
    for shown in (
        "DONE take the moves back until the game is as the table (3/4)",
        "DONE set what is on a space by hand (4/4)",
        "DONE judge the table",
        "DONE stay (1/4)",
    ):
        reader.show([Leaf("", lines=(shown,))])
        reader.look()
        assert move in [choice.action for choice in seen[-1].choices]
    own = next(choice for choice in seen[-1].choices if choice.action == move)
    reader.show([Leaf("", lines=(f"DONE {choice_words(seen[-1], own)} (2/4)",))])
    reader.look()
    assert seen[-1].choices[seen[-1].shown or 0] == own
    reader.show([Leaf("", lines=("DONE take the moves back until the game is as the table (3/4)",))])
    reader.look()
    assert move not in [choice.action for choice in seen[-1].choices]


def test_what_passes_for_a_move_is_followed_without_words_by_what_lies_there() -> None:
    game = GAMES["royal-racers"]
    turns = played("racers").turns
    turn = next(turn for turn in turns if isinstance(turn.action, Flip))
    seat, after = Seat(turn.before.turn), legal(game, turn.before, turn.action)
    move = SimulatedMove(seat, Means.HANDS, None, game.placement(after), trick="wrong-card", explainable=True)
    people = SimpleNamespace(position=turn.before, move=move, see=lambda _view: None)
    reader = PanelReader(game, people, [seat])  # type: ignore[arg-type]  # of the people it needs no more
    reader.lit(Shown((Rhythm.TURN,), signal=Signal.ACCEPTED), buzzes=True)
    reader.look()
    assert reader.position == after


def test_a_signal_that_is_played_twice_over_a_socket_is_heard_twice() -> None:
    heard: list[Signal | Tally | None] = []

    class Kept:
        def listen(self, _enqueue: object) -> None: ...

        def lit(self, shown: Shown, *, buzzes: bool = False) -> None:
            heard.extend([shown.signal] if buzzes else [])

    panel = FedPanel(Kept(), lambda _heard: None, 2)  # type: ignore[arg-type]  # nobody takes frames from it
    panel.lamp(0, Rhythm.TURN)
    for signal in (Signal.ACCEPTED, Signal.ACCEPTED, Signal.OVER):
        panel.buzz(signal)
    assert heard == [Signal.ACCEPTED, Signal.ACCEPTED, Signal.OVER]
