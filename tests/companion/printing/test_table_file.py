"""A table file is refused if its markers would cover cells, on each side of them."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from companion.printing.paper import PrintingError
from companion.printing.table_file import BoardMeasures, checked, own_table
from vision.board import shipped_board


@pytest.mark.parametrize(
    ("left", "top", "right", "bottom", "fit"),
    [
        (25, 0, 25, 0, True),
        (24, 0, 25, 0, False),
        (25, 0, 24, 0, False),
        (0, 25, 0, 25, True),
        (0, 24, 0, 25, False),
        (0, 25, 0, 24, False),
    ],
)
def test_markers_in_the_corners_need_a_margin_beside_the_cells_or_above_and_below_them(
    left: float, top: float, right: float, bottom: float, *, fit: bool
) -> None:
    grid = shipped_board("royal-ur").grid
    size = 40.0 * grid.columns + left + right, 40.0 * grid.rows + top + bottom
    text = own_table("royal-ur", BoardMeasures(size, (left, top), (40.0, 40.0), 20.0))  # they end 24.1 mm from an edge
    with nullcontext() if fit else pytest.raises(PrintingError, match="would cover cells"):
        assert checked(text, "own.toml").size == size
