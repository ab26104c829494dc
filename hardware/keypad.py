"""A numeric keypad for questions to the companion: on USB or Bluetooth, or part of a keyboard, read through evdev.

Its keys are reported as the characters that are printed on them, whether NumLock is on or not; a key that is held down
is reported once more, as held. The device is grabbed: no other program gets its keys meanwhile.

    keypad = open_keypad("auto", print)  # until keypad.close()
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from engines.sentence import Sentence
from hardware.errors import PanelError
from hardware.panel import Enqueue, KeyPressed, guarded

AUTO = "auto"

KEYS: Mapping[int, str] = MappingProxyType(
    {
        **dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True)),
        **dict(zip((11, *range(2, 11)), "0123456789", strict=True)),
        **dict.fromkeys((83, 121, 52, 51), "."),
        78: "+",
        **dict.fromkeys((74, 12), "-"),
        55: "*",
        **dict.fromkeys((96, 28), "enter"),
    }
)
"""The kernel's key codes (linux/input-event-codes.h): those of the pad, and those of the row of digits."""

_PAD = {79, 80, 81, 96}
_LETTERS = {16, 30}
"""Codes that every numeric pad has, and codes that only a whole keyboard has."""

_KEY_EVENT, _DOWN, _REPEATED = 1, 1, 2


class Keypad:
    """A keypad, an `evdev.InputDevice`, whose keys are read and enqueued in a thread of its own."""

    def __init__(self, device: Any, enqueue: Enqueue, *, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._device, self._deliver, self._clock_ns = device, guarded(enqueue), clock_ns
        self._stop_fd, self._stopper_fd = os.pipe()
        self._reader = threading.Thread(target=self._read, name="keypad", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        held: set[int] = set()
        with suppress(OSError):  # unplugged: the buttons still work
            while self._stop_fd not in select.select([self._device.fd, self._stop_fd], [], [])[0]:
                for event in self._device.read():
                    key = KEYS.get(event.code) if event.type == _KEY_EVENT else None
                    if key is not None and event.value == _DOWN:
                        held.discard(event.code)
                        self._deliver(KeyPressed(key, self._clock_ns()))
                    elif key is not None and event.value == _REPEATED and event.code not in held:
                        held.add(event.code)
                        self._deliver(KeyPressed(key, self._clock_ns(), held=True))

    def close(self) -> None:
        """End the thread and release the device."""
        os.close(self._stopper_fd)
        self._reader.join()
        os.close(self._stop_fd)
        self._device.close()


def open_keypad(asked: str, enqueue: Enqueue) -> Keypad:
    """Open a keypad.

    Args:
        asked: its device, such as "/dev/input/event3", or "auto" for the first one with a numeric pad, preferably not
            a whole keyboard.
        enqueue: receives its keys; called from a thread.

    Raises:
        PanelError: evdev is not installed, or there is no such device, or it may not be read.
    """
    try:
        import evdev  # noqa: PLC0415 - imported when a keypad is wanted
    except ImportError as error:
        message = Sentence("the keypad needs evdev: sudo apt install python3-evdev, or pip install evdev")
        raise PanelError(message) from error
    try:
        found: dict[bool, str] = {}  # devices with a numeric pad, by whether they are whole keyboards
        for path in sorted(evdev.list_devices(), reverse=True) if asked == AUTO else ():
            device = evdev.InputDevice(path)
            keys = set(device.capabilities().get(_KEY_EVENT, ()))
            if keys >= _PAD:
                found[keys >= _LETTERS] = path
            device.close()
        if asked == AUTO and not found:
            message = Sentence("no keypad found: plug one in, and join the group input to be allowed to read it")
            raise PanelError(message)
        device = evdev.InputDevice(found.get(False) or found.get(True) or asked)
        with suppress(OSError):  # somebody else has taken it: then both get its keys
            device.grab()
    except OSError as error:
        message, reason = Sentence("the keypad {device} cannot be read: {reason}"), Sentence(error.strerror or error)
        raise PanelError(message.format(device=asked, reason=reason)) from error
    return Keypad(device, enqueue)
