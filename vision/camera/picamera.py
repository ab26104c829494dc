"""The Raspberry Pi's ribbon camera through picamera2, which is imported only when such a camera is opened.

Focus is set once where the module can. Light settles first and is then locked, since a reading compares colours;
controls take several frames to act, so each frame's metadata is held against the locked light before it is used. When
the room's light has changed for good, it is settled and locked again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Protocol

import cv2
import numpy as np

from vision.camera.camera import LIVE_IDLE_PAUSE_S, READ_TIMEOUT_S, Camera
from vision.camera.light import LightLevel, LightWatch, unlocked
from vision.errors import CameraError
from vision.frame import Frame, ImageBgr

BGR_IN_MEMORY = "RGB888"
"""picamera2's name of the format whose bytes lie as blue, green, red."""

SMALL_FORMAT, SMALL_WIDTH = "YUV420", 768
"""The second stream, for motion: the one format that every Pi has there, and a width that needs no padding in it."""

BUFFERS = 2
"""As few as work without a pause: a small Pi has little memory for them."""

UNTIMED_BUFFERS = 4
"""How many buffers libcamera has for cameras that do not report their exposure (USB, vimc), whatever is asked for."""

FIRST_FRAMES, ALIKE_FRAMES, SETTLE_S = 8, 3, 5.0
"""Light counts as settled when, after the first frames, this many in a row are alike; or after so long anyway."""

FOCUS_S = 5.0
_AF_MANUAL, _AF_AUTO, _AF_START = 0, 1, 0
_AF_FOCUSED, _AF_FAILED = 2, 3
_FLICKER_MANUAL, _FLICKER_AUTO = 1, 2
"""libcamera's numbers for AfMode, AfTrigger, AfState and AeFlickerMode (its documentation, "controls")."""

_LAMP_PERIOD_US = 10_000
"""A lamp on mains of 50 Hz flickers a hundred times a second. Where mains have 60 Hz, bands are taken out."""


class Request(Protocol):
    """A completed frame of picamera2."""

    def get_metadata(self) -> Mapping[str, Any]:
        """Return what the sensor says of this frame."""

    def make_array(self, name: str) -> Any:
        """Copy a stream's pixels."""


class Device(Protocol):
    """The part of `picamera2.Picamera2` that is used here."""

    camera_controls: Mapping[str, Any]
    sensor_resolution: tuple[int, int]

    def create_still_configuration(
        self, *, main: dict[str, Any], lores: dict[str, Any] | None = None, buffer_count: int
    ) -> Any:
        """Describe how to run the camera."""

    def configure(self, configuration: Any, /) -> Any:
        """Set the camera up."""

    def start(self) -> Any:
        """Let frames come."""

    def set_controls(self, controls: dict[str, Any], /) -> None:
        """Ask for controls, which act some frames later."""

    def captured_request(self, *, wait: float, flush: bool) -> AbstractContextManager[Request]:
        """Lend a frame; `flush`: one exposed after now. Raises TimeoutError after `wait` seconds."""

    def cancel_all_and_flush(self) -> None:
        """Forget the captures that were asked for."""

    def close(self) -> None:
        """Let the camera go."""


class PicameraCamera(Camera):
    """The ribbon camera, at half its sensor's width and height: the largest size at which it is read out fast.

    Args:
        clock_ns: the monotonic clock, which stamps the frames and bounds the waiting.
        open_device: opens the camera.
        number: which of several ribbon cameras, counted from 0 as `sensors` names them.

    Raises:
        CameraError: picamera2 or the camera is not there, or does not start.
    """

    idle_pause_s = LIVE_IDLE_PAUSE_S

    def __init__(
        self,
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        open_device: Callable[[], Device] | None = None,
        number: int = 0,
    ) -> None:
        self._clock_ns, self._number = clock_ns, number
        self.problem = ""
        with self._camera_error("cannot be opened"):
            self._device: Device | None = open_device() if open_device else _numbered_camera(number)
        try:
            with self._camera_error("does not start"):
                self._start(self._device)
                self._avoid_flicker(self._device)
                self._focus(self._device)
                self._lock_light(self._device)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The kind, and the number of all but the first."""
        return f"picamera {self._number}" if self._number else "picamera"

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return the next frame that was exposed in the locked light.

        Raises:
            CameraError: none came in time, the camera failed or is closed.
        """
        if self._device is None:
            message = f"{self.name} is closed"
            raise CameraError(message)
        frame = self._next(self._device, timeout_s)
        if self._light is not None and self._watch.changed_for_good(_level(frame), self._clock_ns()):
            with self._camera_error("stopped"):
                self._device.set_controls(unlocked(self._device.camera_controls))
                self._lock_light(self._device)
                if self.problem:  # it may have been too dark to focus
                    self._focus(self._device)
            frame = self._next(self._device, timeout_s)
        return frame

    def _next(self, device: Device, timeout_s: float) -> Frame:
        """Return the next frame in the locked light that was exposed after this call.

        picamera2 knows an old frame by its exposure time. Where a camera does not report that, every buffer may hold an
        old frame, and one more is new.
        """
        deadline_ns = self._clock_ns() + int(timeout_s * 1e9)
        tells_light = self._light is not None
        maybe_old = 0 if tells_light else UNTIMED_BUFFERS
        while (left_ns := deadline_ns - self._clock_ns()) > 0:
            with (
                self._camera_error("stopped"),
                device.captured_request(wait=left_ns / 1e9, flush=tells_light) as request,
            ):
                if maybe_old:
                    maybe_old -= 1
                elif self._light is None or self._light.is_like(LightLevel.of(request.get_metadata())):
                    image_bgr = np.ascontiguousarray(request.make_array("main"))
                    return Frame(image_bgr, self._clock_ns(), self._small(request))
        message = f"{self.name}: no frame in the locked light within {timeout_s:g} s"
        raise CameraError(message)

    def close(self) -> None:
        """Let the camera go, so that other programs can have it."""
        device, self._device = self._device, None
        if device is None:
            return
        with suppress(
            Exception
        ):  # a capture that timed out is still in picamera2's queue: closing would wait behind it
            device.cancel_all_and_flush()
        with suppress(Exception):  # a camera that was pulled out cannot be closed in good order
            device.close()

    def _start(self, device: Device) -> None:
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

    def _small(self, request: Request) -> ImageBgr | None:
        """Return the camera's own small picture of a frame."""
        if not self._has_small:
            return None
        yuv = request.make_array("lores")[:, :SMALL_WIDTH]
        return np.asarray(cv2.cvtColor(np.ascontiguousarray(yuv), cv2.COLOR_YUV2BGR_I420), np.uint8)

    @staticmethod
    def _avoid_flicker(device: Device) -> None:
        """Let exposures be whole periods of lamps on the mains, measured by the camera if it can, else of 50 Hz."""
        modes = device.camera_controls.get("AeFlickerMode")
        if modes is None:
            return
        if modes[1] >= _FLICKER_AUTO:
            device.set_controls({"AeFlickerMode": _FLICKER_AUTO})
        else:
            device.set_controls({"AeFlickerMode": _FLICKER_MANUAL, "AeFlickerPeriod": _LAMP_PERIOD_US})

    def _focus(self, device: Device) -> None:
        """Focus once and leave it so: a lens that hunts between frames blurs them and changes the picture's scale."""
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
        self.problem = "the lens found no focus; give it light, or something with print in the middle" if failed else ""
        if "LensPosition" in metadata:
            device.set_controls({"AfMode": _AF_MANUAL, "LensPosition": metadata["LensPosition"]})

    def _lock_light(self, device: Device) -> None:
        """Let the light settle, and keep it."""
        self._watch = LightWatch()
        self._light = self._settled_light(device)
        if self._light is not None:
            device.set_controls(self._light.controls(device.camera_controls))

    def _settled_light(self, device: Device) -> LightLevel | None:
        """Wait until the light no longer changes; None if the camera does not report it."""
        deadline_ns = self._clock_ns() + int(SETTLE_S * 1e9)
        frames, alike, light = 0, 0, None
        while self._clock_ns() < deadline_ns and (frames < FIRST_FRAMES or alike < ALIKE_FRAMES):
            with device.captured_request(wait=SETTLE_S, flush=False) as request:
                before, light = light, LightLevel.of(request.get_metadata())
            if light is None:
                return None
            frames, alike = frames + 1, alike + 1 if light.is_like(before) else 0
        return light

    @contextmanager
    def _camera_error(self, what: str) -> Iterator[None]:
        """Raise a failure as ours: picamera2 and libcamera raise kinds without a common root."""
        try:
            yield
        except CameraError:
            raise
        except TimeoutError as error:
            message = f"{self.name} {what}: no frame came in time"
            raise CameraError(message) from error
        except Exception as error:
            message = f"{self.name} {what}: {str(error) or type(error).__name__}"
            raise CameraError(message) from error


def _level(frame: Frame) -> float:
    """Return a picture's mean grey level, from a part of its pixels."""
    return float(frame.image_bgr[::8, ::8].mean())


def sensors() -> tuple[str, ...]:
    """Name the sensors that are connected, such as "imx708" (picamera2's manual, `global_camera_info`).

    Raises:
        CameraError: picamera2 is not there, or does not work.
    """
    library = _library()
    try:
        return tuple(str(info["Model"]) for info in library.global_camera_info())
    except Exception as error:  # picamera2 lets through whatever libcamera raises
        message = f"picamera2 does not tell what is connected: {error}"
        raise CameraError(message) from error


def _library() -> Any:
    try:
        from picamera2 import Picamera2  # noqa: PLC0415 - only on a Raspberry Pi, and only when this camera is wanted
    except ImportError as error:
        message = "the ribbon camera needs picamera2, which is not here: sudo apt install python3-picamera2"
        raise CameraError(message) from error
    return Picamera2


def _numbered_camera(number: int) -> Device:
    library = _library()
    found = len(library.global_camera_info())
    if not found:
        message = "no ribbon camera is connected; with the power off, look at the cable's both ends"
        raise CameraError(message)
    if number >= found:
        message = f"there are {found} ribbon cameras, counted from 0: there is no picamera:{number}"
        raise CameraError(message)
    device: Device = library(number)
    return device
