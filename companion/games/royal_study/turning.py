"""What an objective card beside the board means: it is drawn, or was turned or mirrored, or may not be as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from companion.core.hypothesis import CardBeside
from engines.kernel import Outcome, Refusal
from engines.royal_study import GAME
from engines.royal_study.cards import CARDS
from engines.royal_study.placement import Placement, Way, turned
from engines.royal_study.position import Action, Await, Card, Draw, Match, Position, Target, Turning, puzzle_of

MOST_TURNINGS = 2
"""A card comes to be in any of its eight ways by two turnings at most."""

TURNED = "card-turned"
"""The code of a card that is not as the game has it, at a time when no card may be turned."""

_WAYS = tuple(ways for number in range(1, MOST_TURNINGS + 1) for ways in product(Way, repeat=number))
_RULE = "3.1"


def beside(position: Position, card: Card) -> CardBeside[Action]:
    """Return what a card means that is seen to be like this.

    The fewest legal turnings after which it is so are what was done to it. A card that is no target's means nothing.
    """
    pictures = position.terms.pictures if isinstance(position, Match) else CARDS
    if card.number >= len(pictures):
        return CardBeside()
    if isinstance(position, Match) and position.awaits in (Await.START, Await.CARD):
        return _drawn(position, card)
    return _turned(position, card, card.lay(pictures[card.number]))


def _drawn(position: Match, card: Card) -> CardBeside[Action]:
    """A card that was drawn before is left from another round."""
    result = GAME.play(position, Draw(card))
    if isinstance(result, Outcome):
        return CardBeside(actions=(Draw(card),))
    return CardBeside(refusal=None if result.code == "already-drawn" else result)


def _turned(position: Position, card: Card, shown: Placement) -> CardBeside[Action]:
    targets = puzzle_of(position).targets
    mine = [place for place, target in enumerate(targets) if target.card is None or target.card.number == card.number]
    if any(targets[place].picture == shown for place in mine):
        return CardBeside(agrees=True)
    reached = list(_reaching(targets, mine, shown))
    legal = next((steps for steps in reached if _are_legal(position, steps)), None)
    if legal is not None:
        return CardBeside(actions=legal)
    named = [steps for steps in reached if targets[steps[0].target].card is not None]
    return CardBeside(refusal=_why_not(position, named[0])) if named else CardBeside()


def _reaching(targets: Sequence[Target], mine: Sequence[int], shown: Placement) -> Iterator[tuple[Turning, ...]]:
    """List the turnings after which one of some targets shows a picture, the fewest first."""
    for ways, place in product(_WAYS, mine):
        if turned(targets[place].picture, *ways) == shown:
            yield tuple(Turning(way, place) for way in ways)


def _are_legal(position: Position, steps: Sequence[Turning]) -> bool:
    for step in steps:
        result = GAME.play(position, step)
        if not isinstance(result, Outcome):
            return False
        position = result.position
    return True


def _why_not(position: Position, steps: Sequence[Turning]) -> Refusal:
    result = GAME.play(position, steps[0])
    known = isinstance(result, Refusal) and result.code in ("level-too-low", "already-met")
    return result if isinstance(result, Refusal) and known else Refusal(TURNED, _RULE)
