"""`companion journal`: the games of the journal listed, written as records, and entered from records."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.output import complain, write_plain, write_text
from companion.cli.exits import DONE
from companion.cli.parser import Parser, Subparsers, UsageError, at_least, examples
from companion.locale import _, ngettext

if TYPE_CHECKING:
    from companion.games.record import GameRecord
    from companion.shell.journal import Journal, JournalReader, RecordedGame


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "journal",
        help=_("list the games played here, write one as a record, enter one from a record"),
        description=_(
            "The journal keeps every accepted move of the games played here. A record is a game as text, which"
            " companion replay shows; moves that were taken back are not in it. A game that is entered and not over"
            " can be gone on with: companion play --resume."
        ),
        epilog=examples(
            "companion journal list", "companion journal export 3 > evening.txt", "companion journal import evening.txt"
        ),
    )
    orders = parser.add_subparsers(dest="order", metavar="ORDER", required=True)
    _with_journal(orders.add_parser("list", help=_("list the games")))
    export = _with_journal(orders.add_parser("export", help=_("write a game as a record to standard output")))
    export.add_argument("number", type=at_least(1), metavar="N", help=_("the game's number in the list"))
    going_back = _with_journal(
        orders.add_parser("downgrade", help=_("bring the journal to an older version, for an older companion"))
    )
    going_back.add_argument("version", type=at_least(1), metavar="N", help=_("the version that it understands"))
    entering = _with_journal(orders.add_parser("import", help=_("judge a record and enter it as a game")))
    entering.add_argument("record", type=Path, metavar="FILE", help=_("the game's record"))


def _with_journal(parser: Parser) -> Parser:
    parser.add_argument("--journal", type=Path, metavar="FILE", help=_("where accepted moves are kept"))
    return parser


def run(args: argparse.Namespace) -> int:
    """Do what was ordered."""
    from companion.shell.journal import default_path
    from companion.shell.settings import find_settings

    path = args.journal or default_path(os.environ, find_settings(os.environ).settings.data)
    return run_order(args, path)


def run_order(args: argparse.Namespace, path: Path) -> int:
    """Do one of this command's orders with a journal; return the exit code."""
    _ORDERS[args.order](args, path)
    return DONE


def _list(_args: argparse.Namespace, path: Path) -> None:
    with existing(path) as journal:
        write_text(*map(_line, journal.games()))


def _line(recorded: RecordedGame) -> str:
    from companion.shell.clock import wall_time
    from companion.ui.names import points

    count = len(recorded.entries)
    entries = ngettext("{count} entry", "{count} entries", count).format(count=count)
    ending = _("not finished") if recorded.scores is None else points(recorded.scores)
    return f"{recorded.number:>4}  {wall_time(recorded.started)}  {recorded.game:<14}{entries}, {ending}"


def _export(args: argparse.Namespace, path: Path) -> None:
    from companion.games.record import write_record
    from companion.shell.archive import record_of

    with existing(path) as journal:
        write_plain(write_record(record_of(journal.read(args.number))))


def _import(args: argparse.Namespace, path: Path) -> None:
    from companion.shell.archive import enter

    with complaints_about(args.record):
        record = load_record(args.record)
        with opened(path) as journal:
            number = enter(journal, record)
    write_text(_("entered as game {number}").format(number=number))


def _downgrade(args: argparse.Namespace, path: Path) -> None:
    _refuse_missing(path)
    with opened(path) as journal:
        journal.migrate_down(args.version)
    write_text(_("{path}: now of version {version}").format(path=path, version=args.version))


_ORDERS: Mapping[str, Callable[[argparse.Namespace, Path], None]] = {
    "list": _list,
    "export": _export,
    "import": _import,
    "downgrade": _downgrade,
}


@contextmanager
def opened(path: Path) -> Iterator[Journal]:
    """Open a journal to write to it; what was mended is reported on standard error."""
    from companion.shell.clock import RealClock
    from companion.shell.journal import Journal

    with closing(Journal(path, RealClock())) as journal:
        for notice in journal.take_notices():
            complain(notice)
        yield journal


@contextmanager
def existing(path: Path) -> Iterator[JournalReader]:
    """Open a journal to read from it, beside a game that is played; none is begun for that."""
    from companion.shell.errors import OlderJournalError
    from companion.shell.journal import JournalReader

    _refuse_missing(path)
    try:
        reader = JournalReader(path)
    except OlderJournalError:
        with opened(path):  # that brings it to today's version
            pass
        reader = JournalReader(path)
    with closing(reader):
        yield reader


def _refuse_missing(path: Path) -> None:
    """Raise UsageError if there is no journal."""
    if not path.exists():
        raise UsageError(_("{path}: there is no journal yet; the first game begins one").format(path=path))


# ---- files with a game's record, for the commands that read them


_LARGEST_FILE = 1_000_000
"""Bytes; a game of a thousand actions has some twenty thousand."""


@contextmanager
def complaints_about(path: Path) -> Iterator[None]:
    """Put the file's name before what is wrong with its record."""
    from companion.games.record import RecordError

    try:
        yield
    except RecordError as error:
        raise UsageError(_("{file}, {complaint}").format(file=path, complaint=error)) from error


def load_record(path: Path) -> GameRecord:
    """Read a record from a file.

    Raises:
        RecordError: there is none in it.
        UsageError: it is too large, or no text.
        OSError: it cannot be read.
    """
    from companion.games.record import read_record
    from vision.file_access import FileTooLargeError, read_regular

    try:
        text = read_regular(path, _LARGEST_FILE).decode("utf-8-sig")
    except FileTooLargeError as error:
        raise UsageError(_("{file}: too large for a game's record").format(file=path)) from error
    except UnicodeDecodeError as error:
        raise UsageError(_("{file}: expected a game's record as UTF-8 text").format(file=path)) from error
    return read_record(text)
