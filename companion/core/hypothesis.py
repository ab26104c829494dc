"""What may have happened on the table, and what the core asks of a game to find it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeAlias

from companion.core.evidence import Evidence
from companion.core.turns import Turns
from companion.core.verdicts import Action, PendingPlacement, Position
from engines.kernel import (
    ActionT,
    ActionT_co,
    BadRequestError,
    Cell,
    Game,
    JsonObject,
    PositionT,
    PositionT_co,
    Refusal,
    Seat,
)
from vision.board import Board, shipped_board

if TYPE_CHECKING:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules(Generic[PositionT, ActionT]):
    """One game's rules joined with its table.

    Attributes:
        engine: the rules.
        turns: the expected action, choices and throws.
        placement: returns the label that a camera should see on every cell of a position, and on places beside the
            cells if it looks there.
        explanations: lists what may have happened since a position: the likely legal actions, "nothing", and named
            mistakes. Its second argument is left to do from earlier turns and may still be undone. What is seen leads
            the search; a legal action that is left out must be less likely than those listed by so much that it does
            not matter.
        score_seen: scores labels seen in a picture of a table, without a position: score of each seat, the protocol's
            `detail`, of which a "note" is a sentence for the players.
        bar: returns how many steps the slider bar shows; 0 if the game has no slider.
        with_confusions: returns evidence in which labels that are hard, or need not, be distinguished share their
            likelihood.
        beside: returns what a card that is seen beside the board means in a position.
    """

    engine: Game[PositionT, ActionT]
    turns: Turns[PositionT, ActionT]
    placement: Callable[[PositionT], Mapping[Cell, str]]
    explanations: Callable[[PositionT, Sequence[PendingPlacement], Evidence], Sequence[Hypothesis[PositionT, ActionT]]]
    score_seen: Callable[[Mapping[Cell, str], Board], tuple[Mapping[Seat, int], JsonObject]]
    bar: Callable[[PositionT], int] = lambda _position: 0
    with_confusions: Callable[[Evidence], Evidence] = lambda evidence: evidence
    beside: Callable[[PositionT, ObjectiveCard], CardBeside[ActionT]] = lambda _position, _card: CardBeside()

    @property
    def name(self) -> str:
        """The game's name in commands and JSON."""
        return self.engine.name

    def board(self) -> Board:
        """Return the table file that ships for the game."""
        return shipped_board(self.engine.name)

    def adopt(self, position: PositionT, labels: Mapping[Cell, str]) -> PositionT | None:
        """Return the position with the pieces as the labels have them, None if that is not a possible position."""
        data = self.turns.adopt(self.engine.position_to_json(position), labels)
        try:
            return None if data is None else self.engine.position_from_json(data)
        except BadRequestError:
            return None


Rules: TypeAlias = GameRules[Position, Action]
"""The rules of whichever game is played."""

AnyHypothesis: TypeAlias = Hypothesis[Position, Action]
