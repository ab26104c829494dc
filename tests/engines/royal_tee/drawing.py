"""Positions drawn as text, for cases that a person can review.

The board is drawn from the top row: a colour's initial for its space, the capital under its Royal Tee, "." unclaimed.
Below it stands who is to act: "red, slider 4"; "over, red, slider 9" after the turn of red that ended the game.
"""

from __future__ import annotations

import re

from engines.grid import CellIndex, set_of
from engines.royal_tee.board import SIZE
from engines.royal_tee.position import DEFAULT_SEATS, Position

_TO_ACT = re.compile(r"(?:over, )?(?P<turn>\w+), slider (?P<slider>\d)")


def parse(drawing: str) -> Position:
    *rows, to_act = drawing.split("\n")
    letters = "".join(rows)
    assert [len(row) for row in rows] == [SIZE] * SIZE, drawing
    plans = [plan for plan in DEFAULT_SEATS if plan.seat[0].upper() in letters]
    assert set(letters) <= {".", *(letter for plan in plans for letter in plan.seat[0] + plan.seat[0].upper())}, drawing
    line = _TO_ACT.fullmatch(to_act)
    assert line is not None, to_act
    position = Position(
        players=tuple(plan.seat for plan in plans),
        turn=next(plan.seat for plan in plans if plan.seat == line["turn"]),
        slider=int(line["slider"]),
        royals=tuple(CellIndex(letters.index(plan.seat[0].upper())) for plan in plans),
        claimed=tuple(
            set_of(CellIndex(i) for i, letter in enumerate(letters) if letter.lower() == plan.seat[0]) for plan in plans
        ),
        zones=tuple(plan.zone for plan in plans),
    )
    assert position.over == to_act.startswith("over, "), drawing
    return position


def draw(position: Position) -> str:
    letters = ["."] * SIZE**2
    for seat, royal, spaces in zip(position.players, position.royals, position.claimed, strict=True):
        for index in range(SIZE**2):
            if spaces >> index & 1:
                letters[index] = seat[0].upper() if index == royal else seat[0]
    rows = ["".join(letters[first : first + SIZE]) for first in range(0, SIZE**2, SIZE)]
    return "\n".join([*rows, f"{'over, ' if position.over else ''}{position.turn}, slider {position.slider}"])
