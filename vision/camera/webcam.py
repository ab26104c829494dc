"""A webcam through OpenCV."""

from __future__ import annotations

import hashlib
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np

from engines.sentence import Sentence
from vision.camera.camera import LIVE_IDLE_PAUSE_S, READ_TIMEOUT_S, Camera
from vision.camera.light import LightWatch, mean_level
from vision.errors import CameraError
from vision.frame import Frame, ImageBgr

SIZE_WH = (1920, 1080)
"""The requested size; a webcam uses the nearest that it has."""

FIRST_FRAMES = 8
"""Frames that are discarded after opening, in which many cameras adjust exposure and white balance."""

_ALIKE_FRAMES, _ALIKE, _NOISE, _SETTLE_S = 6, 0.03, 0.1, 1.5
"""Focus is found when this number of frames in a row differ from the one before by less than this share in brightness
and sharpness (in grey levels, beyond this noise), or after this time."""

FROZEN_FRAMES, FROZEN_S = 10, 2.0
"""Number of equal pictures in a row, and their duration, that show a frozen driver: noise makes real ones differ."""

_FLAT_LEVELS = 2.0
"""Largest range of grey levels in a picture that may really equal the next: black, or overexposed."""

_MANUAL_EXPOSURE, _AUTO_EXPOSURE = 1, 3
"""Video4Linux's values of V4L2_CID_EXPOSURE_AUTO: manual, and aperture priority, the automatic mode of webcams."""

_LOCKS = (
    (cv2.CAP_PROP_AUTOFOCUS, 0, cv2.CAP_PROP_FOCUS),
    (cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE, cv2.CAP_PROP_EXPOSURE),
    (cv2.CAP_PROP_AUTO_WB, 0, cv2.CAP_PROP_WB_TEMPERATURE),
)
"""The switch of each control, its value for manual, and the control itself (V4L2 controls through OpenCV)."""

_UNLOCKS = ((cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO_EXPOSURE), (cv2.CAP_PROP_AUTO_WB, 1), (cv2.CAP_PROP_AUTOFOCUS, 1))

_FFMPEG_LOG_LEVEL = ("OPENCV_FFMPEG_LOGLEVEL", "-8")
"""FFmpeg's AV_LOG_QUIET, read when OpenCV first opens anything: messages may contain the URL of a stream."""

_LOGGING: Any = getattr(cv2.utils, "logging", cv2)
"""OpenCV 5 has moved the two functions for its log level from `cv2` there."""


def open_device(index: int | str) -> cv2.VideoCapture:
    """Open a camera by its number, or by its path as a device of Video4Linux, never as a file or an address."""
    return cv2.VideoCapture(index) if isinstance(index, int) else cv2.VideoCapture(index, cv2.CAP_V4L2)


class WebcamCamera(Camera):
    """A webcam by its number or its device. After a failure it is opened again once within a `read`.

    Focus, exposure and white balance are adjusted in the first frames and then locked if the driver can, since a
    reading compares colours. When the room's light has changed for good, they are adjusted again.

    Args:
        index: OpenCV's number of the camera, or the path of its device, such as one in /dev/v4l/by-id.
        size_wh: requested width and height in pixels.
        clock_ns: the monotonic clock, which stamps the frames.
        open_capture: opens the camera of a number or device, as a `cv2.VideoCapture`.

    Raises:
        CameraError: there is no such camera.
    """

    idle_pause_s = LIVE_IDLE_PAUSE_S

    def __init__(
        self,
        index: int | str = 0,
        *,
        size_wh: tuple[int, int] = SIZE_WH,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        open_capture: Callable[[int | str], Any] = open_device,
    ) -> None:
        self.name, self._index = f"webcam {index}", index
        self._size_wh = size_wh
        self._clock_ns = clock_ns
        self._open_capture = open_capture
        self._alike, self._alike_since_ns, self._last = 0, 0, b""
        self._watch = LightWatch()
        self._capture: cv2.VideoCapture | None = self._open()

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return a fresh frame; half of the time is reserved for opening the camera again.

        Raises:
            CameraError: no frame came in time, the camera is gone or closed.
        """
        if self._closed:
            raise CameraError(Sentence("{camera} is closed").format(camera=self.name))
        image_bgr = self._grab(timeout_s / 2)
        if image_bgr is None:
            image_bgr = self._grab(timeout_s / 2)
        if image_bgr is None:
            message = Sentence("{camera} gave no picture within {seconds:g} s; is it still plugged in?")
            raise CameraError(message.format(camera=self.name, seconds=timeout_s))
        self._check_frozen(image_bgr)
        capture = self._capture
        if capture is not None and self._watch.changed_for_good(mean_level(image_bgr), self._clock_ns()):
            # Let the camera adjust its light again and lock it; if there is no picture meanwhile, drop the camera.
            for switch, value in _UNLOCKS:
                capture.set(switch, value)
            self._watch = LightWatch()
            settled = _within(timeout_s / 2, lambda: _settled(capture, self._clock_ns))
            image_bgr, self._capture = (image_bgr, None) if settled is None else (settled, capture)
        return self.framed(image_bgr, self._clock_ns())

    def _check_frozen(self, image_bgr: ImageBgr) -> None:
        """Raise CameraError if the driver has repeated one picture for too long; the next `read` opens it again."""
        seen = np.ascontiguousarray(image_bgr[::8, ::8])
        now_ns, look = self._clock_ns(), hashlib.blake2b(seen.tobytes(), digest_size=16).digest()
        if look != self._last or float(seen.std(axis=(0, 1)).max()) < _FLAT_LEVELS:
            self._alike, self._alike_since_ns, self._last = 0, now_ns, look
            return
        self._alike += 1
        if self._alike >= FROZEN_FRAMES and now_ns - self._alike_since_ns >= FROZEN_S * 1e9:
            self._last, capture, self._capture = b"", self._capture, None
            if capture is not None:
                capture.release()
            message = Sentence("{camera} gives the same picture again and again; unplug it and plug it in again")
            raise CameraError(message.format(camera=self.name))

    def close(self) -> None:
        """Release the webcam."""
        super().close()
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _open(self) -> cv2.VideoCapture:
        with quiet():
            capture: cv2.VideoCapture = self._open_capture(self._index)
            if not capture.isOpened():
                message = Sentence("{camera} cannot be opened: there is no such camera, or another program holds it")
                raise CameraError(message.format(camera=self.name))
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # raw video is too much for USB 2
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size_wh[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size_wh[1])
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._settled = False
        return capture

    def _grab(self, timeout_s: float) -> ImageBgr | None:
        """Return a frame; None if none came, and the capture is then dropped.

        It is not released here, because a read that hangs in the driver may still use it, and releases it at its end.
        """
        capture = self._capture or self._open()
        self._capture = None
        is_settled = self._settled
        image_bgr = _within(timeout_s, lambda: _fresh(capture) if is_settled else _settled(capture, self._clock_ns))
        if image_bgr is not None:
            self._capture, self._settled = capture, True
        return image_bgr


def _settled(capture: cv2.VideoCapture, clock_ns: Callable[[], int]) -> ImageBgr | None:
    """Skip the first frames, lock the camera's adjustments, and return a frame; None if none comes."""
    deadline_ns = clock_ns() + int(_SETTLE_S * 1e9)
    try:
        with quiet():
            frames, alike, before = 0, 0, np.zeros(2)
            while frames < FIRST_FRAMES or (alike < _ALIKE_FRAMES and clock_ns() < deadline_ns):
                there, image_bgr = capture.read()
                if not there:
                    return None
                seen = np.array([image_bgr.mean(), cv2.Laplacian(image_bgr, cv2.CV_32F).std()]) + _NOISE
                frames, alike = frames + 1, alike + 1 if (np.abs(before / seen - 1) < _ALIKE).all() else 0
                before = seen
            lock(capture)
    except cv2.error:
        return None
    return _fresh(capture)


def lock(capture: cv2.VideoCapture) -> None:
    """Lock focus, exposure and white balance at their present values, each if the driver supports it."""
    for switch, manual, control in _LOCKS:
        value = capture.get(control)
        if value > 0 and capture.set(switch, manual):
            capture.set(control, value)


def _fresh(capture: cv2.VideoCapture) -> ImageBgr | None:
    """Return a frame that was exposed after the call; the one in the driver's buffer is discarded."""
    try:
        with quiet():
            capture.grab()
            seen: tuple[bool, Any] = capture.read()
    except cv2.error:
        return None
    return seen[1] if seen[0] else None


def _within(timeout_s: float, work: Callable[[], ImageBgr | None]) -> ImageBgr | None:
    """Run a function that may hang in a thread; return its result, or None after the time limit."""
    answers: queue.SimpleQueue[ImageBgr | None] = queue.SimpleQueue()
    threading.Thread(target=lambda: answers.put(work()), name="webcam", daemon=True).start()
    try:
        return answers.get(timeout=timeout_s)
    except queue.Empty:
        return None


@contextmanager
def quiet() -> Iterator[None]:
    """Keep OpenCV and FFmpeg from writing to standard error; failures are reported by exceptions."""
    os.environ.setdefault(*_FFMPEG_LOG_LEVEL)
    before = _LOGGING.getLogLevel()
    _LOGGING.setLogLevel(0)
    try:
        yield
    finally:
        _LOGGING.setLogLevel(before)
