"""Frames and presses that come from elsewhere: a recording, or a table that another process simulates.

What feeds a game brings its own time: the clock stands at the latest frame or press that was handed over.
"""

from __future__ import annotations

from typing import Protocol

from companion.shell.clock import FollowingClock
from hardware.panel import DarkPanel, Enqueue, Rhythm, Shown, Signal, Tally, guarded
from vision.camera.camera import READ_TIMEOUT_S, Camera
from vision.frame import Frame


class Feed(Protocol):
    """Where frames and presses come from."""

    @property
    def clock(self) -> FollowingClock:
        """The clock that goes with what is handed over."""
        ...

    def next_frame(self) -> Frame:
        """Hand the presses before the next frame to who listens, then return that frame.

        Raises:
            CameraError: the camera gives none just now.
            CameraEndedError: there will be no more.
        """
        ...

    def listen(self, enqueue: Enqueue) -> None:
        """Hand presses to this from now on."""
        ...

    def lit(self, shown: Shown) -> None:
        """Take note of what the panel shows."""
        ...


class FedCamera(Camera):
    """A camera whose frames come from a feed."""

    def __init__(self, feed: Feed, name: str) -> None:
        self._feed, self._name = feed, name

    @property
    def name(self) -> str:
        """What the feed is called."""
        return self._name

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:  # noqa: ARG002 - a feed has a time of its own
        """Return the feed's next frame; raises as `Feed.next_frame`."""
        return self._feed.next_frame()

    def close(self) -> None:
        """Do nothing: the feed goes on where it is when a camera is opened again."""


class FedPanel(DarkPanel):
    """A panel that is pressed from a feed, and tells the feed what it shows."""

    def __init__(self, feed: Feed, enqueue: Enqueue, lamps: int) -> None:
        super().__init__(lamps)
        self._feed = feed
        feed.listen(guarded(enqueue))
        feed.lit(self.shown)

    def lamp(self, seat_index: int, rhythm: Rhythm | Tally) -> None:
        """Show a seat's rhythm."""
        super().lamp(seat_index, rhythm)
        self._feed.lit(self.shown)

    def slider(self, steps: int | Tally) -> None:
        """Show the slider bar's steps."""
        super().slider(steps)
        self._feed.lit(self.shown)

    def number(self, number: int | None) -> None:
        """Show the number of the digits."""
        super().number(number)
        self._feed.lit(self.shown)

    def buzz(self, signal: Signal | Tally) -> None:
        """Show the signal."""
        super().buzz(signal)
        self._feed.lit(self.shown)
