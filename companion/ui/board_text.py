"""A table as text: a coloured letter for every cell, with a sign if the cell is marked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from rich.color import Color
from rich.style import Style
from rich.text import Text

from companion.locale import language, translated
from vision.board import Board, Rgb, SeatPlace, cell_name, column_letter, shipped_board, shipped_games
from vision.labels import BACK, parse_label, part_word, split_card

WRONG, TO_PLACE, DOUBT = "!", "+", "?"
EMPTY = "·"
SUIT_SIGNS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
_EMPTY = Style(dim=True)


@dataclass(frozen=True, slots=True)
class CellMarks:
    """The marked cells: to correct, to place on, doubtful. The first mark that applies is shown."""

    wrong: Collection[str] = ()
    to_place: Collection[str] = ()
    doubt: Collection[str] = ()

    def sign(self, cell: str) -> str:
        """Return the sign next to a cell's letter, a space if there is none."""
        for sign, cells in ((WRONG, self.wrong), (TO_PLACE, self.to_place), (DOUBT, self.doubt)):
            if cell in cells:
                return sign
        return " "


NO_MARKS = CellMarks()


@dataclass(frozen=True, slots=True)
class BoardLook:
    """What the drawing of a table shows in addition to its labels.

    Attributes:
        texts: by cell, text that replaces the signs of its label.
        below: by cell, text in the line below it.
        edges: by side of the board ("top", "right", "bottom", "left"), the colour of the strip along it.
        spaced: whether rows are separated by an empty line.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    below: Mapping[str, str] = field(default_factory=dict)
    edges: Mapping[str, str] = field(default_factory=dict)
    spaced: bool = False


PLAIN = BoardLook()


def board_text(board: Board, labels: Mapping[str, str], marks: CellMarks = NO_MARKS, look: BoardLook = PLAIN) -> Text:
    """Draw a table; `labels` has the label of each place; a place without one stays blank.

    An empty cell shows its printed number.
    """
    width = _width(board, look)
    columns = "   " + "".join(f"{column_letter(column):<{width}}" for column in range(board.grid.columns))
    text = Text(no_wrap=True).append(columns, style="dim")
    _append_strip(text, board, look, "top", width)
    for row in range(board.grid.rows):
        text.append(f"\n{row + 1:>2}", style="dim").append(*_bar(board, look, "left"))
        for column in range(board.grid.columns):
            cell = cell_name(column, row)
            label = labels.get(cell)
            drawn = look.texts.get(cell, "")
            if not drawn and label is not None:
                is_numbered = board.grid.numbers and parse_label(label).is_empty
                drawn = str(board.grid.numbers[row][column]) if is_numbered else letter(board, label)
            _append_cell(text, board, label, drawn, marks.sign(cell), width)
        if "right" in look.edges:
            text.append(*_bar(board, look, "right"))
        # the line of signs below a row of cells, and the space between rows
        if look.below:
            below = (look.below.get(cell_name(column, row), "") for column in range(board.grid.columns))
            text.append("\n   " + "".join(f"{sign:<{width}}" for sign in below), style="dim")
        if look.spaced and row + 1 < board.grid.rows:
            text.append("\n" + " " * (3 + width * board.grid.columns))
    _append_strip(text, board, look, "bottom", width)
    return text


def board_size(board: Board, look: BoardLook = PLAIN) -> tuple[int, int]:
    """Return the columns and lines that `board_text` draws."""
    lines = 1 + board.grid.rows * (1 + bool(look.below) + look.spaced) - look.spaced
    lines += sum(side in look.edges for side in ("top", "bottom"))
    return 3 + board.grid.columns * _width(board, look) + ("right" in look.edges), lines


_STRIPS = {"top": "▄", "right": "▌", "bottom": "▀", "left": "▐"}


def _bar(board: Board, look: BoardLook, side: str) -> tuple[str, Style]:
    """Return a side's part of one row: part of a strip, or a space."""
    seat = look.edges.get(side)
    return (_STRIPS[side], _strip_style(board, seat)) if seat else (" ", Style())


def _append_strip(text: Text, board: Board, look: BoardLook, side: str, width: int) -> None:
    """Draw the strip above or below the board."""
    if seat := look.edges.get(side):
        text.append("\n   ").append(_STRIPS[side] * (width * board.grid.columns - 1), style=_strip_style(board, seat))


def _strip_style(board: Board, seat: str) -> Style:
    place = board.seat_of(parse_label(seat))
    return Style() if place is None else Style(color=Color.from_rgb(*place.rgb).name)


def letter(board: Board, label: str) -> str:
    """Return the sign of a label: a colour's small letter for its plain piece, the capital for its special one.

    Letters are those of the user's language, by `translated`: "r" for red, rouge, rojo and rosso. A stack has its
    height after the letter. Cards are "7♥" and, face down, "[]"; the flag of the suns is "Fs", which replaces the sign
    of the card that it covers; "+m" after a sign is the pawn of the moons.
    """
    seen = parse_label(label)
    if seen.is_empty:
        return EMPTY
    if seen.card:
        rank, suit = split_card(seen.card) if seen.is_face else ("", "")
        sign = "[]" if seen.card == BACK else rank + SUIT_SIGNS.get(suit, "")
        letters = _letters(board)
        return sign + "".join(_on_card_sign(board, kind) + letters[colour] for kind, colour in seen.on_card)
    place = board.seat_of(seen)
    if place is None:
        # a piece without colour has its own capital: K for the king, N for the knight
        return initials(word for word in board.label_words if not parse_label(word).is_empty)[label]
    own = _letters(board)[place.colour]
    return own.upper() if seen.kind else own + (str(seen.height) if seen.height > 1 else "")


def _on_card_sign(board: Board, kind: str) -> str:
    """Return the sign before a colour's letter: a capital for a piece that covers its card, "+" for others."""
    return _name_of(kind)[0].upper() if board.pieces[kind].covers else "+"


def legend(board: Board, labels: Iterable[str]) -> Mapping[str, str]:
    """Return the signs that occur, with the labels that they stand for.

    Card faces need no legend; of each kind of piece on cards one colour is enough.
    """
    if not board.card_words:
        return {letter(board, label): label for label in labels if not parse_label(label).is_empty}
    letters, seen = _letters(board), [parse_label(label) for label in labels]
    on_cards: dict[str, str] = {}
    for kind, colour in sorted({part for label in seen for part in label.on_card}):
        on_cards.setdefault(kind, colour)
    backs = {"[]": BACK} if any(label.card == BACK for label in seen) else {}
    pieces = {
        _on_card_sign(board, kind) + letters[colour]: part_word(kind, colour) for kind, colour in on_cards.items()
    }
    return backs | pieces


def initials(words: Iterable[str]) -> Mapping[str, str]:
    """Return a distinct capital for each word of a table file, from its name in the user's language."""
    chosen: dict[str, str] = {}
    for word in words:
        name = _name_of(word).upper()
        chosen[word] = next((own for own in name if own not in chosen.values()), name[0])
    return chosen


def _name_of(word: str) -> str:
    """Return a table file's word in the user's language, reduced to small ASCII letters."""
    name = "".join(own for own in translated(word).lower() if "a" <= own <= "z")
    return name or word


def _width(board: Board, look: BoardLook) -> int:
    """Return the width of a cell with its sign and a space, in characters."""
    own = 6 if board.card_words else 3
    longest = max(map(len, look.texts.values()), default=0)
    below = max(map(len, look.below.values()), default=0)
    return max(own, longest + 2, below + 1)


def piece_of(board: Board, label: str) -> SeatPlace | None:
    """Return the seat whose colour a label's piece has, also of a special piece or a stack; None without colour."""
    return board.seat_of(parse_label(label))


def unlike_initials(board: Board, labels: Iterable[str]) -> Mapping[str, str]:
    """Return the letters that are not the first of their colour's name, with the colour."""
    seen = {place.colour for label in labels if (place := piece_of(board, label))}
    return {own: colour for colour, own in _letters(board).items() if colour in seen and own != _name_of(colour)[0]}


def _letters(board: Board) -> Mapping[str, str]:
    """Return a distinct letter for each colour of a table, the same at every table that ships."""
    letters, shared = dict[str, str](), _shared_letters(language())
    for place in board.seats_and_saved:
        letters[place.colour] = _free_letter(place.colour, letters.values(), shared)
    return letters


@cache
def _shared_letters(_language: str) -> Mapping[str, str]:
    """Return a letter for each colour of the tables that ship; colours of one table have different letters."""
    tables = [[place.colour for place in shipped_board(game).seats_and_saved] for game in shipped_games()]
    letters: dict[str, str] = {}
    for colour in dict.fromkeys(colour for table in sorted(tables, key=len, reverse=True) for colour in table):
        beside = {other for table in tables if colour in table for other in table}
        letters[colour] = _free_letter(colour, {letters[other] for other in beside & letters.keys()}, {})
    return letters


def _free_letter(colour: str, taken: Collection[str], known: Mapping[str, str]) -> str:
    """Return the first free letter: the known one, the first of the colour's name, or others from its end."""
    name = _name_of(colour)
    wished = (*filter(None, [known.get(colour)]), name[0], *reversed(name))
    return next((own for own in wished if own not in taken), name[0])


def _append_cell(text: Text, board: Board, label: str | None, drawn: str, sign: str, width: int) -> None:  # noqa: PLR0917 - what a cell is
    """Draw a cell, with its sign and a space; the signs of pieces on a card in the style of their colour."""
    if not drawn:
        text.append(f" {sign}".ljust(width))
        return
    style = _EMPTY if label is None else _style(board, label)
    on_card = parse_label(label).on_card if label else ()
    colours = {_on_card_sign(board, kind) + _letters(board)[colour]: colour for kind, colour in on_card}
    places = sorted((drawn.index(part), colour) for part, colour in colours.items() if part in drawn)
    text.append(drawn[: places[0][0] if places else None], style=style)
    for (place, colour), (end, _next) in pairwise([*places, (len(drawn), "")]):
        text.append(drawn[place:end], style=_style(board, colour))
    text.append(sign, style=style + Style(bold=True, dim=False))
    text.append(" " * (width - 1 - len(drawn)), style="none")


def _style(board: Board, label: str) -> Style:
    """Return the style of a label: its piece's colour as background, with readable text."""
    place = piece_of(board, label)
    if place is None:
        return _EMPTY if parse_label(label).is_empty else Style()
    ink = "black" if brightness(place.rgb) > 110 else "bright_white"
    return Style(color=ink, bgcolor=Color.from_rgb(*place.rgb).name, bold=label != place.colour)


def seat_style(board: Board, seat: str) -> Style:
    """Return the style of a player's colour; bold if the table has no such colour."""
    if seat not in board.colours:
        return Style(bold=True)
    return _style(board, seat) + Style(bold=True)


def brightness(rgb: Rgb) -> float:
    """Return perceived brightness, 0 to 255 (ITU-R BT.601)."""
    red, green, blue = rgb
    return 0.299 * red + 0.587 * green + 0.114 * blue
