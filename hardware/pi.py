"""The panel on a Raspberry Pi's pins. gpiozero is imported when a panel is opened, not before.

Callbacks only enqueue: lgpio serves all buttons from one thread, which an exception ends and a slow callback stops.
Lamps, digits and buzzer play from gpiozero's own background threads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack, closing
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from engines.sentence import Sentence
from hardware.errors import PanelError, panel_error
from hardware.panel import Button, Enqueue, Panel, Rhythm, Signal, Tally, guarded
from hardware.pins import DEFAULT_PINS, Part, PinMap
from hardware.push import Push

if TYPE_CHECKING:
    from hardware.parts import Contact, Factory


PartT = TypeVar("PartT")
WiringT = TypeVar("WiringT")

_NOT_OPENED = {
    "bar": Sentence("the panel's bar cannot be opened"),
    "digits": Sentence("the panel's digits cannot be opened"),
    "buzzer": Sentence("the panel's buzzer cannot be opened"),
    "slider": Sentence("the panel's slider cannot be opened"),
}


class GpioPanel(Panel):
    """A `Panel` on pins. Buttons and lamps are required; other parts that cannot be opened are reported by `faults`.

    Args:
        enqueue: receives the presses; called from gpiozero's threads.
        pins: the wiring; None: the default one.
        factory: the pins' driver, closed by its owner; None: this Raspberry Pi's own, through lgpio.
        holds: the buttons for which a hold differs from a press.
        when_ns: returns the time of a contact's last edge in ns on the monotonic clock; None: the kernel's time.

    Raises:
        PanelError: the pins of buttons or lamps do not exist, are not permitted or in use.
    """

    def __init__(
        self,
        enqueue: Enqueue,
        pins: PinMap | None = None,
        *,
        factory: Factory | None = None,
        holds: Collection[Button] = (),
        when_ns: Callable[[Contact], int] | None = None,
    ) -> None:
        pins = pins or DEFAULT_PINS
        self._deliver = guarded(enqueue)
        self._when_ns = when_ns
        super().__init__(len(pins.lamps.pins))
        with panel_error(Sentence("the panel's pins cannot be opened")), ExitStack() as opening:
            self._open(pins, opening, factory, holds)
            self._devices = opening.pop_all()
        opened = {"lamps": self._lamps, "bar": self._bar, "digits": self._digits, "buzzer": self._buzzer}
        self.parts = [name for name, part in opened.items() if part]

    def _open(self, pins: PinMap, opening: ExitStack, driver: Factory | None, holds: Collection[Button]) -> None:
        """Open the driver, then outputs, then inputs; the stack closes them in reverse order."""
        from hardware import parts  # noqa: PLC0415 - gpiozero is imported when it is used

        factory = driver if driver is not None else opening.enter_context(closing(parts.own_pins()))

        def part(
            name: str, kind: Part, wiring: WiringT | None, open_part: Callable[[WiringT, Factory, ExitStack], PartT]
        ) -> PartT | None:
            """Open an optional part; if that fails, record the fault and close what was opened of it."""
            if wiring is None:
                return None
            try:
                with panel_error(_NOT_OPENED[name]), ExitStack() as own:
                    parts.claim(pins.wires_of(kind), factory)
                    opened = open_part(wiring, factory, own)
                    opening.enter_context(own.pop_all())
                    return opened
            except PanelError as error:
                self.faults[name] = str(error)
            return None

        with parts.driven_by(factory):
            parts.claim(pins.wires_of(Part.LAMP, Part.BUTTON), factory)
            self._lamps = parts.open_lamps(pins.lamps, factory, opening)
            self._bar = part("bar", Part.BAR, pins.bar, parts.BarDevice)
            self._digits = part("digits", Part.DIGITS, pins.digits, parts.DigitsDevice)
            self._buzzer = part("buzzer", Part.BUZZER, pins.buzzer, parts.BuzzerDevice)
            self._knob = part("slider", Part.ENCODER, pins.encoder, partial(parts.Knob, deliver=self._deliver))
            watch = partial(parts.watch_potentiometer, deliver=self._deliver)
            part("slider", Part.POTENTIOMETER, pins.potentiometer, watch)
            contacts = parts.open_buttons(pins.buttons, factory, opening)
        for button, contact in contacts.items():
            push = Push(button, holds=button in holds)
            parts.watch_button(contact, push, self._deliver, self._when_ns or parts.edge_ns)

    def lamp(self, seat_index: int, rhythm: Rhythm | Tally) -> None:
        """Make the lamp of a seat (from 0) follow a rhythm."""
        before = self.shown
        super().lamp(seat_index, rhythm)
        if rhythm.repeats and before.rhythms[seat_index] is rhythm:
            return
        with panel_error(Sentence("lamp {number} does not work").format(number=seat_index + 1)):
            self._lamps[seat_index].follow(rhythm)

    def slider(self, steps: int | Tally) -> None:
        """Light the first `steps` of the slider bar; an encoder continues from there."""
        super().slider(steps)
        with panel_error(Sentence("the slider bar does not work")):
            if self._bar is not None:
                self._bar.show(steps)
            if self._knob is not None and isinstance(steps, int) and steps > 0:
                self._knob.turn_to(steps)

    def number(self, number: int | None) -> None:
        """Show a number on the digits."""
        super().number(number)
        with panel_error(Sentence("the digits do not work")):
            if self._digits is not None:
                self._digits.show(number)

    def buzz(self, signal: Signal | Tally) -> None:
        """Play a signal once, and show its letter."""
        super().buzz(signal)
        with panel_error(Sentence("the buzzer does not work")):
            if self._buzzer is not None:
                self._buzzer.play(signal.sounds if isinstance(signal, Tally) else signal.value, self.loudness)
        with panel_error(Sentence("the digits do not work")):
            if self._digits is not None and isinstance(signal, Signal):
                self._digits.flash(signal, self.shown.number)

    def close(self) -> None:
        """Put everything out; devices first, the driver last."""
        self._devices.close()
