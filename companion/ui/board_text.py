"""A table as text: every cell a letter, colour beside it, and a sign where something is to be said of the cell."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from rich.color import Color
from rich.style import Style
from rich.text import Text

from vision.board import Board, Rgb, SeatPlace, cell_name

WRONG, TO_PLACE, DOUBT = "!", "+", "?"
EMPTY = "·"
_EMPTY = Style(dim=True)


@dataclass(frozen=True, slots=True)
class Marks:
    """Cells that something is to be said of: to put right, to place on, doubtful. The first that holds shows."""

    wrong: Collection[str] = ()
    to_place: Collection[str] = ()
    doubt: Collection[str] = ()

    def sign(self, cell: str) -> str:
        """Give the sign beside a cell's letter, a space where there is nothing to say."""
        for sign, cells in ((WRONG, self.wrong), (TO_PLACE, self.to_place), (DOUBT, self.doubt)):
            if cell in cells:
                return sign
        return " "


NO_MARKS = Marks()


def board_text(board: Board, labels: Mapping[str, str], marks: Marks = NO_MARKS) -> Text:
    """Draw a table, a line a row; `labels` gives each place's word of the table file, what has none is left blank.

    An empty cell shows the number that is printed on it.
    """
    width = _width(board)
    columns = "   " + "".join(f"{chr(ord('A') + column):<{width}}" for column in range(board.grid.columns))
    text = Text(columns, style="dim", no_wrap=True)
    for row in range(board.grid.rows):
        text.append(f"\n{row + 1:>2} ", style="dim")
        for column in range(board.grid.columns):
            cell = cell_name(column, row)
            _append_cell(text, board, labels.get(cell), marks.sign(cell), _printed(board, column, row))
    return text


def letter(board: Board, label: str) -> str:
    """Give what stands for a label: a colour's small letter for its plain piece, the capital for its special one.

    Pieces on one another have their number behind the letter. Cards are "7h" and, face down, "[]"; the flag of the suns
    is "Fs", and "+m" behind any of them the pawn of the moons.
    """
    if label == "empty":
        return EMPTY
    if board.card_words:
        return _card_signs(board, label)
    place = piece_of(board, label)
    if place is None:
        return _initials(board)[label]
    own = _letters(board)[place.colour]
    rest = label.removeprefix(place.colour)
    return own.upper() if rest.startswith("-") else own + rest.removeprefix("*")


_ON_CARDS = (("flag", "F"), ("pawn", "+"))


def _card_signs(board: Board, label: str) -> str:
    letters = _letters(board)
    parts = dict(part.split("-", 1) for part in label.split("+") if part.startswith(("flag-", "pawn-")))
    card, _dash, suit = label.partition("+")[0].partition("-")
    lies = f"F{letters[parts['flag']]}" if "flag" in parts else "[]" if card == "back" else card + suit[:1]
    return f"{lies}+{letters[parts['pawn']]}" if "pawn" in parts else lies


def legend(board: Board, labels: Iterable[str]) -> Mapping[str, str]:
    """Give the signs that occur with the words that they stand for; of cards, faces tell themselves."""
    if not board.card_words:
        return {letter(board, label): label for label in labels if label != "empty"}
    letters, parts = _letters(board), sorted({part for label in labels for part in label.split("+")})
    signs = {"back": "[]"}
    signs |= {f"{kind}-{colour}": sign + own for kind, sign in _ON_CARDS for colour, own in letters.items()}
    return {signs[part]: part for part in parts if part in signs}


def _initials(board: Board) -> Mapping[str, str]:
    """Give each kind of piece that has no colour a capital of its own: K for the king, N for the knight."""
    initials: dict[str, str] = {}
    for word in board.label_words:
        free = [own for own in word.upper() if own not in initials.values()]
        initials[word] = free[0] if free else word[0].upper()
    return initials


def _width(board: Board) -> int:
    """Characters of a cell with its sign and a space."""
    return 6 if board.card_words else 3


def piece_of(board: Board, label: str) -> SeatPlace | None:
    """Find the colour that a label's piece has, a special one's and several on one another too; None for others."""
    kind = label.partition("*")[0].partition("-")[0]
    return next((place for place in board.seats_and_saved if place.colour == kind), None)


def unlike_initials(board: Board, labels: Iterable[str]) -> Mapping[str, str]:
    """Give those letters that are not the first of the colour they stand for, with the colour."""
    seen = {place.colour for label in labels if (place := piece_of(board, label))}
    return {own: colour for colour, own in _letters(board).items() if colour in seen and own != colour[0]}


def _letters(board: Board) -> Mapping[str, str]:
    """Give each colour a letter of its own: the first of its name, or if that is taken one from its end."""
    letters: dict[str, str] = {}
    for place in board.seats_and_saved:
        wished = (place.colour[0], *reversed(place.colour))
        letters[place.colour] = next((own for own in wished if own not in letters.values()), place.colour[0])
    return letters


def _printed(board: Board, column: int, row: int) -> str:
    return str(board.grid.numbers[row][column]) if board.grid.numbers else EMPTY


def _append_cell(text: Text, board: Board, label: str | None, sign: str, printed: str) -> None:
    """Draw a cell, with its sign and a space."""
    width = _width(board)
    if label is None:
        text.append(f" {sign}".ljust(width))
        return
    style = _style(board, label)
    drawn = printed if label == "empty" else letter(board, label)
    text.append(drawn, style=style)
    text.append(sign, style=style + Style(bold=True, dim=False))
    text.append(" " * (width - 1 - len(drawn)), style="none")


def _style(board: Board, label: str) -> Style:
    """The colour of the piece that a label names, as ground, with ink that can be read on it."""
    place = piece_of(board, label)
    if place is None:
        return _EMPTY
    ink = "black" if _luma(place.rgb) > 110 else "bright_white"
    return Style(color=ink, bgcolor=Color.from_rgb(*place.rgb).name, bold=label != place.colour)


def _luma(rgb: Rgb) -> float:
    """Brightness to the eye, 0 to 255 (ITU-R BT.601)."""
    red, green, blue = rgb
    return 0.299 * red + 0.587 * green + 0.114 * blue
