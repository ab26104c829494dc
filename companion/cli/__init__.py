"""The command line's frame: finds the command's module, runs it, and tells every failure in one line.

A command is a module of this package with the command's name. It has `add_parser(subparsers)` and `run(args) -> int`
(the exit code), and imports nothing heavy before it runs: `companion --version` must not wait for OpenCV.
The exit codes are in `exits`.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from companion import __version__
from companion.cli import preferences
from companion.cli.exits import FAULT, INTERRUPTED, PIPE_CLOSED, UNUSABLE
from companion.cli.output import complain
from companion.cli.parser import Parser, Subparsers, UsageError, examples, unknown
from companion.locale import _, lend_to_argparse

COMMANDS = (
    "demo",
    "play",
    "read",
    "score",
    "dice",
    "cards",
    "judge",
    "watch",
    "replay",
    "journal",
    "engine",
    "panel",
    "settings",
    "camera",
    "calibrate",
    "enrol",
    "doctor",
)
"""Every command, in the order in which the help tells them."""


class Command(Protocol):
    """What the frame needs of a command's module."""

    def add_parser(self, subparsers: Subparsers, /) -> object:
        """Add the command with its arguments, help and example."""
        ...

    def run(self, args: argparse.Namespace, /) -> int:
        """Do it; give the exit code."""
        ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run `companion` with these arguments, by default the process's own; give the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    _never_fail_on_a_letter()
    if not _asks_version(argv):
        preferences.lend(os.environ)
    lend_to_argparse()
    try:
        code = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        return _leave_closed_pipe()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # the one place where everything ends as one sentence
        return _tell(error, debug="--debug" in argv)
    return code


def _run(argv: Sequence[str]) -> int:
    args = parse(argv)
    return _command(args.command).run(args)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Understand the arguments; `command` in the answer is the command's name.

    Raises:
        UsageError: they are not usable.
    """
    named = next((word for word in argv if not word.startswith("-")), None)
    if named is not None and named not in COMMANDS:
        raise UsageError(unknown(_("command"), named, COMMANDS))
    parser = Parser(
        prog="companion",
        description=_("Sits beside a real board game: reads the table with a camera, judges moves, keeps the score."),
        epilog=examples("companion demo", "companion read table.jpg", "companion read --help"),
    )
    parser.add_argument("--version", action="version", version=f"companion {__version__}", help=_("tell the version"))
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in () if _asks_version(argv) else COMMANDS if named is None else (named,):
        _command(name).add_parser(subparsers)
    return parser.parse_all(argv)


def _asks_version(argv: Sequence[str]) -> bool:
    """Tell the one question that needs no settings and no command: it is answered at once."""
    return list(argv) == ["--version"]


def _command(name: str) -> Command:
    return cast(Command, import_module(f"companion.cli.{name}"))


def _never_fail_on_a_letter() -> None:
    """Let a terminal that lacks a letter show "?" in its place."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")


def _leave_closed_pipe() -> int:
    """Whoever read our output has gone: keep Python from complaining when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED


def _tell(error: Exception, *, debug: bool) -> int:
    """Put a failure into one line on standard error; give the exit code that it deserves."""
    if debug:
        traceback.print_exception(error)
    if _is_expected(error):
        complain(_sentence(error))
        return UNUSABLE
    sentence = _("this is a fault of ours ({kind}: {error}); --debug shows where")
    complain(sentence.format(kind=type(error).__name__, error=error))
    return FAULT


def _is_expected(error: Exception) -> bool:
    """Tell whether the input or the surroundings are to blame; an OSError without a file's name is not explained."""
    from companion.shell.errors import ShellError
    from engines.kernel import EngineError
    from hardware.errors import HardwareError
    from vision.errors import VisionError

    roots = (UsageError, EngineError, HardwareError, ShellError, VisionError)
    return isinstance(error, roots) or (isinstance(error, OSError) and error.filename is not None)


def _sentence(error: Exception) -> str:
    from companion.shell.errors import os_reason

    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {os_reason(error)}"
    return str(error)
