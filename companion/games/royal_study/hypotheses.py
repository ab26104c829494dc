"""Hypotheses on what happened to the pieces of The Royal Study, for the core to weigh.

The log priors are relative to a single move, which has 0. They are estimates, not measurements. The identity of a piece
is known better from the position before than from the picture, which counts little for it (`IDENTITY_ERROR`).
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
from companion.games.hypotheses import NOTHING, TableLikelihood, drop_explainable_mistakes, table_likelihood
from companion.games.royal_study.table import WORDS, letter_of, look_of, placement
from engines.kernel import Cell, JsonObject, Outcome, Refusal
from engines.royal_study import GAME
from engines.royal_study.board import NAMES, Piece
from engines.royal_study.cards import CARDS
from engines.royal_study.placement import Placement, Way, turned
from engines.royal_study.position import Action, Await, Card, Draw, Match, Move, Position, Turning, puzzle_of
from engines.royal_study.rules import moved, moves
from vision.labels import EMPTY

# ---- mistakes with the pieces


Explanation: TypeAlias = Hypothesis[Position, Action]

ONE = -3.0
"""Log prior of a piece moved against its rule: about as likely as two legal moves that lead there."""

SEVERAL = -6.0
"""Log prior of squares filled and emptied in a way that neither one piece nor a chain of moves explains."""


def mistakes(position: Position, seen: TableLikelihood, allowed: Sequence[Explanation]) -> Iterator[Explanation]:
    """Yield one piece moved against the rules or taken off, and several pieces that no chain of moves explains."""
    stands = {cell: label for cell, label in seen.before.items() if label != EMPTY}
    free = [cell for cell in seen.before if cell not in stands]
    for start, end in product(stands, free):
        refusal = GAME.play(position, Move(Piece(letter_of(stands[start])), start, end))
        if isinstance(refusal, Refusal):
            yield _illegal(seen, {start: EMPTY, end: stands[start]}, refusal, ONE)
    for start in stands:
        yield _illegal(seen, {start: EMPTY}, Refusal("piece-gone", "1.2"), ONE)
    # squares were filled and emptied as they look, unless it is one piece or none
    gone = {cell: EMPTY for cell in stands if seen.evidence.best(cell) == EMPTY}
    come = {cell: label for cell in free if (label := seen.evidence.best(cell)) != EMPTY}
    refused = None
    if len(come) > len(gone):
        refused = Refusal("piece-added", "1.2", tuple(come))
    elif len(gone) > 1:
        refused = Refusal("several-pieces", "2.1") if len(come) == len(gone) else Refusal("piece-gone", "1.2")
    several = [_illegal(seen, {**gone, **come}, refused, SEVERAL)] if refused else []
    yield from drop_explainable_mistakes(several, allowed, seen.before)


def _illegal(seen: TableLikelihood, expects: Mapping[Cell, str], refusal: Refusal, log_prior: float) -> Explanation:
    """Return the explanation that a table is refused, with the squares that the rule names as a fact."""
    facts: JsonObject = {"piece": seen.before[next(iter(expects))], "named": list(refusal.cells)}
    return seen.refused(expects, replace(refusal, cells=()), log_prior, facts)


# ---- what may have happened


IDENTITY_ERROR = 0.05
"""Share of readings that mistake a piece for another one, however certain they are."""

FOLLOWED = -4.0  # for each further move: one look in fifty comes too late to see two moves apart
MOST_MOVES = 3  # between two looks: about a thousand placements, found in some milliseconds
MOST_PLACEMENTS = 32  # placements that are weighed, the best first

Chain: TypeAlias = tuple[Move, ...]


def explanations(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> list[Explanation]:
    """Return the hypotheses on what happened since a position that explain the evidence best."""
    seen = table_likelihood(placement(position), left_open, evidence)
    nothing: Explanation = Hypothesis(Kind.UNCHANGED, NOTHING, optional=tuple(seen.left_open.values()))
    may_move = not isinstance(position, Match) or position.awaits is Await.EXECUTE
    allowed = [nothing, *(_moving(position, seen) if may_move else ())]
    return [*allowed, *mistakes(position, seen, allowed)]


def _moving(position: Position, seen: TableLikelihood) -> Iterator[Explanation]:
    """Yield the moves and chains of moves that explain the evidence best."""
    reached = chains(puzzle_of(position).pieces)
    table = {(cell, letter): seen.gain(cell, word) for cell in seen.before for letter, word in WORDS.items()}

    def score(there: Placement) -> float:
        gains = (table.get(on, 0.0) for on in zip(NAMES, there, strict=True))
        return sum(gains) + _prior(reached[there][0])

    for there in nlargest(MOST_PLACEMENTS, reached, key=score):
        # a hypothesis for each position that a placement may be: a card may be met on the way
        expects = seen.changed(look_of(there))
        after: dict[Position, Chain] = {}
        for chain in reached[there]:
            played = _play(position, chain)
            if played is not None:
                after.setdefault(played, chain)
        for played, chain in after.items():
            first, *then = chain
            optional = seen.still_open(expects)
            yield Hypothesis(
                Kind.LEGAL, _prior(chain), expects, optional, action=first, then=tuple(then), position=played
            )


def _prior(chain: Chain) -> float:
    return FOLLOWED * (len(chain) - 1)


def _play(position: Position, chain: Sequence[Action]) -> Position | None:
    """Return the position after some moves; None if the execution ends before the last of them."""
    for action in chain:
        result = GAME.play(position, action)
        if not isinstance(result, Outcome):
            return None
        position = result.position
    return position


# ---- several moves between two looks


@lru_cache(maxsize=16)
def chains(pieces: Placement) -> Mapping[Placement, tuple[Chain, ...]]:
    """Return all shortest chains of at most `MOST_MOVES` moves to every other placement."""
    found: dict[Placement, tuple[Chain, ...]] = {pieces: ((),)}
    latest = found
    for _ in range(MOST_MOVES):
        further: dict[Placement, list[Chain]] = {}
        for before, ways in latest.items():
            for move in moves(before):
                if (there := moved(before, move)) not in found:
                    further.setdefault(there, []).extend((*way, move) for way in ways)
        latest = {placement: tuple(ways) for placement, ways in further.items()}
        found = found | latest
    return {placement: ways for placement, ways in found.items() if placement != pieces}


# ---- the card beside the board


MOST_TURNINGS = 2
"""Two turnings lead to any of a card's eight orientations."""

TURNED = "card-turned"
"""The code of a card that was turned when no card may be turned."""

_WAYS = tuple(ways for number in range(1, MOST_TURNINGS + 1) for ways in product(Way, repeat=number))
_RULE = "3.1"


def beside(position: Position, card: Card) -> CardBeside[Action]:
    """Return the meaning of a card that is seen next to the board.

    It was drawn, or turned by the fewest legal turnings that lead to its orientation. A card that is not a target means
    nothing.
    """
    pictures = position.terms.pictures if isinstance(position, Match) else CARDS
    if card.number >= len(pictures):
        return CardBeside()
    if isinstance(position, Match) and position.awaits in (Await.START, Await.CARD):
        # that a card was drawn; one that was drawn before is left from another round and means nothing
        result = GAME.play(position, Draw(card))
        if isinstance(result, Outcome):
            return CardBeside(actions=(Draw(card),))
        return CardBeside(refusal=None if result.code == "already-drawn" else result)
    return _explain_turned(position, card, card.lay(pictures[card.number]))


def _explain_turned(position: Position, card: Card, shown: Placement) -> CardBeside[Action]:
    targets = puzzle_of(position).targets
    mine = [place for place, target in enumerate(targets) if target.card is None or target.card.number == card.number]
    if any(targets[place].picture == shown for place in mine):
        return CardBeside(agrees=True)
    # the turnings after which a target shows this picture, the fewest first
    reached = [
        tuple(Turning(way, place) for way in ways)
        for ways, place in product(_WAYS, mine)
        if turned(targets[place].picture, *ways) == shown
    ]
    legal = next((steps for steps in reached if _play(position, steps) is not None), None)
    if legal is not None:
        return CardBeside(actions=legal)
    named = next((steps for steps in reached if targets[steps[0].target].card is not None), None)
    if named is None:
        return CardBeside()
    result = GAME.play(position, named[0])
    known = isinstance(result, Refusal) and result.code in ("level-too-low", "already-met")
    return CardBeside(refusal=result if isinstance(result, Refusal) and known else Refusal(TURNED, _RULE))
