"""What a picture file says of itself before anything is decoded: its format, its size, and whether it is all there.

Sources: ITU-T T.81 annex B (JPEG markers), the PNG specification (third edition, section 5), RFC 9649 (WebP), and
Microsoft's BITMAPFILEHEADER and BITMAPINFOHEADER (BMP).
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

EXPECTED = "a JPEG, PNG, WebP or BMP picture"
"""The formats that are read, for messages."""


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """What a header says.

    Attributes:
        kind: the format's name.
        size_wh: the stored size, before any EXIF rotation.
        complete: whether the data reach their proper end.
        row_by_row: whether it can be decoded row by row and made smaller meanwhile; otherwise it is held whole.
    """

    kind: str
    size_wh: tuple[int, int]
    complete: bool
    row_by_row: bool = False


def is_picture(data: bytes) -> bool:
    """Return whether a file's first bytes are those of a format that is read."""
    return any(signature.match(data) for signature, _reader in _READERS)


def read_header(data: bytes) -> ImageHeader | None:
    """Read the header of a picture file's content; None if it is of no format that is read, or has no size."""
    for signature, reader in _READERS:
        if signature.match(data):
            try:
                return reader(data)
            except (struct.error, IndexError):
                return None
    return None


_JPEG_END, _JPEG_SCAN = 0xD9, 0xDA
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SEQUENTIAL = {0xC0, 0xC1}
_NEXT_JPEG_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Return each marker and where its payload starts; coded data stuffed bytes and restart markers are passed over."""
    at = 2
    while found := _NEXT_JPEG_MARKER.search(data, at):
        marker, payload = data[found.start() + 1], found.end()
        yield marker, payload
        if marker == _JPEG_END:
            return
        at = payload + struct.unpack_from(">H", data, payload)[0]


def _jpeg(data: bytes) -> ImageHeader | None:
    size_wh, scans, complete, progressive = None, 0, False, False
    try:
        for marker, payload in _jpeg_segments(data):
            if marker in _JPEG_FRAMES and size_wh is None:
                height, width = struct.unpack_from(">HH", data, payload + 3)
                size_wh = (width, height)
                progressive = marker not in _SEQUENTIAL
            scans += marker == _JPEG_SCAN
            complete = marker == _JPEG_END and scans > 0
    except struct.error:
        complete = False
    row_by_row = scans == 1 and not progressive  # the coefficients of several scans are all held until the last
    return ImageHeader("JPEG", size_wh, complete, row_by_row) if size_wh else None


def _png(data: bytes) -> ImageHeader:
    return ImageHeader("PNG", struct.unpack_from(">II", data, 16), _png_is_complete(data))


def _png_is_complete(data: bytes) -> bool:
    """Walk the chunks to IEND and hold each against its checksum."""
    view, at = memoryview(data), 8
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        end = at + 8 + length
        if end + 4 > len(data) or zlib.crc32(view[at + 4 : end]) != struct.unpack_from(">I", data, end)[0]:
            return False
        if data[at + 4 : at + 8] == b"IEND":
            return True
        at = end + 4
    return False


def _webp(data: bytes) -> ImageHeader | None:
    size_of = _WEBP_SIZES.get(data[12:16])
    if size_of is None:
        return None
    (riff_length,) = struct.unpack_from("<I", data, 4)
    return ImageHeader("WebP", size_of(data), len(data) >= riff_length + 8)


def _webp_lossy_size(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _webp_lossless_size(data: bytes) -> tuple[int, int]:
    (bits,) = struct.unpack_from("<I", data, 21)
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1


def _webp_extended_size(data: bytes) -> tuple[int, int]:
    low_w, high_w, low_h, high_h = struct.unpack_from("<HBHB", data, 24)
    return (low_w | high_w << 16) + 1, (low_h | high_h << 16) + 1


def _bmp(data: bytes) -> ImageHeader | None:
    """Read the header of a bitmap; rows from the top have a negative height."""
    (length,), (header,) = struct.unpack_from("<I", data, 2), struct.unpack_from("<I", data, 14)
    if header < _LEAST_BMP_HEADER:
        return None
    width, height = struct.unpack_from("<ii", data, 18)
    (bits,) = struct.unpack_from("<H", data, 28)
    rows = (bits * width + 31) // 32 * 4 * abs(height)
    (start, compression) = (*struct.unpack_from("<I", data, 10), *struct.unpack_from("<I", data, 30))
    whole = length if compression in _BMP_CODED else start + rows
    return ImageHeader("BMP", (width, abs(height)), len(data) >= whole)


_LEAST_BMP_HEADER = 40
_BMP_CODED = (1, 2)
"""Compressions by run lengths, whose rows have no fixed length."""

_WEBP_SIZES: dict[bytes, Callable[[bytes], tuple[int, int]]] = {
    b"VP8 ": _webp_lossy_size,
    b"VP8L": _webp_lossless_size,
    b"VP8X": _webp_extended_size,
}

_READERS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], ImageHeader | None]], ...] = (
    (re.compile(rb"\xff\xd8\xff"), _jpeg),
    (re.compile(rb"\x89PNG\r\n\x1a\n.{4}IHDR", re.DOTALL), _png),
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), _webp),
    (re.compile(rb"BM.{4}\x00{4}", re.DOTALL), _bmp),
)
