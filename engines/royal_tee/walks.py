"""Walks of a Royal Tee: where it can step, and every distinct way of walking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from engines.grid import Bitboard, CellIndex, bit
from engines.royal_tee.board import NEIGHBOURS
from engines.royal_tee.position import Position

Reach: TypeAlias = dict[CellIndex, dict[Bitboard, int]]
"""Where walks of one length can end: the end, then the set of spaces visited (the start among them), then how many
walks have both."""


Beside: TypeAlias = "Sequence[tuple[CellIndex, ...]]"
"""Where each space leads to in one step."""

WalkT = TypeVar("WalkT", str, tuple[CellIndex, ...])


@dataclass(frozen=True, slots=True)
class DistinctWalk:
    """All walks with the same end and the same spaces visited, the start among them: one of them, and their number."""

    example: tuple[CellIndex, ...]
    end: CellIndex
    visited: Bitboard
    walks: int


def steps_from(position: Position, cell: CellIndex) -> tuple[CellIndex, ...]:
    """List the spaces that the mover's Royal Tee could step on from a space (RULES.md 2.2 and 2.4)."""
    closed = position.royals_but(position.turn)
    return tuple(n for n in NEIGHBOURS[cell] if not closed >> n & 1)


def can_walk(position: Position) -> bool:
    """Return whether the mover has a free neighbour: then any number of steps can be walked, back and forth."""
    return bool(steps_from(position, position.royal(position.turn)))


def reach(position: Position, steps: int) -> list[Reach]:
    """Count the mover's walks of 0, 1, ... `steps` steps by end and spaces visited."""
    return layers(_beside(position), position.royal(position.turn), steps)


def _beside(position: Position) -> list[tuple[CellIndex, ...]]:
    return [steps_from(position, CellIndex(cell)) for cell in range(len(NEIGHBOURS))]


def layers(beside: Beside, start: CellIndex, steps: int) -> list[Reach]:
    """Count walks of 0, 1, ... `steps` steps, given where each space leads to.

    Walks with the same end and the same visited spaces go on alike, so they are counted together layer by layer.
    """
    found: list[Reach] = [{start: {bit(start): 1}}]
    for _ in range(steps):
        found.append(_one_step_more(found[-1], beside))
    return found


def _one_step_more(layer: Reach, beside: Beside) -> Reach:
    longer: Reach = {}
    for cell, counts in layer.items():
        for neighbour in beside[cell]:
            _add_step(longer.setdefault(neighbour, {}), counts, 1 << neighbour)
    return longer


def _add_step(longer: dict[Bitboard, int], counts: dict[Bitboard, int], onto: Bitboard) -> None:
    known = longer.get
    for visited, walks in counts.items():
        extended = visited | onto
        longer[extended] = known(extended, 0) + walks


def distinct_walks(position: Position) -> list[DistinctWalk]:
    """List the mover's walks as long as the slider says, one entry for each end and set of visited spaces."""
    beside = _beside(position)
    found = layers(beside, position.royal(position.turn), position.slider)
    examples = example_walks(beside, found, (), [(CellIndex(cell),) for cell in range(len(NEIGHBOURS))])
    return [
        DistinctWalk(examples[end][visited], end, visited, walks)
        for end, counts in found[-1].items()
        for visited, walks in counts.items()
    ]


def example_walks(
    beside: Beside, found: Sequence[Reach], empty: WalkT, steps: Sequence[WalkT]
) -> dict[CellIndex, dict[Bitboard, WalkT]]:
    """Return a walk for each end and set of visited spaces of the last layer, put together from `empty` and `steps`.

    Args:
        beside: where each space leads to.
        found: what `layers` found.
        empty: how a walk of no step is written.
        steps: how a step onto each space is written; a walk is their sum.
    """
    examples = {end: dict.fromkeys(counts, empty) for end, counts in found[0].items()}
    for layer in found[1:]:
        examples = {end: _extended(examples, beside[end], end, counts, steps[end]) for end, counts in layer.items()}
    return examples


def _extended(
    shorter: Mapping[CellIndex, Mapping[Bitboard, WalkT]],
    before: Sequence[CellIndex],
    end: CellIndex,
    visited_sets: Iterable[Bitboard],
    step: WalkT,
) -> dict[Bitboard, WalkT]:
    """Make walks with an end out of those that are a step shorter."""
    known, onto = [shorter[cell] for cell in before if cell in shorter], 1 << end
    extended = {}
    for visited in visited_sets:
        first_time = visited ^ onto
        for walks in known:
            walk = walks.get(visited)
            if walk is None:
                walk = walks.get(first_time)
            if walk is not None:
                extended[visited] = walk + step
                break
    return extended
