"""The rules of Four in Line; fulfils `engines.kernel.Game`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from engines.actions import ActionForms, Form, cell_like
from engines.decode import as_seat, quote
from engines.grid import CellGrid
from engines.kernel import BadRequestError, Cell, Event, Game, Json, JsonObject, Outcome, Refusal, Seat, ToAct, seats
from engines.schema import read

NAME = "four-in-line"
SIDE = 5
WINNING = 4
GRID = CellGrid(SIDE, SIDE)
CELLS = GRID.names

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


@dataclass(frozen=True, slots=True)
class Position:
    """A position: who plays, whose turn it is, and the colour on each space, row by row from A1, None if empty."""

    players: tuple[Seat, ...]
    turn: Seat
    discs: tuple[Seat | None, ...] = (None,) * len(CELLS)

    def on(self, cell: Cell) -> Seat | None:
        """Return the colour on a space."""
        return self.discs[CELLS.index(cell)]

    def __str__(self) -> str:
        """Write whose turn it is and the rows, each space by its player's number."""
        letters = "".join("." if disc is None else str(1 + self.players.index(disc)) for disc in self.discs)
        rows = (letters[start : start + SIDE] for start in range(0, len(letters), SIDE))
        return "\n".join([f"Four in Line, {self.turn}", *rows])

    @property
    def full(self) -> bool:
        """Whether no space is empty."""
        return None not in self.discs

    def longest(self, seat: Seat) -> int:
        """Return the length of a player's longest line, at most the one that wins."""
        own = (divmod(space, SIDE) for space, disc in enumerate(self.discs) if disc == seat)
        return max((length for row, column in own for length in self._lines(seat, column, row)), default=0)

    def _lines(self, seat: Seat, column: int, row: int) -> Iterator[int]:
        """Yield the length of the lines that begin at a space, in each direction."""
        for right, down in _DIRECTIONS:
            length = 0
            while length < WINNING and self._at(column + length * right, row + length * down) == seat:
                length += 1
            yield length

    def _at(self, column: int, row: int) -> Seat | None:
        return self.discs[row * SIDE + column] if 0 <= column < SIDE and 0 <= row < SIDE else None


@dataclass(frozen=True, slots=True)
class Place:
    """A disc of the mover's colour onto a space."""

    cell: Cell


class Options(msgspec.Struct):
    """The options, of which there are none."""


class WrittenLine(msgspec.Struct):
    """A position in JSON."""

    players: tuple[Seat, ...]
    turn: Seat
    discs: dict[str, Seat]
    game: Literal["four-in-line"] = "four-in-line"
    over: bool = False


ACTIONS: ActionForms[Place] = ActionForms(NAME, Form("place", Place, cell_like("C3")))


class FourInLine(Game[Position, Place]):
    """The rules as one object."""

    name = NAME
    has_dice = False

    def new(self, players: Sequence[str], options: JsonObject, seed: int) -> Position:  # noqa: ARG002 - no chance
        """Set a game up; there are no options."""
        read(options, Options, '"options"')
        if len(players) != 2 or len(set(players)) != 2:
            raise BadRequestError(f"{NAME} has 2 players, not {len(set(players))}")
        named = seats(players)
        return Position(named, named[0])

    def to_act(self, position: Position) -> ToAct:
        """Return whose turn it is."""
        return None if self.over(position) else position.turn

    def actions(self, position: Position) -> Sequence[Place]:
        """Return a disc on every empty space."""
        return [] if self.over(position) else [Place(cell) for cell in CELLS if position.on(cell) is None]

    def play(self, position: Position, action: Place) -> Outcome[Position] | Refusal:
        """Put a disc down."""
        if self.over(position):
            return Refusal("game-over", "3.1")
        if action.cell not in CELLS:
            return Refusal("off-board", "1.1", (action.cell,))
        if position.on(action.cell) is not None:
            return Refusal("not-empty", "2.1", (action.cell,))
        return self._placed(position, action.cell)

    def _placed(self, position: Position, cell: Cell) -> Outcome[Position]:
        seat = position.turn
        discs = tuple(seat if name == cell else disc for name, disc in zip(CELLS, position.discs, strict=True))
        [other] = [player for player in position.players if player != seat]
        after = replace(position, discs=discs, turn=other)
        placed = Event("placed", {"player": seat, "cell": cell})
        if not self.over(after):
            return Outcome(after, (placed,))
        return Outcome(after, (placed, Event("game-over", {"winners": list(self.winners(after))})))

    def score(self, position: Position) -> Mapping[Seat, int]:
        """Return each player's longest line."""
        return {seat: position.longest(seat) for seat in position.players}

    def over(self, position: Position) -> bool:
        """Return whether somebody has won, or the board is full."""
        return position.full or any(position.longest(seat) == WINNING for seat in position.players)

    def winners(self, position: Position) -> tuple[Seat, ...]:
        """Return the player with the winning line; both share a full board without one."""
        won = tuple(seat for seat in position.players if position.longest(seat) == WINNING)
        return won or (position.players if position.full else ())

    def position_to_json(self, position: Position) -> JsonObject:
        """Write a position."""
        discs = {str(cell): disc for cell, disc in zip(CELLS, position.discs, strict=True) if disc is not None}
        players = list(position.players)
        return {"game": NAME, "players": players, "turn": position.turn, "discs": discs, "over": self.over(position)}

    def position_from_json(self, data: Json) -> Position:
        """Read a position."""
        given = read(data, WrittenLine, "the position")
        self.new(given.players, {}, 0)
        if unknown := sorted({*given.discs} - {*CELLS}):
            raise BadRequestError(f'"discs" must have spaces of the board, not {quote(unknown[0])}')
        discs = {cell: as_seat(seat, f"the disc on {cell}", given.players) for cell, seat in given.discs.items()}
        turn = as_seat(given.turn, '"turn"', given.players)
        return Position(given.players, turn, tuple(discs.get(cell) for cell in CELLS))

    def action_to_json(self, action: Place) -> JsonObject:
        """Write an action."""
        return ACTIONS.to_json(action)

    def action_from_json(self, data: Json) -> Place:
        """Read an action."""
        return ACTIONS.from_json(data)


GAME = FourInLine()
