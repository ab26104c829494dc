"""A camera that gives the frames that a test has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from tests.companion.shell.clocks import FrameClock
from vision.camera.camera import Camera
from vision.errors import CameraEndedError
from vision.frame import Frame, ImageBgr


class PlayedCamera(Camera):
    """Gives frames one after the other without waiting, and raises the exceptions among them."""

    name = "played"

    def __init__(self, frames: Iterable[Frame | Exception]) -> None:
        self._frames = iter(frames)

    def read(self, timeout_s: float = 0.0) -> Frame:  # noqa: ARG002 - it never waits
        frame = next(self._frames, CameraEndedError("no frame is left"))
        if isinstance(frame, Exception):
            raise frame
        return frame

    def close(self) -> None:
        """There is nothing to let go of."""


def grey(level: int = 128, size_wh: tuple[int, int] = (160, 120)) -> ImageBgr:
    return np.full((size_wh[1], size_wh[0], 3), level, np.uint8)


def film(images: Iterable[ImageBgr], frame_ns: int, first_ns: int = 0) -> Iterator[Frame]:
    """Return the frames of pictures that are taken at a rate."""
    return (Frame(image, first_ns + number * frame_ns) for number, image in enumerate(images))


def grey_frames(count: int, clock: FrameClock) -> Iterator[Frame]:
    """Return grey frames, one every tick of a clock."""
    return (Frame(grey(), clock.next_frame_ns()) for _ in range(count))
