"""Positions and actions of every kind are the same once they were written, as JSON or in a line, and read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.engines import ENGINES
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
