"""The protocol of all cameras: a sensor, a webcam, a folder of pictures or a simulation."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from vision.frame import Frame

READ_TIMEOUT_S = 5.0

LIVE_IDLE_PAUSE_S = 0.2
"""Pause between frames of an idle table, for cameras that deliver frames as fast as they are read."""


class Camera(Protocol):
    """A source of single frames; open from its construction until it is closed. For use by one thread.

    Attributes:
        idle_pause_s: pause between two frames while they show no change, in s; 0: it keeps its own pace.
        problem: a problem although frames come, as a sentence; "" if there is none.
    """

    idle_pause_s: float = 0.0
    problem: str = ""

    @property
    def name(self) -> str:
        """Its name for users, such as "webcam 0"."""

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return a frame that was exposed after this call, or a recording's next picture.

        Raises:
            CameraError: no frame came in time or the camera failed; it must be closed and opened again.
            CameraEndedError: a recording has no more pictures.
        """

    def close(self) -> None:
        """Release the device; closing again does nothing, and reading afterwards raises `CameraError`."""

    def __enter__(self) -> Self:
        """Return the camera, which is closed at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the camera."""
        self.close()
