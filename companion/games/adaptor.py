"""What joins one engine with its table: the core's `Rules`, and what the commands need as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeAlias

from companion.core.evidence import Evidence
from companion.core.hypothesis import CardBeside, Hypothesis
from companion.core.verdicts import Action, Choice, PendingPlacement, Position, Prompt, Shuffled
from companion.games.turns import Turns
from engines.kernel import ActionT, Cell, Game, JsonObject, PositionT, Seat
from vision.board import Board, shipped_board

if TYPE_CHECKING:
    from vision.recognition.objective import ObjectiveCard


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAdaptor(Generic[PositionT, ActionT]):
    """One game's rules joined with its table; fulfils `companion.core.hypothesis.GameRules`.

    Attributes:
        engine: the rules.
        turns: the expected action, choices and throws.
        labels: returns the label that a camera should see on every cell of a position, and on places beside the cells
            if it looks there.
        hypotheses: lists what may have happened since a position: `GameRules.explanations`.
        seen_score: scores the labels in a picture of a table: `score_seen`.
        slider: returns how many steps the slider bar shows in a position; None if the game has no slider.
        confusions: returns evidence in which labels that need not be distinguished share their likelihood; None if
            all labels look unlike one another.
        card_beside: returns what a card that is seen beside the board means in a position.
    """

    engine: Game[PositionT, ActionT]
    turns: Turns[PositionT, ActionT]
    labels: Callable[[PositionT], Mapping[Cell, str]]
    hypotheses: Callable[[PositionT, Sequence[PendingPlacement], Evidence], Sequence[Hypothesis[PositionT, ActionT]]]
    seen_score: Callable[[Mapping[Cell, str], Board], tuple[Mapping[Seat, int], JsonObject]]
    slider: Callable[[PositionT], int] | None = None
    confusions: Callable[[Evidence], Evidence] | None = None
    card_beside: Callable[[PositionT, ObjectiveCard], CardBeside[ActionT]] | None = None

    @property
    def name(self) -> str:
        """The game's name in commands and JSON."""
        return self.engine.name

    def board(self) -> Board:
        """Return the table file that ships for the game."""
        return shipped_board(self.name)

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

    def placement(self, position: PositionT) -> Mapping[Cell, str]:
        """Return the label that a camera should see on every cell, and on places beside the cells if it looks there."""
        return self.labels(position)

    def explanations(
        self, position: PositionT, left_open: Sequence[PendingPlacement], evidence: Evidence
    ) -> Sequence[Hypothesis[PositionT, ActionT]]:
        """List what may have happened since a position; `left_open` is still to do from earlier turns."""
        return self.hypotheses(position, left_open, evidence)

    def bar(self, position: PositionT) -> int:
        """Return how many steps the slider bar shows; 0 if the game has no slider."""
        return 0 if self.slider is None else self.slider(position)

    def with_confusions(self, evidence: Evidence) -> Evidence:
        """Return evidence in which labels that are hard, or need not, be distinguished share their likelihood."""
        return evidence if self.confusions is None else self.confusions(evidence)

    def beside(self, position: PositionT, card: ObjectiveCard) -> CardBeside[ActionT]:
        """Return what a card that is seen beside the board means; a game without such cards takes it for nothing."""
        return CardBeside() if self.card_beside is None else self.card_beside(position, card)

    def score_seen(self, placement: Mapping[Cell, str], board: Board) -> tuple[Mapping[Seat, int], JsonObject]:
        """Score labels seen in a picture of a table, without a position: score of each seat, the protocol's `detail`.

        A "note" in `detail` is a sentence for the players.
        """
        return self.seen_score(placement, board)


Adaptor: TypeAlias = TableAdaptor[Position, Action]
"""The join of whichever game is played."""
