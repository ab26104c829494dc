"""The score of the pieces in a picture, without a position."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.territory.labels import EMPTY, WHITE
from engines.grid import set_of
from engines.kernel import Cell, JsonObject, Seat
from engines.territory.board import EIGHT_BY_EIGHT, Board, board_of
from engines.territory.scoring import Group, best_group
from vision.board import Board as Table


def score_seen(placement: Mapping[Cell, str], table: Table) -> tuple[Mapping[Seat, int], JsonObject]:
    """Return the points of each colour's best group (RULES.md, section 7), by the numbers of a table.

    `detail` has the cells and points of each group, and the white pieces, which are nobody's yet.
    """
    board = board_of(table.grid.numbers) if table.grid.numbers else EIGHT_BY_EIGHT
    seats = sorted(set(placement.values()) - {EMPTY, WHITE})
    groups = {Seat(seat): best_group(board, _spaces(board, placement, seat)) for seat in seats}
    white = {WHITE: {"cells": list(board.names_in(_spaces(board, placement, WHITE)))}}
    detail: JsonObject = {**{seat: _group_to_json(board, group) for seat, group in groups.items()}, **white}
    return {seat: group.points for seat, group in groups.items()}, detail


def _spaces(board: Board, placement: Mapping[Cell, str], label: str) -> int:
    return set_of(board.cell_index(cell) for cell, seen in placement.items() if seen == label and board.has(cell))


def _group_to_json(board: Board, group: Group) -> JsonObject:
    return {"cells": list(board.names_in(group.spaces)), "points": group.points}
