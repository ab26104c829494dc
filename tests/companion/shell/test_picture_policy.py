"""Pictures of the table are private, few and not kept for ever."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.shell.picture_policy import PicturePolicy, make_private_folder, tidy

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def _kept(folder: Path, days_old: int) -> Path:
    path = folder / f"{days_old}.png"
    path.write_bytes(b"")
    written = (NOW - timedelta(days=days_old)).timestamp()
    os.utime(path, (written, written))
    return path


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_newest_pictures_are_kept_and_old_ones_deleted(tmp_path: Path) -> None:
    for days in (0, 1, 2, 29, 31):
        _kept(tmp_path, days)
    (tmp_path / "notes.txt").write_text("mine")
    tidy(tmp_path, PicturePolicy(most=3, days=30), NOW)
    assert _names(tmp_path) == {"0.png", "1.png", "2.png", "notes.txt"}
    tidy(tmp_path, PicturePolicy(most=9, days=1), NOW)
    assert _names(tmp_path) == {"0.png", "1.png", "notes.txt"}


def test_a_folder_that_is_not_there_is_tidy(tmp_path: Path) -> None:
    tidy(tmp_path / "none", PicturePolicy(), NOW)
    assert not (tmp_path / "none").exists()


def test_only_the_owner_enters_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir(mode=0o755)
    make_private_folder(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
