"""A table as a flat picture in values: squares with a ground, a sign and a word below; a page or a plot draws them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.ui.board_text import PLAIN, BoardLook, brightness, cell_signs, piece_of
from vision.board import Board, Rgb, cell_name, column_letter
from vision.labels import parse_label

_PAPER: Rgb = (250, 247, 240)
_DARK_INK, _LIGHT_INK = "#1b1b1b", "#ffffff"
_FAINT_INK = "#8a857a"
_LIGHT_GROUND = 130
"""From this brightness on ink is dark."""


@dataclass(frozen=True, slots=True)
class Square:
    """One cell of a drawn table.

    Attributes:
        column, row: its place, from 0.
        ground, ink: colours as "#rrggbb".
        sign: what is written on it.
        below: a small word under the sign.
        special: it bears a special piece, which is drawn with a second outline.
    """

    column: int
    row: int
    ground: str
    ink: str
    sign: str
    below: str = ""
    special: bool = False


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A drawn table.

    Attributes:
        squares: its cells.
        columns: the letters above it.
        rows: how many there are.
    """

    squares: tuple[Square, ...]
    columns: tuple[str, ...]
    rows: int


def board_picture(board: Board, labels: Mapping[str, str], look: BoardLook = PLAIN) -> BoardPicture:
    """Return a table as squares; `labels` gives each place's word of the table file."""
    letters = tuple(column_letter(column) for column in range(board.grid.columns))
    return BoardPicture(tuple(_squares(board, labels, look)), letters, board.grid.rows)


def _squares(board: Board, labels: Mapping[str, str], look: BoardLook) -> Iterator[Square]:
    signs = cell_signs(board, labels, look)
    for row in range(board.grid.rows):
        for column in range(board.grid.columns):
            cell = cell_name(column, row)
            sign, below = signs.get(cell, ""), look.below.get(cell, "")
            if sign or below:
                yield _square(board, labels.get(cell, ""), Square(column, row, hex_colour(_PAPER), "", sign, below))


def _square(board: Board, label: str, plain: Square) -> Square:
    """Return a square in the colour of the piece on it; a card with a piece on it in a pale one."""
    ground = _ground(board, label)
    if ground is None:
        ink = _FAINT_INK if not label or parse_label(label).is_empty else _DARK_INK
        return Square(plain.column, plain.row, plain.ground, ink, plain.sign, plain.below)
    ink = _DARK_INK if brightness(ground) > _LIGHT_GROUND else _LIGHT_INK
    special = bool(parse_label(label).kind)
    return Square(plain.column, plain.row, hex_colour(ground), ink, plain.sign, plain.below, special)


def _ground(board: Board, label: str) -> Rgb | None:
    """Return the colour of what is on a cell; None for nothing, a bare card, a piece of no colour."""
    if not label:
        return None
    on_card = parse_label(label).on_card
    if on_card:
        colours = {place.colour: place.rgb for place in board.seats_and_saved}
        rgb = colours[on_card[-1][1]]
        red, green, blue = ((2 * paper + own) // 3 for paper, own in zip(_PAPER, rgb, strict=True))
        return red, green, blue
    place = piece_of(board, label)
    return None if place is None else place.rgb


def hex_colour(rgb: Rgb) -> str:
    """Return a colour as "#rrggbb"."""
    return "#{:02x}{:02x}{:02x}".format(*rgb)
