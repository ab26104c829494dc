"""Anything at any time, at every game's table: never an exception, and a refusal leaves the position as it was."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engines.kernel import Outcome, Refusal
from tests.contracts.tables import TABLES, Table, played
from tests.engines.strategies import WILD_ACTIONS


class AnythingAtAnyTime(RuleBasedStateMachine):
    """A game, begun anywhere on its way, at which the players do what is legal and what is not."""

    name: str

    def __init__(self) -> None:
        super().__init__()
        self.table: Table = TABLES[self.name]
        self.game = self.table.engine.game
        self.known = played(self.name)
        self.position: Any = self.table.start()

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        self.position = data.draw(st.sampled_from(self.known.positions))

    @precondition(lambda self: not self.game.over(self.position))
    @rule(seed=st.integers(0, 999), actions=st.integers(1, 5))
    def play_on(self, seed: int, actions: int) -> None:
        random = Random(seed)
        for _ in range(actions):
            if not self.game.over(self.position):
                assert self._press(self.table.legal(self.position, random))

    @rule(data=st.data())
    def press_what_belongs_elsewhere(self, data: st.DataObject) -> None:
        self._press(data.draw(st.sampled_from(self.known.turns)).action)

    @precondition(lambda self: self.table.game in WILD_ACTIONS)
    @rule(data=st.data())
    def press_anything(self, data: st.DataObject) -> None:
        action = data.draw(WILD_ACTIONS[self.table.game](self.position))
        if not self._press(action):
            assert action not in self.game.actions(self.position)

    @precondition(lambda self: self.game.over(self.position))
    @rule(data=st.data())
    def press_on_after_the_end(self, data: st.DataObject) -> None:
        assert not self._press(data.draw(st.sampled_from(self.known.turns)).action)

    def _press(self, action: Any) -> bool:
        """Play this; return whether it was accepted."""
        before = self.table.engine.notation.write_position(self.position)
        result = self.game.play(self.position, action)
        assert self.table.engine.notation.write_position(self.position) == before
        assert self.game.play(self.position, action) == result
        if isinstance(result, Outcome):
            self.position = result.position
            return True
        assert isinstance(result, Refusal)
        return False

    @invariant()
    def somebody_acts_until_the_end(self) -> None:
        assert (self.game.to_act(self.position) is None) == self.game.over(self.position)

    @invariant()
    def the_position_can_be_written_and_read(self) -> None:
        assert self.game.position_from_json(self.game.position_to_json(self.position)) == self.position


@pytest.mark.parametrize("name", TABLES)
def test_whatever_is_tried_is_answered_and_what_is_refused_changes_nothing(name: str) -> None:
    machine = type("AtATable", (AnythingAtAnyTime,), {"name": name})
    games = settings().max_examples // 10
    run_state_machine_as_test(machine, settings=settings(max_examples=games, stateful_step_count=25, deadline=None))
