"""The panel on a Raspberry Pi's pins. gpiozero is imported when a panel is opened, not before.

Callbacks only enqueue: lgpio serves all buttons from one thread, which an exception ends and a slow callback stops.
Lamps, digits and buzzer play from gpiozero's own background threads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from hardware.errors import PanelError
from hardware.panel import Button, DarkPanel, Enqueue, Rhythm, Signal, Tally, guarded
from hardware.pins import DEFAULT_PINS, Part, PinMap, Wire
from hardware.push import Push

if TYPE_CHECKING:
    from hardware.parts import Contact, Factory


PartT = TypeVar("PartT")
WiringT = TypeVar("WiringT")

_NAMES = {
    Part.BAR: "bar",
    Part.DIGITS: "digits",
    Part.BUZZER: "buzzer",
    Part.ENCODER: "slider",
    Part.POTENTIOMETER: "slider",
}
"""What `Panel.faults` calls the parts that the panel works without."""


class GpioPanel(DarkPanel):
    """A `Panel` on pins. Without buttons or lamps it cannot be opened; other parts that do not open are reported.

    Args:
        enqueue: takes the presses; called from gpiozero's threads.
        pins: the wiring; None: the default one.
        factory: the pins' driver, closed by the one who made it; None: this Raspberry Pi's own, through lgpio.
        holds: the buttons whose hold means something else than a press.
        when_ns: returns when a contact's last edge happened, in ns on the monotonic clock; None: as the kernel says.

    Raises:
        PanelError: the pins of buttons or lamps are not there, not permitted or in use.
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
        pushes = [Push(button, holds=button in holds) for button in pins.buttons.contacts]
        self._deliver = guarded(enqueue)
        self._when_ns = when_ns
        super().__init__(len(pins.lamps.pins))
        self._faults: dict[str, str] = {}
        with _panel_error("the panel's pins cannot be opened"), ExitStack() as opening:
            self._open(pins, opening, factory, pushes)
            self._devices = opening.pop_all()

    def _open(self, pins: PinMap, opening: ExitStack, driver: Factory | None, pushes: Sequence[Push]) -> None:
        """Open the driver, then what shows and sounds, then what players touch; the stack closes them the other way."""
        from hardware import parts  # noqa: PLC0415 - gpiozero is imported when it is used

        factory = driver if driver is not None else opening.enter_context(closing(parts.own_pins()))
        with parts.driven_by(factory):
            parts.claim(pins.wires_of(Part.LAMP, Part.BUTTON), factory)
            self._lamps = parts.open_lamps(pins.lamps, factory, opening)
            part = partial(self._part, factory, opening)
            self._bar = part(pins.wires_of(Part.BAR), pins.bar, parts.BarDevice)
            self._digits = part(pins.wires_of(Part.DIGITS), pins.digits, parts.DigitsDevice)
            self._buzzer = part(pins.wires_of(Part.BUZZER), pins.buzzer, parts.BuzzerDevice)
            self._knob = part(pins.wires_of(Part.ENCODER), pins.encoder, partial(parts.Knob, deliver=self._deliver))
            watch = partial(parts.watch_potentiometer, deliver=self._deliver)
            part(pins.wires_of(Part.POTENTIOMETER), pins.potentiometer, watch)
            contacts = parts.open_buttons(pins.buttons, factory, opening)
        for push in pushes:
            parts.watch_button(contacts[push.button], push, self._deliver, self._when_ns or parts.edge_ns)

    def _part(
        self,
        factory: Factory,
        opening: ExitStack,
        wires: Sequence[Wire],
        wiring: WiringT | None,
        open_part: Callable[[WiringT, Factory, ExitStack], PartT],
    ) -> PartT | None:
        """Open a part that the panel works without; one that does not open is noted, and nothing of it stays open."""
        if wiring is None:
            return None
        from hardware import parts  # noqa: PLC0415 - as above

        name = _NAMES[wires[0].part]
        try:
            with _panel_error(f"the panel's {name} cannot be opened"), ExitStack() as own:
                parts.claim(wires, factory)
                opened = open_part(wiring, factory, own)
                opening.enter_context(own.pop_all())
                return opened
        except PanelError as error:
            self._faults[name] = str(error)
        return None

    @property
    def parts(self) -> Collection[str]:
        """What it can be shown something on."""
        there = {"lamps": self._lamps, "bar": self._bar, "digits": self._digits, "buzzer": self._buzzer}
        return [name for name, part in there.items() if part]

    @property
    def faults(self) -> Mapping[str, str]:
        """What could not be opened, by part."""
        return self._faults

    def lamp(self, seat_index: int, rhythm: Rhythm | Tally) -> None:
        """Make the lamp of a seat (from 0) follow a rhythm."""
        before = self.shown
        super().lamp(seat_index, rhythm)
        if rhythm.repeats and before.rhythms[seat_index] is rhythm:
            return
        with _panel_error(f"lamp {seat_index + 1} does not work"):
            self._lamps[seat_index].follow(rhythm)

    def slider(self, steps: int | Tally) -> None:
        """Light the first `steps` of the slider bar; an encoder goes on from there."""
        super().slider(steps)
        with _panel_error("the slider bar does not work"):
            if self._bar is not None:
                self._bar.show(steps)
            if self._knob is not None and isinstance(steps, int) and steps > 0:
                self._knob.turn_to(steps)

    def number(self, number: int | None) -> None:
        """Show a number on the digits."""
        super().number(number)
        with _panel_error("the digits do not work"):
            if self._digits is not None:
                self._digits.show(number)

    def buzz(self, signal: Signal | Tally) -> None:
        """Play a signal once, and show its letter."""
        super().buzz(signal)
        with _panel_error("the buzzer does not work"):
            if self._buzzer is not None:
                self._buzzer.play(signal.sounds if isinstance(signal, Tally) else signal.value, self.loudness)
        with _panel_error("the digits do not work"):
            if self._digits is not None and isinstance(signal, Signal):
                self._digits.flash(signal, self._shown.number)

    def close(self) -> None:
        """Put everything out; devices first, the driver last."""
        self._devices.close()


@contextmanager
def _panel_error(what: str) -> Iterator[None]:
    """Raise a driver's failure as ours. gpiozero, lgpio and the kernel raise kinds without a common root."""
    try:
        yield
    except PanelError:
        raise
    except Exception as error:
        message = f"{what}: {error}"
        raise PanelError(message) from error
