"""Every command is listed, explained and shown by example."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from companion.cli import main
from companion.cli.arguments import COMMANDS
from tests.architecture.source import ROOT


def test_every_module_with_a_command_is_listed() -> None:
    names = [path.stem for path in (ROOT / "companion/cli").glob("*.py") if path.stem != "__init__"]
    with_command = {name for name in names if hasattr(import_module(f"companion.cli.{name}"), "run")}
    assert with_command == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_says_what_it_does_and_shows_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    printed = capsys.readouterr().out
    assert left.value.code == 0
    assert f"  companion {command}" in printed.partition("example")[2] or f"| companion {command}" in printed


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    printed = capsys.readouterr().out
    assert [command for command in COMMANDS if not re.search(rf"\n    {command}\s", printed)] == []
    assert "example" in printed
