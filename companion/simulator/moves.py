"""A move at the simulated table: what hands leave there, along which way, or which buttons are pressed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.core.verdicts import Action, Position
from companion.games.adaptor import Adaptor
from companion.games.simulated import Labels
from engines.kernel import Cell, Json, JsonObject, Outcome, Seat
from vision.recognition.objective import ObjectiveCard


class Means(StrEnum):
    """How a move is made."""

    HANDS = "hands"
    CHOICE = "choice"  # chosen with the buttons
    THROW = "throw"  # ROLL is pressed
    WAITING = "waiting"  # the clock plays it


@dataclass(frozen=True, slots=True)
class SimulatedMove:
    """What a player does.

    Attributes:
        seat: who does it.
        means: with hands, buttons or patience.
        action: the legal action that this is; None for something that the rules forbid, and for a throw.
        after: the label of each cell afterwards.
        path: where the hand goes, the cell of the lifted piece first; may be empty.
        trick: the name of the cheat or the slip, "" for an honest move.
        rest_s: how long the hand stays on the board at the end.
        card: the card beside the board afterwards.
        explainable: it is meant as a cheat, but legal actions may leave such a table as well.
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
        """Whether the rules forbid it, and nothing legal leaves such a table."""
        return self.means is Means.HANDS and self.action is None and not self.explainable


def legal(game: Adaptor, position: Position, action: Action) -> Position:
    """Return the position after an action that is known to be legal.

    Raises:
        AssertionError: it is not.
    """
    outcome = game.engine.play(position, action)
    if not isinstance(outcome, Outcome):
        message = f"{game.engine.action_to_json(action)} should be legal: {outcome.code}"
        raise AssertionError(message)
    return outcome.position


def hand_path(before: Labels, after: Labels, action: JsonObject) -> tuple[Cell, ...]:
    """Return where the hand goes: from the piece that leaves its cell along the cells that the action names."""
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


_SIDES = ("bottom", "top", "right", "left")


def side_of(game: Adaptor, position: Position, move: SimulatedMove | None) -> str:
    """Return the side of the table where a seat's player sits; the table file's, or else one after the other."""
    seat = move.seat if move else Seat("")
    own = next((s.side for s in game.board().seat if s.colour == seat and s.side), None)
    seats = tuple(game.engine.score(position))
    return own or _SIDES[seats.index(seat) % len(_SIDES) if seat in seats else 0]
