"""The Royal Study's turns: a call against the hourglass, a challenge, an execution; or solving alone or together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.core.verdicts import Choice, Deadline, Prompt
from companion.games.royal_study.labels import letter_of
from companion.games.turns import Turns
from engines.kernel import Cell, JsonObject
from engines.royal_study import GAME
from engines.royal_study.board import NAMES
from engines.royal_study.position import MOST_STEPS, Action, Await, Call, Match, Position, Say

__all__ = ["TURNS"]

_SIDE = 3


def _prompt(position: Position) -> Prompt[Action]:
    if not isinstance(position, Match):
        return Prompt(None, "puzzle")
    match position.awaits:
        case Await.NOTHING:
            return Prompt(None)
        case Await.CALL:
            return Prompt(None, position.awaits.value, numbers=(0, MOST_STEPS))
        case Await.CHALLENGE:
            hourglass = Deadline("hourglass", position.terms.hourglass_s, Say.TIME_UP)
            return Prompt(position.turn, position.awaits.value, hourglass)
        case Await.EXECUTE if position.terms.execution_s is not None:
            execution = Deadline("execution", position.terms.execution_s, Say.TIME_UP)
            return Prompt(position.turn, position.awaits.value, execution)
    return Prompt(position.turn, position.awaits.value)


def _choices(position: Position) -> Sequence[Choice[Action]]:
    if not isinstance(position, Match):
        return ()
    match position.awaits:
        case Await.CALL:
            return tuple(Choice("call", Call(0, seat), partial(Call, by=seat), by=seat) for seat in position.players)
        case Await.CHALLENGE:
            return _said(Say.CHALLENGE), _said(Say.DECLINE)
        case Await.EXECUTE:
            return (_said(Say.GIVE_UP, standing=False),)
        case Await.NEXT:
            legal = GAME.actions(position)
            return tuple(_said(word) for word in (Say.NEXT, Say.AGAIN, Say.STOP) if word in legal)
    return ()


def _said(word: Say, *, standing: bool = True) -> Choice[Action]:
    return Choice(word.value, word, standing=standing)


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject:
    letters = [letter_of(labels[name]) for name in NAMES]
    rows = ["".join(letters[start : start + _SIDE]) for start in range(0, len(letters), _SIDE)]
    return {**data, "pieces": "/".join(rows)}


TURNS: Turns[Position, Action] = Turns(_prompt, _choices, adopt=_adopt, seen_options={"deck": "table"})
