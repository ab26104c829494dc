"""A webcam that is there, that is pulled out, that comes back, and that hangs."""

from __future__ import annotations

import os
import threading

import cv2
import numpy as np
import pytest

from tests.vision.camera.stand_ins import BLUE, GREEN, RED, StandInCapture
from vision.camera.webcam import WebcamCamera
from vision.errors import CameraError


class Plugs:
    """Hands out captures in turn, as a camera number does when something is plugged in again."""

    def __init__(self, *captures: StandInCapture) -> None:
        self._captures = iter(captures)
        self.opened = 0

    def __call__(self, index: int) -> StandInCapture:
        assert index == 2
        self.opened += 1
        return next(self._captures)


GONE = StandInCapture(opened=False)


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
    capture = StandInCapture(frames_left=10)
    with WebcamCamera(2, open_capture=Plugs(capture)) as camera:
        camera.read()
    assert capture.frames_left == 8


def test_a_webcam_that_comes_back_is_read_on_within_the_same_call() -> None:
    plugs = Plugs(StandInCapture(frames_left=2), StandInCapture())
    with WebcamCamera(2, open_capture=plugs) as camera:
        camera.read()
        assert camera.read().size_wh == (64, 48)
    assert plugs.opened == 2


@pytest.mark.parametrize(
    ("second", "sentence"),
    [(GONE, "webcam 2 cannot be opened"), (StandInCapture(frames_left=0), "still plugged in")],
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
