"""A program as users write it, names of players as plain texts, passes strict type checking and runs."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("plain_program.py")


def test_a_plain_program_for_all_five_games_runs() -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    ran = subprocess.run([sys.executable, PROGRAM], check=False, capture_output=True, text=True, env=environment)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_gate_checks_the_program_s_types_strictly() -> None:
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert settings["strict"]
    assert "tests" in settings["packages"]
    assert not {"exclude", "ignore_errors"} & settings.keys()
    assert not any(name.startswith("tests") for override in settings["overrides"] for name in override["module"])
    assert "type: ignore" not in PROGRAM.read_text(encoding="utf-8")
