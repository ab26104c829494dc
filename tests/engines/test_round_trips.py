"""Positions and actions of every kind: the same once they were written and read, and who decides is advised."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.engines import ENGINES
from engines.kernel import Level, Outcome
from tests.engines.strategies import POSITIONS, WILD_ACTIONS


@pytest.mark.parametrize("name", POSITIONS)
@given(data=st.data())
def test_a_position_read_from_its_json_and_from_its_line_is_the_same(name: str, data: st.DataObject) -> None:
    engine, position = ENGINES[name], data.draw(POSITIONS[name])
    assert engine.game.position_from_json(json.loads(json.dumps(engine.game.position_to_json(position)))) == position
    line = engine.notation.write_position(position)
    assert "\n" not in line
    assert engine.notation.read_position(line) == position


@pytest.mark.parametrize("name", POSITIONS)
@given(data=st.data())
def test_an_action_read_from_its_json_and_from_its_line_is_the_same(name: str, data: st.DataObject) -> None:
    engine, action = ENGINES[name], data.draw(POSITIONS[name].flatmap(WILD_ACTIONS[name]))
    assert engine.game.action_from_json(json.loads(json.dumps(engine.game.action_to_json(action)))) == action
    assert engine.notation.read_action(engine.notation.write_action(action)) == action


@pytest.mark.parametrize("name", POSITIONS)
@settings(max_examples=30)
@given(data=st.data(), level=st.sampled_from(Level))
def test_whoever_decides_is_advised_and_to_something_legal(name: str, data: st.DataObject, level: Level) -> None:
    engine, position = ENGINES[name], data.draw(POSITIONS[name])
    to_act = engine.game.to_act(position)
    if to_act == "dice" or engine.game.over(position):
        return
    advice = engine.advise(position, level=level)
    assert advice is not None or to_act is None
    assert advice is None or isinstance(engine.game.play(position, advice.action), Outcome)
