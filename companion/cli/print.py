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

_DEFAULT_PARTS = ("board",)


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
    if args.what in games_with_kits():
        write_text(*_print_game(args))
        return DONE
    if args.what not in print_jobs():
        raise UsageError(unknown(_("thing to print"), args.what, [*games_with_kits(), *print_jobs()]))
    job = {"kit": _print_kit, "challenge": _print_challenge, "measure": _measure}.get(args.what)
    if args.names and job is None:
        raise UsageError(unknown(_("argument"), args.names[0], ["--out", "--paper", "--preview"]))
    write_text(*(print_sheet(args.what, _request(args)) if job is None else job(args)))
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


def _print_game(args: argparse.Namespace) -> list[str]:
    request, words = _request(args), args.names or _DEFAULT_PARTS
    parts = parts_by_word(args.what, request)
    for word in words:
        if word not in parts:
            raise UsageError(unknown(_("part"), word, parts))
    return print_game(args.what, words, request)


def _print_kit(args: argparse.Namespace) -> list[str]:
    game = _only_game(args, _("expected one game after kit, as in: companion print kit royal-tee"))
    return print_whole_kit(game, _request(args))


def _print_challenge(args: argparse.Namespace) -> list[str]:
    expected = _("expected one game after challenge, as in: companion print challenge territory --seed 7")
    return print_challenge(_only_game(args, expected), args.seed, _request(args))


def _only_game(args: argparse.Namespace, expected: str) -> str:
    if len(args.names) != 1:
        raise UsageError(expected)
    if args.names[0] not in games_with_kits():
        raise UsageError(unknown(_("game"), args.names[0], games_with_kits()))
    return str(args.names[0])


def _measure(args: argparse.Namespace) -> list[str]:
    pictures = [Path(name) for name in args.names]
    if not 1 <= len(pictures) <= 2:
        raise UsageError(_("expected a picture of the front and one of the back, in this order"))
    return measure_printer(pictures[0], pictures[1] if len(pictures) == 2 else None, _request(args))
