"""Simulated players of The Royal Study: their decisions and cheats."""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import TypeAlias

from companion.games.royal_study.hypotheses import beside, chains
from companion.games.royal_study.table import look_of
from companion.games.simulated import Labels, Opportunity, SimulatedGame
from companion.locale import _
from engines.kernel import Outcome
from engines.royal_study import GAME
from engines.royal_study.placement import Way, missing_pieces
from engines.royal_study.position import (
    QUARTERS,
    Action,
    Await,
    Call,
    Card,
    Draw,
    Match,
    Move,
    Position,
    Say,
    Side,
    Turning,
    puzzle_of,
)
from engines.royal_study.search import best_line, least
from vision.labels import EMPTY
from vision.recognition.objective import ObjectiveCard

_CHALLENGES, _WAITS = 0.3, 0.1
_ERRS, _GIVES_UP = 0.08, 0.02

_Chance: TypeAlias = Opportunity[Position, Action]


def _decide(position: Position, random: Random) -> Action:  # noqa: PLR0911 - one line a moment
    """Return an action: calls near the least number, some challenges, and mostly the shortest solution."""
    if not isinstance(position, Match):
        return random.choice(GAME.actions(position))
    match position.awaits:
        case Await.CALL:
            number = max(0, least(position.puzzle) + random.choice((-1, 0, 0, 1, 2)))
            return Call(number, random.choice(position.players))
        case Await.CHALLENGE:
            draw = random.random()
            return Say.CHALLENGE if draw < _CHALLENGES else Say.TIME_UP if draw > 1 - _WAITS else Say.DECLINE
        case Await.START | Await.CARD:
            # a card on either side, in any orientation; the first one must show all pieces
            full = position.awaits is Await.CARD
            numbers = [n for n in position.deck if full or not missing_pieces(position.terms.pictures[n])]
            return Draw(Card(random.choice(numbers), random.choice(tuple(Side)), random.randrange(QUARTERS)))
        case Await.NEXT:
            return Say.NEXT if Say.NEXT in GAME.actions(position) else Say.STOP
    # a step of the execution: mostly the shortest solution's, seldom giving up or any step that changes the table
    draw = random.random()
    if draw < _GIVES_UP:
        return Say.GIVE_UP
    line = best_line(position.puzzle)
    if line and draw > _GIVES_UP + _ERRS:
        return line[0]
    return random.choice([action for action in GAME.actions(position) if _is_seen(position, action)])


def _beside(position: Position, action: Action | None = None) -> ObjectiveCard | None:
    """Return the card next to the board after an action in a position, None if there is none.

    A card that is met by being turned stays there as it was turned.
    """
    match action:
        case Draw(card):
            return _look(card)
        case Turning(way, place):
            return _look(puzzle_of(position).targets[place].card, way)
        case None:
            targets = puzzle_of(position).targets
            return _look(targets[-1].card) if len(targets) == 1 else None
    outcome = GAME.play(position, action)
    return _beside(outcome.position) if isinstance(outcome, Outcome) else None


def _look(card: Card | None, *ways: Way) -> ObjectiveCard | None:
    """Return the look of a card after some turnings."""
    if card is None:
        return None
    turned = reduce(Card.turned, ways, card)
    return ObjectiveCard(turned.number, turned.side.value, turned.turns)


def _is_seen(position: Match, action: Action) -> bool:
    """Return whether an action is a step that changes the look of the table."""
    if isinstance(action, Turning):
        target = position.puzzle.targets[action.target]
        return target.turned(action.way).picture != target.picture
    return isinstance(action, Move)


def _allows(position: Position, left: Labels) -> bool:
    """Return whether one move or a few lead to such a table."""
    if isinstance(position, Match) and position.awaits is not Await.EXECUTE:
        return False
    return any(look_of(there) == left for there in chains(puzzle_of(position).pieces))


# ---- cheats


def _several_pieces(chance: _Chance) -> Labels | None:
    """Move two pieces at once to free squares."""
    before = chance.before
    one, other = chance.random.sample([cell for cell, label in before.items() if label != EMPTY], 2)
    there, beyond = chance.random.sample([cell for cell, label in before.items() if label == EMPTY], 2)
    return chance.instead({one: EMPTY, other: EMPTY, there: before[one], beyond: before[other]})


def _turn_card(chance: _Chance, ways: tuple[Way, ...]) -> ObjectiveCard | None:
    """Turn the card so that its picture changes and no legal turning explains it; None if no way does."""
    position = chance.position
    if not isinstance(position, Match) or _beside(position) is None:
        return None
    target = position.puzzle.targets[-1]
    for way in chance.random.sample(ways, len(ways)):
        turned = target.turned(way)
        card = turned.card
        if card is not None and turned.picture != target.picture and beside(position, card).refusal is not None:
            return ObjectiveCard(card.number, card.side.value, card.turns)
    return None


SIMULATED: SimulatedGame[Position, Action] = SimulatedGame(
    decide=_decide,
    allows=_allows,
    named={
        "several-pieces": _several_pieces,
        "card-turned": lambda chance: _turn_card(chance, (Way.CLOCKWISE, Way.COUNTER_CLOCKWISE)),
        "card-mirrored": lambda chance: _turn_card(chance, (Way.LEFT_RIGHT, Way.TOP_BOTTOM)),
    },
    captions=lambda: {
        "several-pieces": _("{player} cheated: carried two pieces at once"),
        "card-turned": _("{player} cheated: turned the card where that was not allowed"),
        "card-mirrored": _("{player} cheated: turned the card over where that was not allowed"),
    },
    beside=_beside,
    options=(
        {},
        {"points": 4, "level": 2},
        {"points": 3, "execution": 120, "deck": "table"},
        {"points": 3, "level": 3, "deck": "table"},
    ),
)
