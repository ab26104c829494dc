"""A game's turns: the expected action, choices without a trace on the table, and how dice are thrown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Generic, Never

from companion.core.verdicts import Choice, Prompt, Shuffled
from engines.kernel import ActionT, Cell, Game, JsonObject, PositionT, Seat


def _no_throw(*_any: object) -> Never:
    message = "the game has no dice"
    raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Throws(Generic[PositionT, ActionT]):
    """How a game's dice are thrown, read and counted; by default the game has none, and expects no throw.

    Attributes:
        kind: the class of the actions that are throws, () if none is.
        throw: returns a throw of the dice that a position expects or allows, given a `random.Random`.
        awaited: returns whether a throw may be made.
        number: returns the number that digits show for a throw, None for a throw without one.
        of_faces: returns the throw that dice with these faces make, None if they make none.
        numbers: returns the lowest and the highest of each number that is counted on the panel to enter a throw.
        counted: returns the throw that these numbers make.
    """

    kind: type[object] | tuple[()] = ()
    throw: Callable[[PositionT, Any], ActionT] = _no_throw
    awaited: Callable[[PositionT], bool] = lambda _position: False
    number: Callable[[ActionT], int | None] = lambda _action: None
    of_faces: Callable[[PositionT, Sequence[int | None]], ActionT | None] = lambda _position, _faces: None
    numbers: Callable[[PositionT], Sequence[tuple[int, int]]] = lambda _position: ()
    counted: Callable[[PositionT, Sequence[int]], ActionT] = _no_throw

    def numbers_of(self, position: PositionT, throw: ActionT) -> tuple[int, ...] | None:
        """Return the numbers that players would count to enter a throw; None if the position does not allow it."""
        ranges = [range(low, high + 1) for low, high in self.numbers(position)]
        return next((one for one in product(*ranges) if self.counted(position, one) == throw), None)


@dataclass(frozen=True, slots=True)
class Turns(Generic[PositionT, ActionT]):
    """One game's turns, as values and pure functions.

    Attributes:
        prompt: returns the expected action; called for a finished game as well.
        choices: returns the legal actions that leave no trace on the table.
        dice: how dice are thrown.
        laid_out: returns what players lay out in an order of their own, and the action for it; None if nothing.
        cards: returns the numbers, below 100, of the printed cards that the program has drawn and that count now.
        adopt: returns a position's JSON with the pieces placed by labels, None if these do not determine it.
        options: options that let the players do at the table what a program could do for them.
        seen_options: further ones, if a camera sees what they do.
    """

    prompt: Callable[[PositionT], Prompt[ActionT]]
    choices: Callable[[PositionT], Sequence[Choice[ActionT]]] = lambda _position: ()
    dice: Throws[PositionT, ActionT] = field(default_factory=Throws)
    laid_out: Callable[[PositionT], Shuffled[ActionT] | None] = lambda _position: None
    cards: Callable[[PositionT], Sequence[int]] = lambda _position: ()
    adopt: Callable[[JsonObject, Mapping[Cell, str]], JsonObject | None] = lambda _data, _labels: None
    options: JsonObject = field(default_factory=dict)
    seen_options: JsonObject = field(default_factory=dict)


def acting(game: Game[PositionT, ActionT], position: PositionT) -> Seat | None:
    """Return the seat to act, None if chance acts or the game is over."""
    to_act = game.to_act(position)
    return None if to_act is None or to_act == "dice" else Seat(to_act)
