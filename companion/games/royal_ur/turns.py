"""The Royal Game of Ur's turns: a throw-off, throws, moves, what rosettes offer and what eyes demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from companion.core.verdicts import Choice, Prompt
from companion.games.royal_ur.labels import counters_of
from companion.games.turns import Throws, Turns
from engines.kernel import Cell, JsonObject
from engines.royal_ur.board import COUNTERS, DEFAULT_WAYS, HOME, OFF, START
from engines.royal_ur.landing import DICE
from engines.royal_ur.position import Action, Await, Decline, Position, Roll

__all__ = ["TURNS"]


def _prompt(position: Position) -> Prompt[Action]:
    if position.awaits is None:
        return Prompt(None)
    throwing = position.awaits in (Await.THROW_OFF, Await.ROLL)
    return Prompt(position.turn if throwing else position.decides, position.awaits.value)


def _choices(position: Position) -> Sequence[Choice[Action]]:
    return (Choice("decline", Decline()),) if position.awaits is Await.ENTER else ()


def _throw(position: Position, random: Random) -> Action:
    return Roll(sum(random.random() < position.dot_chance for _die in range(DICE)))


def _throws(position: Position) -> bool:
    return position.awaits in (Await.THROW_OFF, Await.ROLL)


def _throw_number(action: Action) -> int | None:
    return action.dots if isinstance(action, Roll) else None


def _throw_of(_position: Position, faces: Sequence[int | None]) -> Action | None:
    """Count the dice that show a dot; a face is 1 with a dot and 0 without."""
    dots = [face for face in faces if face in (0, 1)]
    return Roll(sum(dots)) if len(dots) == len(faces) == DICE else None


def _throw_counted(_position: Position, numbers: Sequence[int]) -> Action:
    return Roll(numbers[0])


def _numbers(_position: Position) -> Sequence[tuple[int, int]]:
    """Return the range of the number of dots."""
    return ((0, DICE),)


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject | None:
    """Put the counters on the squares where they are seen; as many as before stay at home, the others are off."""
    counters = data["counters"]
    if not isinstance(counters, Mapping):
        return None
    seen = {seat: _on_the_way(seat, labels) for seat in counters}
    lanes = {seat: _lane(seen[seat], lane) for seat, lane in counters.items() if isinstance(lane, list | tuple)}
    return {**data, "counters": lanes} if all(len(lane) == COUNTERS for lane in lanes.values()) else None


def _on_the_way(seat: str, labels: Mapping[Cell, str]) -> list[int]:
    way = next((way for owner, way in DEFAULT_WAYS.items() if owner == seat), ())
    found = ((index, counters_of(labels[cell])) for index, cell in enumerate(way) if cell in labels)
    return [index for index, (owner, number) in found if owner == seat and START <= index < HOME for _ in range(number)]


def _lane(seen: Sequence[int], before: Sequence[object]) -> list[int]:
    home = sum(index == HOME for index in before)
    return sorted([*seen, *[HOME] * home, *[OFF] * (COUNTERS - len(seen) - home)])


TURNS: Turns[Position, Action] = Turns(
    _prompt,
    _choices,
    Throws(Roll, _throw, _throws, _throw_number, _throw_of, _numbers, _throw_counted),
    adopt=_adopt,
    options={"throw_off": True},
)
