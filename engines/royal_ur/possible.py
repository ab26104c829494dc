"""Which positions can be at all: what a position waits for must fit where the counters are."""

from __future__ import annotations

from engines.kernel import BadRequestError
from engines.royal_ur.board import HOME, OFF, START, Sign
from engines.royal_ur.landing import COUNT_OF_DOTS, FORFEIT_COUNT, starts
from engines.royal_ur.position import ALL_HOME, Await, Position
from engines.royal_ur.rules import actions


def check_position(position: Position) -> None:
    """Refuse what no game comes to.

    Raises:
        BadRequestError: the sentence says what does not fit.
    """
    _check_lanes(position)
    if position.awaits is None:
        return
    if position.thrown is not None and position.awaits is not Await.THROW_OFF:
        raise BadRequestError('"thrown" belongs to the throw-off only')
    _CHECKS[position.awaits](position)


def _check_lanes(position: Position) -> None:
    if position.lanes == (ALL_HOME, ALL_HOME):
        raise BadRequestError("only one player can have all counters home")
    one, other = position.lanes
    for index in set(one) & set(other):
        if START < index < HOME and position.board.shared[index]:
            raise BadRequestError(f"both players cannot have counters on {position.board.cell(0, index)}")


def _check_throw(position: Position) -> None:
    if position.dots is not None:
        raise BadRequestError(f'"dots" must be null while a throw is awaited, not {position.dots}')
    _check_decides(position, forfeit=False)


def _check_throw_off(position: Position) -> None:
    _check_throw(position)
    if any(set(lane) != {OFF} for lane in position.lanes):
        raise BadRequestError("in the throw-off all counters are off the board")


def _check_move(position: Position) -> None:
    _check_decides(position, forfeit=False)
    if position.dots not in COUNT_OF_DOTS:
        raise BadRequestError(f'"dots" must be 0, 2 or 3 while a move is awaited, not {_dots(position)}')
    if not actions(position):
        raise BadRequestError(f"no move can be awaited: {position.turn} has none with {_dots(position)} dots")


def _check_enter(position: Position) -> None:
    _check_used_throw(position)
    if OFF not in position.lane(position.decides):
        raise BadRequestError(f"{position.decides} has no counter off the board that could enter")
    lane = position.lane(position.decides)
    if not any(position.board.signs[index] is Sign.ROSETTE for index in lane if index > OFF):
        raise BadRequestError(f"{position.decides} has no counter on a rosette that could offer to enter one")


def _check_forfeit(position: Position) -> None:
    _check_decides(position, forfeit=True)
    _check_used_throw(position)
    if not starts(position.lane(position.decides), FORFEIT_COUNT):
        raise BadRequestError(f"no forfeit can be awaited: {position.decides} has no counter that can move")


def _check_used_throw(position: Position) -> None:
    if position.dots not in (None, *COUNT_OF_DOTS):
        raise BadRequestError(f'"dots" must be 0, 2, 3 or null while a decision is awaited, not {_dots(position)}')


def _check_decides(position: Position, *, forfeit: bool) -> None:
    if (position.decides != position.turn) != forfeit:
        expected = position.other(position.turn) if forfeit else position.turn
        raise BadRequestError(f'"decides" must be {expected} here, not {position.decides}')


def _dots(position: Position) -> str:
    return "null" if position.dots is None else str(position.dots)


_CHECKS = {
    Await.THROW_OFF: _check_throw_off,
    Await.ROLL: _check_throw,
    Await.MOVE: _check_move,
    Await.ENTER: _check_enter,
    Await.FORFEIT: _check_forfeit,
}
