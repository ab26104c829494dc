"""MJPEG over http: an endless response of JPEGs, each received within limits of size and time.

Source: RFC 2046 section 5.1 (multipart), and "multipart/x-mixed-replace" as cameras send it.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from email.message import Message
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import httpx

from engines.sentence import Sentence
from vision.camera.address import masked
from vision.errors import CameraError, UnreadableImageError
from vision.image_file import decode_image

MOST_HEADER_BYTES = 8192
"""Largest header of a part."""

MOST_PART_BYTES = 16_000_000
"""Largest part; a JPEG of 12 megapixels has about 6 MB."""

_MULTIPART = "multipart/"
_SOON = range(300, 400)
"""The status codes of redirects."""


class MjpegCapture:
    """A stream of JPEGs, with those methods of a `cv2.VideoCapture` that a stream needs.

    No redirect is followed and no proxy used. A camera's certificate is not checked, because it is mostly self-signed.

    Args:
        url: http or https, with user and password for basic or digest authentication if needed.
        stall_s: time limit for the connection and for each picture, after which the stream ends.

    Raises:
        CameraError: the address does not return an MJPEG stream; the message says what it returns.
    """

    def __init__(self, url: str, stall_s: float) -> None:
        self._stall_s = stall_s
        self._buffer = bytearray()
        self._part = b""
        unchecked = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        unchecked.check_hostname = False
        unchecked.verify_mode = ssl.CERT_NONE
        self._client = httpx.Client(timeout=stall_s, trust_env=False, verify=unchecked)
        self._response = self._connect(url)
        self._chunks: Iterator[bytes] = iter(())
        if self._response is not None:
            self._chunks = self._response.iter_raw()
            self._boundary = _boundary(self._response)

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Return whether the camera responded."""
        return self._response is not None

    def grab(self) -> bool:
        """Receive the next picture; return False if the stream has ended, stalled or is not valid."""
        until = time.monotonic() + self._stall_s
        with suppress(httpx.HTTPError, httpx.StreamError, ssl.SSLError, EOFError, ValueError):
            self._part = self._receive(until)
            return True
        return False

    def retrieve(self) -> tuple[bool, Any]:
        """Return the pixels of the picture received last, uint8 (height, width, 3).

        Raises:
            CameraError: it cannot be decoded or is too large.
        """
        try:
            return True, decode_image(self._part, Sentence("a picture of it"))
        except UnreadableImageError as error:
            raise CameraError(str(error)) from error

    def release(self) -> None:
        """Close the connection."""
        if self._response is not None:
            self._response.close()
        self._client.close()

    def _connect(self, url: str) -> httpx.Response | None:
        """Return the camera's response; None if there is none, or the password is rejected.

        Raises:
            CameraError: the response is not a stream.
        """
        parts = urlsplit(url)
        address = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        try:
            response = self._ask(address)
            if response.status_code == httpx.codes.UNAUTHORIZED and parts.username is not None:
                login = (unquote(parts.username), unquote(parts.password or ""))
                kind = response.headers.get("WWW-Authenticate", "").partition(" ")[0].lower()
                response.close()
                response = self._ask(address, httpx.DigestAuth(*login) if kind == "digest" else httpx.BasicAuth(*login))
        except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError, ValueError):
            self._client.close()
            return None
        kind = response.headers.get("Content-Type", "nothing that has a name").partition(";")[0].strip()[:60]
        if response.is_success and kind.lower().startswith(_MULTIPART) and _boundary(response):
            return response
        response.close()
        self._client.close()
        if response.status_code in _SOON:
            message = Sentence(
                "stream {address} sends to another address, which is not asked; "
                "expected an MJPEG stream: give the address that it sends to"
            )
            raise CameraError(message.format(address=masked(url)))
        if response.is_success:
            message = Sentence("stream {address} gives {kind!r}, expected an MJPEG stream")
            raise CameraError(message.format(address=masked(url), kind=kind))
        return None

    def _ask(self, address: str, auth: httpx.Auth | None = None) -> httpx.Response:
        request = self._client.build_request("GET", address, headers={"Accept-Encoding": "identity"})
        return self._client.send(request, auth=auth, stream=True, follow_redirects=False)

    def _receive(self, until: float) -> bytes:
        """Return the bytes of the next part.

        Raises:
            EOFError: the stream has ended.
            ValueError: a part is too large or comes too slowly.
        """
        # 1. What stands before the boundary is passed over.
        line = b""
        while not line.startswith(b"--") or line.strip().strip(b"-") != self._boundary.strip(b"-"):
            line = self._line(until)
        # 2. The part's header tells its length, or nothing.
        length, header = None, 0
        while line := self._line(until).strip():
            header += len(line)
            if header > MOST_HEADER_BYTES:
                raise ValueError(header)
            name, _colon, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value)
        # 3. A part without a length ends before the next boundary, which stays.
        if length is None:
            return self._take(self._find(b"\r\n--" + self._boundary, MOST_PART_BYTES, until))
        if not 0 <= length <= MOST_PART_BYTES:
            raise ValueError(length)
        while len(self._buffer) < length:
            self._more(until)
        return self._take(length)

    def _line(self, until: float) -> bytes:
        return self._take(self._find(b"\n", MOST_HEADER_BYTES, until) + 1)

    def _find(self, mark: bytes, most: int, until: float) -> int:
        """Return the offset of a mark in the received bytes, of at most `most`."""
        searched = 0
        while (at := self._buffer.find(mark, searched)) < 0:
            if len(self._buffer) > most:
                raise ValueError(most)
            searched = max(0, len(self._buffer) - len(mark))
            self._more(until)
        return at

    def _take(self, length: int) -> bytes:
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        return taken

    def _more(self, until: float) -> None:
        if time.monotonic() > until:
            raise ValueError(self._stall_s)
        try:
            self._buffer += next(self._chunks)
        except StopIteration:
            raise EOFError from None


def _boundary(response: httpx.Response) -> bytes:
    """Return the boundary of the parts, without leading dashes."""
    message = Message()
    message["Content-Type"] = response.headers.get("Content-Type", "")
    boundary = str(message.get_param("boundary", "")).strip()
    return boundary.removeprefix("--").encode("latin-1", "replace")
