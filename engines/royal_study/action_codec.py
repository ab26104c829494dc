"""Actions of The Royal Study in the public protocol's JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.decode import as_cell, as_number, as_object, as_one_of, as_text, as_true, member, only_keys, quote
from engines.kernel import BadRequestError, Cell, Json, JsonObject, Seat
from engines.royal_study import rules
from engines.royal_study.board import Piece
from engines.royal_study.placement import Way
from engines.royal_study.position import (
    MOST_STEPS,
    QUARTERS,
    Action,
    Await,
    Call,
    Card,
    Draw,
    Match,
    Move,
    Position,
    Say,
    Side,
    Turning,
)

_LARGEST_NUMBER = 9999
_TURNS = tuple(way for way in Way if not way.mirrors)
_MIRRORS = tuple(way for way in Way if way.mirrors)


def actions_to_json(position: Position) -> list[JsonObject]:
    """Return the legal actions as JSON; during an execution only the moves of pieces, as in the protocol.

    The turnings of cards follow from the level alone; `rules.actions` lists them.
    """
    moving = not isinstance(position, Match) or position.awaits is Await.EXECUTE
    return [action_to_json(a) for a in rules.actions(position) if isinstance(a, Move) or not moving]


def action_to_json(action: Action) -> JsonObject:
    """Return an action as JSON."""
    match action:
        case Move(piece, start, end):
            return {"move": piece.value, "from": start, "to": end}
        case Turning(way, target):
            return {"mirror" if way.mirrors else "turn": way.value, "target": target}
        case Draw(card):
            return {"draw": card.number, "side": card.side.value, "turns": card.turns}
        case Call(number, by):
            return {"call": number, "by": by}
        case Say():
            return {action.value: True}


def action_from_json(data: Json) -> Action:
    """Parse an action, legal or not; raise `BadRequestError` if it is not valid."""
    given = as_object(data, "an action of royal-study")
    found = [key for key in _READERS if key in given]
    if len(found) != 1:
        raise BadRequestError(f"an action of royal-study has one of {', '.join(_READERS)}, not {quote(data)}")
    return _READERS[found[0]](given)


def upgrade_action(action: JsonObject) -> JsonObject:
    """Return an action of format 1, in which "cw" and "ccw" were exchanged, in the present format."""
    exchanged = {Way.CLOCKWISE.value: Way.COUNTER_CLOCKWISE.value, Way.COUNTER_CLOCKWISE.value: Way.CLOCKWISE.value}
    return {**action, "turn": exchanged.get(str(action["turn"]), action["turn"])} if "turn" in action else action


def _move(given: JsonObject) -> Move:
    only_keys(given, ("move", "from", "to"), "a move")
    piece = as_one_of(given["move"], '"move"', Piece)
    return Move(piece, _place(given, "from"), _place(given, "to"))


def _place(given: JsonObject, key: str) -> Cell:
    return as_cell(member(given, key, "a move"), f'"{key}"', 'named like "A2"')


def _turning(key: str, ways: tuple[Way, ...]) -> Callable[[JsonObject], Turning]:
    def read(given: JsonObject) -> Turning:
        only_keys(given, (key, "target"), f"a {key}")
        way = as_one_of(given[key], f'"{key}"', ways)
        return Turning(way, as_number(member(given, "target", f"a {key}"), '"target"', 0, 1))

    return read


def _draw(given: JsonObject) -> Draw:
    only_keys(given, ("draw", "side", "turns"), "a draw")
    number = as_number(given["draw"], '"draw"', 0, _LARGEST_NUMBER)
    side = as_one_of(given.get("side", Side.FACE), '"side"', Side)
    return Draw(Card(number, side, as_number(given.get("turns", 0), '"turns"', 0, QUARTERS - 1)))


def _call(given: JsonObject) -> Call:
    only_keys(given, ("call", "by"), "a call")
    number = as_number(given["call"], '"call"', 0, MOST_STEPS)
    return Call(number, Seat(as_text(member(given, "by", "a call"), '"by"')))


def _say(word: Say) -> Callable[[JsonObject], Say]:
    def read(given: JsonObject) -> Say:
        only_keys(given, (word.value,), f"{word.value}")
        as_true(given[word.value], word.value)
        return word

    return read


_READERS: Mapping[str, Callable[[JsonObject], Action]] = {
    "move": _move,
    "turn": _turning("turn", _TURNS),
    "mirror": _turning("mirror", _MIRRORS),
    "draw": _draw,
    "call": _call,
    **{word.value: _say(word) for word in Say},
}
