"""`companion games`: lists, shows and changes the games that were played, also while one is being played."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.app import history
from companion.app.formatting import drawn, story_line
from companion.app.history import game_line
from companion.app.lines import read_line
from companion.app.output import write_json, write_plain, write_text
from companion.cli import parse
from companion.cli.exits import DONE
from companion.cli.journal import complaints_about, existing, journal_path, load_record, opened, refuse_missing
from companion.cli.parser import UsageError
from companion.games.record import position_after, replay, write_record
from companion.games.review import NOTATIONS, turns_of
from companion.locale import _, ngettext
from companion.shell.archive import enter, record_of


def run(args: argparse.Namespace) -> int:
    """Carry out the order."""
    path = journal_path(args.journal)
    if args.order != "resume":
        _ORDERS[args.order or "list"](args, path)
        return DONE
    # a game, or the one that is asked for, with the camera of the settings or, without one, as it was begun
    from companion.cli.play import run as play

    number = args.number
    if number is None:
        with existing(path) as journal:
            games = {str(one.number): game_line(one) for one in history.unfinished_games(journal.games(), None)}
        if not games:
            raise UsageError(_("there is no unfinished game to resume"))
        write_text(*games.values(), _("Type a number, or nothing to leave."))
        while (number := read_line().strip()) not in (*games, ""):
            write_text(_("Type a number, or nothing to leave."))
    where = ["--journal", str(args.journal)] if args.journal else []
    return play(parse(["play", "--number", str(number), *where])) if number else DONE


def _list(args: argparse.Namespace, path: Path) -> None:
    """List the games, each read by itself; a journal that nobody named and that is not there yet has none."""
    as_json = getattr(args, "json", False)
    games: list[Any] = []
    if args.journal or path.exists():
        with existing(path) as journal:
            games = list(map(history.game_json if as_json else game_line, journal.games()))
    if as_json:
        write_json({"status": "ok", "games": games})
    else:
        write_text(*(games or [_("No game has been played yet.")]))


def _count_wins(args: argparse.Namespace, path: Path) -> None:
    with existing(path) as journal:
        games = journal.games()
        if args.order == "statistics":
            lines = history.standing_lines(games)
        else:
            lines = history.evening_lines(map(journal.read, history.evening_of(games)))
        write_text(*(list(lines) or [_("No game is finished yet.")]))


def _show(args: argparse.Namespace, path: Path) -> None:
    with existing(path) as journal:
        recorded = journal.read(args.number)
    write_text(game_line(recorded))
    record, names = record_of(recorded), history.names_of(recorded)
    turns = tuple(replay(record))
    for turn in turns:
        write_plain(story_line(record.game, turn, names) + "\n")
    if (board := drawn(record.game, position_after(record, turns))) is not None:
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
        if not known:
            sentence = _("{game} has no notation for other programs; without --as the record is written")
        raise UsageError(sentence.format(game=record.game, notation=args.notation, known=", ".join(known)))
    write_plain(known[args.notation](tuple(turns_of(record)), record.names))


def _import(args: argparse.Namespace, path: Path) -> None:
    with complaints_about(args.record):
        record = load_record(args.record)
        with opened(path) as journal:
            number = enter(journal, record)
    write_text(_("entered as game {number}").format(number=number))


def _change(args: argparse.Namespace, path: Path) -> None:
    """Delete or mark a game, take a name out of all games, or bring the journal to an older version."""
    if args.order == "downgrade":
        refuse_missing(path)
    with opened(path) as journal:
        match args.order:
            case "delete":
                journal.delete_game(args.number)
                text = _("Game {number} is deleted.").format(number=args.number)
            case "mark":
                journal.mark_misplayed(args.number, misplayed=True)
                text = _("Game {number} is marked as played wrongly.").format(number=args.number)
            case "unmark":
                journal.mark_misplayed(args.number, misplayed=False)
                text = _("Game {number} counts again.").format(number=args.number)
            case "forget":
                count = journal.forget_name(args.name)
                text = ngettext(
                    'The name "{name}" was removed from {count} place.',
                    'The name "{name}" was removed from {count} places.',
                    count,
                ).format(name=args.name, count=count)
            case "downgrade":
                journal.migrate_down(args.version)
                text = _("{path}: now of version {version}").format(path=path, version=args.version)
    write_text(text)


_ORDERS: Mapping[str, Callable[[argparse.Namespace, Path], None]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "import": _import,
    **dict.fromkeys(("statistics", "evening"), _count_wins),
    **dict.fromkeys(("delete", "mark", "unmark", "forget", "downgrade"), _change),
}
