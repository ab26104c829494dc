"""A webcam that is there, that is pulled out, that comes back, and that hangs."""

from __future__ import annotations

import os
import threading
from itertools import count

import cv2
import numpy as np
import pytest

from tests.vision.camera.stand_ins import BLUE, GREEN, RED, StandInCapture
from vision.camera.webcam import FIRST_FRAMES, WebcamCamera
from vision.errors import CameraError


class Plugs:
    """Hands out captures in turn, as a camera number does when something is plugged in again."""

    def __init__(self, *captures: StandInCapture) -> None:
        self._captures = iter(captures)
        self.opened = 0

    def __call__(self, index: int | str) -> StandInCapture:
        assert index == 2
        self.opened += 1
        return next(self._captures)


class Driver(StandInCapture):
    """A driver that reports what its camera has found by itself, and gives a textured picture of a level."""

    def __init__(self, *, focuses: bool = True) -> None:
        super().__init__()
        self.level, self.noise = 90, np.random.default_rng(0)
        self.frozen: np.ndarray | None = None
        found = {cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0}
        self.properties.update(found | ({cv2.CAP_PROP_FOCUS: 30.0} if focuses else {}))

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.grab()
        if self.frozen is None:
            return True, np.clip(self.noise.normal(self.level, 4.0, (48, 64, 3)), 0, 255).astype(np.uint8)
        return True, self.frozen.copy()


GONE = StandInCapture(opened=False)


@pytest.mark.parametrize("focuses", [True, False])
def test_what_the_camera_has_found_is_locked_where_the_driver_reports_it(focuses: bool) -> None:
    driver = Driver(focuses=focuses)
    with WebcamCamera(2, open_capture=Plugs(driver)) as camera:
        camera.read()
    locked = driver.properties
    assert (locked[cv2.CAP_PROP_AUTO_EXPOSURE], locked[cv2.CAP_PROP_EXPOSURE]) == (1, 156.0)
    assert (locked[cv2.CAP_PROP_AUTO_WB], locked[cv2.CAP_PROP_WB_TEMPERATURE]) == (0, 4600.0)
    assert (cv2.CAP_PROP_AUTOFOCUS in locked) == focuses


def test_a_lens_that_is_still_looking_for_its_focus_is_not_locked() -> None:
    class Hunting(Driver):
        """A camera whose pictures are soft at first, and whose focus is found after 30 of them."""

        def read(self) -> tuple[bool, np.ndarray | None]:
            there, picture = super().read()
            assert picture is not None
            self.shown = 10**6 - self.frames_left
            return there, cv2.GaussianBlur(picture, (0, 0), 0.3 + max(0.0, 30 - self.shown) / 10)

    driver = Hunting()
    with WebcamCamera(2, open_capture=Plugs(driver)) as camera:
        camera.read()
    assert driver.shown > 30 + 2
    assert driver.properties[cv2.CAP_PROP_AUTOFOCUS] == 0


def test_light_that_changes_for_good_is_locked_again() -> None:
    driver, now = Driver(), [0]
    with WebcamCamera(2, open_capture=Plugs(driver), clock_ns=lambda: now[0]) as camera:
        camera.read()
        driver.level = 200
        driver.properties[cv2.CAP_PROP_EXPOSURE] = 80.0
        grabbed = driver.frames_left
        for second in range(1, 7):
            now[0] = second * 10**9
            camera.read()
    assert grabbed - driver.frames_left >= FIRST_FRAMES
    assert (driver.properties[cv2.CAP_PROP_AUTO_EXPOSURE], driver.properties[cv2.CAP_PROP_EXPOSURE]) == (1, 80.0)


def test_a_picture_that_a_driver_repeats_is_no_picture_but_black_is_one() -> None:
    for frozen, is_fault in (
        (np.random.default_rng(1).integers(0, 255, (48, 64, 3)), True),
        (np.zeros((48, 64, 3)), False),
    ):
        driver, clock = Driver(), count(step=10**8)
        driver.frozen = frozen.astype(np.uint8)
        seen = []
        with WebcamCamera(2, open_capture=Plugs(driver), clock_ns=clock.__next__) as camera:
            for _ in range(40):
                try:
                    seen.append(camera.read())
                except CameraError as error:
                    assert "same picture" in str(error)
                    break
        assert (len(seen) < 40) == is_fault


def test_a_webcam_can_be_named_by_its_device() -> None:
    device = "/dev/v4l/by-id/usb-046d_HD_Webcam-video-index0"
    captures = {device: StandInCapture()}
    with WebcamCamera(device, open_capture=lambda name: captures[str(name)]) as camera:
        assert device in camera.name


def test_a_webcam_gives_blue_green_red_at_the_size_asked_for_with_one_buffer() -> None:
    capture = StandInCapture()
    with WebcamCamera(2, open_capture=Plugs(capture), clock_ns=lambda: 9, size_wh=(1280, 720)) as camera:
        frame = camera.read()
    assert frame.image_bgr[0, 0].tolist() == [BLUE, GREEN, RED]
    assert frame.captured_ns == 9
    asked = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_BUFFERSIZE)
    assert [capture.properties[prop] for prop in asked] == [1280, 720, 1]
    assert not capture.opened


def test_the_frame_that_waited_in_the_buffer_is_thrown_away() -> None:
    capture = StandInCapture(frames_left=30)
    with WebcamCamera(2, open_capture=Plugs(capture)) as camera:
        camera.read()
        first = capture.frames_left
        camera.read()
    assert first == 30 - FIRST_FRAMES - 2
    assert capture.frames_left == first - 2


def test_a_webcam_that_comes_back_is_read_on_within_the_same_call() -> None:
    plugs = Plugs(StandInCapture(frames_left=FIRST_FRAMES + 2), StandInCapture())
    with WebcamCamera(2, open_capture=plugs) as camera:
        camera.read()
        assert camera.read().size_wh == (64, 48)
    assert plugs.opened == 2


@pytest.mark.parametrize(
    ("second", "sentence"), [(GONE, "webcam 2 cannot be opened"), (StandInCapture(frames_left=0), "still plugged in")]
)
def test_a_webcam_that_is_gone_is_tried_once_and_then_reported(second: StandInCapture, sentence: str) -> None:
    plugs = Plugs(StandInCapture(frames_left=0), second)
    with WebcamCamera(2, open_capture=plugs) as camera, pytest.raises(CameraError, match=sentence):
        camera.read()
    assert plugs.opened == 2


def test_a_driver_that_hangs_does_not_hang_the_game() -> None:
    freed = threading.Event()
    plugs = Plugs(StandInCapture(hangs=freed), GONE)
    with WebcamCamera(2, open_capture=plugs) as camera, pytest.raises(CameraError, match="cannot be opened"):
        camera.read(timeout_s=0.02)
    freed.set()


def test_a_camera_without_colours_is_reported() -> None:
    class Grey(StandInCapture):
        def read(self) -> tuple[bool, np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None]:
            return True, np.zeros((48, 64), np.uint8)

    with WebcamCamera(2, open_capture=Plugs(Grey())) as camera, pytest.raises(CameraError, match="no colour pictures"):
        camera.read()


def test_a_camera_number_without_camera_is_reported_in_one_sentence_and_opencv_stays_silent(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    level = "OPENCV_FFMPEG_LOGLEVEL"
    quiet = os.environ[level]
    monkeypatch.delenv(level)
    with pytest.raises(CameraError, match="webcam 97 cannot be opened"):
        WebcamCamera(97)
    assert capfd.readouterr() == ("", "")
    assert os.environ[level] == quiet
