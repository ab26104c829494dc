"""A webcam through OpenCV."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import cv2

from vision.camera.camera import LIVE_IDLE_PAUSE_S, READ_TIMEOUT_S, Camera
from vision.errors import CameraError
from vision.frame import Frame, ImageBgr

SIZE_WH = (1920, 1080)
"""What is asked for; a webcam gives the nearest that it can."""

_FFMPEG_LOG_LEVEL = ("OPENCV_FFMPEG_LOGLEVEL", "-8")
"""FFmpeg's AV_LOG_QUIET, read when OpenCV first opens anything: its messages may have the URL of a stream in them."""

_LOGGING: Any = getattr(cv2.utils, "logging", cv2)
"""OpenCV 5 has moved the two functions for its log level from `cv2` there."""


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Return whether there is such a camera."""
        ...

    def set(self, property_id: int, value: float, /) -> bool:
        """Ask for a property."""
        ...

    def grab(self) -> bool:
        """Take a frame and throw it away."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Take a frame: whether there is one, and its pixels."""
        ...

    def release(self) -> None:
        """Let the camera go."""
        ...


class WebcamCamera(Camera):
    """A webcam by its number. One that failed is opened again once within a `read`.

    Args:
        index: OpenCV's number of the camera.
        size_wh: width and height to ask for, in pixels.
        clock_ns: the monotonic clock, which stamps the frames.
        open_capture: opens the camera of a number.

    Raises:
        CameraError: there is no such camera.
    """

    idle_pause_s = LIVE_IDLE_PAUSE_S

    def __init__(
        self,
        index: int = 0,
        *,
        size_wh: tuple[int, int] = SIZE_WH,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        open_capture: Callable[[int], Capture] = cv2.VideoCapture,
    ) -> None:
        self._index = index
        self._size_wh = size_wh
        self._clock_ns = clock_ns
        self._open_capture = open_capture
        self._closed = False
        self._capture: Capture | None = self._open()

    @property
    def name(self) -> str:
        """The kind and the number."""
        return f"webcam {self._index}"

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return a fresh frame; half of the time is kept for opening the camera again.

        Raises:
            CameraError: no frame came in time, the camera is gone or closed.
        """
        if self._closed:
            message = f"{self.name} is closed"
            raise CameraError(message)
        image_bgr = self._grab(timeout_s / 2)
        if image_bgr is None:
            image_bgr = self._grab(timeout_s / 2)
        if image_bgr is None:
            message = f"{self.name} gave no picture within {timeout_s:g} s; is it still plugged in?"
            raise CameraError(message)
        return self._frame(image_bgr)

    def close(self) -> None:
        """Let the webcam go."""
        self._closed = True
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _open(self) -> Capture:
        with quiet():
            capture = self._open_capture(self._index)
            if not capture.isOpened():
                message = f"{self.name} cannot be opened: there is no such camera, or another program holds it"
                raise CameraError(message)
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # raw video is too much for USB 2
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size_wh[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size_wh[1])
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture

    def _grab(self, timeout_s: float) -> ImageBgr | None:
        """Take a frame; None if no frame came, and the camera is then no longer held.

        It is not released but let go of: a read that hangs in the driver may still use it, and releases it at its end.
        """
        capture = self._capture or self._open()
        self._capture = None
        image_bgr = _within(timeout_s, lambda: _fresh(capture))
        if image_bgr is not None:
            self._capture = capture
        return image_bgr

    def _frame(self, image_bgr: ImageBgr) -> Frame:
        try:
            return Frame(image_bgr, self._clock_ns())
        except ValueError as error:
            message = f"{self.name} gives no colour pictures: {error}"
            raise CameraError(message) from error


def _fresh(capture: Capture) -> ImageBgr | None:
    """Take a frame that was exposed after the call: the one in the driver's buffer is thrown away."""
    try:
        with quiet():
            capture.grab()
            there, image_bgr = capture.read()
    except cv2.error:
        return None
    return image_bgr if there else None


def _within(timeout_s: float, work: Callable[[], ImageBgr | None]) -> ImageBgr | None:
    """Do something that may hang for ever, in a thread; return None and abandon the thread if the time is over."""
    answers: queue.SimpleQueue[ImageBgr | None] = queue.SimpleQueue()
    threading.Thread(target=lambda: answers.put(work()), name="webcam", daemon=True).start()
    try:
        return answers.get(timeout=timeout_s)
    except queue.Empty:
        return None


@contextmanager
def quiet() -> Iterator[None]:
    """Keep OpenCV and FFmpeg from writing to standard error: what is wrong is reported by exceptions."""
    os.environ.setdefault(*_FFMPEG_LOG_LEVEL)
    before = _LOGGING.getLogLevel()
    _LOGGING.setLogLevel(0)
    try:
        yield
    finally:
        _LOGGING.setLogLevel(before)
