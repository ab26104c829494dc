"""Anything at any time at a table: never an exception, a wrong score, an action without its entry, or a dead end."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from companion.core.display import view
from companion.core.messages import (
    ActionEntered,
    CellSet,
    ChoiceMade,
    DeviceFailed,
    DeviceReturned,
    DiceRead,
    FrameBlind,
    HintAsked,
    TakeBackAsked,
)
from companion.games import SIMULATED
from companion.games.engines import ENGINES
from companion.shell.archive import end_of
from companion.shell.journal import RecordedGame
from engines.kernel import Cell, Outcome
from hardware.panel import Button, ButtonPressed, SliderMoved
from tests.companion.evening_table import LONG_S, SHORT_S, EveningTable
from vision.observation import BlindReason

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
BUTTONS = st.sampled_from(Button)
MOSTLY = st.sampled_from([True, True, False])


class AnythingAtTheTable(RuleBasedStateMachine):
    """The players, hands, a clock and failing devices at one game's table."""

    game: str

    def __init__(self) -> None:
        super().__init__()
        self.table = EveningTable(self.game, 0)

    @initialize(
        seed=st.integers(0, 9),
        dice=st.sampled_from(["button", "camera", "typed"]),
        sees=st.sampled_from([True, True, False]),
    )
    def set_up(self, seed: int, dice: str, sees: bool) -> None:
        self.table = EveningTable(self.game, seed, dice, sees=sees)

    # ---- hands

    @rule(seed=st.integers(0, 99))
    def move(self, seed: int) -> None:
        """Make an honest move by hand, of the position as the game has it."""
        self.table.random.seed(seed)
        position = self.table.state.position
        engine = self.table.game.engine
        if engine.over(position) or self.table.awaits_throw:
            return
        action = self.table.plays.decide(position, self.table.random)
        outcome = engine.play(position, action)
        assert isinstance(outcome, Outcome)
        self.table.lay(outcome.position)
        self.table.card = self.table.plays.beside(position, action)

    @rule(data=st.data())
    def disturb(self, data: st.DataObject) -> None:
        """Change what is on a cell, against the rules as a rule."""
        board = self.table.game.board()
        cell = Cell(data.draw(st.sampled_from(self.table.game.board().places)))
        self.table.labels[cell] = data.draw(st.sampled_from(board.label_words))

    @rule()
    def put_back(self) -> None:
        self.table.lay(self.table.state.position)

    @rule(
        seconds=st.sampled_from([0.2, SHORT_S, LONG_S]), hides=st.booleans(), still=st.sampled_from([True, True, False])
    )
    def look(self, seconds: float, hides: bool, still: bool) -> None:
        hidden = sorted(map(str, self.table.labels))[:3] if hides else []
        self.table.look(seconds, hidden, still=still)

    # ---- the players

    @rule(button=BUTTONS, held=st.sampled_from([False, False, True]), often=st.integers(1, 3))
    def press(self, button: Button, held: bool, often: int) -> None:
        self.table.press(*[button] * often, held=held)

    @rule(button=BUTTONS)
    def bounce(self, button: Button) -> None:
        now_ns = self.table.clock.now_ns()
        for offset_ns in (0, 1_000_000, 2_000_000):
            self.table.take(ButtonPressed(button, now_ns + offset_ns))

    @rule(seed=st.integers(0, 99), throws=st.booleans())
    def type_an_action(self, seed: int, throws: bool) -> None:
        """Type what is legal now, or was thrown, whether it is expected or not."""
        self.table.random.seed(seed)
        position, engine = self.table.state.position, self.table.game.engine
        turns, now_ns = ENGINES[self.game].turns, self.table.clock.now_ns()
        if throws and engine.has_dice and not engine.over(position):
            self.table.take(DiceRead(turns.dice.throw(position, self.table.random), now_ns))
        elif not engine.over(position) and not self.table.awaits_throw:
            action = self.table.plays.decide(position, self.table.random)
            self.table.take(ActionEntered(action, now_ns))

    @rule(index=st.integers(0, 6), number=st.sampled_from([None, 0, 3, 99]))
    def choose(self, index: int, number: int | None) -> None:
        self.table.take(ChoiceMade(index, self.table.clock.now_ns(), number))

    @rule(what=st.sampled_from(["undo", "redo", "hint"]))
    def ask(self, what: str) -> None:
        now_ns = self.table.clock.now_ns()
        events: dict[str, Any] = {
            "undo": TakeBackAsked(now_ns),
            "redo": TakeBackAsked(now_ns, redo=True),
            "hint": HintAsked(now_ns),
        }
        self.table.take(events[what])

    @rule(steps=st.integers(0, 9))
    def slide(self, steps: int) -> None:
        self.table.take(SliderMoved(steps, self.table.clock.now_ns()))

    @rule(data=st.data())
    def set_a_cell(self, data: st.DataObject) -> None:
        cell = Cell(data.draw(st.sampled_from(self.table.game.board().places)))
        label = data.draw(st.sampled_from(self.table.game.board().label_words))
        self.table.take(CellSet(cell, label, self.table.clock.now_ns()))

    # ---- time and devices

    @rule(seconds=st.sampled_from([0.1, 1.0, 5.0, 300.0]))
    def wait(self, seconds: float) -> None:
        self.table.pass_s(seconds)

    @rule(device=st.sampled_from(["journal", "panel"]), fails=st.booleans())
    def break_or_mend(self, device: str, fails: bool) -> None:
        if device == "journal":
            self.table.log.fails = fails
        else:
            self.table.lights.fails = fails

    @rule(fails=st.booleans())
    def camera(self, fails: bool) -> None:
        self.table.take(DeviceFailed("camera", "no camera") if fails else DeviceReturned("camera"))

    @rule(reason=st.sampled_from(BlindReason))
    def see_nothing(self, reason: BlindReason) -> None:
        self.table.take(FrameBlind(reason, self.table.clock.now_ns()))

    @rule()
    def cut_the_power(self) -> None:
        self.table.restart()

    # ---- what must hold

    @invariant()
    def state_journal_and_engine_agree(self) -> None:
        self.table.check()

    @invariant()
    def people_always_have_a_button(self) -> None:
        """Where nothing looks at the table the players type, and need none."""
        assert view(self.table.state).buttons or not self.table.sees

    def teardown(self) -> None:
        self.table.take(DeviceReturned("camera"))
        assert self.table.goes_forward(), view(self.table.state)
        self.table.check()
        self.records_end_where_the_game_does()

    def records_end_where_the_game_does(self) -> None:
        opening = self.table.game.engine.position_to_json(self.table.opening)
        recorded = RecordedGame(1, self.game, opening, "2026-01-01T00:00:00", tuple(self.table.log.entries), "")
        assert end_of(recorded) == self.table.state.position


@pytest.mark.parametrize("game", sorted(SIMULATED))
def test_whatever_happens_at_a_table_there_is_a_way_forward(game: str) -> None:
    machine = type("AnEvening", (AnythingAtTheTable,), {"game": game})
    effort = settings(
        max_examples=60 if LONG else 4,
        stateful_step_count=40 if LONG else 14,
        deadline=None,
        derandomize=not LONG,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],  # shrinking takes longer than reading the steps of a failure
    )
    run_state_machine_as_test(machine, settings=effort)
