"""A sheet that says which pieces to lay where, with a code of that position.

A photograph of the table with the code in view is a labelled picture: the code holds the label of every place.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Mapping

import cv2
import numpy as np

from companion.games.kit import Item, Rectangle, Words
from companion.games.speech import table_title
from companion.locale import _
from companion.printing.board_svg import TableSvg, shown_cells
from companion.printing.document import Document
from companion.printing.page_marks import head, runs
from companion.printing.paper import Paper
from companion.printing.themes import THEMES
from companion.ui.names import label_name
from vision.board import Board
from vision.labels import BACK, COVERED, EMPTY

CODE_HEAD = "COMPANION1"
_MOST_PIECES, _SHARE = 16, 0.25
"""Most pieces to lay, and their largest share of the cells: more are tiresome and need a larger code."""

_FACES, _PIECES_ON_CARDS = 12, 2
"""Number of cards to lay face up, and how many pieces of each kind stand on them or cover cards."""

_CODE_MM, _QUIET = 88.0, 4
"""Side of the code with its white border, and that border in modules, as in the standard."""

CODE_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def challenge_position(board: Board, seed: int) -> dict[str, str]:
    """Return the label to lay on each chosen cell, the others having `rest_of`; equal seeds give equal positions."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    if board.card_words:
        # cards face up, some with a piece standing on them, and some that a piece covers, if the game has such
        faces = chance.sample(board.card_words, min(_FACES, len(board.card_words)))
        standing = sorted({word.partition("+")[2] for word in board.label_words if word.startswith(f"{faces[0]}+")})
        covering = sorted(w for w in board.label_words if w.startswith(f"{COVERED}+") and w.count("+") == 1)
        pieces, covers = (chance.sample(of, min(_PIECES_ON_CARDS, len(of))) for of in (standing, covering))
        shown = [f"{face}+{piece}" for face, piece in zip(faces, pieces, strict=False)]
        words = [*shown, *faces[len(shown) :], *covers]
        position = dict(zip(chance.sample(board.cells, len(words)), words, strict=True))
        return {cell: position[cell] for cell in board.cells if cell in position}
    left = {
        str(label): piece.count or _MOST_PIECES
        for label in board.cell_labels
        if label.height == 1 and (piece := board.pieces.get(board.piece_of(label) or ""))
    }
    cells = chance.sample(board.cells, min(_MOST_PIECES, max(1, int(_SHARE * len(board.cells)))))
    position = {}
    for cell in sorted(cells, key=board.cells.index):
        words = [word for word, count in left.items() if count]
        if words:
            position[cell] = chance.choice(words)
            left[position[cell]] -= 1
    return position


def rest_of(board: Board) -> str:
    """Return the label of the cells that a challenge does not name: a card face down, or nothing."""
    return BACK if board.card_words else EMPTY


def position_code(board: Board, position: Mapping[str, str]) -> str:
    """Return a position as a text of capitals and digits: the game, the table's checksum, four characters a piece."""
    pieces = (
        _two(board.places.index(cell)) + _two(board.label_words.index(word)) for cell, word in sorted(position.items())
    )
    return f"{CODE_HEAD}:{board.game.upper()}:{checksum(board)}:{''.join(pieces)}"


def draw_challenge(document: Document, paper: Paper, board: Board, seed: int) -> None:
    """Draw the sheet: the instructions, the board with its pieces, and the code in the lower right corner."""
    position = challenge_position(board, seed)
    left, width = paper.margin_mm + 4, paper.width_mm - 2 * paper.margin_mm - 8
    title = _("{game}: challenge {seed}").format(game=table_title(board), seed=seed)
    if board.card_words:
        note = _(
            "Lay these cards, and a card face down on each other place, and put this sheet beside them, the code in"
            " view and flat. Then photograph the whole table. The picture says itself what is on it; cover names, faces"
            " and letters."
        )
    else:
        note = _(
            "Lay these pieces on an empty board and put this sheet beside it, the code in view and flat. Then"
            " photograph the whole table. The picture says itself what is on it; cover names, faces and letters."
        )
    table = TableSvg(board, theme=THEMES["paper"]).drawing(
        shown_cells({**dict.fromkeys(board.cells, rest_of(board)), **position})
    )
    top = paper.margin_mm + 34.0
    room = (left, top, width, min(108.0, width * table.height_mm / table.width_mm))
    with document.page(paper) as pen:
        pen.items(head(paper, title, note, 18.0))
        pen.fitted(table, room)
        below = top + room[3] + 6.0
        listed = ", ".join(f"{cell} {label_name(word)}" for cell, word in position.items())
        pen.items([Words((left, below, width - _CODE_MM - 4, 70.0), listed, 10.0, "ink", "left", upright="top")])
        code_at = (paper.width_mm - paper.margin_mm - _CODE_MM, paper.height_mm - paper.margin_mm - _CODE_MM)
        pen.moved(*code_at).items(code_items(position_code(board, position), _CODE_MM))


def code_items(text: str, side_mm: float) -> Iterator[Item]:
    """Yield a QR code on white, one rectangle for each run of dark modules; its top-left corner is at (0, 0)."""
    parameters = cv2.QRCodeEncoder.Params()
    parameters.correction_level = cv2.QRCODE_ENCODER_CORRECT_LEVEL_M
    dark = np.asarray(cv2.QRCodeEncoder.create(parameters).encode(text)) < 128
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    dark = dark[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    module = side_mm / (len(dark) + 2 * _QUIET)
    yield Rectangle((0, 0, side_mm, side_mm), fill="white")
    for y, row in enumerate(dark):
        for start, end in runs(row):
            box = ((start + _QUIET) * module, (y + _QUIET) * module, (end - start) * module, module)
            yield Rectangle(box, fill=(0, 0, 0))


def checksum(board: Board) -> str:
    """Return two digits computed from the places and labels that a code's numbers stand for."""
    return _two(zlib.crc32("\n".join((*board.places, *board.label_words)).encode()) % len(CODE_DIGITS) ** 2)


def _two(number: int) -> str:
    return CODE_DIGITS[number // len(CODE_DIGITS)] + CODE_DIGITS[number % len(CODE_DIGITS)]
