"""Honest simulated players: which legal action they choose, and what their hands then do with the pieces.

Generic over games: an action's JSON form tells the cells that the hand visits, placements tell the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeAlias, TypeVar

from engines.kernel import Cell, Game, Json, JsonObject, Outcome, Seat

PositionT = TypeVar("PositionT")
ActionT = TypeVar("ActionT")

Labels: TypeAlias = Mapping[Cell, str]
"""A placement: the label on each cell."""

_CONSIDERED = 160
"""Of a long list of actions so many are tried out: nearly the best, at a price that does not grow."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What a player does with their hands.

    Attributes:
        seat: who does it.
        after: what lies on each cell afterwards.
        path: where the hand goes, the cell of the lifted piece first; may be empty.
        action: the legal action that this is, None for something that the rules forbid.
        rest_s: how long the hand stays on the board at the end.
    """

    seat: Seat
    after: Labels
    path: tuple[Cell, ...] = ()
    action: JsonObject | None = None
    rest_s: float = 0.0


class HonestPlayer(Generic[PositionT, ActionT]):
    """Plays a legal action that gains much for its seat; never thinks long."""

    def __init__(self, game: Game[PositionT, ActionT], placing: Callable[[PositionT], Labels], random: Random) -> None:
        self._game = game
        self._placing = placing
        self._random = random

    def deed(self, position: PositionT, seat: Seat) -> Deed:
        """Choose an action for the seat whose turn it is and tell what the hands do."""
        action, outcome = self._choose(position, seat)
        before, after = self._placing(position), self._placing(outcome.position)
        data = self._game.action_to_json(action)
        return Deed(seat, after, hand_path(before, after, data), data)

    def _choose(self, position: PositionT, seat: Seat) -> tuple[ActionT, Outcome[PositionT]]:
        actions = self._game.actions(position)
        tried = self._random.sample(actions, min(_CONSIDERED, len(actions)))
        played = [(action, legal(self._game, position, action)) for action in tried]
        return max(played, key=lambda pair: self._worth(pair[1].position, seat))

    def _worth(self, position: PositionT, seat: Seat) -> tuple[int, float]:
        """Count the own score, and what nobody had before as much again: games end sooner. Chance decides a tie."""
        score = self._game.score(position)
        return score[seat] + sum(score.values()), self._random.random()


def legal(game: Game[PositionT, ActionT], position: PositionT, action: ActionT) -> Outcome[PositionT]:
    """Play an action that the engine itself has listed.

    Raises:
        AssertionError: the engine refuses it all the same.
    """
    outcome = game.play(position, action)
    if not isinstance(outcome, Outcome):
        message = f"the engine listed {game.action_to_json(action)} and refuses it: {outcome.code}"
        raise AssertionError(message)
    return outcome


def hand_path(before: Labels, after: Labels, action: JsonObject) -> tuple[Cell, ...]:
    """Tell where the hand goes: from the piece that leaves its cell along the cells that the action names."""
    stations = tuple(word for word in _words(action) if word in before)
    if not stations:
        return ()
    end = stations[-1]
    if before[end] == after[end]:  # the piece came back to where it stood
        return (end, *stations)
    came_from = [cell for cell in before if before[cell] == after[end] and after[cell] != before[cell]]
    return (*came_from[:1], *stations)


def _words(data: Json) -> Iterator[Cell]:
    """List all texts within a JSON value, in order."""
    if isinstance(data, str):
        yield Cell(data)
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _words(value)
    elif isinstance(data, Sequence):
        for value in data:
            yield from _words(value)
