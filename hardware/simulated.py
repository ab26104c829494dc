"""The panel of a Raspberry Pi on mock pins, with contacts that bounce like real ones.

Edges come in bursts, also on release, and from another thread. Like a kernel it stamps each edge with its own time, so
that late delivery by a busy machine changes nothing.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from engines.sentence import Sentence
from hardware.errors import PanelError
from hardware.panel import Button, Enqueue, PanelInput
from hardware.pi import GpioPanel
from hardware.pins import DEFAULT_PINS, PinMap

MOST_BOUNCES = 8
LONGEST_BOUNCE_NS = 4_000_000
HOLD_NS = (60_000_000, 200_000_000)
"""Shortest and longest time that a button is down for a press."""

REST_NS = 80_000_000
"""The least time from a release to the next press; fingers are no faster."""


def contact_edges(rng: random.Random) -> Iterator[tuple[int, bool]]:
    """Yield the edges of a random push: the time since the first, in ns, and whether the contact closes."""
    at_ns = 0
    for closes in (True, False):
        bounces = rng.randrange(MOST_BOUNCES + 1)
        for edge in range(2 * bounces + 1):
            yield at_ns, closes ^ (edge % 2 == 1)
            at_ns += rng.randrange(1, LONGEST_BOUNCE_NS)
        at_ns += rng.randrange(*HOLD_NS)


class SimulatedPanel(GpioPanel):
    """A `GpioPanel` on gpiozero's mock pins, whose buttons are pressed by `press`; `rng` lets them bounce.

    `enqueue` is called from the finger's thread.
    """

    def __init__(
        self,
        enqueue: Enqueue,
        rng: random.Random,
        *,
        pins: PinMap | None = None,
        holds: Collection[Button] = (),
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        from hardware.parts import mock_pins  # noqa: PLC0415 - gpiozero is imported when it is used

        self._rng = rng
        self._pins = pins or DEFAULT_PINS
        self._contacts = self._pins.buttons.contacts
        self._clock_ns, self._reported = clock_ns, threading.Event()
        self._edge_ns = 0
        self._rested_ns = dict.fromkeys(self._contacts, 0)
        self._factory = mock_pins(clock_ns)

        def report(event: PanelInput) -> None:
            enqueue(event)
            self._reported.set()

        super().__init__(report, self._pins, factory=self._factory, holds=holds, when_ns=lambda _contact: self._edge_ns)
        self._finger = ThreadPoolExecutor(max_workers=1, thread_name_prefix="finger")

    def press(self, button: Button, *, held: bool = False) -> Future[None]:
        """Press and release a button from the finger's thread; return at once a future, which is set when that is done.

        If it is `held`, it is released once the panel has reported that: holding takes real time.

        Raises:
            PanelError: the panel is closed, or has no such button.
        """
        if button not in self._contacts:
            raise PanelError(Sentence("this panel has no button {button}").format(button=button))
        try:
            return self._finger.submit(self._push, button, held=held)
        except RuntimeError as error:
            raise PanelError(Sentence("the simulated panel is closed")) from error

    def _push(self, button: Button, *, held: bool) -> None:
        contact = self._factory.pin(self._contacts[button])
        start_ns = self._edge_ns = max(self._clock_ns(), self._rested_ns[button])
        self._reported.clear()
        for offset_ns, closes in contact_edges(self._rng):
            if held and start_ns + offset_ns - self._edge_ns >= HOLD_NS[0]:
                self._reported.wait(2 * self._pins.buttons.hold_s)
            self._edge_ns = start_ns + offset_ns
            (contact.drive_low if closes else contact.drive_high)()
        self._rested_ns[button] = self._edge_ns + REST_NS

    def close(self) -> None:
        """End the finger's thread, put everything out, and release the mock pins."""
        self._finger.shutdown()
        super().close()
        self._factory.close()
