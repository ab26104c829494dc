"""Cheats and slips by name: what hands can do to a table that the rules forbid, or allow although it looks odd.

They are made for games in which a piece claims the cells that it walks over; that a table file with the labels
"claimed" and "royal" is about such a game is all that is asked. Each function tells what the hands do, or None when
the position gives no opportunity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from companion.simulator import walking
from companion.simulator.players import Deed
from companion.simulator.walking import EMPTY, Labels, neighbours
from engines.kernel import Cell, Seat
from vision.board import Board


class Mischief(StrEnum):
    """What a player may do other than play honestly."""

    STEP_TOO_MANY = "step-too-many"
    STEP_TOO_FEW = "step-too-few"
    FORGETS_TEE = "forgets-tee"
    TEE_TOO_MANY = "tee-too-many"
    TAKES_TEE = "takes-tee"
    THROUGH_ROYAL = "through-royal"
    JUMPS = "jumps"
    WRONG_COLOUR = "wrong-colour"
    OUT_OF_TURN = "out-of-turn"
    KNOCKS_OVER = "knocks-over"
    FALSE_ENCLOSURE = "false-enclosure"
    FORGETS_BONUS = "forgets-bonus"
    LEAVES_HAND = "leaves-hand"


ALLOWED = frozenset({Mischief.FORGETS_BONUS, Mischief.LEAVES_HAND})
"""What the companion must take as the honest move that it is."""

_RESTS_S = 6.0
_LONGEST_SEARCH = 6


@dataclass(frozen=True, slots=True)
class Chance:
    """What a mischief is made of.

    Attributes:
        board: the table file.
        before: what lies there, a label for each cell.
        honest: what the seat would do if it were honest.
        rival: what the next seat would do if it were their turn, None when they cannot act.
        random: chooses among opportunities.
    """

    board: Board
    before: Labels
    honest: Deed
    rival: Deed | None
    random: Random

    @property
    def seat(self) -> Seat:
        """Who is about to do it."""
        return self.honest.seat

    def tee(self, seat: Seat | None = None) -> str:
        """Give the label of a claimed cell; of the mover's without `seat`."""
        return walking.tee(self.board, seat or self.seat)

    def royal(self, seat: Seat | None = None) -> str:
        """Give the label of the piece that walks."""
        return walking.royal(self.board, seat or self.seat)

    def others(self) -> list[Seat]:
        """List the other seats whose walking piece is on the board."""
        lying = set(self.before.values())
        return [Seat(c) for c in self.board.colours if c != self.seat and self.royal(Seat(c)) in lying]

    def walk(self, path: Sequence[Cell]) -> Deed:
        """Walk along a path and claim it, and nothing else."""
        return Deed(self.seat, walking.walked(self.before, path, self.tee(), self.royal()), tuple(path))

    def free_beside(self, cell: Cell) -> list[Cell]:
        """List the cells beside one that no other walking piece stands on, in a random order."""
        taken = {self.royal(seat) for seat in self.others()}
        free = [near for near in neighbours(cell, self.before) if self.before[near] not in taken]
        return self.random.sample(free, len(free))

    def change(self, cells: Labels) -> Deed:
        """Play honestly but for some cells, to which the labels given are done."""
        return replace(self.honest, after={**self.honest.after, **cells}, action=None)

    def untouched(self, *labels: str) -> list[Cell]:
        """List the cells with these labels that the honest move leaves as they are, in a random order."""
        before, after = self.before, self.honest.after
        cells = [cell for cell in before if before[cell] == after[cell] and before[cell] in labels]
        return self.random.sample(cells, len(cells))


def try_mischief(mischief: Mischief, chance: Chance) -> Deed | None:
    """Tell what the hands do for a mischief, None when there is no opportunity for it now."""
    return _DEEDS[mischief](chance) if chance.honest.path else None


def _step_too_many(chance: Chance) -> Deed | None:
    path = chance.honest.path
    further = chance.free_beside(path[-1])
    return chance.walk((*path, further[0])) if further else None


def _step_too_few(chance: Chance) -> Deed | None:
    path = chance.honest.path
    return chance.walk(path[:-1]) if len(path) > 2 else None


def _forgets_tee(chance: Chance) -> Deed | None:
    before, path = chance.before, chance.honest.path
    plain = chance.walk(path)
    missed = [cell for cell in path[1:-1] if before[cell] != chance.tee() and cell != path[-1]]
    if not missed:
        return None
    cell = chance.random.choice(missed)
    return replace(plain, after={**plain.after, cell: before[cell]})


def _tee_too_many(chance: Chance) -> Deed | None:
    return next((chance.change({cell: chance.tee()}) for cell in chance.untouched(EMPTY)), None)


def _takes_tee(chance: Chance) -> Deed | None:
    theirs = chance.untouched(*(chance.tee(seat) for seat in chance.others()))
    return next((chance.change({cell: chance.tee()}) for cell in theirs), None)


def _knocks_over(chance: Chance) -> Deed | None:
    tees = chance.untouched(*(chance.tee(seat) for seat in (chance.seat, *chance.others())))
    return next((chance.change({cell: EMPTY}) for cell in tees), None)


def _wrong_colour(chance: Chance) -> Deed | None:
    others, path = chance.others(), chance.honest.path
    cells = [cell for cell in path[:-1] if cell != path[-1]]
    if not others or not cells:
        return None
    return chance.change({chance.random.choice(cells): chance.tee(chance.random.choice(others))})


def _jumps(chance: Chance) -> Deed | None:
    """Land two cells beyond the last step but one, over whatever lies between."""
    path = chance.honest.path[:-1]
    if not path:
        return None
    beside = set(neighbours(path[-1], chance.before))
    far = {cell for near in chance.free_beside(path[-1]) for cell in chance.free_beside(near)} - beside - {path[-1]}
    return chance.walk((*path, chance.random.choice(sorted(far)))) if far else None


def _through_royal(chance: Chance) -> Deed | None:
    """Walk as many steps as allowed, one of them over a cell on which another piece stands."""
    steps = len(chance.honest.path) - 1
    standing = {cell for seat in chance.others() for cell in chance.before if chance.before[cell] == chance.royal(seat)}
    walks = [path for path in _walks(chance, chance.honest.path[0], steps) if standing & set(path)]
    walks = [path for path in walks if path[-1] not in standing]
    if not walks:
        return None
    path = max(walks, key=lambda path: walking.stretch(path[0], path[-1]))  # no way round is as short as straight on
    left = {cell: chance.before[cell] for cell in standing}
    deed = chance.walk(path)
    return replace(deed, after={**deed.after, **left})


def _walks(chance: Chance, start: Cell, steps: int) -> Iterator[tuple[Cell, ...]]:
    """List the walks without a cell twice; none when they would be long, since their number grows fast."""
    paths: list[tuple[Cell, ...]] = [(start,)]
    for _ in range(steps if steps <= _LONGEST_SEARCH else 0):
        paths = [(*path, near) for path in paths for near in neighbours(path[-1], chance.before) if near not in path]
    yield from (path for path in paths if len(path) > 1)


def _false_enclosure(chance: Chance) -> Deed | None:
    """Fill a few empty cells beside the walk as if they were enclosed."""
    empty = set(chance.untouched(EMPTY))
    beside = [cell for step in chance.honest.path for cell in neighbours(step, chance.before) if cell in empty]
    if len(set(beside)) < 3:
        return None
    filled = chance.random.sample(sorted(set(beside)), 3)
    return chance.change(dict.fromkeys(filled, chance.tee()))


def _out_of_turn(chance: Chance) -> Deed | None:
    return replace(chance.rival, action=None) if chance.rival else None


def _forgets_bonus(chance: Chance) -> Deed | None:
    bare = chance.walk(chance.honest.path)
    return None if bare.after == chance.honest.after else replace(bare, action=chance.honest.action)


def _leaves_hand(chance: Chance) -> Deed | None:
    return replace(chance.honest, rest_s=_RESTS_S)


_DEEDS: Mapping[Mischief, Callable[[Chance], Deed | None]] = {
    Mischief.STEP_TOO_MANY: _step_too_many,
    Mischief.STEP_TOO_FEW: _step_too_few,
    Mischief.FORGETS_TEE: _forgets_tee,
    Mischief.TEE_TOO_MANY: _tee_too_many,
    Mischief.TAKES_TEE: _takes_tee,
    Mischief.THROUGH_ROYAL: _through_royal,
    Mischief.JUMPS: _jumps,
    Mischief.WRONG_COLOUR: _wrong_colour,
    Mischief.OUT_OF_TURN: _out_of_turn,
    Mischief.KNOCKS_OVER: _knocks_over,
    Mischief.FALSE_ENCLOSURE: _false_enclosure,
    Mischief.FORGETS_BONUS: _forgets_bonus,
    Mischief.LEAVES_HAND: _leaves_hand,
}
