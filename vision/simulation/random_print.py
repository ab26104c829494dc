"""What is printed in a board's cells beside its lines, by chance: tints, numbers, rosettes, eyes and dots."""

from __future__ import annotations

import colorsys
from dataclasses import replace

import numpy as np

from vision.board import Board, Rgb
from vision.simulation.colour import blend
from vision.simulation.scene import BoardSkin

MOTIFS = ("rosette", "star", "eyes", "dots", "rings", "frame", "diamond")
_RED = (186, 36, 34)


def tinted(colour: Rgb, rng: np.random.Generator, *, hue: float, saturation: float, value: float) -> Rgb:
    """Vary a colour: hue in turns, saturation and value by factors of about exp(+-x)."""
    h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in colour))
    h = (h + rng.uniform(-hue, hue)) % 1
    s = float(np.clip(s * np.exp(rng.uniform(-saturation, 0.6 * saturation)), 0, 1))
    v = float(np.clip(v * np.exp(rng.uniform(-value, value)), 0.03, 0.97))
    r, g, b = colorsys.hsv_to_rgb(h, s, v)
    return round(255 * r), round(255 * g), round(255 * b)


def printed(skin: BoardSkin, board: Board, rng: np.random.Generator) -> BoardSkin:
    """Make up what is printed in the cells of a board with numbers or pads."""
    if board.grid.numbers:
        return _numbered(skin, board, rng)
    return _ornate(skin, board, rng) if board.pads else skin


def _numbered(skin: BoardSkin, board: Board, rng: np.random.Generator) -> BoardSkin:
    """Tints for the numbers on half of the boards, often near the ground's; red for the most probable ones on some.

    Faint numbers are frequent: a plain cell of a piece's colour is what looks most like that piece.
    """
    numbers = sorted({number for row in board.grid.numbers for number in row})
    share = rng.uniform(0.05, 0.75)
    patches = {n: blend(skin.ground, _hue(rng), share * rng.uniform(0.3, 1)) for n in numbers}
    faint = blend(skin.line if rng.random() < 0.5 else (20, 24, 22), skin.ground, rng.uniform(0.0, 0.9))
    inked = [n for n in numbers if n in (6, 8) or rng.random() < 0.1]
    ink = tinted(_RED, rng, hue=0.04, saturation=0.3, value=0.3)
    return replace(
        skin,
        tints=patches if rng.random() < 0.5 else {},
        number_ink=faint if rng.random() < 0.6 else None,
        second_ink=dict.fromkeys(inked, ink) if rng.random() < 0.4 else {},
        number_size=rng.uniform(0.18, 0.42),
        hole_mm=0.0,
    )


def _hue(rng: np.random.Generator) -> Rgb:
    r, g, b = colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.3, 0.9), rng.uniform(0.3, 0.9))
    return round(255 * r), round(255 * g), round(255 * b)


def _ornate(skin: BoardSkin, board: Board, rng: np.random.Generator) -> BoardSkin:
    """Rosettes at least; on many boards every cell has its motif, on a ground of another colour than the board's."""
    rosettes = set(rng.choice(board.cells, size=int(rng.integers(4, 12)), replace=False).tolist())
    others = rng.choice([*MOTIFS[2:], ""], size=int(rng.integers(1, 5))) if rng.random() < 0.7 else [""]
    flower = str(rng.choice(MOTIFS[:2], p=[0.75, 0.25]))
    inks = (_ink(skin.ground, rng), _ink(skin.ground, rng))
    ornate = replace(
        skin,
        motifs={cell: flower if cell in rosettes else str(rng.choice(others)) for cell in board.cells},
        motif_inks=inks if rng.random() < 0.8 else (inks[0], inks[0]),
        motif_size=rng.uniform(0.8, 1.15),
        petals=(int(rng.choice([4, 5, 6, 8, 8, 8, 10, 12])), rng.uniform(0.3, 0.75), rng.uniform(-0.7, 0.7)),
        pads=bool(rng.random() < 0.5),
        line_mm=rng.uniform(0.6, 4.5),
        line=inks[int(rng.integers(2))],
    )
    if rng.random() < 0.4:
        return ornate
    return replace(ornate, second=blend(skin.ground, (246, 242, 230), rng.uniform(0.4, 1)), hole_mm=0.0)


def _ink(ground: Rgb, rng: np.random.Generator) -> Rgb:
    """A colour to be seen on the ground: dark or pale, often blue, red or brown."""
    if rng.random() < 0.3:
        return blend((255, 250, 240), ground, rng.uniform(0, 0.3))
    base = ((30, 50, 130), (170, 36, 34), (60, 40, 26), (20, 20, 24), (150, 100, 60))[int(rng.integers(5))]
    return tinted(base, rng, hue=0.04, saturation=0.4, value=0.35)
