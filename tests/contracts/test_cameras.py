"""One contract for every camera: a line in `CAMERAS` puts another one under the same tests, without exemption."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.shell import devices
from companion.shell.devices import REAL_CAMERAS
from companion.shell.settings import find_settings
from tests.vision.camera.stand_ins import Clock, StandInCapture, StandInPicamera2, StandInStream, coloured
from vision.camera.camera import Camera
from vision.camera.files import FilesCamera, pictures_in
from vision.camera.phone import PhoneCamera, PhonePictures, Sent
from vision.camera.picamera import PicameraCamera
from vision.camera.stream import StreamCamera
from vision.camera.webcam import FIRST_FRAMES, WebcamCamera
from vision.errors import CameraError

GOOD_FRAMES = 4
"""How many frames each camera gives before it fails for good."""

OpenCamera: TypeAlias = Callable[[Path, Clock], Camera]
"""Opens a camera that fails for good after `GOOD_FRAMES` frames; the folder is empty and its own."""


def files(folder: Path, clock: Clock) -> Camera:
    for number in range(GOOD_FRAMES):
        cv2.imwrite(str(folder / f"{number}.png"), coloured(80, 70))
    return FilesCamera(pictures_in(folder), clock_ns=clock)


def webcam(_folder: Path, clock: Clock) -> Camera:
    captures = iter([StandInCapture(frames_left=FIRST_FRAMES + 2 * GOOD_FRAMES), *[StandInCapture(opened=False)] * 9])
    return WebcamCamera(clock_ns=clock, open_capture=lambda _: next(captures))


def picamera(_folder: Path, clock: Clock) -> Camera:
    pulled_out = dict.fromkeys(range(30, 10**4), RuntimeError("Camera frontend has timed out"))
    return PicameraCamera(clock_ns=clock, open_device=lambda: StandInPicamera2(clock, fails=pulled_out))


def stream(_folder: Path, clock: Clock) -> Camera:
    return StreamCamera("http://cam/video", clock_ns=clock, open_capture=lambda _: StandInStream(GOOD_FRAMES))


class StandInPhone(PhonePictures):
    """A phone that sends a picture whenever one is asked for, until it is switched off."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._left = GOOD_FRAMES

    def next(self, timeout_s: float) -> Sent | None:
        if not self._left:
            return super().next(0.0)
        self._left -= 1
        with self._changed:  # the picture begins to come once somebody waits for it
            threading.Thread(target=self._send, daemon=True).start()
            return super().next(timeout_s)

    def _send(self) -> None:
        self.put(cv2.imencode(".png", coloured(80, 70))[1].tobytes(), self.begin())


def phone(_folder: Path, clock: Clock) -> Camera:
    return PhoneCamera(StandInPhone(clock), clock_ns=clock)


CAMERAS: Mapping[str, OpenCamera] = {
    "files": files,
    "webcam": webcam,
    "picamera": picamera,
    "stream": stream,
    "phone": phone,
}

every_camera = pytest.mark.parametrize(
    "open_camera", [pytest.param(camera, id=name) for name, camera in CAMERAS.items()]
)


def said_by(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    with suppress(SystemExit):
        main(command)
    return capsys.readouterr().out


def test_every_kind_that_can_be_asked_for_is_under_this_contract() -> None:
    assert {*CAMERAS} == {*REAL_CAMERAS}


def test_every_kind_of_camera_and_panel_can_be_set_and_appears_in_help_and_doctor(
    capsys: pytest.CaptureFixture[str],
) -> None:
    helped = [line.split()[0].partition(":")[0] for line in said_by(capsys, "play", "--help").splitlines() if line]
    checks = {check["name"]: check["found"] for check in json.loads(said_by(capsys, "doctor", "--json"))["checks"]}
    for key, kinds in (("camera", devices.CAMERAS), ("panel", devices.PANELS)):
        assert {*kinds} <= {*helped}
        assert [usage.partition(":")[0] for usage in checks[f"{key}s"].split(", ")] == [*kinds]
        for kind in kinds:
            assert getattr(find_settings({f"COMPANION_{key.upper()}": kind}).settings, key) == kind


@pytest.mark.parametrize("kind", REAL_CAMERAS)
def test_every_kind_that_takes_pictures_is_listed_once_it_is_there(
    kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = replace(REAL_CAMERAS[kind], connected=lambda _root: [(f"{kind}:7", "Seventh")])
    monkeypatch.setattr(devices, "CAMERAS", {**devices.CAMERAS, kind: there})
    assert f"{kind}:7" in said_by(capsys, "camera", "list")


@every_camera
def test_frames_are_colour_pictures_of_one_size_that_belong_to_the_caller(
    open_camera: OpenCamera, tmp_path: Path
) -> None:
    with open_camera(tmp_path, Clock()) as camera:
        first, second = camera.read().image_bgr, camera.read().image_bgr
        assert first.shape == second.shape
        assert first.flags.c_contiguous
        assert not np.shares_memory(first, second)
        first[:] = 0


@every_camera
def test_blue_green_and_red_are_not_mixed_up(open_camera: OpenCamera, tmp_path: Path) -> None:
    with open_camera(tmp_path, Clock()) as camera:
        assert camera.read().image_bgr[10, 10].tolist() == coloured(1, 1)[0, 0].tolist()


@every_camera
def test_frames_are_stamped_with_the_clock_that_was_given_and_never_run_backwards(
    open_camera: OpenCamera, tmp_path: Path
) -> None:
    clock = Clock()
    start_ns = clock()
    with open_camera(tmp_path, clock) as camera:
        moments_ns = []
        for _ in range(3):
            moments_ns.append(camera.read().captured_ns)
            clock.pass_ns(1)
    assert moments_ns == sorted(set(moments_ns))
    assert moments_ns[0] >= start_ns


@every_camera
def test_a_camera_that_fails_raises_one_sentence_that_names_it_again_and_again(
    open_camera: OpenCamera, tmp_path: Path
) -> None:
    with open_camera(tmp_path, Clock()) as camera:
        with pytest.raises(CameraError) as raised:
            for _ in range(40):
                camera.read(timeout_s=1)
        assert str(raised.value).startswith(camera.name)
        assert "\n" not in str(raised.value)
        with pytest.raises(CameraError):
            camera.read(timeout_s=1)


@every_camera
def test_closing_twice_does_no_harm_and_a_closed_camera_says_so(open_camera: OpenCamera, tmp_path: Path) -> None:
    camera = open_camera(tmp_path, Clock())
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.read()
