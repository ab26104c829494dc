"""The panel's parts as gpiozero devices; the only file that imports it, itself imported when a panel is opened.

Every part is opened into an `ExitStack`, which closes in reverse order: a part's own thread, the part, the driver.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import cycle
from math import asin, pi
from pathlib import Path
from tempfile import gettempdir
from typing import Any, TypeAlias

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPWMPin

from engines.sentence import Sentence
from hardware.errors import PanelError, panel_error
from hardware.panel import BEAT_S, SLIDER_STEPS, Button, ButtonPressed, PanelInput, Rhythm, Signal, SliderMoved, Tally
from hardware.pins import PIN_OF_GPIO, Bar, Buttons, Buzzer, Digits, Encoder, Lamps, Part, Potentiometer, Wire
from hardware.push import Push

Factory: TypeAlias = gpiozero.Factory
Contact: TypeAlias = gpiozero.Button
Deliver: TypeAlias = Callable[[PanelInput], None]

PITCHES = {"l": -1.0, "m": 0.0, "h": 1.0}
"""The values of a tonal buzzer for a signal's pitches: an octave below, at, and above its middle tone."""

LOOK_S = 0.05
"""The interval at which the potentiometer is read."""

_MINUS = (0, 0, 0, 0, 0, 0, 1)
"""The segments a to g of "-", which gpiozero's font lacks."""

_FIRST_STEP = -(SLIDER_STEPS // 2)
"""gpiozero counts an encoder's steps on both sides of 0: nine of them are -4 to 4."""

_log = logging.getLogger(__name__)


PIN_FACTORY = "GPIOZERO_PIN_FACTORY"
"""gpiozero's environment variable for the driver of its pins."""


def own_pins() -> Factory:
    """Return the pins of this computer: a Raspberry Pi's through lgpio, or gpiozero's mock pins if those are asked for.

    Raises:
        PanelError: lgpio is not installed, or another driver is asked for.
    """
    asked = os.environ.get(PIN_FACTORY, "lgpio")
    if asked == "mock":
        return mock_pins()
    if asked != "lgpio":
        message = Sentence('{variable}: expected "lgpio" or "mock", found "{found}"')
        raise PanelError(message.format(variable=PIN_FACTORY, found=asked))
    if not os.access(Path.cwd(), os.W_OK):  # lgpio makes a pipe in the folder in which it is imported, or in LG_WD
        os.environ.setdefault("LG_WD", gettempdir())
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - lgpio is only on a Raspberry Pi
    except ImportError as error:
        message = Sentence("the pins need lgpio, which is not here: sudo apt install python3-lgpio")
        raise PanelError(message) from error
    return LGPIOFactory()


def claim(wires: Iterable[Wire], factory: Factory) -> None:
    """Reserve the pins of wires one by one, so that an error names the pin.

    Raises:
        PanelError: a pin does not exist, is not permitted or in use; the message names its part, GPIO and place.
    """
    for wire in wires:
        if wire.part is Part.POTENTIOMETER:  # the bus has them
            continue
        sentence = Sentence("{wire} cannot be opened (GPIO{gpio}, pin {pin})")
        with panel_error(sentence.format(wire=str(wire), gpio=wire.gpio, pin=PIN_OF_GPIO[wire.gpio])):
            factory.pin(wire.gpio)


def mock_pins(clock_ns: Callable[[], int] = time.monotonic_ns) -> MockFactory:
    """Return gpiozero's mock pins, on which the whole panel works, and whose events are stamped with a clock.

    `factory.pin(17).drive_low()` closes a contact.
    """
    factory = MockFactory(pin_class=MockPWMPin)
    factory.ticks = lambda: clock_ns() / 1e9
    return factory


@contextmanager
def driven_by(factory: Factory) -> Iterator[None]:
    """Make a driver gpiozero's default until the end of the block.

    gpiozero 2.0.1 does not pass the driver to all devices inside two digits and software SPI.
    """
    before, gpiozero.Device.pin_factory = gpiozero.Device.pin_factory, factory
    try:
        yield
    finally:
        gpiozero.Device.pin_factory = before


def edge_ns(contact: Contact) -> int:
    """Return the time of the contact's last edge as stamped by the kernel, in ns on the monotonic clock."""
    age_s = contact.active_time or contact.inactive_time or 0.0
    return int((contact.pin_factory.ticks() - age_s) * 1e9)


class Player:
    """Plays values on one of gpiozero's devices, from the device's own background thread."""

    def __init__(self, device: Any, opening: ExitStack) -> None:
        self._device = opening.enter_context(device)
        opening.callback(self._stop)  # before the device closes: the thread would write to what is closed

    def _stop(self) -> None:
        self._device.source = None

    def play(self, values: Sequence[Any], *, repeats: bool = False) -> None:
        """Play values beat by beat, repeated or once; then the device stays at the last one."""
        self._stop()
        self._device.value = values[0]
        if len(values) > 1:
            self._device.source_delay = BEAT_S
            self._device.source = cycle(values) if repeats else values


class Lamp:
    """A seat's lamp; `lit` and `dark` are values of the device."""

    def __init__(self, device: Any, opening: ExitStack, *, lit: Any, dark: Any) -> None:
        self._player = Player(device, opening)
        self._lit, self._dark = lit, dark

    def follow(self, rhythm: Rhythm | Tally) -> None:
        """Follow a rhythm from its beginning."""
        self._player.play([self._lit if beat else self._dark for beat in rhythm.beats], repeats=rhythm.repeats)


def open_lamps(lamps: Lamps, factory: Factory, opening: ExitStack) -> Sequence[Lamp]:
    """Open the lamps of all seats."""
    if not lamps.pins:
        return ()
    opened: list[Lamp] = []
    if lamps.kind == "rgb":
        for seat_index, pins in enumerate(lamps.pins):
            red, green, blue = pins  # type: ignore[misc]  # PinMap has checked that RGB lamps have three pins
            led = gpiozero.RGBLED(red, green, blue, active_high=lamps.active_high, pin_factory=factory)
            colour = bytes.fromhex(lamps.colour(seat_index)[1:])
            lit = tuple(lamps.brightness * part / 255 for part in colour)
            opened.append(Lamp(led, opening, lit=lit, dark=(0, 0, 0)))
        return opened
    dims = lamps.kind == "pwm"
    board = gpiozero.LEDBoard(*lamps.pins, pwm=dims, active_high=lamps.active_high, pin_factory=factory)
    opening.enter_context(board)
    return [Lamp(led, opening, lit=lamps.brightness if dims else True, dark=0) for led in board]


class BarDevice:
    """The slider bar: the `value` k/9 of gpiozero's graph lights k steps."""

    def __init__(self, bar: Bar, factory: Factory, opening: ExitStack) -> None:
        graph = gpiozero.LEDBarGraph(*bar.pins, active_high=bar.active_high, initial_value=0, pin_factory=factory)
        self._player = Player(graph, opening)

    def show(self, steps: int | Tally) -> None:
        """Light the first steps, or show numbers one after the other."""
        played = [steps] if isinstance(steps, int) else steps.steps
        self._player.play([step / SLIDER_STEPS for step in played], repeats=isinstance(steps, Tally))


class _TonalBuzzer(gpiozero.TonalBuzzer):  # type: ignore[misc]  # gpiozero has no types
    """A tonal buzzer with a duty cycle, which sets its loudness.

    A piezo disc mostly sounds the fundamental of a square wave, whose amplitude is sin(pi * duty).
    """

    duty = 0.5

    @property
    def value(self) -> float | None:
        """Its pitch within its range, from -1 to 1; None if it is silent."""
        found: float | None = super().value
        return found

    @value.setter
    def value(self, value: float | None) -> None:
        gpiozero.TonalBuzzer.value.fset(self, value)
        if value is not None:
            self.pwm_device.value = self.duty


class BuzzerDevice:
    """A buzzer of either kind."""

    def __init__(self, buzzer: Buzzer, factory: Factory, opening: ExitStack) -> None:
        self._tonal = buzzer.kind == "tonal"
        kind = _TonalBuzzer if self._tonal else gpiozero.Buzzer
        self._device = kind(buzzer.pin, pin_factory=factory)
        self._player = Player(self._device, opening)

    def play(self, sounds: str, loudness: float = 1.0) -> None:
        """Play the beats of a signal, then silence; a plain buzzer ignores the loudness."""
        if self._tonal:
            self._device.duty = asin(loudness) / pi
        beats = sounds + "."
        self._player.play([PITCHES.get(beat) if self._tonal else beat in PITCHES for beat in beats])


class DigitsDevice:
    """One digit, or two that are multiplexed."""

    def __init__(self, digits: Digits, factory: Factory, opening: ExitStack) -> None:
        cathode = digits.common == "cathode"
        device = gpiozero.LEDCharDisplay(*digits.segments, active_high=cathode, pin_factory=factory)
        device.font["-"] = _MINUS
        if digits.selects:
            opening.enter_context(device)
            device = gpiozero.LEDMultiCharDisplay(device, *digits.selects, active_high=cathode, pin_factory=factory)
        self._count = digits.count
        self._player = Player(device, opening)

    def show(self, number: int | None) -> None:
        """Show a number at the right, "-" if it is too long, or nothing."""
        self._player.play([self._text(number)])

    def flash(self, signal: Signal, number: int | None) -> None:
        """Show a signal's letter in its rhythm, then the number again."""
        letter, dark = f"{signal.letter:>{self._count}}", " " * self._count
        self._player.play([*(letter if beat in PITCHES else dark for beat in signal.value), self._text(number)])

    def _text(self, number: int | None) -> str:
        text = "" if number is None else str(number)
        return f"{text:>{self._count}}" if len(text) <= self._count else "-" * self._count


class Knob:
    """A rotary encoder as a slider of nine steps."""

    def __init__(self, encoder: Encoder, factory: Factory, opening: ExitStack, deliver: Deliver) -> None:
        knob = gpiozero.RotaryEncoder(encoder.a, encoder.b, max_steps=-_FIRST_STEP, pin_factory=factory)
        self._knob = opening.enter_context(knob)
        opening.callback(_remove_callbacks, (knob.a.pin, knob.b.pin))
        self._deliver = deliver
        self._steps = 1
        self._knob.steps = _FIRST_STEP
        self._knob.when_rotated = self._report_turn

    def turn_to(self, steps: int) -> None:
        """Set the step, as if the knob was turned there: it has no position of its own."""
        self._knob.steps = _FIRST_STEP + steps - 1
        self._report_turn()

    def _report_turn(self) -> None:
        steps = self._knob.steps - _FIRST_STEP + 1
        if steps != self._steps:  # turning beyond the last step changes nothing
            self._steps = steps
            self._deliver(SliderMoved(steps, _now_ns(self._knob.pin_factory)))


def watch_potentiometer(potentiometer: Potentiometer, factory: Factory, opening: ExitStack, deliver: Deliver) -> None:
    """Read the potentiometer from a thread of its own until the stack closes it."""
    adc = opening.enter_context(
        gpiozero.MCP3008(potentiometer.channel, port=0, device=potentiometer.select, pin_factory=factory)
    )
    detents, ended = Detents(), threading.Event()

    def look() -> None:
        try:
            while not ended.wait(LOOK_S):
                steps = detents.moved_to(adc.value)
                if steps is not None:
                    deliver(SliderMoved(steps, _now_ns(factory)))
        except Exception:
            _log.exception("the slide potentiometer is not read any more")

    thread = threading.Thread(target=look, name="slider", daemon=True)
    thread.start()
    opening.callback(thread.join)
    opening.callback(ended.set)


def open_buttons(buttons: Buttons, factory: Factory, opening: ExitStack) -> Mapping[Button, Contact]:
    """Open the buttons as one board; return the contact of each."""
    if not buttons.contacts:
        return {}
    pins = {button.value: gpio for button, gpio in buttons.contacts.items()}
    board = opening.enter_context(gpiozero.ButtonBoard(**pins, hold_time=buttons.hold_s, pin_factory=factory))
    contacts = {button: getattr(board, button.value) for button in buttons.contacts}
    opening.callback(_remove_callbacks, [contact.pin for contact in contacts.values()])
    return contacts


def _remove_callbacks(pins: Iterable[Any]) -> None:
    """Remove the pins' callbacks before their devices close.

    gpiozero (2.0.1.post3) leaves them in lgpio. If the pins are opened again in the same process, the first edge would
    find a closed device, and its exception would end the thread that serves all buttons.
    """
    for pin in pins:
        pin.when_changed = None


def watch_button(contact: Contact, push: Push, deliver: Deliver, when_ns: Callable[[Contact], int]) -> None:
    """Report a contact's pushes to `deliver`; `when_ns` returns the time of its last edge."""

    def report(event: ButtonPressed | None) -> None:
        if event is not None:
            deliver(event)

    contact.when_pressed = lambda: push.closed(when_ns(contact))
    contact.when_released = lambda: report(push.opened(when_ns(contact)))
    contact.when_held = lambda: report(push.held())


def _now_ns(factory: Factory) -> int:
    return int(factory.ticks() * 1e9)


_SLACK = 0.25
"""How far beyond its border, in parts of a step, a position still counts as the old step."""


class Detents:
    """Divides a position from 0 to 1 into the slider's steps from 1."""

    def __init__(self) -> None:
        self._step: int | None = None

    def moved_to(self, position: float) -> int | None:
        """Return the step that the slider was moved to; None if it stays in its step."""
        place = position * SLIDER_STEPS
        if self._step is not None and self._step - 1 - _SLACK <= place <= self._step + _SLACK:
            return None
        self._step = min(int(place) + 1, SLIDER_STEPS)
        return self._step
