"""Honest simulated players: which legal action they choose, and what their hands then do with the pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.games.adaptor import Adaptor
from companion.simulator.walking import EMPTY, Labels, distance, random_walk, royal
from engines.kernel import Cell, Json, JsonObject, Outcome, Seat

_CONSIDERED = 100
"""So many actions are tried out: nearly the best, at a price that does not grow with the list of all."""


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


class HonestPlayer:
    """Plays a legal action that gains much for its seat; never thinks long. Any seat's player, of any game."""

    def __init__(self, game: Adaptor, random: Random) -> None:
        self._game = game
        self._random = random

    def deed(self, position: Any, seat: Seat) -> Deed | None:
        """Choose an action for the seat whose turn it is and tell what the hands do; None when there is none."""
        tried = [(action, legal(self._game, position, action)) for action in self._candidates(position, seat)]
        if not tried:
            return None
        action, then = max(tried, key=lambda pair: self._worth(pair[1], seat))
        before, after = self._game.placement(position), self._game.placement(then)
        data = self._game.engine.action_to_json(action)
        return Deed(seat, after, hand_path(before, after, data), data)

    def _candidates(self, position: Any, seat: Seat) -> list[Any]:
        """Take some walks at random where there are walks, since listing all takes long; else some of the list."""
        walks = set(self._walks(position, seat))
        if walks:
            return [self._game.engine.action_from_json({"walk": list(walk)}) for walk in sorted(walks)]
        actions = self._game.engine.actions(position)
        return self._random.sample(list(actions), min(_CONSIDERED, len(actions)))

    def _walks(self, position: Any, seat: Seat) -> Iterator[tuple[Cell, ...]]:
        """Walk at random, every other time by way of a cell that is still empty."""
        steps, before, board = self._game.bar(position), self._game.placement(position), self._game.board()
        standing = {label: cell for cell, label in before.items()}
        start = standing.get(royal(board, seat)) if steps else None
        if start is None:
            return
        others = {standing.get(royal(board, Seat(colour))) for colour in board.colours if colour != seat}
        free = before.keys() - others
        empty = [cell for cell, label in before.items() if label == EMPTY]
        for number in range(_CONSIDERED):
            goal = self._random.choice(empty) if empty and number % 2 else None
            path = random_walk(free, start, steps, self._random, goal)
            if path:
                yield path[1:]

    def _worth(self, position: Any, seat: Seat) -> float:
        """Count the own score, twice more what nobody had before, and the way to what is left: games end sooner."""
        score, lies = self._game.engine.score(position), self._game.placement(position)
        here = next((cell for cell, label in lies.items() if label == royal(self._game.board(), seat)), None)
        way = min((distance(here, cell) for cell in lies if lies[cell] == EMPTY), default=0) if here else 0
        return score[seat] + 2 * sum(score.values()) - way + self._random.random()


def legal(game: Adaptor, position: Any, action: Any) -> Any:
    """Give the position after an action that is known to be legal.

    Raises:
        AssertionError: it is not.
    """
    outcome = game.engine.play(position, action)
    if not isinstance(outcome, Outcome):
        message = f"{game.engine.action_to_json(action)} should be legal: {outcome.code}"
        raise AssertionError(message)
    return outcome.position


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
