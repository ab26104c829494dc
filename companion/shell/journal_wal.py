"""The journal's write-ahead log, read frame by frame as its format describes (sqlite.org/fileformat2.html#walformat).

SQLite reads this log up to the first frame whose checksum is wrong: one damaged byte hides all that was written after
it, without an error. Here each frame is checked against the checksum that is stored before it, so that damage in one
frame costs that frame only; most pages are written again with the next entry.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from vision.file_access import read_regular

_HEADER, _FRAME_HEADER = struct.Struct(">8I"), struct.Struct(">6I")
_ORDERS = {0x377F0682: "<", 0x377F0683: ">"}
"""By the log's first number: the order of bytes in which the checksums are computed."""

_USUAL_ORDER = "<" if sys.byteorder == "little" else ">"
_USUAL_PAGE = 4096
"""SQLite's own choice, in bytes, which our journals have."""

_MOST_BYTES = 500_000_000
_WORD = 0xFFFFFFFF

_Sums: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Frame:
    """A page as it was written: its number from 1, the database's pages if it ends a transaction, its content."""

    number: int
    pages: int
    content: bytes
    whole: bool


def log_of(path: Path) -> bytes:
    """Return the content of a journal's write-ahead log, b"" if there is none.

    Raises:
        OSError: it cannot be read.
    """
    try:
        return read_regular(path.with_name(f"{path.name}-wal"), _MOST_BYTES)
    except FileNotFoundError:
        return b""


def hides_entries(log: bytes) -> bool:
    """Return whether the end of a transaction can be read after a place that SQLite stops at.

    A power cut leaves broken frames at the end only: they are no damage.
    """
    broken = not _begins_whole(log)
    for frame in _frames(log):
        broken = broken or not frame.whole
        if broken and frame.whole and frame.pages:
            return True
    return False


def with_log(content: bytes, log: bytes) -> bytes:
    """Return a database's content with every page of its log that can be read, up to the last end of a transaction."""
    pages, written = bytearray(content), dict[int, bytes]()
    for frame in _frames(log):
        if frame.whole:
            written[frame.number] = frame.content
        if frame.whole and frame.pages:
            size = len(frame.content)
            pages += bytes(max(0, frame.pages * size - len(pages)))
            for number, page in written.items():
                pages[(number - 1) * size : number * size] = page
            written.clear()
    return bytes(pages)


def _begins_whole(log: bytes) -> bool:
    if len(log) < _HEADER.size:
        return True
    first, *_numbers, one, two = _HEADER.unpack_from(log)
    return first in _ORDERS and _sums(log[: _HEADER.size - 8], (0, 0), _ORDERS[first]) == (one, two)


def _frames(log: bytes) -> Iterator[_Frame]:
    """Return the frames since the log was last begun: only they are whole, since each beginning has another salt."""
    if len(log) < _HEADER.size + _FRAME_HEADER.size:
        return
    first, _version, size, _checkpoint, *salt, one, two = _HEADER.unpack_from(log)
    if not _begins_whole(log):
        size, salt = _USUAL_PAGE, list(_FRAME_HEADER.unpack_from(log, _HEADER.size)[2:4])
    order, sums_before = _ORDERS.get(first, _USUAL_ORDER), (one, two)
    for at in range(_HEADER.size, len(log) - size - _FRAME_HEADER.size + 1, size + _FRAME_HEADER.size):
        number, pages, *salt_here, one, two = _FRAME_HEADER.unpack_from(log, at)
        content = log[at + _FRAME_HEADER.size : at + _FRAME_HEADER.size + size]
        whole = salt_here == salt and _sums(log[at : at + 8] + content, sums_before, order) == (one, two)
        yield _Frame(number, pages, content, whole)
        sums_before = one, two


def _sums(content: bytes, before: _Sums, order: str) -> _Sums:
    """Return the two running sums after a content of a multiple of 8 bytes."""
    one, two = before
    words = iter(struct.unpack(f"{order}{len(content) // 4}I", content))
    for word, next_word in zip(words, words, strict=True):
        one = one + word + two & _WORD
        two = two + next_word + one & _WORD
    return one, two
