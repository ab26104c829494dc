"""Territory on its table: labels, turns, and the score of a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.turns import Throws, Turns
from companion.core.verdicts import Choice, Prompt
from engines.grid import set_of
from engines.kernel import Cell, JsonObject, Seat
from engines.territory import GAME
from engines.territory.board import EIGHT_BY_EIGHT, Board, board_of
from engines.territory.cards import SHIPPED
from engines.territory.position import Action, Await, Position, Roll, Stop
from engines.territory.scoring import best_group
from vision.board import Board as Table
from vision.labels import EMPTY

# ---- labels


WHITE = "white"


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every space."""
    board = position.board
    labels = dict.fromkeys(board.names, EMPTY)
    labels.update(dict.fromkeys(board.names_in(position.white), WHITE))
    for seat, spaces in zip(position.players, position.owners, strict=True):
        labels.update(dict.fromkeys(board.names_in(spaces), str(seat)))
    return labels


# ---- turns


_FACES = 6


def _prompt(position: Position) -> Prompt[Action]:
    if GAME.over(position):
        return Prompt(None)
    off = position.roll_off
    return Prompt(position.turn if off is None else off.contenders[len(off.rolls)], position.awaiting.value)


def _dice(position: Position) -> int:
    return 1 if position.awaiting is Await.ROLL_OFF else 2


NUMBERS: Mapping[str, int] = {card: number for number, card in enumerate(SHIPPED, 1)}
"""The number that is printed on each card."""


def _throw_of(position: Position, faces: Sequence[int | None]) -> Action | None:
    dice = tuple(face for face in faces if face is not None and 1 <= face <= _FACES)
    return Roll(dice) if len(dice) == len(faces) == _dice(position) else None


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject:
    seats = data["players"]
    players = [str(seat) for seat in seats] if isinstance(seats, list | tuple) else []
    white = [str(cell) for cell, label in labels.items() if label not in (EMPTY, *players)]
    owners = {str(cell): label for cell, label in labels.items() if label in players}
    return {**data, "owners": owners, "white": white}


TURNS: Turns[Position, Action] = Turns(
    _prompt,
    lambda position: (Choice("stop", Stop()),) if position.awaiting is Await.CHOOSE else (),
    Throws(
        Roll,
        throw=GAME.throw,
        awaited=lambda position: position.awaiting in (Await.ROLL_OFF, Await.ROLL, Await.CHOOSE),
        number=lambda action: sum(action.dice) if isinstance(action, Roll) else None,
        of_faces=_throw_of,
        numbers=lambda position: ((1, _FACES),) * _dice(position),
        counted=lambda _position, numbers: Roll(tuple(numbers)),
    ),
    cards=lambda position: [NUMBERS[card]] if (card := position.card) is not None and card in NUMBERS else (),
    adopt=_adopt,
    options={"roll_off": True},
)


# ---- the score of a picture


def score_seen(placement: Mapping[Cell, str], table: Table) -> tuple[Mapping[Seat, int], JsonObject]:
    """Return the points of each colour's best group (RULES.md, section 7), by the numbers of a table, and details.

    The details have the cells and points of each group, and the white pieces, which are nobody's yet.
    """
    board = board_of(table.grid.numbers) if table.grid.numbers else EIGHT_BY_EIGHT
    seats = sorted(set(placement.values()) - {EMPTY, WHITE})
    groups = {Seat(seat): best_group(board, _spaces(board, placement, seat)) for seat in seats}
    white = {WHITE: {"cells": list(board.names_in(_spaces(board, placement, WHITE)))}}
    detail: JsonObject = {
        **{
            seat: {"cells": list(board.names_in(group.spaces)), "points": group.points}
            for seat, group in groups.items()
        },
        **white,
    }
    return {seat: group.points for seat, group in groups.items()}, detail


def _spaces(board: Board, placement: Mapping[Cell, str], label: str) -> int:
    return set_of(board.cell_index(cell) for cell, seen in placement.items() if seen == label and board.has(cell))
