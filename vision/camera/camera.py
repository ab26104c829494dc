"""The protocol of all cameras: a sensor, a webcam, a folder of pictures or a simulation."""

from __future__ import annotations

from typing import Protocol, Self

from engines.sentence import Sentence
from vision.errors import CameraError
from vision.frame import Frame, ImageBgr

READ_TIMEOUT_S = 5.0

LIVE_IDLE_PAUSE_S = 0.2
"""Pause between frames of an idle table, for cameras that deliver frames as fast as they are read."""


class Camera(Protocol):
    """A source of single frames; open from its construction until it is closed. For use by one thread.

    Attributes:
        name: its name for users, such as "webcam 0".
        idle_pause_s: pause between two frames while they show no change, in s; 0: it keeps its own pace.
        problem: a problem although frames come, as a sentence; "" if there is none.
    """

    name: str
    idle_pause_s: float = 0.0
    problem: str = ""
    _closed: bool = False

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return a frame that was exposed after this call, or a recording's next picture.

        Raises:
            CameraError: no frame came in time or the camera failed; it must be closed and opened again.
            CameraEndedError: a recording has no more pictures.
        """

    def close(self) -> None:
        """Release the device; closing again does nothing, and reading afterwards raises `CameraError`."""
        self._closed = True

    def framed(self, image_bgr: ImageBgr, captured_ns: int) -> Frame:
        """Return a frame of what a driver gave.

        Raises:
            CameraError: it is not a colour picture.
        """
        try:
            return Frame(image_bgr, captured_ns)
        except ValueError as error:
            sentence = Sentence("{camera} gives no colour pictures: {reason}")
            raise CameraError(sentence.format(camera=self.name, reason=str(error))) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()
