"""Hypotheses about what happened on a table, and the rules that a game provides to find them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
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
from vision.labels import parse_label

if TYPE_CHECKING:
    from vision.board import Board
    from vision.recognition.objective import ObjectiveCard


class Kind(StrEnum):
    """What a hypothesis claims to have happened, or a verdict finds, in the protocol's words."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"  # of a verdict only: several hypotheses are left
    UNCHANGED = "unchanged"
    PUT_BACK = "put-back"


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis(Generic[PositionT_co, ActionT_co]):
    """One explanation of what is seen.

    Attributes:
        kind: what it claims to have happened.
        log_prior: natural logarithm of its weight before looking, relative to the others.
        expects: the label of every cell that it expects to differ from the placement of the position before.
        optional: on these cells either label may be seen, whatever `expects` says.
        undone: what remains to be done if it holds; `expects` has the labels of those cells until then.
        action: the action of a legal one.
        then: further actions that followed before the next look.
        least_looks: how often an unchanged table has to be looked at before a legal one counts: it may be the beginning
            of another move.
        position: the position after a legal one; rivals with equal positions are one outcome.
        code, rule, cells, facts: why an illegal one is refused.
    """

    kind: Kind
    log_prior: float
    expects: Mapping[Cell, str] = field(default_factory=dict)
    optional: tuple[PendingPlacement, ...] = ()
    undone: tuple[PendingPlacement, ...] = ()
    action: ActionT_co | None = None
    then: tuple[ActionT_co, ...] = ()
    least_looks: int = 1
    position: PositionT_co | None = None
    code: str = ""
    rule: str = ""
    cells: tuple[Cell, ...] = ()
    facts: JsonObject = field(default_factory=dict)

    @property
    def actions(self) -> tuple[ActionT_co, ...]:
        """All actions played, in order; empty for an explanation that is not legal."""
        return () if self.action is None else (self.action, *self.then)


@dataclass(frozen=True, slots=True)
class CardBeside(Generic[ActionT_co]):
    """The meaning of a card next to the board in a position; empty if the card does not matter to the game now.

    Attributes:
        agrees: it is in the state that the position expects.
        actions: legal ones that it reports, in order.
        refusal: why it is refused.
    """

    agrees: bool = False
    actions: tuple[ActionT_co, ...] = ()
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules(Generic[PositionT, ActionT]):
    """One game's rules joined with its table.

    Attributes:
        engine: the rules.
        board: returns the table that ships for the game, read when it is first needed.
        turns: the expected action, choices and throws.
        placement: returns the label that a camera should see on every cell of a position, and on places next to the
            cells if it looks there.
        explanations: lists what may have happened since a position: the likely legal actions, "nothing", and named
            mistakes. Its second argument is left to do from earlier turns and may still be undone. The evidence guides
            the search; a legal action that is left out must be so much less likely than those listed that it does not
            matter.
        score_seen: scores labels seen in a picture of a table, without a position: the score of each seat, and the
            protocol's `detail`, whose "note" is a sentence for the players.
        bar: returns how many steps the slider bar shows; 0 if the game has no slider.
        with_confusions: returns evidence in which labels that are hard, or need not, be distinguished share their
            likelihood.
        beside: returns the meaning in a position of a card that is seen next to the board.
    """

    engine: Game[PositionT, ActionT]
    board: Callable[[], Board]
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

    def unused(self, players: Collection[Seat], placement: Mapping[Cell, str]) -> frozenset[str]:
        """Return the colours that nobody plays, and of which the game has no piece on the table."""
        laid = (parse_label(label).colours for label in placement.values())
        return frozenset(self.board().colours).difference(players, *laid)

    def adopt(self, position: PositionT, labels: Mapping[Cell, str]) -> PositionT | None:
        """Return the position with the pieces placed according to the labels, None if no position looks like that."""
        data = self.turns.adopt(self.engine.position_to_json(position), labels)
        try:
            adopted = None if data is None else self.engine.position_from_json(data)
        except BadRequestError:
            return None
        placed = {} if adopted is None else self.placement(adopted)
        return adopted if all(labels.get(cell, label) == label for cell, label in placed.items()) else None


Rules: TypeAlias = GameRules[Position, Action]
"""The rules of any game."""

AnyHypothesis: TypeAlias = Hypothesis[Position, Action]
