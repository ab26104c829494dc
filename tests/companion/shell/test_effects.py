from __future__ import annotations

import queue
from pathlib import Path

import pytest

from companion.core.messages import (
    Buzz,
    DeviceFailed,
    DeviceReturned,
    Event,
    Finish,
    Lamp,
    Picture,
    Record,
    Rhythm,
    SavePicture,
    Show,
    Signal,
    Slider,
    StartTimer,
    StopTimer,
    Undone,
)
from companion.shell.clock import ManualClock
from companion.shell.effects import EffectRunner
from companion.shell.loop import Stop
from companion.shell.timers import Timers
from tests.companion.shell.fakes import GREEN, RED, Devices, a_view

ACCEPTED = (Lamp(RED, Rhythm.TURN), Slider(3), Buzz(Signal.ACCEPTED), Show(a_view()), Record(Undone()))
"""What an accepted action brings, in an order that the performer must not keep."""


class Bench:
    """A performer with stand-ins for everything around it."""

    def __init__(self) -> None:
        self.devices = Devices()
        self.inbox: queue.SimpleQueue[Event | Stop] = queue.SimpleQueue()
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

    def events(self) -> list[Event | Stop]:
        found = []
        while not self.inbox.empty():
            found.append(self.inbox.get())
        return found


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_an_action_is_in_the_journal_before_the_screen_and_on_the_screen_before_a_lamp_shows_it(bench: Bench) -> None:
    bench.perform(7, ACCEPTED)
    assert bench.devices.told[0] == ("journal", Undone(), 7)
    assert bench.devices.devices_told() == ["journal", "screen", "screen", "panel", "panel", "panel"]


def test_no_lamp_lights_while_the_disk_is_full_and_all_is_made_up_for_afterwards(bench: Bench) -> None:
    bench.devices.broken = {"journal"}
    bench.perform(7, ACCEPTED)
    bench.perform(8, (Record(Undone()), Lamp(GREEN, Rhythm.TURN)))
    assert "panel" not in bench.devices.devices_told()
    assert bench.events() == [DeviceFailed("journal", "[Errno 5] the journal is broken")]

    bench.devices.broken = set()
    bench.devices.told = []
    bench.perform(9, ())

    assert bench.devices.told[0] == ("journal", Undone(), 7)
    assert bench.devices.told.index(("panel", RED, Rhythm.TURN)) < bench.devices.told.index(("journal", Undone(), 8))
    assert bench.devices.told[-1] == ("panel", GREEN, Rhythm.TURN)
    assert bench.events() == [DeviceReturned("journal")]


def test_the_screen_goes_on_telling_while_the_journal_cannot_be_written(bench: Bench) -> None:
    bench.devices.broken = {"journal"}
    bench.perform(7, ACCEPTED)
    full = a_view(failed={"journal": "the disk is full"})
    bench.perform(7, (Show(full),))
    assert bench.devices.told[-1] == ("screen", full, {}, ())


@pytest.mark.parametrize("device", ["screen", "panel", "pictures"])
def test_a_device_that_fails_becomes_one_event_and_the_others_go_on(bench: Bench, device: str) -> None:
    bench.devices.broken = {device}
    for _again in range(2):
        bench.perform(7, (*ACCEPTED, SavePicture(Picture.REFUSED)))
    assert bench.events() == [DeviceFailed(device, f"[Errno 5] the {device} is broken")]
    assert set(bench.devices.devices_told()) == {"journal", "screen", "panel", "pictures"} - {device}


def test_a_kept_picture_is_told_on_the_screen_and_no_lamp_waits_for_it(bench: Bench) -> None:
    bench.perform(7, (SavePicture(Picture.FINAL), Lamp(RED, Rhythm.WON), Show(a_view())))
    assert bench.perform.pictures == [Path("picture.jpg")]
    assert bench.devices.devices_told()[-3:] == ["panel", "pictures", "screen"]
    assert bench.devices.told[-1] == ("screen", a_view(), {RED: Rhythm.WON}, (Path("picture.jpg"),))


def test_timers_start_from_now_and_stop(bench: Bench) -> None:
    bench.perform(7, (StartTimer("settle", 2.0), StartTimer("blink", 1.0), StopTimer("blink")))
    assert bench.timers.next_ns() == 2_000_001_000


def test_at_the_end_the_score_is_in_the_journal_before_the_loop_ends(bench: Bench) -> None:
    bench.perform(7, (Finish(), Show(a_view()), Lamp(RED, Rhythm.WON)))
    assert bench.devices.told[-1] == ("journal", "finish", 7)
    assert bench.events() == [Stop()]


def test_the_loop_does_not_end_before_the_score_is_in_the_journal(bench: Bench) -> None:
    bench.devices.broken = {"journal"}
    bench.perform(7, (Finish(),))
    assert Stop() not in bench.events()
    bench.devices.broken = set()
    bench.perform(7, ())
    assert Stop() in bench.events()
