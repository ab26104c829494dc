"""Where the pips of a number card lie: (x, y) from -1 to 1, y down, in the usual places and in some rarer ones."""

from __future__ import annotations

from typing import Final

import numpy as np

Places = tuple[tuple[float, float], ...]

_T: Final = 1 / 3


def _columns(*heights: float) -> Places:
    return tuple((x, y) for y in heights for x in (-1.0, 1.0))


def _middle(*heights: float) -> Places:
    return tuple((0.0, y) for y in heights)


_USUAL: Final[dict[str, tuple[Places, ...]]] = {
    "2": (_middle(-1, 1),),
    "3": (_middle(-1, 0, 1),),
    "4": (_columns(-1, 1),),
    "5": (_columns(-1, 1) + _middle(0),),
    "6": (_columns(-1, 0, 1),),
    "7": (_columns(-1, 0, 1) + _middle(-0.5), _columns(-1, 0, 1) + _middle(0.5)),
    "8": (_columns(-1, 0, 1) + _middle(-0.5, 0.5), _columns(-1, -_T, _T, 1)),
    "9": (_columns(-1, -_T, _T, 1) + _middle(0), _columns(-1, -_T, _T, 1) + _middle(-2 * _T)),
    "10": (_columns(-1, -_T, _T, 1) + _middle(-2 * _T, 2 * _T),),
}

_RARE: Final[dict[str, tuple[Places, ...]]] = {
    "2": (((-1, -1), (1, 1)), ((-1, 0), (1, 0))),
    "3": (((-1, -1), (0, 0), (1, 1)), ((0, -1), (-1, 1), (1, 1))),
    "4": (_middle(-1, 1) + _columns(0), _columns(-0.5, 0.5)),
    "5": (_middle(-1, 0, 1) + _columns(0), _columns(-1, 1) + _middle(0.2)),
    "6": (_middle(-1, 1) + _columns(-0.5, 0.5), _columns(-1, 1) + _middle(-0.4, 0.4)),
    "7": (_middle(-1, 0, 1) + _columns(-0.5, 0.5), _columns(-1, 0, 1) + _middle(0)),
    "8": (_columns(-1, 0, 1) + _middle(-1, 1), _columns(-1, -0.5, 0.5, 1)),
    "9": (_columns(-1, 0, 1) + _middle(-1, 0, 1), _columns(-1, 0, 1) + _middle(-0.5, 0, 0.5)),
    "10": (_columns(-1, 0, 1) + _middle(-1, -_T, _T, 1), _columns(-1, -0.5, 0, 0.5, 1)),
}


def random_pips(rng: np.random.Generator) -> dict[str, Places]:
    """Choose a deck's own places, by rank; few decks have but one pip on every card, and leave it to their corners."""
    if rng.random() < 0.1:
        return dict.fromkeys(_USUAL, _middle(0))
    rare = rng.random() < 0.2
    return {rank: _chosen(usual, _RARE[rank], rng, rare=rare) for rank, usual in _USUAL.items()}


def _chosen(usual: tuple[Places, ...], unusual: tuple[Places, ...], rng: np.random.Generator, *, rare: bool) -> Places:
    if rare and rng.random() < 0.5:
        return unusual[rng.integers(len(unusual))]
    return usual[0] if rng.random() < 0.7 else usual[rng.integers(len(usual))]
