"""Plain paper discs, without markers, are read by their colours; other kits say that they need markers."""

from __future__ import annotations

import numpy as np
import pytest

from companion.printing.kits import games_with_kits, kit_of
from companion.printing.pieces import disc
from companion.printing.table_file import checked, printed_table
from companion.printing.themes import THEMES
from tests.companion.printing.pages import board_page, lay, photographed
from vision.board import shipped_board
from vision.recognition.reader import Reading, TableReader

_PX = 5.0
_OF_A_KIND = 3
_DISC_TABLES = [game for game in games_with_kits() if kit_of(game).plain and not shipped_board(game).card_words]


def _position(game: str, seed: int) -> dict[str, str]:
    """A few pieces of every kind on cells drawn by chance."""
    cells = list(np.random.default_rng(seed).permutation(shipped_board(game).cells))
    kinds = [piece for piece in kit_of(game).pieces for _number in range(min(_OF_A_KIND, piece.count))]
    return {str(cells.pop()): piece.label for piece in kinds}


@pytest.mark.sampled(17)
@pytest.mark.parametrize(("theme", "tilt"), [("paper", 5.0), ("paper", 20.0), ("wood", 12.0)])
@pytest.mark.parametrize("game", _DISC_TABLES)
def test_discs_without_markers_are_read(game: str, theme: str, tilt: float) -> None:
    kit, board = kit_of(game), shipped_board(game)
    table = checked(printed_table(game, kit, marked=False), "table.toml")
    drawings = {piece.label: disc(piece, THEMES[theme]) for piece in kit.pieces}
    page = board_page(board, theme, _PX).copy()
    expected = _position(game, seed=round(tilt))
    for cell, label in expected.items():
        x, y = board.centres_mm()[board.cells.index(cell)]
        lay(page, drawings[label], (float(x), float(y)), _PX, turn_deg=13.0)
    seen = TableReader(table).read(photographed(page, _PX, tilt_deg=tilt, turn_deg=5.0, size_wh=(1640, 1232)))
    assert isinstance(seen, Reading)
    best = [seen.observation.labels[column] for column in seen.observation.p.argmax(axis=1)]
    wrong = {
        cell: (label, expected.get(cell, "empty"))
        for cell, label in zip(seen.observation.cells, best, strict=True)
        if label != expected.get(cell, "empty")
    }
    assert len(wrong) <= 1, wrong
