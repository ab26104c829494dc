"""Dice of all kinds, drawn by lot: colours, corners, pips, emblems, marbled, clear, sharp or worn."""

from __future__ import annotations

import colorsys
from dataclasses import replace

import cv2
import numpy as np

from vision.geometry import Floats, Floats32
from vision.training.render.dice_light import DiceLights
from vision.training.render.dice_solid import Body, Face, Swirl

_EMBLEM_PX, _LEAST_EMBLEM_PX = 64, 26
"""Side of an emblem's square, which covers a face, and what it is at least long."""

_COMMON_HSV = (
    ((0.12, 0.08, 0.92), 0.24),  # white and ivory
    ((0.6, 0.1, 0.08), 0.12),  # black
    ((0.0, 0.85, 0.65), 0.14),  # red
    ((0.6, 0.8, 0.6), 0.12),  # blue
    ((0.38, 0.7, 0.5), 0.09),  # green
    ((0.14, 0.8, 0.85), 0.06),  # yellow
    ((0.07, 0.55, 0.55), 0.06),  # wood
    ((0.78, 0.6, 0.5), 0.05),  # purple
    ((0.6, 0.05, 0.55), 0.04),  # metal
)


def random_albedo(rng: np.random.Generator) -> Floats32:
    """Draw a colour that dice have, albedo (blue, green, red)."""
    weights = np.array([weight for _, weight in _COMMON_HSV])
    pick = rng.choice(len(weights) + 1, p=[*weights, 1 - weights.sum()])
    if pick == len(weights):
        hsv = (rng.random(), rng.random(), rng.uniform(0.1, 1))
    else:
        middle = np.array(_COMMON_HSV[pick][0])
        hue, saturation, value = middle + rng.normal(0, (0.03, 0.1, 0.08))
        hsv = (hue % 1, float(np.clip(saturation, 0, 1)), float(np.clip(value, 0.03, 0.97)))
    return np.square(np.array(colorsys.hsv_to_rgb(*hsv)[::-1], np.float32))


def random_body(rng: np.random.Generator) -> Body:
    """Draw a die, lying as thrown."""
    body_rgb = random_albedo(rng)
    sharp = rng.random() < 0.2
    clearness = float(rng.uniform(0.2, 0.85)) if rng.random() < 0.25 else 0.0
    return Body(
        edge_radius=float(rng.uniform(0.02, 0.06) if sharp else rng.uniform(0.06, 0.26)),
        bulge=float(np.exp(rng.uniform(np.log(4.2), np.log(12)))) if rng.random() < 0.5 else None,
        ball_radius=float(rng.uniform(0.64, 0.8)) if rng.random() < 0.6 else 0.87,
        body_rgb=body_rgb,
        swirl=_swirl(rng, body_rgb),
        shine=float(rng.uniform(0, 0.5) if rng.random() < 0.5 else rng.uniform(0.5, 1.3)),
        roughness=float(np.exp(rng.uniform(np.log(0.02), np.log(0.5)))),
        wobble=float(rng.uniform(0, 0.1)) if rng.random() < 0.6 else 0.0,
        clearness=clearness,
        dent=float(rng.uniform(0, 1.6)) if rng.random() < 0.7 else 0.0,
        drill=float(rng.uniform(0, 0.6)) if rng.random() < 0.4 else 0.0,
        bleed=float(rng.uniform(0, 0.6)) if rng.random() < 0.5 else 0.0,
        glow=float(rng.uniform(0.3, 1)) if rng.random() < 0.45 else 0.0,
        scatter=float(np.exp(rng.uniform(np.log(0.1), np.log(0.6)))),
        faces=_faces(rng, body_rgb),
    )


def _swirl(rng: np.random.Generator, body_rgb: Floats32) -> Swirl:
    amount = float(rng.uniform(0.3, 1) ** 0.5) if rng.random() < 0.6 else 0.0
    way = 1 if rng.random() < 0.6 else -1
    thicker = np.power(body_rgb, np.exp(way * rng.uniform(0.4, 1.3)))  # more or less of the same dye
    other = np.clip(body_rgb * np.exp(rng.normal(0, 0.5, 3) - way * rng.uniform(0.3, 1.6)), 0, 1)
    return Swirl(
        rgb=np.asarray(thicker if rng.random() < 0.5 else other, np.float32),
        amount=amount,
        frequencies=np.exp(rng.uniform(-0.2, 1.7, 3)).astype(np.float32),
        phases=_phases(rng),
        edge=float(np.exp(rng.uniform(0, 2))) if rng.random() < 0.65 else 1.0,
        flow=float(np.exp(rng.uniform(-0.7, 1.4))),
        level=_level(rng),
    )


def _phases(rng: np.random.Generator) -> Floats32:
    return rng.uniform(0, 6.3, 3).astype(np.float32)


def _level(rng: np.random.Generator) -> float:
    return float(rng.uniform(-0.5, 0.5))


def poured_again(rng: np.random.Generator, body: Body) -> Body:
    """Draw another die of the same set: its dyes have run differently."""
    return replace(body, swirl=replace(body.swirl, phases=_phases(rng), level=_level(rng)))


def _faces(rng: np.random.Generator, body_rgb: Floats32) -> list[Face]:
    """Number the faces so that opposite ones make seven, and draw what they bear."""
    top, side = rng.permutation([1, 2, 3])[:2]
    top, side = (int(v) if rng.random() < 0.5 else 7 - int(v) for v in (top, side))
    other = next(v for v in (1, 2, 3) if v not in {top, 7 - top, side, 7 - side})
    other = other if rng.random() < 0.5 else 7 - other
    values = (top, side, other, 7 - side, 7 - other, 7 - top)
    style = _Style(rng, body_rgb)
    return [style.face(value) for value in values]


class _Style:
    """How one die's faces are marked."""

    def __init__(self, rng: np.random.Generator, body_rgb: Floats32) -> None:
        self._rng = rng
        self._pip_rgb = _contrasting(rng, body_rgb)
        self._radius = float(rng.uniform(0.06, 0.115))
        apart = max(0.16, 2.05 * self._radius)  # a six's three do not touch
        self._spread = float(rng.uniform(apart, min(0.3, 0.44 - self._radius)))
        self._long = self._spread * float(rng.uniform(1.0, 1.15))
        self._one = self._radius * float(rng.uniform(1.4, 2.2) if rng.random() < 0.15 else 1.0)
        light = body_rgb.min() > 0.3
        self._red = set(rng.choice([1, 4], size=2)) if light and rng.random() < 0.3 else set()
        self._red_rgb = np.array([0.03, 0.03, rng.uniform(0.4, 0.7)], np.float32)
        self._straight = rng.random() < 0.03
        kind = rng.random()
        self._emblems = {1, 2, 3, 4, 5, 6} if kind < 0.08 else {int(rng.choice([1, 6]))} if kind < 0.3 else set()

    def face(self, value: int) -> Face:
        nothing = np.zeros((0, 3), np.float32)
        if value in self._emblems:
            return Face(None, nothing, _emblem(self._rng, value), self._pip_rgb)
        return Face(value, self._pips(value), None, self._red_rgb if value in self._red else self._pip_rgb)

    def _pips(self, value: int) -> Floats32:
        places = pip_places(value, self._spread, self._long if value == 6 else self._spread)
        if self._straight and value == 2:
            places = np.array([(-self._spread, 0.0), (self._spread, 0.0)])
        if self._rng.integers(2):
            places = np.stack([-places[:, 1], places[:, 0]], axis=1)
        radius = self._one if value == 1 else self._radius
        return np.column_stack([places, np.full(len(places), radius)]).astype(np.float32)


def pip_places(value: int, across: float, along: float) -> Floats:
    """Return where the pips of a value, 1 to 6, lie about the middle of a face, float64 (value, 2).

    `across` and `along` are the distances of those in the corners from it; a six's rows of three run along.
    """
    corners = [(-across, -along), (across, along), (-across, along), (across, -along)]
    middle = [(0.0, 0.0)] if value % 2 else []
    sides = [(-across, 0.0), (across, 0.0)] if value == 6 else []
    return np.array([*corners[: value // 2 * 2], *middle, *sides])


def _contrasting(rng: np.random.Generator, body_rgb: Floats32) -> Floats32:
    """Draw a pips' colour that can be read from the body's."""
    lightness = float(np.sqrt(body_rgb.mean()))
    white, black = np.full(3, rng.uniform(0.5, 0.95), np.float32), np.full(3, rng.uniform(0.003, 0.04), np.float32)
    plain = black if lightness > 0.72 else white if lightness < 0.5 else (white if rng.random() < 0.6 else black)
    if rng.random() < 0.2:
        other = random_albedo(rng)
        if abs(float(np.sqrt(other.mean())) - lightness) > 0.3:
            return other
    return plain


def _emblem(rng: np.random.Generator, value: int) -> Floats32:
    """Draw a numeral or a made-up sign, coverage float32 (side, side); none as small as the pip of a one."""
    image = np.zeros((_EMBLEM_PX, _EMBLEM_PX), np.uint8)
    if rng.random() < 0.4:
        scale = rng.uniform(1.2, 1.9)
        text = str(value) if rng.random() < 0.8 else chr(rng.integers(65, 91))
        cv2.putText(image, text, (17, 48), int(rng.integers(0, 5)), scale, 255, int(rng.integers(3, 7)), cv2.LINE_AA)
    while max(cv2.boundingRect(image)[2:]) < _LEAST_EMBLEM_PX:
        _scribble(image, rng)
    turned = cv2.warpAffine(image, cv2.getRotationMatrix2D((32, 32), rng.uniform(0, 360), 1), image.shape)
    return np.asarray(turned / np.float32(255), np.float32)


def _scribble(image: cv2.typing.MatLike, rng: np.random.Generator) -> None:
    """Draw lines, curves and spots, mirrored half the time as emblems are."""
    for _ in range(rng.integers(2, 9)):
        one, other = ((int(a), int(b)) for a, b in rng.integers(12, 52, (2, 2)))
        thick = int(rng.integers(2, 6))
        match rng.integers(3):
            case 0:
                cv2.line(image, one, other, 255, thick, cv2.LINE_AA)
            case 1:
                axes = (int(rng.integers(4, 16)), int(rng.integers(4, 16)))
                cv2.ellipse(image, one, axes, float(rng.uniform(0, 180)), 0, 360, 255, int(rng.choice([-1, 2, 3])))
            case _:
                cv2.fillPoly(image, [rng.integers(12, 52, (3, 2)).astype(np.int32)], 255, cv2.LINE_AA)
    if rng.random() < 0.6:
        np.maximum(image, image[:, ::-1].copy(), out=image)


def random_block(rng: np.random.Generator) -> Body:
    """Draw a cube that is no die: it bears nothing."""
    body = random_body(rng)
    blank = Face(None, np.zeros((0, 3), np.float32), None, body.body_rgb)
    return replace(body, faces=[blank] * 6)


def random_counter(rng: np.random.Generator) -> Body:
    """Draw a counter or a stack: a round disc, plain or with a die's dots, though finer, one of any size or a ring."""
    body = random_body(rng)
    height = float(rng.uniform(0.12, 0.5) if rng.random() < 0.7 else rng.uniform(0.5, 1))
    blank = replace(body.faces[0], value=None, pips=np.zeros((0, 3), np.float32), emblem=None)
    top = next((face for face in body.faces if face.value is not None), blank)
    top = replace(top, pips=top.pips * np.array((1, 1, rng.uniform(0.4, 1)), np.float32))
    kind = rng.random()
    if kind < 0.2:
        top = replace(blank, pips=np.array([(*rng.normal(0, 0.04, 2), rng.uniform(0.05, 0.3))], np.float32))
    elif kind < 0.35:
        top = replace(blank, emblem=_ring(rng))
    elif kind < 0.5:
        top = blank
    edge_radius = height * float(rng.uniform(0.05, 0.45))
    disc = replace(
        body, disc_height=height, edge_radius=edge_radius, bulge=None, ball_radius=0.87, clearness=0.0, glow=0.0
    )
    return replace(disc, faces=[top, *[blank] * 5])


def _ring(rng: np.random.Generator) -> Floats32:
    """Draw a ring with or without a dot in it, coverage float32 (side, side)."""
    image, middle = np.zeros((_EMBLEM_PX, _EMBLEM_PX), np.uint8), (_EMBLEM_PX // 2, _EMBLEM_PX // 2)
    cv2.circle(image, middle, int(rng.integers(10, 28)), 255, int(rng.integers(2, 6)), cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.circle(image, middle, int(rng.integers(3, 8)), 255, -1, cv2.LINE_AA)
    return np.asarray(image / np.float32(255), np.float32)


def random_lights(rng: np.random.Generator) -> DiceLights:
    """Draw one or two lamps, light from all sides and the windows and lamps that mirror in dice."""
    lamps = [(_upward(rng, 0.15, 0.98), _tint(rng, 0.1) * rng.uniform(0.25, 0.9)) for _ in range(rng.integers(1, 3))]
    windows = [(way, float(rng.uniform(0.95, 0.995)), float(rng.uniform(5, 30))) for way, _ in lamps]
    windows += [
        (_upward(rng, 0.2, 1.0), float(rng.uniform(0.85, 0.97)), float(rng.uniform(2, 12)))
        for _ in range(rng.integers(0, 3))
    ]
    return DiceLights(lamps, _tint(rng, 0.08) * np.float32(rng.uniform(0.25, 0.8)), windows)


def _upward(rng: np.random.Generator, lowest: float, highest: float) -> Floats32:
    """Draw a direction whose z is between two."""
    z, angle = rng.uniform(lowest, highest), rng.uniform(0, 2 * np.pi)
    flat = np.sqrt(1 - z * z)
    return np.array([flat * np.cos(angle), flat * np.sin(angle), z], np.float32)


def _tint(rng: np.random.Generator, spread: float) -> Floats32:
    return np.exp(rng.normal(0, spread, 3)).astype(np.float32)
