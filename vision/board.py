"""The table contract: one TOML file per game, in mm, used by printing, simulation and reading alike.

Board plane: origin at the board's top-left corner, x to the right, y down, z up, all in mm. "Top" is the edge between
marker 0 and marker 1. Cells are named by a column letter (A at the left) and a row number (1 at the top).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from importlib import resources
from itertools import combinations, product
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from engines.sentence import Sentence, about, unexpected
from engines.shapes import Walk, in_file
from vision.board_conversion import converted
from vision.board_sections import (
    MARKER_DICTIONARY,
    Cards,
    Dice,
    Grid,
    Markers,
    Marks,
    PieceSize,
    Point,
    Rgb,
    SeatPlace,
    Tray,
)
from vision.errors import BoardFileError
from vision.file_access import read_regular, toml_problem
from vision.labels import BACK, COVERED, EMPTY, FACES, Label, parse_label, part_word

__all__ = [
    "MARKER_DICTIONARY",
    "Board",
    "Dice",
    "Grid",
    "Markers",
    "Marks",
    "PieceSize",
    "Point",
    "Rgb",
    "SeatPlace",
    "Tray",
    "cell_column_row",
    "cell_name",
    "column_letter",
    "known_boards",
    "load_board",
    "parse_board",
    "register",
    "shipped_board",
    "shipped_games",
]

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
    cards: Cards = {}
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
    def cell_labels(self) -> tuple[Label, ...]:
        """Every label that a cell may have, in the order of an observation's columns.

        These are the file's words with "{colour}" replaced by each seat's colour, and every height of pieces that can
        be stacked. If there are cards on the cells, the labels combine each card with everything that can be on it.
        """
        labels: list[Label] = []
        if self.card_words:
            # Cards face up, face down and covered, alone and with pieces on them, and no card.
            covering, standing = self._on_cards(covers=True), self._on_cards(covers=False)
            laid = [Label(card=card) for card in (*self.card_words, BACK)]
            laid += [Label(card=COVERED, on_card=(part,)) for parts in covering for part in parts]
            choices: list[tuple[tuple[str, str] | None, ...]] = [(None, *parts) for parts in standing]
            for label, combined in product(laid, product(*choices)):
                labels.append(replace(label, on_card=(*label.on_card, *(part for part in combined if part))))
            return (*labels, Label())
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
        return next((place for place in self.seats_and_saved if place.colour == label.piece), None)

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
        message = f'"{cell}" is not a cell: expected a letter and a number, such as "A1"'
        raise ValueError(message)
    return ord(match[1]) - ord("A"), int(match[2]) - 1


# ---- table files

MOST_BYTES = 1_000_000
"""Largest size of a table file, in bytes; those that ship have some 5,000."""

CARD = "card"
"""The key of `labels` for cards on the cells; all other keys except `EMPTY` are names of pieces."""


def load_board(path: Path) -> Board:
    """Read and validate a table file.

    Raises:
        BoardFileError: the file cannot be read or a value is invalid; the message is one sentence.
    """
    try:
        text = read_regular(path, MOST_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BoardFileError(toml_problem(str(path), error)) from error
    return parse_board(text, str(path))


def parse_board(text: str, source: str) -> Board:
    """Validate a table file's text; `source` names it in messages.

    Raises:
        BoardFileError: a value is invalid; the message is one sentence.
    """
    try:
        table = converted(tomllib.loads(text))
        board = msgspec.convert(table, Board)
    except msgspec.ValidationError as error:
        raise BoardFileError(in_file(Walk(in_toml=True).first_fault(table, Board, error), source)) from error
    except (RecursionError, ValueError) as error:
        raise BoardFileError(toml_problem(source, error)) from error
    for problem in _problems(board):
        raise BoardFileError(about(source, problem))
    return board


_registered: dict[str, tuple[Board, Path]] = {}


def register(path: Path | str) -> Board:
    """Register the table file of another installed package.

    Registering the same file again changes nothing.

    Raises:
        BoardFileError: the file is invalid, or another known table has the same game name or one of its marker ids;
            the message is one sentence.
    """
    file = Path(path)
    board = load_board(file)
    if _registered.get(board.game) == (board, file):
        return board
    if board.game in shipped_games():
        raise BoardFileError(about(str(path), unexpected("game", "a name that no other table has", board.game)))
    for other in known_boards():
        if clash := sorted(board.marker_ids & other.marker_ids):
            problem = unexpected("markers", "other ids than those of {game}", clash, game=other.game)
            raise BoardFileError(about(str(path), problem))
    _registered[board.game] = (board, file)
    return board


def known_boards() -> tuple[Board, ...]:
    """Return all tables that ship or were registered, sorted by game name."""
    return tuple(shipped_board(game) for game in shipped_games())


def shipped_board(game: str) -> Board:
    """Return the shipped or registered table of a game, by its name in commands ("royal-tee").

    Raises:
        BoardFileError: there is no such game.
    """
    if game in _registered:
        return _registered[game][0]
    if game not in _built_in():
        sentence = Sentence('"{game}" is not a game with a table file; there are: {games}')
        raise BoardFileError(sentence.format(game=game, games=", ".join(shipped_games())))
    return _built_in_board(game)


def shipped_games() -> tuple[str, ...]:
    """Return the names of the games whose tables ship or were registered, sorted."""
    return tuple(sorted({*_built_in(), *_registered}))


def table_file(game: str) -> Path:
    """Return the path of a game's shipped or registered table file."""
    if game in _registered:
        return _registered[game][1]
    return Path(str(resources.files("vision.boards"))) / game.replace("-", "_") / "board.toml"


@lru_cache
def _built_in_board(game: str) -> Board:
    file = resources.files("vision.boards").joinpath(game.replace("-", "_"), "board.toml")
    return parse_board(file.read_text(encoding="utf-8"), f"{game}/board.toml")


@lru_cache
def _built_in() -> frozenset[str]:
    folders = resources.files("vision.boards").iterdir()
    return frozenset(f.name.replace("_", "-") for f in folders if f.joinpath("board.toml").is_file())


_LEAST_APART = 24
"""Least difference in red, green or blue of two players' colours: lamps and shadows change each by as much."""


def _problems(board: Board) -> Iterator[Sentence]:
    """Yield the invalid values that types cannot exclude, section by section."""
    yield from board.grid.problems(board.size)
    yield from board.markers.problems()
    for name, piece in board.pieces.items():
        yield from piece.problems(name, board.size, board.grid.pitch)
    for one, other in combinations(board.seats_and_saved, 2):
        apart = max(abs(a - b) for a, b in zip(one.rgb, other.rgb, strict=True))
        if board.marks is None and apart < _LEAST_APART:
            found = {place.colour: place.rgb for place in (one, other)}
            yield unexpected("seat", "colours whose rgb differ by {least} or more", found, least=_LEAST_APART)
    for section in (board.marks, board.dice):
        if section is not None:
            yield from section.problems()
    if unknown := sorted({*board.card_words} - {*FACES}):
        yield unexpected("cards", 'ranks and suits of playing cards, such as "7" and "hearts"', unknown[0])
    if board.card_words and "size" not in board.cards:
        yield unexpected("cards.size", "a card's width and height in mm", Sentence("nothing"))
    yield from _label_problems(board)
    named = {cell_name(column, row) for column in range(board.grid.columns) for row in range(board.grid.rows)}
    for cell in sorted({*board.places[len(board.cells) :]} - (named - {*board.cells})):
        yield unexpected("pads", "missing cells of the grid", cell)
    for cell in sorted({cell for line in board.grid.lines for cell in line} - {*board.cells}):
        yield unexpected("grid.lines", "cells of the grid", cell)
    for seat in board.seat:
        if seat.start is not None and seat.start not in board.cells:
            yield about(f"seat {seat.colour}", unexpected("start", "a cell of the grid", seat.start))


def _label_problems(board: Board) -> Iterator[Sentence]:
    """Yield invalid labels: words without a piece, and words that cannot be parsed."""
    known = {EMPTY, CARD, *board.pieces}
    if board.labels.get(EMPTY, EMPTY) != EMPTY:
        yield unexpected("labels.empty", 'the word "empty"', board.labels[EMPTY])
    if not board.labels.keys() & {EMPTY, CARD}:
        yield unexpected("labels", '"empty" or "card" among the keys', list(board.labels))
    for key in board.labels:
        if key not in known:
            yield unexpected("labels", "names of pieces ({names})", key, names=", ".join(board.pieces))
    for place in board.seats_and_saved:
        if not re.fullmatch(r"[^\s*+-]+", place.colour):
            yield unexpected("seat", 'a colour in one word without "-", "*" and "+"', place.colour)
    colours = [place.colour for place in board.seats_and_saved]
    if len({EMPTY, *colours}) <= len(colours):
        yield unexpected("seat", 'colours that differ from one another and from "{empty}"', colours, empty=EMPTY)
    for word in (word for name in board.pieces for word in board._words_of(name)):
        try:
            parse_label(word)
        except ValueError:
            yield unexpected("labels", 'words such as "{one}" or "{other}"', word, one="red", other="red-royal")
    parts = {part for label in board.cell_labels for part in label.single.parts()}
    marks = board.marks.ids if board.marks else {}
    is_same = board.marks is not None and board.marks.dictionary == board.markers.dictionary
    for part, number in marks.items():
        if part not in parts:
            yield unexpected("marks.ids", "labels of this table", part)
        if is_same and number in board.markers.ids:
            yield unexpected("marks.ids." + part, "an id that none of the board's markers has", number)
