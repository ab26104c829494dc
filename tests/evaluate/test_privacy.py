"""With storing off no image reaches the disk, and nothing is connected to: traced by Python's audit hook."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluate.privacy import PHOTOGRAPH, audited, audited_game, images_in, parsed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.mark.long
def test_while_storing_is_off_a_game_writes_its_journal_and_no_image(folder: Path) -> None:
    trace = audited_game(folder, COMPANION_PICTURES="false")
    assert trace.faults() == []
    assert images_in(folder) == []
    assert any(path.name.startswith("royal-tee.sqlite3") for path in folder.iterdir())


@pytest.mark.long
def test_while_storing_is_on_the_trace_sees_the_pictures(folder: Path) -> None:
    trace = audited_game(folder, COMPANION_PICTURES="true")
    assert any(path.endswith(".png") for path in trace.written)
    assert images_in(folder) != []


def test_a_photograph_is_read_without_a_trace(folder: Path) -> None:
    trace = audited(["read", str(PHOTOGRAPH)], folder)
    assert trace.faults() == []
    assert images_in(folder) == []


def test_a_trace_of_system_calls_is_understood() -> None:
    log = """
12 execve("/usr/bin/python3", ["python3"], 0x7ffd /* 20 vars */) = 0
12 openat(AT_FDCWD</home>, "/home/a.png", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 5</home/a.png>
12 openat(AT_FDCWD</home>, "/home/read.toml", O_RDONLY|O_CLOEXEC) = 5</home/read.toml>
12 openat(AT_FDCWD</home>, "/tmp", O_RDWR|O_EXCL|O_TMPFILE, 0600) = 6</tmp/#12 (deleted)>
13 connect(7<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("192.0.2.1")}, 16) = 0
13 connect(7<socket:[1]>, {sa_family=AF_UNIX, sun_path="/run/x"}, 16) = 0
13 rename("/home/a.tmp", "/home/b.sqlite3") = 0
14 execve("/bin/sh", ["sh"], 0x7ffd /* 20 vars */) = 0
"""
    trace = parsed(log)
    assert trace.written == ["/home/a.png", "/home/b.sqlite3"]
    assert trace.faults() == [
        "wrote /home/a.png",
        'connected to sin_port=htons(80), sin_addr=inet_addr("192.0.2.1")',
        "started /bin/sh",
    ]
