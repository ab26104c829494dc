"""Decides the moves of simulated players: an honest move, or the cheat or slip that is planned for the turn."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from companion.core.hypothesis import Rules
from companion.core.state import allowed
from companion.core.verdicts import Action, Choice, Position
from companion.core.view import View
from companion.games import SIMULATED
from companion.games.engines import ENGINES
from companion.games.simulated import Labels, Opportunity
from engines.kernel import Cell, JsonObject, Seat
from vision.recognition.objective import ObjectiveCard

_RESTS_S = 6.0
RESTING_HAND = "leaves-hand"
"""The slip of leaving a hand on the board; every game has it."""


class MovePlanner:
    """Decides the moves of every seat of one game.

    `planned` is the cheat or slip of a turn, counted from 0; it is postponed until it is possible.
    """

    def __init__(self, game: Rules, random: Random, planned: Mapping[int, str]) -> None:
        self._game, self._random = game, random
        self._plays = SIMULATED[game.name]
        self._planned = sorted(planned.items())
        self._explainable: set[str] = set()

    def decide(self, position: Position, view: View, turn: int, earlier: Labels | None) -> SimulatedMove:
        """Return the next move.

        `earlier` is the table before the last action: restoring it takes the action back and is not a cheat.
        """
        due = [planned for planned in self._planned if planned[0] <= turn]
        honest = self._honest(position, view)
        for planned in due:
            move = self._try_trick(position, honest, planned[1], earlier)
            if move is not None:
                if not move.explainable:
                    self._planned.remove(planned)
                return move
        return honest

    def _honest(self, position: Position, view: View) -> SimulatedMove:
        game = self._game
        before, seat = game.placement(position), view.prompt.seat or view.players[0]
        if game.engine.to_act(position) == "dice" and game.turns.dice.awaited(position):
            return SimulatedMove(seat, Means.THROW, None, before)
        action = self._plays.decide(position, self._random) if view.request is None else view.request
        after = legal(game, position, action)
        if game.turns.dice.awaited(position) and game.placement(after) == before and not _is_chosen(view, action):
            return SimulatedMove(seat, Means.THROW, None, before)  # the decision was to throw again
        deadline = view.prompt.deadline
        if deadline is not None and action == deadline.time_up:
            return SimulatedMove(seat, Means.WAITING, action, before)
        if _is_chosen(view, action) and (game.placement(after) == before or self._random.random() < 0.5):
            return SimulatedMove(seat, Means.CHOICE, action, before)
        leaves = self._plays.leaves(self._opportunity(position, seat, action))
        path = hand_path(before, leaves, game.engine.action_to_json(action))
        return SimulatedMove(seat, Means.HANDS, action, leaves, path, card=self._plays.beside(position, action))

    def _opportunity(self, position: Position, seat: Seat, action: Action | None) -> Opportunity[Position, Action]:
        before = self._game.placement(position)
        after = before if action is None else self._game.placement(legal(self._game, position, action))
        return Opportunity(position, seat, action, before, after, self._random)

    # ---- cheats and slips

    def _try_trick(  # noqa: PLR0911 - one line a reason why it is impossible
        self, position: Position, honest: SimulatedMove, trick: str, earlier: Labels | None
    ) -> SimulatedMove | None:
        by_hand = honest.means is Means.HANDS and honest.action is not None
        action = honest.action if by_hand else None
        if trick == RESTING_HAND:
            return replace(honest, trick=RESTING_HAND, rest_s=_RESTS_S) if by_hand else None
        opportunity = self._opportunity(position, honest.seat, action)
        if not opportunity.before:
            return None
        if trick in self._plays.slips:
            left = self._plays.slips[trick](opportunity) if by_hand else None
            if left is None or isinstance(left, ObjectiveCard) or left in (opportunity.before, opportunity.after):
                return None
            return replace(honest, after=left, trick=trick)
        # otherwise it is a cheat
        left, card = self._plays.cheats[trick](opportunity), self._plays.beside(position, None)
        if isinstance(left, ObjectiveCard):
            return SimulatedMove(honest.seat, Means.HANDS, None, opportunity.before, (), trick, card=left)
        if left is None or left in (opportunity.before, earlier):
            return None
        allowed = self._plays.allows(position, left)
        if allowed and trick in self._explainable:
            return None  # tried once in a game
        self._explainable |= {trick} if allowed else set()
        named = {} if honest.action is None else self._game.engine.action_to_json(honest.action)
        path = hand_path(opportunity.before, left, named)
        return SimulatedMove(honest.seat, Means.HANDS, None, left, path, trick, card=card, explainable=allowed)


def laid_out_by_people(game: Rules, position: Position, random: Random) -> Position:
    """Return a position after the players have shuffled and laid out its cards or tiles; the same if it has none."""
    shuffled = ENGINES[game.name].turns.laid_out(position)
    if shuffled is None:
        return position
    order = random.sample(shuffled.things, len(shuffled.things))
    action = shuffled.action(dict(zip(game.placement(position), order, strict=False)))
    return legal(game, position, action)


def _is_chosen(view: View, action: Action) -> bool:
    return any(is_choice(view, choice, action) for choice in view.choices)


def is_choice(view: View, choice: Choice[Action], action: Action) -> bool:
    """Return whether a choice plays an action, directly or with a number that is counted."""
    return choice.action == action or number_for(view, choice, action) is not None


def number_for(view: View, choice: Choice[Action], action: Action) -> int | None:
    """Return the number with which a choice plays an action; None if it needs none or does not play it."""
    if choice.counts is None or view.prompt.numbers is None:
        return None
    low, high = view.prompt.numbers
    return next((number for number in range(low, high + 1) if choice.counts(number) == action), None)


# ---- a move at the simulated table


class Means(StrEnum):
    """How a move is made."""

    HANDS = "hands"
    CHOICE = "choice"  # chosen with the buttons
    THROW = "throw"  # ROLL is pressed
    WAITING = "waiting"  # the clock plays it


@dataclass(frozen=True, slots=True)
class SimulatedMove:
    """A move of a player.

    Attributes:
        seat: the player's seat.
        means: how it is made.
        action: the legal action that it is; None if the rules forbid it, and for a throw.
        after: the label of each cell afterwards.
        path: the cells that the hand visits, that of the lifted piece first; may be empty.
        trick: the name of the cheat or the slip, "" for an honest move.
        rest_s: how long the hand stays on the board at the end.
        card: the card next to the board afterwards.
        explainable: whether it is a cheat whose result legal actions also explain.
    """

    seat: Seat
    means: Means
    action: Action | None
    after: Labels
    path: tuple[Cell, ...] = ()
    trick: str = ""
    rest_s: float = 0.0
    card: ObjectiveCard | None = None
    explainable: bool = False

    @property
    def is_cheat(self) -> bool:
        """Whether the rules forbid it, and no legal actions explain its result."""
        return self.means is Means.HANDS and self.action is None and not self.explainable


def legal(game: Rules, position: Position, action: Action) -> Position:
    """Return the position after a legal action; raise the same as `allowed`."""
    return allowed(game, position, action).outcome.position


def hand_path(before: Labels, after: Labels, action: JsonObject) -> tuple[Cell, ...]:
    """Return the path of the hand: from the cell that the piece leaves along the cells that the action names."""
    words = re.findall(r'"([^"]+)"', json.dumps(action))  # in the order of the JSON
    stations = tuple(Cell(word) for word in words if word in before)
    if not stations:
        return ()
    end = stations[-1]
    if before[end] == after[end]:  # the piece returned to its cell
        return (end, *stations)
    came_from = [cell for cell in before if before[cell] == after[end] and after[cell] != before[cell]]
    return (*came_from[:1], *stations)


_SIDES = ("bottom", "top", "right", "left")


def side_of(game: Rules, position: Position, move: SimulatedMove | None) -> str:
    """Return the side of the table where a move's player sits: that of the table file, or else by turn order."""
    seat = move.seat if move else Seat("")
    own = next((s.side for s in game.board().seat if s.colour == seat and s.side), None)
    seats = tuple(game.engine.score(position))
    return own or _SIDES[seats.index(seat) % len(_SIDES) if seat in seats else 0]
