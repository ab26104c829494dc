"""A network camera: a real stream on loopback, one that ends, one that hangs, and passwords that are never shown."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.core.messages import FrameBlind
from companion.shell.devices import CAMERAS, choose
from companion.shell.errors import SetUpError
from companion.shell.frame_reader import REOPENED_AFTER, FrameReader, Stillness
from companion.shell.settings import Settings
from tests.vision.camera.rtsp_server import rtsp_camera
from tests.vision.camera.stand_ins import StandInStream, coloured
from vision.camera.address import checked_url, masked
from vision.camera.stream import StreamCamera
from vision.errors import CameraError
from vision.observation import Blind, BlindReason

USER, PASSWORD = "anna", "sesame"


class MjpegHandler(BaseHTTPRequestHandler):
    """Serves JPEGs without end to those who know the password, as a phone's camera app does."""

    def do_GET(self) -> None:
        known = b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        if self.headers["Authorization"] != f"Basic {known}":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        self._send_pictures()

    def _send_pictures(self) -> None:
        jpeg = cv2.imencode(".jpg", coloured(64, 48))[1].tobytes()
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n".encode()
        try:
            while True:
                self.wfile.write(head + jpeg + b"\r\n")
                time.sleep(0.01)
        except OSError:  # the camera was closed
            pass

    def log_message(self, *_arguments: object) -> None:
        pass


@contextmanager
def mjpeg_server() -> Iterator[str]:
    """Serve on loopback, and give host and port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), MjpegHandler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_real_mjpeg_stream_behind_a_password_is_read(capfd: pytest.CaptureFixture[str]) -> None:
    with mjpeg_server() as host, StreamCamera(f"http://{USER}:{PASSWORD}@{host}/video") as camera:
        first, second = camera.read(), camera.read()
        assert camera.name == f"stream http://***@{host}/***"
    assert first.size_wh == (64, 48)
    assert np.abs(first.image_bgr.astype(int) - coloured(64, 48)).max() <= 3, "JPEG rounds colours, no more"
    assert first.captured_ns < second.captured_ns
    assert capfd.readouterr() == ("", "")


def test_a_real_rtsp_stream_is_read_and_its_end_is_reported(capfd: pytest.CaptureFixture[str]) -> None:
    with rtsp_camera(coloured(64, 48), pictures=40) as url, StreamCamera(url) as camera:
        first, second = camera.read(), camera.read()
        assert camera.name == f"stream {url.removesuffix('/stream')}/***"
        with pytest.raises(CameraError, match="has ended"):
            while True:
                camera.read()
    assert first.size_wh == (64, 48)
    assert np.abs(first.image_bgr.astype(int) - coloured(64, 48)).max() <= 3, "JPEG rounds colours, no more"
    assert first.captured_ns < second.captured_ns
    assert capfd.readouterr() == ("", "")


def test_an_rtsp_address_at_which_nobody_answers_is_reported_in_one_sentence() -> None:
    """In a process of its own: FFmpeg reads how much to print once, when the first video is opened."""
    with rtsp_camera(coloured(64, 48)) as url:
        gone = url
    program = (
        "import sys\nfrom vision.camera.stream import StreamCamera\nfrom vision.errors import CameraError\n"
        "try:\n    StreamCamera(sys.argv[1])\nexcept CameraError as error:\n    print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, gone], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert "cannot be opened" in run.stdout
    assert len(run.stdout.splitlines()) == 1


@pytest.mark.parametrize("login", ["", "anna:wrong-password@"])
def test_a_wrong_password_ends_in_one_sentence_without_it(capfd: pytest.CaptureFixture[str], login: str) -> None:
    with mjpeg_server() as host, pytest.raises(CameraError, match="cannot be opened") as refused:
        StreamCamera(f"http://{login}{host}/video")
    assert "wrong" not in str(refused.value)
    assert capfd.readouterr() == ("", "")


def test_a_frame_whose_transfer_had_begun_before_the_call_is_not_given() -> None:
    network, late = threading.Event(), StandInStream()
    late.hangs = network
    with StreamCamera("http://cam/video", open_capture=lambda _: late) as camera:
        with pytest.raises(CameraError, match=r"no picture within 0\.01 s"):
            camera.read(timeout_s=0.01)
        network.set()
        camera.read()
        assert late.grabbed >= 2


def test_frames_that_are_not_wanted_are_received_but_not_converted() -> None:
    capture = StandInStream(frames_left=9)
    with StreamCamera("http://cam/video", open_capture=lambda _: capture) as camera:
        while capture.grabbed < 20:
            time.sleep(0.001)
        assert capture.frames_left == 9
        camera.read()
    assert capture.released.wait(5)


def test_a_network_that_hangs_does_not_hang_the_end_of_the_game() -> None:
    network = threading.Event()
    capture = StandInStream(hangs=network)
    camera = StreamCamera("http://cam/video", open_capture=lambda _: capture)
    camera.close()
    assert not capture.released.is_set(), "it is still in use by the transfer"
    network.set()
    assert capture.released.wait(5)


def test_a_stream_that_ended_is_opened_again_by_the_frame_reader() -> None:
    captures = iter([StandInStream(frames_left=1), StandInStream(opened=False), StandInStream()])

    class NoBoard:
        def read(self, _image_bgr: object) -> Blind:
            return Blind(BlindReason.NO_BOARD)

    eye = FrameReader(
        lambda: StreamCamera("http://cam/video", open_capture=lambda _: next(captures)),
        NoBoard(),
        lambda _frame, _pose: Stillness(True, np.zeros(0, bool)),
    )
    assert isinstance(eye.look(), FrameBlind)
    for _ in range(REOPENED_AFTER):
        with pytest.raises(CameraError, match="has ended"):
            eye.look()
    with pytest.raises(CameraError, match="cannot be opened"):
        eye.look()
    assert isinstance(eye.look(), FrameBlind)
    eye.close()


SHOWN = {
    "http://anna:sesame@cam:8080/video": "http://***@cam:8080/***",
    "stream:rtsp://anna:sesame@cam/": "stream:rtsp://***@cam",
    "stream:http://sesame@cam": "stream:http://***@cam",
    "stream:http://cam/snap.cgi?user=anna&pwd=sesame": "stream:http://cam/***",
    "stream:rtsp://cam:554/user=anna_password=sesame": "stream:rtsp://cam:554/***",
    "stream:http://anna:ses@me/sesame@cam/video": "stream:http://***",
    "stream:http://anna:a/sesame@cam/video": "stream:http://***",
    "stream:http://anna:a sesame@cam/video": "stream:http://***@cam/***",
    "steram:anna:sesame@cam": "steram:***",
    "http://[::1]:80": "http://[::1]:80",
    "webcam:0": "webcam:0",
    "files:pictures@home": "files:pictures@home",
}


@pytest.mark.parametrize(("camera", "shown"), SHOWN.items())
def test_passwords_are_masked_wherever_a_url_has_them(camera: str, shown: str) -> None:
    assert masked(camera) == shown
    assert "sesame" not in shown


@pytest.mark.parametrize(
    "url",
    ["", "0", "anna:sesame@cam", "file:///etc/sesame", "concat:/sesame", "http:///sesame", "http://cam:sesame/",
     "http://[sesame/", "http://cam:0/sesame", "http://anna:ses ame@cam/", "rtsp://cam/sesame\n"],
)  # fmt: skip
def test_what_is_no_address_of_a_camera_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(CameraError, match="a stream is given by its URL") as refused:
        choose("camera", f"stream:{url}", CAMERAS)
    assert "ame" not in str(refused.value).replace("camera", "").replace("name", "")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("url", ["http://192.168.1.20:8080/video", "rtsps://u:p@cam.local/s?x=1", "https://[::1]:1/"])
def test_addresses_of_cameras_are_accepted_as_they_are(url: str) -> None:
    assert checked_url(url) == url


def test_settings_never_show_the_password(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COMPANION_CAMERA", f"stream:http://{USER}:{PASSWORD}@cam/video")
    for arguments in (["settings"], ["settings", "--json"]):
        assert main(arguments) == 0
        shown = capfd.readouterr().out
        assert "stream:http://***@cam/***" in shown
        assert PASSWORD not in shown
    with pytest.raises(ValueError, match='or "stream" or') as refused:
        Settings(camera=f"steram:http://{USER}:{PASSWORD}@cam/video")
    assert PASSWORD not in str(refused.value)


def test_a_kind_of_camera_that_is_misspelt_shows_no_password() -> None:
    with pytest.raises(SetUpError, match='did you mean "stream"') as refused:
        choose("camera", f"steram:http://{USER}:{PASSWORD}@cam/video", CAMERAS)
    assert PASSWORD not in str(refused.value)
