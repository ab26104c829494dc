"""Simulated time, which passes only when the simulated camera takes a frame."""

from __future__ import annotations

from companion.shell.clock import FollowingClock


class FrameClock(FollowingClock):
    """A clock that the camera advances by `frame_s` with every frame."""

    def __init__(self, *, frame_s: float) -> None:
        super().__init__()
        self._frame_ns = round(frame_s * 1e9)

    def next_frame_ns(self) -> int:
        """Advance the clock by a frame; return its time in ns."""
        self.move_to(self.now_ns() + self._frame_ns)
        return self.now_ns()
