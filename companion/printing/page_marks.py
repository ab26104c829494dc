"""What has to be exact on a page: markers, and the bar of 100 mm that is measured before anything is cut."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from companion.games.kit import SCALE_PT, Item, KitLine, Mark, Words
from companion.locale import _
from companion.printing.paper import Paper
from vision.board import Board

CHECK_MM = 100.0


def head(paper: Paper, title: str, note: str, note_mm: float) -> Iterator[Item]:
    """Yield a page's title, and a note of at most `note_mm` below it."""
    left, width = paper.margin_mm + 4, paper.width_mm - 2 * paper.margin_mm - 8
    yield Words((left, paper.margin_mm + 2, width, 9.0), title, SCALE_PT["heading"], "ink", "left", "bold")
    yield Words((left, paper.margin_mm + 12, width, note_mm), note, SCALE_PT["text"], "soft", "left", upright="top")


def check_bar(left: float, top: float) -> Iterator[Item]:
    """Yield a bar of exactly 100 mm, with a sentence below on its use."""
    yield from _bar(left, top + 1.5, 1.5)
    sentence = _("100 mm: measure it. If it is shorter, print at 100 %, not fitted to the page.")
    yield Words((left, top + 3.4, CHECK_MM, 4.2), sentence, SCALE_PT["small"], "soft")


def check_line(left: float, middle: float) -> Iterator[Item]:
    """Yield the same bar for where there is little room, with its sentence at its right."""
    yield from _bar(left, middle, 1.2)
    sentence = _("100 mm: measure it; print at 100 %")
    yield Words((left + CHECK_MM + 2.0, middle - 2.0, 70.0, 4.0), sentence, SCALE_PT["small"], "soft", "left")


def _bar(left: float, middle: float, reach: float) -> Iterator[KitLine]:
    yield KitLine((left, middle), (left + CHECK_MM, middle), "ink", 0.3)
    for k in range(11):
        tick = reach if k % 10 == 0 else 0.5 * reach
        yield KitLine((left + 10 * k, middle - tick), (left + 10 * k, middle + tick), "ink", 0.3)


def runs(row: NDArray[np.bool_]) -> list[list[int]]:
    """Return the start and the end of each run of black modules in a row, bool (modules,)."""
    runs_of_row: list[list[int]] = np.flatnonzero(np.diff(np.pad(row.astype(np.int8), 1))).reshape(-1, 2).tolist()
    return runs_of_row


def board_marks(board: Board) -> Iterator[Mark]:
    """Yield the markers of a board at the places in its table file.

    Their white border has 1.25 modules, or less if the board's edge is nearer.
    """
    markers, (width, height) = board.markers, board.size
    edge_mm = min(min(x, y, width - x, height - y) for x, y in markers.centres) - markers.side / 2
    border_mm = min(1.25 * markers.side / 8, edge_mm)
    for one in markers.each:
        yield Mark(markers.dictionary, one.id, one.centre, one.side or markers.side, border_mm)
