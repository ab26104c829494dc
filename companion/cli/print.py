"""`companion print`: boards, cards, pieces and sheets as PDF, to scale, and the printer measured by the camera."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from companion.app.output import write_text
from companion.app.printing import (
    PrintRequest,
    list_parts,
    measure_printer,
    parts_by_word,
    print_challenge,
    print_game,
    print_sheet,
    print_whole_kit,
)
from companion.cli.arguments import print_jobs, print_listing
from companion.cli.exits import DONE
from companion.cli.parser import UsageError
from companion.cli.photographs import refuse_overwriting
from companion.locale import _
from companion.printing.kits import games_with_kits
from companion.printing.paper import PAPERS, Options
from companion.printing.themes import THEMES
from companion.shell.config_files import find_correction
from companion.shell.errors import unknown


def run(args: argparse.Namespace) -> int:
    """Print, measure or list.

    Raises:
        UsageError: there is no such thing to print.
        PrintingError: it cannot be printed with these options.
    """
    if args.list:
        plain = _("pieces, cards and dice without markers; they are read with less certainty")
        write_text(*list_parts(), print_listing(), f"--no-marks: {plain}")
        return DONE
    if args.what is None:
        raise UsageError(_("expected what to print; see companion print --list"))
    games = games_with_kits()
    if args.what not in (*games, *print_jobs()):
        raise UsageError(unknown(_("thing to print"), args.what, [*games, *print_jobs()]))
    request = _request(args)
    match args.what:
        case "kit":
            expected = _("expected one game after kit, as in: companion print kit royal-tee")
            lines = print_whole_kit(_only_game(args, expected), request)
        case "challenge":
            expected = _("expected one game after challenge, as in: companion print challenge territory --seed 7")
            lines = print_challenge(_only_game(args, expected), args.seed, request)
        case "measure":
            if not 1 <= len(args.names) <= 2:
                raise UsageError(_("expected a picture of the front and one of the back, in this order"))
            front, back = Path(args.names[0]), Path(args.names[1]) if len(args.names) == 2 else None
            lines = measure_printer(front, back, request)
        case game if game in games:
            parts = args.names or ["board"]
            known = parts_by_word(game, request)
            if strange := [word for word in parts if word not in known]:
                raise UsageError(unknown(_("part"), strange[0], known))
            lines = print_game(game, parts, request)
        case sheet:
            if args.names:
                raise UsageError(unknown(_("argument"), args.names[0], ["--out", "--paper", "--preview"]))
            lines = print_sheet(sheet, request)
    write_text(*lines)
    return DONE


def _request(args: argparse.Namespace) -> PrintRequest:
    refuse_overwriting([args.out], [args.table, *map(Path, args.names)])
    options = Options(
        paper=PAPERS.get(args.paper, PAPERS["a4"]),
        theme=THEMES[args.theme],
        backs=args.backs,
        bleed_mm=args.bleed,
        cutting=not args.no_crop_marks,
        marked=not args.no_marks,
        whole=args.paper == "whole",
        correction=find_correction(os.environ),
    )
    return PrintRequest(options, table=args.table, out=args.out, preview=args.preview, bar_mm=args.bar)


def _only_game(args: argparse.Namespace, expected: str) -> str:
    if len(args.names) != 1:
        raise UsageError(expected)
    if args.names[0] not in games_with_kits():
        raise UsageError(unknown(_("game"), args.names[0], games_with_kits()))
    return str(args.names[0])
