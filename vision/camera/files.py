"""A recording: pictures from files, as a camera."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from vision.camera.camera import READ_TIMEOUT_S, Camera
from vision.errors import CameraEndedError, CameraError, UnreadableImageError
from vision.frame import Frame
from vision.image_file import EXPECTED, load_image

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})


class FilesCamera(Camera):
    """Plays pictures once, in the order given; those of a folder in natural order (2.jpg before 10.jpg).

    A picture that cannot be read raises `CameraError` with its name; the next `read` goes on with the one after it.

    Args:
        pictures: a folder, or the files.
        clock_ns: the monotonic clock, which stamps the frames.

    Raises:
        CameraError: there is no such folder, or no picture in it.
    """

    def __init__(self, pictures: Path | Sequence[Path], *, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock_ns = clock_ns
        files = pictures_in(pictures) if isinstance(pictures, Path) else pictures
        self._name = str(pictures) if isinstance(pictures, Path) else f"{len(files)} pictures"
        self._left: Iterator[Path] = iter(files)
        self._closed = False

    @property
    def name(self) -> str:
        """The folder, or how many pictures there are."""
        return self._name

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:  # noqa: ARG002 - files never keep one waiting
        """Return the next picture.

        Raises:
            CameraError: it cannot be read, or the camera is closed.
            CameraEndedError: there is no picture left.
        """
        if self._closed:
            message = f"{self._name}: the recording is closed"
            raise CameraError(message)
        path = next(self._left, None)
        if path is None:
            message = f"{self._name}: the recording has no more pictures"
            raise CameraEndedError(message)
        try:
            return Frame(load_image(path), self._clock_ns())
        except UnreadableImageError as error:
            raise CameraError(str(error)) from error

    def close(self) -> None:
        """Play no more."""
        self._closed = True


def pictures_in(folder: Path) -> list[Path]:
    """List a folder's pictures in natural order.

    Raises:
        CameraError: there is no such folder, or no picture in it.
    """
    try:
        files = [path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES]
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", error)
        message = f"{folder}: cannot be listed ({reason}), expected a folder of pictures"
        raise CameraError(message) from error
    if not files:
        message = f"{folder}: there is no picture in this folder, expected at least {EXPECTED}"
        raise CameraError(message)
    return sorted(files, key=_natural)


def _natural(path: Path) -> list[tuple[int, str]]:
    """Sort runs of digits by their value, all else by its letters."""
    parts: list[str] = re.findall(r"[0-9]+|[^0-9]+", path.name.lower())
    return [(int(part), "") if part.isdecimal() and part.isascii() else (-1, part) for part in parts]
