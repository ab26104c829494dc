from __future__ import annotations

import queue
from pathlib import Path

import pytest

from companion.core.entries import Undone
from companion.core.messages import (
    Advise,
    Buzz,
    DeviceFailed,
    Finish,
    Leave,
    SavePicture,
    SetLamp,
    Show,
    Slider,
    StartTimer,
    StopTimer,
    Throw,
    Thrown,
    WriteEntry,
)
from companion.core.verdicts import Picture, Rhythm, Signal
from companion.shell.clock import ManualClock, Timers
from companion.shell.effects import EffectRunner
from companion.shell.loop import Inbox, Message, StopLoop
from tests.companion.shell.fakes import RED, Devices, a_view

ACCEPTED = (SetLamp(RED, Rhythm.TURN), Slider(3), Buzz(Signal.ACCEPTED), Show(a_view()), WriteEntry(Undone()))
"""What an accepted action brings, in an order that the performer must not keep."""


class Bench:
    """A performer with stand-ins for everything around it."""

    def __init__(self) -> None:
        self.devices = Devices()
        self.inbox: Inbox = queue.SimpleQueue()
        self.timers = Timers()
        self.clock = ManualClock(at_ns=1_000)
        self.perform: EffectRunner[int] = EffectRunner(
            log=self.devices,
            display=self.devices,
            lights=self.devices,
            keep_picture=self.devices.keep,
            timers=self.timers,
            clock=self.clock,
            inbox=self.inbox,
        )

    def events(self) -> list[Message]:
        found = []
        while not self.inbox.empty():
            found.append(self.inbox.get())
        return found


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_an_action_is_drawn_once_on_the_screen_before_a_lamp_shows_it(bench: Bench) -> None:
    bench.perform(7, ACCEPTED)
    assert bench.devices.devices_told() == ["screen", "panel", "panel", "panel"]
    assert bench.devices.reported[0] == ("screen", a_view(), {RED: Rhythm.TURN}, ())


@pytest.mark.parametrize("device", ["screen", "panel", "pictures"])
def test_a_device_that_fails_becomes_one_event_and_the_others_go_on(bench: Bench, device: str) -> None:
    bench.devices.broken = {device}
    for _again in range(2):
        bench.perform(7, (*ACCEPTED, SavePicture(Picture.REFUSED)))
    assert bench.events() == [DeviceFailed(device, f"[Errno 5] the {device} is broken")]
    assert set(bench.devices.devices_told()) == {"screen", "panel", "pictures"} - {device}


def test_a_screen_whose_reader_has_gone_ends_the_loop(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = BrokenPipeError()

    def show(*_shown: object) -> None:
        raise gone

    monkeypatch.setattr(bench.devices, "show", show)
    bench.perform(7, (Show(a_view()),))
    assert bench.events() == [StopLoop(gone)]


def test_a_kept_picture_is_reported_on_the_screen_and_no_lamp_waits_for_it(bench: Bench) -> None:
    bench.perform(7, (SavePicture(Picture.FINAL), SetLamp(RED, Rhythm.WON), Show(a_view())))
    assert bench.perform.pictures == [Path("picture.jpg")]
    assert bench.devices.devices_told()[-3:] == ["panel", "pictures", "screen"]
    assert bench.devices.reported[-1] == ("screen", a_view(), {RED: Rhythm.WON}, (Path("picture.jpg"),))


def test_timers_start_from_now_and_stop(bench: Bench) -> None:
    bench.perform(7, (StartTimer("settle", 2.0), StartTimer("blink", 1.0), StopTimer("blink")))
    assert bench.timers.next_ns() == 2_000_001_000


def test_at_the_end_the_game_is_marked_as_ended_before_the_loop_ends(bench: Bench) -> None:
    bench.perform(7, (Leave("over"), Finish(), Show(a_view()), SetLamp(RED, Rhythm.WON)))
    assert bench.devices.reported[-1] == ("journal", "finish", 7)
    assert bench.events() == [StopLoop(code="over")]


def test_a_throw_and_advice_come_back_as_events(bench: Bench) -> None:
    thrown = Thrown({"roll": 3}, 5)
    perform: EffectRunner[int] = EffectRunner(
        log=bench.devices,
        display=bench.devices,
        lights=bench.devices,
        keep_picture=bench.devices.keep,
        timers=bench.timers,
        clock=bench.clock,
        inbox=bench.inbox,
        throw=lambda _position: thrown,
    )
    assert perform(7, (Throw("a position"), Advise("a position"))) == [thrown]
