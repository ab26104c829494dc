"""A panel's pins from outside: what a finger does to a contact, what an eye sees of a lamp.

The same tests hold for gpiozero's mock pins and for a kernel's pins through lgpio: where `RIG_PINS` names the folder of
a gpio-sim chip, as in tests/rig, that chip is among them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from pathlib import Path
from typing import ParamSpec, Protocol, TypeAlias

from gpiozero.pins.mock import MockFactory

from hardware.panel import Button, Enqueue, Panel
from hardware.parts import mock_pins
from hardware.pi import GpioPanel
from hardware.pins import PinMap

P = ParamSpec("P")

BOUNCE_S = 0.001
DOWN_S = 0.08
"""How long a quick finger keeps a button down; the least that the panel has to hear is 30 ms."""

REST_S = 0.06
"""Time between two pushes; the panel needs 50 ms without an edge to tell them from bounces."""


class Outside(Protocol):
    """The pins from outside."""

    def drive(self, gpio: int, *, high: bool) -> None:
        """Set the level of an input; a button to ground is closed when it is low."""
        ...

    def is_high(self, gpio: int) -> bool:
        """Return the level of an output."""
        ...

    def wait(self, wait_s: float) -> None:
        """Let time pass between two edges."""
        ...


class MockOutside:
    """gpiozero's mock pins, on which edges happen when they are meant to, however busy this machine is."""

    def __init__(self, factory: MockFactory) -> None:
        self._factory = factory
        self.edge_ns = 0

    def drive(self, gpio: int, *, high: bool) -> None:
        pin = self._factory.pin(gpio)
        (pin.drive_high if high else pin.drive_low)()

    def is_high(self, gpio: int) -> bool:
        return bool(self._factory.pin(gpio).state)

    def wait(self, wait_s: float) -> None:
        self.edge_ns += round(wait_s * 1e9)


class SimulatedChip:
    """The kernel's gpio-sim: a folder a line, in which `pull` drives an input and `value` holds the level."""

    def __init__(self, chip: Path) -> None:
        self._chip = chip

    def drive(self, gpio: int, *, high: bool) -> None:
        (self._chip / f"sim_gpio{gpio}" / "pull").write_text("pull-up" if high else "pull-down")

    def is_high(self, gpio: int) -> bool:
        return (self._chip / f"sim_gpio{gpio}" / "value").read_text().strip() == "1"

    def wait(self, wait_s: float) -> None:
        began_s = time.monotonic()
        time.sleep(wait_s)
        _late_s.append(time.monotonic() - began_s - wait_s)


OpenPins: TypeAlias = Callable[[Enqueue, PinMap, Collection[Button]], AbstractContextManager[tuple[Panel, Outside]]]


@contextmanager
def on_mock_pins(enqueue: Enqueue, pins: PinMap, holds: Collection[Button]) -> Iterator[tuple[Panel, Outside]]:
    factory = mock_pins()
    outside = MockOutside(factory)
    with GpioPanel(enqueue, pins, factory=factory, holds=holds, when_ns=lambda _: outside.edge_ns) as panel:
        yield panel, outside
    factory.close()


@contextmanager
def on_simulated_chip(enqueue: Enqueue, pins: PinMap, holds: Collection[Button]) -> Iterator[tuple[Panel, Outside]]:
    chip = SimulatedChip(Path(os.environ["RIG_PINS"]))
    for gpio in pins.buttons.contacts.values():
        chip.drive(gpio, high=True)
    with GpioPanel(enqueue, pins, holds=holds) as panel:
        yield panel, chip


PINS: Mapping[str, OpenPins] = {"mock": on_mock_pins} | (
    {"lgpio": on_simulated_chip} if "RIG_PINS" in os.environ else {}
)


def push(
    outside: Outside, gpio: int, *, down_s: float = DOWN_S, bounces: int = 5, until: Callable[[], bool] = lambda: True
) -> None:
    """Push a button whose contact chatters, a millisecond a swing, when it closes and when it opens.

    It is kept down for `down_s`, and then until something that other threads bring about.
    """
    _chatter(outside, gpio, high=False, bounces=bounces)
    outside.wait(down_s)
    assert eventually(until)
    _chatter(outside, gpio, high=True, bounces=bounces)
    outside.wait(REST_S)


def _chatter(outside: Outside, gpio: int, *, high: bool, bounces: int) -> None:
    for _ in range(bounces):
        for level in (high, not high):
            outside.drive(gpio, high=level)
            outside.wait(BOUNCE_S)
    outside.drive(gpio, high=high)


_late_s: list[float] = []
_STALLED_S = 9 * BOUNCE_S


def again_where_the_machine_stalled(test: Callable[P, None]) -> Callable[P, None]:
    """Try a test again that failed while this machine stretched a bounce on a kernel's pins; five times at most.

    A busy machine may sleep for 50 ms where 1 ms was asked for, and such a swing of the contact is a press.
    """

    @wraps(test)
    def tried(*args: P.args, **kwargs: P.kwargs) -> None:
        for left in reversed(range(5)):
            _late_s.clear()
            try:
                test(*args, **kwargs)
            except AssertionError:
                if not left or max(_late_s, default=0.0) < _STALLED_S:
                    raise
            else:
                return

    return tried


def eventually(holds: Callable[[], bool]) -> bool:
    """Wait for another thread to bring something about, five seconds at most."""
    for _ in range(500):
        if holds():
            return True
        time.sleep(0.01)
    return False
