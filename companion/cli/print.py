"""`companion print`: boards, cards, pieces and sheets as PDF, to scale, and the printer measured by the camera."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.output import write_text
from companion.cli.exits import DONE
from companion.cli.parser import Subparsers, UsageError, examples, one_of, require_extra, unknown
from companion.cli.photographs import refuse_overwriting
from companion.locale import _

if TYPE_CHECKING:
    from companion.app.printing import PrintRequest

_THEMES = ("paper", "wood", "dark")
_PAPERS = ("a4", "letter", "a3", "a2", "b2", "a1", "whole")
_BACKS = ("long", "short", "fold", "none")
_DEFAULT_PARTS = ("board",)
_MOST_BLEED_MM = 20.0


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "print",
        help=_("print boards, cards and pieces as PDF"),
        description=_(
            "Writes boards with markers, cards, pieces and sheets for the camera as PDF, to scale: print at 100 %."
            " Without a part a game's board is written; kit writes all of a game with a cover page."
        ),
        epilog=_listing() + "\n\n" + _examples(),
    )
    parser.add_argument("what", nargs="?", metavar="WHAT", help=_("a game, or one of the words below"))
    parser.add_argument(
        "names", nargs="*", metavar="PART", help=_("parts of the game; kit: the game; measure: pictures")
    )
    parser.add_argument("--list", action="store_true", help=_("list all that can be printed"))
    _add_paper(parser)
    parser.add_argument(
        "--no-marks",
        action="store_true",
        help=_("pieces, cards and dice without markers; they are read with less certainty"),
    )
    parser.add_argument("--theme", type=one_of(_("theme"), lambda: _THEMES), default="paper", help=", ".join(_THEMES))
    parser.add_argument(
        "--table", type=Path, metavar="TABLE.toml", help=_("a table file of your own for board and markers")
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=_("challenge: which pieces are laid where"))
    parser.add_argument("--out", type=Path, metavar="FILE.pdf", help=_("where to write"))
    parser.add_argument("--preview", action="store_true", help=_("also write each page as PNG"))
    parser.add_argument(
        "--bar", type=_millimetres(50, 150), metavar="MM", help=_("measure: length of the 100 mm bar by your ruler")
    )


def _add_paper(parser: argparse.ArgumentParser) -> None:
    papers = ", ".join(_PAPERS)
    help_text = _("{papers}; whole: a board on one page").format(papers=papers)
    parser.add_argument("--paper", type=one_of(_("paper"), lambda: _PAPERS), default="a4", help=help_text)
    parser.add_argument(
        "--backs",
        type=one_of(_("way of printing backs"), lambda: _BACKS),
        default="long",
        help=_("long or short: both sides, turned on that edge; fold: one side, folded; none"),
    )
    parser.add_argument(
        "--bleed",
        type=_millimetres(0, _MOST_BLEED_MM),
        default=0.0,
        metavar="MM",
        help=_("how far colours go over the cutting lines"),
    )
    parser.add_argument("--no-crop-marks", action="store_true", help=_("print no cutting lines and marks"))


def _examples() -> str:
    return examples(
        "companion print royal-tee",
        "companion print royal-tee board pieces --paper letter",
        "companion print kit royal-study --preview",
        "companion print royal-tee markers --table my-board.toml",
        "companion print challenge territory --seed 7",
        "companion print measure front.jpg back.jpg",
    )


def _millimetres(least: float, most: float) -> Callable[[str], float]:
    """Make an argument's type that takes lengths in mm."""

    def convert(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not least <= value <= most:
            sentence = _('expected a length in mm from {least:g} to {most:g}, not "{word}"')
            raise argparse.ArgumentTypeError(sentence.format(least=least, most=most, word=text))
        return value

    return convert


@dataclass(frozen=True, slots=True)
class _Job:
    """What else than games can be printed: the words for it, what does it and returns lines to print, and whether
    other words follow."""

    help: str
    run: Callable[[argparse.Namespace], list[str]]
    takes_names: bool = False


def _jobs() -> Mapping[str, _Job]:
    return {
        "kit": _Job(_("everything of a game in one file, with a cover page"), _print_kit, takes_names=True),
        "charuco": _Job(_("the sheet that measures the camera's lens"), _print_sheet),
        "grey": _Job(_("grey patches for the camera's white balance"), _print_sheet),
        "page": _Job(_("a card with the code that leads phones to the page"), _print_sheet),
        "panel": _Job(_("the panel's drill plan and labels"), _print_sheet),
        "manual": _Job(_("the box's manual on one page: buttons, lamps, an evening"), _print_sheet),
        "calibrate": _Job(_("the two-sided sheet that measures the printer"), _print_sheet),
        "challenge": _Job(
            _("a sheet that says which pieces to lay where, and a code of that position"),
            _print_challenge,
            takes_names=True,
        ),
        "measure": _Job(_("read photographs of that sheet, and correct later prints"), _measure, takes_names=True),
    }


def _listing() -> str:
    jobs = [f"  {word:<10} {job.help}" for word, job in _jobs().items()]
    return "\n".join([_("besides games:"), *jobs])


def run(args: argparse.Namespace) -> int:
    """Print, measure or list.

    Raises:
        UsageError: there is no such thing to print, or the extra "print" is not installed.
        PrintingError: it cannot be printed as asked.
    """
    from companion.printing.kits import games_with_kits

    require_extra("print")
    if args.list:
        return _list()
    if args.what is None:
        raise UsageError(_("expected what to print; see companion print --list"))
    if args.what in games_with_kits():
        write_text(*_print_game(args))
        return DONE
    job = _jobs().get(args.what)
    if job is None:
        raise UsageError(unknown(_("thing to print"), args.what, [*games_with_kits(), *_jobs()]))
    if args.names and not job.takes_names:
        raise UsageError(unknown(_("argument"), args.names[0], ["--out", "--paper", "--preview"]))
    write_text(*job.run(args))
    return DONE


def _list() -> int:
    from companion.app.printing import list_parts

    plain = _("pieces, cards and dice without markers; they are read with less certainty")
    write_text(*list_parts(), _listing(), f"--no-marks: {plain}")
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
    from companion.printing.kits import games_with_kits

    if len(args.names) != 1:
        raise UsageError(_("expected one game after kit, as in: companion print kit royal-tee"))
    if args.names[0] not in games_with_kits():
        raise UsageError(unknown(_("game"), args.names[0], games_with_kits()))
    return print_whole_kit(args.names[0], _request(args))


def _print_challenge(args: argparse.Namespace) -> list[str]:
    from companion.app.printing import print_challenge
    from companion.printing.kits import games_with_kits

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
