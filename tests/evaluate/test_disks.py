"""The evaluation on real disks: what it does to them, without mounting any."""

from __future__ import annotations

import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from companion.shell.journal import Journal
from tests.companion.shell.clocks import ManualClock
from tests.evaluate import disks
from tests.evaluate.kills import what_is_wrong


def test_a_disk_that_never_failed_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.CompletedProcess([], -7, "durable 1 None\n", "")
    monkeypatch.setattr("subprocess.run", lambda *_command, **_options: done)
    assert "exit code -7" in str(disks.attempt("quota", "royal-tee", tmp_path))


def test_a_disk_that_cannot_be_mounted_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_command: object, **_options: object) -> None:
        raise subprocess.CalledProcessError(32, "mount")

    monkeypatch.setattr(disks, "_do", refused)
    assert disks.main(["--inside"]) == 2


def test_a_disk_in_memory_is_not_taken_for_a_damaged_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(f"30 1 0:1 / {tmp_path} rw - tmpfs none rw\n")
    monkeypatch.setattr("companion.shell.config_places.MOUNTS", mounts)
    with closing(Journal(tmp_path / "journal.sqlite3", ManualClock())) as journal:
        assert len(journal.take_notices()) == 1
    assert what_is_wrong("territory", tmp_path / "journal.sqlite3", []) is None
