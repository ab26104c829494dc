"""A table as text: every cell a letter, colour beside it, and a sign where something is to be said of the cell."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rich.color import Color
from rich.style import Style
from rich.text import Text

from vision.board import Board, Rgb, cell_name

WRONG, TO_PLACE, DOUBT = "!", "+", "?"
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
    """Draw a table, a line a row; `labels` gives each cell's word of the table file, missing cells are left blank."""
    columns = "   " + "".join(f"{chr(ord('A') + column)}  " for column in range(board.grid.columns))
    text = Text(columns, style="dim", no_wrap=True)
    for row in range(board.grid.rows):
        text.append(f"\n{row + 1:>2} ", style="dim")
        for column in range(board.grid.columns):
            cell = cell_name(column, row)
            _append_cell(text, board, labels.get(cell), marks.sign(cell))
    return text


def letter(board: Board, label: str) -> str:
    """Give a label's letter: a colour's small letter for its plain piece, the capital for its special one."""
    if label == "empty":
        return "·"
    return label[0] if label in board.colours else label[0].upper()


def _append_cell(text: Text, board: Board, label: str | None, sign: str) -> None:
    if label is None:
        text.append(f" {sign} ")
        return
    style = _style(board, label)
    text.append(letter(board, label), style=style)
    text.append(sign, style=style + Style(bold=True, dim=False))
    text.append(" ", style="none")


def _style(board: Board, label: str) -> Style:
    """The colour of the seat that a label names, as ground, with ink that can be read on it."""
    for seat in board.seat:
        if label == seat.colour or label.startswith(f"{seat.colour}-"):
            ink = "black" if _luma(seat.rgb) > 110 else "bright_white"
            return Style(color=ink, bgcolor=Color.from_rgb(*seat.rgb).name, bold=label != seat.colour)
    return _EMPTY


def _luma(rgb: Rgb) -> float:
    """Brightness to the eye, 0 to 255 (ITU-R BT.601)."""
    red, green, blue = rgb
    return 0.299 * red + 0.587 * green + 0.114 * blue
