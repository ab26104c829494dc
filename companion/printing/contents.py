"""What there is to print for a game, part by part, and whole kits with a cover page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from companion.games.kit import Kit, KitSheet
from companion.locale import _
from companion.printing.board_face import board_face
from companion.printing.cover import Cover, CoverEntry, aid_sheet, cover_items
from companion.printing.cut_sheets import Backs, CutStyle, draw_sheet
from companion.printing.document import Document
from companion.printing.kits import kit_of
from companion.printing.marker_sheet import draw_marker_sheet
from companion.printing.paper import NO_CORRECTION, PAPERS, Correction, Paper
from companion.printing.pieces import piece_sheet, sticker_sheet
from companion.printing.themes import THEMES, Theme
from companion.printing.tiling import TileMarks, draw_tiled
from companion.printing.touch import braille_sheet, key_items, notched_sheet, raised_lines
from vision.board import Board, shipped_board


@dataclass(frozen=True, slots=True)
class Options:
    """How things are printed.

    Attributes:
        paper: what boards and sheets are printed on; "whole" boards come on one page as large as they are.
        theme: colours.
        backs: how backs come to their cards.
        bleed_mm: how far grounds go over cutting lines.
        cutting: whether cutting lines and crop marks are printed.
        marked: whether pieces, cards and dice bear markers.
        correction: of the measured printer.
    """

    paper: Paper = PAPERS["a4"]
    theme: Theme = THEMES["paper"]
    backs: Backs = "long"
    bleed_mm: float = 0.0
    cutting: bool = True
    marked: bool = True
    whole: bool = False
    correction: Correction = NO_CORRECTION

    @property
    def cut_style(self) -> CutStyle:
        """How parts are put on pages."""
        return CutStyle(self.backs, self.bleed_mm, self.cutting)


@dataclass(frozen=True, slots=True)
class KitPart:
    """Something that can be printed: its word on the command line, its title, and what draws it.

    Attributes:
        pieces: how many there are to cut out.
        two_sided: whether its backs are printed on the other side of the paper.
        declared: whether a table file goes with it.
    """

    key: str
    title: str
    draw: Callable[[Document], None]
    pieces: int = 1
    two_sided: bool = False
    declared: bool = False


def parts_of(game: str, options: Options, board: Board | None = None) -> tuple[KitPart, ...]:
    """Return what a game has to print, in the order of its kit; `board` is another table file than the shipped one."""
    kit, table = kit_of(game), board or shipped_board(game)
    return (
        KitPart("board", _("Board"), partial(_draw_board, kit, table, options)),
        *_sheet_parts(kit, options),
        KitPart("markers", _("Markers for your own board"), partial(_draw_markers, table, options)),
        *([_sheet_part(kit, sticker_sheet(kit), options)] if kit.pieces else []),
        *([_sheet_part(kit, notched_sheet(kit, options.theme, marked=options.marked), options)] if kit.pieces else []),
        KitPart("touch", _("For fingers: lines, Braille, large print"), partial(_draw_touch, kit, table, options)),
    )


_APART = ("markers", "stickers", "notched", "touch")
"""What a whole kit has not: what owners of a real board need, and what is for fingers."""


def kit_keys(game: str, options: Options) -> tuple[str, ...]:
    """Return the words of the parts that a whole kit has."""
    return tuple(part.key for part in parts_of(game, options) if part.key not in _APART)


def _sheet_parts(kit: Kit, options: Options) -> Iterator[KitPart]:
    if kit.pieces:
        yield _sheet_part(kit, piece_sheet(kit, options.theme, marked=options.marked), options)
    for sheet in kit.sheets(options.marked):
        yield _sheet_part(kit, sheet, options)
    if kit.turn:
        yield _sheet_part(kit, aid_sheet(kit), options)


def _sheet_part(kit: Kit, sheet: KitSheet, options: Options) -> KitPart:
    two_sided = bool(sheet.backs) and options.backs in ("long", "short")
    draw = partial(_draw_sheet, kit, sheet, options)
    return KitPart(sheet.key, sheet.title, draw, len(sheet.fronts), two_sided, sheet.declared)


def _draw_sheet(kit: Kit, sheet: KitSheet, options: Options, document: Document) -> None:
    draw_sheet(document, sheet, options.paper, options.cut_style, kit.title)


def _draw_markers(table: Board, options: Options, document: Document) -> None:
    draw_marker_sheet(document, table, options.paper)


def _draw_board(kit: Kit, table: Board, options: Options, document: Document) -> None:
    face = board_face(table, kit.board, options.theme, bleed_mm=options.bleed_mm)
    title = _("{game}: board").format(game=kit.title)
    paper = _whole(table, options.bleed_mm) if options.whole else options.paper
    draw_tiled(document, face, paper, title, TileMarks(options.bleed_mm, options.cutting))


def _draw_touch(kit: Kit, table: Board, options: Options, document: Document) -> None:
    """Draw the back of the board, Braille labels and the key in large print."""
    title = _("{game}: for the back of the board").format(game=kit.title)
    paper = _whole(table, 0.0) if options.whole else options.paper
    draw_tiled(document, raised_lines(table), paper, title, TileMarks(0.0, options.cutting))
    draw_sheet(document, braille_sheet(table), options.paper, options.cut_style, kit.title)
    with document.page(options.paper) as pen:
        pen.items(key_items(kit, table, options.paper.width_mm, 15.0))


def _whole(table: Board, bleed_mm: float) -> Paper:
    """Return paper that has room for a board, its bleed, its marks and its caption on one page."""
    width, height = (length + 2 * bleed_mm for length in table.size)
    return Paper("whole", width + 30.0, height + 44.0, 8.0)


def print_parts(title: str, parts: Sequence[KitPart], options: Options) -> bytes:
    """Return a PDF of some parts."""
    document = _document(title, options)
    for part in parts:
        part.draw(document)
    return document.pdf()


def print_kit(game: str, options: Options, table_file: str = "", board: Board | None = None) -> bytes:
    """Return a PDF of a game's whole kit, its cover page first; `board` is another table file than the shipped one."""
    kit = kit_of(game)
    keys = kit_keys(game, options)
    parts = [part for part in parts_of(game, options, board) if part.key in keys]
    flip = options.backs if options.backs in ("long", "short") else ""
    document = _document(kit.title, options)
    cover = Cover(
        kit, options.paper, tuple(_entries(parts, options)), flip, table_file, options.marked, options.cutting
    )
    with document.page(options.paper) as pen:
        pen.items(cover_items(cover))
    for part in parts:
        part.draw(document)
    return document.pdf()


def _entries(parts: Sequence[KitPart], options: Options) -> Iterator[CoverEntry]:
    """Count the pages of each part by drawing it once; a part with backs begins on the front of a sheet."""
    first = 2
    for part in parts:
        trial = _document("", replace(options, correction=NO_CORRECTION))
        part.draw(trial)
        yield CoverEntry(part.title, first, trial.pages, part.pieces, part.two_sided)
        first += trial.pages


def _document(title: str, options: Options) -> Document:
    flip = options.backs
    return Document(title, options.theme, options.correction, flip if flip in ("long", "short") else None)
