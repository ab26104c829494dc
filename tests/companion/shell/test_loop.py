from __future__ import annotations

import queue
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from companion.app.photo_reading import own_table
from companion.cli import main, play
from companion.cli.exits import FAULT, UNUSABLE
from companion.cli.unattended import files_to_watch, wait_until_mended
from companion.core.entries import ModeSet
from companion.core.messages import (
    DeviceFailed,
    DeviceReturned,
    Effect,
    Event,
    FrameBlind,
    HintAsked,
    StartTimer,
    TimerFired,
    WriteEntry,
)
from companion.core.verdicts import Mode
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.shell.clock import Clock, Timers
from companion.shell.config_files import enrolment_file
from companion.shell.errors import JournalError, SetUpError
from companion.shell.frame_reader import FrameReader
from companion.shell.loop import JOURNAL, DeviceHealth, Inbox, Loop, Message, StopLoop
from companion.shell.session import Setup
from engines.kernel import Seat
from hardware.errors import PanelError
from hardware.panel import Button, ButtonPressed, LineTyped, Panel, Rhythm, Signal, Tally
from hardware.simulated import SimulatedPanel
from tests.companion.conftest import Told
from tests.companion.evening_table import Memory
from tests.companion.shell import tables
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.tables import Evening, KeptPanel
from tests.narrow import narrowed
from vision.errors import CameraError
from vision.observation import BlindReason

PRESS = ButtonPressed(Button.DONE, 0)


class KeptSource:
    """A source that keeps what it is told of."""

    def __init__(self) -> None:
        self.told: list[Message] = []
        self.runs = False

    def start(self) -> None:
        self.runs = True

    def stop(self) -> None:
        self.runs = False

    def handled(self, message: Message) -> None:
        self.told.append(message)


def stepped(seen: tuple[Event, ...], event: Event) -> tuple[tuple[Event, ...], Sequence[Effect]]:
    """Take any event; buttons and looks are recorded."""
    mode = Mode.ON_DONE if isinstance(event, ButtonPressed) else Mode.AUTOMATIC
    recorded = [WriteEntry(ModeSet(mode))] if isinstance(event, ButtonPressed | FrameBlind) else []
    return (*seen, event), (StartTimer("blink", len(seen)), *recorded)


class Bench:
    """A loop whose state is the tuple of the events that it has seen; a typed line brings the events `typed`."""

    def __init__(self) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self.timers, self.clock, self.log = Timers(), ManualClock(), Memory()
        self.performed: list[tuple[int, Sequence[Effect]]] = []
        self.source, self.typed, self.waiting = KeptSource(), list[Event](), list[tuple[Event, ...]]()
        self.loop: Loop[tuple[Event, ...]] = Loop(
            (),
            step=stepped,
            record=self.log.record,
            perform=self.perform,
            inbox=self.inbox,
            timers=self.timers,
            clock=self.clock,
            interpret=lambda _seen, _line: self.typed,
            cannot_keep=self.waiting.append,
        )
        self.loop.sources.append(self.source)

    def perform(self, effects: Sequence[Effect]) -> Sequence[Event]:
        self.performed.append((len(self.loop.state), effects))
        return []


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_events_are_taken_in_their_order_and_each_ones_effects_before_the_next(bench: Bench) -> None:
    events = [ButtonPressed(button, 0) for button in Button]
    for event in events:
        bench.inbox.put(event)
    bench.inbox.put(StopLoop())

    bench.loop.run()

    assert list(bench.loop.state) == events == bench.source.told
    assert not bench.source.runs
    recorded = WriteEntry(ModeSet(Mode.ON_DONE))
    assert bench.performed == [(n + 1, (StartTimer("blink", n), recorded)) for n in range(len(events))]


def test_a_timer_becomes_an_event_at_its_moment(bench: Bench) -> None:
    bench.timers.start("settle", 500)
    event = bench.loop._next()
    assert event == TimerFired("settle", 500)


def test_a_timer_that_is_due_goes_before_what_waits_in_the_queue(bench: Bench) -> None:
    bench.timers.start("settle", 500)
    bench.inbox.put(PRESS)
    bench.inbox.put(StopLoop())
    bench.clock.advance(500)

    bench.loop.run()

    assert [*bench.loop.state] == [TimerFired("settle", 500), PRESS]


def test_a_fault_of_ours_in_a_thread_ends_the_loop_with_it(bench: Bench) -> None:
    bench.inbox.put(StopLoop(ZeroDivisionError("in the eye")))
    with pytest.raises(ZeroDivisionError, match="in the eye"):
        bench.loop.run()


# ---- what cannot be made durable is not accepted


FAILED, MENDED = DeviceFailed("journal", "the disk is full"), DeviceReturned("journal")


def test_what_the_disk_does_not_take_is_not_accepted_until_there_is_room_and_people_see_that(bench: Bench) -> None:
    bench.log.fails = True
    bench.loop.handle(PRESS)
    assert [*bench.loop.state] == [FAILED]
    assert bench.performed == [(1, (StartTimer("blink", 0),))], "the failure alone is shown"
    assert bench.loop.journal.failing
    bench.loop.handle(PRESS)
    bench.log.fails = False
    assert bench.timers.next_ns() is not None
    bench.loop.handle(TimerFired(JOURNAL, 0))
    assert [*bench.loop.state] == [FAILED, PRESS, MENDED, PRESS]
    assert bench.log.entries == [ModeSet(Mode.ON_DONE)] * 2
    assert not bench.loop.journal.failing


def test_what_follows_from_an_event_that_waits_for_room_waits_as_well(bench: Bench) -> None:
    bench.typed = [PRESS, FREE]
    bench.log.fails = True
    bench.loop.handle(LineTyped("both"))
    bench.loop.handle(TimerFired(JOURNAL, 0))
    assert [*bench.loop.state] == [FAILED]
    bench.log.fails = False
    bench.loop.handle(TimerFired(JOURNAL, 0))
    assert [*bench.loop.state] == [FAILED, PRESS, MENDED, FREE]


def test_what_waits_for_room_comes_before_what_is_done_once_there_is_room(bench: Bench) -> None:
    bench.log.fails = True
    bench.loop.handle(PRESS)
    bench.log.fails = False
    bench.loop.handle(later := ButtonPressed(Button.BACK, 1))
    assert [*bench.loop.state] == [FAILED, PRESS, MENDED, later]


def test_each_press_that_waits_for_room_is_answered_but_no_timer_and_not_the_failure_itself(bench: Bench) -> None:
    bench.log.fails = True
    bench.loop.handle(PRESS)
    assert bench.waiting == [], "the failure itself was reported"
    bench.loop.handle(PRESS)
    bench.loop.handle(TimerFired(JOURNAL, 0))
    assert bench.waiting == [(FAILED,)]


FREE = HintAsked(0)
"""Leads to no entry."""


def test_a_frame_that_could_not_be_recorded_is_not_kept_since_the_table_is_seen_again(bench: Bench) -> None:
    bench.log.fails = True
    bench.loop.handle(FrameBlind(BlindReason.DARK, 0))
    bench.log.fails = False
    bench.loop.handle(TimerFired(JOURNAL, 0))
    assert [*bench.loop.state] == [FAILED]
    bench.loop.handle(again := FrameBlind(BlindReason.DARK, 1))
    assert [*bench.loop.state] == [FAILED, again, MENDED]


# ---- A camera or a disk that fails shows on the panel, and no longer does when it works again


class NotingPanel(KeptPanel):
    """Notes the rhythms that the first lamp was ordered to show."""

    def __init__(self) -> None:
        super().__init__()
        self.rhythms: list[Rhythm | Tally] = []

    def lamp(self, seat_index: int, rhythm: Rhythm | Tally) -> None:
        super().lamp(seat_index, rhythm)
        if seat_index == 0:
            self.rhythms.append(rhythm)


def played(tmp_path: Path, *, moved: bool = False, failures: Sequence[Exception] = (), **faults: str) -> Evening:
    """Look at a table on which the first tee is put down if it is `moved`; the camera has failed in between."""
    game, panel = GAMES["royal-tee"], NotingPanel()
    panel.faults = faults
    start = game.engine.new([Seat("red"), Seat("green")], {}, 0)
    after = game.engine.after(start, game.engine.action_from_json({"walk": ["E12"]})).position
    setup = Setup("royal-tee", [Seat("red"), Seat("green")], tmp_path / "journal.sqlite3")
    lying = [game.placement(start), game.placement(after if moved else start)]
    return tables.play(setup, lying, looks_each=20, panel=panel, failures=failures)


def test_a_camera_that_fails_shows_on_the_panel_until_it_works_again(tmp_path: Path) -> None:
    panel = played(tmp_path, failures=[CameraError("the plug is loose")]).panel
    rhythms = narrowed(panel, NotingPanel).rhythms
    assert rhythms[rhythms.index(Rhythm.FAULT) + 1] is Rhythm.TURN


def test_a_part_of_the_panel_that_does_not_open_is_shown_and_the_game_goes_on(tmp_path: Path) -> None:
    evening = played(tmp_path, moved=True, bar="the panel's bar cannot be opened: GPIO4 is in use")
    assert Rhythm.FAULT not in narrowed(evening.panel, NotingPanel).rhythms
    assert "The panel's bar cannot be opened: GPIO4 is in use" in evening.said


def _broken() -> None:
    raise OSError("out of order")


def test_a_device_is_reported_once_when_it_fails_and_once_when_it_returns() -> None:
    events: list[Event] = []
    guard = DeviceHealth("lamp", events.append)

    worked = [guard.use(action) for action in (list, _broken, _broken, list, list)]

    assert worked == [True, False, False, True, True]
    assert events == [DeviceFailed("lamp", "out of order"), DeviceReturned("lamp")]


def test_a_guard_does_not_hide_our_own_faults() -> None:
    with pytest.raises(ZeroDivisionError):
        DeviceHealth("lamp", lambda _event: None).use(lambda: 1 // 0)


def test_timers_fire_in_the_order_of_their_moments_and_only_when_due() -> None:
    timers = Timers()
    timers.start("late", 30)
    timers.start("early", 20)
    timers.start("stopped", 10)
    timers.stop("stopped")
    timers.start("early", 10)
    timers.start("early", 20)  # it starts again

    assert timers.next_ns() == 20
    assert [timers.pop_due(19), timers.pop_due(30), timers.pop_due(30), timers.pop_due(30)] == [
        None,
        "early",
        "late",
        None,
    ]


def test_the_real_clock_gives_up_at_a_moment_that_has_passed() -> None:
    clock = Clock()
    with pytest.raises(queue.Empty):
        clock.get(queue.SimpleQueue[str](), clock.now_ns() - 1)
    assert clock.utc().tzinfo is not None


# ---- A service with a wrong configuration waits for a mended file, and the panel shows that it does


ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "deploy/pi").rglob("companion.toml"))


def test_every_lamp_shows_the_fault_until_a_file_changes(tmp_path: Path) -> None:
    file, panel, rhythms = tmp_path / "companion.toml", SimulatedPanel(lambda _heard: None, Random(1)), []

    def wait(_seconds: float) -> None:
        rhythms.append(set(panel.shown.rhythms))
        if len(rhythms) == 3:
            file.write_text("game = 'royal-tee'")

    assert wait_until_mended([file], lambda: panel, wait=wait)
    assert rhythms == [{Rhythm.FAULT}] * 3


@pytest.mark.parametrize("error", [PanelError("pin 4 is taken"), SetUpError("no such panel")])
def test_without_a_usable_panel_nothing_is_waited_for(tmp_path: Path, error: Exception) -> None:
    def broken() -> Panel:
        raise error

    assert not wait_until_mended([tmp_path / "x"], broken)


def test_the_files_that_may_be_wrong_are_watched(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text(
        'lens = "mine.toml"\ntables = ["board.toml"]\ncertificate = "own.pem"\ncertificate_key = "own.key"'
    )
    environment = {"CONFIGURATION_DIRECTORY": str(tmp_path)}
    names = {"companion.toml", "hardware.toml", "lens.toml", "mine.toml", "board.toml", "given.toml"}
    names |= {"own.pem", "own.key", own_table("royal-tee"), enrolment_file("territory")}
    watched = files_to_watch(environment, [tmp_path / "given.toml", None])
    assert {tmp_path / name for name in names} <= set(watched)
    (tmp_path / "companion.toml").write_text("width = 1")
    assert tmp_path / "companion.toml" in files_to_watch(environment)


def test_a_camera_that_is_mended_in_the_settings_is_the_one_that_the_service_opens(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "companion.toml"
    file.write_text('game = "royal-ur"\ncamera = "files:/nowhere"\npanel = "simulated"\n')
    monkeypatch.setenv("COMPANION_SETTINGS", str(file))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setattr("companion.shell.loop.Loop.run", lambda _loop: None)
    mended: list[str] = []

    def mend(_files: object, _open_panel: object, report: Callable[[], object]) -> bool:
        report()
        mended.append(file.read_text())
        file.write_text(mended[0].replace("files:/nowhere", "simulated"))
        return len(mended) == 1

    monkeypatch.setattr("companion.cli.unattended.wait_until_mended", mend)
    assert main(["play", "--unattended"]) == 0
    assert len(mended) == 1


def test_a_camera_that_is_not_there_at_the_start_is_shown_on_the_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    panel = KeptPanel()
    missing: list[Exception] = [CameraError("no camera is there")]

    def look(_eye: FrameReader) -> None:
        raise missing[0]

    def sleep(_seconds: float) -> None:
        """Wait for nothing."""

    monkeypatch.setattr("hardware.pi.GpioPanel", lambda enqueue, **_how: panel.opened(enqueue))
    monkeypatch.setattr(FrameReader, "look", look)
    monkeypatch.setattr(play, "ended_by_signals", _ended_when(lambda: Rhythm.FAULT in panel.shown.rhythms))
    assert main(["play", "royal-tee", "--camera", "webcam:0", "--panel", "gpio", "--plain"]) == 0
    assert panel.signals[-1] is Signal.FAULT

    panel.signals.clear()
    monkeypatch.setattr("companion.cli.unattended.time.sleep", sleep)
    assert main(["play", "royal-tee", "--camera", "files:/nowhere", "--panel", "gpio"]) == UNUSABLE
    assert (panel.signals, set(panel.shown.rhythms)) == ([Signal.FAULT], {Rhythm.FAULT})


def _ended_when(shown: Callable[[], bool]) -> Callable[[Inbox], AbstractContextManager[None]]:
    """Return what ends a game as a signal does, as soon as something is shown."""

    def look_again(inbox: Inbox) -> None:
        deadline = time.monotonic() + 20.0
        while not shown() and time.monotonic() < deadline:
            time.sleep(0.01)
        inbox.put(StopLoop())

    @contextmanager
    def ended(inbox: Inbox) -> Iterator[None]:
        Thread(target=look_again, args=(inbox,), daemon=True).start()
        yield

    return ended


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SetUpError("wrong"), UNUSABLE),
        (CameraError("no folder"), UNUSABLE),
        (JournalError("busy"), FAULT),
        (PanelError("pin 4 is taken"), FAULT),
    ],
)
def test_without_a_panel_a_wrong_configuration_ends_it_and_a_journal_in_trouble_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, told: Told, error: Exception, code: int
) -> None:
    def once(_args: object) -> int:
        raise error

    monkeypatch.setattr(play, "_run_once", once)
    monkeypatch.setattr("companion.cli.unattended.wait_until_mended", lambda *_any: False)
    assert str(error) in told("play", "--unattended", code=code)
    unit = (ROOT / "deploy/pi/companion.service").read_text()
    assert f"RestartPreventExitStatus={UNUSABLE}" in unit.splitlines()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.parent.name)
def test_every_example_starts(example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Told) -> None:
    """With simulated players in place of camera and panel, and nothing else changed."""
    settings: Mapping[str, str] = tomllib.loads(example.read_text())
    assert settings["game"] in ENGINES
    assert (settings["panel"], settings["camera"].partition(":")[0]) in (("gpio", "picamera"), ("gpio", "webcam"))
    monkeypatch.setenv("COMPANION_SETTINGS", str(example))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setattr("companion.shell.loop.Loop.run", lambda _loop: None)
    assert "companion: " not in told("play", "--unattended", "--camera", "simulated", "--panel", "simulated")
