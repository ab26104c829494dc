"""A table for machines that search: the real loop with the core, devices and a journal that fail on demand.

The table is what hands have left on it; looks at it need no picture. Time is moved by hand.
"""

from __future__ import annotations

import queue
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.core.display import bar, digits, view
from companion.core.entries import Advised, Arranged, Entry
from companion.core.messages import (
    ActionEntered,
    Began,
    CellSet,
    Event,
    FrameRead,
    Recalled,
    SeatsArranged,
    Thrown,
    TimerFired,
)
from companion.core.state import State, new_state
from companion.core.step import BACK_GUARD_NS, step
from companion.core.verdicts import Action, Position
from companion.games import GAMES, SIMULATED
from companion.games.captions import choice_words, count_words, dice_words, page_for, prompt_words
from companion.games.engines import ENGINES
from companion.games.simulated import Opportunity
from companion.shell.clock import Timers
from companion.shell.effects import Display, EffectRunner, ShownView
from companion.shell.journal import RecordedGame
from companion.shell.loop import Inbox, Loop, StopLoop
from companion.simulator.planner import is_choice, number_for
from engines.kernel import BadRequestError, Cell, Seat
from hardware.panel import Button, ButtonPressed, LineTyped, Signal
from tests.companion.core.tables import FRAME_NS
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.fakes import end_of
from tests.companion.shell.seen import observation
from vision.observation import Observation

SHORT_S, LONG_S = 3.0, 9.0


class Memory:
    """A journal in memory; like a disk it may refuse to take an entry."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.fails = False

    def record(self, entries: Sequence[Entry], _state: object) -> None:
        """Add entries, all of them or none."""
        if self.fails:
            raise OSError("the disk is full")
        self.entries += entries


class Screen:
    """Puts a view into every kind of words that the players get."""

    name, language = "screen", ""

    def __init__(self, game: str) -> None:
        self._board = GAMES[game].board()

    def show(self, shown: ShownView) -> None:
        """Put a view into words."""
        view = shown.view
        page = page_for(view, self._board, lamps=shown.lit.lamps, remarks=(dice_words(view), count_words(view)))
        prompt_words(view)
        assert len(page.buttons) == len(view.buttons)
        assert all(words for _button, words in page.buttons), view.buttons
        assert all(choice_words(view, choice) for choice in view.choices)


class Lights:
    """Lamps, bar, digits and buzzer, which may fail.

    Attributes:
        accepted: how often the buzzer has announced something as accepted.
    """

    name, language = "panel", ""

    def __init__(self) -> None:
        self.fails, self.accepted = False, 0

    def show(self, shown: ShownView) -> None:
        """Light what is asked for, if the panel works."""
        assert 0 <= shown.lit.slider <= 9
        assert shown.lit.number is None or 0 <= shown.lit.number <= 99
        self.accepted += shown.lit.signal is Signal.ACCEPTED
        if self.fails:
            raise OSError("the panel is gone")


class EveningTable:
    """One game at a table.

    Attributes:
        labels: what is on the table.
        doubtful: cells that are read as these shares of labels say.
    """

    def __init__(self, game: str, seed: int, dice: str = "button", *, sees: bool = True) -> None:
        self.game, self.random = GAMES[game], Random(seed)
        self.plays = SIMULATED[game]
        self.options = self.plays.options[seed % len(self.plays.options)]
        self.opening = self.game.engine.new(self._players(), {**ENGINES[game].turns.options, **self.options}, seed)
        self.log, self.lights, self.clock, self.timers = Memory(), Lights(), ManualClock(), Timers()
        self.inbox: Inbox = queue.SimpleQueue()
        self.doubtful: Mapping[Cell, Mapping[str, float]] = {}
        self.sees, self.left = sees, ""
        self.labels, self.card = dict(self.game.placement(self.opening)), self.plays.beside(self.opening, None)
        self.loop = self._loop(new_state(self.game, self.opening, sees=sees, lingers=True))
        self.take(Began(0))
        if dice != "button":
            self.take(SeatsArranged(Arranged(dice=dice), 0))

    def _players(self) -> list[Seat]:
        colours = [Seat(colour) for colour in self.game.board().colours] or [Seat("white"), Seat("black")]
        for count in range(1, len(colours) + 1):
            try:
                self.game.engine.new(colours[:count], self.options, 0)
            except BadRequestError:
                continue
            return colours[:count]
        return colours[:1] + colours[2:3]

    def _loop(self, state: State) -> Loop[State]:
        runner = EffectRunner(
            displays=self.displays(),
            keep_picture=lambda _kind, _view: None,
            timers=self.timers,
            clock=self.clock,
            inbox=self.inbox,
            throw=self._throw,
            advise=self._advise,
        )
        return Loop(
            state,
            step=step,
            record=self.log.record,
            perform=runner,
            inbox=self.inbox,
            timers=self.timers,
            clock=self.clock,
        )

    def _throw(self, position: Any) -> Event:
        turns = ENGINES[self.game.name].turns
        return Thrown(turns.dice.throw(position, self.random), self.clock.now_ns())

    def _advise(self, position: Any, _level: object) -> Event:
        advice = ENGINES[self.game.name].advise(position)
        action = None if advice is None else advice.action
        return Advised(action, "" if advice is None else advice.code, {}, position, self.clock.now_ns())

    def displays(self) -> list[Display]:
        """Return where views are shown."""
        return [Screen(self.game.name), self.lights]

    @property
    def state(self) -> State:
        """The state of the table."""
        return self.loop.state

    @property
    def awaits_throw(self) -> bool:
        """Whether nothing but a throw can come next."""
        position = self.state.position
        return self.game.engine.to_act(position) == "dice" and self.game.turns.dice.awaited(position)

    def lay(self, position: Any) -> None:
        """Lay the table as a position has it."""
        self.labels, self.card = dict(self.game.placement(position)), self.plays.beside(position, None)

    # ---- what happens

    def take(self, event: Event) -> None:
        """Let something happen, and whatever follows from it at once."""
        self.loop.handle(event)
        self.settle()

    def settle(self) -> None:
        """Take in what the devices have reported, and timers that are due."""
        while True:
            name = self.timers.pop_due(self.clock.now_ns())
            if name is not None:
                self.loop.handle(TimerFired(name, self.clock.now_ns()))
            elif not self.inbox.empty():
                message = self.inbox.get()
                assert not isinstance(message, LineTyped)
                if isinstance(message, StopLoop):
                    self.left = message.code
                else:
                    self.loop.handle(message)
            else:
                return

    def press(self, *buttons: Button, held: bool = False) -> None:
        """Press buttons, one after the other, as slowly as a finger."""
        for button in buttons:
            self.pass_s(2 * BACK_GUARD_NS / 1e9)
            self.take(ButtonPressed(button, self.clock.now_ns(), held))

    def choose(self, code: str) -> None:
        """Press MODE until a choice is shown, then DONE."""
        for _ in range(12):
            shown = view(self.state)
            if shown.shown is not None and shown.choices[shown.shown].code == code:
                self.press(Button.DONE)
                return
            self.press(Button.MODE)
        raise AssertionError(f"{code} cannot be chosen: {view(self.state).choices}")

    def pass_s(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.advance(round(seconds * 1e9))
        self.settle()

    def look(self, seconds: float, hidden: Sequence[str] = (), *, still: bool = True) -> None:
        """Look at the table for a while."""
        if not self.sees or "camera" in self.state.failed:
            self.pass_s(seconds)
            return
        seen = self._observation(hidden)
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            self.pass_s(FRAME_NS / 1e9)
            self.take(FrameRead(seen, still, self.clock.now_ns(), self.card))

    def _observation(self, hidden: Sequence[str]) -> Observation:
        seen = observation(self.game.board(), self.labels, hidden)
        for cell, shares in self.doubtful.items():
            row = seen.p[seen.cells.index(cell)]
            row[:] = (1.0 - sum(shares.values())) / len(row)
            for label, share in shares.items():
                row[seen.labels.index(label)] += share
        return seen

    def restart(self) -> None:
        """Begin again from the journal, as after a power cut."""
        arrived = self.recalled()
        self.timers, self.inbox = Timers(), queue.SimpleQueue()
        self.loop = self._loop(arrived)
        self.take(Began(self.clock.now_ns(), resumed=True))

    def recalled(self) -> State:
        """Return the state that the journal leads to."""
        state = new_state(self.game, self.opening, sees=self.sees, lingers=True)
        for entry in self.log.entries:
            state, effects = step(state, Recalled(entry))
            assert effects == ()
        return state

    # ---- a way forward

    def goes_forward(self) -> bool:
        """Do what players can do to go on: mend devices, put the table right, and play; return whether that helps."""
        self.log.fails = self.lights.fails = False
        self.pass_s(2.0)
        if self.state.paused:
            self.press(Button.DONE if self.state.chosen is None else Button.MODE)
        return self.state.over or any(self._plays_on(attempt) for attempt in range(8))

    def _plays_on(self, attempt: int) -> bool:
        before = len(self.log.entries)
        self.put_right()
        if self.state.over or self._moved_on(before):
            return True
        position = self.state.position
        if self.awaits_throw:
            self._throw_now()
        else:
            action = self.plays.decide(position, Random(attempt))
            self._act(position, action)
        return self._moved_on(before)

    def _moved_on(self, before: int) -> bool:
        return len(self.log.entries) > before

    def put_right(self) -> None:
        """Put the table as the game has it, say so of cells that were set by hand, and let it be looked at."""
        while self.state.paused:
            self.press(Button.DONE if view(self.state).buttons.get(Button.DONE) == "continue" else Button.MODE)
        self.lay(self.state.position)
        for cell in self.state.overrides:
            self.take(CellSet(cell, self.labels.get(cell, "empty"), self.clock.now_ns()))
        self.look(LONG_S)

    def _throw_now(self) -> None:
        if self.state.progress.arrangement.dice == "button":
            self.press(Button.ROLL)
            return
        for _ in range(4):
            position = self.state.position
            if view(self.state).buttons.get(Button.DONE) not in ("accept-dice", "count-die"):
                self.press(*[Button.MODE] * (self.state.chosen is not None), Button.ROLL)
            self.press(Button.DONE)
            if self.state.position != position:
                return

    def _act(self, position: Position, action: Action) -> None:
        if not self.sees:
            self.take(ActionEntered(action, self.clock.now_ns()))
            return
        outcome = self.game.engine.after(position, action)
        seat = self.state.rules.turns.prompt(position).seat or self.state.players[0]
        placement, after = self.game.placement(position), self.game.placement(outcome.position)
        if self._choose(action):
            return
        self.card = self.plays.beside(position, action)
        leaves = self.plays.leaves(Opportunity(position, seat, action, placement, after, self.random))
        self.labels = dict(leaves)
        self.look(LONG_S)
        if self.state.position == position:
            self.press(Button.DONE)
            self.look(SHORT_S)

    def _choose(self, action: Action) -> bool:
        """Play an action with the buttons, if it is one of the choices."""
        for _ in range(3 * len(view(self.state).choices) + 12):
            shown = view(self.state)
            wanted = [choice for choice in shown.choices if is_choice(shown, choice, action)]
            if not wanted:
                return False
            number = number_for(shown, wanted[0], action)
            if shown.shown is None or shown.choices[shown.shown] != wanted[0]:
                self.press(Button.MODE)
            elif number is not None and shown.number != number:
                self.press(Button.BACK if shown.number is not None and shown.number > number else Button.ROLL)
            else:
                self.press(Button.DONE)
                self.look(SHORT_S)
                return True
        return False

    # ---- what must always hold

    def check(self) -> None:
        """Compare the state with the journal, which is read again by the turn and, as a record, by the engine alone.

        Raises:
            AssertionError: they differ.
        """
        recalled = self.recalled()
        assert recalled.progress == self.state.progress
        opening = self.game.engine.position_to_json(self.opening)
        recorded = RecordedGame(1, self.game.name, opening, "2026-01-01T00:00:00", tuple(self.log.entries), "")
        assert end_of(recorded) == self.state.position
        assert dict(view(self.state).score) == dict(self.game.engine.score(self.state.position))
        assert 0 <= bar(self.state) <= 9
        assert digits(self.state) is None or 0 <= (digits(self.state) or 0) <= 99
