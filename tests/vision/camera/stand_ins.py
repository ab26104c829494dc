"""Stand-ins for a webcam and for picamera2: no kinder than what they stand for.

The ribbon camera's follows picamera2's documentation: controls act some frames later, metadata tell what was really
used, "RGB888" lies as blue, green, red, frames can stop without a word (and closing then hangs unless captures are
cancelled first), and a closed camera raises.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

BLUE, GREEN, RED = 200, 60, 20
"""What both stand-ins see: one colour, by channel."""

CONTROL_LAG = 4


def coloured(width: int, height: int) -> NDArray[np.uint8]:
    return np.full((height, width, 3), (BLUE, GREEN, RED), np.uint8)


class StandInCapture:
    """Like `cv2.VideoCapture`: it never raises for a camera that is gone, it answers False.

    `frames_left` counts down to the moment at which it is pulled out; `hangs` blocks like a driver that waits for ever.
    """

    def __init__(self, frames_left: int = 10**6, *, opened: bool = True, hangs: threading.Event | None = None) -> None:
        self.frames_left = frames_left
        self.opened = opened
        self.hangs = hangs
        self.properties: dict[int, float] = {}

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opened

    def set(self, property_id: int, value: float, /) -> bool:
        self.properties[property_id] = value
        return True

    def grab(self) -> bool:
        if self.hangs is not None:
            self.hangs.wait(30)
        self.frames_left -= 1
        return self.frames_left >= 0

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]:
        if not self.opened:
            raise cv2.error("the stand-in is not open")
        return (True, coloured(64, 48)) if self.grab() else (False, None)

    def release(self) -> None:
        self.opened = False


class StandInRequest:
    """One frame; it can be used only while it is lent."""

    def __init__(self, metadata: Mapping[str, Any], image: NDArray[np.uint8]) -> None:
        self._metadata = metadata
        self._image = image
        self.lent = True

    def get_metadata(self) -> Mapping[str, Any]:
        assert self.lent
        return self._metadata

    def make_array(self, name: str) -> NDArray[np.uint8]:
        assert self.lent
        assert name == "main"
        return self._image.copy()


class StandInPicamera2:
    """Like `picamera2.Picamera2`.

    Args:
        clock: time passes by one frame of 33 ms with each request.
        fails: by frame number, what happens instead of that frame.
        tells_light: False for a sensor without exposure metadata, such as libcamera's vimc.
    """

    sensor_resolution = (640, 480)

    def __init__(self, clock: Clock, *, fails: Mapping[int, Exception] | None = None, tells_light: bool = True) -> None:
        self.camera_controls: Mapping[str, Any] = {"ExposureTime": (1, 10**6), "ExposureTimeMode": (0, 1)}
        self.frame = 0
        self.closed = self.started = False
        self.asked: dict[str, Any] = {}
        self.automatic = True
        self._stuck = False
        self._clock = clock
        self._fails = fails or {}
        self._tells_light = tells_light
        self._pending: list[tuple[int, dict[str, Any]]] = []
        self._locked: dict[str, Any] = {}

    def create_still_configuration(self, *, main: dict[str, Any], buffer_count: int) -> dict[str, Any]:
        assert buffer_count > 1, "with one buffer every capture waits for the whole pipeline"
        return {"main": main}

    def configure(self, configuration: dict[str, Any], /) -> None:
        assert configuration["main"]["format"] in ("RGB888", "BGR888")
        self._main = configuration["main"]

    def start(self) -> None:
        self.started = True

    def set_controls(self, controls: dict[str, Any], /) -> None:
        self.asked |= controls
        self._pending.append((self.frame + CONTROL_LAG, controls))

    @contextmanager
    def captured_request(self, *, wait: float, flush: bool) -> Iterator[StandInRequest]:
        if self.closed or not self.started:
            raise RuntimeError("Camera must be started before requests are captured")
        self.frame += 1 + flush
        self._clock.pass_ns(33_000_000 * (1 + flush))
        failure = self._fails.get(self.frame) or self._fails.get(self.frame - flush)
        if failure is not None:
            if isinstance(failure, TimeoutError):
                self._clock.pass_ns(int(wait * 1e9))
                self._stuck = True
            raise failure
        request = StandInRequest(self._metadata(), self._image())
        yield request
        request.lent = False

    def cancel_all_and_flush(self) -> None:
        self._stuck = False

    def close(self) -> None:
        assert not self._stuck, "the real one would wait for ever behind the capture that timed out"
        assert not self.closed, "closed twice"
        self.closed = True

    def bump_the_light(self) -> None:
        """Change what the sensor really uses, as some versions do in spite of the lock."""
        self._locked["AnalogueGain"] = 3.0

    def _metadata(self) -> dict[str, Any]:
        """What was really used for this frame: the automatic keeps drifting until the lock acts, frames later."""
        for frame, controls in self._pending:
            if frame <= self.frame:
                self.automatic = self.automatic and controls.get("AeEnable", True)
                self._locked |= {k: controls[k] for k in ("ExposureTime", "AnalogueGain", "ColourGains")}
        self._pending = [(frame, controls) for frame, controls in self._pending if frame > self.frame]
        if not self._tells_light:
            return {"SensorTimestamp": self.frame}
        settling = max(0, 12 - self.frame)
        metered = {"ExposureTime": 10_000 + 3_000 * settling, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4)}
        return metered | self._locked

    def _image(self) -> NDArray[np.uint8]:
        bgr = coloured(*self._main["size"])
        return bgr if self._main["format"] == "RGB888" else bgr[:, :, ::-1]


class Clock:
    """A monotonic clock that moves only by hand."""

    def __init__(self) -> None:
        self.now_ns = 10**9

    def __call__(self) -> int:
        return self.now_ns

    def pass_ns(self, duration_ns: int) -> None:
        self.now_ns += duration_ns
