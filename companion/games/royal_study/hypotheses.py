"""All that may have happened to the pieces of The Royal Study, as hypotheses for the core to weigh.

The log priors are relative to a single move, which has 0. They are estimates, not measurements. What a piece is the
position before says better than the picture, which therefore counts for little (`IDENTITY_ERROR`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import nlargest
from itertools import product
from typing import TypeAlias

from companion.core.evidence import Evidence
from companion.core.hypothesis import CardBeside, Hypothesis, Kind
from companion.core.verdicts import PendingPlacement
from companion.games.hypotheses import TableLikelihood, drop_explainable_mistakes, table_likelihood
from companion.games.royal_study.table import WORDS, letter_of, look_of, placement
from engines.kernel import Cell, JsonObject, Outcome, Refusal
from engines.royal_study import GAME
from engines.royal_study.board import NAMES, Piece
from engines.royal_study.cards import CARDS
from engines.royal_study.placement import Placement, Way, turned
from engines.royal_study.position import Action, Await, Card, Draw, Match, Move, Position, Target, Turning, puzzle_of
from engines.royal_study.rules import moved, moves
from vision.labels import EMPTY

# ---- what hands do wrong with the pieces


Explanation: TypeAlias = Hypothesis[Position, Action]

ONE = -3.0
"""log prior of a piece moved as it does not move: as likely as two of its moves that lead there, which stays open."""

SEVERAL = -6.0
"""log prior of squares filled and emptied in a way that neither one piece nor a chain of moves explains."""


def mistakes(position: Position, seen: TableLikelihood, allowed: Sequence[Explanation]) -> Iterator[Explanation]:
    """Return one piece moved against the rules or taken off, and two or more that no chain of moves explains."""
    stands = {cell: label for cell, label in seen.before.items() if label != EMPTY}
    free = [cell for cell in seen.before if cell not in stands]
    for start, end in product(stands, free):
        refusal = GAME.play(position, Move(Piece(letter_of(stands[start])), start, end))
        if isinstance(refusal, Refusal):
            yield _illegal(seen, {start: EMPTY, end: stands[start]}, refusal, ONE)
    for start in stands:
        yield _illegal(seen, {start: EMPTY}, Refusal("piece-gone", "1.2"), ONE)
    yield from drop_explainable_mistakes(_several(seen, stands), allowed, seen.before)


def _several(seen: TableLikelihood, stands: Mapping[Cell, str]) -> Iterator[Explanation]:
    """Take the squares that look filled or emptied as they look; which pieces stand elsewhere is not held against any.

    One piece that has left for one square, or none, is not such a case.
    """
    gone = {cell: EMPTY for cell in stands if seen.evidence.best(cell) == EMPTY}
    come = {cell: label for cell in seen.before if cell not in stands and (label := seen.evidence.best(cell)) != EMPTY}
    if len(come) > len(gone):
        yield _illegal(seen, {**gone, **come}, Refusal("piece-added", "1.2", tuple(come)), SEVERAL)
    elif len(gone) > 1:
        refusal = Refusal("several-pieces", "2.1") if len(come) == len(gone) else Refusal("piece-gone", "1.2")
        yield _illegal(seen, {**gone, **come}, refusal, SEVERAL)


def _illegal(seen: TableLikelihood, expects: Mapping[Cell, str], refusal: Refusal, log_prior: float) -> Explanation:
    """Refuse a look of the table, for the squares that show it and those that the rule names."""
    facts: JsonObject = {"piece": seen.before[next(iter(expects))], "named": list(refusal.cells)}
    return seen.refused(expects, replace(refusal, cells=()), log_prior, facts)


# ---- what may have happened


IDENTITY_ERROR = 0.05
"""How often the look of a piece does not say which piece it is, however certain the reading is."""

NOTHING = 2.0  # nobody has moved yet: seven times as often as any one of the moves has been made
FOLLOWED = -4.0  # for each further move that one look in fifty comes too late to see apart
MOST_MOVES = 3  # between two looks: about a thousand placements, found in some milliseconds
MOST_PLACEMENTS = 32  # this many placements are weighed; the others explain worse what is seen

Chain: TypeAlias = tuple[Move, ...]


def explanations(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> list[Explanation]:
    """List what may have happened since a position, led by what is seen."""
    seen = table_likelihood(placement(position), left_open, evidence)
    nothing: Explanation = Hypothesis(Kind.UNCHANGED, NOTHING, optional=tuple(seen.left_open.values()))
    allowed = [nothing, *(_moving(position, seen) if _may_move(position) else ())]
    return [*allowed, *mistakes(position, seen, allowed)]


def _may_move(position: Position) -> bool:
    return not isinstance(position, Match) or position.awaits is Await.EXECUTE


def _moving(position: Position, seen: TableLikelihood) -> Iterator[Explanation]:
    """Return the moves, and the chains of moves, that explain best what is seen."""
    reached = chains(puzzle_of(position).pieces)
    table = {(cell, letter): seen.gain(cell, word) for cell in seen.before for letter, word in WORDS.items()}

    def score(there: Placement) -> float:
        gains = (table.get(on, 0.0) for on in zip(NAMES, there, strict=True))
        return sum(gains) + _prior(reached[there][0])

    for there in nlargest(MOST_PLACEMENTS, reached, key=score):
        yield from _outcomes(position, seen, there, reached[there])


def _prior(chain: Chain) -> float:
    return FOLLOWED * (len(chain) - 1)


def _outcomes(
    position: Position, seen: TableLikelihood, there: Placement, ways: Sequence[Chain]
) -> Iterator[Explanation]:
    """Return a hypothesis for each position that the rules make of a placement: on the way a card may be met."""
    expects = seen.changed(look_of(there))
    after: dict[Position, Chain] = {}
    for chain in ways:
        played = _play(position, chain)
        if played is not None:
            after.setdefault(played, chain)
    for played, chain in after.items():
        first, *then = chain
        optional = seen.still_open(expects)
        yield Hypothesis(Kind.LEGAL, _prior(chain), expects, optional, action=first, then=tuple(then), position=played)


def _play(position: Position, chain: Chain) -> Position | None:
    """Make the moves; None if the execution ends before the last of them."""
    for move in chain:
        result = GAME.play(position, move)
        if not isinstance(result, Outcome):
            return None
        position = result.position
    return position


# ---- moves in a row, made before anybody looked again


@lru_cache(maxsize=16)
def chains(pieces: Placement) -> Mapping[Placement, tuple[Chain, ...]]:
    """Return the shortest ways to every other placement within a number of moves, in every order."""
    found: dict[Placement, tuple[Chain, ...]] = {pieces: ((),)}
    latest = found
    for _ in range(MOST_MOVES):
        latest = _one_further(latest, found)
        found = found | latest
    return {placement: ways for placement, ways in found.items() if placement != pieces}


def _one_further(
    latest: Mapping[Placement, tuple[Chain, ...]], known: Mapping[Placement, tuple[Chain, ...]]
) -> dict[Placement, tuple[Chain, ...]]:
    further: dict[Placement, list[Chain]] = {}
    for pieces, ways in latest.items():
        for move in moves(pieces):
            there = moved(pieces, move)
            if there not in known:
                further.setdefault(there, []).extend((*way, move) for way in ways)
    return {placement: tuple(ways) for placement, ways in further.items()}


# ---- the card beside the board


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
