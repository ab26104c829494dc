"""Stories: what a player's hands may have done as a whole, legal or not, before single cells are looked at."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.core.verdicts import PendingPlacement
from companion.games.royal_tee.labels import royal_label
from companion.games.royal_tee.search import SeenWalk
from companion.games.royal_tee.seen import Seen
from engines.grid import Bitboard, CellIndex, bit, cells_in
from engines.kernel import Cell, JsonObject, Seat
from engines.royal_tee.board import NAMES


@dataclass(frozen=True, slots=True, eq=False)
class Story:
    """Where a Royal Tee went and which spaces its player claimed by that.

    Attributes:
        seat: the player.
        expects: the labels that differ from those before.
        claimed: the spaces that should have got the player's tee by stepping on them.
        optional: what may be left to do, from this walk and from earlier turns.
        log_prior: logarithm of its weight before looking, relative to a legal walk.
        code, rule, cells, facts: why the rules forbid it; no code: they do not.
    """

    seat: Seat
    expects: dict[Cell, str]
    claimed: Bitboard = 0
    optional: tuple[PendingPlacement, ...] = ()
    log_prior: float = 0.0
    code: str = ""
    rule: str = ""
    cells: tuple[Cell, ...] = ()
    facts: JsonObject = field(default_factory=dict)


def of_walk(seen: Seen, walk: SeenWalk) -> Story:
    """Return what the table should look like after a walk."""
    claimed = walk.new | (0 if walk.end == seen.start else bit(seen.start))
    expects = {NAMES[cell]: str(seen.seat) for cell in cells_in(claimed | walk.bonus)}
    expects[NAMES[walk.end]] = royal_label(seen.seat)
    bonus = tuple(PendingPlacement(NAMES[c], str(seen.seat), _instead(seen, c)) for c in cells_in(walk.bonus))
    return Story(seen.seat, expects, claimed, (*bonus, *_still_open(seen, expects)))


def of_nothing(seen: Seen) -> Story:
    """Return the explanation that no Royal Tee has moved."""
    return Story(seen.seat, {}, optional=tuple(seen.left_open.values()))


def of_jump(seen: Seen, end: CellIndex | None) -> Story:
    """Return the explanation that the Royal Tee was put somewhere (None: off the board) without a walk."""
    expects = {NAMES[seen.start]: str(seen.seat)}
    if end is not None:
        expects[NAMES[end]] = royal_label(seen.seat)
    return Story(seen.seat, expects, bit(seen.start), _still_open(seen, expects))


def _instead(seen: Seen, cell: CellIndex) -> str:
    todo = seen.left_open.get(cell)
    return todo.observed if todo else seen.labels[cell]


def _still_open(seen: Seen, expects: dict[Cell, str]) -> tuple[PendingPlacement, ...]:
    return tuple(todo for todo in seen.left_open.values() if expects.get(todo.cell, todo.expected) == todo.expected)
