"""What can be printed for a game: single parts, whole kits with a cover, and markers for a board of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from companion.games.kit import SCALE_PT, Circle, Drawing, Item, Kit, KitLine, KitSheet, Mark, Rectangle, Words
from companion.games.speech import table_title
from companion.locale import _
from companion.printing.board_face import board_face, cell_box
from companion.printing.cover import KitPart, aid_sheet, cover_items
from companion.printing.cut_sheets import draw_sheet
from companion.printing.document import Document
from companion.printing.kits import kit_of
from companion.printing.page_marks import CHECK_MM, check_bar, head
from companion.printing.paper import NO_CORRECTION, Options, Paper
from companion.printing.pieces import piece_sheet, sticker_sheet
from companion.printing.tiling import draw_tiled
from companion.printing.touch import braille_sheet, key_items, notched_sheet, raised_lines
from vision.board import Board, shipped_board
from vision.localization.markers import modules_of


def parts_of(game: str, options: Options, board: Board | None = None) -> tuple[KitPart, ...]:
    """Return the parts of a game in the order of its kit; `board` replaces the shipped table file."""
    kit, table = kit_of(game), board or shipped_board(game)
    flat = [piece_sheet(kit, options.theme, marked=options.marked)] if kit.pieces else []
    aids = [aid_sheet(kit)] if kit.turn else []
    own = [sticker_sheet(kit), notched_sheet(kit, options.theme, marked=options.marked)] if kit.pieces else []

    def draw_board(document: Document) -> None:
        face = board_face(table, kit.board, options.theme, bleed_mm=options.bleed_mm)
        draw_tiled(document, face, _for_board(table, options), _("{game}: board").format(game=kit.title))

    def draw_touch(document: Document) -> None:
        """Draw the back of the board, Braille labels and the key in large print."""
        title = _("{game}: for the back of the board").format(game=kit.title)
        draw_tiled(document, raised_lines(table), _for_board(table, replace(options, bleed_mm=0.0)), title)
        draw_sheet(document, braille_sheet(table), options, kit.title)
        with document.page(options.paper) as pen:
            pen.items(key_items(kit, table, options.paper.width_mm, 15.0))

    return (
        KitPart("board", _("Board"), draw_board),
        *(_sheet_part(kit, sheet, options) for sheet in (*flat, *kit.sheets(options.marked), *aids)),
        KitPart("markers", _("Markers for your own board"), partial(_draw_markers, table, options.paper)),
        *(_sheet_part(kit, sheet, options) for sheet in own),
        KitPart("touch", _("For fingers: lines, Braille, large print"), draw_touch),
    )


_APART = ("markers", "stickers", "notched", "touch")
"""Parts that a whole kit leaves out: those for owners of a real board, and those to be read by touch."""


def kit_parts(game: str, options: Options, board: Board | None = None) -> list[KitPart]:
    """Return the parts of a whole kit; `board` replaces the shipped table file."""
    return [part for part in parts_of(game, options, board) if part.key not in _APART]


def _sheet_part(kit: Kit, sheet: KitSheet, options: Options) -> KitPart:
    draw = partial(draw_sheet, sheet=sheet, options=options, game=kit.title)
    return KitPart(sheet.key, sheet.title, draw, len(sheet.fronts), bool(sheet.backs and options.flip), sheet.declared)


def _for_board(table: Board, options: Options) -> Options:
    """Return the options, for a whole board with paper that has room for it, its bleed, marks and caption."""
    width, height = (length + 2 * options.bleed_mm for length in table.size)
    return replace(options, paper=Paper("whole", width + 30.0, height + 44.0, 8.0)) if options.whole else options


def print_parts(title: str, parts: Sequence[KitPart], options: Options) -> bytes:
    """Return a PDF of some parts."""
    document = _document(title, options)
    for part in parts:
        part.draw(document)
    return document.pdf()


def print_kit(game: str, options: Options, table_file: str = "", board: Board | None = None) -> bytes:
    """Return a PDF of a game's whole kit, its cover page first; `board` replaces the shipped table file."""
    kit, parts = kit_of(game), kit_parts(game, options, board)
    document, entries, first = _document(kit.title, options), list[tuple[KitPart, range]](), 2
    for part in parts:  # drawn once to count the pages of each
        trial = _document("", replace(options, correction=NO_CORRECTION))
        part.draw(trial)
        entries.append((part, range(first, first + trial.pages)))
        first += trial.pages
    with document.page(options.paper) as pen:
        pen.items(cover_items(kit, options, entries, table_file))
    for part in parts:
        part.draw(document)
    return document.pdf()


def _document(title: str, options: Options) -> Document:
    return Document(title, options.theme, options.correction, options.flip)


# ---- markers for a board that users own, with cutting lines and a plan of where each is stuck


_BORDER = 1.25
"""White border of a marker in modules."""


def _draw_markers(board: Board, paper: Paper, document: Document) -> None:
    """Draw the markers of a board on one page, and a small plan of their places."""
    title = _("{game}: markers for your own board").format(game=table_title(board))
    note = _(
        "Cut along the outer lines and keep the white border. Stick each marker upright, with its middle where the plan"
        " has it, measured from the board's top-left corner. Flat and matt, please: no bubbles, no gloss."
    )
    with document.page(paper) as pen:
        pen.items(head(paper, title, note, 14.0))
        # two by two, as on the board
        gap = 16.0
        for k, (one, name) in enumerate(zip(board.markers.each, marker_names(board), strict=True)):
            side = one.side or board.markers.side
            border = side / modules_of(board.markers.dictionary) * _BORDER
            whole, caption = side + 2 * border, 5.0
            column, row = ((0, 0), (1, 0), (1, 1), (0, 1))[k] if k < 4 else (k % 2, k // 2)
            left = (paper.width_mm - 2 * whole - gap) / 2 + column * (whole + gap)
            pen.moved(left, paper.margin_mm + 34.0 + row * (whole + caption + 6.0)).items(
                (
                    Mark(board.markers.dictionary, one.id, (whole / 2, whole / 2), side, border),
                    Rectangle((0, 0, whole, whole), line="hairline", line_mm=0.2),
                    Words((-4, whole + 0.6, whole + 8, caption - 0.6), name, SCALE_PT["small"], "ink"),
                )
            )
        # draw the board small, with the distances of each marker's middle in mm
        scale = min((paper.width_mm - 2 * paper.margin_mm - 40.0) / board.size[0], 96.0 / board.size[1])
        w, h = (scale * length for length in board.size)
        plan = Drawing(w, h, tuple(_plan_items(board, scale, w, h)), outline="none")
        top = paper.height_mm - paper.margin_mm - 14.0 - plan.height_mm
        pen.moved((paper.width_mm - plan.width_mm) / 2, top).items(plan.items)
        pen.items(check_bar((paper.width_mm - CHECK_MM) / 2, paper.height_mm - paper.margin_mm - 9.0))


def marker_names(board: Board) -> tuple[str, ...]:
    """Return the names of a board's markers: the corners that they are in, or else their ids."""
    if board.markers.base is not None:
        return _("top left"), _("top right"), _("bottom right"), _("bottom left")
    return tuple(_("marker {id}").format(id=number) for number in board.markers.ids)


def _plan_items(board: Board, scale: float, w: float, h: float) -> Iterator[Item]:
    yield Rectangle((0, 0, w, h), fill="page", line="ink", line_mm=0.4)
    for cell in board.cells:
        x, y, cw, ch = (scale * v for v in cell_box(board, cell))
        yield Rectangle((x, y, cw, ch), line="hairline", line_mm=0.15)
    for one, name in zip(board.markers.each, marker_names(board), strict=True):
        (x, y), side = one.centre, (one.side or board.markers.side) * scale
        px, py = x * scale, y * scale
        yield Rectangle((px - side / 2, py - side / 2, side, side), fill="ink")
        yield Circle((px, py), 0.6, fill="white")
        # its name and place in mm next to the plan, with a line to it
        is_left = px < w / 2
        box = (-42.0 if is_left else w + 2.0, py - 5.0, 40.0, 10.0)
        yield Words(box, f"{name}\n{x:g} x {y:g} mm", SCALE_PT["small"], "ink", "right" if is_left else "left")
        yield KitLine((-1.5 if is_left else w + 1.5, py), (px, py), "accent", 0.2)
