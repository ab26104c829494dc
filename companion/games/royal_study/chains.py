"""Moves in a row, as many as may have been made before anybody looked again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from engines.royal_study.placement import Placement
from engines.royal_study.position import Move
from engines.royal_study.steps import moved, moves

MOST_MOVES = 3
"""Moves between two looks that are thought of: about a thousand placements, found in some milliseconds."""

Chain: TypeAlias = tuple[Move, ...]


@lru_cache(maxsize=16)
def chains(pieces: Placement) -> Mapping[Placement, tuple[Chain, ...]]:
    """Return the shortest ways to every other placement that so many moves lead to, in every order."""
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
    for placement, ways in latest.items():
        for move in moves(placement):
            there = moved(placement, move)
            if there not in known:
                further.setdefault(there, []).extend((*way, move) for way in ways)
    return {placement: tuple(ways) for placement, ways in further.items()}
