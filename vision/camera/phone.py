"""A phone whose browser sends pictures of the table: single photographs, or a stream of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from engines.sentence import Sentence
from vision.camera.camera import LIVE_IDLE_PAUSE_S, READ_TIMEOUT_S, Camera
from vision.errors import CameraError, UnreadableImageError
from vision.frame import Frame
from vision.image_file import decode_image

MOST_STREAMED_BYTES = 4_000_000
"""Largest picture of a stream; 1920 x 1080 pixels have about 600,000 bytes."""

MOST_PHOTOGRAPH_BYTES = 24_000_000


class PhoneState(StrEnum):
    """The state that the phone's page reports."""

    NOT_THERE = "not-there"
    SENDING = "sending"
    HIDDEN = "hidden"
    STOPPED = "stopped"
    REFUSED = "refused"


_WHY = {
    PhoneState.NOT_THERE: Sentence("open the page on the phone and choose its camera"),
    PhoneState.SENDING: Sentence("is the phone still on, and in the network?"),
    PhoneState.HIDDEN: Sentence("its page is not on the screen; is the phone locked?"),
    PhoneState.STOPPED: Sentence("its camera was switched off on the page"),
    PhoneState.REFUSED: Sentence("its browser does not allow the camera on this page"),
}


@dataclass(frozen=True, slots=True)
class Sent:
    """A picture, whether it is a photograph, and the order and time of its arrival."""

    data: bytes
    begun: int
    photograph: bool
    arrived_ns: int


class PhonePictures:
    """The latest picture from the phone, put by the page and read by the camera; thread-safe.

    Args:
        clock_ns: the monotonic clock, which stamps pictures on arrival.

    Attributes:
        state: the state that the phone reported last.
    """

    def __init__(self, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock_ns = clock_ns
        self._changed = threading.Condition()
        self._begun = self._closings = 0
        self._sent: Sent | None = None
        self.state = PhoneState.NOT_THERE
        self._wanted_ns: int | None = None

    def wanted(self, within_s: float) -> bool:
        """Return whether a picture was requested within this time."""
        return self._wanted_ns is not None and self._clock_ns() - self._wanted_ns < within_s * 1e9

    def begin(self) -> int:
        """Return the number of a picture whose transfer begins, for `put`."""
        with self._changed:
            self._begun += 1
            return self._begun

    def put(self, data: bytes, begun: int, *, photograph: bool = False) -> None:
        """Store a picture, unless one whose transfer began later was stored already."""
        with self._changed:
            if self._sent is None or self._sent.begun < begun:
                self._sent = Sent(data, begun, photograph, self._clock_ns())
                self.state = PhoneState.SENDING
                self._changed.notify_all()

    def note(self, state: PhoneState) -> None:
        """Set the state of the phone."""
        with self._changed:
            self.state = state
            self._changed.notify_all()

    def next(self, timeout_s: float) -> Sent | None:
        """Return the first picture whose transfer began after this call, or at once a stored photograph.

        Return None if there is none in time.
        """
        with self._changed:
            begun, closings = self._begun, self._closings
            self._wanted_ns = self._clock_ns()
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._is_new(begun) or self._closings != closings, timeout_s)
            return self._sent if self._is_new(begun) else None

    def release(self) -> None:
        """Wake all waiting threads."""
        with self._changed:
            self._closings += 1
            self._changed.notify_all()

    def _is_new(self, begun: int) -> bool:
        return self._sent is not None and (self._sent.photograph or self._sent.begun > begun)


PHONE = PhonePictures()
"""The pictures of the phone that is this program's camera."""


class PhoneCamera(Camera):
    """The camera of a phone whose browser sends pictures.

    A photograph is returned until there is another; a stream has to continue.

    Args:
        pictures: the pictures from the phone.
        clock_ns: the monotonic clock, which stamps photographs that are returned again.
    """

    idle_pause_s = LIVE_IDLE_PAUSE_S
    name = Sentence("phone")

    def __init__(self, pictures: PhonePictures = PHONE, *, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._pictures, self._clock_ns = pictures, clock_ns
        self._shown: tuple[Sent, Frame] | None = None

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return the next picture of the stream, or the photograph that was sent last.

        Raises:
            CameraError: none came in time, it cannot be read, or the camera is closed.
        """
        sent = None if self._closed else self._pictures.next(timeout_s)
        if self._closed:
            raise CameraError(Sentence("{camera}: the camera is closed").format(camera=self.name))
        if sent is None:
            message = Sentence("{camera}: no picture within {seconds:g} s; {why}")
            why = _WHY[self._pictures.state]
            raise CameraError(message.format(camera=self.name, seconds=timeout_s, why=why))
        if self._shown is not None and self._shown[0] is sent:
            return Frame(self._shown[1].image_bgr, self._clock_ns())
        try:
            image_bgr = decode_image(sent.data, self.name)
        except UnreadableImageError as error:
            raise CameraError(str(error)) from error
        turned = self._shown is not None and self._shown[1].image_bgr.shape != image_bgr.shape
        captured_ns = self._clock_ns() if sent.photograph else sent.arrived_ns
        frame = Frame(image_bgr, captured_ns, retaken=sent.photograph or turned)
        self._shown = sent, frame
        return frame

    def close(self) -> None:
        """Close the camera."""
        super().close()
        self._pictures.release()
