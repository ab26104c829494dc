"""A tiny RTSP camera for tests: one picture again and again as JPEG over RTP (RFC 2435), within the RTSP connection."""

from __future__ import annotations

import socket
import struct
import threading
import time
from contextlib import suppress

import cv2

from vision.frame import ImageBgr

_PART = 1200
"""Bytes of a picture in one packet."""


class RtspCamera:
    """Serves a picture as long as the block lasts, which gets the URL.

    Args:
        image_bgr: the picture, uint8 (height, width, 3), sides of whole multiples of 16 pixels.
        pictures: how many are sent before the connection is closed.
    """

    def __init__(self, image_bgr: ImageBgr, pictures: int = 10**6) -> None:
        self._height, self._width = image_bgr.shape[:2]
        self._tables, self._scan = _parts(image_bgr)
        self._pictures = pictures
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._stopped = False
        self.url = f"rtsp://127.0.0.1:{self._socket.getsockname()[1]}/stream"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self) -> str:
        return self.url

    def __exit__(self, *_error: object) -> None:
        self._stopped = True
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _serve(self) -> None:
        while not self._stopped:
            try:
                connection, _address = self._socket.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        reader = connection.makefile("rb")
        while lines := [line.decode().strip() for line in iter(reader.readline, b"\r\n") if line]:
            method = lines[0].split()[0]
            number = next(line.partition(":")[2].strip() for line in lines if line.lower().startswith("cseq"))
            connection.sendall(self._response(method, number))
            if method == "PLAY":
                self._send(connection)
                return

    def _response(self, method: str, number: str) -> bytes:
        body, more = "", "Session: 1\r\n"
        if method == "OPTIONS":
            more = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
        if method == "DESCRIBE":
            body = (
                "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=camera\r\nt=0 0\r\n"
                "m=video 0 RTP/AVP 26\r\nc=IN IP4 127.0.0.1\r\na=control:video\r\n"
            )
            more = f"Content-Base: {self.url}/\r\nContent-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
        if method == "SETUP":
            more += "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
        return f"RTSP/1.0 200 OK\r\nCSeq: {number}\r\n{more}\r\n{body}".encode()

    def _send(self, connection: socket.socket) -> None:
        packet = 0
        for picture in range(self._pictures):
            for start in range(0, len(self._scan), _PART):
                if self._stopped:
                    return
                packet += 1
                last = start + _PART >= len(self._scan)
                data = self._packet(packet, picture, start, last=last)
                connection.sendall(b"$\0" + struct.pack(">H", len(data)) + data)
            time.sleep(0.02)

    def _packet(self, packet: int, picture: int, start: int, *, last: bool) -> bytes:
        """Return an RTP packet with a part of the picture; the first has the quantisation tables before it."""
        rtp = struct.pack(">BBHII", 0x80, 26 | (0x80 if last else 0), packet & 0xFFFF, picture * 3600, 1)
        head = struct.pack(">II", start, (1 << 24) | (255 << 16) | (self._width // 8 << 8) | self._height // 8)
        tables = struct.pack(">BBH", 0, 0, len(self._tables)) + self._tables if start == 0 else b""
        return rtp + head + tables + self._scan[start : start + _PART]


def _parts(image_bgr: ImageBgr) -> tuple[bytes, bytes]:
    """Return the quantisation tables and the compressed pixels of a picture as JPEG."""
    data = bytes(cv2.imencode(".jpg", image_bgr)[1])
    tables, place = b"", 2
    while data[place + 1] != 0xDA:
        length = struct.unpack(">H", data[place + 2 : place + 4])[0]
        if data[place + 1] == 0xDB:
            body = data[place + 4 : place + 2 + length]
            tables += b"".join(body[start + 1 : start + 65] for start in range(0, len(body), 65))
        place += 2 + length
    length = struct.unpack(">H", data[place + 2 : place + 4])[0]
    return tables, data[place + 2 + length : -2]
