"""What may have happened on the table, and what the core asks of a game to find it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias

from companion.core.evidence import Evidence
from companion.core.verdicts import Action, Choice, PendingPlacement, Position, Prompt
from engines.kernel import ActionT, ActionT_co, Cell, Game, JsonObject, PositionT, PositionT_co, Refusal

if TYPE_CHECKING:
    from companion.core.verdicts import Shuffled
    from vision.recognition.objective import ObjectiveCard


class Kind(StrEnum):
    """What a hypothesis says happened."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNCHANGED = "unchanged"
    PUT_BACK = "put-back"


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis(Generic[PositionT_co, ActionT_co]):
    """One explanation of what is seen.

    Attributes:
        kind: what it says happened.
        log_prior: natural logarithm of its weight before looking, relative to the others.
        expects: the label of every cell that it expects to differ from the placement of the position before.
        optional: on these cells either label may be seen, whatever `expects` says.
        undone: what, by this explanation, is still to be done; `expects` has what is on those cells until then.
        action: a legal one's action.
        then: further actions that followed before anybody looked.
        position: a legal one's position afterwards; rivals with equal positions are one outcome.
        code, rule, cells, facts: why an illegal one is refused.
    """

    kind: Kind
    log_prior: float
    expects: Mapping[Cell, str] = field(default_factory=dict)
    optional: tuple[PendingPlacement, ...] = ()
    undone: tuple[PendingPlacement, ...] = ()
    action: ActionT_co | None = None
    then: tuple[ActionT_co, ...] = ()
    position: PositionT_co | None = None
    code: str = ""
    rule: str = ""
    cells: tuple[Cell, ...] = ()
    facts: JsonObject = field(default_factory=dict)

    @property
    def actions(self) -> tuple[ActionT_co, ...]:
        """All that was played, in order; nothing by an explanation that is not legal."""
        return () if self.action is None else (self.action, *self.then)


@dataclass(frozen=True, slots=True)
class CardBeside(Generic[ActionT_co]):
    """What a card beside the board means in a position; for a card that is none of the game's now, nothing.

    Attributes:
        agrees: it is as the position has it.
        actions: legal ones that it reports, in order.
        refusal: why it may not be as it is.
    """

    agrees: bool = False
    actions: tuple[ActionT_co, ...] = ()
    refusal: Refusal | None = None


class GameRules(Protocol[PositionT, ActionT]):
    """What the core asks of a game: its engine, its turns, what a camera should see, and what may have happened."""

    @property
    def engine(self) -> Game[PositionT, ActionT]:
        """The rules engine."""
        ...

    def prompt(self, position: PositionT) -> Prompt[ActionT]:
        """Return the expected action, with its clock and the range of a number that is counted on the panel."""
        ...

    def choices(self, position: PositionT) -> Sequence[Choice[ActionT]]:
        """Return the legal actions that leave no trace on the table, the one that DONE plays unasked first."""
        ...

    def throws(self, position: PositionT) -> bool:
        """Return whether a throw may be made now."""
        ...

    def is_throw(self, action: ActionT) -> bool:
        """Return whether an action is one of chance."""
        ...

    def throw_number(self, action: ActionT) -> int | None:
        """Return the number that digits show for a throw, None for a throw without one."""
        ...

    def throw_numbers(self, position: PositionT) -> Sequence[tuple[int, int]]:
        """Return the lowest and highest of each number that is counted on the panel to put a throw in."""
        ...

    def throw_counted(self, position: PositionT, numbers: Sequence[int]) -> ActionT:
        """Return the throw that the counted numbers make."""
        ...

    def laid_out(self, position: PositionT) -> Shuffled[ActionT] | None:
        """Return what is shuffled and laid out before play goes on; None if the game knows where everything is."""
        ...

    def adopt(self, position: PositionT, labels: Mapping[Cell, str]) -> PositionT | None:
        """Return the position with the pieces as these labels have them, None if labels alone do not say enough."""
        ...

    def placement(self, position: PositionT) -> Mapping[Cell, str]:
        """Return the label that a camera should see on every cell, and on places beside the cells if it looks there."""
        ...

    def bar(self, position: PositionT) -> int:
        """Return how many steps the slider bar shows; 0 where the game has no slider."""
        ...

    def with_confusions(self, evidence: Evidence) -> Evidence:
        """Return evidence in which labels that are hard, or need not, be distinguished share their likelihood."""
        ...

    def explanations(
        self,
        position: PositionT,
        left_open: Sequence[PendingPlacement],
        evidence: Evidence,
    ) -> Sequence[Hypothesis[PositionT, ActionT]]:
        """List what may have happened since `position`: the likely legal actions, "nothing", and named mistakes.

        `left_open` are things left to do from earlier turns, which may still be undone. What is seen leads the search;
        a legal action that is left out must be less likely than those listed by so much that it does not matter.
        """
        ...

    def beside(self, position: PositionT, card: ObjectiveCard) -> CardBeside[ActionT]:
        """Return what a card that is seen beside the board means."""
        ...


Rules: TypeAlias = GameRules[Position, Action]
"""The rules of whichever game is played."""

AnyHypothesis: TypeAlias = Hypothesis[Position, Action]
