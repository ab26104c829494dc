"""Positions and actions of the Royal Game of Ur in the public protocol's JSON, with a check of every value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, field

from engines.actions import ActionForms, Form
from engines.decode import as_one_of, as_seat, demand, quote
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.royal_ur.board import COUNTERS, DEFAULT_SQUARES, DEFAULT_WAYS, HOME, OFF, START, Sign
from engines.royal_ur.position import (
    ALL_HOME,
    FAIR_DIE,
    Action,
    Await,
    Copy,
    Decline,
    Enter,
    Move,
    Position,
    Roll,
    check_players,
)
from engines.royal_ur.rules import COUNT_OF_DOTS, DICE, FORFEIT_COUNT, actions, starts
from engines.schema import by_seat, read, write

NAME = "royal-ur"

_Thrown = Annotated[int, Meta(ge=0, le=DICE)]
_Dots = _Thrown | None
_Counter = Annotated[int, Meta(ge=OFF, le=HOME)]
_Counters = Annotated[tuple[_Counter, ...], Meta(min_length=COUNTERS, max_length=COUNTERS)]


class WrittenUr(Copy, kw_only=True):
    """A position in JSON, with the names of `Position`; a key with a default is left out if it has its default.

    Without "decides" it is the player whose turn it is, or in a forfeit the other.
    """

    game: Literal["royal-ur"] = "royal-ur"
    players: tuple[Seat, ...]
    turn: Seat
    awaits: Await | None = field(name="await")
    dots: _Dots
    counters: dict[Seat, _Counters]
    over: bool
    decides: Seat | None = None
    thrown: _Dots = None


def position_to_json(position: Position) -> JsonObject:
    """Return a position as JSON."""
    ways = dict(zip(position.players, position.board.ways, strict=True))
    written = WrittenUr(
        players=position.players,
        turn=position.turn,
        awaits=position.awaits,
        dots=position.dots,
        counters=dict(zip(position.players, position.lanes, strict=True)),
        over=position.over,
        decides=None if position.decides == position.turn else position.decides,
        thrown=position.thrown,
        squares=None if position.board.squares == DEFAULT_SQUARES else position.board.squares,
        paths=ways if any(DEFAULT_WAYS.get(seat) != way for seat, way in ways.items()) else None,
        dot_chance=None if position.dot_chance == FAIR_DIE else position.dot_chance,
    )
    return {"game": NAME, **write(written)}


def position_from_json(data: Json) -> Position:
    """Parse a position; counters may be given in any order; raise `BadRequestError` if it is not valid."""
    given = read(data, WrittenUr, "the position")
    check_players(given.players)
    board = given.board(given.players)
    lanes = tuple(tuple(sorted(lane)) for lane in by_seat(given.counters, given.players, "counters"))
    if (ALL_HOME in lanes) != given.over:
        state = "no player has all counters home" if given.over else "a player has all counters home"
        raise BadRequestError(f'"over" is {quote(given.over)}, but {state}')
    turn = as_seat(given.turn, '"turn"', given.players)
    awaits = None if given.over else as_one_of(given.awaits, '"await"', Await)
    # by default the player whose turn it is decides, or for a forfeit the other
    decides = next(seat for seat in given.players if (seat == turn) != (awaits is Await.FORFEIT))
    if given.decides is not None and not given.over:
        decides = as_seat(given.decides, '"decides"', given.players)
    position = Position(
        players=given.players,
        turn=turn,
        awaits=awaits,
        decides=decides,
        dots=None if given.over else given.dots,
        lanes=(lanes[0], lanes[1]),
        board=board,
        dot_chance=given.chance,
        thrown=given.thrown,
    )
    check_position(position)
    return position


ACTIONS: ActionForms[Action] = ActionForms(
    NAME,
    Form("roll", Roll, _Thrown),
    Form("move", Move, Annotated[int, Meta(ge=START, le=HOME - 1)]),
    Form("enter", Enter),
    Form("decline", Decline),
)
action_to_json, action_from_json = ACTIONS.to_json, ACTIONS.from_json


# ---- which positions can be at all: what a position waits for must fit where the counters are


def check_position(position: Position) -> None:
    """Raise `BadRequestError` if a position is not possible; the sentence says what does not fit."""
    demand(position.lanes != (ALL_HOME, ALL_HOME), "only one player can have all counters home")
    one, other = position.lanes
    for index in set(one) & set(other):
        if START < index < HOME and position.board.shared[index]:
            raise BadRequestError(f"both players cannot have counters on {position.board.cell(0, index)}")
    if position.awaits is None:
        return
    for sentence in _contradictions(position, position.awaits):
        raise BadRequestError(sentence)


def _contradictions(position: Position, awaits: Await) -> Iterator[str]:
    """Yield what does not fit the expected action; what follows the first one may fail."""
    dots, decides = "null" if position.dots is None else position.dots, position.decides
    lane = position.lane(decides)
    if position.thrown is not None and awaits is not Await.THROW_OFF:
        yield '"thrown" belongs to the throw-off only'
    if awaits in (Await.ROLL, Await.THROW_OFF) and position.dots is not None:
        yield f'"dots" must be null while a throw is awaited, not {dots}'
    expected = position.other(position.turn) if awaits is Await.FORFEIT else position.turn
    if awaits is not Await.ENTER and decides != expected:
        yield f'"decides" must be {expected} here, not {decides}'
    if awaits in (Await.ENTER, Await.FORFEIT) and position.dots not in (None, *COUNT_OF_DOTS):
        yield f'"dots" must be 0, 2, 3 or null while a decision is awaited, not {dots}'
    match awaits:
        case Await.THROW_OFF if any(set(counters) != {OFF} for counters in position.lanes):
            yield "in the throw-off all counters are off the board"
        case Await.MOVE if position.dots not in COUNT_OF_DOTS:
            yield f'"dots" must be 0, 2 or 3 while a move is awaited, not {dots}'
        case Await.MOVE if not actions(position):
            yield f"no move can be awaited: {position.turn} has none with {dots} dots"
        case Await.ENTER if OFF not in lane:
            yield f"{decides} has no counter off the board that could enter"
        case Await.ENTER if not any(position.board.signs[index] is Sign.ROSETTE for index in lane if index > OFF):
            yield f"{decides} has no counter on a rosette that could offer to enter one"
        case Await.FORFEIT if not starts(lane, FORFEIT_COUNT):
            yield f"no forfeit can be awaited: {decides} has no counter that can move"
