"""Picture files as a camera: a recording that ends, or a folder into which a phone puts its photographs."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from engines.sentence import Sentence
from vision.camera.camera import LIVE_IDLE_PAUSE_S, READ_TIMEOUT_S, Camera
from vision.errors import CameraEndedError, CameraError, NoPictureYetError, UnreadableImageError
from vision.frame import Frame, ImageBgr
from vision.image_file import EXPECTED, load_image

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})

HELD_S = 3.0
"""How long a photograph of a folder is returned before the next one: longer than a table has to be stable."""

_WRITTEN_S = 1.0
"""A file that has changed within this time may still be written."""

_Stamp: TypeAlias = tuple[int, int]
"""Size in bytes and time of the last change in ns."""


class FilesCamera(Camera):
    """Returns picture files once, in the given order; `clock_ns` is the monotonic clock, which stamps the frames.

    A picture that cannot be read raises `CameraError` with its name; the next `read` returns the one after it.
    """

    def __init__(self, pictures: Sequence[Path], *, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.name, self._clock_ns = Sentence("{count} pictures").format(count=len(pictures)), clock_ns
        self._left = iter(pictures)

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:  # noqa: ARG002 - files never keep one waiting
        """Return the next picture.

        Raises:
            CameraError: it cannot be read, or the camera is closed.
            CameraEndedError: there is no picture left.
        """
        if self._closed:
            raise CameraError(Sentence("{camera}: the recording is closed").format(camera=self.name))
        path = next(self._left, None)
        if path is None:
            raise CameraEndedError(Sentence("{camera}: the recording has no more pictures").format(camera=self.name))
        return Frame(load_picture(path), self._clock_ns())


class FolderCamera(Camera):
    """Returns the photographs of a folder and every new one; it never ends.

    Each is returned for `HELD_S`, and the last one until there is another. One that is still being written is skipped
    until it is complete. One that cannot be read raises `CameraError` with its name, once until it changes; the next
    `read` continues.

    Args:
        folder: the folder of the photographs.
        newest: whether to begin with the newest photograph, as for a game that is resumed, instead of the first.
        clock_ns: the monotonic clock, which stamps the frames.
        wall_s: the clock of file times, in s.

    Raises:
        CameraError: there is no such folder.
    """

    idle_pause_s = LIVE_IDLE_PAUSE_S

    def __init__(
        self,
        folder: Path,
        *,
        newest: bool = False,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        self.name, self._folder, self._clock_ns, self._wall_s = str(folder), folder, clock_ns, wall_s
        self._image: ImageBgr | None = None
        self._shown_ns = 0
        self._done: dict[Path, _Stamp | None] = {}  # those that were shown; with its stamp, one that was refused
        earlier = listed(folder)[:-1]  # lists it anyway, so that a wrong folder is reported
        self._done.update(dict.fromkeys(earlier if newest else ()))

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:  # noqa: ARG002 - the last photograph is always there
        """Return the present photograph.

        Raises:
            NoPictureYetError: there is none yet.
            CameraError: the next one is damaged, the folder cannot be listed, or it is closed.
        """
        if self._closed:
            raise CameraError(Sentence("{camera}: the camera is closed").format(camera=self.name))
        now_ns = self._clock_ns()
        before = self._image
        if before is None or now_ns - self._shown_ns >= HELD_S * 1e9:
            # The first photograph that was not returned yet, if there is one; if it cannot be read, the one before is
            #   returned for another HELD_S.
            stamps = ((path, self._changed_stamp(path)) for path in listed(self._folder))
            path, stamp = next(((path, stamp) for path, stamp in stamps if stamp is not None), (None, None))
            if path is not None:
                self._shown_ns, self._done[path] = now_ns, stamp
                self._image = load_picture(path)
                self._done[path] = None
        if self._image is None:
            message = Sentence("{folder}: there is no photograph in this folder yet, expected {expected}")
            raise NoPictureYetError(message.format(folder=self.name, expected=EXPECTED), now_ns)
        return Frame(self._image, now_ns, retaken=self._image is not before)

    def _changed_stamp(self, path: Path) -> _Stamp | None:
        """Return the stamp of a file that should be read; None if it was read or is still being written."""
        if path in self._done and self._done[path] is None:
            return None
        try:
            status = path.stat()
        except OSError:  # it was renamed or taken away again
            return None
        stamp = (status.st_size, status.st_mtime_ns)
        is_fresh = 0 <= self._wall_s() - status.st_mtime < _WRITTEN_S
        return None if is_fresh or stamp == self._done.get(path) else stamp


def load_picture(path: Path) -> ImageBgr:
    """Load a picture as `load_image` does, and raise CameraError if it cannot be read."""
    try:
        return load_image(path)
    except UnreadableImageError as error:
        raise CameraError(str(error)) from error


def pictures_in(folder: Path) -> list[Path]:
    """Return a folder's pictures in natural order (2.jpg before 10.jpg).

    Raises:
        CameraError: there is no such folder, or no picture in it.
    """
    files = listed(folder)
    if not files:
        message = Sentence("{folder}: there is no picture in this folder, expected at least {expected}")
        raise CameraError(message.format(folder=folder, expected=EXPECTED))
    return files


def listed(folder: Path) -> list[Path]:
    """Return a folder's pictures in natural order, without hidden ones; there may be none.

    Raises:
        CameraError: there is no such folder.
    """
    try:
        files = [path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES]
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = Sentence(error.strerror if isinstance(error, OSError) else error)
        message = Sentence("{folder}: cannot be listed ({reason}), expected a folder of pictures")
        raise CameraError(message.format(folder=folder, reason=reason)) from error
    return sorted((path for path in files if not path.name.startswith(".")), key=_natural)


def _natural(path: Path) -> list[tuple[int, str]]:
    """Return a sort key: runs of digits by their value, the rest by its letters."""
    parts: list[str] = re.findall(r"[0-9]+|[^0-9]+", path.name.lower())
    return [(int(part), "") if part.isdecimal() and part.isascii() else (-1, part) for part in parts]
