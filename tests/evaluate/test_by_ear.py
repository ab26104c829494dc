"""A game by ear goes as the same game by eye; and what is said distinguishes what it has to."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.display import view as view_of
from companion.core.messages import ActionEntered, Began, Event, Thrown
from companion.core.state import new_state
from companion.core.step import step
from companion.core.verdicts import Confirmed
from companion.games import GAMES, SIMULATED
from companion.games.captions import page_for
from companion.games.engines import ENGINES
from companion.simulator.behaviour import VerdictCounts
from companion.ui.hearing import Announcer, for_the_ear
from engines.kernel import Seat
from tests.evaluate.by_ear import Listener, Played, compare, play


@pytest.mark.long
def test_a_game_by_ear_ends_as_by_eye_with_no_more_presses(tmp_path: Path) -> None:
    eye, ear = (play("territory", 3, tmp_path, by_ear=by_ear, turns=5) for by_ear in (False, True))
    assert ear.lines == eye.lines
    assert ear.counts.caught == ear.counts.cheats
    assert ear.counts.cheats.total() == 1
    assert (ear.score, ear.presses, ear.refused, ear.lost_step) == (eye.score, eye.presses, 1, "")
    assert len(ear.lines) > 15


@pytest.mark.parametrize(("game", "seed", "pieces"), [("royal-tee", 3, 2), ("royal-study", 1, 5)])
def test_an_empty_table_is_laid_by_ear(game: str, seed: int, pieces: int, tmp_path: Path) -> None:
    ear = play(game, seed, tmp_path, by_ear=True, turns=1)
    told = [line for line in ear.lines if line.endswith("is missing.")]
    assert len(told) >= pieces
    assert "The table is as it should be." in ear.lines
    assert ear.lost_step == ""


@pytest.mark.parametrize(
    ("name", "players", "turns"),
    [
        ("royal-tee", ("red", "green"), 12),
        ("territory", ("red", "green", "blue"), 60),
        ("royal-racers", ("suns", "moons"), 40),
        ("royal-ur", ("white", "black"), 60),
    ],
)
def test_a_listener_always_knows_where_the_game_stands(name: str, players: tuple[str, ...], turns: int) -> None:
    game, random, plays = GAMES[name], Random(5), SIMULATED[name]
    position: Any = game.engine.new([*map(Seat, players)], {}, 2)
    state = step(new_state(game, position, sees=False), Began(1))[0]
    listener, announcer = Listener(game, position, lambda _view: None), Announcer()
    for turn in range(turns):
        position = state.position
        if game.engine.over(position):
            break
        event: Event
        if game.engine.to_act(position) == "dice":
            dice = ENGINES[name].turns.dice
            assert dice is not None
            event = Thrown(dice.throw(position, random), turn + 2)
        else:
            event = ActionEntered(plays.decide(position, random), turn + 2)
        state, _effects = step(state, event)
        assert isinstance(state.verdict, Confirmed)
        view = view_of(state)
        said = announcer.news(view, page_for(view, game.board(), lamps={}))
        listener.hear(*(for_the_ear(utterance.text, game.board().places) for utterance in said))
        assert listener.position == state.position, said


def test_a_game_that_goes_worse_by_ear_is_said() -> None:
    eye = Played(finished=True, score={"red": 3}, presses=10, refused=0)
    assert compare(eye, eye) == []
    worse = (
        replace(eye, finished=False),
        replace(eye, score={"red": 4}),
        replace(eye, refused=3),
        replace(eye, presses=16),
        replace(eye, counts=VerdictCounts(accepted=Counter(carried=1))),
    )
    assert [len(compare(eye, ear)) for ear in worse] == [1, 1, 1, 1, 1]
