"""Territory's turns: a roll-off, free rolls, then stop or roll again; each number wants a piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from companion.core.verdicts import Choice, Prompt
from companion.games.territory.labels import EMPTY
from companion.games.turns import Throws, Turns
from engines.kernel import Cell, JsonObject, Seat
from engines.territory import GAME
from engines.territory.position import Action, Await, Position, Roll, Stop

__all__ = ["TURNS"]

_FACES = 6


def _prompt(position: Position) -> Prompt[Action]:
    if GAME.over(position):
        return Prompt(None)
    return Prompt(_thrower(position), position.awaiting.value)


def _thrower(position: Position) -> Seat:
    if position.roll_off is not None:
        return position.roll_off.contenders[len(position.roll_off.rolls)]
    return position.turn


def _choices(position: Position) -> Sequence[Choice[Action]]:
    return (Choice("stop", Stop()),) if position.awaiting is Await.CHOOSE else ()


def _throw(position: Position, random: Random) -> Action:
    return Roll(tuple(random.randint(1, _FACES) for _die in range(_dice(position))))


def _dice(position: Position) -> int:
    return 1 if position.awaiting is Await.ROLL_OFF else 2


def _throws(position: Position) -> bool:
    return position.awaiting in (Await.ROLL_OFF, Await.ROLL, Await.CHOOSE)


def _throw_number(action: Action) -> int | None:
    return sum(action.dice) if isinstance(action, Roll) else None


def _throw_of(position: Position, faces: Sequence[int | None]) -> Action | None:
    dice = tuple(face for face in faces if face is not None and 1 <= face <= _FACES)
    return Roll(dice) if len(dice) == len(faces) == _dice(position) else None


def _numbers(position: Position) -> Sequence[tuple[int, int]]:
    return ((1, _FACES),) * _dice(position)


def _throw_counted(_position: Position, numbers: Sequence[int]) -> Action:
    return Roll(tuple(numbers))


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject:
    players = _seats(data["players"])
    white = [str(cell) for cell, label in labels.items() if label not in (EMPTY, *players)]
    owners = {str(cell): label for cell, label in labels.items() if label in players}
    return {**data, "owners": owners, "white": white}


def _seats(players: object) -> tuple[str, ...]:
    return tuple(str(player) for player in players) if isinstance(players, list | tuple) else ()


TURNS: Turns[Position, Action] = Turns(
    _prompt,
    _choices,
    Throws(Roll, _throw, _throws, _throw_number, _throw_of, _numbers, _throw_counted),
    adopt=_adopt,
    options={"roll_off": True},
)
