"""The panel on a Raspberry Pi's pins, through gpiozero: the one file that imports it, and only when a panel opens.

Callbacks only enqueue: lgpio serves all buttons from one thread, which an exception ends and a slow callback stops.
Lamps and buzzer play from gpiozero's own background threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import cycle
from typing import TYPE_CHECKING, Any

from hardware.debounce import Debounce
from hardware.errors import PanelError
from hardware.panel import (
    BEAT_S,
    SLIDER_STEPS,
    Button,
    Enqueue,
    Panel,
    PanelEvent,
    Rhythm,
    Shown,
    Signal,
    all_dark,
    guarded,
)
from hardware.pins import PinMap

if TYPE_CHECKING:
    import gpiozero
    from gpiozero.pins.mock import MockFactory

PITCHES = {"l": -1.0, "m": 0.0, "h": 1.0}
"""A signal's pitches as a tonal buzzer takes them: an octave below, at, and above its middle tone."""


def mock_pins() -> MockFactory:
    """Give gpiozero's mock pins, on which the whole panel works; `factory.pin(17).drive_low()` closes a contact."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin  # noqa: PLC0415 - gpiozero is imported when it is used

    return MockFactory(pin_class=MockPWMPin)


def edge_ns(button: gpiozero.Button) -> int:
    """Tell when the button's last edge happened, in ns on the monotonic clock.

    The kernel stamps edges as they happen; a busy machine delivers them later.
    """
    age_s = button.active_time or button.inactive_time or 0.0
    return int((button.pin_factory.ticks() - age_s) * 1e9)


class GpioPanel(Panel):
    """A `Panel` on pins.

    Args:
        enqueue: takes the presses; called from gpiozero's thread.
        pins: the wiring.
        factory: the pins' driver, closed by whoever made it; None: this Raspberry Pi's own, through lgpio.
        when_ns: tells when a button's last edge happened.

    Raises:
        PanelError: the pins are not there, not permitted or in use.
    """

    def __init__(
        self,
        enqueue: Enqueue,
        pins: PinMap | None = None,
        *,
        factory: gpiozero.Factory | None = None,
        when_ns: Callable[[gpiozero.Button], int] = edge_ns,
    ) -> None:
        pins = pins or PinMap()
        self._deliver = guarded(enqueue)
        self._when_ns = when_ns
        self._shown = all_dark(len(pins.lamps))
        with _told("the panel's pins cannot be opened"), ExitStack() as opening:
            driver = factory if factory is not None else opening.enter_context(closing(_raspberry_pi_pins()))
            self._open(pins, driver, opening)
            self._devices = opening.pop_all()

    def _open(self, pins: PinMap, factory: gpiozero.Factory, opening: ExitStack) -> None:
        """Open the devices; the stack closes them in reverse order, so the driver that it may hold comes last."""
        import gpiozero  # noqa: PLC0415 - gpiozero is imported when it is used

        self._lamps = [opening.enter_context(gpiozero.LED(gpio, pin_factory=factory)) for gpio in pins.lamps]
        self._bar = opening.enter_context(gpiozero.LEDBarGraph(*pins.bar, pin_factory=factory))
        self._buzzer: Any = None
        if pins.buzzer is not None:
            kind = gpiozero.TonalBuzzer if pins.tonal else gpiozero.Buzzer
            self._buzzer = opening.enter_context(kind(pins.buzzer, pin_factory=factory))
            self._sound = _tones if pins.tonal else _beeps
        for button, gpio in pins.buttons.items():
            self._watch(button, opening.enter_context(gpiozero.Button(gpio, pin_factory=factory)))

    def _watch(self, button: Button, contact: gpiozero.Button) -> None:
        debounce = Debounce()

        def closed() -> None:
            at_ns = self._when_ns(contact)
            if debounce.closed(at_ns):
                self._deliver(PanelEvent(button, at_ns))

        contact.when_pressed = closed
        contact.when_released = lambda: debounce.opened(self._when_ns(contact))

    @property
    def shown(self) -> Shown:
        """What was ordered last."""
        return self._shown

    def lamp(self, seat_index: int, rhythm: Rhythm) -> None:
        """Let the lamp of a seat (from 0) follow a rhythm."""
        before, self._shown = self._shown, self._shown.with_lamp(seat_index, rhythm)
        if rhythm.repeats and before.rhythms[seat_index] is rhythm:
            return
        with _told(f"lamp {seat_index + 1} does not work"):
            _play(self._lamps[seat_index], rhythm.beats, repeats=rhythm.repeats)

    def slider(self, steps: int) -> None:
        """Light the first `steps` of the slider bar."""
        self._shown = self._shown.with_slider(steps)
        with _told("the slider bar does not work"):
            self._bar.value = steps / SLIDER_STEPS

    def buzz(self, signal: Signal) -> None:
        """Play a signal once."""
        self._shown = self._shown.with_signal(signal)
        if self._buzzer is not None:
            with _told("the buzzer does not work"):
                _play(self._buzzer, self._sound(signal), repeats=False)

    def close(self) -> None:
        """Put everything out; devices first, the driver last."""
        self._devices.close()


def _play(device: Any, beats: Sequence[bool | float | None], *, repeats: bool) -> None:
    """Set the first beat and let gpiozero's source thread of the device go on; the device stays at the last one."""
    device.source = None
    device.value = beats[0]
    if len(beats) > 1:
        device.source_delay = BEAT_S
        device.source = cycle(beats) if repeats else beats


def _tones(signal: Signal) -> list[float | None]:
    return [PITCHES.get(beat) for beat in signal.value + "."]


def _beeps(signal: Signal) -> list[bool]:
    return [beat in PITCHES for beat in signal.value + "."]


def _raspberry_pi_pins() -> gpiozero.Factory:
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - lgpio is only on a Raspberry Pi
    except ImportError as error:
        message = "the pins need lgpio, which is not here: sudo apt install python3-lgpio"
        raise PanelError(message) from error
    return LGPIOFactory()


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Tell a driver's failure as ours. gpiozero, lgpio and the kernel raise kinds without a common root."""
    try:
        yield
    except PanelError:
        raise
    except Exception as error:
        message = f"{what}: {error}"
        raise PanelError(message) from error
