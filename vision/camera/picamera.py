"""The Raspberry Pi's camera through picamera2, which is imported only when such a camera is opened.

Focus is set once if the module has it. Exposure and white balance settle first and are then locked, since a reading
compares colours. Controls take several frames to act, so that each frame's metadata is compared with the locked values
before it is used. When the room's light has changed for good, they are settled and locked again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import cv2
import numpy as np

from engines.sentence import Sentence
from vision.camera.camera import LIVE_IDLE_PAUSE_S, READ_TIMEOUT_S, Camera
from vision.camera.light import LightLevel, LightWatch, controls, mean_level
from vision.errors import CameraError
from vision.frame import Frame

BGR_IN_MEMORY = "RGB888"
"""picamera2's name of the format with bytes in the order blue, green, red."""

SMALL_FORMAT, SMALL_WIDTH = "YUV420", 768
"""The second stream, for motion: a format that every Pi has for it, and a width without padding."""

BUFFERS = 2
"""The least number that works without pauses: a small Pi has little memory."""

UNTIMED_BUFFERS = 4
"""libcamera's number of buffers for cameras that do not report their exposure (USB, vimc), whatever is requested."""

FIRST_FRAMES, ALIKE_FRAMES, SETTLE_S = 8, 3, 5.0
"""Light is settled if, after the first frames, `ALIKE_FRAMES` in a row are alike, or after `SETTLE_S`."""

FOCUS_S = 5.0
_AF_MANUAL, _AF_AUTO, _AF_START = 0, 1, 0
_AF_FOCUSED, _AF_FAILED = 2, 3
_FLICKER_MANUAL, _FLICKER_AUTO = 1, 2
"""libcamera's numbers for AfMode, AfTrigger, AfState and AeFlickerMode (its documentation, "controls")."""

_LAMP_PERIOD_US = 10_000
"""The flicker period on 50 Hz mains; on 60 Hz mains `FlickerFilter` removes the bands."""

_STOPPED = Sentence("{camera} stopped: {reason}")

Device: TypeAlias = Any
"""A `picamera2.Picamera2`, which brings no types."""


class PicameraCamera(Camera):
    """The Pi's camera at half its sensor's width and height, the largest size that is read out fast.

    Args:
        clock_ns: the monotonic clock, which stamps the frames and limits waiting.
        open_device: opens the camera.
        number: the index of the camera in `sensors`.

    Raises:
        CameraError: picamera2 or the camera is missing, or does not start.
    """

    idle_pause_s = LIVE_IDLE_PAUSE_S

    def __init__(
        self,
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        open_device: Callable[[], Device] | None = None,
        number: int = 0,
    ) -> None:
        self.name, self.problem = f"picamera {number}" if number else "picamera", ""
        self._clock_ns = clock_ns
        with self._camera_error(Sentence("{camera} cannot be opened: {reason}")):
            self._device: Device | None = open_device() if open_device else _numbered_camera(number)
        try:
            with self._camera_error(Sentence("{camera} does not start: {reason}")):
                self._start(self._device)
                self._focus(self._device)
                self._lock_light(self._device)
        except BaseException:
            self.close()
            raise

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return the next frame exposed with the locked values.

        Raises:
            CameraError: none came in time, the camera failed or is closed.
        """
        if self._device is None:
            raise CameraError(Sentence("{camera} is closed").format(camera=self.name))
        frame = self._next(self._device, timeout_s)
        if self._light is not None and self._watch.changed_for_good(mean_level(frame.image_bgr), self._clock_ns()):
            with self._camera_error(_STOPPED):
                self._device.set_controls(controls(None, self._device.camera_controls))
                self._lock_light(self._device)
                if self.problem:  # it may have been too dark to focus
                    self._focus(self._device)
            frame = self._next(self._device, timeout_s)
        return frame

    def _next(self, device: Device, timeout_s: float) -> Frame:
        """Return the next frame with the locked values that was exposed after this call.

        picamera2 recognises an old frame by its exposure time. If a camera does not report it, as many frames as there
        are buffers may be old, and are skipped.
        """
        deadline_ns = self._clock_ns() + int(timeout_s * 1e9)
        tells_light = self._light is not None
        maybe_old = 0 if tells_light else UNTIMED_BUFFERS
        while (left_ns := deadline_ns - self._clock_ns()) > 0:
            with (
                self._camera_error(_STOPPED),
                device.captured_request(wait=left_ns / 1e9, flush=tells_light) as request,
            ):
                if maybe_old:
                    maybe_old -= 1
                elif self._light is None or self._light.is_like(LightLevel.of(request.get_metadata())):
                    image_bgr, small_bgr = np.ascontiguousarray(request.make_array("main")), None
                    if self._has_small:
                        yuv = np.ascontiguousarray(request.make_array("lores")[:, :SMALL_WIDTH])
                        small_bgr = np.asarray(cv2.cvtColor(yuv, cv2.COLOR_YUV2BGR_I420), np.uint8)
                    return Frame(image_bgr, self._clock_ns(), small_bgr)
        message = Sentence("{camera}: no frame in the locked light within {seconds:g} s")
        raise CameraError(message.format(camera=self.name, seconds=timeout_s))

    def close(self) -> None:
        """Release the camera for other programs."""
        device, self._device = self._device, None
        if device is None:
            return
        with suppress(Exception):  # a capture that timed out is still queued: closing would wait behind it
            device.cancel_all_and_flush()
        with suppress(Exception):  # a camera that was pulled out cannot be closed in good order
            device.close()

    def _start(self, device: Device) -> None:
        """Start two streams if there are two, with exposures of whole periods of the mains."""
        width, height = device.sensor_resolution
        main = {"size": (width // 2, height // 2), "format": BGR_IN_MEMORY}
        small = {"size": (SMALL_WIDTH, round(SMALL_WIDTH * height / width / 2) * 2), "format": SMALL_FORMAT}
        try:
            device.configure(device.create_still_configuration(main=main, lores=small, buffer_count=BUFFERS))
            self._has_small = True
        except (AttributeError, RuntimeError, ValueError):  # no second stream: libcamera's vimc has one only
            device.configure(device.create_still_configuration(main=main, buffer_count=BUFFERS))
            self._has_small = False
        device.start()
        modes = device.camera_controls.get("AeFlickerMode")
        if modes is not None and modes[1] >= _FLICKER_AUTO:  # the camera can measure the period; else 50 Hz are assumed
            device.set_controls({"AeFlickerMode": _FLICKER_AUTO})
        elif modes is not None:
            device.set_controls({"AeFlickerMode": _FLICKER_MANUAL, "AeFlickerPeriod": _LAMP_PERIOD_US})

    def _focus(self, device: Device) -> None:
        """Focus once: a lens that hunts between frames blurs them and changes the picture's scale."""
        if "AfMode" not in device.camera_controls:
            return
        device.set_controls({"AfMode": _AF_AUTO, "AfTrigger": _AF_START})
        deadline_ns = self._clock_ns() + int(FOCUS_S * 1e9)
        while self._clock_ns() < deadline_ns:
            with device.captured_request(wait=FOCUS_S, flush=False) as request:
                metadata = request.get_metadata()
            if metadata.get("AfState") in {_AF_FOCUSED, _AF_FAILED}:
                break
        failed = metadata.get("AfState") != _AF_FOCUSED
        problem = Sentence("the lens found no focus; give it light, or something with print in the middle")
        self.problem = problem if failed else ""
        if "LensPosition" in metadata:
            device.set_controls({"AfMode": _AF_MANUAL, "LensPosition": metadata["LensPosition"]})

    def _lock_light(self, device: Device) -> None:
        """Wait until the light no longer changes, and lock it, if the camera reports it."""
        self._watch = LightWatch()
        deadline_ns = self._clock_ns() + int(SETTLE_S * 1e9)
        frames, alike, light = 0, 0, None
        while self._clock_ns() < deadline_ns and (frames < FIRST_FRAMES or alike < ALIKE_FRAMES):
            with device.captured_request(wait=SETTLE_S, flush=False) as request:
                before, light = light, LightLevel.of(request.get_metadata())
            if light is None:
                break
            frames, alike = frames + 1, alike + 1 if light.is_like(before) else 0
        self._light: LightLevel | None = light
        if light is not None:
            device.set_controls(controls(light, device.camera_controls))

    @contextmanager
    def _camera_error(self, sentence: Sentence) -> Iterator[None]:
        """Raise a failure as `CameraError` with this sentence; picamera2 and libcamera have no common exception."""
        try:
            yield
        except CameraError:
            raise
        except Exception as error:
            reason = str(error) or type(error).__name__
            if isinstance(error, TimeoutError):
                reason = Sentence("no frame came in time")
            raise CameraError(sentence.format(camera=self.name, reason=reason)) from error


def sensors() -> tuple[str, ...]:
    """Return the names of the connected sensors, such as "imx708" (picamera2's manual, `global_camera_info`).

    Raises:
        CameraError: picamera2 is missing or does not work.
    """
    library = _library()
    try:
        return tuple(str(info["Model"]) for info in library.global_camera_info())
    except Exception as error:  # picamera2 lets through whatever libcamera raises
        message = Sentence("picamera2 does not tell what is connected: {reason}")
        raise CameraError(message.format(reason=str(error))) from error


def _library() -> Any:
    try:
        from picamera2 import Picamera2  # noqa: PLC0415 - only on a Raspberry Pi, and only when this camera is wanted
    except ImportError as error:
        message = Sentence("the ribbon camera needs picamera2, which is not here: sudo apt install python3-picamera2")
        raise CameraError(message) from error
    return Picamera2


def _numbered_camera(number: int) -> Device:
    library = _library()
    found = len(library.global_camera_info())
    if not found:
        raise CameraError(Sentence("no ribbon camera is connected; with the power off, look at the cable's both ends"))
    if number >= found:
        message = Sentence("there are {found} ribbon cameras, counted from 0: there is no picamera:{number}")
        raise CameraError(message.format(found=found, number=number))
    device: Device = library(number)
    return device
