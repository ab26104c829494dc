"""The making of prints: choose the parts, write PDF, table file and previews, measure the printer from photographs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.locale import _, ngettext
from companion.printing.challenge import draw_challenge
from companion.printing.contents import KitPart, parts_of, print_kit, print_parts
from companion.printing.cut_sheets import draw_sheet
from companion.printing.document import Document
from companion.printing.kits import games_with_kits, kit_of
from companion.printing.measure import draw_printer_sheet, in_words, measure, measuring_option
from companion.printing.paper import NO_CORRECTION, Options, PrintingError
from companion.printing.pictures import page_files, page_pictures, png
from companion.printing.sheets import draw_charuco, draw_grey, draw_manual, draw_page_card, panel_sheets
from companion.printing.table_file import checked, printed_table, sticker_table
from companion.shell.config_files import PRINTER_FILE, correction_toml, find_wiring
from companion.shell.config_places import write_own
from companion.shell.settings import find_settings
from vision.board import Board, load_board, shipped_board
from vision.file_access import write_atomically

_PREVIEW_PX_PER_MM = 4.0
_STICKERS = "stickers"


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """A print job.

    Attributes:
        options: how it is printed.
        table: a table file of the users' own, for board and markers.
        out: the file to write; None for a default name in the working folder.
        preview: whether each page is also written as PNG.
        bar_mm: length of the check bar as measured with a ruler.
    """

    options: Options
    table: Path | None = None
    out: Path | None = None
    preview: bool = False
    bar_mm: float | None = None


def list_parts() -> list[str]:
    """Return a line for every game and each of its parts."""
    lines = []
    for game in games_with_kits():
        lines += [f"companion print {game}"]
        lines += [f"  {part.key:<11} {part.title}" for part in parts_of(game, Options())]
    return lines


def parts_by_word(game: str, request: PrintRequest) -> Mapping[str, KitPart]:
    """Return the parts of a game by their words on the command line.

    Raises:
        BoardFileError: the request's table file cannot be read.
        PrintingError: it is another game's.
    """
    return {part.key: part for part in parts_of(game, request.options, _own_board(game, request))}


def print_game(game: str, words: Sequence[str], request: PrintRequest) -> list[str]:
    """Write parts of a game, with the table file of paper pieces; return what was done, as lines.

    Raises:
        KeyError: the game has no such part.
        PrintingError: it cannot be printed as asked.
    """
    known = parts_by_word(game, request)
    parts = [known[word] for word in words]
    pdf = print_parts(kit_of(game).title, parts, request.options)
    lines = _write_pdf(pdf, f"{game}-{'-'.join(words)}.pdf", request)
    declared = {part.key for part in parts if part.declared}
    if declared - {_STICKERS}:
        lines += _table_file(game, request)
    if _STICKERS in declared:
        text = sticker_table(game, kit_of(game), own=_own_text(request))
        lines.append(_write_table(request, f"{game}-stickers.toml", text))
    return lines


def print_whole_kit(game: str, request: PrintRequest) -> list[str]:
    """Write a game's whole kit with a cover page, and its table file; return what was done, as lines.

    Raises:
        PrintingError: it cannot be printed as asked.
    """
    declared = _is_readable(game, request) and not request.options.marked  # markers are recognised without a table file
    table = _table_name(game, request) if declared else ""
    pdf = print_kit(game, request.options, table, _own_board(game, request))
    return [*_write_pdf(pdf, f"{game}-kit.pdf", request), *_table_file(game, request)]


def print_challenge(game: str, seed: int, request: PrintRequest) -> list[str]:
    """Write a sheet with a position to lay out, and its code.

    Raises:
        PrintingError: the game has cards on its cells.
    """
    board = shipped_board(game)
    title = _("{game}: challenge {seed}").format(game=board.title, seed=seed)
    name = f"{game}-challenge-{seed}"
    return _print_pages(name, title, lambda document, how: draw_challenge(document, how.paper, board, seed), request)


def draw_panel(document: Document, options: Options) -> None:
    """Draw the panel's drill plan and labels, for the pins of this machine's wiring."""
    pins = find_wiring(find_settings(os.environ).settings.hardware, os.environ)
    for sheet in panel_sheets(pins):
        draw_sheet(document, sheet, options, _("Panel"))


def print_sheet(word: str, request: PrintRequest) -> list[str]:
    """Write a sheet without a game, by its word on the command line; return what was done, as lines."""
    if word == "panel":
        return _print_pages("panel", _("Panel"), draw_panel, request)
    draw, title = {
        "charuco": (draw_charuco, _("ChArUco sheet")),
        "grey": (draw_grey, _("Grey patch")),
        "page": (draw_page_card, "companion.local"),
        "manual": (draw_manual, _("The box on one page")),
        "calibrate": (draw_printer_sheet, _("Printer test")),
    }[word]
    if word != "calibrate":
        return _print_pages(word, title, lambda document, options: draw(document, options.paper), request)
    plain = replace(request, options=replace(request.options, correction=NO_CORRECTION))
    lines = _print_pages("printer-test", title, lambda document, options: draw(document, options.paper), plain)
    hint = _("Print it on both sides, photograph both, then: companion print measure FRONT.jpg BACK.jpg")
    return [*lines, hint + measuring_option(request.options.paper)]


def measure_printer(front: Path, back: Path | None, request: PrintRequest) -> list[str]:
    """Measure the printer from photographs of its test sheet and store the correction; return the result as lines.

    Raises:
        MeasuringError: a picture does not show what it should.
    """
    found = measure(front, back, request.options.paper, request.bar_mm)
    path = write_own(PRINTER_FILE, correction_toml(found), request.out)
    return [*in_words(found), _("kept in {file}; later prints are corrected by it").format(file=path)]


def _own_board(game: str, request: PrintRequest) -> Board | None:
    if request.table is None:
        return None
    board = load_board(request.table)
    if board.game != game:
        sentence = _('{file}: game: expected "{game}", found "{found}"')
        raise PrintingError(sentence.format(file=request.table, game=game, found=board.game))
    return board


def _is_readable(game: str, request: PrintRequest) -> bool:
    return request.options.marked or kit_of(game).plain


def _table_file(game: str, request: PrintRequest) -> list[str]:
    """Write the table file of paper pieces, if the camera can read them, and return lines about it."""
    if not _is_readable(game, request):
        return [_("Without markers the camera does not read these pieces; for the camera, print them with markers.")]
    text = printed_table(game, kit_of(game), marked=request.options.marked, own=_own_text(request))
    lines = [_write_table(request, _table_name(game, request), text, needed=not request.options.marked)]
    if not request.options.marked:
        lines.append(_("Without markers the camera reads paper pieces with less certainty; it reports what is unsure."))
    return lines


def _table_name(game: str, request: PrintRequest) -> str:
    return f"{game}-marked.toml" if request.options.marked else f"{game}-paper.toml"


def _own_text(request: PrintRequest) -> str | None:
    return None if request.table is None else request.table.read_text(encoding="utf-8")


def _write_table(request: PrintRequest, name: str, text: str, *, needed: bool = True) -> str:
    """Write a table file next to the print; return a sentence, which says whether it is `needed` to play."""
    path = (request.out.parent if request.out else Path()) / name
    checked(text, str(path))
    write_atomically(path, text)
    give = _("{file}: the table file of these pieces; give it with --table")
    recognized = _("{file}: for other programs; here these pieces are recognized by their markers")
    return (give if needed else recognized).format(file=path)


def _print_pages(name: str, title: str, draw: Callable[[Document, Options], None], request: PrintRequest) -> list[str]:
    document = Document(title, request.options.theme, request.options.correction)
    draw(document, request.options)
    return _write_pdf(document.pdf(), f"{name}.pdf", request)


def _write_pdf(pdf: bytes, name: str, request: PrintRequest) -> list[str]:
    path = request.out or Path(name)
    write_atomically(path, pdf)
    pages = list(page_pictures(pdf, _PREVIEW_PX_PER_MM if request.preview else 0.2))
    sentence = ngettext(
        "{file}: {number} page; print it at 100 %", "{file}: {number} pages; print them at 100 %", len(pages)
    )
    lines = [sentence.format(file=path, number=len(pages))]
    if request.preview:
        for file, image in zip(page_files(path, len(pages)), pages, strict=True):
            write_atomically(file, png(image))
            lines.append(_("{file}: written").format(file=file))
    return lines
