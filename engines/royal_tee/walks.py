"""Walks of a Royal Tee: where it can step, and every distinct way of walking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engines.royal_tee.board import NEIGHBOURS, Bitboard, CellIndex, bit
from engines.royal_tee.position import Position

Reach: TypeAlias = dict[CellIndex, dict[Bitboard, int]]
"""Where walks of one length can end: the end, then the set of spaces visited (the start among them), then how many
walks have both."""


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
    """Count the mover's walks of 0, 1, ... `steps` steps by end and spaces visited.

    Walks with the same end and the same visited spaces go on alike, so they are counted together layer by layer.
    """
    start = position.royal(position.turn)
    layers: list[Reach] = [{start: {bit(start): 1}}]
    closed = position.royals_but(position.turn)
    for _ in range(steps):
        layers.append(_one_step_more(layers[-1], closed))
    return layers


def _one_step_more(layer: Reach, closed: Bitboard) -> Reach:
    longer: Reach = {}
    for cell, counts in layer.items():
        for neighbour in NEIGHBOURS[cell]:
            if not closed >> neighbour & 1:
                _add_step(longer.setdefault(neighbour, {}), counts, 1 << neighbour)
    return longer


def _add_step(longer: dict[Bitboard, int], counts: dict[Bitboard, int], onto: Bitboard) -> None:
    known = longer.get
    for visited, walks in counts.items():
        extended = visited | onto
        longer[extended] = known(extended, 0) + walks


def distinct_walks(position: Position) -> list[DistinctWalk]:
    """List the mover's walks as long as the slider says, one entry for each end and set of visited spaces."""
    layers = reach(position, position.slider)
    examples: _Examples = {end: dict.fromkeys(counts, ()) for end, counts in layers[0].items()}
    for layer in layers[1:]:
        examples = {end: {seen: _extend(examples, end, seen) for seen in counts} for end, counts in layer.items()}
    return [
        DistinctWalk(examples[end][visited], end, visited, walks)
        for end, counts in layers[-1].items()
        for visited, walks in counts.items()
    ]


_Examples: TypeAlias = dict[CellIndex, dict[Bitboard, tuple[CellIndex, ...]]]


def _extend(shorter: _Examples, end: CellIndex, visited: Bitboard) -> tuple[CellIndex, ...]:
    """Make a walk with this end and these visited spaces out of one that is a step shorter."""
    first_time = visited ^ (1 << end)
    for neighbour in NEIGHBOURS[end]:
        walks = shorter.get(neighbour, {})
        for before in (visited, first_time):
            if before in walks:
                return (*walks[before], end)
    raise AssertionError("every walk of a layer is one step longer than one of the layer before")
