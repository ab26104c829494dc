"""Pictures from files: decoded the way up that they were taken, or refused in one sentence."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from vision.errors import UnreadableImageError
from vision.frame import ImageBgr
from vision.image_header import EXPECTED, ImageHeader, read_header

LEAST_SIDE_PX = 64
"""Below this no marker of any table could be told from noise."""

MOST_MEGAPIXELS = 120
"""The largest ordinary phone picture has 108; more would take hundreds of megabytes to decode."""

MOST_MEGABYTES = 256


def load_image(path: Path | str) -> ImageBgr:
    """Load a JPEG, PNG or WebP picture as uint8 (height, width, 3), B, G, R, turned as its EXIF orientation says.

    Raises:
        UnreadableImageError: there is no such picture, it is damaged, or its size is senseless; one sentence.
    """
    return decode_image(_read(Path(path)), str(path))


def decode_image(data: bytes, source: str) -> ImageBgr:
    """Decode a picture file's content as `load_image` does; `source` names it in messages.

    Raises:
        UnreadableImageError: as `load_image`.
    """
    _check(read_header(data), source)
    with decoder_messages() as messages:
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
        damaged = image is None or "Corrupt JPEG data" in messages()
    if damaged or image is None:
        raise UnreadableImageError(_damaged(source))
    return np.asarray(image, dtype=np.uint8)


def _read(path: Path) -> bytes:
    try:
        status = path.stat()
        _check_file(path, status)
        return path.read_bytes()
    except FileNotFoundError:
        message = f"{path}: there is no such file, expected {EXPECTED}"
    except OSError as error:
        message = f"{path}: cannot be read ({error.strerror}), expected {EXPECTED}"
    raise UnreadableImageError(message)


def _check_file(path: Path, status: os.stat_result) -> None:
    megabytes = status.st_size / 1e6
    if stat.S_ISDIR(status.st_mode):
        message = f"{path}: is a directory, expected {EXPECTED}"
    elif not stat.S_ISREG(status.st_mode):
        message = f"{path}: is not a regular file, expected {EXPECTED}"
    elif megabytes > MOST_MEGABYTES:
        message = f"{path}: holds {megabytes:.0f} MB, expected a picture of at most {MOST_MEGABYTES} MB"
    else:
        return
    raise UnreadableImageError(message)


def _check(header: ImageHeader | None, source: str) -> None:
    if header is None:
        message = f"{source}: is not {EXPECTED}"
        raise UnreadableImageError(message)
    width, height = header.size_wh
    size = f"{source}: the picture is {width} x {height} pixels, expected"
    if min(width, height) < LEAST_SIDE_PX:
        message = f"{size} at least {LEAST_SIDE_PX} x {LEAST_SIDE_PX}"
    elif width * height > MOST_MEGAPIXELS * 1_000_000:
        message = f"{size} at most {MOST_MEGAPIXELS} megapixels"
    elif not header.complete:
        message = _damaged(source, header.kind)
    else:
        return
    raise UnreadableImageError(message)


def _damaged(source: str, kind: str = "picture") -> str:
    return f"{source}: the {kind} is cut short or damaged, expected {EXPECTED} that is whole"


_stderr_lock = threading.Lock()


@contextmanager
def decoder_messages() -> Iterator[Callable[[], str]]:
    """Catch what the decoders' C code writes to file descriptor 2: it is their only way to tell of damage.

    libjpeg fills what is missing with grey, warns there and reports success.
    """
    with _stderr_lock, tempfile.TemporaryFile() as caught:
        kept = os.dup(2)
        os.dup2(caught.fileno(), 2)
        try:
            yield lambda: os.pread(caught.fileno(), 10_000, 0).decode(errors="replace")
        finally:
            os.dup2(kept, 2)
            os.close(kept)
