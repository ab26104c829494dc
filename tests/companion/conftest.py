"""What several tests of commands use."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE, UNUSABLE
from tests.companion.shell.seen import from_above, observation
from vision.board import shipped_board
from vision.observation import Blind
from vision.recognition.objective import ObjectiveCard
from vision.recognition.reader import AnyTableReader, Reading

Refused: TypeAlias = Callable[..., str]
Told: TypeAlias = Callable[..., str]
Answered: TypeAlias = Callable[..., Any]
Sees: TypeAlias = list[Reading | Blind]

NOT_SILENT = {"calibrate", "enrol", "panel", "play", "replay", "table", "watch"}
"""Commands that write something before they find out that they cannot be carried out."""

SIZE_WH = (640, 480)
"""The size of the pictures whose readings are given."""


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]) -> Refused:
    """Run a command that cannot be carried out; return the one sentence in which it says so, maybe `of` a file."""

    def run(*words: object, of: object = "") -> str:
        code = main([*map(str, words)])
        out, err = capfd.readouterr()
        assert code == UNUSABLE
        assert out == "" or words[0] in NOT_SILENT
        assert err.startswith(f"companion: {of}: " if of else "companion: ")
        assert err.count("\n") == 1
        return err

    return run


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Told:
    """Run a command, with these lines typed; return what it wrote."""

    def run(*words: object, code: int = DONE, typed: str | None = None) -> str:
        if typed is not None:
            monkeypatch.setattr("sys.stdin", StringIO(typed))
        capfd.readouterr()  # what was written before is not of this command
        assert main([*map(str, words)]) == code
        return "".join(capfd.readouterr())

    return run


@pytest.fixture
def answered(capfd: pytest.CaptureFixture[str]) -> Answered:
    """Run a command with --json; return its answer, which is one line."""

    def run(*words: object, code: int = DONE) -> Any:
        assert main([*map(str, words), "--json"]) == code
        (line,) = capfd.readouterr().out.splitlines()
        return json.loads(line)

    return run


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the commands of a test keep their journal."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A folder with pictures on which there is no table."""
    (folder := tmp_path / "recording").mkdir()
    for number in range(2):
        cv2.imwrite(str(folder / f"{number}.png"), np.full((120, 160, 3), 128, np.uint8))
    return folder


def reading(
    game: str,
    labels: Mapping[Any, str],
    *,
    hidden: Collection[str] = (),
    doubtful: Collection[str] = (),
    card: ObjectiveCard | None = None,
) -> Reading:
    """Return what a good eye makes of a picture of this table."""
    board = shipped_board(game)
    seen = observation(board, labels, hidden, doubtful=doubtful)
    return Reading(game, seen, from_above(board, SIZE_WH), card)


@pytest.fixture
def sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sees:
    """What the eye makes of the pictures to come, in order; before.png and after.png are in the current folder."""
    results: Sees = []
    monkeypatch.chdir(tmp_path)
    for name in ("before.png", "after.png"):
        cv2.imwrite(name, np.full((SIZE_WH[1], SIZE_WH[0], 3), 200, np.uint8))
    monkeypatch.setattr(AnyTableReader, "_reader", lambda _self, _board: None)
    monkeypatch.setattr(AnyTableReader, "read", lambda _self, _image: results.pop(0))
    return results
