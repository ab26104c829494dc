"""Discs and stacks tried on the places of a table; those nearer to the camera hide others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Grid, PieceSize
from vision.geometry import Floats, Floats32

CELL_PX = 24
"""Pixels along a cell's side in a plane; the top of a disc a third as wide as a cell has fifty pixels."""

_REACH_PX = 5
"""Largest distance of a disc's centre from the cell's, in pixels."""

_LEAST_DISC, _LEAST_SEEN, _LEAST_SHOWN, _LEAST_RING = 0.3, 0.35, 0.15, 0.15
"""Thresholds: a disc's score; the visible share of its top; the share of a place with a colour from which on a disc of
that colour is tried; and the visible share of the ring around a disc that stands for all of it."""

_RING = (1.12, 1.45)
"""Inner and outer radius of the ring around a disc, in its radii: between its blurred rim and other discs."""

_INNER = 0.85
"""Share of a disc's radius that is evaluated; its rim is blurred and in shade."""

Window: TypeAlias = tuple[slice, slice]


def leans_of(at: NDArray[np.int_], grid: Grid, eye_mm: Floats, height_mm: float) -> Floats:
    """Return the parallax in cells, float64 (n, xy), of points at a height above cells (n, column row)."""
    away = np.asarray(at) + 0.5 - (eye_mm[:2] - np.asarray(grid.origin)) / np.asarray(grid.pitch)
    return np.asarray(away * height_mm / max(float(eye_mm[2]) - height_mm, 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Masks of what discs and stacks on places cover in the board's plane, in squares of `2 * half + 1` pixels.

    Attributes:
        near_first: the places, the nearest to the camera first.
        top: the top of the highest disc without its rim, bool (n_places, heights, px, px).
        side: the rest of what it and the discs below it hide, without the rim.
        whole: everything that they hide.
        about: a ring around that.
        foot: the ground of an empty place, bool (px, px).
        leans: offsets of the tops' centres from the places', float64 (n_places, heights, xy) in pixels.
        half: half the side of these squares.
        rim: half the side of squares with room for discs that are off centre.
    """

    near_first: NDArray[np.intp]
    top: NDArray[np.bool_]
    side: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    about: NDArray[np.bool_]
    foot: NDArray[np.bool_]
    leans: Floats
    half: int
    rim: int

    @classmethod
    def of(
        cls, at: NDArray[np.int_], grid: Grid, discs: Sequence[PieceSize], most_stacked: int, eye_mm: Floats
    ) -> Shapes:
        """Draw the masks as seen from the camera's position: tops of the smallest kind, edges of the largest."""
        # 1. How far tops lean away from the camera, and how much larger they look.
        px = CELL_PX / np.asarray(grid.pitch)
        small, radius = (of(disc.diameter or 0.0 for disc in discs) / 2 * px for of in (min, max))
        heights = max(disc.height for disc in discs) * np.arange(1, most_stacked + 1)
        leans = np.stack([leans_of(at, grid, eye_mm, height) for height in heights], axis=1) * CELL_PX
        wider = float(eye_mm[2]) / np.maximum(float(eye_mm[2]) - heights, 1.0)
        half = int(np.ceil(np.abs(leans).max() + _RING[1] * radius.max() * wider[-1])) + 1
        # 2. The masks of each place and height: discs are hulls of circles from the foot to the top.
        shapes = np.zeros((4, len(leans), most_stacked, 2 * half + 1, 2 * half + 1), np.bool_)
        for place, own in enumerate(leans):
            for h, lean in enumerate(own):
                shapes[0, place, h] = _draw(half, (lean, _INNER * wider[h] * small))
                body, whole, near, far = (
                    _draw(half, (np.zeros(2), part * radius), (lean, part * wider[h] * radius))
                    for part in (_INNER, 1.0, *_RING)
                )
                shapes[1:, place, h] = body & ~shapes[0, place, h], whole, far & ~near
        away = np.linalg.norm((at + 0.5) * grid.pitch + grid.origin - eye_mm[:2], axis=1)
        foot = _draw(half, (np.zeros(2), _INNER * small))
        top, side, whole, about = shapes
        return cls(np.argsort(away), top, side, whole, about, foot, leans, half, half + _REACH_PX)


def _draw(half: int, *circles: tuple[Floats, Floats]) -> NDArray[np.bool_]:
    """Return a mask of the hull of circles, each a centre and its radii in pixels, bool (px, px)."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = np.concatenate([middle + radii * np.column_stack([np.cos(turn), np.sin(turn)]) for middle, radii in circles])
    mask = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
    hull = cv2.convexHull(np.asarray(rim, np.float32))[:, 0]
    cv2.fillConvexPoly(mask, np.rint((hull + half) * 16).astype(np.int32), 1, shift=4)
    return mask.astype(np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """Scores of the explanations of each place.

    Attributes:
        discs: for each colour and height, the share of the disc's top with the colour less the share of the ring around
            it with the same colour (without an edge it is not a disc), float64 (n_places, n_colours, heights).
        ground: the share of the place that shows ground, float64 (n_places,).
        unexplained: the share that neither explains or that is hidden, float64 (n_places,).
        beyond: the share of the ring around the most probable disc with its colour, float64 (n_places,).
        covered: a mask of what discs hide of the board's plane, bool (rows px, columns px).
    """

    discs: Floats
    ground: Floats
    unexplained: Floats
    beyond: Floats
    covered: NDArray[np.bool_]


@dataclass(eq=False)
class DiscScene:
    """A scene in which discs are tried on places; discs nearer to the camera hide others.

    Attributes:
        shares: returns, for a place, a height and a window, the shares of each pixel that belong to the ground, to
            discs of each colour, and to these again if the ground has its usual colour, float32 (px, px, 1 + 2
            n_colours).
        n_colours: number of these colours.
        inside: where the plane is known, bool (rows px, columns px).
        middles: the places' centres, (n_places, xy) in pixels.
        shapes: masks of the discs that may be there.
        only_ground: a mask of the places without a disc, bool (n_places,).
    """

    shares: Callable[[int, int, Window], Floats32]
    n_colours: int
    inside: NDArray[np.bool_]
    middles: NDArray[np.int_]
    shapes: Shapes
    only_ground: NDArray[np.bool_]

    def __post_init__(self) -> None:
        rim, n = self.shapes.rim, len(self.middles)
        self._known = np.pad(self.inside, rim)
        self._middles = self.middles + rim
        self._rank = np.empty(n, np.int64)
        self._rank[self.shapes.near_first] = np.arange(n)
        self._owner = np.full(self._known.shape, n)
        self._stands: dict[int, tuple[Window, NDArray[np.bool_]]] = {}

    def explained(self, sweeps: int) -> Explained:
        """Explain the places by discs, from the nearest to the camera on, in several sweeps."""
        # 1. On each place, take the best disc if it explains more than the ground; it then hides what is behind it.
        n, colours, heights = len(self._middles), self.n_colours, self.shapes.top.shape[1]
        discs, ground, seen, beyond = np.zeros((n, colours, heights)), np.zeros(n), np.zeros(n), np.zeros(n)
        for _ in range(sweeps):
            for place in self.shapes.near_first.tolist():
                ground[place], seen[place] = self._bare(place)
                if self.only_ground[place]:
                    continue
                discs[place], leaks, at = self._try_discs(place)
                k, h = np.unravel_index(int(discs[place].argmax()), (colours, heights))
                beyond[place] = leaks[k, h]
                self._stands.pop(place, None)
                if discs[place, k, h] > max(ground[place], _LEAST_DISC):
                    where = self._window(place, self.shapes.half, at[k, h].tolist())
                    self._stands[place] = (where, self.shapes.whole[place, h])
                    self._hide(place)
            self._owner[:] = n
            for place in self._stands:
                self._hide(place)
        # 2. The share that neither explains; all of a place that discs in front of it hide.
        best = discs.max(axis=(1, 2))
        hidden = (seen < _LEAST_SEEN) & (best < _LEAST_DISC)
        unexplained = np.where(hidden, 1.0, 1.0 - np.minimum(ground + best, 1.0))
        rim = self.shapes.rim
        return Explained(discs, ground, unexplained, beyond, self._owner[rim:-rim, rim:-rim] < n)

    def _window(self, place: int, rim: int, off: Sequence[int] = (0, 0)) -> Window:
        x, y = self._middles[place].tolist()
        return slice(y + off[0] - rim, y + off[0] + rim + 1), slice(x + off[1] - rim, x + off[1] + rim + 1)

    def _bare(self, place: int) -> tuple[float, float]:
        """Return the share of a place's visible foot that shows ground, and the share of the foot that is visible."""
        core = self._window(place, self.shapes.half)
        foot = self.shapes.foot & self._known[core] & (self._owner[core] >= self._rank[place])
        share = self.shares(place, 0, core)
        return float(share[foot, 0].sum()) / max(foot.sum(), 1), foot.sum() / self.shapes.foot.sum()

    def _try_discs(self, place: int) -> tuple[Floats, Floats, NDArray[np.int_]]:
        """Return the best disc of each colour and height on a place: score, leak and offset.

        Score and leak, the share of the ring with the disc's colour, are float64 (colours, heights); the offset from
        the place's centre is int (colours, heights, yx) in pixels.
        """
        # 1. What is not hidden by discs in front (for the top), and by none at all (for the ring).
        wide, inner = self._window(place, self.shapes.rim), slice(_REACH_PX, -_REACH_PX)
        owner, known = self._owner[wide], self._known[wide]
        scores = np.zeros((self.n_colours, self.shapes.top.shape[1]))
        leaks, at = np.zeros_like(scores), np.zeros((*scores.shape, 2), np.int64)
        open_ = np.asarray(known & (owner >= self._rank[place]), np.float32)
        free = np.asarray(known & ((owner == len(self._rank)) | (owner == self._rank[place])), np.float32)
        # 2. At every offset, by correlation: the share of the top that has the colour, less that of the ring, less the
        #   ground seen through the side.
        for h in range(scores.shape[1]):
            share = self.shares(place, h, wide)
            top, side, ring = (
                np.asarray(one[place, h], np.float32) for one in (self.shapes.top, self.shapes.side, self.shapes.about)
            )
            likely = share[inner, inner, 1 : 1 + self.n_colours][top > 0].mean(axis=0) > _LEAST_SHOWN
            if not likely.any():
                continue
            shown, beyond = _sum_under(open_, top), np.maximum(_sum_under(free, ring), _LEAST_RING * ring.sum())
            through = _sum_under(share[..., 0] * open_, side) / top.sum()
            for k in np.flatnonzero(likely):
                filled = _sum_under(share[..., 1 + k] * open_, top) / np.maximum(shown, 1.0)
                leak = _sum_under(share[..., 1 + self.n_colours + k] * free, ring) / beyond
                score = filled - leak - through
                score[~_NEAR | (shown < _LEAST_SEEN * top.sum())] = 0.0
                best = np.unravel_index(int(score.argmax()), score.shape)
                scores[k, h], leaks[k, h] = max(float(score[best]), 0.0), leak[best]
                at[k, h] = np.subtract(best, _REACH_PX)
        return scores, leaks, at

    def _hide(self, place: int) -> None:
        """Note the pixels that the disc on a place hides, unless one nearer to the camera does."""
        where, whole = self._stands[place]
        self._owner[where][whole] = np.minimum(self._owner[where][whole], self._rank[place])


_NEAR = np.hypot(*np.mgrid[-_REACH_PX : _REACH_PX + 1, -_REACH_PX : _REACH_PX + 1]) <= _REACH_PX


def _sum_under(values: Floats32, mask: Floats32) -> Floats32:
    """Return the sum of values under a mask at each offset of the mask, float32 (px, px)."""
    return np.asarray(cv2.matchTemplate(np.asarray(values, np.float32), mask, cv2.TM_CCORR), np.float32)
