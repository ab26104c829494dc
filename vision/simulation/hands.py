"""Arms with hands that reach over the board, as limbs of round cones.

A hand is laid out along the way it reaches: `forward` from the elbow to the fingertips, `across` to the thumb's side,
and `up`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vision.board import Board, Rgb
from vision.simulation.scene import Arm, Bead, Limb

_SIDES_RAD = {"right": 0.0, "bottom": np.pi / 2, "left": np.pi, "top": -np.pi / 2}
_Beads = list[tuple[float, float, float, float]]  # forward, across, up, radius; forward 0 is the fingertips


@dataclass(frozen=True, slots=True)
class Limbs:
    """How an arm looks: skin and sleeve colours, how far behind the fingertips the sleeve ends, and a size factor."""

    skin: Rgb = (196, 146, 118)
    sleeve: Rgb = (70, 92, 150)
    sleeve_from_mm: float = 170.0
    size: float = 1.0
    left_handed: bool = False


def reaching_arm(
    board: Board,
    tip_mm: tuple[float, float],
    *,
    side: str | float = "bottom",
    gesture: str = "pinch",
    height_mm: float = 30.0,
    limbs: Limbs | None = None,
) -> Arm:
    """Reach over a board.

    Args:
        board: the board; the arm's elbow is well outside it.
        tip_mm: where the fingertips are, (x, y) in mm.
        side: the edge that the arm comes in from, or the angle (radians) of the way from tip to elbow, 0 along x.
        gesture: one of GESTURES.
        height_mm: height of the fingertips over the board.
        limbs: how the arm looks.
    """
    limbs = limbs or Limbs()
    angle = _SIDES_RAD[side] if isinstance(side, str) else side
    back = np.array([np.cos(angle), np.sin(angle)])
    thumb = np.array([-back[1], back[0]]) * (1 if limbs.left_handed else -1)

    def place(bead: tuple[float, float, float, float]) -> Bead:
        forward, across, up, radius = (v * limbs.size for v in bead)
        x, y = np.array(tip_mm) - forward * back + across * thumb
        return Bead(float(x), float(y), height_mm + up, radius)

    hand = [Limb(place(a), place(b), limbs.skin) for chain in GESTURES[gesture]() for a, b in pairwise(chain)]
    return Arm((*_forearm(place, limbs, 1.4 * max(board.size), bare=bool(hand)), *hand))


def _forearm(
    place: Callable[[tuple[float, float, float, float]], Bead], limbs: Limbs, length_mm: float, *, bare: bool
) -> list[Limb]:
    """Wrist, forearm and sleeve."""
    cuff = limbs.sleeve_from_mm if bare else 12.0
    wrist = place((-118, 0, 38, 23))
    meet = place((-cuff - 20, 0, 44, 29))
    sleeve = Limb(place((-cuff, 0, 40, 36)), place((-length_mm, 0, 120, 56)), limbs.sleeve, folds=1.0)
    return [sleeve, Limb(wrist, meet, limbs.skin)] if bare else [sleeve]


def _palm(knuckles: _Beads) -> list[_Beads]:
    """Tendons from the wrist to each knuckle, and the ball of the thumb."""
    return [[(-118, (k[1]) * 0.45, 36, 20), k] for k in knuckles] + [[(-112, 14, 30, 19), (-78, 30, 22, 15)]]


def _row(forward: float, up: float, radius: float, spread: float = 19.0) -> _Beads:
    """Four knuckles or joints side by side, from the forefinger to the little one."""
    return [(forward - 5 * abs(i - 1), (1.5 - i) * spread, up - 2 * i, radius - 0.6 * i) for i in range(4)]


def _fist() -> list[_Beads]:
    knuckles, fronts = _row(-38, 34, 13.5), _row(-12, 12, 11.5)
    curled = [[k, f, (f[0] - 22, f[1], f[2] - 8, 10.0)] for k, f in zip(knuckles, fronts, strict=True)]
    return [*_palm(knuckles), *curled, [(-78, 30, 22, 15), (-40, 38, 12, 11.5), (-16, 26, 6, 10)]]


def _pinch() -> list[_Beads]:
    knuckles = _row(-72, 46, 13)
    fingers = [[k, (k[0] + 40, k[1] * 0.8, k[2] - 2, 10), (k[0] + 52, k[1] * 0.5, 16, 8.5)] for k in knuckles[1:]]
    fore = [knuckles[0], (-30, 22, 38, 9.5), (-4, 4, 8, 7.5)]
    thumb: _Beads = [(-78, 30, 22, 15), (-38, 28, 14, 10.5), (-6, 10, 4, 8)]
    return [*_palm(knuckles), *fingers, fore, thumb]


def _point() -> list[_Beads]:
    knuckles = _row(-88, 40, 13.5)
    curled = [[k, (k[0] + 28, k[1], 22, 11), (k[0] + 6, k[1], 8, 10)] for k in knuckles[1:]]
    fore = [knuckles[0], (-44, 22, 28, 9.5), (0, 12, 4, 7)]
    return [*_palm(knuckles), *curled, fore, [(-92, 32, 22, 14), (-62, 34, 14, 10.5), (-52, 14, 8, 9)]]


def _flat() -> list[_Beads]:
    knuckles = _row(-86, 20, 12.5)
    lengths = (0, 8, 2, -18)
    fingers = [
        [k, (-44 + n * 0.5, k[1] * 1.25, 14, 9.5), (-4 + n, k[1] * 1.45, 8, 7.5)]
        for k, n in zip(knuckles, lengths, strict=True)
    ]
    thumb: _Beads = [(-92, 32, 16, 14), (-64, 54, 10, 10), (-40, 64, 6, 8)]
    return [*_palm(knuckles), *fingers, thumb]


GESTURES: Mapping[str, Callable[[], list[_Beads]]] = {
    "pinch": _pinch,
    "fist": _fist,
    "point": _point,
    "flat": _flat,
    "sleeve": list,
}
"""What a hand may do: chains of beads for each gesture; "sleeve" is a long sleeve that hides the hand."""
