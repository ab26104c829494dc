"""The kits of all games: described by the game itself, or else derived from its table file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.games.discovery import Parts, packages
from companion.games.guide import NO_GUIDE
from companion.games.kit import BoardDetails, FlatPiece, Kit, KitMarks
from companion.games.speech import SPEECHES, table_title
from companion.ui.names import label_name
from vision.board import Board, shipped_board, shipped_games

KITS: Mapping[str, Callable[[], Kit]] = Parts(lambda bundle: bundle.kit)
"""The kits that games describe, by the game's name."""

_SYMBOLS = ("triangle", "sun", "leaf", "drop", "diamond", "square", "ring", "star")
_FIRST_ID = 120
"""First marker of a kit that is derived from a table file; kits of this project have smaller ones."""

_MOST_PIECES = 30


def games_with_kits() -> tuple[str, ...]:
    """Return the names of the games that can be printed: all with a table file, sorted."""
    packages()  # finds third-party games, and registers their tables
    return shipped_games()


def kit_of(game: str) -> Kit:
    """Return a game's kit, with its texts in the current language.

    Raises:
        KeyError: the game has no table.
    """
    if game not in games_with_kits():
        raise KeyError(game)
    board, guide = shipped_board(game), SPEECHES[game].guide() if game in SPEECHES else NO_GUIDE
    kit = KITS[game]() if game in KITS else plain_kit(board)
    return replace(kit, title=table_title(board), turn=guide.turn, credit=guide.credit)


def plain_kit(board: Board) -> Kit:
    """Return the kit derived from a table file: the board, and its pieces as discs.

    Each label of a single piece, not of cards, is a kind of piece.
    """
    size_mm, pieces = round(0.7 * min(board.grid.pitch), 1), []
    singles = [label for label in board.cell_labels if label.piece and label.height == 1]
    for place, label in enumerate(singles):
        piece, seat = board.pieces[board.piece_of(label) or ""], board.seat_of(label)
        count = piece.count or min(_MOST_PIECES, 1 + len(board.cells) // max(1, len(board.colours)))
        look = (seat.rgb if seat else "ink", _SYMBOLS[place % len(_SYMBOLS)], size_mm)
        pieces.append(FlatPiece(str(label), label_name(str(label)), count, *look, ring=bool(label.kind)))
    return Kit(
        title=board.title,
        board=BoardDetails(),
        pieces=tuple(pieces),
        marks=KitMarks(_FIRST_ID, tuple(dict.fromkeys(piece.label for piece in pieces)), 18.0),
        flat={board.piece_of(label) or "": size_mm for label in board.cell_labels if not label.is_empty},
        sheets=lambda _marked: (),
    )
