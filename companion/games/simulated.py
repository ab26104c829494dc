"""What a game says of simulated players: what they decide, what they leave on the table, how they cheat and slip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Generic, TypeAlias

from engines.kernel import ActionT, Cell, Game, JsonObject, Outcome, PositionT, Seat
from vision.recognition.objective import ObjectiveCard

Labels: TypeAlias = Mapping[Cell, str]
"""A placement: the label on every cell."""


@dataclass(frozen=True, slots=True)
class Opportunity(Generic[PositionT, ActionT]):
    """What a cheat or a slip is made of.

    Attributes:
        position: how the game stands.
        seat: who does it.
        action: what the seat would do if it were honest; None if that is a throw or a choice by button.
        before: the table as it is.
        after: the table after the honest action; `before` if there is none.
        random: chooses among opportunities.
    """

    position: PositionT
    seat: Seat
    action: ActionT | None
    before: Labels
    after: Labels
    random: Random

    def untouched(self, wanted: Callable[[str], bool]) -> list[Cell]:
        """List the cells with a wanted label that the honest action leaves as they are, in a random order."""
        same = (cell for cell, label in self.before.items() if label == self.after[cell])
        cells = [cell for cell in same if wanted(self.before[cell])]
        return self.random.sample(cells, len(cells))

    def changed(self, cells: Labels) -> Labels:
        """Return the table after the honest action, with other labels on some cells."""
        return {**self.after, **cells}

    def instead(self, cells: Labels) -> Labels:
        """Return the table as it was, with other labels on some cells."""
        return {**self.before, **cells}


Trick: TypeAlias = Callable[[Opportunity[PositionT, ActionT]], "Labels | ObjectiveCard | None"]
"""Returns the table that hands leave, or the card beside it, None if the position gives no opportunity."""


@dataclass(frozen=True, slots=True)
class SimulatedGame(Generic[PositionT, ActionT]):
    """How simulated players play one game.

    Attributes:
        decide: returns an honest action of a seat; a throw is decided by the companion.
        allows: returns whether legal actions may leave such a table; it is then no cheat.
        cheats: tables that the rules forbid, by name.
        captions: returns the sentence for each cheat and slip, with a place for the player's name.
        slips: tables that a legal action may leave although something of it is still to be done, by name.
        leaves: returns the table that hands leave for an honest action.
        beside: returns the card that is next to the board in a position, or after an action in it.
        later: the share of things left to do that the players do only with their next move.
        options: the options of simulated evenings; one evening after the other takes the next.
    """

    decide: Callable[[PositionT, Random], ActionT]
    allows: Callable[[PositionT, Labels], bool]
    cheats: Mapping[str, Trick[PositionT, ActionT]]
    captions: Callable[[], Mapping[str, str]]
    slips: Mapping[str, Trick[PositionT, ActionT]] = field(default_factory=dict)
    leaves: Callable[[Opportunity[PositionT, ActionT]], Labels] = lambda opportunity: opportunity.after
    beside: Callable[[PositionT, ActionT | None], ObjectiveCard | None] = lambda _position, _action: None
    later: float = 0.0
    options: Sequence[JsonObject] = ({},)


def tables_after(
    game: Game[PositionT, ActionT], position: PositionT, look: Callable[[PositionT], Labels], chain: int
) -> Iterator[Labels]:
    """Yield the table after every legal action, and after every series of that many without a throw in between."""
    for action in game.actions(position):
        outcome = game.play(position, action)
        if isinstance(outcome, Outcome):
            yield look(outcome.position)
            if chain > 1:
                yield from tables_after(game, outcome.position, look, chain - 1)
