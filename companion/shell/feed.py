"""Frames and presses from elsewhere: a recording, or a table that another process simulates.

A feed has its own time: the clock stands at the latest frame or press that was delivered.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Any

from companion.shell.clock import FollowingClock
from hardware import panel
from hardware.panel import ButtonPressed, Enqueue, KeyPressed, LineTyped, PanelInput, Shown, SliderMoved
from vision.camera.camera import READ_TIMEOUT_S, Camera
from vision.frame import Frame


class Feed(ABC):
    """A source of frames and presses, with a clock of its own."""

    def __init__(self, clock: FollowingClock) -> None:
        self.clock = clock
        self._enqueue: Enqueue = lambda _heard: None

    @abstractmethod
    def next_frame(self) -> Frame:
        """Deliver the presses before the next frame to the listener, then return the frame.

        Raises:
            CameraError: the camera gives no frame just now.
            CameraEndedError: there are no more frames.
        """

    def listen(self, enqueue: Enqueue) -> None:
        """Deliver presses to this function from now on."""
        self._enqueue = enqueue

    @abstractmethod
    def lit(self, shown: Shown, *, buzzes: bool = False) -> None:
        """Store what the panel shows, and whether its signal plays now."""


def input_to_json(heard: PanelInput) -> dict[str, Any]:
    """Return an input as JSON: what was pressed, moved or typed, and its time in "ns"."""
    match heard:
        case ButtonPressed(button, at_ns, held):
            return {"ns": at_ns, "press": button.value, "held": held}
        case KeyPressed(key, at_ns, held):
            return {"ns": at_ns, "key": key, "held": held}
        case SliderMoved(steps, at_ns):
            return {"ns": at_ns, "slider": steps}
        case LineTyped(text, _is_whole, at_ns):
            return {"ns": at_ns, "line": text}


def input_from_json(data: Mapping[str, Any]) -> PanelInput | None:
    """Return the input that `input_to_json` wrote, None if the data is something else; keys may be None instead."""
    if data.get("press") is not None:
        return ButtonPressed(panel.Button(data["press"]), data["ns"], data["held"])
    if data.get("key") is not None:
        return KeyPressed(data["key"], data["ns"], data["held"])
    if data.get("slider") is not None:
        return SliderMoved(data["slider"], data["ns"])
    return None if data.get("line") is None else LineTyped(data["line"], is_whole=True, at_ns=data["ns"])


class FedCamera(Camera):
    """A camera whose frames come from a feed."""

    def __init__(self, feed: Feed, name: str) -> None:
        self._feed, self.name = feed, name

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:  # noqa: ARG002 - a feed has a time of its own
        """Return the feed's next frame; raise the same as `Feed.next_frame`."""
        return self._feed.next_frame()

    def close(self) -> None:
        """Do nothing: the feed continues when a camera is opened again."""


class FedPanel(panel.Panel):
    """A panel whose presses come from a feed, and whose lamps are passed to it."""

    def __init__(self, feed: Feed, enqueue: Enqueue, lamps: int, parts: Collection[str] = panel.ALL_PARTS) -> None:
        super().__init__(lamps)
        self._feed, self.parts = feed, parts
        feed.listen(panel.guarded(enqueue))
        feed.lit(self.shown)

    def order(self, shown: Shown) -> None:
        """Replace what is shown."""
        super().order(shown)
        self._feed.lit(shown)

    def buzz(self, signal: panel.Signal | panel.Tally) -> None:
        """Play a signal, even if it is the same as the last one."""
        super().buzz(signal)
        self._feed.lit(self.shown, buzzes=True)
