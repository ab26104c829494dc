"""The table as a value: its cells, its pieces and their abilities, and every label that a cell may have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.board_sections import Dice, Grid, Markers, Marks, PieceSize, Point, SeatPlace, Tray
from vision.labels import BACK, COVERED, EMPTY, Label, parse_label, part_word

_COLOUR = "{colour}"


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """A whole table file, validated."""

    game: str
    title: str
    size: Point
    markers: Markers
    grid: Grid
    pieces: Mapping[str, PieceSize]
    labels: Mapping[str, str | tuple[str, ...]]
    seat: tuple[SeatPlace, ...] = ()
    saved: SeatPlace | None = None
    pads: Mapping[str, Mapping[str, str]] = {}
    cards: Mapping[str, Any] = {}
    marks: Marks | None = None
    tray: Tray | None = None
    dice: Dice | None = None

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """Names of the cells, row by row from the top left, without the missing ones."""
        return tuple(
            name
            for row in range(self.grid.rows)
            for column in range(self.grid.columns)
            if (name := cell_name(column, row)) not in self.grid.missing
        )

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Names of all places where a piece may be: the cells, then the pads next to them."""
        return (*self.cells, *(cell for pads in self.pads.values() for cell in pads.values()))

    def centres_mm(self) -> NDArray[np.float64]:
        """Return the cells' centres on the board plane, float64 (n_cells, xy), in the order of `cells`; read only."""
        return self.places_mm()[: len(self.cells)]

    def places_mm(self) -> NDArray[np.float64]:
        """Return the places' centres on the board plane, float64 (n_places, xy), ordered as `places`; read only."""
        return self._places_mm

    @cached_property
    def _places_mm(self) -> NDArray[np.float64]:
        columns_rows = np.array([cell_column_row(cell) for cell in self.places], dtype=np.float64)
        centres = np.asarray(np.array(self.grid.origin) + (columns_rows + 0.5) * np.array(self.grid.pitch))
        centres.flags.writeable = False  # all readings share it
        return centres

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The seats' colours, in the file's order."""
        return tuple(seat.colour for seat in self.seat)

    @property
    def seats_and_saved(self) -> tuple[SeatPlace, ...]:
        """The seats, then the neutral colour if the game has one."""
        return self.seat if self.saved is None else (*self.seat, self.saved)

    @cached_property
    def _place_of(self) -> dict[str, SeatPlace]:
        return {place.colour: place for place in self.seats_and_saved}

    @cached_property
    def cell_labels(self) -> tuple[Label, ...]:
        """Every label that a cell may have, in the order of an observation's columns.

        These are the file's words with "{colour}" replaced by each seat's colour, and every height of pieces that can
        be stacked. If there are cards on the cells, the labels combine each card with everything that can be on it.
        """
        if self.card_words:
            return self._labels_with_cards()
        labels: list[Label] = []
        for name in self.labels:
            flat = (Label(),) if name == EMPTY else self.labels_of(name)
            heights = range(2, self.pieces[name].stack + 1) if name in self.pieces else ()
            labels += [*flat, *(replace(one, height=number) for one in flat for number in heights)]
        return tuple(dict.fromkeys(labels))

    def printed_number(self, cell: str) -> int | None:
        """Return the number printed on a cell; None if there is none."""
        column, row = cell_column_row(cell)
        numbers = [number for line in self.grid.numbers[row : row + 1] for number in line]
        return numbers[column] if column < len(numbers) else None

    @cached_property
    def label_words(self) -> tuple[str, ...]:
        """The words of `cell_labels`."""
        return tuple(map(str, self.cell_labels))

    @cached_property
    def card_words(self) -> tuple[str, ...]:
        """The faces that cards on the cells may show, such as "7-hearts"; none if no cards are put on cells."""
        pairs = product(self.cards.get("ranks", ()), self.cards.get("suits", ()))
        return tuple(f"{rank}-{suit}" for rank, suit in pairs)

    def labels_of(self, piece: str) -> tuple[Label, ...]:
        """Return the labels of a piece by its name, without stacks: one for each of its colours."""
        return tuple(parse_label(word) for word in self._words_of(piece))

    def label_of(self, piece: str, colour: str) -> Label:
        """Return the label of a colour's piece.

        Raises:
            KeyError: the table has no such piece of that colour.
        """
        for pattern in self._patterns(piece):
            if pattern == colour or (_COLOUR in pattern and colour in self.colours):
                return parse_label(pattern.replace(_COLOUR, colour))
        raise KeyError((piece, colour))

    def piece_of(self, label: Label) -> str | None:
        """Return the name of a label's piece; None for an empty cell, a card, or another table's label."""
        return self._piece_names.get(label.single)

    def seat_of(self, label: Label) -> SeatPlace | None:
        """Return the seat, or the saved place, of the colour of a label's piece; None if it has no colour."""
        return self._place_of.get(label.piece)

    def parts_on_cards(self, *, covers: bool) -> tuple[str, ...]:
        """Return the words of the pieces on cards that cover the card, or that do not: "flag-suns"."""
        return tuple(part_word(*part) for parts in self._on_cards(covers=covers) for part in parts)

    @cached_property
    def walkers(self) -> tuple[str, ...]:
        """Names of the pieces that walk; each colour has one, and the cells it walks over become the colour's."""
        return tuple(name for name, piece in self.pieces.items() if piece.walks)

    @cached_property
    def marker_ids(self) -> frozenset[int]:
        """All marker ids that this table uses: those of the board and those of cards with markers."""
        bases = [self.cards[key] for key in ("face_base", "back_base") if key in self.cards]
        numbers = range(self.cards.get("count", 0))
        return frozenset((*self.markers.ids, *(int(base) + number for base in bases for number in numbers)))

    @cached_property
    def _piece_names(self) -> Mapping[Label, str]:
        return {label: name for name in self.pieces for label in self.labels_of(name)}

    def _patterns(self, piece: str) -> tuple[str, ...]:
        entry = self.labels.get(piece, ())
        return (entry,) if isinstance(entry, str) else entry

    def _words_of(self, piece: str) -> Iterator[str]:
        for pattern in self._patterns(piece):
            if _COLOUR in pattern:
                yield from (pattern.replace(_COLOUR, colour) for colour in self.colours)
            else:
                yield pattern

    def _labels_with_cards(self) -> tuple[Label, ...]:
        """Return the labels of cards face up, face down and covered, alone and with pieces on them, and of no card."""
        bare = tuple(Label(card=card) for card in (*self.card_words, BACK))
        covering, standing = self._on_cards(covers=True), self._on_cards(covers=False)
        covered = [Label(card=COVERED, on_card=(part,)) for parts in covering for part in parts]
        choices: list[tuple[tuple[str, str] | None, ...]] = [(None, *parts) for parts in standing]
        laid = (
            Label(card=label.card, on_card=(*label.on_card, *(part for part in combined if part)))
            for label in (*bare, *covered)
            for combined in product(*choices)
        )
        return (*laid, Label())

    def _on_cards(self, *, covers: bool) -> tuple[tuple[tuple[str, str], ...], ...]:
        """Return kind and colour of everything that can be put on a card, grouped by piece."""
        names = [name for name, piece in self.pieces.items() if piece.on and piece.covers == covers]
        return tuple(tuple((name, colour) for colour in self.colours) for name in names)


def column_letter(column: int) -> str:
    """Return the letter of a column, counted from 0 at the left."""
    return chr(ord("A") + column)


def cell_name(column: int, row: int) -> str:
    """Return the name of the cell at a column and a row, both counted from 0 at the top left."""
    return f"{column_letter(column)}{row + 1}"


def cell_column_row(cell: str) -> tuple[int, int]:
    """Return a cell's column and row, both counted from 0 at the top left.

    Raises:
        ValueError: the text is not a cell's name.
    """
    match = re.fullmatch(r"([A-Z])([1-9][0-9]?)", cell)
    if match is None:
        message = f'"{cell}" is no cell: expected a letter and a number, such as "A1"'
        raise ValueError(message)
    return ord(match[1]) - ord("A"), int(match[2]) - 1
