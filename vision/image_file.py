"""Pictures from files: decoded the way up that they were taken, or refused in one sentence."""

from __future__ import annotations

import ctypes
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING

import cv2
import numpy as np

from engines.sentence import Sentence
from vision.errors import UnreadableImageError
from vision.file_access import FileTooLargeError, read_regular
from vision.frame import ImageBgr

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

EXPECTED = Sentence("a JPEG, PNG, WebP or BMP picture")
"""The formats that are read, for messages."""

_KINDS = ((b"\xff\xd8\xff", "JPEG"), (b"\x89PNG\r\n\x1a\n", "PNG"), (b"RIFF", "WebP"), (b"BM", "BMP"))
"""What a file of each format begins with."""

_JPEG_SCAN, _JPEG_END = b"\xff\xda", b"\xff\xd9"

LEAST_SIDE_PX = 64
"""Below this no marker of any table could be distinguished from noise."""

MOST_MEGAPIXELS = 120
"""The largest ordinary phone picture has 108. This many are decoded row by row only: a JPEG that is not progressive."""

MOST_AT_ONCE_MEGAPIXELS = 24
"""Of every other picture, which is held whole while it is decoded, with 3 to 6 bytes a pixel.

Of a WebP, with 7, no more than is kept.
"""

MOST_KEPT_MEGAPIXELS = 12.6
"""A larger picture is made smaller while it is decoded, by 2, 4 or 8: nothing that is read needs more."""

_TRIM_FROM_MEGAPIXELS = 8
"""Before so large a picture is decoded, what earlier ones have left is given back."""

MOST_MEGABYTES = 64

_REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4}
_MOST_REDUCED = cv2.IMREAD_REDUCED_COLOR_8


def load_image(path: Path | str) -> ImageBgr:
    """Load a JPEG, PNG, WebP or BMP picture as uint8 (height, width, 3), B, G, R, turned as its EXIF orientation says.

    A picture of more than `MOST_KEPT_MEGAPIXELS` is made smaller, so that no picture takes more than some 150 MB.

    Raises:
        UnreadableImageError: there is no such picture, it is damaged, or its size is senseless; one sentence.
    """
    return decode_image(_read(Path(path)), str(path))


def decode_image(data: bytes, source: str) -> ImageBgr:
    """Decode a picture file's content as `load_image` does; `source` names it in messages.

    Raises:
        UnreadableImageError: as `load_image`.
    """
    header = _check(data, source)
    size_wh = header.size_wh
    if size_wh[0] * size_wh[1] > _TRIM_FROM_MEGAPIXELS * 1e6:
        give_memory_back()
    with decoder_messages() as messages:
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED.get(reduction(size_wh), _MOST_REDUCED))
        except cv2.error:
            image = None
        damaged = image is None or "Corrupt JPEG data" in messages()
    if damaged or image is None:
        raise _damaged(source, header.kind)
    return np.asarray(image, dtype=np.uint8)


def give_memory_back() -> None:
    """Hand the memory that pictures have left back to the system, if the C library can do that.

    To give every block back at once, by a low `MALLOC_MMAP_THRESHOLD_`, takes twice the time for each picture.
    """
    with suppress(OSError, AttributeError):  # musl and macOS have no such function
        ctypes.CDLL(None).malloc_trim(0)


def reduction(size_wh: tuple[int, int]) -> int:
    """Return by how much a picture is made smaller while it is decoded: 1, 2, 4 or 8 in each direction."""
    width, height = size_wh
    return next((n for n in (1, 2, 4) if width * height <= n * n * MOST_KEPT_MEGAPIXELS * 1e6), 8)


def _read(path: Path) -> bytes:
    reason = ""
    try:
        return read_regular(path, MOST_MEGABYTES * 1_000_000)
    except FileNotFoundError:
        message = Sentence("{file}: there is no such file, expected {expected}")
    except FileTooLargeError:
        message = Sentence("{file}: holds more than {most} MB, expected {expected} of at most so much")
    except OSError as error:
        reason = Sentence(error.strerror)
        message = Sentence("{file}: cannot be read ({reason}), expected {expected}")
    raise UnreadableImageError(message.format(file=path, most=MOST_MEGABYTES, reason=reason, expected=EXPECTED))


@dataclass(frozen=True, slots=True)
class _Header:
    """What a picture's header says, before anything is decoded.

    `size_wh` is the stored size, before any EXIF rotation; `whole` is whether the data reach their proper end. A
    picture with `row_by_row` is decoded row by row and made smaller meanwhile; any other is held as a whole.
    """

    kind: str
    size_wh: tuple[int, int]
    frames: int = 1
    whole: bool = True
    row_by_row: bool = False


def is_picture(data: bytes) -> bool:
    """Return whether a file's first bytes are those of a format that is read."""
    return _kind(data) is not None


def _kind(data: bytes) -> str | None:
    kind = next((kind for signature, kind in _KINDS if data.startswith(signature)), None)
    return None if kind == "WebP" and data[8:12] != b"WEBP" else kind


def _header(data: bytes, kind: str) -> _Header | None:
    """Read a header with Pillow, whose parsers refuse what the decoders measure differently; None if it is damaged."""
    from PIL import BmpImagePlugin, JpegImagePlugin, PngImagePlugin, WebPImagePlugin  # noqa: PLC0415 - 50 ms

    plugins: Mapping[str, Callable[[BytesIO], ImageFile]] = {
        "JPEG": JpegImagePlugin.JpegImageFile,
        "PNG": PngImagePlugin.PngImageFile,
        "WebP": WebPImagePlugin.WebPImageFile,
        "BMP": BmpImagePlugin.BmpImageFile,
    }
    try:
        with plugins[kind](BytesIO(data)) as image:
            size_wh, frames = image.size, getattr(image, "n_frames", 1)
            if isinstance(image, JpegImagePlugin.JpegImageFile) and image.fp is not None:
                # libjpeg holds the coefficients of all scans if the first one has not all components, or refines them
                coded = image.fp.tell()  # Pillow stops after the header of the first scan
                scan = data[coded - 8 - 2 * image.layers : coded]
                all_components = scan[:2] == _JPEG_SCAN and scan[4:5] == bytes([image.layers])
                row_by_row, whole = all_components and "progressive" not in image.info, data.find(_JPEG_END, coded) >= 0
                return _Header(kind, size_wh, whole=whole, row_by_row=row_by_row)
            return _Header(kind, size_wh, frames, whole=kind != "PNG" or _is_verified(image))
    except Exception:  # what Pillow's parsers meet: SyntaxError, OSError, struct.error, ...
        return None


def _is_verified(image: ImageFile) -> bool:
    """Return whether every chunk of a PNG has its checksum, up to the last."""
    try:
        image.verify()
    except (OSError, SyntaxError, ValueError):
        return False
    return True


def _check(data: bytes, source: str) -> _Header:
    """Return a picture's header if the picture may be decoded.

    Raises:
        UnreadableImageError: it is not a picture, it is damaged, or its size is senseless.
    """
    kind = _kind(data)
    if kind is None:
        raise UnreadableImageError(Sentence("{file}: is not a JPEG, PNG, WebP or BMP picture").format(file=source))
    header = _header(data, kind)
    if header is None:
        raise _damaged(source, kind)
    width, height = header.size_wh
    at_once = MOST_KEPT_MEGAPIXELS if kind == "WebP" else MOST_AT_ONCE_MEGAPIXELS
    most = MOST_MEGAPIXELS if header.row_by_row else at_once
    if min(width, height) < LEAST_SIDE_PX:
        message = Sentence("{file}: the picture is {width} x {height} pixels, expected at least {least} x {least}")
    elif width * height > most * 1_000_000 and header.row_by_row:
        message = Sentence("{file}: the picture is {width} x {height} pixels, expected at most {most} megapixels")
    elif width * height > most * 1_000_000:
        message = Sentence(
            "{file}: the picture is {width} x {height} pixels, expected at most {most} megapixels,"
            " or a JPEG that is not progressive of at most {most_jpeg}"
        )
    elif header.frames > 1:
        message = Sentence("{file}: is a film of {frames} pictures, expected a single one")
    elif not header.whole:
        raise _damaged(source, kind)
    else:
        return header
    sizes = {"width": width, "height": height, "least": LEAST_SIDE_PX, "most": most, "most_jpeg": MOST_MEGAPIXELS}
    raise UnreadableImageError(message.format(file=source, frames=header.frames, **sizes))


def _damaged(source: str, kind: str) -> UnreadableImageError:
    message = Sentence("{file}: the {kind} is cut short or damaged, expected {expected} that is whole")
    return UnreadableImageError(message.format(file=source, kind=kind, expected=EXPECTED))


_stderr_lock = threading.Lock()


def _file_in_memory() -> IO[bytes]:
    """Open a file that has no name and, where the system can do that, is not on the disk."""
    memfd_create = getattr(os, "memfd_create", None)
    return tempfile.TemporaryFile() if memfd_create is None else os.fdopen(memfd_create("decoder"), "w+b")


@contextmanager
def decoder_messages() -> Iterator[Callable[[], str]]:
    """Catch what the decoders' C code writes to file descriptor 2: it is their only way to report damage.

    libjpeg fills what is missing with grey, warns there and reports success. Pillow passes over its warnings: of 40
    JPEGs with eight bytes changed it refuses none, with them ten are.
    """
    with _stderr_lock, _file_in_memory() as caught:
        kept = os.dup(2)
        os.dup2(caught.fileno(), 2)
        try:
            yield lambda: os.pread(caught.fileno(), 10_000, 0).decode(errors="replace")
        finally:
            os.dup2(kept, 2)
            os.close(kept)
