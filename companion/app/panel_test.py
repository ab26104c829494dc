"""The panel test: every part is shown and asked about, or waited for."""

from __future__ import annotations

import queue
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import TypeAlias

from companion.app.lines import read_line
from companion.app.output import write_text
from companion.locale import _, translated
from companion.shell.errors import SetUpError
from companion.ui.oled import draw, leaves
from companion.ui.page import rhythm_meanings
from hardware.errors import PanelError
from hardware.oled import Oled
from hardware.panel import BEAT_S, SLIDER_STEPS, Button, ButtonPressed, Panel, PanelInput, Rhythm, Signal, SliderMoved
from hardware.pi import GpioPanel
from hardware.pins import PIN_OF_GPIO, Part, PinMap
from hardware.simulated import SimulatedPanel

Inbox: TypeAlias = "queue.SimpleQueue[PanelInput]"
Finger: TypeAlias = Callable[[Button], object]
"""Presses a button of a simulated panel."""

_STEP_S = 0.4


class TrialState(StrEnum):
    """How a trial ended."""

    WORKS = "works"
    SHOWN = "shown"
    FAILED = "failed"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result of trying a part."""

    name: str
    state: TrialState
    found: str = ""


@contextmanager
def opened(pins: PinMap, *, simulated: bool) -> Iterator[tuple[Panel, Inbox, Finger | None]]:
    """Open the panel, with all buttons reporting holds.

    Raises:
        PanelError: it cannot be opened.
    """
    inbox: Inbox = queue.SimpleQueue()
    holds = frozenset(Button)
    if simulated:
        rng = Random(1)  # noqa: S311 - how contacts bounce, no secret
        with SimulatedPanel(inbox.put, rng, pins=pins, holds=holds) as panel:
            yield panel, inbox, panel.press
    else:
        with GpioPanel(inbox.put, pins, holds=holds) as panel:
            yield panel, inbox, None


class Trial:
    """A test of the parts of a panel, whose presses go to `heard`; `finger` presses the buttons of a simulated one.

    It waits `limit_s` for a press. With `quiet` nobody answers whether a part did what it should.
    """

    def __init__(
        self,
        panel: Panel,
        pins: PinMap,
        heard: Inbox,
        finger: Finger | None,
        *,
        quiet: bool,
        limit_s: float,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        self._panel, self._pins, self._heard, self._finger = panel, pins, heard, finger
        self._quiet, self._limit_s, self._wait = quiet, limit_s, wait

    def of(self, part: str) -> Iterator[TrialResult]:
        """Test one part; a failure is a result, too.

        Raises:
            SetUpError: standard input has ended.
        """
        pins = self._pins
        trials: Mapping[str, tuple[object, Callable[[], Iterator[TrialResult]]]] = {
            "lamps": (pins.lamps.pins, self._lamps),
            "rhythms": (pins.lamps.pins, self._rhythms),
            "bar": (pins.bar, self._bar),
            "digits": (pins.digits, self._digits),
            "buzzer": (pins.buzzer, self._buzzer),
            "buttons": (pins.buttons.contacts, self._buttons),
            "slider": (pins.encoder or pins.potentiometer, self._slider),
            "display": (pins.display, self._display),
        }
        wired, trial = trials[part]
        if not wired:
            yield TrialResult(part_words(part), TrialState.ABSENT)
            return
        if part in self._panel.faults:
            yield TrialResult(part_words(part), TrialState.FAILED, translated(self._panel.faults[part]))
            return
        try:
            yield from trial()
        except PanelError as error:
            yield TrialResult(part_words(part), TrialState.FAILED, translated(str(error)))

    def _ask(self, name: str, question: str) -> TrialResult:
        """Ask whether a part did what it should."""
        if self._quiet:
            return TrialResult(name, TrialState.SHOWN)
        choice = _("Enter: yes, n: no")
        sys.stdout.write(f"{question} [{choice}] ")
        sys.stdout.flush()
        answer = read_line()
        if not answer:
            raise SetUpError(_("the panel's test asks questions: it needs a terminal, or --yes"))
        works = not answer.strip().lower().startswith("n")
        return TrialResult(name, TrialState.WORKS if works else TrialState.FAILED)

    def _lamps(self) -> Iterator[TrialResult]:
        for seat, pins in enumerate(self._pins.lamps.pins):
            name = _("lamp {number}").format(number=seat + 1)
            where = ", ".join(map(_place, (pins,) if isinstance(pins, int) else pins))
            write_text(_("{part} is lit: {where}").format(part=name, where=where))
            self._panel.lamp(seat, Rhythm.STEADY)
            self._wait(_STEP_S)
            yield self._ask(name, _("Is it lit, and no other?"))
            self._panel.lamp(seat, Rhythm.OFF)

    def _rhythms(self) -> Iterator[TrialResult]:
        for rhythm, meaning in rhythm_meanings().items():
            write_text(_("lamp 1: {meaning}").format(meaning=meaning))
            self._panel.lamp(0, rhythm)
            self._wait(2 * len(rhythm.beats) * BEAT_S)
        self._panel.lamp(0, Rhythm.OFF)
        yield self._ask(part_words("rhythms"), _("Did it flash in a rhythm of its own for each?"))

    def _bar(self) -> Iterator[TrialResult]:
        for steps in range(SLIDER_STEPS + 1):
            write_text(_("slider bar: {steps}").format(steps=steps))
            self._panel.slider(steps)
            self._wait(_STEP_S)
        yield self._ask(part_words("bar"), _("Did it grow from nothing to nine, one by one?"))
        self._panel.slider(0)

    def _digits(self) -> Iterator[TrialResult]:
        digits = self._pins.digits
        for digit in range(10):
            number = digit * (1 if digits is None or digits.count == 1 else 11)
            write_text(_("digits: {number}").format(number=number))
            self._panel.number(number)
            self._wait(_STEP_S)
        yield self._ask(part_words("digits"), _("Did they show each number, with no stroke missing?"))
        self._panel.number(None)

    def _buzzer(self) -> Iterator[TrialResult]:
        for signal, meaning in _signal_meanings().items():
            write_text(_("buzzer: {meaning}").format(meaning=meaning))
            self._panel.buzz(signal)
            self._wait((len(signal.value) + 5) * BEAT_S)
        yield self._ask(part_words("buzzer"), _("Did you hear all of them?"))

    def _buttons(self) -> Iterator[TrialResult]:
        for wire in self._pins.wires_of(Part.BUTTON):
            name, button = translated(str(wire)), Button(wire.name)
            sentence = _("press {part} ({where}), within {seconds:g} seconds")
            write_text(sentence.format(part=name, where=_place(wire.gpio), seconds=self._limit_s))
            while not self._heard.empty():  # earlier presses do not count
                self._heard.get()
            if self._finger is not None:
                self._finger(button)
            event = next((event for event in self._events() if isinstance(event, ButtonPressed)), None)
            works, found = TrialState.FAILED, _("nothing was heard")
            if event is not None and event.button is not button:
                found = _("{button} was heard instead").format(button=event.button)
            elif event is not None:
                works, found = TrialState.WORKS, _("held") if event.held else _("pressed")
            yield TrialResult(name, works, found)

    def _slider(self) -> Iterator[TrialResult]:
        if self._finger is not None:
            yield TrialResult(part_words("slider"), TrialState.SHOWN, _("not tried: nobody is there to move it"))
            return
        write_text(_("set the slider to both its ends, within {seconds:g} seconds").format(seconds=self._limit_s))
        seen: Counter[int] = Counter()
        for event in self._events():
            if isinstance(event, SliderMoved):
                seen[event.steps] += 1
                write_text(_("slider: {steps}").format(steps=event.steps))
            if {1, SLIDER_STEPS} <= seen.keys():
                break
        works = {1, SLIDER_STEPS} <= seen.keys()
        steps = ", ".join(map(str, sorted(seen))) or _("nothing was heard")
        yield TrialResult(part_words("slider"), TrialState.WORKS if works else TrialState.FAILED, steps)

    def _display(self) -> Iterator[TrialResult]:
        """Show the meanings of rhythms and signals as text; a frame reveals a shifted picture."""
        words = dict.fromkeys([*rhythm_meanings().values(), *_signal_meanings().values()])
        shown = leaves(part_words("display"), [[*words], [" ".join(map(str, range(10)))]], number="8")
        if self._pins.display is None:
            return
        dots = Oled(self._pins.display, simulated=self._finger is not None)
        with closing(dots):
            for place, leaf in enumerate(shown):
                write_text(" ".join([leaf.heading, *leaf.lines]))
                dots.show(draw(leaf, place, len(shown)))
                self._wait(5 * _STEP_S)
            yield self._ask(part_words("display"), _("Could you read all of it, upright and whole?"))

    def _events(self) -> Iterator[PanelInput]:
        """Yield the panel's events until the time is over."""
        end_s = time.monotonic() + self._limit_s
        while (left_s := end_s - time.monotonic()) > 0:
            try:
                yield self._heard.get(timeout=left_s)
            except queue.Empty:
                return


def result_lines(results: Sequence[TrialResult]) -> Iterator[str]:
    """Yield a line for each result: a mark, a word, the part, the finding."""
    words = {
        TrialState.WORKS: ("+", _("works")),
        TrialState.SHOWN: ("+", _("shown")),
        TrialState.FAILED: ("!", _("FAILED")),
        TrialState.ABSENT: ("-", _("not there")),
    }
    for result in results:
        mark, word = words[result.state]
        yield f"{mark} {word:<12}{result.name:<18}{result.found}".rstrip()


def part_words(part: str) -> str:
    """Return the name of a part."""
    names = {
        "lamps": _("lamps"),
        "rhythms": _("rhythms"),
        "bar": _("slider bar"),
        "digits": _("digits"),
        "buzzer": _("buzzer"),
        "buttons": _("buttons"),
        "slider": _("slider"),
        "display": _("display"),
    }
    return names[part]


def _signal_meanings() -> Mapping[Signal, str]:
    return {
        Signal.ACCEPTED: _("accepted"),
        Signal.REFUSED: _("against the rules"),
        Signal.UNSURE: _("not sure"),
        Signal.OVER: _("the game is over"),
        Signal.FAULT: _("something does not work"),
    }


def _place(gpio: int) -> str:
    return _("GPIO{gpio}, pin {pin}").format(gpio=gpio, pin=PIN_OF_GPIO[gpio])
