"""Illegal sequences pressed upon the engine: it never raises, and what it refuses leaves everything as it was."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import engines.territory
from engines.grid import cells_in
from engines.kernel import Json, Outcome, Refusal, Seat
from engines.territory import GAME, notation, rules
from engines.territory.position import Action, Position
from tests.engines.territory.strategies import any_actions, option_sets, random_action, seats

RULES = (Path(engines.territory.__file__).parent / "RULES.md").read_text("utf-8")
REFUSALS = {
    code: paragraph
    for codes, paragraph in re.findall(r"^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (\d\.\d) \|", RULES, re.MULTILINE)
    for code in re.findall("[a-z-]+", codes)
}


class Table(RuleBasedStateMachine):
    """A game at which anybody tries anything at any time."""

    @initialize(players=seats(), options=option_sets(), seed=st.integers(0, 99))
    def sit_down(self, players: list[Seat], options: dict[str, Json], seed: int) -> None:
        self.position: Position = GAME.new(players, options, seed)

    @rule(seed=st.integers(0, 9999), actions=st.integers(1, 30))
    def play_on(self, seed: int, actions: int) -> None:
        random = Random(seed)
        for _ in range(actions):
            if not self.position.over:
                self._try(random_action(self.position, random), legal=True)

    @rule(data=st.data())
    def try_anything(self, data: st.DataObject) -> None:
        self._try(data.draw(any_actions(self.position)), legal=False)

    def _try(self, action: Action, *, legal: bool) -> None:
        before = notation.write_position(self.position)
        result = rules.play(self.position, action)
        assert notation.write_position(self.position) == before
        if isinstance(result, Outcome):
            self.position = result.position
        else:
            assert not legal
            self._check_refusal(result)

    def _check_refusal(self, refusal: Refusal) -> None:
        assert REFUSALS[refusal.code] == refusal.rule
        assert refusal.cells == tuple(dict.fromkeys(refusal.cells))

    @invariant()
    def somebody_acts_until_the_end(self) -> None:
        to_act = GAME.to_act(self.position)
        assert (to_act is None) == GAME.over(self.position)
        assert bool(GAME.actions(self.position)) == (to_act == self.position.turn)

    @invariant()
    def it_can_be_written_down(self) -> None:
        assert GAME.position_from_json(GAME.position_to_json(self.position)) == self.position
        assert notation.read_position(notation.write_position(self.position)) == self.position

    @invariant()
    def the_score_is_that_of_spaces_on_the_map(self) -> None:
        spaces = len(list(cells_in(self.position.held)))
        assert all(0 <= points <= 11 * spaces for points in GAME.score(self.position).values())


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)


def test_every_refusal_of_the_code_stands_in_the_rules_with_its_paragraph() -> None:
    source = "".join(path.read_text("utf-8") for path in Path(engines.territory.__file__).parent.glob("*.py"))
    given = dict(re.findall(r'Refusal\(\s*"([a-z-]+)", "(\d\.\d)"', source))
    assert given == REFUSALS
    assert all(f"\n{paragraph} " in RULES for paragraph in given.values())
