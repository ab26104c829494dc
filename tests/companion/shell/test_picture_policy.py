"""Pictures of the table are private, few and not kept for ever."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.shell.picture_policy import OF_MOVE, PicturePolicy, in_order, make_private_folder, next_number, tidy

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def _keep(folder: Path, when: datetime) -> str:
    path = folder / f"{next_number(folder)}-territory-3.png"
    path.write_bytes(b"")
    os.utime(path, (when.timestamp(), when.timestamp()))
    return path.name


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_newest_pictures_are_kept_and_those_of_old_days_deleted(tmp_path: Path) -> None:
    kept = [_keep(tmp_path, NOW + timedelta(days=day)) for day in (0, 3, 3, 4, 9)]
    (tmp_path / "notes.txt").write_text("mine")
    tidy(tmp_path, PicturePolicy(most=4, days=30))
    assert _names(tmp_path) == [*kept[1:], "notes.txt"]
    tidy(tmp_path, PicturePolicy(most=9, days=2))
    assert _names(tmp_path) == [*kept[3:], "notes.txt"]
    tidy(tmp_path, PicturePolicy(most=9, days=0))
    assert _names(tmp_path) == [*kept[4:], "notes.txt"]


def test_pictures_of_moves_are_counted_apart_and_come_in_the_same_order(tmp_path: Path) -> None:
    refused = _keep(tmp_path, NOW)
    moves = []
    for number in range(12):
        moves.append(tmp_path / f"{next_number(tmp_path)}-territory-3-{number}{OF_MOVE}")
        moves[-1].write_bytes(b"")
        os.utime(moves[-1], (NOW.timestamp(), NOW.timestamp()))
    tidy(tmp_path, PicturePolicy(most=1))
    assert _names(tmp_path) == [refused, *(path.name for path in moves[2:])]
    assert in_order(tmp_path, kind=OF_MOVE) == moves[2:]


@pytest.mark.parametrize("wrong", [datetime(1970, 1, 1, tzinfo=UTC), datetime(2036, 2, 7, tzinfo=UTC)])
def test_a_clock_that_was_wrong_once_deletes_no_picture_and_outlives_none(tmp_path: Path, wrong: datetime) -> None:
    last_week = [_keep(tmp_path, NOW) for _picture in range(3)]
    odd = [_keep(tmp_path, wrong) for _picture in range(2)]
    tidy(tmp_path, PicturePolicy(most=9, days=2))
    assert _names(tmp_path) == [*last_week, *odd]
    today = [_keep(tmp_path, NOW + timedelta(days=7)) for _picture in range(2)]
    tidy(tmp_path, PicturePolicy(most=9, days=2))
    assert _names(tmp_path) == [*odd, *today]
    tidy(tmp_path, PicturePolicy(most=1, days=30))
    assert _names(tmp_path) == today[1:]


def test_pictures_of_an_older_version_are_the_oldest(tmp_path: Path) -> None:
    (tmp_path / "territory-20360101-200000-final.png").write_bytes(b"")
    new = _keep(tmp_path, NOW)
    assert [path.name for path in in_order(tmp_path)] == ["territory-20360101-200000-final.png", new]


def test_a_folder_that_is_not_there_is_tidy(tmp_path: Path) -> None:
    tidy(tmp_path / "none", PicturePolicy())
    assert not (tmp_path / "none").exists()


def test_only_the_owner_enters_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir(mode=0o755)
    make_private_folder(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
