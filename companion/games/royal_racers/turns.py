"""Royal Racers' turns: start spaces and flags, then a roll, a card turned over, a step or a pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from companion.core.verdicts import Choice, Prompt, Shuffled
from companion.games.royal_racers.labels import parts_of
from companion.games.turns import Throws, Turns
from engines.grid import bit
from engines.kernel import Cell, JsonObject
from engines.royal_racers import GAME
from engines.royal_racers.board import DECK, NAMES, card_name, card_named, cell_index
from engines.royal_racers.position import NULL_ROLL, THROWS, Action, Deal, Flip, Pass, Phase, Position, Roll

__all__ = ["TURNS"]


def _prompt(position: Position) -> Prompt[Action]:
    return Prompt(None) if GAME.over(position) else Prompt(position.turn, position.phase.value)


def _choices(position: Position) -> Sequence[Choice[Action]]:
    """Return the pass, also of a flip where that is agreed on, and cards under flags: both cannot be seen."""
    if position.phase is Phase.MOVE:
        return (Choice("pass", Pass()),)
    if position.phase is not Phase.FLIP:
        return ()
    flips = (action.cell for action in GAME.actions(position) if isinstance(action, Flip))
    under = (cell for cell in flips if position.flagged & bit(cell_index(cell)))
    passing = (Choice("pass", Pass()),) if position.terms.optional_flip else ()
    return (*passing, *(Choice("flip", Flip(cell), standing=False) for cell in under))


def _throw(_position: Position, random: Random) -> Action:
    return Roll(random.choice(THROWS))


def _throws(position: Position) -> bool:
    return position.phase is Phase.ROLL


def _throw_number(action: Action) -> int | None:
    return action.rank if isinstance(action, Roll) else None


def _throw_of(_position: Position, faces: Sequence[int | None]) -> Action | None:
    if len(faces) != 1:
        return None
    return Roll(faces[0] or NULL_ROLL)


def _numbers(_position: Position) -> Sequence[tuple[int, int]]:
    """Return the range of the die's number; 0 is the face without one."""
    return ((0, max(THROWS)),)


def _throw_counted(_position: Position, numbers: Sequence[int]) -> Action:
    return Roll(numbers[0])


def _laid_out(position: Position) -> Shuffled[Action] | None:
    """Return the cards: until the first pawn stands they may be laid out again, before the next race they must be."""
    if position.phase is not Phase.DEAL and (position.phase is not Phase.START or position.pawns):
        return None
    return Shuffled(
        tuple(map(card_name, DECK)),
        lambda labels: Deal(tuple(card_named(labels[name]) for name in NAMES)),
        awaited=position.phase is Phase.DEAL,
    )


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject | None:
    """Move pawns and turn cards as they are seen; which card is where stays as it is known."""
    seen = {cell: parts_of(label) for cell, label in labels.items()}
    pawns = {str(parts.pawn): cell for cell, parts in seen.items() if parts.pawn}
    cards = data["cards"]
    if not isinstance(cards, Mapping):
        return None
    turned = {
        cell: {**card, "up": seen[Cell(cell)].card != "back"} if isinstance(card, Mapping) else card
        for cell, card in cards.items()
    }
    return {**data, "pawns": pawns, "cards": turned}


TURNS: Turns[Position, Action] = Turns(
    _prompt,
    _choices,
    Throws(Roll, _throw, _throws, _throw_number, _throw_of, _numbers, _throw_counted),
    laid_out=_laid_out,
    adopt=_adopt,
)
