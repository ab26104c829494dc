"""Prints to be read by touch: raised lines for the back of a board, notched pieces, Braille, and a large-print key.

Lines and dots are printed mirrored: they are traced from the back, with a tracing wheel or a ballpoint on a soft mat,
and stand out on the other side.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from companion.games.kit import Circle, Drawing, Item, Kit, KitSheet, Polygon, Rectangle, Words
from companion.games.speech import SPEECHES
from companion.locale import _, ngettext
from companion.printing.board_face import cell_box
from companion.printing.pieces import disc, marked_piece
from companion.printing.themes import Theme
from companion.ui.hearing import spelled
from companion.ui.names import label_name, seat_name
from companion.ui.words import thing_name
from vision.board import Board
from vision.labels import COVERED

# ---- Braille: dots as on signs and packages (ISO 17049), in mm

DOT_MM, APART_MM, CELL_MM = 1.6, 2.5, 6.0

_FIRST_TEN = ("1", "12", "14", "145", "15", "124", "1245", "125", "24", "245")
_LETTERS = "abcdefghijklmnopqrstuvxyz"
NUMBER_SIGN, LETTER_SIGN = "3456", "56"


def braille(text: str) -> str:
    """Return a text in Unicode Braille, grade 1: letters without accents, numbers after the number sign.

    A letter from a to j after a digit gets the letter sign, without which it would be another digit. Other characters
    are blank.
    """
    cells, in_number = list[str](), False
    for letter in unicodedata.normalize("NFKD", text.casefold()):
        if unicodedata.combining(letter):
            continue
        if letter.isdecimal() and not in_number:
            cells.append(NUMBER_SIGN)
        elif in_number and "a" <= letter <= "j":
            cells.append(LETTER_SIGN)
        in_number = letter.isdecimal()
        if in_number:
            cells.append(_FIRST_TEN[(int(letter) - 1) % 10])
        elif letter in _LETTERS:
            place = _LETTERS.index(letter)
            cells.append(_FIRST_TEN[place % 10] + ("", "3", "36")[place // 10])
        else:
            cells.append("2456" if letter == "w" else "")
    return "".join(chr(0x2800 + sum(1 << (int(dot) - 1) for dot in cell)) for cell in cells)


def _mirrored_braille(text: str, right_mm: float, top_mm: float) -> Iterator[Item]:
    """Yield Braille mirrored: its first cell is at the right, and its dots are pressed from this side."""
    for place, sign in enumerate(braille(text)):
        dots = ord(sign) - 0x2800
        for dot in range(6):
            if dots & (1 << dot):
                x = right_mm - place * CELL_MM - (dot // 3) * APART_MM - DOT_MM / 2
                yield Circle((x, top_mm + (dot % 3) * APART_MM + DOT_MM / 2), DOT_MM / 2, fill="ink")


# ---- the board


def raised_lines(board: Board) -> Drawing:
    """Return a board's cells and their names in Braille, mirrored, to be traced on the back."""
    width, height = board.size
    items: list[Item] = [Rectangle((0.0, 0.0, width, height), line="ink", line_mm=0.3)]
    boxes = {cell: cell_box(board, cell) for cell in board.cells}
    for left, top, w, h in boxes.values():
        items.append(Rectangle((width - left - w, top, w, h), line="ink", line_mm=0.8))
    for cell, (left, top, w, h) in boxes.items():
        wide = len(braille(cell)) * CELL_MM - APART_MM
        items += _mirrored_braille(cell, width - left - (w - wide) / 2, top + (h - 2 * APART_MM - DOT_MM) / 2)
    return Drawing(width, height, tuple(items))


# ---- the pieces

_NOTCH_MM = 2.2
_AT_DEG: Sequence[Sequence[float]] = (
    (),
    (0,),
    (0, 180),
    (0, 90, 180),
    (0, 90, 180, 270),
    (-14, 14, 90, 180, 270),
    (-14, 14, 90, 166, 194, 270),
    (-14, 14, 76, 104, 166, 194, 270),
)
"""Angles of the notches by their number, clockwise from the top.

They are near the middles of a marker's sides, where the rim is widest.
"""


def notches_by_label(kit: Kit) -> Mapping[str, int]:
    """Return the number of notches of each label's piece, by its colour."""
    colours = list(dict.fromkeys(piece.colour for piece in kit.pieces))
    return {piece.label: 1 + colours.index(piece.colour) % (len(_AT_DEG) - 1) for piece in kit.pieces}


def notched_sheet(kit: Kit, theme: Theme, *, marked: bool) -> KitSheet:
    """Return a sheet with the flat pieces of a kit and the notches to be cut out of them."""
    count = notches_by_label(kit)
    fronts: list[Drawing] = []
    for piece in kit.pieces:
        drawing = marked_piece(kit, piece, theme) if marked else disc(piece, theme)
        turn_deg = 90.0 if piece.ring else 0.0  # a crown is at its top
        middle, notches = drawing.width_mm / 2, []
        half = math.atan2(_NOTCH_MM, middle)
        for turn in (math.radians(degrees + turn_deg) for degrees in _AT_DEG[count[piece.label]]):
            ends = ((middle, turn - half), (middle - _NOTCH_MM, turn), (middle, turn + half))
            points = tuple((middle + far * math.sin(at), middle - far * math.cos(at)) for far, at in ends)
            notches.append(Polygon(points, fill="white", line="ink", line_mm=0.25))
        fronts += [replace(drawing, items=(*drawing.items, *notches))] * piece.count
    note = _("Glue the sheet on card of 1 to 2 mm; cut the outlined notches out of the edge.")
    return KitSheet("notched", _("Pieces with notches"), tuple(fronts), (), note, declared=True)


# ---- Braille strips, and the key in large print

_ROOM_MM, _HIGH_MM, _PRINT_MM = 4.0, 16.0, 5.0


def braille_sheet(board: Board) -> KitSheet:
    """Return a sheet with a strip for every piece and card: its name in Braille, to be pressed, and in print."""
    single = (part for label in board.cell_labels if label.height == 1 for part in label.parts() if part != COVERED)
    fronts = []
    for name in sorted({*map(partial(name_of, board.game), single), *map(seat_name, board.colours)}):
        width = len(braille(name)) * CELL_MM + 2 * _ROOM_MM
        words = Words((1.0, _HIGH_MM - _PRINT_MM, width - 2.0, _PRINT_MM), name, 8.0)
        fronts.append(Drawing(width, _HIGH_MM, (*_mirrored_braille(name, width - _ROOM_MM, 2.5), words)))
    note = _("Press each dot with a ballpoint on a soft mat: it stands out on the other side, which is read.")
    return KitSheet("braille", _("Braille labels"), tuple(fronts), (), note)


def name_of(game: str, label: str) -> str:
    """Return the name of a label: its colour or card, or the game's own word for a piece."""
    name = label_name(label)
    return thing_name(SPEECHES[game].words, label) if name == label and game in SPEECHES else name


_LARGE_PT = 24.0


def key_items(kit: Kit, board: Board, width_mm: float, margin_mm: float) -> Iterator[Item]:
    """Yield the key in large print: the meaning of the notches, the columns spelled, the corners cut from cards."""
    notches, lines = notches_by_label(kit), [kit.title]
    pieces = [piece.label for piece in kit.pieces if not piece.ring]
    for count, name in dict.fromkeys((notches[label], name_of(board.game, label)) for label in pieces):
        sentence = ngettext("{number} notch: {name}", "{number} notches: {name}", count)
        lines.append(sentence.format(number=count, name=name))
    columns = [f"{letter} {spelled(letter)}" for letter in sorted({cell[:1] for cell in board.cells})]
    lines += [", ".join(columns[first : first + 3]) for first in range(0, len(columns), 3)]
    suits = (_("clubs"), _("diamonds"), _("hearts"), _("spades")) if board.card_words else ()
    for count, name in enumerate(suits, 1):
        sentence = ngettext("{number} corner cut: {name}", "{number} corners cut: {name}", count)
        lines.append(sentence.format(number=count, name=name))
    for place, line in enumerate(lines):
        box = (margin_mm, margin_mm + 14.0 * place, width_mm - 2 * margin_mm, 13.0)
        yield Words(box, line, _LARGE_PT, align="left", weight="bold" if place == 0 else "regular")
