"""Colours that stay apart: for the players who see few of them, on a grey printer, and by a symbol besides."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.kit import FlatPiece, Rgb
from companion.printing.kits import games_with_kits, kit_of
from companion.printing.ornaments import _symbols, ornament
from companion.printing.themes import THEMES, contrast, readable_on

_SEEN = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009."""

_APART = 10.0
"""Distance in CIE L*a*b* (1976) at which two areas beside one another are clearly unlike; 2.3 is just noticeable."""


def _linear(rgb: Rgb) -> NDArray[np.float64]:
    values = np.array(rgb) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _lab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    to_xyz = np.array([(0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)])
    ratio = (to_xyz @ np.clip(linear, 0, 1)) / np.array([0.9505, 1.0, 1.089])
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def _rgb(piece: FlatPiece) -> Rgb:
    return THEMES["paper"].rgb(piece.colour)


def _pairs(game: str) -> list[tuple[FlatPiece, FlatPiece]]:
    return list(combinations(kit_of(game).pieces, 2))


@pytest.mark.parametrize("deficiency", _SEEN)
@pytest.mark.parametrize("game", games_with_kits())
def test_pieces_of_two_colours_stay_apart_for_colour_blind_people(game: str, deficiency: str) -> None:
    seen = np.array(_SEEN[deficiency])
    for one, other in _pairs(game):
        if _rgb(one) == _rgb(other):
            continue
        apart = np.linalg.norm(_lab(seen @ _linear(_rgb(one))) - _lab(seen @ _linear(_rgb(other))))
        assert apart > _APART, (one.label, other.label, round(float(apart), 1))


@pytest.mark.parametrize("game", games_with_kits())
def test_pieces_differ_by_symbol_or_ring_too_so_that_grey_prints_serve(game: str) -> None:
    for one, other in _pairs(game):
        looks = [(piece.symbol, piece.ring) for piece in (one, other)]
        assert looks[0] != looks[1], (one.label, other.label)


@pytest.mark.parametrize("game", games_with_kits())
def test_symbols_contrast_with_their_discs(game: str) -> None:
    for piece in kit_of(game).pieces:
        assert contrast(readable_on(_rgb(piece)), _rgb(piece)) >= 4.0, piece.label


def test_ornaments_stay_inside_their_square() -> None:
    for name in sorted(_symbols()):
        points = [point for area in ornament(name) for outline in area.outlines for point in outline]
        assert np.abs(points).max() <= 0.505, name


def test_no_two_ornaments_are_alike() -> None:
    drawn = {name: ornament(name) for name in sorted(_symbols())}
    assert len(set(drawn.values())) == len(drawn)
    assert len(drawn) > 30


def test_readable_ink_is_the_better_of_two() -> None:
    assert readable_on((255, 255, 255)) == THEMES["paper"].rgb("ink")
    assert readable_on((20, 20, 30)) == THEMES["paper"].rgb("white")
