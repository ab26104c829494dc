"""`companion print`: boards, cards, pieces and sheets as PDF, to scale, and the printer measured by the camera."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from companion.app.output import write_text
from companion.app.photo_reading import table_for
from companion.cli.arguments import print_jobs, print_listing
from companion.cli.exits import DONE
from companion.cli.parser import UsageError
from companion.cli.photographs import refuse_overwriting
from companion.games.speech import table_title
from companion.locale import _, ngettext
from companion.printing.challenge import draw_challenge
from companion.printing.contents import parts_of, print_kit, print_parts
from companion.printing.cut_sheets import draw_sheet
from companion.printing.document import Document, page_pictures, png
from companion.printing.kits import games_with_kits, kit_of
from companion.printing.measure import draw_printer_sheet, in_words, measure, measuring_option
from companion.printing.paper import NO_CORRECTION, PAPERS, Options
from companion.printing.sheets import draw_charuco, draw_grey, draw_manual, draw_page_card, panel_sheets
from companion.printing.table_file import checked, printed_table, sticker_table
from companion.printing.themes import THEMES
from companion.shell.config_files import PRINTER_FILE, correction_toml, find_correction, find_wiring
from companion.shell.config_places import write_own
from companion.shell.errors import unknown
from companion.shell.settings import find_settings
from vision.board import shipped_board
from vision.file_access import write_atomically

_PREVIEW_PX_PER_MM = 4.0
_STICKERS = "stickers"


def run(args: argparse.Namespace) -> int:
    """Print, measure or list.

    Raises:
        UsageError: there is no such thing to print.
        PrintingError: it cannot be printed with these options.
        BoardFileError: the table file cannot be read.
    """
    games = games_with_kits()
    if args.list:
        for game in games:
            lines = [f"  {part.key:<11} {part.title}" for part in parts_of(game, Options())]
            write_text(f"companion print {game}", *lines)
        plain = _("pieces, cards and dice without markers; they are read with less certainty")
        write_text(print_listing(), f"--no-marks: {plain}")
        return DONE
    if args.what is None:
        raise UsageError(_("expected what to print; see companion print --list"))
    if args.what not in (*games, *print_jobs()):
        raise UsageError(unknown(_("thing to print"), args.what, [*games, *print_jobs()]))
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
    jobs = {"kit": _print_kit, "challenge": _print_challenge, "measure": _measure}
    jobs.get(args.what, _print_game if args.what in games else _print_sheet)(args, options)
    return DONE


def _print_game(args: argparse.Namespace, options: Options) -> None:
    """Write parts of a game, with the table files of paper pieces and of markers for the users' own."""
    game, words = args.what, args.names or ["board"]
    own = None if args.table is None else table_for(game, args.table)
    known = {part.key: part for part in parts_of(game, options, own)}
    if strange := [word for word in words if word not in known]:
        raise UsageError(unknown(_("part"), strange[0], known))
    parts = [known[word] for word in words]
    _write_pdf(args, f"{game}-{'-'.join(words)}", print_parts(kit_of(game).title, parts, options))
    declared = {part.key for part in parts if part.declared}
    if declared - {_STICKERS}:
        _write_kit_table(args, options, game)
    if _STICKERS in declared:
        _write_table(args, f"{game}-stickers.toml", sticker_table(game, _own_text(args)))


def _print_kit(args: argparse.Namespace, options: Options) -> None:
    """Write a game's whole kit with a cover page, and its table file."""
    game = _only_game(args, _("expected one game after kit, as in: companion print kit royal-tee"))
    declared = kit_of(game).plain and not options.marked  # markers are recognised without a table file
    table = _table_name(game, options) if declared else ""
    own = None if args.table is None else table_for(game, args.table)
    _write_pdf(args, f"{game}-kit", print_kit(game, options, table, own))
    _write_kit_table(args, options, game)


def _print_challenge(args: argparse.Namespace, options: Options) -> None:
    """Write a sheet with a position to lay out, and its code."""
    expected = _("expected one game after challenge, as in: companion print challenge territory --seed 7")
    board = shipped_board(_only_game(args, expected))
    title = _("{game}: challenge {seed}").format(game=table_title(board), seed=args.seed)
    document = Document(title, options.theme, options.correction)
    draw_challenge(document, options.paper, board, args.seed)
    _write_pdf(args, f"{board.game}-challenge-{args.seed}", document.pdf())


def _only_game(args: argparse.Namespace, expected: str) -> str:
    if len(args.names) != 1:
        raise UsageError(expected)
    if args.names[0] not in games_with_kits():
        raise UsageError(unknown(_("game"), args.names[0], games_with_kits()))
    return str(args.names[0])


def _print_sheet(args: argparse.Namespace, options: Options) -> None:
    """Write a sheet without a game; the printer's test is not corrected for the printer."""
    if args.names:
        raise UsageError(unknown(_("argument"), args.names[0], ["--out", "--paper", "--preview"]))
    titles = {
        "charuco": _("ChArUco sheet"),
        "grey": _("Grey patch"),
        "page": "companion.local",
        "manual": _("The box on one page"),
        "calibrate": _("Printer test"),
        "panel": _("Panel"),
    }
    is_test = args.what == "calibrate"
    document = Document(titles[args.what], options.theme, NO_CORRECTION if is_test else options.correction)
    if args.what == "panel":  # for the pins of this machine's wiring
        for sheet in panel_sheets(find_wiring(find_settings(os.environ).settings.hardware, os.environ)):
            draw_sheet(document, sheet, options, _("Panel"))
    else:
        draws = {"charuco": draw_charuco, "grey": draw_grey, "page": draw_page_card, "manual": draw_manual}
        draws.get(args.what, draw_printer_sheet)(document, options.paper)
    _write_pdf(args, "printer-test" if is_test else args.what, document.pdf())
    if is_test:
        hint = _("Print it on both sides, photograph both, then: companion print measure FRONT.jpg BACK.jpg")
        write_text(hint + measuring_option(options.paper))


def _measure(args: argparse.Namespace, options: Options) -> None:
    """Measure the printer from photographs of its test sheet, and store the correction."""
    if not 1 <= len(args.names) <= 2:
        raise UsageError(_("expected a picture of the front and one of the back, in this order"))
    front, back = Path(args.names[0]), Path(args.names[1]) if len(args.names) == 2 else None
    found = measure(front, back, options.paper, args.bar)
    path = write_own(PRINTER_FILE, correction_toml(found), args.out)
    write_text(*in_words(found), _("kept in {file}; later prints are corrected by it").format(file=path))


# ---- the users' own table, and the table files and PDFs that are written


def _own_text(args: argparse.Namespace) -> str | None:
    return None if args.table is None else args.table.read_text(encoding="utf-8")


def _table_name(game: str, options: Options) -> str:
    return f"{game}-marked.toml" if options.marked else f"{game}-paper.toml"


def _write_kit_table(args: argparse.Namespace, options: Options, game: str) -> None:
    """Write the table file of paper pieces if the camera can read them."""
    marked = options.marked
    if not (marked or kit_of(game).plain):
        write_text(_("Without markers the camera does not read these pieces; for the camera, print them with markers."))
        return
    text = printed_table(game, marked=marked, own=_own_text(args))
    _write_table(args, _table_name(game, options), text, needed=not marked)
    if not marked:
        write_text(_("Without markers the camera reads paper pieces with less certainty; it reports what is unsure."))


def _write_table(args: argparse.Namespace, name: str, text: str, *, needed: bool = True) -> None:
    """Write a table file next to the print; tell the users whether it is `needed` to play."""
    path = (args.out.parent if args.out else Path()) / name
    checked(text, str(path))
    write_atomically(path, text)
    give = _("{file}: the table file of these pieces; give it with --table")
    recognized = _("{file}: for other programs; here these pieces are recognized by their markers")
    write_text((give if needed else recognized).format(file=path))


def _write_pdf(args: argparse.Namespace, name: str, pdf: bytes) -> None:
    """Write a PDF, and with --preview each page as PNG."""
    path = args.out or Path(f"{name}.pdf")
    write_atomically(path, pdf)
    pages = list(page_pictures(pdf, _PREVIEW_PX_PER_MM if args.preview else 0.2))
    sentence = ngettext(
        "{file}: {number} page; print it at 100 %", "{file}: {number} pages; print them at 100 %", len(pages)
    )
    write_text(sentence.format(file=path, number=len(pages)))
    for number, image in enumerate(pages, 1) if args.preview else ():
        file = path.with_suffix(".png") if len(pages) == 1 else path.with_name(f"{path.stem}-{number:02d}.png")
        write_atomically(file, png(image))
        write_text(_("{file}: written").format(file=file))
