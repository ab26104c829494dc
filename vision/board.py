"""The table contract: one TOML file per game, in mm, read by printing, simulation and reading alike.

Board plane: origin at the board's top-left corner, x to the right, y down, z up, all in mm. "Top" is the edge between
marker 0 and marker 1. Cells are named by a column letter (A at the left) and a row number (1 at the top).
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from functools import cached_property, lru_cache
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.errors import BoardFileError
from vision.file_access import read_regular

MARKER_DICTIONARY = "DICT_APRILTAG_36h11"
"""The one dictionary in use: it gave no false detection on hundreds of photographs of games."""

MOST_BYTES = 1_000_000
"""Of a table file; those that ship have some 5,000."""

_STACKED = range(2, 8)
"""Counters that may lie on one another: a player of the one game that stacks them has seven."""

Point = tuple[float, float]
Rgb = tuple[int, int, int]


class Markers(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Four square markers; `side` is the black square's, in mm, `base` the id of the top-left one, then clockwise."""

    dictionary: str
    base: int
    side: float
    centres: tuple[Point, Point, Point, Point]

    @property
    def ids(self) -> tuple[int, int, int, int]:
        """The four ids: top-left, top-right, bottom-right, bottom-left."""
        return (self.base, self.base + 1, self.base + 2, self.base + 3)

    def corners_mm(self) -> NDArray[np.float64]:
        """Corners of the black squares, float64 (4 markers, 4 corners clockwise from the top left, xy)."""
        half = self.side / 2
        square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        centres: NDArray[np.float64] = np.asarray(self.centres, dtype=np.float64)[:, None, :]
        return np.asarray(centres + square, dtype=np.float64)


class Grid(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The cells: `origin` is the top-left corner of A1 and `pitch` a cell's width and height, in mm."""

    columns: int
    rows: int
    origin: Point
    pitch: Point
    missing: tuple[str, ...] = ()
    dark: tuple[str, ...] = ()
    numbers: tuple[tuple[int, ...], ...] = ()


class SeatPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player's colour and, where the game has them, the side, zone (x, y, width, height in mm) and start space."""

    colour: str
    rgb: Rgb
    side: str | None = None
    zone: tuple[float, float, float, float] | None = None
    start: str | None = None


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece's shape and sizes in mm; which sizes there are depends on the shape."""

    height: float
    shape: str = "turned"
    diameter: float | None = None
    head_diameter: float | None = None
    dot_diameter: float | None = None
    dot: str | None = None
    size: float | None = None


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """A whole table file, validated."""

    game: str
    title: str
    size: Point
    markers: Markers
    grid: Grid
    pieces: Mapping[str, Piece]
    labels: Mapping[str, str | tuple[str, ...]]
    seat: tuple[SeatPlace, ...] = ()
    saved: SeatPlace | None = None
    pads: Mapping[str, Mapping[str, str]] = {}
    cards: Mapping[str, Any] = {}

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
        """Names of all places where a piece may lie: the cells, then the pads beside them."""
        return (*self.cells, *(cell for pads in self.pads.values() for cell in pads.values()))

    def centres_mm(self) -> NDArray[np.float64]:
        """Middles of the cells on the board plane, float64 (n_cells, xy), in the order of `cells`; read only."""
        return self.places_mm()[: len(self.cells)]

    def places_mm(self) -> NDArray[np.float64]:
        """Middles of the places on the board plane, float64 (n_places, xy), in the order of `places`; read only."""
        return self._places_mm

    @cached_property
    def _places_mm(self) -> NDArray[np.float64]:
        columns_rows = np.array([cell_column_row(cell) for cell in self.places], dtype=np.float64)
        centres = np.asarray(np.array(self.grid.origin) + (columns_rows + 0.5) * np.array(self.grid.pitch))
        centres.flags.writeable = False  # every reading shares it
        return centres

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The seats' colours, in the file's order."""
        return tuple(seat.colour for seat in self.seat)

    @property
    def seats_and_saved(self) -> tuple[SeatPlace, ...]:
        """The seats, and the neutral colour where the game has one."""
        return self.seat if self.saved is None else (*self.seat, self.saved)

    @cached_property
    def label_words(self) -> tuple[str, ...]:
        """Every label that a cell may bear: the file's words with "{colour}" spelt out for each seat.

        Pieces that the file speaks of as "counters" may be stacked: "white", "white*2", and so on. On cards lie flags,
        and on both stand pawns, and the words are joined: "7-hearts+pawn-suns", "covered+flag-moons".
        """
        if {"card", "flag", "pawn"} <= self.labels.keys():
            return self._words_with_cards()
        words: list[str] = []
        for key, entry in self.labels.items():
            for pattern in (entry,) if isinstance(entry, str) else entry:
                if "{colour}" in pattern:
                    words += [pattern.replace("{colour}", colour) for colour in self.colours]
                else:
                    words.append(pattern)
            if key == "counters":
                words += [f"{word}*{number}" for word in words[-len(self.colours) :] for number in _STACKED]
        return tuple(dict.fromkeys(words))

    @cached_property
    def card_words(self) -> tuple[str, ...]:
        """The faces that cards on the cells may show, such as "7-hearts"; none where no cards lie on cells."""
        pairs = product(self.cards.get("ranks", ()), self.cards.get("suits", ()))
        return tuple(f"{rank}-{suit}" for rank, suit in pairs)

    def _words_with_cards(self) -> tuple[str, ...]:
        """A card face up or down, or covered by a flag; on it a pawn or none."""
        flags, pawns = ([f"+{kind}-{colour}" for colour in self.colours] for kind in ("flag", "pawn"))
        lying = (*self.card_words, "back", *(f"covered{flag}" for flag in flags))
        return tuple(card + pawn for card, pawn in product(lying, ("", *pawns)))


def cell_name(column: int, row: int) -> str:
    """Name the cell at a column and a row, both counted from 0 at the top left."""
    return f"{chr(ord('A') + column)}{row + 1}"


def cell_column_row(cell: str) -> tuple[int, int]:
    """Give a cell's column and row, both counted from 0 at the top left.

    Raises:
        ValueError: the text is no cell's name.
    """
    match = re.fullmatch(r"([A-Z])([1-9][0-9]?)", cell)
    if match is None:
        message = f'"{cell}" is no cell: expected a letter and a number, such as "A1"'
        raise ValueError(message)
    return ord(match[1]) - ord("A"), int(match[2]) - 1


def load_board(path: Path) -> Board:
    """Read and validate a table file.

    Raises:
        BoardFileError: it cannot be read or something in it is not as expected; the message is one sentence.
    """
    try:
        text = read_regular(path, MOST_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        message = f"{path}: the table file cannot be read: {reason}"
        raise BoardFileError(message) from error
    return parse_board(text, str(path))


def parse_board(text: str, source: str) -> Board:
    """Validate a table file's text; `source` names it in messages.

    Raises:
        BoardFileError: something is not as expected; the message is one sentence.
    """
    try:
        board = msgspec.convert(tomllib.loads(text), Board)
    except msgspec.ValidationError as error:
        message = f"{source}: {_explain(str(error))}"
        raise BoardFileError(message) from error
    except RecursionError as error:
        message = f"{source}: its lists or tables are nested too deeply"
        raise BoardFileError(message) from error
    except ValueError as error:  # tomllib's own, and Python's for a number of more than 4,300 digits
        message = f"{source}: not a TOML file: {error}"
        raise BoardFileError(message) from error
    _check(board, source)
    return board


@lru_cache
def shipped_board(game: str) -> Board:
    """Give the table file that ships for a game, by the game's name in commands ("royal-tee").

    Raises:
        BoardFileError: there is no such game.
    """
    file = resources.files("vision.boards").joinpath(game.replace("-", "_"), "board.toml")
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", game) or not file.is_file():
        message = f'"{game}" is no game with a table file; there are: {", ".join(shipped_games())}'
        raise BoardFileError(message)
    return parse_board(file.read_text(encoding="utf-8"), f"{game}/board.toml")


@lru_cache
def shipped_games() -> tuple[str, ...]:
    """Names of the games whose table files ship, sorted."""
    folders = resources.files("vision.boards").iterdir()
    return tuple(sorted(f.name.replace("_", "-") for f in folders if f.joinpath("board.toml").is_file()))


_SECTIONS: Mapping[str, type[msgspec.Struct]] = {
    "markers": Markers,
    "grid": Grid,
    "seat": SeatPlace,
    "saved": SeatPlace,
    "pieces": Piece,
}


def _explain(problem: str) -> str:
    """Put msgspec's sentence into ours: the key first, then what is wrong, then the nearest spelling."""
    found = re.fullmatch(r"(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?", problem, flags=re.DOTALL)
    what, where = (found["what"], found["where"]) if found else (problem, None)
    what = what.replace("Object missing", "the section lacks the").replace("Object", "the section").replace("`", '"')
    unknown = re.search(r'unknown field "(.+)"', what)
    section = _SECTIONS.get(re.split(r"[.\[]", where or "")[0], Board)
    keys = [field.encode_name for field in msgspec.structs.fields(section)]
    near = difflib.get_close_matches(unknown[1], keys, n=1) if unknown else []
    hint = f'; did you mean "{near[0]}"?' if near else ""
    return f"{where or 'top level'}: {what[:1].lower()}{what[1:]}{hint}"


def _check(board: Board, source: str) -> None:
    """Check what types alone do not say."""
    grid, width_height = board.grid, board.size
    end = tuple(o + n * p for o, n, p in zip(grid.origin, (grid.columns, grid.rows), grid.pitch, strict=True))
    problems = (
        (not 1 <= grid.columns <= 26, "grid.columns", "1 to 26", grid.columns),
        (not 1 <= grid.rows <= 99, "grid.rows", "1 to 99", grid.rows),
        (min(grid.pitch) <= 0, "grid.pitch", "lengths above 0 mm", grid.pitch),
        (
            board.markers.dictionary != MARKER_DICTIONARY,
            "markers.dictionary",
            f'"{MARKER_DICTIONARY}"',
            board.markers.dictionary,
        ),
        (board.markers.side <= 0, "markers.side", "a length above 0 mm", board.markers.side),
        (
            min(grid.origin) < 0 or end[0] > width_height[0] or end[1] > width_height[1],
            "grid",
            f"cells within the board's size {width_height}",
            end,
        ),
    )
    for wrong, key, expected, found in problems:
        if wrong:
            message = f"{source}: {key}: expected {expected}, found {found}"
            raise BoardFileError(message)
    for seat in board.seat:
        if seat.start is not None and seat.start not in board.cells:
            message = f'{source}: seat {seat.colour}: start: expected a cell of the grid, found "{seat.start}"'
            raise BoardFileError(message)
