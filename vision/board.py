"""The table contract: one TOML file per game, in mm, used by printing, simulation and reading alike.

Board plane: origin at the board's top-left corner, x to the right, y down, z up, all in mm. "Top" is the edge between
marker 0 and marker 1. Cells are named by a column letter (A at the left) and a row number (1 at the top).
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path

import msgspec

from vision.board_conversion import converted
from vision.board_model import Board, cell_column_row, cell_name, column_letter
from vision.board_sections import (
    MARKER_DICTIONARY,
    Cards,
    Dice,
    Grid,
    Markers,
    Marks,
    PieceSize,
    Point,
    Problem,
    Rgb,
    SeatPlace,
    Tray,
)
from vision.errors import BoardFileError
from vision.file_access import read_regular
from vision.labels import EMPTY, FACES, parse_label

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
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        message = f"{path}: the table file cannot be read: {reason}"
        raise BoardFileError(message) from error
    return parse_board(text, str(path))


def parse_board(text: str, source: str) -> Board:
    """Validate a table file's text; `source` names it in messages.

    Raises:
        BoardFileError: a value is invalid; the message is one sentence.
    """
    try:
        table = converted(tomllib.loads(text))
        board = msgspec.convert(table, Board)
        msgspec.convert(table, _WithCards)
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


_registered: dict[str, tuple[Board, Path]] = {}


def register(path: Path | str) -> Board:
    """Register the table file of another installed package, whose networks may be in the same folder.

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
        message = f'{path}: game: expected a name that no other table has, found "{board.game}"'
        raise BoardFileError(message)
    _check_ids(board, known_boards(), str(path))
    _registered[board.game] = (board, file)
    return board


def forget(game: str) -> None:
    """Undo `register`; an unknown name is ignored."""
    _registered.pop(game, None)


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
        message = f'"{game}" is no game with a table file; there are: {", ".join(shipped_games())}'
        raise BoardFileError(message)
    return _built_in_board(game)


def shipped_games() -> tuple[str, ...]:
    """Return the names of the games whose tables ship or were registered, sorted."""
    return tuple(sorted({*_built_in(), *_registered}))


def table_file(game: str) -> Path:
    """Return the path of a game's shipped or registered table file."""
    if game in _registered:
        return _registered[game][1]
    return Path(str(resources.files("vision.boards"))) / game.replace("-", "_") / "board.toml"


def models_folder(game: str) -> Path | None:
    """Return the folder for a registered game's networks; None for a game that ships."""
    return _registered[game][1].parent if game in _registered else None


@lru_cache
def _built_in_board(game: str) -> Board:
    file = resources.files("vision.boards").joinpath(game.replace("-", "_"), "board.toml")
    return parse_board(file.read_text(encoding="utf-8"), f"{game}/board.toml")


@lru_cache
def _built_in() -> frozenset[str]:
    folders = resources.files("vision.boards").iterdir()
    return frozenset(f.name.replace("_", "-") for f in folders if f.joinpath("board.toml").is_file())


def _check_ids(board: Board, others: tuple[Board, ...], source: str) -> None:
    for other in others:
        if clash := sorted(board.marker_ids & other.marker_ids):
            message = f"{source}: markers: expected ids that no other table has, found {clash[0]} of {other.game}"
            raise BoardFileError(message)


class _WithCards(msgspec.Struct):
    cards: Cards = Cards()


_SECTIONS: Mapping[str, type[msgspec.Struct]] = {
    "markers": Markers,
    "grid": Grid,
    "seat": SeatPlace,
    "saved": SeatPlace,
    "pieces": PieceSize,
    "cards": Cards,
    "marks": Marks,
    "tray": Tray,
    "dice": Dice,
}


def _explain(problem: str) -> str:
    """Rewrite a msgspec message: the key first, then what is wrong, then the closest spelling."""
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
    """Check the constraints that types cannot express. Raises `BoardFileError`."""
    for key, expected, found in _problems(board):
        message = f"{source}: {key}: expected {expected}, found {found}"
        raise BoardFileError(message)
    for cell in sorted({cell for line in board.grid.lines for cell in line} - {*board.cells}):
        message = f'{source}: grid.lines: expected cells of the grid, found "{cell}"'
        raise BoardFileError(message)
    for seat in board.seat:
        if seat.start is not None and seat.start not in board.cells:
            message = f'{source}: seat {seat.colour}: start: expected a cell of the grid, found "{seat.start}"'
            raise BoardFileError(message)


def _problems(board: Board) -> Iterator[Problem]:
    """Yield the invalid values, section by section."""
    yield from board.grid.problems(board.size)
    yield from board.markers.problems()
    for name, piece in board.pieces.items():
        yield from piece.problems(name)
        widest = min(board.grid.pitch)
        if piece.shape == "disc" and (piece.diameter or 0.0) > widest and not piece.on:
            yield f"pieces.{name}.diameter", f"at most the width of a cell, {widest:g} mm", piece.diameter
    for section in (board.marks, board.tray, board.dice):
        if section is not None:
            yield from section.problems()
    yield from _label_problems(board)


def _label_problems(board: Board) -> Iterator[Problem]:
    """Yield invalid labels: words without a piece, words that cannot be parsed, cards that do not exist."""
    known = {EMPTY, CARD, *board.pieces}
    if board.labels.get(EMPTY, EMPTY) != EMPTY:
        yield "labels.empty", f'"{EMPTY}"', board.labels[EMPTY]
    if not board.labels.keys() & {EMPTY, CARD}:
        yield "labels", f'"{EMPTY}" or "{CARD}" among the keys', list(board.labels)
    for key in board.labels:
        if key not in known:
            yield "labels", f"names of pieces ({', '.join(board.pieces)})", f'"{key}"'
    if unknown := sorted({*board.card_words} - {*FACES}):
        yield "cards", 'ranks and suits of playing cards, such as "7" and "hearts"', f'"{unknown[0]}"'
    for place in board.seats_and_saved:
        if not re.fullmatch(r"[^\s*+-]+", place.colour):
            yield "seat", 'a colour in one word without "-", "*" and "+"', f'"{place.colour}"'
    for word in (word for name in board.pieces for word in _unparsed(board, name)):
        yield "labels", 'words such as "red" or "red-royal"', f'"{word}"'
    parts = {part for label in board.cell_labels for part in label.single.parts()}
    marks = board.marks.ids if board.marks else {}
    is_same = board.marks is not None and board.marks.dictionary == board.markers.dictionary
    for part, number in marks.items():
        if part not in parts:
            yield "marks.ids", "labels of this table", f'"{part}"'
        if is_same and number in board.markers.ids:
            yield f"marks.ids.{part}", "an id that none of the board's markers has", number


def _unparsed(board: Board, piece: str) -> list[str]:
    """Return the words of a piece that cannot be parsed as labels."""
    words = []
    for word in board._words_of(piece):
        try:
            parse_label(word)
        except ValueError:
            words.append(word)
    return words
