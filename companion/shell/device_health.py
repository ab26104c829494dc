"""Devices fail; a game goes on. A guard turns the failure of a device into one event, and its return into another."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.messages import DeviceFailed, DeviceReturned, Event


class DeviceHealth:
    """Uses one device and reports, once each, when it stops working and when it works again.

    Args:
        device: what the events call it.
        report: takes the events; must return at once.
    """

    def __init__(self, device: str, report: Callable[[Event], None]) -> None:
        self._device = device
        self._report = report
        self.failing = False

    def use(self, action: Callable[[], object]) -> bool:
        """Use the device; return whether it worked. Only `OSError`, the devices' own kind, is a failure."""
        try:
            action()
        except OSError as error:
            self.failed(str(error))
            return False
        self.mark_ok()
        return True

    def failed(self, message: str) -> None:
        """Return that the device does not work, unless that is known."""
        if not self.failing:
            self.failing = True
            self._report(DeviceFailed(self._device, message))

    def mark_ok(self) -> None:
        """Return that the device works again, if it did not."""
        if self.failing:
            self.failing = False
            self._report(DeviceReturned(self._device))
