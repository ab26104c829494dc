"""`companion games`: lists, shows and changes the games that were played, also while one is being played."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from companion.app.formatting import drawn, story_line
from companion.app.history import (
    evening_lines,
    evening_of,
    game_json,
    game_line,
    names_of,
    standing_lines,
    unfinished_games,
)
from companion.app.lines import read_line
from companion.app.output import say, write_json, write_plain, write_text
from companion.cli import parse
from companion.cli.exits import DONE
from companion.cli.journal import complaints_about, existing, journal_path, load_record, opened, refuse_missing
from companion.cli.parser import UsageError
from companion.games.record import position_after, replay, write_record
from companion.games.review import NOTATIONS, turns_of
from companion.locale import _, ngettext
from companion.shell.archive import enter, record_of
from companion.shell.journal import RecordedGame
from engines.kernel import Outcome


def run(args: argparse.Namespace) -> int:
    """Carry out the order."""
    path = journal_path(args.journal)
    if args.order == "resume":
        return _resume(args, path)
    _ORDERS[args.order or "list"](args, path)
    return DONE


def _list(args: argparse.Namespace, path: Path) -> None:
    """List the games; a journal that nobody named and that is not there yet has none."""
    games: Sequence[RecordedGame] = ()
    if args.journal or path.exists():
        with existing(path) as journal:
            games = tuple(journal.games())
    if getattr(args, "json", False):
        write_json({"status": "ok", "games": list(map(game_json, games))})
    else:
        write_text(*(list(map(game_line, games)) or [_("No game has been played yet.")]))


def _statistics(_args: argparse.Namespace, path: Path) -> None:
    with existing(path) as journal:
        write_text(*(list(standing_lines(journal.games())) or [_("No game is finished yet.")]))


def _evening(_args: argparse.Namespace, path: Path) -> None:
    with existing(path) as journal:
        evening = map(journal.read, evening_of(journal.games()))
        write_text(*(list(evening_lines(evening)) or [_("No game is finished yet.")]))


def _show(args: argparse.Namespace, path: Path) -> None:
    with existing(path) as journal:
        recorded = journal.read(args.number)
    write_text(game_line(recorded))
    record, names = record_of(recorded), names_of(recorded)
    before, plies = record.start, tuple(replay(record))
    for ply in plies:
        write_plain(story_line(record.game, ply, before, names) + "\n")
        before = ply.outcome.position if isinstance(ply.outcome, Outcome) else before
    if (board := drawn(record.game, position_after(record, plies))) is not None:
        write_text(board)


def _export(args: argparse.Namespace, path: Path) -> None:
    with existing(path) as journal:
        record = record_of(journal.read(args.number))
    if args.notation is None:
        write_plain(write_record(record))
        return
    known = NOTATIONS[record.game]
    if args.notation not in known:
        sentence = _("{game} is not written as {notation}; there is: {known}")
        raise UsageError(sentence.format(game=record.game, notation=args.notation, known=", ".join(known) or "-"))
    write_plain(known[args.notation](tuple(turns_of(record)), record.names))


def _import(args: argparse.Namespace, path: Path) -> None:
    with complaints_about(args.record):
        record = load_record(args.record)
        with opened(path) as journal:
            number = enter(journal, record)
    write_text(_("entered as game {number}").format(number=number))


def _downgrade(args: argparse.Namespace, path: Path) -> None:
    refuse_missing(path)
    with opened(path) as journal:
        journal.migrate_down(args.version)
    write_text(_("{path}: now of version {version}").format(path=path, version=args.version))


def _delete(args: argparse.Namespace, path: Path) -> None:
    with opened(path) as journal:
        journal.delete_game(args.number)
    write_text(_("Game {number} is deleted.").format(number=args.number))


def _mark(args: argparse.Namespace, path: Path) -> None:
    with opened(path) as journal:
        journal.mark_misplayed(args.number, misplayed=args.order == "mark")
    sentence = (
        _("Game {number} is marked as played wrongly.") if args.order == "mark" else _("Game {number} counts again.")
    )
    write_text(sentence.format(number=args.number))


def _forget(args: argparse.Namespace, path: Path) -> None:
    with opened(path) as journal:
        count = journal.forget_name(args.name)
    sentence = ngettext(
        'The name "{name}" was removed from {count} place.',
        'The name "{name}" was removed from {count} places.',
        count,
    )
    write_text(sentence.format(name=args.name, count=count))


def _resume(args: argparse.Namespace, path: Path) -> int:
    """Resume a game, with the camera of the settings or, without one, as it was begun."""
    from companion.cli.play import run as play

    number = args.number or _choose(path)
    where = ["--journal", str(args.journal)] if args.journal else []
    return DONE if number is None else play(parse(["play", "--number", str(number), *where]))


def _choose(path: Path) -> int | None:
    """Ask which unfinished game is resumed; return None if the user leaves."""
    with existing(path) as journal:
        games = {recorded.number: game_line(recorded) for recorded in unfinished_games(journal.games(), None)}
    say(*games.values(), _("Type a number, or nothing to leave."))
    while line := read_line().strip():
        if line.isdecimal() and int(line) in games:
            return int(line)
        say(_("Type a number, or nothing to leave."))
    return None


_ORDERS: Mapping[str, Callable[[argparse.Namespace, Path], None]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "import": _import,
    "downgrade": _downgrade,
    "statistics": _statistics,
    "evening": _evening,
    "delete": _delete,
    "mark": _mark,
    "unmark": _mark,
    "forget": _forget,
}
