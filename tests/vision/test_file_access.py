"""Files are read with a limit and written whole."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from vision.file_access import read_regular, write_atomically


def test_a_file_up_to_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    with pytest.raises(OSError, match=str(path)) as raised:
        read_regular(path, 4)
    assert raised.value.errno == errno.EFBIG


@pytest.mark.parametrize(
    ("name", "number"),
    [("pipe", errno.EINVAL), ("/dev/zero", errno.EINVAL), (".", errno.EISDIR), ("none", errno.ENOENT)],
)
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, name: str, number: int) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=r"pipe|zero|none|directory") as raised:
        read_regular(tmp_path / name, 100)
    assert raised.value.errno == number


def test_a_name_with_a_nul_is_refused_as_a_file_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Invalid argument"):
        read_regular(tmp_path / "a\0b", 100)


def test_the_empty_device_is_an_empty_file() -> None:
    assert read_regular(Path(os.devnull), 100) == b""


def test_a_file_that_grows_without_end_is_read_no_further_than_the_limit() -> None:
    with pytest.raises(OSError, match="too large"):
        read_regular(Path("/proc/self/pagemap"), 1000)  # a regular file of size 0 that gives gigabytes


def test_text_is_written_and_keeps_the_mode_that_the_file_had(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o604)
    write_atomically(path, "grün")
    assert path.read_bytes() == "grün".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_a_private_file_is_its_owners_alone(tmp_path: Path) -> None:
    write_atomically(tmp_path / "file", b"", private=True)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to("file")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


@pytest.mark.parametrize("broken", ["fsync", "replace", "write"])
def test_where_writing_fails_the_old_content_stays_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with monkeypatch.context() as patched:
        if broken == "fsync":
            patched.setattr(os, "fsync", _no_space)
        elif broken == "replace":
            patched.setattr(Path, "replace", _no_space)
        else:
            patched.setattr(Path, "write_bytes", _no_space)
        with pytest.raises(OSError, match="No space") as raised:
            write_atomically(path, "new")
    assert raised.value.filename == str(path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def _no_space(*_arguments: object, **_options: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_devices_and_pipes_are_written_to_directly() -> None:
    write_atomically(Path(os.devnull), "anything")
    reading, writing = os.pipe()
    write_atomically(Path(f"/dev/fd/{writing}"), "anything")
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        assert pipe.read() == "anything"


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    late_reader = threading.Timer(5.0, lambda: os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)))
    late_reader.start()
    with pytest.raises(OSError, match="not a regular file") as raised:
        write_atomically(pipe, "anything")
    late_reader.cancel()
    assert raised.value.filename == str(pipe)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_device_that_takes_nothing_is_an_error_with_its_name() -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_atomically(Path("/dev/full"), "anything")
