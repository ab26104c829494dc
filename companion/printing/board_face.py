"""The printed face of a board: everything where its table file has it, in the colours of a theme."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games import kit
from companion.games.kit import Circle, Drawing, Item, KitLine, Rectangle, Symbol, Words
from companion.printing.page_marks import board_marks
from companion.printing.text import MM
from companion.printing.themes import Theme, blend, readable_on
from companion.ui.names import seat_name
from vision.board import Board, cell_column_row

_LINE_MM = 0.5
_FRAME_LINE_MM = 0.9
_LETTER_MM = 3.6
_LETTER_PT = kit.SCALE_PT["text"] / _LETTER_MM
_NUMBER = 0.34
"""Height of the number or letter in a cell's middle, over the cell's height."""


def board_face(
    board: Board, details: kit.BoardDetails, theme: Theme, *, bleed_mm: float = 0.0, letter_mm: float = _LETTER_MM
) -> Drawing:
    """Return the drawing of a board's face, in mm as in the table file.

    Args:
        board: its table file.
        details: what is drawn besides the table file's cells.
        theme: its colours.
        bleed_mm: how far the margin's colour goes beyond the edges.
        letter_mm: height of the letters above the columns and the numbers beside the rows.
    """
    width, height = board.size
    items: list[Item] = [
        Rectangle((-bleed_mm, -bleed_mm, width + 2 * bleed_mm, height + 2 * bleed_mm), fill="frame"),
        Rectangle((3.0, 3.0, width - 6.0, height - 6.0), line="line", line_mm=0.35, corner_mm=2.0),
        *_cells(board, details),
        *_seats(board, details, theme),
        *_in_cells(board, details),
        *_margin(board, letter_mm),
        *board_marks(board),
    ]
    return Drawing(width, height, tuple(items))


def cell_box(board: Board, cell: str) -> kit.Box:
    """Return a cell's left, top, width and height in mm."""
    column, row = cell_column_row(cell)
    (x, y), (w, h) = board.grid.origin, board.grid.pitch
    return x + column * w, y + row * h, w, h


def middle(box: kit.Box) -> kit.Point:
    """Return the centre of a box."""
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _cells(board: Board, details: kit.BoardDetails) -> Iterator[Item]:
    """Yield the grounds of the cells, in two shades if the table file has dark cells; of cards the outlines."""
    for cell in board.cells:
        box = cell_box(board, cell)
        if not details.card_outlines:
            shade = "second" if cell in board.grid.dark else "ground"
            yield Rectangle(box, fill=shade, line="line", line_mm=_LINE_MM)
            continue
        # the outline of a card's place, and a cross in its middle
        (width, height), (x, y) = board.cards["size"], middle(box)
        outline = (x - width / 2, y - height / 2, width, height)
        yield Rectangle(outline, fill="ground", line="line", line_mm=0.25, corner_mm=3.0)
        yield KitLine((x - 3, y), (x + 3, y), "line", 0.25)
        yield KitLine((x, y - 3), (x, y + 3), "line", 0.25)


def _seats(board: Board, details: kit.BoardDetails, theme: Theme) -> Iterator[Item]:
    """Yield the seats' zones, and their start spaces."""
    for seat in board.seat:
        if seat.zone is not None:
            ground = blend(theme.rgb("frame"), seat.rgb, theme.zone_strength)
            yield Rectangle(seat.zone, fill=ground, line=seat.rgb, line_mm=0.6, corner_mm=2.0)
            turn = {"bottom": 0.0, "right": -90.0, "top": 180.0, "left": 90.0}.get(seat.side or "bottom", 0.0)
            (cx, cy), long, short = middle(seat.zone), max(seat.zone[2:]), min(seat.zone[2:])
            box, ink = (cx - long / 2, cy - short / 2, long, short), readable_on(ground)
            yield Words(box, seat_name(seat.colour).upper(), kit.SCALE_PT["title"], ink, "centre", "bold", turn)
    for seat in board.seat:
        if seat.start is not None:
            box = cell_box(board, seat.start)
            yield Rectangle(box, fill=blend(theme.rgb("ground"), seat.rgb, 0.25))
            yield Circle(middle(box), min(box[2:]) * 0.36, line="white", line_mm=2.6)
            yield Circle(middle(box), min(box[2:]) * 0.36, line=seat.rgb, line_mm=1.4)
    for cell, (symbol, colour) in details.starts.items():
        yield Symbol(symbol, middle(cell_box(board, cell)), 14.0, (colour,))


def _in_cells(board: Board, details: kit.BoardDetails) -> Iterator[Item]:
    """Yield the lines between cells, and what is printed in the cells and on the places next to them."""
    # 1. the lines of a whole grid, which start spaces have covered, and a stronger frame
    if not (details.card_outlines or board.grid.missing):
        (x, y), (w, h), (right, bottom) = board.grid.origin, board.grid.pitch, board.grid.end
        for column in range(1, board.grid.columns):
            yield KitLine((x + column * w, y), (x + column * w, bottom), "line", _LINE_MM)
        for row in range(1, board.grid.rows):
            yield KitLine((x, y + row * h), (right, y + row * h), "line", _LINE_MM)
        yield Rectangle((x, y, board.grid.columns * w, board.grid.rows * h), line="line", line_mm=_FRAME_LINE_MM)
    # 2. a frame for each place next to the cells, with its owner's name, and in the middle, where a camera can also
    # measure whether black is visible, its kind's letter
    for kind, pads in board.pads.items():
        for colour, cell in pads.items():
            x, y, w, h = cell_box(board, cell)
            inset = 0.06 * min(w, h)
            box = (x + inset, y + inset, w - 2 * inset, h - 2 * inset)
            yield Rectangle(box, line="line", line_mm=0.6, corner_mm=3.0)
            below = (x + 0.1 * w, y + 0.74 * h, 0.8 * w, 0.18 * h)
            yield Words(box, details.pads.get(kind, ""), _NUMBER * box[3] * MM, "frame-ink", "centre", "bold")
            yield Words(below, seat_name(colour), kit.SCALE_PT["small"], "frame-ink")
    # 3. ornaments, with what they are worth
    for cell, name in details.ornaments.items():
        x, y, w, h = cell_box(board, cell)
        inset = 0.05 * min(w, h)
        yield Rectangle((x + inset, y + inset, w - 2 * inset, h - 2 * inset), line="ornament", line_mm=0.3)
        yield Symbol(name, middle((x, y, w, h)), 0.8 * min(w, h), ("ornament", "ornament-2", "ground"))
        if cell in details.values:
            corner = (x + w - 8.0, y + h - 6.4, 5.4, 3.8)
            yield Rectangle(corner, fill="ground")
            yield Words(corner, str(details.values[cell]), kit.SCALE_PT["small"], "number", "right")
    # 4. the cells' numbers, or dots in their middles if nothing else is printed in them and they have one shade
    for cell in board.cells if board.grid.numbers else ():
        column, row = cell_column_row(cell)
        box = cell_box(board, cell)
        yield Words(box, str(board.grid.numbers[row][column]), _NUMBER * box[3] * MM, "number", "centre", "bold")
    if not (board.grid.numbers or board.grid.dark or board.pads or board.cards):
        for x, y in board.centres_mm().tolist():
            yield Circle((x, y), 1.1, fill="line")


def _margin(board: Board, size: float) -> Iterator[Item]:
    """Yield the letters above the columns and the numbers left of the rows, as the program names the cells.

    A board without zones also has the game's name above them.
    """
    (x, y), (w, h) = board.grid.origin, board.grid.pitch
    pt = size * _LETTER_PT
    for column in range(board.grid.columns):
        box = (x + column * w, y - size / 3 - size, w, size)
        yield Words(box, chr(ord("A") + column), pt, "frame-ink")
    for row in range(board.grid.rows):
        yield Words((x - 5 / 3 * size, y + row * h, 1.44 * size, h), str(row + 1), pt, "frame-ink")
    if not any(seat.zone for seat in board.seat):
        room = y - 10.0 - 6.0
        box = (x, 8.0, board.grid.columns * w, max(room, 8.0))
        yield Words(box, board.title, min(room * 0.6 * MM, 34.0), "frame-ink", "centre", "bold")
