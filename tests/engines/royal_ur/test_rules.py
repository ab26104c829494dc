from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.record import read_record, replay
from engines.kernel import Outcome, Seat
from engines.royal_ur import GAME, notation
from engines.royal_ur.board import HOME, OFF
from engines.royal_ur.position import Action, Move, Position, Roll
from tests.engines.royal_ur import reference
from tests.engines.royal_ur.strategies import (
    ANY_DOTS,
    OTHER_COPY,
    PLAYERS,
    actions,
    before_throw,
    decisions,
    played,
)
from tests.engines.steps import any_step

Decision = tuple[Position, Action]


@pytest.mark.parametrize("seed", range(12))
def test_a_plain_reading_of_the_rules_goes_the_same_way_move_by_move(seed: int) -> None:
    random = Random(seed)
    position, plain = GAME.new(PLAYERS, {}, 0), reference.new()
    while not position.over:
        action = any_step(GAME, position, random)
        plain = _plainly_played(plain, position, action)
        position = GAME.after(position, action).position
        assert _as_reference(position) == _sorted(plain)
        assert {_plain(position, legal) for legal in GAME.actions(position)} == set(reference.legal(plain))
    assert plain["winner"] is not None


@given(decisions() | st.tuples(before_throw(), ANY_DOTS.map(Roll)))
def test_any_decision_or_throw_on_any_table_has_the_outcome_of_the_plain_reading(decision: Decision) -> None:
    position, action = decision
    if set(position.players) == set(PLAYERS):
        plain = _plainly_played(_as_reference(position), position, action)
        assert _as_reference(GAME.after(position, action).position) == _sorted(plain)


def _plainly_played(plain: reference.State, position: Position, action: Action) -> reference.State:
    if isinstance(action, Roll):
        return reference.roll(plain, action.dots)
    return reference.decide(plain, _plain(position, action))


def _plain(position: Position, action: Action) -> tuple[str, ...]:
    if isinstance(action, Move):
        return "move", position.board.cell(position.place(position.decides), action.start)
    return (notation.write_action(action),)


def _as_reference(position: Position) -> reference.State:
    cells = {
        seat: sorted("off" if at == OFF else position.board.cell(place, at) for at in position.lane(seat))
        for place, seat in enumerate(position.players)
    }
    won = [seat for seat in position.players if set(position.lane(seat)) == {HOME}]
    return {
        "turn": position.turn,
        "await": None if position.awaits is None else position.awaits.value,
        "decides": position.decides,
        "dots": position.dots,
        "counters": cells,
        "winner": won[0] if won else None,
    }


def _sorted(plain: reference.State) -> reference.State:
    return {**plain, "counters": {seat: sorted(cells) for seat, cells in plain["counters"].items()}}


@given(played(), actions())
def test_an_action_is_played_just_if_it_is_listed_or_dice_are_awaited(position: Position, action: Action) -> None:
    legal = isinstance(action, Roll) if GAME.to_act(position) == "dice" else action in GAME.actions(position)
    assert isinstance(GAME.play(position, action), Outcome) == legal


@given(decisions())
def test_the_events_report_where_every_counter_went(decision: Decision) -> None:
    """Following the events with a finger leads to the counters of the position after."""
    position, action = decision
    outcome = GAME.after(position, action)
    cells = {seat: list(_as_reference(position)["counters"][seat]) for seat in position.players}
    for event in outcome.events:
        _follow(cells, event.to_json())
    assert {seat: sorted(at) for seat, at in cells.items()} == _as_reference(outcome.position)["counters"]


def _follow(cells: dict[Seat, list[str]], event: Any) -> None:
    own = cells.get(event.get("player"), [])
    if event["event"] in ("moved", "moved-on"):
        own.remove(event["from"])
        own.append(event["to"])
    elif event["event"] in ("hit", "sent-off"):
        own.remove(event["cell"])
        own.append("off")
    elif event["event"] == "entered":
        own.remove("off")
        own.append(event["cell"])


@given(decisions())
def test_the_last_event_of_a_game_names_the_winner_and_the_points(decision: Decision) -> None:
    outcome = GAME.after(*decision)
    found = outcome.events[-1].to_json()
    assert (found["event"] == "game-over") == outcome.position.over
    if outcome.position.over:
        score = GAME.score(outcome.position)
        loser = decision[0].other(decision[0].decides)
        assert (found["winner"], found["points"], score[loser]) == (decision[0].decides, score[decision[0].decides], 0)


# ---- whole games: what happens in recorded ones


GAMES = (Path(__file__).parents[2] / "golden" / "royal-ur" / "games").glob("*.txt")


def test_the_recorded_games_show_every_kind_of_event() -> None:
    outcomes = [ply.outcome for game in GAMES for ply in replay(read_record(game.read_text("utf-8")))]
    assert {event.name for outcome in outcomes if isinstance(outcome, Outcome) for event in outcome.events} == {
        *("threw-off", "throw-off-tied", "threw", "no-move", "turn", "moved", "moved-on", "hit", "sent-off"),
        *("offered", "entered", "declined", "forfeit", "forfeit-void", "home", "game-over"),
    }


NO_SET_UPS = [
    ([], {}, "royal-ur has 2 players, not 0"),
    (["white", "pink"], {}, 'unknown colour "pink"'),
    (["white", "black"], {"speed": 2}, '"options" has no "speed"; there are: squares, paths, dot_chance, throw_off'),
    (["white", "black"], OTHER_COPY, 'unknown colour "white"; there are: red, blue'),
]
