"""Stand-ins for a webcam and for picamera2: no kinder than what they stand for.

The ribbon camera's follows picamera2's documentation: controls act some frames later, metadata report what was really
used, "RGB888" lies as blue, green, red, frames can stop without a word (and closing then hangs unless captures are
cancelled first), a closed camera raises, and so does a control that the camera does not have.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.phone import PhonePictures

BLUE, GREEN, RED = 200, 60, 20
"""What both stand-ins see: one colour, by channel."""

CONTROL_LAG = 4

LIGHT_CONTROLS = ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "ExposureTimeMode")


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

    def get(self, property_id: int, /) -> float:
        return self.properties.get(property_id, -1.0)

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


class StandInStream:
    """Like `cv2.VideoCapture` on a stream, a frame a millisecond: it answers False when the stream has ended.

    `frames_left` counts down with the frames that are decoded; `hangs` blocks like a network that has gone;
    without `pixels` it says that it has a frame, and has none.
    """

    def __init__(
        self,
        frames_left: int = 10**6,
        *,
        opened: bool = True,
        hangs: threading.Event | None = None,
        pixels: bool = True,
    ) -> None:
        self.frames_left = frames_left
        self.pixels = pixels
        self.opened = opened
        self.hangs = hangs
        self.grabbed = 0
        self.released = threading.Event()

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opened

    def grab(self) -> bool:
        assert not self.released.is_set(), "grabbing after the release crashes the real one"
        if self.hangs is not None:
            self.hangs.wait(30)
        self.released.wait(0.001)
        self.grabbed += 1
        return self.frames_left > 0

    def retrieve(self) -> tuple[bool, NDArray[np.uint8] | None]:
        self.frames_left -= 1
        return True, coloured(64, 48) if self.pixels else None

    def release(self) -> None:
        self.released.set()


class StandInRequest:
    """One frame; it can be used only while it is lent."""

    def __init__(self, metadata: Mapping[str, Any], images: Mapping[str, NDArray[np.uint8]]) -> None:
        self._metadata = metadata
        self._images = images
        self.lent = True

    def get_metadata(self) -> Mapping[str, Any]:
        assert self.lent
        return self._metadata

    def make_array(self, name: str) -> NDArray[np.uint8]:
        assert self.lent
        assert name in self._images
        return self._images[name].copy()


class StandInPicamera2:
    """Like `picamera2.Picamera2`.

    Args:
        clock: time passes by one frame of 33 ms with each request; None for one of its own.
        fails: by frame number, what happens instead of that frame.
        tells_light: False for a sensor without exposure metadata, such as libcamera's vimc.
        two_streams: False for a pipeline with one stream only, such as vimc's.
        can_focus: True for a module with a lens that moves, such as the Camera Module 3.

    Attributes:
        brightness: of the room, 1 at first.
    """

    sensor_resolution = (640, 480)

    def __init__(
        self,
        clock: Clock | None = None,
        *,
        fails: Mapping[int, Exception] | None = None,
        tells_light: bool = True,
        can_focus: bool = False,
        two_streams: bool = True,
    ) -> None:
        self.two_streams = two_streams
        self.camera_controls: Mapping[str, Any] = dict.fromkeys(LIGHT_CONTROLS) if tells_light else {}
        if can_focus:
            self.camera_controls = dict.fromkeys((*LIGHT_CONTROLS, "AfMode", "AfTrigger", "LensPosition"))
        self.brightness = 1.0
        self._free_from = 0
        self._focused_at: int | None = None
        self.frame = 0
        self.closed = self.started = False
        self.asked: dict[str, Any] = {}
        self.automatic = True
        self._stuck = False
        self.clock = clock or Clock()
        self._fails = fails or {}
        self._tells_light = tells_light
        self._pending: list[tuple[int, dict[str, Any]]] = []
        self._locked: dict[str, Any] = {}

    def create_still_configuration(
        self, *, main: dict[str, Any], lores: dict[str, Any] | None = None, buffer_count: int
    ) -> dict[str, Any]:
        assert buffer_count > 1, "with one buffer every capture waits for the whole pipeline"
        return {"main": main, "lores": lores}

    def configure(self, configuration: dict[str, Any], /) -> None:
        assert configuration["main"]["format"] in ("RGB888", "BGR888")
        self._lores = configuration["lores"]
        if self._lores is not None and not self.two_streams:
            raise AttributeError("'NoneType' object has no attribute 'orientation'")  # as picamera2 0.3.38 does
        assert self._lores is None or self._lores["format"] == "YUV420", "all that a Pi 4 has there"
        self._main = configuration["main"]

    def start(self) -> None:
        self.started = True

    def set_controls(self, controls: dict[str, Any], /) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.asked |= controls
        self._pending.append((self.frame + CONTROL_LAG, controls))

    @contextmanager
    def captured_request(self, *, wait: float, flush: bool) -> Iterator[StandInRequest]:
        if self.closed or not self.started:
            raise RuntimeError("Camera must be started before requests are captured")
        self.frame += 1 + flush
        self.clock.pass_ns(33_000_000 * (1 + flush))
        failure = self._fails.get(self.frame) or self._fails.get(self.frame - flush)
        if failure is not None:
            if isinstance(failure, TimeoutError):
                self.clock.pass_ns(int(wait * 1e9))
                self._stuck = True
            raise failure
        metadata = self._metadata()
        if flush and "ExposureTime" not in metadata:
            raise KeyError("ExposureTime")  # as picamera2 0.3.38 does, which finds so when a frame began
        image = self._image()
        request = StandInRequest(metadata, {"main": image, **self._small(image)})
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
                self._act(frame, controls)
        self._pending = [(frame, controls) for frame, controls in self._pending if frame > self.frame]
        if not self._tells_light:
            return {"SensorTimestamp": self.clock()}
        settling = max(0, self._free_from + 12 - self.frame)
        exposure = round((10_000 + 3_000 * settling) / self.brightness)
        metered = {"ExposureTime": exposure, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4)}
        return metered | self._locked | self._lens()

    def _act(self, frame: int, controls: Mapping[str, Any]) -> None:
        if controls.get("AeEnable") is True:
            self.automatic, self._locked, self._free_from = True, {}, frame
        elif controls.get("AeEnable") is False:
            self.automatic = False
            self._locked |= {k: controls[k] for k in ("ExposureTime", "AnalogueGain", "ColourGains")}
        if controls.get("AfMode") == 1:
            self._focused_at = frame + 6

    def _lens(self) -> dict[str, Any]:
        """The lens sweeps for some frames, and then stands; in the dark it finds nothing."""
        if self._focused_at is None:
            return {}
        done = self.frame >= self._focused_at
        found = 2 if self.brightness > 0.3 else 3
        return {"AfState": found if done else 1, "LensPosition": 2.5 if done else 0.1 * self.frame}

    def _small(self, image: NDArray[np.uint8]) -> dict[str, NDArray[np.uint8]]:
        """The second stream: planes of Y, U and V, one below the other."""
        if self._lores is None:
            return {}
        bgr = image if self._main["format"] == "RGB888" else np.ascontiguousarray(image[:, :, ::-1])
        resized = cv2.resize(bgr, self._lores["size"])
        return {"lores": np.asarray(cv2.cvtColor(resized, cv2.COLOR_BGR2YUV_I420), np.uint8)}

    def _image(self) -> NDArray[np.uint8]:
        """As bright as the room, and as dark as the exposure that was locked in another light or never changes."""
        metered = 10_000 / self.brightness if self._tells_light else 10_000
        exposed = self._locked.get("ExposureTime", metered) / 10_000 * self.brightness
        bgr = np.clip(coloured(*self._main["size"]) * exposed, 0, 255).astype(np.uint8)
        return np.asarray(bgr if self._main["format"] == "RGB888" else bgr[:, :, ::-1], np.uint8)


class Clock:
    """A monotonic clock that moves only by hand."""

    def __init__(self) -> None:
        self.now_ns = 10**9

    def __call__(self) -> int:
        return self.now_ns

    def pass_ns(self, duration_ns: int) -> None:
        self.now_ns += duration_ns


def start_reading(reading: threading.Thread, pictures: PhonePictures) -> None:
    """Start what reads a phone's pictures, and return when it waits for one."""
    began_s = time.monotonic()
    reading.start()
    while not pictures.wanted(time.monotonic() - began_s):
        assert time.monotonic() - began_s < 5.0
        time.sleep(0.001)
