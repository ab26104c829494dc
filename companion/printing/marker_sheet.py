"""Four markers for a board that users own, with cutting lines and a drawing of where each is stuck."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.kit import SCALE_PT, Circle, Drawing, Item, KitLine, Mark, Point, Rectangle, Words
from companion.locale import _
from companion.printing.board_face import cell_box
from companion.printing.document import Document
from companion.printing.page_marks import CHECK_MM, check_bar
from companion.printing.paper import Paper
from vision.board import Board
from vision.localization.markers import modules_of

_BORDER = 1.25
"""White border of a marker in modules."""


def draw_marker_sheet(document: Document, board: Board, paper: Paper) -> None:
    """Draw the markers of a board on one page, and a small plan that says where each one goes."""
    with document.page(paper) as pen:
        pen.items(_head(board, paper))
        for k, one in enumerate(_cut_outs(board)):
            x, y = _place(k, one, paper)
            pen.moved(x, y).draw(one)
        # draw the board small, with the distances of each marker's middle in mm
        scale = min((paper.width_mm - 2 * paper.margin_mm - 40.0) / board.size[0], 96.0 / board.size[1])
        w, h = (scale * length for length in board.size)
        plan = Drawing(w, h, tuple(_plan_items(board, scale, w, h)), outline="none")
        top = paper.height_mm - paper.margin_mm - 14.0 - plan.height_mm
        pen.moved((paper.width_mm - plan.width_mm) / 2, top).draw(plan)
        pen.items(check_bar((paper.width_mm - CHECK_MM) / 2, paper.height_mm - paper.margin_mm - 9.0))


def _head(board: Board, paper: Paper) -> Iterator[Item]:
    left, width = paper.margin_mm + 4, paper.width_mm - 2 * paper.margin_mm - 8
    title = _("{game}: markers for your own board").format(game=board.title)
    note = _(
        "Cut along the outer lines and keep the white border. Stick each marker upright, with its middle where the plan"
        " has it, measured from the board's top-left corner. Flat and matt, please: no bubbles, no gloss."
    )
    yield Words((left, paper.margin_mm + 2, width, 9.0), title, SCALE_PT["heading"], "ink", "left", "bold")
    yield Words((left, paper.margin_mm + 12, width, 14.0), note, SCALE_PT["text"], "soft", "left", upright="top")


def _cut_outs(board: Board) -> Iterator[Drawing]:
    caption = 5.0
    for one, name in zip(board.markers.each, marker_names(board), strict=True):
        side, number = one.side or board.markers.side, one.id
        border = side / modules_of(board.markers.dictionary) * _BORDER
        whole = side + 2 * border
        middle = (whole / 2, whole / 2)
        yield Drawing(
            whole,
            whole + caption,
            (
                Mark(board.markers.dictionary, number, middle, side, border),
                Rectangle((0, 0, whole, whole), line="hairline", line_mm=0.2),
                Words((-4, whole + 0.6, whole + 8, caption - 0.6), name, SCALE_PT["small"], "ink"),
            ),
        )


def marker_names(board: Board) -> tuple[str, ...]:
    """Name the markers of a board: those in its corners by these, others by their ids."""
    if board.markers.base is not None:
        return corner_names()
    return tuple(_("marker {id}").format(id=number) for number in board.markers.ids)


def corner_names() -> tuple[str, str, str, str]:
    """Name the four corners of a board in the order of its markers."""
    return _("top left"), _("top right"), _("bottom right"), _("bottom left")


def _place(number: int, one: Drawing, paper: Paper) -> Point:
    """Return where a cut-out is on the page: two by two, as on the board."""
    column, row = ((0, 0), (1, 0), (1, 1), (0, 1))[number] if number < 4 else (number % 2, number // 2)
    gap = 16.0
    left = (paper.width_mm - 2 * one.width_mm - gap) / 2
    return left + column * (one.width_mm + gap), paper.margin_mm + 34.0 + row * (one.height_mm + 6.0)


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
        yield from _measure((x, y), (px, py), w, name)


def _measure(place_mm: Point, plan: Point, w: float, name: str) -> Iterator[Item]:
    """Write a marker's place beside the plan, left or right of it."""
    (x, y), (px, py) = place_mm, plan
    is_left = px < w / 2
    text = f"{name}\n{x:g} x {y:g} mm"
    left = -42.0 if is_left else w + 2.0
    yield Words((left, py - 5.0, 40.0, 10.0), text, SCALE_PT["small"], "ink", "right" if is_left else "left")
    yield KitLine((-1.5 if is_left else w + 1.5, py), (px, py), "accent", 0.2)
