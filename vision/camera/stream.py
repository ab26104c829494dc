"""A network camera or a phone's camera app: MJPEG over http, or RTSP through OpenCV and FFmpeg."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import cv2

from engines.sentence import Sentence
from vision.camera.address import checked_url, masked
from vision.camera.camera import LIVE_IDLE_PAUSE_S, READ_TIMEOUT_S, Camera
from vision.camera.webcam import quiet
from vision.errors import CameraError
from vision.frame import Frame

if TYPE_CHECKING:
    from vision.camera.mjpeg import MjpegCapture

OPEN_TIMEOUT_S = 5.0
STALL_TIMEOUT_S = 5.0
"""Time without data after which a stream has ended."""

_CLOSE_TIMEOUT_S = 1.0


_RTSP_ONLY = ("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp|protocol_whitelist;rtsp,rtsps,rtp,srtp,tcp,tls")
"""Protocols that FFmpeg may open, so that no playlist or redirect leads to a file or to another server over http."""


def open_stream(url: str) -> cv2.VideoCapture | MjpegCapture:
    """Open a stream with time limits for connecting and for each frame.

    Raises:
        CameraError: the response is not a stream.
    """
    if urlsplit(url).scheme in ("http", "https"):
        from vision.camera.mjpeg import MjpegCapture  # noqa: PLC0415 - httpx takes a moment

        return MjpegCapture(url, STALL_TIMEOUT_S)
    os.environ.setdefault(*_RTSP_ONLY)
    limits = [
        *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(1000 * OPEN_TIMEOUT_S)),
        *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(1000 * STALL_TIMEOUT_S)),
    ]
    return cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)


class StreamCamera(Camera):
    """A stream by its URL. A thread receives every frame, so that none waits in a buffer, and keeps only the newest.

    A stream that has ended must be closed and opened again, as `FrameReader` does.

    Args:
        url: its address, with user and password if needed; they are in no message and not in `name`.
        clock_ns: the monotonic clock, which stamps the frames on arrival.
        open_capture: opens the stream of a URL, as a `cv2.VideoCapture`.

    Raises:
        CameraError: the address is not valid, or no stream can be opened there.
    """

    idle_pause_s = LIVE_IDLE_PAUSE_S

    def __init__(
        self,
        url: str,
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        open_capture: Callable[[str], Any] = open_stream,
    ) -> None:
        self.name = f"stream {masked(checked_url(url))}"
        self._clock_ns = clock_ns
        self._changed = threading.Condition()
        self._ended = self._closed = False
        self._wanted: object | None = None
        self._newest: tuple[Any, int] | None = None
        self._unusable = ""
        with quiet():
            capture: cv2.VideoCapture | MjpegCapture = open_capture(url)
        if not capture.isOpened():
            message = Sentence("{camera} cannot be opened: is the address right, is the camera on and in the network?")
            raise CameraError(message.format(camera=self.name))
        self._thread = threading.Thread(target=self._receive, args=(capture,), name="stream", daemon=True)
        self._thread.start()

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return the first frame whose transfer began after this call.

        Raises:
            CameraError: no frame came in time, the stream has ended, or the camera is closed.
        """
        with self._changed:
            self._request()
            self._changed.wait_for(lambda: self._newest or self._ended or self._closed, timeout_s)
            newest, self._wanted = self._newest, None
        if newest is not None and not self._closed:
            return self.framed(*newest)
        if self._closed:
            problem = Sentence("{camera} is closed")
        elif self._ended:
            problem = Sentence("{camera} has ended; is the camera still on and in the network?")
        elif self._unusable:
            problem = Sentence("{camera} gave no picture that can be read within {seconds:g} s; {reason}")
        else:
            problem = Sentence(
                "{camera} gave no picture within {seconds:g} s; is the camera still on and in the network?"
            )
        raise CameraError(problem.format(camera=self.name, seconds=timeout_s, reason=self._unusable))

    def close(self) -> None:
        """Close the connection; a transfer that hangs is abandoned and ends by its own time limit."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(_CLOSE_TIMEOUT_S)

    def _request(self) -> None:  # by itself, since mypy would take it that no frame comes
        self._newest, self._wanted = None, object()

    def _receive(self, capture: cv2.VideoCapture | MjpegCapture) -> None:
        """Receive frames until the stream ends or the camera is closed; runs in the thread, which owns the capture."""
        try:
            while not self._closed and self._received(capture):
                pass
        finally:
            capture.release()
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _received(self, capture: cv2.VideoCapture | MjpegCapture) -> bool:
        """Receive a frame, and decode it only if one was requested before; return False if the stream has ended."""
        wanted = self._wanted
        try:
            if not capture.grab():
                return False
            arrived_ns = self._clock_ns()
            there, image_bgr = capture.retrieve() if wanted else (False, None)
        except cv2.error:
            return False
        except CameraError as error:
            self._unusable = str(error)
            return True
        if there and image_bgr is not None:
            with self._changed:
                if wanted is self._wanted:  # the `read` that requested it has not timed out
                    self._newest, self._wanted = (image_bgr, arrived_ns), None
                    self._changed.notify_all()
        return True
