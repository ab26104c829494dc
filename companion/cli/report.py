"""`companion report`: a game that was played as one HTML page and a picture."""

from __future__ import annotations

import argparse
from collections import deque
from dataclasses import replace
from pathlib import Path

from companion.app.history import names_of
from companion.app.output import write_text
from companion.app.reporting import ReportedGame, photographs, photographs_of_moves, report_of
from companion.cli.exits import DONE
from companion.cli.journal import complaints_about, existing, journal_path, load_record
from companion.cli.parser import UsageError
from companion.cli.photographs import refuse_overwriting
from companion.games.record import check, replay
from companion.locale import _
from companion.printing.report import html_page, report_png
from companion.shell.archive import record_of
from companion.shell.clock import wall_time
from vision.file_access import write_atomically


def run(args: argparse.Namespace) -> int:
    """Write the report and print its path."""
    if args.game is None or args.game.isdecimal():
        path = journal_path(args.journal)
        with existing(path) as journal:
            # a long journal does not fit into a small machine's memory
            games = [journal.read(int(args.game))] if args.game else deque(journal.games(), maxlen=1)
        if not games:
            raise UsageError(_("{path}: the journal has no game yet").format(path=path))
        recorded = games[0]
        stem, record = f"{recorded.game}-{recorded.number}", record_of(recorded)
        played = ReportedGame(record, names_of(recorded), wall_time(recorded.started))
        if not args.no_pictures:
            moves = photographs_of_moves(path.parent, recorded, len(record.actions))
            played = replace(played, photographs=photographs(path.parent, recorded), moves=moves)
    else:
        stem = Path(args.game).stem
        with complaints_about(Path(args.game)):
            record = load_record(Path(args.game))
            check(record, tuple(replay(record)))
        played = ReportedGame(record, record.names, record.headers.get("started", ""))
    if not args.to.is_dir():
        raise UsageError(_("{folder}: there is no such folder").format(folder=args.to))
    page, picture = args.to / f"{stem}.html", args.to / f"{stem}.png"
    refuse_overwriting([page, picture], [Path(args.game or ""), args.journal])
    report, plot = report_of(played)
    write_atomically(page, html_page(report, plot))
    write_atomically(picture, report_png(report, plot))
    write_text(_("The page is {page}, the picture {picture}.").format(page=page, picture=picture))
    return DONE
