"""A table as SVG: the printed face of its board with what lies on it, for pages, reports and documents.

    from companion.printing.board_svg import board_svg
    from vision.board import shipped_board

    svg = board_svg(shipped_board("royal-ur"), {"A3": "white", "D2": "black*2"})

Lengths are millimetres on the board. Each kind of piece is defined once and used on every cell that has it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games import kit, playing_cards
from companion.games.kit import Circle, Drawing, Item, KitLine, Mark, Polygon, Rectangle, Symbol, Words
from companion.games.kit_shapes import moved
from companion.games.speech import table_title
from companion.printing.board_face import board_face, cell_box, middle
from companion.printing.kits import games_with_kits, kit_of, plain_kit
from companion.printing.ornaments import ornament
from companion.printing.pieces import disc
from companion.printing.text import LEADING, MM, set_text
from companion.printing.themes import THEMES, Theme, hex_colour, readable_on
from companion.ui.board_text import PLAIN, SUIT_SIGNS, BoardLook
from vision.board import Board
from vision.labels import BACK, Label, parse_label, split_card

_SPACE_MM = 14.0
"""Margin round the cells, for letters and numbers."""

_PIECE, _SPECIAL, _STACK = 0.74, 0.92, 0.09
"""Diameter of a piece and of a special one, and how far a stacked one is above the one below, over a cell's side."""

_DRAWN_HIGH = 4
"""Most pieces of a stack that are drawn; a number says how many there are."""


@dataclass(frozen=True, slots=True)
class OnCell:
    """What is drawn on one cell.

    Attributes:
        label: the word of the table file.
        sign: what is drawn in place of the label's signs; the number in it is that of a flag.
        below: a small word at the cell's lower edge.
    """

    label: str
    sign: str = ""
    below: str = ""


def board_svg(
    board: Board, labels: Mapping[str, str], look: BoardLook = PLAIN, *, title: str = "", prefix: str = ""
) -> str:
    """Draw a table as one <svg> element.

    Args:
        board: its table file.
        labels: the label of each cell; cells without one are drawn empty.
        look: what is drawn beside the labels, as for `board_text`.
        title: what it shows, for those who cannot see it; the board's title if empty.
        prefix: put before the ids, if drawings of several tables are on one page.
    """
    return TableSvg(board, prefix=prefix).svg(shown_cells(labels, look), title=title)


def shown_cells(labels: Mapping[str, str], look: BoardLook = PLAIN) -> dict[str, OnCell]:
    """Return what is drawn on each cell that has something on it."""
    return {
        cell: OnCell(label, look.texts.get(cell, ""), look.below.get(cell, ""))
        for cell, label in labels.items()
        if not parse_label(label).is_empty
    }


class SvgItems:
    """Writes items as SVG elements; each ornament is defined once, by the first <svg> element that uses it.

    Args:
        theme: the colours of roles.
        prefix: put before the ids, if there are several drawings on one page.

    Attributes:
        defined: the elements of all ornaments, and of what else was defined so far, by id.
    """

    def __init__(self, theme: Theme, prefix: str = "") -> None:
        self.theme, self.prefix = theme, prefix
        self._ornaments: dict[tuple[str, tuple[kit.Colour, ...]], str] = {}
        self.defined: dict[str, str] = {}
        self._given = 0

    def write(self, items: Iterable[Item]) -> str:
        """Return the elements of items."""
        return "\n".join(self._symbol(item) if isinstance(item, Symbol) else _item(self.theme, item) for item in items)

    def _symbol(self, item: Symbol) -> str:
        """Return the element that uses an ornament at its place, turn and size; define it, 100 wide, if it is new."""
        key = (item.name, item.colours)
        name = self._ornaments.setdefault(key, f"{self.prefix}o{len(self._ornaments)}")
        if name not in self.defined:
            parts = []
            for area in ornament(item.name):
                outlines = ([(_UNIT * x, _UNIT * y) for x, y in outline] for outline in area.outlines)
                ink = _ink(self.theme, item.colours[min(area.part, len(item.colours) - 1)], None, 0.0)
                parts.append(f'<path fill-rule="evenodd" d="{_path(outlines)}" {ink}/>')
            self.defined[name] = f'<g id="{name}">{"".join(parts)}</g>'
        (x, y), scale = item.centre, item.size_mm / _UNIT
        turn = f" rotate({_n(item.turn_deg)})" if item.turn_deg else ""
        return f'<use href="#{name}" transform="translate({_n(x)} {_n(y)}){turn} scale({scale:.4g})"/>'

    def drawn(self, drawing: Drawing, title: str, *, to_scale: bool = False) -> str:
        """Return a drawing as one <svg> element, of its own size if `to_scale`; `title` says what it shows."""
        w, h = drawing.width_mm, drawing.height_mm
        element = self.element((0.0, 0.0, w, h), title, self.write(drawing.items))
        return element.replace("<svg ", f'<svg width="{_n(w)}mm" height="{_n(h)}mm" ', 1) if to_scale else element

    def element(self, view_mm: kit.Box, title: str, *contents: str) -> str:
        """Return an <svg> element that shows a part of its contents: left, top, width and height."""
        view, name = " ".join(map(_n, view_mm)), html.escape(title, quote=True)
        opening = '<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img"'
        opening += f' aria-label="{name}" viewBox="{view}" font-family="Vollkorn, \'Noto Serif\', Georgia, serif">'
        defined = [*self.defined.values()]
        new, self._given = defined[self._given :], len(defined)
        return "\n".join([opening, "<defs>", *new, "</defs>", *contents, "</svg>"])


class TableSvg(SvgItems):
    """Draws one table, in one or several positions; ornaments and pieces are defined once for all of them.

    Args:
        board: its table file.
        prefix: put before the ids, if drawings of several tables are on one page.
        theme: the colours of the board.
    """

    def __init__(self, board: Board, *, prefix: str = "", theme: Theme = THEMES["wood"]) -> None:
        super().__init__(theme, prefix)
        self._board, self._kit = board, kit_of(board.game) if board.game in games_with_kits() else plain_kit(board)
        self._pieces: dict[OnCell, str] = {}

    def piece(self, shown: OnCell) -> str:
        """Return the id of the definition of what is on a cell, centred at (0, 0); define it if it is new."""
        if shown not in self._pieces:
            name = self._pieces[shown] = f"{self.prefix}p{len(self._pieces)}"
            self.defined[name] = f'<g id="{name}">{self.write(self._on_cell(shown))}</g>'
        return self._pieces[shown]

    def svg(self, cells: Mapping[str, OnCell], *, title: str = "") -> str:
        """Return the whole <svg> element.

        The pieces are in a group of the class "pieces", where a script may exchange them.
        """
        pieces = ['<g class="pieces">']
        for cell, shown in cells.items():
            x, y = middle(cell_box(self._board, cell))
            pieces.append(f'<use href="#{self.piece(shown)}" x="{_n(x)}" y="{_n(y)}"/>')
        pieces.append("</g>")
        return self.element(_view(self._board), title or table_title(self._board), self.write(self._face()), *pieces)

    def drawing(self, cells: Mapping[str, OnCell]) -> Drawing:
        """Return the part of the table that the SVG shows, and what is on it, as a drawing."""
        left, top, width, height = _view(self._board)
        pieces = (
            moved(item, *middle(cell_box(self._board, cell)))
            for cell, one in cells.items()
            for item in self._on_cell(one)
        )
        return Drawing(width, height, tuple(moved(item, -left, -top) for item in (*self._face(), *pieces)))

    def _face(self) -> Iterator[Item]:
        """Yield what is printed on the board, except its markers."""
        zoned = any(seat.zone for seat in self._board.seat)  # then there is little room beside the cells
        letter_mm = 4.2 if zoned else max(self._board.size) / 60
        face = board_face(self._board, self._kit.board, self.theme, letter_mm=letter_mm)
        yield from (item for item in face.items if not isinstance(item, Mark))

    def _on_cell(self, shown: OnCell) -> Iterator[Item]:
        """Yield what is on a cell, about its middle: a card, a piece, or a stack with its number on the topmost."""
        label, side = parse_label(shown.label), min(self._board.grid.pitch)
        if label.card:
            yield from self._card(label, shown)
            return
        kind = self._board.piece_of(label)
        piece = next((piece for piece in self._kit.pieces if piece.label == str(label.single)), None)
        if piece is None:
            yield Words((-side / 2, -side / 2, side, side), shown.sign or str(label), kit.SCALE_PT["heading"], "ink")
        elif kind and self._board.pieces[kind].shape == "turned":
            yield Symbol(piece.symbol, (0.0, 0.0), _SPECIAL * side, ("ink",))
        else:
            diameter = (_SPECIAL if piece.ring else _PIECE) * side
            flat = disc(replace(piece, size_mm=diameter), self.theme)
            drawn = min(label.height, _DRAWN_HIGH)
            for level in range(drawn):
                rise = _STACK * side * (level - (drawn - 1) / 2)
                yield from (moved(item, -diameter / 2, -diameter / 2 - rise) for item in flat.items)
            if label.height > 1:
                ground, top = self.theme.rgb(piece.colour), -_STACK * side * (drawn - 1) / 2
                yield Circle((0.0, top), 0.3 * diameter, fill=ground)
                box = (-diameter / 2, top - diameter / 2, diameter, diameter)
                yield Words(box, str(label.height), 0.5 * diameter * MM, readable_on(ground), "centre", "bold")

    def _card(self, label: Label, shown: OnCell) -> Iterator[Item]:
        # 1. the card
        width, height = self._board.cards.get("size", self._board.grid.pitch)
        yield Rectangle((-width / 2, -height / 2, width, height), fill="white", line="hairline", corner_mm=3.0)
        if label.is_face or label.card == BACK:
            face = playing_cards.face(*split_card(label.card)) if label.is_face else playing_cards.back("accent-2")
            yield from (moved(item, -face.width_mm / 2, -face.height_mm / 2) for item in face.items[1:])
        # 2. what stands on it: a square tile if it covers the card, or a pawn
        number = re.search(r"\d", shown.sign)
        for kind, colour in label.on_card:
            seat = self._board.seat_of(Label(colour))
            rgb: kit.Colour = seat.rgb if seat else "ink"
            symbol = next((piece.symbol for piece in self._kit.pieces if piece.label.endswith(f"-{colour}")), "ring")
            if self._board.pieces[kind].covers:
                side = float(self._board.pieces[kind].size or 40.0)
                tile = (-side / 2, -side / 2, side, side)
                yield Rectangle(tile, fill=(252, 248, 238), line=rgb, line_mm=1.2, corner_mm=3.0)
                yield Symbol(symbol, (0.0, 3.0), 0.5 * side, (rgb,))
                box = (-side / 2 + 2, -side / 2 + 2, 14.0, 14.0)
                yield Words(box, number[0] if number else "", kit.SCALE_PT["display"], "ink", "centre", "bold")
            else:
                ink = readable_on(self.theme.rgb(rgb))
                yield Circle((0.0, 0.0), 15.0, fill=rgb, line="white", line_mm=1.4)
                yield from (Symbol("pawn", (0.0, -1.0), 20.0, (ink,)), Symbol(symbol, (0.0, 10.5), 5.0, (ink,)))
        # 3. the sign of the card below: words, or a rank and its suit, which the font lacks
        suit = next((suit for suit, written in SUIT_SIGNS.items() if shown.below.endswith(written)), None)
        at = (-width / 2, height / 2 - 14)
        if suit is not None:
            yield Words((*at, width / 2 - 1, 12), shown.below[:-1], kit.SCALE_PT["display"], "ink", "right", "bold")
            yield Symbol(suit, (6.0, at[1] + 6), 10.0, ("ink",))
        elif shown.below:
            yield Words((*at, width, 12), shown.below, kit.SCALE_PT["display"], "ink", "centre", "bold")

    def middles(self) -> Mapping[str, tuple[float, float]]:
        """Return the middle of each place in the drawing, in mm."""
        return {cell: middle(cell_box(self._board, cell)) for cell in self._board.places}


_UNIT = 100.0


def _view(board: Board) -> kit.Box:
    """Return the part of a board with cells, their letters and numbers, zones and places: left, top, width, height."""
    boxes = [cell_box(board, cell) for cell in board.places] + [seat.zone for seat in board.seat if seat.zone]
    left = max(min(x for x, *_rest in boxes) - _SPACE_MM, 0.0)
    top = max(min(y for _x, y, *_rest in boxes) - _SPACE_MM, 0.0)
    right = min(max(x + width for x, _y, width, _h in boxes) + _SPACE_MM, board.size[0])
    bottom = min(max(y + height for _x, y, _w, height in boxes) + _SPACE_MM, board.size[1])
    return left, top, right - left, bottom - top


# ---- items as elements


def _item(theme: Theme, item: Item) -> str:
    match item:
        case Rectangle((x, y, width, height), fill, line, line_mm, corner_mm):
            corner = f' rx="{_n(corner_mm)}"' if corner_mm else ""
            place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"{corner}'
            return f"<rect {place} {_ink(theme, fill, line, line_mm)}/>"
        case Circle((x, y), radius, fill, line, line_mm):
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" {_ink(theme, fill, line, line_mm)}/>'
        case KitLine((x, y), (to_x, to_y), colour, line_mm, dash_mm):
            dashes = f' stroke-dasharray="{_n(dash_mm)}"' if dash_mm else ""
            ends = f'x1="{_n(x)}" y1="{_n(y)}" x2="{_n(to_x)}" y2="{_n(to_y)}"'
            return f"<line {ends} {_ink(theme, None, colour, line_mm)}{dashes}/>"
        case Polygon(points, fill, line, line_mm):
            return f'<path d="{_path([points])}" {_ink(theme, fill, line, line_mm)}/>'
        case Words():
            return _words(theme, item)
        case Mark() | Symbol():
            return ""


def _ink(theme: Theme, fill: kit.Colour | None, line: kit.Colour | None, line_mm: float) -> str:
    stroke = "" if line is None else f' stroke="{hex_colour(theme.rgb(line))}" stroke-width="{_n(line_mm)}"'
    return f'fill="{"none" if fill is None else hex_colour(theme.rgb(fill))}"{stroke}'


def _path(outlines: Iterable[Sequence[tuple[float, float]]]) -> str:
    return "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in outline) + "Z" for outline in outlines)


def _words(theme: Theme, item: Words) -> str:
    """Return the lines of a text, set at the size that fits its box."""
    x, y, width, height = item.box
    found = set_text(item)
    size = found.size_pt / MM
    top = y if item.upright == "top" else y + (height - found.height_mm) / 2
    at = {"left": x, "centre": x + width / 2, "right": x + width}[item.align]
    anchor = {"left": "start", "centre": "middle", "right": "end"}[item.align]
    style = {"regular": "", "bold": ' font-weight="600"', "italic": ' font-style="italic"'}[item.weight]
    turn = f' transform="rotate({_n(item.turn_deg)} {_n(x + width / 2)} {_n(y + height / 2)})"' if item.turn_deg else ""
    lines = (
        f'<text x="{_n(at)}" y="{_n(top + size * LEADING * (line + 0.5) + 0.34 * size)}" font-size="{_n(size)}" '
        f'text-anchor="{anchor}"{style}{turn} {_ink(theme, item.colour, None, 0.0)}>{html.escape(text)}</text>'
        for line, text in enumerate(found.lines)
    )
    return "".join(lines)


def _n(number: float) -> str:
    """Return a length with at most two decimals."""
    return f"{number:z.2f}".rstrip("0").rstrip(".")
