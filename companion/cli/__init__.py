"""The command line's frame: finds the command's module, runs it, and reports every failure in one line.

A command is a module of this package with the command's name and a function `run(args) -> int` that returns the exit
code; its arguments are in `arguments`, so that nothing heavy is imported before it runs.
The exit codes are in `exits`.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from companion import __version__
from companion.app.output import LETTERS_IN_PLACE, OLDER_LETTERS, OutputError, complain, flush
from companion.cli.exits import FAULT, INTERRUPTED, PIPE_CLOSED, UNUSABLE, EndedBySignal, ended_in_order
from companion.cli.parser import Parser, Subparsers, UsageError, examples, require_extra
from companion.games.discovery import broken
from companion.locale import _, share_with_argparse, translated
from companion.shell.errors import unknown

_WITH_EXTRA = ("print", "report")
"""Commands that need the packages of an extra of their name."""

ALIASES = {"journal": "games"}
"""Other words for commands."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `companion` with these arguments, by default the process's own; return the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        with ended_in_order():
            return _run_guarded(argv)
    except KeyboardInterrupt:
        return INTERRUPTED
    except EndedBySignal as ended:
        return ended.code


def _run_guarded(argv: Sequence[str]) -> int:
    """Run a command and report whatever fails in one sentence."""
    # 1. open the null device for each closed standard stream, and replace letters that a terminal cannot show
    sys.stdin = sys.stdin or Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - it stays open
    # only once: the menu runs commands after lines were read, and then Python refuses to change the stream
    if sys.stdin.errors != OLDER_LETTERS and (reconfigure := getattr(sys.stdin, "reconfigure", None)):
        reconfigure(errors=OLDER_LETTERS)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        if reconfigure := getattr(getattr(sys, name), "reconfigure", None):
            reconfigure(errors=LETTERS_IN_PLACE)
    # 2. run it
    try:
        return _run(argv)
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except OutputError as error:
        _discard_output()
        return _report(error, debug="--debug" in argv)
    except Exception as error:  # the one place that reports every failure
        _raise_signal_behind(error)
        return _report(error, debug="--debug" in argv)


def _raise_signal_behind(error: BaseException) -> None:
    """Raise the signal that caused an exception: Python 3.11 turns one that hits a class body into a RuntimeError."""
    cause = error.__cause__
    if isinstance(cause, KeyboardInterrupt | EndedBySignal):
        raise cause
    if cause is not None:
        _raise_signal_behind(cause)


def _run(argv: Sequence[str]) -> int:
    if any("\0" in word for word in argv):
        raise UsageError(_("an argument has a NUL character in it"))
    if not _asks_version(argv):
        from companion.shell.settings import apply_display_settings

        apply_display_settings(os.environ)
        for package, reason in broken().items():
            complain(
                _("the game of the package {package} is left out: {reason}").format(package=package, reason=reason)
            )
    share_with_argparse()
    if not argv and sys.stdin.isatty() and sys.stdout.isatty():
        from companion.cli.menu import menu

        return menu(main, help_text=help_text)
    args = parse(argv)
    name = ALIASES.get(args.command, args.command)
    if name in _WITH_EXTRA:
        require_extra(name)
    # a command's module, with all that is heavy, is imported only once all arguments are right
    code: int = import_module(f"companion.cli.{name}").run(args)
    flush()
    return code


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments; `command` of the result is the command's name.

    Raises:
        UsageError: they cannot be used.
    """
    if _asks_version(argv):
        return _parser({}).parse_all(argv)
    from companion.cli.arguments import COMMANDS

    named = next((word for word in argv if not word.startswith("-")), None)
    if named is None:
        return whole_parser().parse_all(argv)
    if named not in (*COMMANDS, *ALIASES):
        raise UsageError(unknown(_("command"), named, COMMANDS))
    name = ALIASES.get(named, named)
    return _parser({name: COMMANDS[name]}).parse_all(argv)


def help_text() -> str:
    """Return what `companion --help` prints."""
    return whole_parser().format_help()


def whole_parser() -> Parser:
    """Return the parser with every command."""
    from companion.cli.arguments import COMMANDS

    return _parser(COMMANDS)


def _parser(commands: Mapping[str, Callable[[Subparsers], None]]) -> Parser:
    """Return the parser with the arguments of these commands."""
    parser = Parser(
        prog="companion",
        description=_("Sits beside a real board game: reads the table with a camera, judges moves, keeps the score."),
        epilog=examples(
            "companion demo", "companion read table.jpg", "companion read --help", "companion settings completion"
        ),
    )
    parser.add_argument("--version", action="version", version=f"companion {__version__}", help=_("print the version"))
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in commands.values():
        add(subparsers)
    return parser


def _asks_version(argv: Sequence[str]) -> bool:
    """Return whether only the version is asked for, which needs no settings and no command."""
    return list(argv) == ["--version"]


def _discard_output() -> None:
    """Keep Python from reporting at exit that output could not be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(error: Exception, *, debug: bool) -> int:
    """Report a failure in one line on standard error; return the exit code."""
    from companion.printing.paper import PrintingError
    from companion.shell.errors import ShellError, os_reason
    from engines.kernel import EngineError
    from hardware.errors import HardwareError
    from vision.errors import VisionError

    if debug:
        traceback.print_exception(error)
    # what is wrong with the input or the machine; otherwise it is a fault of ours
    sentence = _("this is a fault of ours ({kind}: {error}); --debug shows where")
    sentence, code = sentence.format(kind=type(error).__name__, error=error), FAULT
    roots = (UsageError, OutputError, EngineError, HardwareError, PrintingError, ShellError, VisionError)
    if isinstance(error, OSError) and error.filename is not None:
        sentence, code = f"{error.filename}: {os_reason(error)}", UNUSABLE
    elif isinstance(error, roots):
        sentence, code = translated(str(error)), UNUSABLE
    elif isinstance(error, FileNotFoundError):
        try:  # libraries ask for the current folder as they are imported
            Path.cwd()
        except FileNotFoundError:
            sentence, code = _("the current folder was deleted; change to another one"), UNUSABLE
    complain(sentence)
    return code
