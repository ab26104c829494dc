"""What a game says of its turns: the expected action, choices without a trace on the table, how dice are thrown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic

from companion.core.layout import Shuffled
from companion.core.verdicts import Choice, Prompt
from engines.kernel import ActionT, BadRequestError, Cell, Game, Json, JsonObject, PositionT, Seat


def _no_choices(_position: Any) -> Sequence[Choice]:
    return ()


def _no_number(_action: JsonObject) -> int | None:
    return None


def _no_dice(_position: Any) -> Sequence[tuple[int, int]]:
    return ()


def _as_roll(_position: Any, numbers: Sequence[int]) -> JsonObject:
    return {THROW: numbers[0]}


def _nothing_laid_out(_position: Any) -> Shuffled | None:
    return None


def _cannot_adopt(_data: JsonObject, _labels: Mapping[Cell, str]) -> JsonObject | None:
    return None


@dataclass(frozen=True, slots=True)
class Turns(Generic[PositionT, ActionT]):
    """One game's turns, as values and pure functions.

    Attributes:
        prompt: returns the expected action; called for a finished game as well.
        choices: returns the legal actions that leave no trace on the table.
        throw: returns a throw of the dice that a position expects or allows; None for a game without dice.
        throws: returns whether a throw may be made.
        throw_number: returns the number that digits show for a throw.
        throw_of: returns the throw that dice with these faces make, None if they make none.
        numbers: returns what is counted on the panel to put a throw in, one number after the other: the lowest and
            the highest of each; nothing for a game whose throws cannot be counted.
        throw_counted: returns the throw that these numbers make.
        laid_out: returns what players lay out in an order of their own, and the action for it; None if nothing.
        adopt: returns a position's JSON with the pieces as the labels have them, None if these do not say enough.
        options: options that let the players do at the table what a program could do for them.
        seen_options: further ones, where a camera sees what they do.
    """

    prompt: Callable[[PositionT], Prompt]
    choices: Callable[[PositionT], Sequence[Choice]] = _no_choices
    throw: Callable[[PositionT, Random], ActionT] | None = None
    throws: Callable[[PositionT], bool] = lambda _position: False
    throw_number: Callable[[JsonObject], int | None] = _no_number
    throw_of: Callable[[PositionT, Sequence[int | None]], JsonObject | None] = lambda _position, _faces: None
    numbers: Callable[[PositionT], Sequence[tuple[int, int]]] = _no_dice
    throw_counted: Callable[[PositionT, Sequence[int]], JsonObject] = _as_roll
    laid_out: Callable[[PositionT], Shuffled | None] = _nothing_laid_out
    adopt: Callable[[JsonObject, Mapping[Cell, str]], JsonObject | None] = _cannot_adopt
    options: JsonObject = field(default_factory=dict)
    seen_options: JsonObject = field(default_factory=dict)

    def adopted(
        self, game: Game[PositionT, ActionT], position: PositionT, labels: Mapping[Cell, str]
    ) -> PositionT | None:
        """Return the position with the pieces as the labels have them, None if that is not a position of the game."""
        data = self.adopt(game.position_to_json(position), labels)
        try:
            return None if data is None else game.position_from_json(data)
        except BadRequestError:
            return None


def is_throw(action: JsonObject) -> bool:
    """Return whether an action is one of chance, as the protocol writes it."""
    return THROW in action


THROW = "roll"
"""The key of a throw in every game's JSON, and the word before its numbers in every notation."""


def acting(game: Game[PositionT, ActionT], position: PositionT) -> Seat | None:
    """Return the seat that decides, None if chance acts or the game is over."""
    to_act = game.to_act(position)
    return None if to_act is None or to_act == "dice" else Seat(to_act)


def say(code: str, *, standing: bool = True, **action: Json) -> Choice:
    """Return a choice whose action is written as the protocol has it."""
    return Choice(code, action or {code: True}, standing=standing)
