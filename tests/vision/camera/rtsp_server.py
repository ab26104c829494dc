"""A tiny RTSP camera for tests: one picture again and again as JPEG over RTP (RFC 2435), within the RTSP connection."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import cv2

from vision.frame import ImageBgr

_SDP = (
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=camera\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 26\r\nc=IN IP4 127.0.0.1\r\na=control:video\r\n"
)


@contextmanager
def rtsp_camera(image_bgr: ImageBgr, pictures: int = 10**6) -> Iterator[str]:
    """Serve a picture as long as the block lasts, which gets the URL.

    Args:
        image_bgr: the picture, uint8 (height, width, 3), of whole multiples of 16 pixels and small enough for a packet.
        pictures: how many are sent before the connection is closed.
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"rtsp://127.0.0.1:{server.getsockname()[1]}/stream"
        headers = {
            "OPTIONS": "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n",
            "DESCRIBE": f"Content-Base: {url}/\r\nContent-Type: application/sdp\r\nContent-Length: {len(_SDP)}\r\n",
            "SETUP": "Session: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n",
        }
        thread = threading.Thread(target=_serve, args=(server, headers, _payload(image_bgr), pictures), daemon=True)
        thread.start()
        yield url
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
    thread.join()


def _serve(server: socket.socket, headers: dict[str, str], payload: bytes, pictures: int) -> None:
    """Answer one connection after the other, each until it is closed by either side."""
    while True:
        try:
            connection, _address = server.accept()
        except OSError:
            return
        with connection, connection.makefile("rb") as lines, suppress(OSError):
            method = ""
            while method != "PLAY" and (request := [*iter(lambda: lines.readline().decode().strip(), "")]):
                method = request[0].split()[0]
                number = next(line for line in request if line.lower().startswith("cseq"))
                more = headers.get(method, "Session: 1\r\n")
                body = _SDP if method == "DESCRIBE" else ""
                connection.sendall(f"RTSP/1.0 200 OK\r\n{number}\r\n{more}\r\n{body}".encode())
            for picture in range(pictures if method == "PLAY" else 0):
                head = struct.pack(">BBHII", 0x80, 26 | 0x80, picture & 0xFFFF, picture * 3600 & 0xFFFFFFFF, 1)
                connection.sendall(b"$\0" + struct.pack(">H", len(head + payload)) + head + payload)
                time.sleep(0.02)


def _payload(image_bgr: ImageBgr) -> bytes:
    """Return a picture as one packet has it: its place and size, the quantisation tables, and the compressed pixels."""
    data = bytes(cv2.imencode(".jpg", image_bgr)[1])
    tables, place = b"", 2
    while data[place + 1] != 0xDA:
        length = struct.unpack(">H", data[place + 2 : place + 4])[0]
        if data[place + 1] == 0xDB:
            body = data[place + 4 : place + 2 + length]
            tables += b"".join(body[start + 1 : start + 65] for start in range(0, len(body), 65))
        place += 2 + length
    scan = data[place + 2 + struct.unpack(">H", data[place + 2 : place + 4])[0] : -2]
    height, width = image_bgr.shape[:2]
    head = struct.pack(">II", 0, (1 << 24) | (255 << 16) | (width // 8 << 8) | height // 8)
    return head + struct.pack(">BBH", 0, 0, len(tables)) + tables + scan
