"""`companion print`: boards, cards, pieces and sheets as PDF, to scale, and the printer measured by the camera."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.output import write_text
from companion.cli.exits import DONE
from companion.cli.parser import Subparsers, UsageError, examples, one_of, unknown
from companion.locale import _, ngettext

if TYPE_CHECKING:
    from companion.printing.contents import Options

_PREVIEW_PX_PER_MM = 4.0
_THEMES = ("paper", "wood", "dark")
_PAPERS = ("a4", "letter", "a3", "a2", "b2", "a1", "whole")
_BACKS = ("long", "short", "fold", "none")
_DEFAULT_PARTS = ("board",)


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
        help=_("pieces, cards and dice without markers; they are read less surely"),
    )
    parser.add_argument("--theme", type=one_of(_("theme"), lambda: _THEMES), default="paper", help=", ".join(_THEMES))
    parser.add_argument(
        "--table", type=Path, metavar="TABLE.toml", help=_("a table file of your own for board and markers")
    )
    parser.add_argument("--out", type=Path, metavar="FILE.pdf", help=_("where to write"))
    parser.add_argument("--preview", action="store_true", help=_("also write each page as PNG"))
    parser.add_argument(
        "--bar", type=_millimetres, metavar="MM", help=_("measure: length of the 100 mm bar by your ruler")
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
        "--bleed", type=_millimetres, default=0.0, metavar="MM", help=_("how far colours go over the cutting lines")
    )
    parser.add_argument("--no-crop-marks", action="store_true", help=_("print no cutting lines and marks"))


def _examples() -> str:
    return examples(
        "companion print royal-tee",
        "companion print royal-tee board pieces --paper letter",
        "companion print kit royal-study --preview",
        "companion print royal-tee markers --table my-board.toml",
        "companion print measure front.jpg back.jpg",
    )


def _millimetres(text: str) -> float:
    """Understand a length in mm."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1000:
        raise argparse.ArgumentTypeError(_('expected a length in mm from 0 to 1000, not "{word}"').format(word=text))
    return value


@dataclass(frozen=True, slots=True)
class _Job:
    """What else than games can be printed: the words for it and what does it."""

    help: str
    run: Callable[[argparse.Namespace], int]


def _jobs() -> Mapping[str, _Job]:
    return {
        "kit": _Job(_("everything of a game in one file, with a cover page"), _print_kit),
        "charuco": _Job(_("the sheet that measures the camera's lens"), _print_charuco),
        "grey": _Job(_("grey patches for the camera's white balance"), _print_grey),
        "panel": _Job(_("the panel's drill plan and labels"), _print_panel),
        "calibrate": _Job(_("the two-sided sheet that measures the printer"), _print_calibrate),
        "measure": _Job(_("read photographs of that sheet, and correct later prints"), _measure),
    }


def _listing() -> str:
    jobs = [f"  {word:<10} {job.help}" for word, job in _jobs().items()]
    return "\n".join([_("besides games:"), *jobs])


def run(args: argparse.Namespace) -> int:
    """Print, measure or list.

    Raises:
        UsageError: there is no such thing to print.
        PrintingError: it cannot be printed as asked.
    """
    from companion.printing.kits import games_with_kits

    if args.list:
        return _list()
    if args.what is None:
        raise UsageError(_("expected what to print; see companion print --list"))
    if args.what in games_with_kits():
        return _print_game(args)
    job = _jobs().get(args.what)
    if job is None:
        raise UsageError(unknown(_("thing to print"), args.what, [*games_with_kits(), *_jobs()]))
    return job.run(args)


def _list() -> int:
    from companion.printing.contents import Options, parts_of
    from companion.printing.kits import games_with_kits

    for game in games_with_kits():
        parts = [f"  {part.key:<11} {part.title}" for part in parts_of(game, Options())]
        write_text(f"companion print {game}", *parts)
    write_text(_listing())
    return DONE


def _options(args: argparse.Namespace, *, corrected: bool = True) -> Options:
    from companion.printing.contents import Options
    from companion.printing.paper import NO_CORRECTION, PAPERS
    from companion.printing.themes import THEMES
    from companion.shell.printer_file import find_correction

    whole = args.paper == "whole"
    return Options(
        paper=PAPERS["a4" if whole else args.paper],
        theme=THEMES[args.theme],
        backs=args.backs,
        bleed_mm=args.bleed,
        cutting=not args.no_crop_marks,
        marked=not args.no_marks,
        whole=whole,
        correction=find_correction(os.environ) if corrected else NO_CORRECTION,
    )


def _print_game(args: argparse.Namespace) -> int:
    from companion.printing.contents import parts_of, print_parts
    from companion.printing.kits import kit_of

    options = _options(args)
    parts = {part.key: part for part in parts_of(args.what, options, _own_board(args))}
    words = args.names or _DEFAULT_PARTS
    for word in words:
        if word not in parts:
            raise UsageError(unknown(_("part"), word, parts))
    pdf = print_parts(kit_of(args.what).title, [parts[word] for word in words], options)
    _write_pdf(args, pdf, f"{args.what}-{'-'.join(words)}.pdf")
    if {"pieces", "cards", "flags", "stickers", "standees"} & set(words):
        _write_table(args, args.what)
    if args.no_marks:
        write_text(_("Without markers the camera reads paper pieces less surely; it reports what is unsure."))
    return DONE


def _own_board(args: argparse.Namespace):  # type: ignore[no-untyped-def]
    from vision.board import load_board

    return None if args.table is None else load_board(args.table)


def _print_kit(args: argparse.Namespace) -> int:
    from companion.printing.contents import print_kit
    from companion.printing.kits import games_with_kits

    if len(args.names) != 1:
        raise UsageError(_("expected one game after kit, as in: companion print kit royal-tee"))
    game = args.names[0]
    if game not in games_with_kits():
        raise UsageError(unknown(_("game"), game, games_with_kits()))
    table = _table_path(args, game)
    _write_pdf(args, print_kit(game, _options(args), table.name), f"{game}-kit.pdf")
    _write_table(args, game)
    return DONE


def _table_path(args: argparse.Namespace, game: str) -> Path:
    name = f"{game}-paper.toml" if args.no_marks else f"{game}-marked.toml"
    return (args.out.parent if args.out else Path()) / name


def _write_table(args: argparse.Namespace, game: str) -> None:
    """Write the table file of paper pieces beside the print."""
    from companion.printing.kits import kit_of
    from companion.printing.table_file import checked, printed_table
    from vision.file_access import write_atomically

    path = _table_path(args, game)
    text = printed_table(game, kit_of(game), marked=not args.no_marks)
    checked(text, str(path))
    write_atomically(path, text)
    write_text(_("{file}: the table file of these pieces; give it with --table").format(file=path))


def _write_pdf(args: argparse.Namespace, pdf: bytes, name: str) -> None:
    from companion.printing.preview import page_files, page_pictures, png
    from vision.file_access import write_atomically

    path = args.out or Path(name)
    write_atomically(path, pdf)
    pages = list(page_pictures(pdf, _PREVIEW_PX_PER_MM if args.preview else 0.2))
    sentence = ngettext(
        "{file}: {number} page; print it at 100 %", "{file}: {number} pages; print them at 100 %", len(pages)
    )
    write_text(sentence.format(file=path, number=len(pages)))
    if args.preview:
        for file, image in zip(page_files(path, len(pages)), pages, strict=True):
            write_atomically(file, png(image))
            write_text(_("{file}: written").format(file=file))


def _print_charuco(args: argparse.Namespace) -> int:
    from companion.printing.camera_sheets import draw_charuco

    return _print_pages(args, "charuco", _("ChArUco sheet"), draw_charuco)


def _print_grey(args: argparse.Namespace) -> int:
    from companion.printing.camera_sheets import draw_grey

    return _print_pages(args, "grey", _("Grey patch"), draw_grey)


def _print_calibrate(args: argparse.Namespace) -> int:
    from companion.printing.printer_sheet import draw_printer_sheet

    code = _print_pages(args, "printer-test", _("Printer test"), draw_printer_sheet, corrected=False)
    write_text(_("Print it on both sides, photograph both, then: companion print measure FRONT.jpg BACK.jpg"))
    return code


def _print_pages(  # type: ignore[no-untyped-def]
    args: argparse.Namespace, name: str, title: str, draw, *, corrected: bool = True
) -> int:
    from companion.printing.document import Document

    options = _options(args, corrected=corrected)
    document = Document(title, options.theme, options.correction)
    draw(document, options.paper)
    _write_pdf(args, document.pdf(), f"{name}.pdf")
    return DONE


def _print_panel(args: argparse.Namespace) -> int:
    from companion.printing.cut_sheets import draw_sheet
    from companion.printing.document import Document
    from companion.printing.panel_sheets import panel_sheets
    from companion.shell.hardware_file import wiring
    from companion.shell.settings import find_settings

    options = _options(args)
    pins = wiring(find_settings(os.environ).settings.hardware, os.environ)
    document = Document(_("Panel"), options.theme, options.correction)
    for sheet in panel_sheets(pins):
        draw_sheet(document, sheet, options.paper, options.cut_style, _("Panel"))
    _write_pdf(args, document.pdf(), "panel.pdf")
    return DONE


def _measure(args: argparse.Namespace) -> int:
    from companion.printing.measure import in_words, measure
    from companion.printing.paper import PAPERS
    from companion.shell.printer_file import own_printer_file, write_correction

    pictures: Sequence[str] = args.names
    if not 1 <= len(pictures) <= 2:
        raise UsageError(_("expected a picture of the front and one of the back, in this order"))
    front, back = Path(pictures[0]), Path(pictures[1]) if len(pictures) == 2 else None
    found = measure(front, back, PAPERS[args.paper if args.paper in PAPERS else "a4"], args.bar)
    path = args.out or own_printer_file()
    write_correction(found, path)
    write_text(*in_words(found), _("kept in {file}; later prints are corrected by it").format(file=path))
    return DONE
