"""Cameras that are real to the program: the ribbon camera through picamera2 and libcamera, whose vimc stands for a
sensor, and a webcam through OpenCV and Video4Linux, for which vivid stands. Run by start.sh, inside the rig only.

Both show coloured bars; vimc has no exposure or white balance to lock. Only the webcam is pulled out: nobody pulls a
ribbon under power, and when vimc's driver lets go, libcamera 0.4.0 polls without end and then aborts the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from picamera2 import Picamera2

from tests.contracts import test_cameras
from tests.contracts.test_cameras import OpenCamera
from tests.vision.camera.stand_ins import Clock
from vision.camera.camera import Camera
from vision.camera.picamera import UNTIMED_BUFFERS, PicameraCamera
from vision.camera.webcam import WebcamCamera
from vision.errors import CameraError

DRIVERS = Path("/sys/bus/platform/drivers")

CONTRACT = [
    test_cameras.test_frames_are_colour_pictures_of_one_size_that_belong_to_the_caller,
    test_cameras.test_frames_are_stamped_with_the_clock_that_was_given_and_never_run_backwards,
    test_cameras.test_closing_twice_does_no_harm_and_a_closed_camera_says_so,
]
"""The two others have their likes below: no driver shows the stand-in's one colour, or fails after this many frames."""

BARS_BGR = np.array(
    [(255, 255, 255), (0, 255, 255), (255, 255, 0), (0, 255, 0), (255, 0, 255), (0, 0, 255), (255, 0, 0), (0, 0, 0)]
)
"""White, yellow, cyan, green, magenta, red, blue, black: the television's bars, from the left."""


def picamera(_folder: Path, clock: Clock) -> Camera:
    return PicameraCamera(clock_ns=clock)


def webcam(_folder: Path, clock: Clock) -> Camera:
    names = {file.parent.name: file.read_text() for file in Path("/sys/class/video4linux").glob("video*/name")}
    (index,) = [int(video.removeprefix("video")) for video, name in names.items() if "vivid-000-vid-cap" in name]
    return WebcamCamera(index, size_wh=(640, 360), clock_ns=clock)


CAMERAS: Mapping[str, OpenCamera] = {"vimc": picamera, "vivid": webcam}
every_camera = pytest.mark.parametrize("driver", CAMERAS)


@every_camera
@pytest.mark.parametrize("claim", CONTRACT, ids=lambda claim: claim.__name__.removeprefix("test_"))
def test_a_real_camera_keeps_every_cameras_contract(claim: Callable[..., None], driver: str, tmp_path: Path) -> None:
    claim(open_camera=CAMERAS[driver], tmp_path=tmp_path)


@every_camera
def test_blue_green_and_red_are_not_mixed_up(driver: str, tmp_path: Path) -> None:
    with CAMERAS[driver](tmp_path, Clock()) as camera:
        image_bgr = camera.read().image_bgr
    row = image_bgr[image_bgr.shape[0] * 3 // 4]
    bars = np.array([row[(2 * bar + 1) * len(row) // 16] for bar in range(8)])
    assert ((bars > 90) == (BARS_BGR > 0)).all(), bars


@contextmanager
def pulled_out(driver: str) -> Iterator[None]:
    """The driver lets the camera go as if its cable were pulled, and finds it again."""
    folder = DRIVERS / driver
    device = next(folder.glob(f"{driver}.*")).name
    (folder / "unbind").write_text(device)
    try:
        yield
    finally:
        (folder / "bind").write_text(device)


def told_once(camera: Camera, timeout_s: float) -> str:
    """Read until the camera fails."""
    with pytest.raises(CameraError) as raised:
        for _ in range(20):
            camera.read(timeout_s=timeout_s)
    return str(raised.value)


def test_a_webcam_that_is_pulled_out_is_reported_in_one_sentence(tmp_path: Path) -> None:
    with webcam(tmp_path, Clock()) as camera:
        camera.read()
        with pulled_out("vivid"):
            found = told_once(camera, timeout_s=2)
    assert found.startswith(camera.name)
    assert "\n" not in found


def test_a_ribbon_camera_whose_frames_stop_is_reported_in_one_sentence_and_let_go(tmp_path: Path) -> None:
    """So a loose ribbon looks like. Frames stop here since every buffer has been taken and is not given back."""
    device = Picamera2()
    with PicameraCamera(clock_ns=Clock(), open_device=lambda: device) as camera:
        camera.read()
        taken = [device.capture_request(wait=2) for _ in range(UNTIMED_BUFFERS)]
        assert told_once(camera, timeout_s=0.3) == "picamera stopped: no frame came in time"
    del taken
    with picamera(tmp_path, Clock()) as camera:
        camera.read()
