"""What was done to an objective card, from how it is seen to be beside the board now."""

from __future__ import annotations

from itertools import product

from engines.kernel import Outcome
from engines.royal_study import GAME
from engines.royal_study.cards import CARDS
from engines.royal_study.placement import Way, turned
from engines.royal_study.position import Card, Match, Position, Turning, puzzle_of

MOST_TURNINGS = 2
"""A card comes to be in any of its eight ways by two turnings at most."""


_WAYS = tuple(ways for number in range(1, MOST_TURNINGS + 1) for ways in product(Way, repeat=number))


def turnings(position: Position, card: Card) -> tuple[Turning, ...]:
    """Return the fewest legal turnings after which one of the targets is as a card is seen to be.

    None where it is so already, where it is no target's, or where the level does not allow what was done.
    """
    pictures = position.terms.pictures if isinstance(position, Match) else CARDS
    if card.number >= len(pictures):
        return ()
    shown = card.lay(pictures[card.number])
    targets = puzzle_of(position).targets
    mine = [place for place, target in enumerate(targets) if target.card is None or target.card.number == card.number]
    if any(targets[place].picture == shown for place in mine):
        return ()
    reached = (
        tuple(Turning(way, place) for way in ways)
        for ways, place in product(_WAYS, mine)
        if turned(targets[place].picture, *ways) == shown
    )
    return next((steps for steps in reached if _are_legal(position, steps)), ())


def _are_legal(position: Position, steps: tuple[Turning, ...]) -> bool:
    for step in steps:
        result = GAME.play(position, step)
        if not isinstance(result, Outcome):
            return False
        position = result.position
    return True
