"""The Royal Study's turns: a call against the hourglass, a challenge, an execution; or solving alone or together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.verdicts import Choice, Deadline, Prompt
from companion.games.royal_study.labels import letter_of
from companion.games.turns import Turns, say
from engines.kernel import Cell, JsonObject
from engines.royal_study import GAME
from engines.royal_study.board import NAMES
from engines.royal_study.position import MOST_STEPS, Action, Await, Match, Position, Say

__all__ = ["TURNS"]

_SIDE = 3
_TIME_UP: JsonObject = {Say.TIME_UP.value: True}


def _prompt(position: Position) -> Prompt:
    if not isinstance(position, Match):
        return Prompt(None, "puzzle")
    match position.awaits:
        case Await.NOTHING:
            return Prompt(None)
        case Await.CALL:
            return Prompt(None, position.awaits.value, numbers=(0, MOST_STEPS))
        case Await.CHALLENGE:
            hourglass = Deadline("hourglass", position.terms.hourglass_s, _TIME_UP)
            return Prompt(position.turn, position.awaits.value, hourglass)
        case Await.EXECUTE if position.terms.execution_s is not None:
            execution = Deadline("execution", position.terms.execution_s, _TIME_UP)
            return Prompt(position.turn, position.awaits.value, execution)
    return Prompt(position.turn, position.awaits.value)


def _choices(position: Position) -> Sequence[Choice]:
    if not isinstance(position, Match):
        return ()
    match position.awaits:
        case Await.CALL:
            return tuple(Choice("call", {"call": 0, "by": seat}, "call", by=seat) for seat in position.players)
        case Await.CHALLENGE:
            return say(Say.CHALLENGE.value), say(Say.DECLINE.value)
        case Await.EXECUTE:
            return (say(Say.GIVE_UP.value, standing=False),)
        case Await.NEXT:
            legal = GAME.actions(position)
            return tuple(say(word.value) for word in (Say.NEXT, Say.AGAIN, Say.STOP) if word in legal)
    return ()


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject:
    letters = [letter_of(labels[name]) for name in NAMES]
    rows = ["".join(letters[start : start + _SIDE]) for start in range(0, len(letters), _SIDE)]
    return {**data, "pieces": "/".join(rows)}


TURNS: Turns[Position, Action] = Turns(_prompt, _choices, adopt=_adopt, seen_options={"deck": "table"})
