from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.core.entries import Undone
from companion.core.messages import (
    Advise,
    Buzz,
    DeviceFailed,
    DeviceReturned,
    Leave,
    SavePicture,
    Show,
    StartTimer,
    StopTimer,
    Throw,
    Thrown,
    WriteEntry,
)
from companion.core.verdicts import Action, Figures, Lit, Picture, Position
from companion.locale import language, speaking
from companion.shell.clock import Timers
from companion.shell.effects import Apart, Display, EffectRunner, PanelDisplay, ShownView
from companion.shell.loop import Inbox, Message, StopLoop
from engines.kernel import Seat
from hardware.panel import Panel, Rhythm, Signal, Tally
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.fakes import GREEN, RED, Devices, Kept, a_view
from tests.companion.shell.tables import KeptPanel

ACCEPTED = (Buzz(Signal.ACCEPTED), Show(a_view(), Lit({RED: Rhythm.TURN}, 3)), WriteEntry(Undone()))
"""What an accepted action brings, in an order that the performer must not keep."""


class Bench:
    """A performer with stand-ins for everything around it."""

    def __init__(self) -> None:
        self.devices = Devices()
        self.displays = [self.devices.screen, self.devices.panel]
        self.inbox: Inbox = queue.SimpleQueue()
        self.timers = Timers()
        self.clock = ManualClock(at_ns=1_000)
        self.perform = self.performer()

    def performer(self, *apart: Display, **more: Any) -> EffectRunner:
        """Make a performer with more displays behind the screen and the panel."""
        return EffectRunner(
            displays=[*self.displays, *apart],
            keep_picture=self.devices.keep,
            timers=self.timers,
            clock=self.clock,
            inbox=self.inbox,
            **more,
        )

    def events(self) -> list[Message]:
        found = []
        while not self.inbox.empty():
            found.append(self.inbox.get())
        return found


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.mark.parametrize("device", ["screen", "panel", "pictures"])
def test_a_device_that_fails_becomes_one_event_and_the_others_go_on(bench: Bench, device: str) -> None:
    bench.devices.broken = {device}
    for _again in range(2):
        bench.perform((*ACCEPTED, SavePicture(Picture.REFUSED)))
    assert bench.events() == [DeviceFailed(device, f"[Errno 5] the {device} is broken")]
    assert set(bench.devices.devices_told()) == {"screen", "panel", "pictures"} - {device}


def test_a_screen_whose_reader_has_gone_ends_the_loop(bench: Bench) -> None:
    gone = BrokenPipeError()

    def show(*_shown: object) -> None:
        raise gone

    bench.displays[0].take = show
    bench.perform((Show(a_view()),))
    assert bench.events() == [StopLoop(gone)]


def test_no_lamp_waits_for_a_kept_picture(bench: Bench) -> None:
    bench.perform((SavePicture(Picture.FINAL), Show(a_view(), Lit({RED: Rhythm.WON}))))
    assert bench.perform.pictures == [Path("picture.jpg")]
    assert bench.devices.devices_told() == ["screen", "panel", "pictures"]
    assert bench.devices.reported[1] == ("panel", ShownView(a_view(), Lit({RED: Rhythm.WON})))


def test_a_signal_sounds_once(bench: Bench) -> None:
    bench.perform(ACCEPTED)
    bench.perform((Show(a_view(), Lit({RED: Rhythm.TURN}, 3)),))
    lit = [entry[1].lit for entry in bench.devices.reported if isinstance(entry, tuple) and entry[0] == "panel"]
    assert lit == [Lit({RED: Rhythm.TURN}, 3, signal=Signal.ACCEPTED), Lit({RED: Rhythm.TURN}, 3)]


def test_each_display_speaks_its_own_language(bench: Bench) -> None:
    spoken: list[tuple[str, str]] = []
    bench.displays[0].take = lambda name, _shown: spoken.append((name, language()))
    bench.perform = bench.performer(Kept("page", bench.displays[0].take, "de"))
    with speaking("fr"):
        bench.perform((Show(a_view()),))
    assert spoken == [("screen", "fr"), ("page", "de")]


def apart(bench: Bench, take: Callable[[str, ShownView], None]) -> Apart:
    """Show on a page that runs in its own thread, after the screen."""
    page = Apart(Kept("page", take), bench.inbox.put)
    bench.perform = bench.performer(page)
    return page


def test_a_display_that_hangs_holds_nobody_up_and_shows_the_latest_view_later(bench: Bench) -> None:
    waiting, free = threading.Event(), threading.Event()
    seen: queue.SimpleQueue[int] = queue.SimpleQueue()

    def hang(_name: str, shown: ShownView) -> None:
        waiting.set()
        assert free.wait(5)
        seen.put(shown.view.slider)

    page = apart(bench, hang)
    bench.perform((Show(a_view()),))
    assert waiting.wait(5)
    for slider in (4, 5, 6):
        bench.perform((Show(replace(a_view(), slider=slider)),))
    assert bench.devices.devices_told().count("screen") == 4
    free.set()
    assert [seen.get(timeout=5), seen.get(timeout=5)] == [3, 6]
    page.close()
    assert seen.empty()


def test_a_display_that_raises_is_reported_once_and_again_when_it_works(bench: Bench) -> None:
    broken = [ZeroDivisionError("a fault in the page"), ZeroDivisionError("the same again")]
    seen: list[threading.Event] = []

    def show(_name: str, _shown: ShownView) -> None:
        for event in seen:
            event.set()
        if broken:
            raise broken.pop(0)

    page = apart(bench, show)
    bench.perform((Show(a_view()),))
    assert bench.inbox.get(timeout=5) == DeviceFailed("page", "a fault in the page")
    for _again in range(2):
        worked = threading.Event()
        seen.append(worked)
        bench.perform((Show(a_view()),))
        assert worked.wait(5)
    assert bench.inbox.get(timeout=5) == DeviceReturned("page")
    page.close()
    assert bench.devices.devices_told()[:2] == ["screen", "panel"]


def test_timers_start_from_now_and_stop(bench: Bench) -> None:
    bench.perform((StartTimer("settle", 2.0), StartTimer("blink", 1.0), StopTimer("blink")))
    assert bench.timers.next_ns() == 2_000_001_000


def test_at_the_end_the_winner_is_shown_before_the_loop_ends(bench: Bench) -> None:
    bench.perform((Leave("over"), Show(a_view(), Lit({RED: Rhythm.WON}))))
    assert bench.devices.devices_told() == ["screen", "panel"]
    assert bench.events() == [StopLoop(code="over")]


def test_a_throw_and_advice_come_back_as_events(bench: Bench) -> None:
    thrown = Thrown(Action("a throw"), 5)
    perform = bench.performer(throw=lambda _position: thrown)
    assert perform((Throw(Position("a position")), Advise(Position("a position")))) == [thrown]


def panel_of(*parts: str) -> KeptPanel:
    """Return a panel that has these parts only, or all."""
    panel = KeptPanel()
    panel.parts = parts or panel.parts
    return panel


def lighted(lit: Lit, *parts: str, seats: Sequence[Seat] = (RED, GREEN), **how: Any) -> KeptPanel:
    """Light a panel; return it."""
    panel = panel_of(*parts)
    PanelDisplay(panel, seats, **how).light(lit)
    return panel


def test_a_seats_orders_go_to_its_own_lamp_and_without_one_nowhere() -> None:
    assert lighted(Lit({GREEN: Rhythm.WRONG})).shown.rhythms[:2] == (Rhythm.OFF, Rhythm.WRONG)
    assert lighted(Lit({GREEN: Rhythm.WRONG}), seats=[RED]).shown == Panel(4).shown


@pytest.mark.parametrize(("parts", "sounds"), [((), []), (("buzzer",), [Tally((3,))])])
def test_a_quiet_panel_sounds_nothing_but_numbers_that_it_can_show_in_no_other_way(
    parts: Sequence[str], sounds: list[Tally]
) -> None:
    lit = Lit(signal=Signal.ACCEPTED, figures=Figures((3,), RED, 1))
    assert lighted(lit, *parts, loudness=0.0).signals == sounds


def test_only_what_has_changed_is_sent_and_everything_after_a_failure() -> None:
    sent: list[object] = []

    class Loose(KeptPanel):
        """A panel whose bar fails at 8."""

        def lamp(self, seat_index: int, rhythm: Rhythm | Tally) -> None:
            sent.append(seat_index)
            super().lamp(seat_index, rhythm)

        def slider(self, steps: int | Tally) -> None:
            if steps == 8:
                raise OSError("a loose contact")
            super().slider(steps)

    panel = Loose()
    display = PanelDisplay(panel.opened(lambda _press: None), [RED, GREEN])
    display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.OFF}, 7, 23))
    assert (panel.shown.slider, panel.shown.number, sent) == (7, 23, [0, 1])
    display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.TODO}, 7, 23))
    assert sent == [0, 1, 1]
    with pytest.raises(OSError, match="loose"):
        display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.TODO}, 8, 23))
    display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.TODO}, 7, 23))
    assert sent == [0, 1, 1, 0, 1]


# ---- numbers on a panel without digits

THROWN = Lit({RED: Rhythm.TURN, GREEN: Rhythm.OFF}, number=8, signal=Signal.ACCEPTED, figures=Figures((3, 5), RED, 1))
COUNTED = Tally((3, 5))


@pytest.mark.parametrize(
    ("parts", "bar", "lamps", "sounds"),
    [
        (("lamps", "bar", "digits", "buzzer"), 0, Rhythm.TURN, Signal.ACCEPTED),
        (("lamps", "bar", "buzzer"), COUNTED, Rhythm.TURN, Signal.ACCEPTED),
        (("lamps", "buzzer"), 0, COUNTED, Signal.ACCEPTED),
        (("buzzer",), 0, Rhythm.TURN, COUNTED),
    ],
)
def test_a_throw_is_shown_with_whatever_there_is(
    parts: Sequence[str], bar: object, lamps: object, sounds: object
) -> None:
    panel = lighted(THROWN, *parts)
    assert (panel.shown.slider, panel.shown.rhythms[:2]) == (bar, (lamps, Rhythm.OFF))
    assert panel.signals == [sounds]


def test_lamps_count_nothing_that_another_display_shows() -> None:
    assert lighted(THROWN, "lamps", read_elsewhere=True).shown.rhythms[0] is Rhythm.TURN


def test_a_lamp_counts_nothing_while_its_player_has_something_left_to_do() -> None:
    panel = lighted(replace(THROWN, lamps={RED: Rhythm.TODO, GREEN: Rhythm.OFF}), "lamps")
    assert panel.shown.rhythms[:2] == (Rhythm.TODO, Rhythm.OFF)


def test_an_equal_throw_is_counted_again_and_the_same_one_goes_on_undisturbed() -> None:
    panel = panel_of("lamps")
    display = PanelDisplay(panel, [RED, GREEN])
    display.light(THROWN)
    first = panel.shown.rhythms[0]
    display.light(replace(THROWN, slider=0))
    assert panel.shown.rhythms[0] is first
    display.light(replace(THROWN, figures=Figures((3, 5), RED, 3)))
    assert panel.shown.rhythms[0] is not first
    display.light(Lit({RED: Rhythm.OFF, GREEN: Rhythm.TURN}))
    assert panel.shown.rhythms[:2] == (Rhythm.OFF, Rhythm.TURN)


def test_a_seat_without_a_lamp_has_its_numbers_counted_on_all_lamps() -> None:
    panel = panel_of("lamps")
    display = PanelDisplay(panel, [GREEN])
    display.light(THROWN)
    assert panel.shown.rhythms[0] == COUNTED
    display.light(Lit({RED: Rhythm.WRONG, GREEN: Rhythm.OFF}, figures=Figures((3, 5), RED, 1)))
    dark: Rhythm | Tally = Rhythm.OFF
    assert panel.shown.rhythms[0] == dark


def test_two_cards_are_told_from_each_other_by_two_figures_each() -> None:
    tally = lighted(Lit({}, figures=Figures((1, 2, 0, 7), None, cards=True)), "lamps").shown.rhythms[0]
    assert tally == Tally((1, 2, 0, 7), pairs=True)
    gaps = [len(gap) for gap in "".join("x" if lit else "." for lit in tally.beats).split("x") if len(gap) > 2]
    assert gaps[0] == gaps[2] < gaps[1] < gaps[3], "longest at the end, then between the cards"


@pytest.mark.parametrize("numbers", [(0,), (1,), (4,), (2, 6), (1, 4, 3)])
def test_numbers_are_flashes_that_can_be_counted(numbers: tuple[int, ...]) -> None:
    tally = Tally(numbers)
    flashes = [len(run) for run in "".join("x" if lit else "." for lit in tally.beats).split(".") if run]
    assert len(flashes) == sum(number or 1 for number in numbers)
    assert (max(flashes) > 6) == (0 in numbers), "a long one stands for nothing"
    assert len(tally.steps) > 9
    assert {step for step in tally.steps if step} == (set(range(1, 10)) if 0 in numbers else set(numbers))
