"""What several tests of commands use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from companion.cli import main
from companion.cli.exits import UNUSABLE

Refused: TypeAlias = Callable[..., str]

NOT_SILENT = {"calibrate", "enrol", "panel", "play", "replay", "table", "watch"}
"""Commands that write something before they find out that they cannot be carried out."""


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
