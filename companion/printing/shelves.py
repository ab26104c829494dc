"""Parts of different sizes in rows on pages: each row as high as its highest part, in the order given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from companion.games.kit import Box, Drawing, Point
from companion.printing.paper import Paper

Backs = Literal["long", "short", "fold", "none"]
Placed = tuple[Drawing, Point]

_HEAD_MM, _FOOT_MM = 5.5, 5.5
"""Room for a page's title above, and for its check bar below."""

_LOOSE_GAP_MM = 4.0
"""Between parts that are not cut along shared lines."""


@dataclass(frozen=True, slots=True)
class CutStyle:
    """How parts are put on pages: where backs go, how far grounds go over cutting lines, whether these are drawn."""

    backs: Backs = "long"
    bleed_mm: float = 0.0
    cutting: bool = True


def room_of(paper: Paper, bleed_mm: float = 0.0) -> Box:
    """Return the room for parts on a page within what they bleed: left, top, width, height."""
    left, top = paper.margin_mm + bleed_mm, paper.margin_mm + _HEAD_MM + bleed_mm
    return left, top, paper.width_mm - 2 * left, paper.height_mm - top - paper.margin_mm - _FOOT_MM - bleed_mm


def gap_of(part: Drawing, style: CutStyle) -> float:
    """Return how far a part is from the next one."""
    return 2 * style.bleed_mm if part.outline == "rectangle" else _LOOSE_GAP_MM


def pack(parts: Sequence[Drawing], paper: Paper, style: CutStyle) -> list[list[Placed]] | None:
    """Place parts on pages, top-left corners in mm, the rows centred; None if one of them has no room at all."""
    _left, _top, width, height = room_of(paper, style.bleed_mm)
    if any(part.width_mm > width + 0.01 or part.height_mm > height + 0.01 for part in parts):
        return None
    pages: list[list[list[Drawing]]] = [[]]
    for row in _rows(parts, width, style):
        if pages[-1] and _height([*pages[-1], row], style) > height + 0.01:
            pages.append([])
        pages[-1].append(row)
    return [_placed(rows, paper, style) for rows in pages]


def _rows(parts: Sequence[Drawing], width: float, style: CutStyle) -> list[list[Drawing]]:
    """Break parts into rows; parts of another height begin a row of their own."""
    rows: list[list[Drawing]] = []
    for part in parts:
        row = rows[-1] if rows else []
        fits = _width([*row, part], style) <= width + 0.01
        if row and fits and abs(row[0].height_mm - part.height_mm) < 0.01:
            row.append(part)
        else:
            rows.append([part])
    return rows


def _width(row: Sequence[Drawing], style: CutStyle) -> float:
    return sum(part.width_mm + gap_of(part, style) for part in row) - gap_of(row[-1], style)


def _height(rows: Sequence[Sequence[Drawing]], style: CutStyle) -> float:
    between = sum(max(gap_of(row[0], style), _row_gap(row, following)) for row, following in pairwise(rows))
    return sum(row[0].height_mm for row in rows) + between


def _row_gap(row: Sequence[Drawing], following: Sequence[Drawing]) -> float:
    """Rows of unlike parts keep apart; those of like ones share a cutting line."""
    return 0.0 if row[0].height_mm == following[0].height_mm else _LOOSE_GAP_MM


def _placed(rows: Sequence[Sequence[Drawing]], paper: Paper, style: CutStyle) -> list[Placed]:
    left, top, width, _room = room_of(paper, style.bleed_mm)
    widest = max(_width(row, style) for row in rows)
    start = left + (width - widest) / 2
    placed: list[Placed] = []
    y = top + 2.0 if _height(rows, style) + 2.0 <= _room else top
    for number, row in enumerate(rows):
        x = start
        for part in row:
            placed.append((part, (x, y)))
            x += part.width_mm + gap_of(part, style)
        if number + 1 < len(rows):
            y += row[0].height_mm + max(gap_of(row[0], style), _row_gap(row, rows[number + 1]))
    return placed
