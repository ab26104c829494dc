"""Stopping and going on: for another day, with a board that differs, two games at once; and two moves in one look."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from companion.core.choices import SAVE, TAKE_TABLE
from companion.core.display import lamps, view
from companion.core.entries import Adopted, Calibrated, Played
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
from companion.core.verdicts import Confirmed, Refused, Unclear
from companion.games import SIMULATED
from companion.games.captions import page_for
from companion.games.engines import ENGINES
from companion.shell.journal import Journal
from companion.shell.session import Setup, open_game
from companion.ui.names import player_name
from engines.kernel import Cell, Outcome, Seat
from hardware.panel import Button, ButtonPressed, SliderMoved
from tests.companion.evening_table import LONG_S, SHORT_S, EveningTable
from tests.companion.shell.clocks import ManualClock
from tests.narrow import narrowed, there
from vision.observation import BlindReason

every_game = pytest.mark.parametrize("game", sorted(SIMULATED))
DONE, MODE = Button.DONE, Button.MODE


def played(game: str, steps: int = 3, seed: int = 0) -> EveningTable:
    """A game in which something has been played."""
    table = EveningTable(game, seed)
    for _ in range(steps):
        assert table.goes_forward()
    table.put_right()
    return table


@every_game
def test_a_game_that_is_saved_for_another_day_goes_on_as_it_was(game: str) -> None:
    table = played(game)
    table.press(MODE, held=True)
    left_s = table.state.progress.remaining_s
    table.choose(SAVE)
    assert table.left == "save"
    position, entries = table.state.position, len(table.log.entries)
    table.restart()
    assert (table.state.position, len(table.log.entries)) == (position, entries)
    assert table.state.resumed
    assert not table.state.paused
    if left_s is not None:
        assert there(table.state.clock).remaining_s(table.clock.now_ns()) == pytest.approx(left_s)
    assert table.goes_forward()


def changed(table: EveningTable) -> tuple[str, str]:
    """Empty one cell, or put something on it where it is empty, which looks different for certain; return both."""
    placement = {str(cell): label for cell, label in table.game.placement(table.state.position).items()}
    words = table.game.board().label_words
    cell = sorted(placement)[len(placement) // 2]
    other = "empty" if placement[cell] != "empty" else next(word for word in words if word != "empty")
    label = "back" if "back" in words else other
    table.labels = {**table.labels, cell: label}  # type: ignore[dict-item]
    return cell, label


@every_game
def test_a_board_that_differs_after_a_restart_is_named_and_not_guessed_over(game: str) -> None:
    table = played(game)
    cell, label = changed(table)
    position, entries = table.state.position, len(table.log.entries)
    table.restart()
    table.look(2 * LONG_S)
    assert (table.state.position, len(table.log.entries)) == (position, entries)
    assert (cell, label) in [(difference.cell, difference.observed) for difference in table.state.out_of_step]
    table.put_right()
    assert not table.state.resumed
    assert table.goes_forward()


def test_people_may_take_the_board_as_it_is_after_a_restart() -> None:
    table = played("royal-tee")
    placement = table.game.placement(table.state.position)
    free = next(cell for cell, label in placement.items() if label == "empty")
    table.labels = {**table.labels, free: "red"}
    table.restart()
    table.look(2 * LONG_S)
    table.choose(TAKE_TABLE)
    assert isinstance(table.log.entries[-1], Adopted)
    assert table.game.placement(table.state.position)[free] == "red"
    table.check()


def _two_moves(table: EveningTable) -> tuple[Any, Any, Any] | None:
    """Return a position with those after one and after two moves by hand that follow one another without a throw.

    There are none in Territory: a throw is between any two.
    """
    engine, position = table.game.engine, table.state.position
    first = table.plays.decide(position, Random(1))
    one = engine.play(position, first)
    if not isinstance(one, Outcome) or engine.over(one.position) or engine.to_act(one.position) in (None, "dice"):
        return None
    two = engine.play(one.position, table.plays.decide(one.position, Random(2)))
    if not isinstance(two, Outcome):
        return None
    tables = [table.game.placement(p) for p in (position, one.position, two.position)]
    distinct = tables[0] != tables[1] != tables[2] and tables[0] != tables[2]
    return (position, one.position, two.position) if distinct else None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", sorted(set(SIMULATED) - {"territory"}))
def test_two_moves_in_one_look_are_read_in_order_or_are_asked_for_one_by_one(game: str) -> None:
    tried = 0
    for seed in range(2 if game != "royal-ur" else 6):
        table = played(game, steps=2, seed=seed)
        for _ in range(6):
            if table.state.over or table.awaits_throw or (found := _two_moves(table)) is None:
                if not table.goes_forward():
                    break
                table.put_right()
                continue
            before, one, two = found
            tried += 1
            table.lay(two)
            table.look(2 * LONG_S)
            if table.state.position == before:
                assert isinstance(table.state.verdict, Refused | Unclear), "people are asked"
                table.lay(one)
                table.look(LONG_S)
                table.lay(two)
                table.look(LONG_S)
            placement = table.game.placement
            assert placement(table.state.position) == placement(two)
            table.check()
            break
    assert tried


def test_the_next_game_of_a_kind_begins_with_the_colours_that_the_last_one_has_kept(tmp_path: Path) -> None:
    setup = Setup("royal-tee", [Seat("red"), Seat("green")], tmp_path / "journal.sqlite3")
    tones, later = {(Cell("A1"), "empty"): (0.5, 0.0, 0.0)}, {(Cell("A1"), "red"): (0.3, 0.2, 0.0)}
    with closing(Journal(setup.journal, ManualClock())) as journal:
        game = open_game(journal, setup)
        game.log.record([Calibrated(tones), Calibrated(later)], game.state)
        again, other = open_game(journal, setup), open_game(journal, replace(setup, game="territory", players=()))
        goes_on = open_game(journal, replace(setup, resume=True))
    assert again.state.earlier_tones.seen == goes_on.state.progress.tones.seen == {**tones, **later}
    assert not other.state.earlier_tones.seen


@pytest.mark.parametrize("players", [2, 3, 4])
def test_moves_that_follow_one_another_too_fast_are_accepted_in_turn_order_and_each_is_named(players: int) -> None:
    table = played("royal-tee")
    engine, position = table.game.engine, table.state.position
    movers, placement = list[str](), table.game.placement
    for number in range(players):
        movers.append(str(engine.to_act(position)))
        position = engine.after(position, table.plays.decide(position, Random(number))).position
    before = len(table.log.entries)
    table.labels = dict(placement(position))
    table.look(LONG_S)
    assert table.state.position == position
    assert len([entry for entry in table.log.entries[before:] if isinstance(entry, Played)]) == players
    verdict = narrowed(table.state.verdict, Confirmed)
    assert [part.seat for part in (verdict, *verdict.then)] == movers
    said = page_for(view(table.state), table.game.board(), lamps=lamps(table.state)).message
    assert all(player_name(mover) in said for mover in movers)


def test_two_actions_of_one_player_between_two_looks_are_told_in_one_sentence() -> None:
    table = EveningTable("royal-racers", 0)
    engine, seats = table.game.engine, set[str]()
    while len(seats) != 1:
        assert table.goes_forward()
        table.put_right()
        start = table.state.position
        first = engine.after(start, engine.actions(start)[0])
        seats = {str(engine.to_act(position)) for position in (start, first.position)}
    second = engine.after(first.position, engine.actions(first.position)[0])
    table.labels = dict(table.game.placement(second.position))
    table.look(LONG_S)
    verdict = narrowed(table.state.verdict, Confirmed)
    assert table.state.position == second.position
    assert (verdict.events, verdict.then) == ((*first.events, *second.events), ())


# ---- anything at any time at a table: never an exception, a wrong score, an action without its entry, or a dead end


LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
BUTTONS = st.sampled_from(Button)


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
        self.table.lay(engine.after(position, action).position)
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
