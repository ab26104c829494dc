"""Actions of The Royal Study in the public protocol's JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from engines.decode import as_number, as_object, as_one_of, as_true, member, only_keys, quote
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
from engines.schema import named_like, read

_LARGEST_NUMBER = 9999
_SQUARE = Annotated[Cell, named_like("A2")]
_FURTHER: Mapping[str, Sequence[str]] = {
    "move": ("from", "to"),
    "turn": ("target",),
    "mirror": ("target",),
    "draw": ("side", "turns"),
    "call": ("by",),
    **{word.value: () for word in Say},
}
"""The key of each kind of action, and the keys that stand next to it."""


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
    found = [key for key in _FURTHER if key in given]
    if len(found) != 1:
        raise BadRequestError(f"an action of royal-study has one of {', '.join(_FURTHER)}, not {quote(data)}")
    [key] = found
    what = key if key in tuple(Say) else f"a {key}"
    only_keys(given, (key, *_FURTHER[key]), what)
    match key:
        case "move":
            piece = as_one_of(given["move"], '"move"', Piece)
            start, end = (read(member(given, name, what), _SQUARE, f'"{name}"') for name in ("from", "to"))
            return Move(piece, start, end)
        case "turn" | "mirror":
            way = as_one_of(given[key], f'"{key}"', tuple(way for way in Way if way.mirrors == (key == "mirror")))
            return Turning(way, as_number(member(given, "target", what), '"target"', 0, 1))
        case "draw":
            number = as_number(given["draw"], '"draw"', 0, _LARGEST_NUMBER)
            side = as_one_of(given.get("side", Side.FACE), '"side"', Side)
            return Draw(Card(number, side, as_number(given.get("turns", 0), '"turns"', 0, QUARTERS - 1)))
        case "call":
            number = as_number(given["call"], '"call"', 0, MOST_STEPS)
            return Call(number, read(member(given, "by", what), Seat, '"by"'))
    as_true(given[key], key)
    return Say(key)


def upgrade_action(action: JsonObject) -> JsonObject:
    """Return an action of format 1, in which "cw" and "ccw" were exchanged, in the present format."""
    exchanged = {Way.CLOCKWISE.value: Way.COUNTER_CLOCKWISE.value, Way.COUNTER_CLOCKWISE.value: Way.CLOCKWISE.value}
    return {**action, "turn": exchanged.get(str(action["turn"]), action["turn"])} if "turn" in action else action
