"""`companion games`: the games that were played, also while one is being played."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.app.output import as_typed, write_json, write_plain, write_text
from companion.cli.exits import DONE
from companion.cli.journal import complaints_about, existing, journal_path, load_record, opened, refuse_missing
from companion.cli.parser import Parser, Subparsers, at_least, examples
from companion.locale import _, ngettext


def add_parser(subparsers: Subparsers) -> None:
    """Add the command, which may also be called journal."""
    parser = subparsers.add_parser(
        "games",
        aliases=["journal"],
        help=_("the games that were played: list, show, delete, export, import, resume, statistics"),
        description=_(
            "The journal keeps every accepted move of the games played here. A record is a game as text, which"
            " companion replay shows; moves that were taken back are not in it. A game that is entered and not over"
            " can be gone on with: companion play --resume."
        )
        + " "
        + _(
            "Without an order the games are listed. Games can be listed, shown and exported while one is being"
            " played; the others wait for its end."
        ),
        epilog=examples(
            "companion games",
            "companion games show 3",
            "companion games resume 3",
            "companion games export 3 > evening.txt",
            "companion games forget Anna",
        ),
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help=_("where accepted moves are kept"))
    orders = parser.add_subparsers(dest="order", metavar="ORDER")

    def order(name: str, meaning: str) -> Parser:
        added: Parser = orders.add_parser(name, help=meaning)
        # SUPPRESS: its default would otherwise count in place of what stood before the order
        added.add_argument(
            "--journal", type=Path, metavar="FILE", default=argparse.SUPPRESS, help=_("where accepted moves are kept")
        )
        return added

    order("list", _("list the games")).add_argument("--json", action="store_true", help=_("one line of JSON"))
    order("statistics", _("wins, points and feats of each player in each game"))
    order("evening", _("who won what on the last evening"))
    for name, meaning in _of_a_game().items():
        count = "?" if name == "resume" else None
        order(name, meaning).add_argument(
            "number", nargs=count, type=at_least(1), metavar="N", help=_("the game's number in the list")
        )
    order("import", _("judge a record and enter it as a game")).add_argument(
        "record", type=Path, metavar="FILE", help=_("the game's record")
    )
    order("forget", _("take a person's name out of all games")).add_argument(
        "name", type=as_typed, metavar="NAME", help=_("the name")
    )
    order("downgrade", _("bring the journal to an older version, for an older companion")).add_argument(
        "version", type=at_least(1), metavar="N", help=_("the version that it understands")
    )


def _of_a_game() -> Mapping[str, str]:
    return {
        "show": _("show a game in words"),
        "export": _("write a game as a record to standard output"),
        "resume": _("go on with an unfinished game"),
        "delete": _("delete a game"),
        "mark": _("mark a game as played wrongly: it is kept, and left out of the statistics"),
        "unmark": _("take that mark away"),
    }


def run(args: argparse.Namespace) -> int:
    """Do what was ordered."""
    path = journal_path(args.journal)
    if args.order == "resume":
        return _resume(args, path)
    _ORDERS[args.order or "list"](args, path)
    return DONE


def _list(args: argparse.Namespace, path: Path) -> None:
    from companion.app.history import game_json, game_line

    with existing(path) as journal:
        if getattr(args, "json", False):
            write_json({"status": "ok", "games": [game_json(recorded) for recorded in journal.games()]})
        else:
            write_text(*map(game_line, journal.games()))


def _statistics(_args: argparse.Namespace, path: Path) -> None:
    from companion.app.history import standing_lines

    with existing(path) as journal:
        write_text(*(list(standing_lines(journal.games())) or [_("No game is finished yet.")]))


def _evening(_args: argparse.Namespace, path: Path) -> None:
    from companion.app.history import evening_lines, evening_of

    with existing(path) as journal:
        evening = map(journal.read, evening_of(journal.games()))
        write_text(*(list(evening_lines(evening)) or [_("No game is finished yet.")]))


def _show(args: argparse.Namespace, path: Path) -> None:
    from companion.app.formatting import drawn, story_line
    from companion.app.history import game_line, names_of
    from companion.games.record import position_after, replay
    from companion.shell.archive import record_of
    from engines.kernel import Outcome

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
    """Resume a game, with the camera of the settings, or else as it was begun."""
    from companion.cli import parse
    from companion.cli.play import run as play

    number = args.number or _chosen(path)
    where = ["--journal", str(args.journal)] if args.journal else []
    return DONE if number is None else play(parse(["play", "--number", str(number), *where]))


def _chosen(path: Path) -> int | None:
    """Ask which unfinished game is resumed; return None if the user leaves."""
    from companion.app.history import game_line, unfinished_games
    from companion.app.lines import read_line
    from companion.app.output import say

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
