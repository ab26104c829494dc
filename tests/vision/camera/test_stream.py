"""A network camera: a real stream on loopback, one that ends, one that hangs, and passwords that are never shown."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
import tracemalloc
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.core.messages import FrameBlind
from companion.shell.devices import camera_opener
from companion.shell.errors import SetUpError
from companion.shell.frame_reader import REOPENED_AFTER, FrameReader, Stillness
from companion.shell.settings import Settings
from tests.vision.camera.rtsp_server import rtsp_camera
from tests.vision.camera.stand_ins import StandInStream, coloured
from vision.camera.address import checked_url, masked
from vision.camera.mjpeg import MOST_PART_BYTES
from vision.camera.stream import StreamCamera
from vision.errors import CameraError
from vision.observation import Blind, BlindReason

USER, PASSWORD = "anna", "sesame"


JPEG = cv2.imencode(".jpg", coloured(96, 72))[1].tobytes()
SIZED = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(JPEG)}\r\n\r\n".encode() + JPEG + b"\r\n"
UNSIZED = b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + JPEG + b"\r\n"
NONCE = "c0ffee"


class MjpegHandler(BaseHTTPRequestHandler):
    """Serves JPEGs without end to those who know the password, as a phone's camera app does."""

    def do_GET(self) -> None:
        if not self.is_known():
            self.send_response(401)
            self.send_header("WWW-Authenticate", self.challenge)
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        self.send_endlessly(SIZED)

    challenge = 'Basic realm="camera"'

    def is_known(self) -> bool:
        known = b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        return bool(self.headers["Authorization"] == f"Basic {known}")

    def send_endlessly(self, part: bytes, pause_s: float = 0.01) -> None:
        try:
            while True:
                self.wfile.write(part)
                time.sleep(pause_s)
        except OSError:  # the camera was closed
            pass

    def log_message(self, *_arguments: object) -> None:
        pass


def digest(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()


class DigestHandler(MjpegHandler):
    """As many cameras ask for a password."""

    challenge = f'Digest realm="camera", nonce="{NONCE}", algorithm=MD5'

    def is_known(self) -> bool:
        sent = dict(re.findall(r'(\w+)="([^"]*)"', self.headers["Authorization"] or ""))
        login, asked = digest(f"{USER}:camera:{PASSWORD}"), digest(f"GET:{self.path}")
        return sent.get("response") == digest(f"{login}:{NONCE}:{asked}")


@contextmanager
def mjpeg_server(handler: type[MjpegHandler] = MjpegHandler) -> Iterator[str]:
    """Serve on loopback, and give host and port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("handler", [MjpegHandler, DigestHandler])
def test_a_real_mjpeg_stream_behind_a_password_is_read(
    handler: type[MjpegHandler], capfd: pytest.CaptureFixture[str]
) -> None:
    with mjpeg_server(handler) as host, StreamCamera(f"http://{USER}:{PASSWORD}@{host}/video") as camera:
        first, second = camera.read(), camera.read()
        assert camera.name == f"stream http://***@{host}/***"
    assert first.size_wh == (96, 72)
    assert np.abs(first.image_bgr.astype(int) - coloured(96, 72)).max() <= 3, "JPEG rounds colours, no more"
    assert first.captured_ns < second.captured_ns
    assert capfd.readouterr() == ("", "")


def answering(kind: str, *parts: bytes, status: int = 200, **headers: str) -> type[MjpegHandler]:
    """A camera that answers with this content type and sends these parts, the last one for ever."""

    class Answering(MjpegHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            for part in parts[:-1]:
                self.wfile.write(part)
            self.send_endlessly(parts[-1], pause_s=0.002)

    return Answering


STREAM = "multipart/x-mixed-replace; boundary=frame"


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        (STREAM, (b"hello\r\n\r\n", UNSIZED)),
        ('Multipart/X-Mixed-Replace;boundary="--frame"', (SIZED,)),
        (STREAM, (SIZED.replace(b"Content-Length", b"content-length").replace(b"\r\n", b"\n", 4),)),
    ],
    ids=["without lengths", "a quoted boundary with its dashes", "bare line ends"],
)
def test_streams_as_different_cameras_write_them_are_read(kind: str, parts: tuple[bytes, ...]) -> None:
    with mjpeg_server(answering(kind, *parts)) as host, StreamCamera(f"http://{host}/") as camera:
        assert [camera.read().size_wh for _frame in range(3)] == [(96, 72)] * 3


@pytest.mark.parametrize(
    "parts",
    [
        (b"--frame\r\n\r\n", bytes(1 << 16)),
        (bytes(1 << 16),),
        (b"--frame\r\n", b"X: " + b"x" * 4000 + b"\r\n"),
        (b"--frame\r\nContent-Length: 99999999999\r\n\r\n", bytes(1 << 16)),
        (b"--frame\r\nContent-Length: -1\r\n\r\n", bytes(1 << 16)),
        (b"--frame\r\nContent-Length: many\r\n\r\n", bytes(1 << 16)),
    ],
    ids=["an endless part", "no boundary", "an endless header", "a huge length", "a negative length", "no length"],
)
def test_a_hostile_stream_is_ended_before_it_fills_the_memory(parts: tuple[bytes, ...]) -> None:
    with mjpeg_server(answering(STREAM, *parts)) as host, StreamCamera(f"http://{host}/") as camera:
        tracemalloc.start()
        try:
            with pytest.raises(CameraError, match="has ended"):
                camera.read()
            assert tracemalloc.get_traced_memory()[1] < 3 * MOST_PART_BYTES
        finally:
            tracemalloc.stop()


def test_a_picture_that_is_too_large_is_named_with_its_size_and_not_decoded() -> None:
    frame = JPEG.index(b"\xff\xc0")
    huge = JPEG[: frame + 5] + (30_000).to_bytes(2, "big") * 2 + JPEG[frame + 9 :]
    part = b"--frame\r\n\r\n" + huge + b"\r\n"
    with (
        mjpeg_server(answering(STREAM, part)) as host,
        StreamCamera(f"http://{host}/") as camera,
        pytest.raises(CameraError, match="30000 x 30000 pixels, expected at most"),
    ):
        camera.read(timeout_s=0.5)


@pytest.mark.parametrize(
    ("handler", "sentence"),
    [
        (answering("text/html", b"x", status=302, Location="http://127.0.0.1:9/video"), "sends to another address"),
        (answering("application/vnd.apple.mpegurl", b"#EXTM3U\n"), "gives 'application/vnd.apple.mpegurl'"),
        (answering("multipart/x-mixed-replace", b"x"), "gives 'multipart/x-mixed-replace', expected an MJPEG stream"),
        (answering("text/html", b"x", status=500), "cannot be opened"),
    ],
    ids=["a redirect", "a playlist", "no boundary named", "an error"],
)
def test_what_is_not_a_stream_is_named_and_no_other_address_is_asked(
    handler: type[MjpegHandler], sentence: str
) -> None:
    with mjpeg_server(handler) as host, pytest.raises(CameraError, match=sentence) as refused:
        StreamCamera(f"http://{host}/secret")
    assert "secret" not in str(refused.value)


def test_a_frame_that_says_success_and_has_no_pixels_is_no_frame() -> None:
    empty = StandInStream(pixels=False)
    with (
        StreamCamera("http://cam/video", open_capture=lambda _: empty) as camera,
        pytest.raises(CameraError, match="no picture within"),
    ):
        camera.read(timeout_s=0.05)


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
        NoBoard().read,
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
        camera_opener(f"stream:{url}")
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
    with pytest.raises(ValueError, match=r"one of .*, stream, phone,") as refused:
        Settings(camera=f"steram:http://{USER}:{PASSWORD}@cam/video")
    assert PASSWORD not in str(refused.value)


def test_a_kind_of_camera_that_is_misspelt_shows_no_password() -> None:
    with pytest.raises(SetUpError, match='did you mean "stream"') as refused:
        camera_opener(f"steram:http://{USER}:{PASSWORD}@cam/video")
    assert PASSWORD not in str(refused.value)
