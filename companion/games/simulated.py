"""Simulated players of a game: their decisions, what they leave on the table, their cheats and slips."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Generic, TypeAlias

from companion.locale import _
from engines.kernel import ActionT, Cell, Game, JsonObject, PositionT, Seat
from vision.labels import EMPTY, Label, parse_label
from vision.recognition.objective import ObjectiveCard

Labels: TypeAlias = Mapping[Cell, str]
"""A placement: the label on every cell."""


@dataclass(frozen=True, slots=True)
class Opportunity(Generic[PositionT, ActionT]):
    """An opportunity for a cheat or a slip.

    Attributes:
        position: the game's position.
        seat: the player.
        action: the seat's honest action; None if that is a throw or a choice by button.
        before: the table before.
        after: the table after the honest action; `before` if there is none.
        random: chooses among opportunities.
    """

    position: PositionT
    seat: Seat
    action: ActionT | None
    before: Labels
    after: Labels
    random: Random

    def untouched(self, wanted: Callable[[str], bool] = lambda _label: True) -> list[Cell]:
        """List the cells with a wanted label that the honest action does not change, in random order."""
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
"""Returns the table that hands leave, or the card next to it; None if the position offers no opportunity."""


@dataclass(frozen=True, slots=True)
class SimulatedGame(Generic[PositionT, ActionT]):
    """How simulated players play one game.

    Attributes:
        decide: returns an honest action of a seat; the companion makes throws.
        allows: returns whether legal actions may leave this table; it is then not a cheat.
        captions: returns the sentence for each named cheat and slip, with a placeholder for the player's name.
        named: tables that the rules forbid and that no random change leaves, by name.
        slips: tables that an incomplete legal action may leave, by name.
        leaves: returns the table that hands leave for an honest action.
        beside: returns the card that is next to the board in a position, or after an action in it.
        later: the share of pending placements that the players make only with their next move.
        options: the options of simulated evenings, used in turn.
    """

    decide: Callable[[PositionT, Random], ActionT]
    allows: Callable[[PositionT, Labels], bool]
    captions: Callable[[], Mapping[str, str]] = dict
    named: Mapping[str, Trick[PositionT, ActionT]] = field(default_factory=dict)
    slips: Mapping[str, Trick[PositionT, ActionT]] = field(default_factory=dict)
    leaves: Callable[[Opportunity[PositionT, ActionT]], Labels] = lambda opportunity: opportunity.after
    beside: Callable[[PositionT, ActionT | None], ObjectiveCard | None] = lambda _position, _action: None
    later: float = 0.0
    options: Sequence[JsonObject] = ({},)

    @property
    def cheats(self) -> Mapping[str, Trick[PositionT, ActionT]]:
        """The game's own cheats, then random changes, by name."""
        return {**self.named, **{name: change for name, (change, _caption) in _CHANGES.items()}}

    def caption(self, trick: str) -> str:
        """Return the sentence for a cheat or slip, with a placeholder for the player's name."""
        own = self.captions()
        return own[trick] if trick in own else _CHANGES[trick][1]()


# ---- random changes of a table, which a game need not name: a piece is gone, or there is one more, or it is elsewhere


def _take_off(chance: Opportunity[PositionT, ActionT]) -> Labels | None:
    for cell, _piece, left in _lift(chance):
        return _as_well_or_instead(chance, {cell: str(left)})
    return None


def _put_on(chance: Opportunity[PositionT, ActionT]) -> Labels | None:
    """Put down another piece like one on the board; pieces on cards are unique."""
    pieces = (piece for _cell, piece, _left in _lift(chance) if piece.piece)
    for piece in pieces:
        for cell in chance.untouched(lambda label: label == EMPTY):
            return _as_well_or_instead(chance, {cell: str(piece)})
    return None


def _carry(chance: Opportunity[PositionT, ActionT]) -> Labels | None:
    for cell, piece, left in _lift(chance):
        for end in chance.untouched():
            there = parse_label(chance.before[end])
            if piece.piece and there.is_empty:
                return _as_well_or_instead(chance, {cell: str(left), end: str(piece)})
            if there.card and piece.on_card and len(there.on_card) == there.covering:
                stands = replace(there, on_card=(*there.on_card, *piece.on_card))
                return _as_well_or_instead(chance, {cell: str(left), end: str(stands)})
    return None


def _recolour(chance: Opportunity[PositionT, ActionT]) -> Labels | None:
    """Exchange a piece for another player's; in games whose pieces do not bear the players' colours there is none."""
    pieces = {cell: parse_label(label) for cell, label in chance.after.items()}
    colours = sorted({there.piece for there in pieces.values() if there.piece})
    if chance.seat not in colours:
        return None
    changes = [
        (cell, replace(there, piece=colour))
        for cell, there in pieces.items()
        for colour in colours
        if there.piece and chance.seat in (there.piece, colour) and there.piece != colour
    ]
    cell, other = chance.random.choice(changes) if changes else (None, Label())
    return None if cell is None else chance.changed({cell: str(other)})


def _lift(chance: Opportunity[PositionT, ActionT]) -> Iterator[tuple[Cell, Label, Label]]:
    """Yield the pieces that the honest action leaves alone, in random order: cell, topmost piece, what is below it.

    Covers of cards stay, because nobody knows which side of the card is up.
    """
    for cell in chance.untouched(lambda label: label != EMPTY):
        there = parse_label(chance.before[cell])
        if len(there.on_card) > there.covering:
            yield cell, Label(on_card=there.on_card[-1:]), replace(there, on_card=there.on_card[:-1])
        elif there.piece:
            yield cell, there.single, replace(there, height=there.height - 1) if there.height > 1 else Label()


def _as_well_or_instead(chance: Opportunity[PositionT, ActionT], cells: Labels) -> Labels:
    """Change some cells after the honest action, or instead of it."""
    return chance.random.choice((chance.changed, chance.instead))(cells)


_CHANGES: Mapping[str, tuple[Trick[Any, Any], Callable[[], str]]] = {
    "taken-off": (_take_off, lambda: _("{player} slipped: a piece fell off the board")),
    "put-on": (_put_on, lambda: _("{player} cheated: put one more piece on the board")),
    "carried": (_carry, lambda: _("{player} cheated: moved a piece as it may not move")),
    "recoloured": (_recolour, lambda: _("{player} cheated: exchanged a piece for one of another colour")),
}
"""The random changes, each with its sentence, by name."""


def misplays(
    game: Game[PositionT, ActionT],
    look: Callable[[PositionT], Labels],
    believe: Callable[[PositionT, Random], PositionT | None],
) -> Trick[PositionT, ActionT]:
    """Return the trick of an action that another position allows: another player's turn, or another throw.

    Args:
        game: the rules.
        look: returns the table of a position.
        believe: returns that other position, which looks the same and allows an action; None if there is none.
    """

    def trick(chance: Opportunity[PositionT, ActionT]) -> Labels | None:
        believed = believe(chance.position, chance.random)
        if believed is None:
            return None
        played = game.after(believed, game.any_action(believed, chance.random))
        return chance.instead(look(played.position))

    return trick


def tables_after(
    game: Game[PositionT, ActionT], position: PositionT, look: Callable[[PositionT], Labels], chain: int
) -> Iterator[Labels]:
    """Yield the table after every legal action, and after every series of up to `chain` actions without a throw."""
    for action in game.actions(position):
        after = game.after(position, action).position
        yield look(after)
        if chain > 1:
            yield from tables_after(game, after, look, chain - 1)
