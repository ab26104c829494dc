"""Pressing anything at any time: the engine refuses or plays, and never breaks."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engines.kernel import Cell, Outcome, Refusal
from engines.royal_racers import GAME, notation
from engines.royal_racers.board import DECK, NAMES, on_board
from engines.royal_racers.check import check_position
from engines.royal_racers.position import (
    THROWS,
    Action,
    ChooseStart,
    Deal,
    Flip,
    Pass,
    PlaceFlag,
    Roll,
    Step,
)
from tests.engines.royal_racers.strategies import SEATS, any_action, options

cells = st.sampled_from((*NAMES, Cell("G1"), Cell("A0"), Cell("Z99")))
wild_actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(ChooseStart, cells),
    st.builds(PlaceFlag, cells),
    st.builds(Roll, st.sampled_from(THROWS)),
    st.builds(Flip, cells),
    st.builds(Step, cells),
    st.just(Pass()),
    st.builds(Deal, st.lists(st.sampled_from(DECK), max_size=40).map(tuple)),
    st.builds(Deal, st.permutations(DECK).map(tuple)),
)


class Pressing(RuleBasedStateMachine):
    @initialize(seats=st.integers(2, 4), chosen=options, seed=st.integers(0, 99))
    def begin(self, seats: int, chosen: dict[str, int], seed: int) -> None:
        self.position = GAME.new(SEATS[:seats], chosen, seed)

    @rule(action=wild_actions)
    def press(self, action: Action) -> None:
        before = notation.write_position(self.position)
        listed = [*GAME.actions(self.position)]
        result = GAME.play(self.position, action)
        assert notation.write_position(self.position) == before
        if isinstance(result, Refusal):
            assert action not in listed
            assert result.code
            assert all(on_board(cell) or cell in ("G1", "A0", "Z99") for cell in result.cells)
        else:
            assert action in listed or isinstance(action, Roll | Deal)
            self.position = result.position

    @rule(seed=st.integers(0, 999), count=st.integers(1, 30))
    def go_on(self, seed: int, count: int) -> None:
        random = Random(seed)
        for _ in range(count):
            if not GAME.over(self.position):
                outcome = GAME.play(self.position, any_action(self.position, random))
                assert isinstance(outcome, Outcome)
                self.position = outcome.position

    @invariant()
    def the_position_is_possible(self) -> None:
        if hasattr(self, "position"):
            check_position(self.position)
            assert GAME.position_from_json(GAME.position_to_json(self.position)) == self.position


Pressing.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestPressing = Pressing.TestCase
