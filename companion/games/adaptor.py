"""What joins one engine with its table. The core's `Rules`, and what the commands need beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias

from companion.core.evidence import Evidence
from companion.core.hypothesis import CardBeside, GameRules
from companion.core.verdicts import Action, Choice, Position, Prompt, Shuffled
from companion.games.discovery import register_tables
from companion.games.turns import Turns
from companion.ui.words import GameWords
from engines.kernel import ActionT, Cell, Game, JsonObject, PositionT, Seat
from vision.board import Board, shipped_board

if TYPE_CHECKING:
    from vision.recognition.objective import ObjectiveCard


class GameAdaptor(GameRules[PositionT, ActionT], Protocol[PositionT, ActionT]):
    """One game, joined: rules, table, and the way from one to the other."""

    @property
    def name(self) -> str:
        """The game's name in commands and JSON."""
        ...

    @property
    def words(self) -> GameWords[ActionT]:
        """The game's own sentences."""
        ...

    def board(self) -> Board:
        """Return the table file that ships for the game."""
        ...

    def score_seen(self, placement: Mapping[Cell, str], board: Board) -> tuple[Mapping[Seat, int], JsonObject]:
        """Score labels seen in a picture of a table, without a position: score of each seat, the protocol's `detail`.

        A "note" in `detail` is a sentence for the players.
        """
        ...


Adaptor: TypeAlias = GameAdaptor[Position, Action]
"""The join of whichever game is played."""


class TableAdaptor(Generic[PositionT, ActionT]):
    """The parts of `GameAdaptor` that a game only writes where it differs."""

    name: str
    engine: Game[PositionT, ActionT]
    turns: Turns[PositionT, ActionT]

    def prompt(self, position: PositionT) -> Prompt[ActionT]:
        """Return the expected action."""
        return self.turns.prompt(position)

    def choices(self, position: PositionT) -> Sequence[Choice[ActionT]]:
        """Return the legal actions that leave no trace on the table."""
        return self.turns.choices(position)

    def throws(self, position: PositionT) -> bool:
        """Return whether a throw may be made now."""
        return self.turns.throws(position)

    def is_throw(self, action: ActionT) -> bool:
        """Return whether an action is one of chance."""
        return self.turns.is_throw(action)

    def throw_number(self, action: ActionT) -> int | None:
        """Return the number that digits show for a throw."""
        return None if self.turns.dice is None else self.turns.dice.number(action)

    def throw_numbers(self, position: PositionT) -> Sequence[tuple[int, int]]:
        """Return the range of each number that is counted on the panel to put a throw in."""
        return () if self.turns.dice is None else self.turns.dice.numbers(position)

    def throw_counted(self, position: PositionT, numbers: Sequence[int]) -> ActionT:
        """Return the throw that these numbers make.

        Raises:
            ValueError: the game has no dice.
        """
        if self.turns.dice is None:
            message = f"{self.name} has no dice"
            raise ValueError(message)
        return self.turns.dice.counted(position, numbers)

    def laid_out(self, position: PositionT) -> Shuffled[ActionT] | None:
        """Return what the players lay out now in an order of their own."""
        return self.turns.laid_out(position)

    def adopt(self, position: PositionT, labels: Mapping[Cell, str]) -> PositionT | None:
        """Return the position with the pieces as the labels have them, None if that is not a possible position."""
        return self.turns.adopted(self.engine, position, labels)

    def board(self) -> Board:
        """Return the table file that ships for the game."""
        register_tables()
        return shipped_board(self.name)

    def bar(self, position: PositionT) -> int:  # noqa: ARG002 - most games have no slider
        """Return 0: the game has no slider."""
        return 0

    def with_confusions(self, evidence: Evidence) -> Evidence:
        """Return evidence as it is: all labels look unlike one another."""
        return evidence

    def beside(self, position: PositionT, card: ObjectiveCard) -> CardBeside[ActionT]:  # noqa: ARG002 - no such cards
        """Return that a card beside the board means nothing."""
        return CardBeside()
