"""`companion print`: boards, cards, pieces and sheets as PDF, to scale, and the printer measured by the camera."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.output import write_text
from companion.cli.arguments import print_jobs, print_listing
from companion.cli.exits import DONE
from companion.cli.parser import UsageError, require_extra, unknown
from companion.cli.photographs import refuse_overwriting
from companion.locale import _
from companion.printing.kits import games_with_kits

if TYPE_CHECKING:
    from companion.app.printing import PrintRequest

_DEFAULT_PARTS = ("board",)


def run(args: argparse.Namespace) -> int:
    """Print, measure or list.

    Raises:
        UsageError: there is no such thing to print, or the extra "print" is not installed.
        PrintingError: it cannot be printed as asked.
    """
    require_extra("print")
    if args.list:
        return _list()
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
    write_text(*(job or _print_sheet)(args))
    return DONE


def _list() -> int:
    from companion.app.printing import list_parts

    plain = _("pieces, cards and dice without markers; they are read with less certainty")
    write_text(*list_parts(), print_listing(), f"--no-marks: {plain}")
    return DONE


def _request(args: argparse.Namespace) -> PrintRequest:
    from companion.app.printing import PrintRequest

    refuse_overwriting([args.out], [args.table, *map(Path, args.names)])
    return PrintRequest(
        paper=args.paper,
        theme=args.theme,
        backs=args.backs,
        bleed_mm=args.bleed,
        cutting=not args.no_crop_marks,
        marked=not args.no_marks,
        table=args.table,
        out=args.out,
        preview=args.preview,
        bar_mm=args.bar,
    )


def _print_game(args: argparse.Namespace) -> list[str]:
    from companion.app.printing import parts_by_word, print_game

    request, words = _request(args), args.names or _DEFAULT_PARTS
    parts = parts_by_word(args.what, request)
    for word in words:
        if word not in parts:
            raise UsageError(unknown(_("part"), word, parts))
    return print_game(args.what, words, request)


def _print_kit(args: argparse.Namespace) -> list[str]:
    from companion.app.printing import print_whole_kit

    if len(args.names) != 1:
        raise UsageError(_("expected one game after kit, as in: companion print kit royal-tee"))
    if args.names[0] not in games_with_kits():
        raise UsageError(unknown(_("game"), args.names[0], games_with_kits()))
    return print_whole_kit(args.names[0], _request(args))


def _print_challenge(args: argparse.Namespace) -> list[str]:
    from companion.app.printing import print_challenge

    if len(args.names) != 1:
        raise UsageError(_("expected one game after challenge, as in: companion print challenge territory --seed 7"))
    if args.names[0] not in games_with_kits():
        raise UsageError(unknown(_("game"), args.names[0], games_with_kits()))
    return print_challenge(args.names[0], args.seed, _request(args))


def _print_sheet(args: argparse.Namespace) -> list[str]:
    from companion.app.printing import SHEETS

    return SHEETS[args.what](_request(args))


def _measure(args: argparse.Namespace) -> list[str]:
    from companion.app.printing import measure_printer

    pictures = [Path(name) for name in args.names]
    if not 1 <= len(pictures) <= 2:
        raise UsageError(_("expected a picture of the front and one of the back, in this order"))
    return measure_printer(pictures[0], pictures[1] if len(pictures) == 2 else None, _request(args))
