"""The Raspberry Pi's ribbon camera through picamera2, which is imported only when such a camera is opened.

Light settles first and is then locked, since a reading compares colours; controls take several frames to act, so each
frame's metadata is held against the locked light before it is used.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Protocol

import numpy as np

from vision.camera.camera import READ_TIMEOUT_S, Camera
from vision.camera.light import Light
from vision.errors import CameraError
from vision.frame import Frame

BGR_IN_MEMORY = "RGB888"
"""picamera2's name of the format whose bytes lie as blue, green, red."""

BUFFERS = 2
"""As few as work without a pause: a small Pi has little memory for them."""

FIRST_FRAMES, ALIKE_FRAMES, SETTLE_S = 8, 3, 5.0
"""Light counts as settled when, after the first frames, so many in a row are alike; or after so long anyway."""


class Request(Protocol):
    """A completed frame of picamera2."""

    def get_metadata(self) -> Mapping[str, Any]:
        """Give what the sensor says of this frame."""
        ...

    def make_array(self, name: str) -> Any:
        """Copy a stream's pixels."""
        ...


class Device(Protocol):
    """The part of `picamera2.Picamera2` that is used here."""

    camera_controls: Mapping[str, Any]
    sensor_resolution: tuple[int, int]

    def create_still_configuration(self, *, main: dict[str, Any], buffer_count: int) -> Any:
        """Describe how to run the camera."""
        ...

    def configure(self, configuration: Any, /) -> Any:
        """Set the camera up."""
        ...

    def start(self) -> Any:
        """Let frames come."""
        ...

    def set_controls(self, controls: dict[str, Any], /) -> None:
        """Ask for controls, which act some frames later."""
        ...

    def captured_request(self, *, wait: float, flush: bool) -> AbstractContextManager[Request]:
        """Lend a frame; `flush`: one exposed after now. Raises TimeoutError after `wait` seconds."""
        ...

    def cancel_all_and_flush(self) -> None:
        """Forget the captures that were asked for."""
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...


class PicameraCamera(Camera):
    """The ribbon camera, at half its sensor's width and height: the largest size at which it is read out fast.

    Args:
        clock_ns: the monotonic clock, which stamps the frames and bounds the waiting.
        open_device: opens the camera.

    Raises:
        CameraError: picamera2 or the camera is not there, or does not start.
    """

    def __init__(
        self, *, clock_ns: Callable[[], int] = time.monotonic_ns, open_device: Callable[[], Device] | None = None
    ) -> None:
        self._clock_ns = clock_ns
        with self._told("cannot be opened"):
            self._device: Device | None = (open_device or _first_camera)()
        try:
            with self._told("does not start"):
                self._start(self._device)
                self._light = self._settled_light(self._device)
                if self._light is not None:
                    self._device.set_controls(self._light.controls(self._device.camera_controls))
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The kind; there is one such camera."""
        return "picamera"

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Give the next frame that was exposed in the locked light.

        Raises:
            CameraError: none came in time, the camera failed or is closed.
        """
        if self._device is None:
            message = f"{self.name} is closed"
            raise CameraError(message)
        deadline_ns = self._clock_ns() + int(timeout_s * 1e9)
        while (left_ns := deadline_ns - self._clock_ns()) > 0:
            with self._told("stopped"), self._device.captured_request(wait=left_ns / 1e9, flush=True) as request:
                if self._light is None or self._light.is_like(Light.of(request.get_metadata())):
                    return Frame(np.ascontiguousarray(request.make_array("main")), self._clock_ns())
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
        device.configure(device.create_still_configuration(main=main, buffer_count=BUFFERS))
        device.start()

    def _settled_light(self, device: Device) -> Light | None:
        """Wait until the light no longer changes; None where the camera does not tell it."""
        deadline_ns = self._clock_ns() + int(SETTLE_S * 1e9)
        frames, alike, light = 0, 0, None
        while self._clock_ns() < deadline_ns and (frames < FIRST_FRAMES or alike < ALIKE_FRAMES):
            with device.captured_request(wait=SETTLE_S, flush=False) as request:
                before, light = light, Light.of(request.get_metadata())
            if light is None:
                return None
            frames, alike = frames + 1, alike + 1 if light.is_like(before) else 0
        return light

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Tell a failure as ours: picamera2 and libcamera raise kinds without a common root."""
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


def _first_camera() -> Device:
    try:
        from picamera2 import Picamera2  # noqa: PLC0415 - only on a Raspberry Pi, and only when this camera is wanted
    except ImportError as error:
        message = "the ribbon camera needs picamera2, which is not here: sudo apt install python3-picamera2"
        raise CameraError(message) from error
    if not Picamera2.global_camera_info():
        message = "no ribbon camera is connected; with the power off, look at the cable's both ends"
        raise CameraError(message)
    device: Device = Picamera2()
    return device
