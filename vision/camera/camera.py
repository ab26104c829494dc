"""What every camera does, whether it is a sensor, a webcam, a folder of pictures or a simulation."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from vision.frame import Frame

READ_TIMEOUT_S = 5.0

LIVE_IDLE_PAUSE_S = 0.2
"""Of cameras that give frames as fast as they are asked for: at most five looks a second at an idle table."""


class Camera(Protocol):
    """Gives frames, one at a time; open from its construction until it is closed. For use by one thread.

    Attributes:
        idle_pause_s: how long to leave it alone between two frames while they show no change, in s; 0: it keeps its
            own pace.
        problem: what is not as it should be although frames come, as a sentence; "" if nothing is.
    """

    idle_pause_s: float = 0.0
    problem: str = ""

    @property
    def name(self) -> str:
        """Its name for users, such as "webcam 0"."""

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return a frame that was exposed after this call (a recording: its next picture).

        Raises:
            CameraError: no frame came in time or the camera failed; close it and open another.
            CameraEndedError: a recording has no more pictures.
        """

    def close(self) -> None:
        """Let the device go; closing twice does nothing more, reading afterwards raises `CameraError`."""

    def __enter__(self) -> Self:
        """Enter a block at whose end the camera is closed."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the camera."""
        self.close()
