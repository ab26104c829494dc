"""A sample of the fuzzer in the gate, and the fuzzer itself: it reports what it is there to report."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from companion import cli
from companion.cli.arguments import COMMANDS
from tests.evaluate.fuzz import JOBS, Files, attempt, ended, found_before


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_no_damaged_input_ends_with_a_traceback_or_a_fault(files: Files) -> None:
    assert [said for seed in range(len(JOBS)) if (said := attempt(seed, files))] == []


def test_what_ended_badly_once_does_not_again(files: Files) -> None:
    found = [*found_before(files)]
    assert len(found) >= 5
    assert [said for words in found if (said := ended(partial(list, words), files, Random(0)))] == []


def test_every_command_is_given_wrong_input(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    assert {job(files, Random(1))[0] for job in JOBS} >= set(COMMANDS) - {"play"}


@pytest.mark.parametrize("error", [ZeroDivisionError("x"), MemoryError(), RecursionError()])
def test_a_command_that_fails_is_reported(files: Files, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def run(_args: argparse.Namespace) -> int:
        raise error

    monkeypatch.setattr(cli, "import_module", lambda _name: SimpleNamespace(run=run))
    assert "exit code 1" in str(attempt(0, files))
