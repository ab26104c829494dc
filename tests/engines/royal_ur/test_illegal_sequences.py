"""A caller who tries anything at any time: never an exception, and a refusal leaves the position as it was."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engines.kernel import Outcome, Refusal
from engines.royal_ur import GAME, notation
from engines.royal_ur.board import COUNTERS, HOME
from engines.royal_ur.position import Action, Position, Roll
from tests.engines.royal_ur.strategies import ANY_DOTS, NEW_GAMES, actions, played


class AnythingAtAnyTime(RuleBasedStateMachine):
    position: Position

    @initialize(start=st.sampled_from(NEW_GAMES) | played())
    def begin(self, start: Position) -> None:
        self.position = start

    @rule(action=actions())
    def try_anything(self, action: Action) -> None:
        before = notation.write_position(self.position)
        result = GAME.play(self.position, action)
        assert notation.write_position(self.position) == before
        if isinstance(result, Outcome):
            self.position = result.position
        else:
            assert isinstance(result, Refusal)
            assert action not in GAME.actions(self.position)

    @precondition(lambda self: GAME.to_act(self.position) == "dice")
    @rule(dots=ANY_DOTS)
    def throw(self, dots: int) -> None:
        self._must_play(Roll(dots))

    @precondition(lambda self: bool(GAME.actions(self.position)))
    @rule(data=st.data())
    def decide(self, data: st.DataObject) -> None:
        self._must_play(data.draw(st.sampled_from(GAME.actions(self.position))))

    def _must_play(self, action: Action) -> None:
        outcome = GAME.play(self.position, action)
        assert isinstance(outcome, Outcome)
        self.position = outcome.position

    @invariant()
    def somebody_can_go_on_until_the_end(self) -> None:
        to_act = GAME.to_act(self.position)
        assert (to_act is None) == GAME.over(self.position)
        assert bool(GAME.actions(self.position)) == (to_act not in (None, "dice"))

    @invariant()
    def the_position_is_one_that_the_reader_takes(self) -> None:
        assert GAME.position_from_json(GAME.position_to_json(self.position)) == self.position
        assert all(len(lane) == COUNTERS and lane[-1] <= HOME for lane in self.position.lanes)


AnythingAtAnyTime.TestCase.settings = settings(max_examples=30, stateful_step_count=40, deadline=None)
TestAnythingAtAnyTime = AnythingAtAnyTime.TestCase
