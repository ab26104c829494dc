"""Frames and presses from elsewhere: a recording, or a table that another process simulates.

A feed has its own time: the clock stands at the latest frame or press that was delivered.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from companion.shell.clock import FollowingClock
from hardware.panel import ALL_PARTS, Enqueue, Panel, Shown, Signal, Tally, guarded
from vision.camera.camera import READ_TIMEOUT_S, Camera
from vision.frame import Frame


class Feed(Protocol):
    """A source of frames and presses."""

    @property
    def clock(self) -> FollowingClock:
        """The clock of the feed."""
        ...

    def next_frame(self) -> Frame:
        """Deliver the presses before the next frame to the listener, then return the frame.

        Raises:
            CameraError: the camera gives no frame just now.
            CameraEndedError: there are no more frames.
        """
        ...

    def listen(self, enqueue: Enqueue) -> None:
        """Deliver presses to this function from now on."""
        ...

    def lit(self, shown: Shown, *, buzzes: bool = False) -> None:
        """Store what the panel shows, and whether its signal plays now."""
        ...


class FedCamera(Camera):
    """A camera whose frames come from a feed."""

    def __init__(self, feed: Feed, name: str) -> None:
        self._feed, self.name = feed, name

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:  # noqa: ARG002 - a feed has a time of its own
        """Return the feed's next frame; raise the same as `Feed.next_frame`."""
        return self._feed.next_frame()

    def close(self) -> None:
        """Do nothing: the feed continues when a camera is opened again."""


class FedPanel(Panel):
    """A panel whose presses come from a feed, and whose lamps are passed to it."""

    def __init__(self, feed: Feed, enqueue: Enqueue, lamps: int, parts: Collection[str] = ALL_PARTS) -> None:
        super().__init__(lamps)
        self._feed, self.parts = feed, parts
        feed.listen(guarded(enqueue))
        feed.lit(self.shown)

    def order(self, shown: Shown) -> None:
        """Replace what is shown."""
        super().order(shown)
        self._feed.lit(shown)

    def buzz(self, signal: Signal | Tally) -> None:
        """Play a signal, even if it is the same as the last one."""
        super().buzz(signal)
        self._feed.lit(self.shown, buzzes=True)
