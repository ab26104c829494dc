"""The distance to the next flag, how a flip changes it, and advice.

Faces of face-down cards are used only if they are remembered. Advice remembers cards whose face everybody has seen; how
many depends on its level. Otherwise it uses what all can see: the spaces that are face down, and therefore the set of
cards on them, each equally likely on any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise

from engines.grid import Bitboard, CellIndex, bit, cells_in, set_of
from engines.kernel import Advice, Level, require_legal
from engines.royal_racers import rules
from engines.royal_racers.board import ALL_CELLS, ALL_SPACES, NAMES, NEIGHBOURS, SUITS
from engines.royal_racers.position import THROWS, Action, Flip, Pass, Phase, PlaceFlag, Position, Roll
from engines.royal_racers.rules import avoided_by, ways_on

TURNS_TO_CLEAR = 6
"""Estimated turns to clear a face-down card out of the way: its rank is rolled once in six turns.

A flag that is avoided (RULES.md 4.5) is estimated alike: cards must be turned down before it may be stepped on.
"""


def _route(position: Position, place: int) -> tuple[CellIndex, ...]:
    """Return the space of a player's pawn and the flags that it still has to touch."""
    return (*position.pawns[place : place + 1], *position.flags[place][position.touched[place] :])


def time_left(position: Position, place: int) -> int:
    """Return the rest of a player's race in turns: steps from flag to flag, and six more for each obstacle."""
    avoided = avoided_by(position, place)
    return sum(_time(start, goal, position.down, avoided) for start, goal in pairwise(_route(position, place)))


@lru_cache(maxsize=1024)  # what is weighed of one position differs in a card or a pawn: most ways are asked for again
def _time(start: CellIndex, goal: CellIndex, down: Bitboard, avoided: Bitboard, pawn: Bitboard = 0) -> int:
    """Return the turns of the quickest way (Dijkstra): one for a step, six more if the way must be cleared.

    Another player's `pawn` next to the start is an obstacle, too.
    """
    queue, done = [(0, start)], 0
    while queue:
        turns, here = heappop(queue)
        if here == goal:
            return turns
        if done & bit(here):
            continue
        done |= bit(here)
        free = ways_on(here, down, avoided) & ~(pawn if here == start else 0)
        for cell in cells_in(NEIGHBOURS[here] & ~done):
            heappush(queue, (turns + 1 + (0 if free & bit(cell) else TURNS_TO_CLEAR), cell))
    raise AssertionError("there is a way between any two spaces of the grid")


def lead(position: Position, place: int) -> int:
    """Return how many turns a player is ahead of the quickest opponent, the value of all advice in the race."""
    return _opponents(position, place) - time_left(position, place)


def _opponents(position: Position, place: int) -> int:
    return min(time_left(position, other) for other in range(len(position.players)) if other != place)


def chance_right(position: Position, cell: CellIndex, remembered: Bitboard = 0) -> float:
    """Return the probability that a face-down card may stay up, if only the cards of these spaces are remembered.

    It ignores that cards of the rank may be under pawns, which can make another card right (RULES.md 3.5).
    """
    known = ALL_SPACES & ~position.down | remembered
    of_rank = rules.cells_of_rank(position.cards, position.rolled) & known
    unknown_of_rank = len(SUITS) - of_rank.bit_count()
    if not unknown_of_rank and not of_rank & ~position.standing:
        return 1.0
    if known & bit(cell):
        return float(bool(of_rank & bit(cell)))
    return unknown_of_rank / (ALL_SPACES & ~known).bit_count()


@dataclass(frozen=True, slots=True)
class _Prospect:
    """The possible outcomes of a flip."""

    cell: CellIndex
    chance: float
    right: Position
    wrong: Position

    def expect(self, measure: Callable[[Position], int]) -> float:
        return self.chance * measure(self.right) + (1 - self.chance) * measure(self.wrong)


def _flips(position: Position, remembered: Bitboard) -> Iterable[_Prospect]:
    for cell in cells_in(rules.turning_down(position)):
        after = replace(position, down=position.down | bit(cell))
        yield _Prospect(cell, 1.0, after, after)
    wrong = rules.sent_back(position).position
    for cell in cells_in(rules.turning_up(position)):
        chance = chance_right(position, cell, remembered)
        yield _Prospect(cell, chance, replace(position, down=position.down & ~bit(cell)), wrong)


_MEMORY: Mapping[Level, int] = {Level.EASY: 4, Level.MEDIUM: 10, Level.STRONG: len(ALL_CELLS)}
"""How many cards an adviser remembers of those that were seen."""


def remembered_by(position: Position, level: Level) -> Bitboard:
    """Return the face-down spaces whose cards an adviser of a level remembers: those seen last."""
    first = max(0, len(position.seen) - _MEMORY[level])
    return set_of(position.seen[first:])


def advise(
    position: Position, remembered: Bitboard | None = None, *, level: Level = Level.STRONG
) -> Advice[Action] | None:
    """Return a proposal; None if a throw is expected or the game is over.

    `remembered` are the face-down spaces whose cards may be used; None: those that `level` remembers of the cards that
    everybody has seen (`Position.seen`).

    Codes: "clear-way" and "hold-up" (a flip that helps oneself or hinders the quickest opponent), "least-harm",
    "touch", "nearer", "wait", "far-flag", "any-start", "drawn-layout". In the race the value is the expected `lead`.
    """
    match position.phase:
        case Phase.ROLL | Phase.OVER:
            return None
        case Phase.FLIP:
            known = remembered_by(position, level) if remembered is None else remembered
            return _advise_flip(position, known)
        case Phase.MOVE:
            return _advise_move(position)
        case Phase.FLAG:
            return _advise_flag(position)
        case Phase.START | Phase.DEAL:
            code = "any-start" if position.phase is Phase.START else "drawn-layout"
            return Advice(rules.actions(position)[0], code, {}, 0.0)


def _advise_flip(position: Position, remembered: Bitboard) -> Advice[Action]:
    place = position.place

    def worth(after: Position) -> int:
        return lead(after, place)

    def own_turns(after: Position) -> int:
        return time_left(after, place)

    # a flip that helps both alike is better than one that helps nobody: otherwise two players wait for ever
    best = max(_flips(position, remembered), key=lambda flip: (flip.expect(worth), -flip.expect(own_turns)))
    if position.terms.optional_flip and best.expect(worth) < worth(position):
        turns = {"own": time_left(position, place), "opponent": _opponents(position, place)}
        return Advice(Pass(), "wait", turns, lead(position, place))
    own = best.expect(own_turns)
    theirs = best.expect(lambda after: _opponents(after, place))
    gain, delay = time_left(position, place) - own, theirs - _opponents(position, place)
    code = "least-harm" if max(gain, delay) <= 0 else "clear-way" if gain >= delay else "hold-up"
    numbers = {"own": own, "opponent": theirs, "chance": best.chance}
    return Advice(Flip(NAMES[best.cell]), code, numbers, theirs - own)


def _advise_move(position: Position) -> Advice[Action]:
    """Return the step with the largest lead; stay if none is better than staying.

    Of two players who block each other one steps aside, the one ahead if both can: otherwise they wait for ever.
    """
    place = position.place
    *steps, stay = rules.actions(position)
    outcomes = {action: require_legal(rules.play(position, action)).position for action in (stay, *steps)}
    best = max(outcomes, key=lambda action: lead(outcomes[action], place))
    if best == stay and steps and _makes_way(position, place):
        best = max(steps, key=lambda action: lead(outcomes[action], place))
    after = outcomes[best]
    touches = after.touched[place] > position.touched[place]
    code = "wait" if isinstance(best, Pass) else "touch" if touches else "nearer"
    own, theirs = time_left(after, place), _opponents(after, place)
    return Advice(best, code, {"own": own, "opponent": theirs}, theirs - own)


def _makes_way(position: Position, place: int) -> bool:
    """Return whether a player and another block each other, and this one has to step aside."""
    facing = [
        other
        for other in range(len(position.pawns))
        if other != place and _blocks(position, place, other) and _blocks(position, other, place)
    ]

    def order(one: int) -> tuple[bool, int, int]:
        free = ways_on(position.pawns[one], position.down, avoided_by(position, one)) & ~set_of(position.pawns)
        return bool(free), lead(position, one), -one

    return any(order(place) > order(other) for other in facing)


def _blocks(position: Position, place: int, other: int) -> bool:
    """Return whether another's pawn is in the way of a player's next step."""
    start, *flags = _route(position, place)
    if not flags:
        return False
    avoided = avoided_by(position, place)
    around = _time(start, flags[0], position.down, avoided, bit(position.pawns[other]))
    return around > _time(start, flags[0], position.down, avoided)


def _advise_flag(position: Position) -> Advice[Action]:
    """Return the flag space farthest from the owner's last flag, then from the end; the value is the first distance."""
    *before, start = position.flags[rules.flag_owner(position)]
    last = before[-1] if before else start

    def far(cell: CellIndex) -> tuple[int, int]:
        return _time(last, cell, 0, 0), _time(cell, start, 0, 0)

    best = max(cells_in(rules.flag_spaces(position)), key=far)
    from_last, from_start = far(best)
    return Advice(PlaceFlag(NAMES[best]), "far-flag", {"from_last": from_last, "from_start": from_start}, from_last)


# ---- what a played race shows afterwards: who had luck with the die


def luck_of_throw(position: Position, roll: Roll) -> float:
    """Return how many turns of lead a throw gained over the average of all six, with advised play afterwards.

    Raises:
        ValueError: no throw is expected.
    """
    if position.phase is not Phase.ROLL:
        message = "no throw is awaited"
        raise ValueError(message)
    worth: dict[object, float] = {}
    for rank in THROWS:
        advice = advise(require_legal(rules.play(position, Roll(rank))).position)
        if advice is None:
            raise AssertionError("after a throw that is awaited a flip or a move is")
        worth[rank] = advice.value
    return worth[roll.rank] - sum(worth.values()) / len(worth)
