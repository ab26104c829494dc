"""Positions and actions of the Royal Game of Ur in the public protocol's JSON, read with every check that they need."""

from __future__ import annotations

from collections.abc import Sequence

from engines.actions import ActionForms, Form, between
from engines.decode import (
    as_flag,
    as_list,
    as_number,
    as_object,
    as_one_of,
    as_position,
    as_seat,
    as_text,
    member,
    only_keys,
    quote,
)
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.royal_ur.board import COUNTERS, DEFAULT_SQUARES, DEFAULT_WAYS, HOME, OFF, START, squares_to_json
from engines.royal_ur.position import (
    ALL_HOME,
    FAIR_DIE,
    Action,
    Await,
    Decline,
    Enter,
    Lane,
    Lanes,
    Move,
    Position,
    Roll,
    board_from_json,
    check_players,
    dot_chance_from_json,
)
from engines.royal_ur.possible import check_position

NAME = "royal-ur"
MOST_DOTS = 3


def position_to_json(position: Position) -> JsonObject:
    """Write a position.

    "decides" stands there only when the other player has to decide, "thrown" only in a throw-off, and "squares",
    "paths" and "dot_chance" only where they differ from our own board and fair dice.
    """
    data: dict[str, Json] = {
        "game": NAME,
        "players": list(position.players),
        "turn": position.turn,
        "await": None if position.awaits is None else position.awaits.value,
        "dots": position.dots,
        "counters": {seat: list(position.lane(seat)) for seat in position.players},
        "over": position.over,
    }
    if position.decides != position.turn:
        data["decides"] = position.decides
    if position.thrown is not None:
        data["thrown"] = position.thrown
    return {**data, **_unusual(position)}


def _unusual(position: Position) -> JsonObject:
    """Write what differs from our own board and fair dice."""
    data: dict[str, Json] = {}
    if position.board.squares != DEFAULT_SQUARES:
        data["squares"] = squares_to_json(position.board.squares)
    ways = dict(zip(position.players, position.board.ways, strict=True))
    if any(DEFAULT_WAYS.get(seat) != way for seat, way in ways.items()):
        data["paths"] = {seat: list(way) for seat, way in ways.items()}
    if position.dot_chance != FAIR_DIE:
        data["dot_chance"] = position.dot_chance
    return data


def position_from_json(data: Json) -> Position:
    """Read a position; counters may be given in any order.

    Raises:
        BadRequestError: it is none; the sentence says what, where and what was expected.
    """
    given = as_position(data, NAME)
    players = tuple(Seat(as_text(name, "a player")) for name in as_list(_member(given, "players"), '"players"'))
    check_players(players)
    board = board_from_json(players, given)
    lanes = _lanes(given, players)
    turn = as_seat(_member(given, "turn"), '"turn"', players)
    over = _over(given, lanes)
    awaits = None if over else as_one_of(_member(given, "await"), '"await"', Await)
    position = Position(
        players=players,
        turn=turn,
        awaits=awaits,
        decides=turn if over else _decides(given, players, turn, awaits),
        dots=None if over else _dots(_member(given, "dots"), '"dots"'),
        lanes=lanes,
        board=board,
        dot_chance=dot_chance_from_json(given),
        thrown=_dots(given.get("thrown"), '"thrown"'),
    )
    check_position(position)
    return position


def _member(given: JsonObject, key: str) -> Json:
    return member(given, key, "the position")


def _decides(given: JsonObject, players: Sequence[Seat], turn: Seat, awaits: Await | None) -> Seat:
    """Take who decides; without a word the player whose turn it is, or for a forfeit the other."""
    if "decides" in given:
        return as_seat(given["decides"], '"decides"', players)
    return next(seat for seat in players if (seat == turn) != (awaits is Await.FORFEIT))


def _dots(value: Json, where: str) -> int | None:
    return None if value is None else as_number(value, where, 0, MOST_DOTS)


def _lanes(given: JsonObject, players: Sequence[Seat]) -> Lanes:
    held = as_object(_member(given, "counters"), '"counters"')
    only_keys(held, players, '"counters"')
    first, second = (_lane(member(held, seat, '"counters"'), seat) for seat in players)
    return first, second


def _lane(value: Json, seat: Seat) -> Lane:
    counters = [as_number(index, f"a counter of {seat}", OFF, HOME) for index in as_list(value, f"{seat}'s counters")]
    if len(counters) != COUNTERS:
        raise BadRequestError(f"{seat} must have {COUNTERS} counters, not {len(counters)}")
    return tuple(sorted(counters))


def _over(given: JsonObject, lanes: Sequence[Lane]) -> bool:
    over = ALL_HOME in lanes
    if as_flag(_member(given, "over"), '"over"') != over:
        state = "a player has all counters home" if over else "no player has all counters home"
        raise BadRequestError(f'"over" is {quote(given["over"])}, but {state}')
    return over


ACTIONS: ActionForms[Action] = ActionForms(
    NAME,
    Form("roll", Roll, between(0, MOST_DOTS)),
    Form("move", Move, between(START, HOME - 1)),
    Form("enter", Enter),
    Form("decline", Decline),
)
action_to_json, action_from_json = ACTIONS.to_json, ACTIONS.from_json
