"""Tables of flat discs, read by the colours that the table file declares: without a network and without training.

The board's plane is seen from above, under even light (white paper is 1). Discs and stacks are tried on every place,
from the nearest to the camera on, as each hides what is behind it. One is there where the circle of its top has its
colour, the ring around it has not, and no ground shows through its side: paper and glare go on beyond a disc's edge.
The ground is what no disc hides in this picture; a colour is what discs of any colour that are most like it have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, Grid, PieceSize, Rgb, cell_column_row
from vision.errors import BoardFileError
from vision.geometry import Floats
from vision.labels import Label
from vision.localization.planes import Planes, choose_source, coarse_looks, warp_planes
from vision.looks.ground import Looks
from vision.observation import SURE
from vision.recognition.labeller import Labelled, with_looks
from vision.recognition.light import TableView

CELL_PX = 24
"""Pixels along a cell's side in a plane: a disc of a third of the cell has fifty."""

_MORE_PX = CELL_PX
"""Margin about the board that is looked at, besides the half cell that every plane has: tall stacks lean over it."""

_REACH_PX = 5
"""How far off a cell's middle a disc's own may be."""

_LEAST_DISC, _LEAST_SEEN, _LEAST_SHOWN, _LEAST_RING = 0.3, 0.35, 0.15, 0.15
"""How well something is to be explained as a disc, the part of it that is to be seen, the part of a place that is to
have a colour for a disc of that colour to be tried, and the part of its surroundings that stands for all of them."""

_RING = (1.12, 1.45)
"""Where the edge of a disc is looked for, in its radii: nearer its blurred rim is, farther other discs are."""

_INNER = 0.85
"""Part of a disc's radius that is looked at: its rim is blurred and in shade."""

_SPOTS, _POINT_SPOTS = (0.4, 0.37, 0.34, 0.31), (0.4, 0.45, 0.5, 0.35)
"""Where the ground may be looked at, in cells off the middle to each side, the usual place first; of points as far as
the middle between four of them."""

_CLEAR, _LEAST_CLEAR = 0.12, 0.05
"""Distance of a spot, in cells, from all that discs can hide, which is enough, and below which it is not looked at."""

_ALIKE, _SHARED, _AGREED = 0.15, 0.25, 3
"""Distance of two colours, white being 1, up to which they may be the same ground; the share of the spots about a cell
that look like one that is not hidden; and how many of a cell's own four are enough where its ground is like no
other's."""

_TINT_SIGMA, _KNOWN_SIGMA, _GROUND_SIGMA = 0.11, 0.05, 0.03
"""Standard deviation of a disc's colour from the one declared, from the others of its kind in the same picture, and of
the ground's from that beside it; white is 1."""

_SHADE_SIGMA, _GROUND_SHADE_SIGMA = 0.12, 0.08
"""Standard deviation of the logarithm of how much darker one disc or the ground at one cell can be than all others."""

_VEIL, _GROUND_VEIL = 0.08, 0.015
"""Mean of the white light that one disc, or the ground at one cell, mirrors on top of what all others do."""

_GLOSSES, _SHADES = (-0.24, -0.16, -0.08, 0.0, 0.08, 0.16, 0.28, 0.42, 0.58), (0.6, 0.8, 1.0)
"""White light that all discs mirror, and how much darker all are than declared: which it is, the picture decides.
Levels are counted from the markers' black; since print mirrors more light than black discs do, they may be negative."""

_PAPER_BLACK = 0.25
"""White light that the markers' black mirrors at most, white being 1: more than the lowest gloss takes away, so that
all light is positive before it is multiplied by the shade."""

_GLOSS_MEAN, _ALL_SHADE_SIGMA, _LEAST_WEIGHT = 0.25, 0.2, 0.02
"""Mean of the size of that gloss, standard deviation of the logarithm of that shade, and the probability of both below
which they are left out."""

_ELSE = 5e-4
"""Density of colours that are neither: those of hands, of prints, of things that do not belong there."""

_STEEPNESS = 7.0
"""Growth of the log odds with the part of a disc's circle that a colour fills."""

_FILLED = 0.7
"""How well something is to be explained as a disc of any colour that its colour tells how such discs look here."""

_BARE = 0.5
"""Density of the colour over a place as the ground's, over the highest, from which on no disc is looked for there."""

_UNLIKE = 0.25
"""Distance from the usual ground about it from which on such a disc is not a square of the board."""

_SIGMAS_OF_MEDIAN = 1.4826
"""Standard deviations of a normal distribution for a median of absolute differences."""

_SOME = 200
"""About this many colours are compared with each other."""

_FARTHEST = 0.6
"""How far from all colours a disc is of none, white being 1."""

_DECLARED_WEIGHT = 2.0
"""The colour declared counts as much as this many discs seen."""

_HIDDEN = 0.6
"""Part of a circle that shows something else, from which on a cell counts as hidden."""

_RESIDUAL = 0.002
"""Probability of an error that the colours do not show, shared by all labels."""

_PAPER_MM = 2.0
"""Height up to which a disc is paper on card."""

_Array = NDArray[np.float32]
_Window: TypeAlias = tuple[slice, slice]


def reads(board: Board) -> bool:
    """Return whether all pieces of a table are flat discs of declared colours, one kind of each colour."""
    named = [name for name in board.pieces if board.labels_of(name)]
    labels = [label for name in named for label in board.labels_of(name)]
    return (
        bool(labels)
        and not board.card_words
        and all(board.pieces[name].shape == "disc" and board.pieces[name].diameter for name in named)
        and all(_declared(board, label) and not label.kind for label in labels)
    )


def has_own_colours(board: Board) -> bool:
    """Return whether a table's pieces are discs in colours of their own, which no model was trained on."""
    return board.marks is None and reads(board) and any(piece.rgb for piece in board.pieces.values())


def are_paper(board: Board) -> bool:
    """Return whether a table's pieces are discs of paper in declared colours; models are trained on higher ones."""
    return board.marks is None and reads(board) and all(piece.height <= _PAPER_MM for piece in board.pieces.values())


class DiscLabeller:
    """Labels the cells of a table of flat discs by their declared colours.

    Raises:
        BoardFileError: not all of the table's pieces are flat discs of declared colours.
    """

    def __init__(self, board: Board) -> None:
        if not reads(board):
            message = (
                f"{board.game}: pieces: expected flat discs of declared colours, since no model ships for this table"
            )
            raise BoardFileError(message)
        self._board = board
        singles = tuple(dict.fromkeys(label.single for label in board.cell_labels if not label.is_empty))
        self._colours = np.array([_bgr_of(board, label) for label in singles])
        self._discs = [board.pieces[board.piece_of(label) or ""] for label in singles]
        self._height = max(disc.height for disc in self._discs)
        self._most_stacked = max(label.height for label in board.cell_labels)
        self._columns = [_column(label, singles) for label in board.cell_labels]
        self._looks = Looks()
        self._wide = _widened(board)
        self._at = np.array([cell_column_row(place) for place in board.places])
        wide = np.mgrid[-1 : board.grid.rows + 1, -1 : board.grid.columns + 1]
        self._wide_at = wide[::-1].reshape(2, -1).T
        self._middles = (self._at + 1) * CELL_PX + _MORE_PX
        self._wide_middles = (self._wide_at + 1) * CELL_PX + _MORE_PX
        index = {(x, y): row for row, (x, y) in enumerate(self._wide_at.tolist())}
        self._own = np.array([index[x, y] for x, y in self._at.tolist()])
        self._kinds, self._around = self._kinds_of_ground()
        radius_px = min(disc.diameter or 0.0 for disc in self._discs) / 2 / max(board.grid.pitch) * CELL_PX
        self._core = max(2, int(radius_px / 2))  # half a square in which a symbol is less than half of the disc's top

    @property
    def labels(self) -> tuple[str, ...]:
        """The words of the table file."""
        return self._board.label_words

    @property
    def sure(self) -> float:
        """The level of confidence below which a label is unsure."""
        return SURE

    def label(self, view: TableView) -> Labelled:
        """Label all places of a table in a picture."""
        planes = self._planes(view)
        inner = np.ascontiguousarray(planes[:, _MORE_PX:-_MORE_PX, _MORE_PX:-_MORE_PX])
        looks = coarse_looks(inner, self._at[:, ::-1].tolist(), CELL_PX)
        labelled = replace(self.label_planes(planes, view.pose.eye_mm), appearance=looks).after("discs")
        return with_looks(labelled, self._board, view, inner, looks=self._looks, sure=self.sure).after("ground")

    def check(self, view: TableView, labelled: Labelled) -> Labelled:
        """Return what a model read of paper discs, with doubt about places where their colours say something else."""
        p = self.label_planes(self._planes(view), view.pose.eye_mm).p
        differ = self._of_kinds(labelled.p).argmax(axis=1) != self._of_kinds(p).argmax(axis=1)
        return replace(labelled, p=np.where(differ[:, None], (labelled.p + p) / 2, labelled.p))

    def _planes(self, view: TableView) -> Planes:
        """Return the board's own plane and that of the discs' tops, with a cell more of margin all round."""
        scaled = view.scaled
        source = choose_source(scaled.image_bgr, scaled.reduced_bgr, self._board, view.pose, cell_px=CELL_PX)
        return warp_planes(source, self._wide, view.pose, view.light, (0.0, self._height), cell_px=CELL_PX)

    def label_planes(self, planes: Planes, eye_mm: Floats) -> Labelled:
        """Label all places from planes float32 (3 or more, rows px, columns px), the board's own first.

        `eye_mm` is the camera's place. Discs of any colour are found first: they show what hides the ground, and how
        their colours look in this picture.
        """
        ground = np.ascontiguousarray(planes[:3].transpose(1, 2, 0))
        shapes = _Shapes.of(self._at, self._board.grid, self._discs, self._most_stacked, eye_mm)
        spots, clear = self._spots(_leans(self._wide_at, self._board.grid, eye_mm, self._height * self._most_stacked))
        beside = self._beside(ground, spots, clear, np.ones_like(clear))
        tops = self._tops(ground, shapes)
        alone = self._alone(ground, self._bare(ground, beside), tops, shapes, self._shows_ground(tops, beside))
        open_ = ~alone.covered[self._pixels(spots)]
        beside = self._beside(ground, spots, open_, open_)
        bare = self._bare(ground, beside)
        only_ground = self._shows_ground(tops, beside)
        p, unexplained = np.zeros((len(tops), len(self._columns))), np.zeros(len(tops))
        for weight, colours in self._lit(tops[:, 0], beside.colours[self._own], beside.sigma):
            known = self._as_seen(tops, alone, beside.usual[self._own], colours)
            found = self._explained(ground, bare, known, shapes, only_ground)
            p += weight * self._spread(found)
            unexplained += weight * found.unexplained
        return Labelled(p, 1 / (1 + np.exp(20 * (unexplained - _HIDDEN))))

    def _tops(self, ground: _Array, shapes: _Shapes) -> _Array:
        """Return the colours where the tops of discs in all heights would be, float32 (n_places, heights, bgr)."""
        at = np.rint(self._middles[:, None] + shapes.leans).astype(int)
        near = np.arange(-self._core, self._core)
        rows = (at[..., 1, None, None] + near[:, None]).clip(0, ground.shape[0] - 1)
        columns = (at[..., 0, None, None] + near).clip(0, ground.shape[1] - 1)
        return np.asarray(np.median(ground[rows, columns], axis=(2, 3)), np.float32)

    def _shows_ground(self, tops: _Array, beside: _Beside) -> NDArray[np.bool_]:
        """Return over which places nothing else is seen where the tops of discs would be, bool (n_places,)."""
        likely = [_ground_density(tops[:, h], beside.colours[self._own], beside.sigma) for h in range(tops.shape[1])]
        return np.asarray((np.array(likely) > _BARE * (0.1 / beside.sigma) ** 2).all(axis=0))

    def _alone(
        self, ground: _Array, bare: _Array, tops: _Array, shapes: _Shapes, only_ground: NDArray[np.bool_]
    ) -> _Explained:
        """Find discs of any colour: what has a disc's size and one colour that ends at its edge."""
        rim = ((shapes.rim, shapes.rim), (shapes.rim, shapes.rim))
        ground, known = np.pad(ground, (*rim, (0, 0))), np.pad(np.maximum(bare, 0.0), (*rim, (0, 0)))

        def shares(place: int, height: int, where: _Window) -> _Array:
            of_top = _density(ground[where], tops[place, height], _KNOWN_SIGMA, _SHADE_SIGMA, _VEIL)
            return _shared(known[where], [of_top])

        return _Scene(shares, 1, bare[..., 0] >= 0, self._middles, shapes, only_ground).explained(2)

    def _pixels(self, spots: Floats) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
        """Return rows and columns of the planes' pixels at spots (n_wide, 4, xy) in cells off the middles."""
        at = np.rint(self._wide_middles[:, None] + spots * CELL_PX).astype(int)
        return at[..., 1], at[..., 0]

    def _lit(self, seen: _Array, beside: _Array, sigma: float) -> list[tuple[float, Floats]]:
        """Return what the declared colours may look like in this light, (n, bgr), each with its probability."""
        ground = _ground_density(seen, beside, sigma)
        choices = [(gloss, shade) for gloss in _GLOSSES for shade in _SHADES]
        logs = np.empty(len(choices))
        for i, (gloss, shade) in enumerate(choices):
            looks = [_density(seen, c, _TINT_SIGMA, _SHADE_SIGMA, _VEIL) for c in self._look(gloss, shade)]
            likely = np.log(0.5 * ground + 0.5 * np.mean(looks, axis=0) + _ELSE).sum()
            logs[i] = likely - abs(gloss) / _GLOSS_MEAN - 0.5 * (np.log(shade) / _ALL_SHADE_SIGMA) ** 2
        weights = np.exp(logs - logs.max())
        weights /= weights.sum()
        kept = [i for i in np.argsort(-weights) if weights[i] >= _LEAST_WEIGHT]
        total = float(weights[kept].sum())
        return [(float(weights[i]) / total, self._look(*choices[i])) for i in kept]

    def _look(self, gloss: float, shade: float) -> Floats:
        """Return the declared colours in that shade and gloss, float64 (n_labels, bgr); the markers' black is 0."""
        return np.asarray((shade * self._colours + gloss) / (1.0 + min(gloss, 0.0)))

    def _beside(
        self, ground: _Array, spots: Floats, clear: NDArray[np.bool_], known_spots: NDArray[np.bool_]
    ) -> _Beside:
        """Return what the ground looks like on each cell, beyond the grid, too, as four spots on it show.

        What is not `clear`, (n_wide, 4), may show a disc. Such a spot looks unlike most of the ground on this cell and
        about it, and that ground is taken instead.
        """
        # 1. the colours at the spots, medians of a few pixels
        rows, columns = self._pixels(spots)
        near = np.arange(-1, 2)
        seen = np.median(ground[rows[..., None, None] + near[:, None], columns[..., None, None] + near], axis=(2, 3))
        # 2. of each kind of ground what is most common, and the share of it that each spot is like
        most, common = np.empty(seen.shape[::2]), np.empty(seen.shape[:2])
        for kind in np.unique(self._kinds):
            own = self._kinds == kind
            colours = seen[own].reshape(-1, 3)
            some = colours[:: 1 + len(colours) // _SOME]
            alike = np.linalg.norm(seen[own][..., None, :] - some, axis=-1) <= 2 * _ALIKE
            common[own] = alike.mean(axis=-1)
            most[own] = np.median(some[alike.reshape(len(colours), -1)[common[own].argmax()]], axis=0)
        beside = np.empty(seen.shape, np.float32)
        off: list[float] = []
        for row, around in enumerate(self._around):
            # 3. what most of the ground about the cell, of the same kind, looks like; in doubt as on the whole board
            of = known_spots[around]
            if of.sum() < _AGREED:
                of = np.ones_like(of)
            known = seen[around][of]
            support = (np.linalg.norm(known[:, None] - known, axis=-1) <= _ALIKE).mean(axis=1) + common[around][of]
            first = known[support.argmax()]
            usual = np.median(known[np.linalg.norm(known - first, axis=-1) <= _ALIKE], axis=0)
            # 4. what looks so, and what no disc hides, if more looks like it
            shown = np.linalg.norm(seen[row] - usual, axis=-1) <= _ALIKE
            known = seen[around][clear[around]]
            apart = np.linalg.norm(seen[row][:, None] - known, axis=-1)
            shown |= clear[row] & ((apart <= _ALIKE).sum(axis=1) >= max(_AGREED, _SHARED * len(known)))
            # 5. in the place of a hidden one the others of this cell, else what is usual about it
            off.extend(np.abs(seen[row][shown] - usual).ravel())
            instead = np.median(seen[row][shown], axis=0) if shown.any() else usual
            beside[row] = np.where(shown[:, None], seen[row], instead)
        sigma = max(_GROUND_SIGMA, _SIGMAS_OF_MEDIAN * float(np.median(off or [0.0])))
        return _Beside(beside, most, sigma)

    def _bare(self, ground: _Array, beside: _Beside) -> _Array:
        """Return how likely each pixel is as ground that is beside it, and as what is usual about it.

        float32 (rows px, columns px, 2); -1 where nothing is known.
        """
        bare = np.full((*ground.shape[:2], 2), -1.0, np.float32)
        half = CELL_PX // 2
        squares = np.stack([ground[y - half : y + half, x - half : x + half] for x, y in self._wide_middles.tolist()])
        usual = np.asarray(beside.usual, np.float32)[:, None]
        for i, colours in enumerate((beside.colours, usual)):
            density = _ground_density(squares, colours[:, :, None, None], beside.sigma)
            for (x, y), square in zip(self._wide_middles.tolist(), density, strict=True):
                bare[y - half : y + half, x - half : x + half, i] = square
        return bare

    def _spots(self, leans: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Return four spots beside each middle, one in each quarter, float64 (n_wide, 4, xy) in cells.

        And which of them no disc on this cell or on those about it can hide, bool (n_wide, 4).

        A disc hides the board from its foot to where its top is seen, so the distance from that line counts.
        """
        tried = _POINT_SPOTS if self._board.grid.lines else _SPOTS
        offsets = np.array([(x, y) for x in tried for y in tried])
        radius = max(disc.diameter or 0.0 for disc in self._discs) / 2 / np.asarray(self._board.grid.pitch)
        around = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)])
        lean = leans[:, None, None] / radius
        spots, gaps = [], []
        for sign in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            # 1. the nearest point of each disc's line to each spot: share is 0 at its foot and 1 at its top
            off = (offsets * sign - around[:, None]) / radius
            share = (off * lean).sum(axis=-1) / np.maximum((lean**2).sum(axis=-1), 1e-9)
            apart = off - np.clip(share, 0, 1)[..., None] * lean
            # 2. by how much the spot is beyond the edge of the disc that comes nearest; enough is enough
            gap = ((np.linalg.norm(apart, axis=-1) - 1.0) * radius.min()).min(axis=1)
            best = np.minimum(gap, _CLEAR).argmax(axis=1)
            spots.append(offsets[best] * sign)
            gaps.append(gap[np.arange(len(gap)), best])
        return np.stack(spots, axis=1), np.stack(gaps, axis=1) >= _LEAST_CLEAR

    def _kinds_of_ground(self) -> tuple[NDArray[np.int_], list[NDArray[np.intp]]]:
        """Return which ground may be of the same kind, (n_wide,), and for each cell those of its kind about it.

        That of all points, or of areas of the same colour on a chequered board, and what is beyond the grid.
        """
        beyond = ~np.isin(np.arange(len(self._wide_at)), self._own)
        away = np.abs(self._wide_at[:, None] - self._wide_at).max(axis=-1)
        squares = 0 if self._board.grid.lines else self._wide_at.sum(axis=1) % 2
        kinds = np.asarray(squares + 2 * beyond)
        near = (away <= (1 if self._board.grid.lines else 2)) & (kinds[:, None] == kinds)
        return kinds, [np.flatnonzero(row) for row in near]

    def _explained(
        self,
        ground: _Array,
        bare: _Array,
        colours: Sequence[tuple[Floats, float]],
        shapes: _Shapes,
        only_ground: NDArray[np.bool_],
    ) -> _Explained:
        """Find what explains the pixels: the ground, or discs of the kinds of this table."""
        discs = [_density(ground, colour, sigma, _SHADE_SIGMA, _VEIL) for colour, sigma in colours]
        rim = ((shapes.rim, shapes.rim), (shapes.rim, shapes.rim), (0, 0))
        share = np.pad(_shared(np.maximum(bare, 0.0), discs), rim)
        inside = bare[..., 0] >= 0
        scene = _Scene(
            lambda _place, _height, where: share[where], len(discs), inside, self._middles, shapes, only_ground
        )
        return scene.explained(3)

    def _as_seen(self, tops: _Array, alone: _Explained, usual: Floats, colours: Floats) -> list[tuple[Floats, float]]:
        """Return each colour as its discs look in this picture, with its standard deviation.

        Each disc of any colour that was found has the nearest colour; the declared one counts as some discs.
        """
        best = alone.discs[:, 0].argmax(axis=1)
        score = alone.discs[:, 0].max(axis=1)
        seen = tops[np.arange(len(tops)), best]
        unlike = np.linalg.norm(seen - usual, axis=1) > _UNLIKE
        found = seen[(score > _FILLED) & (score > alone.ground) & unlike]
        away = np.linalg.norm(found[:, None] - colours, axis=2)
        mine = (away.argmin(axis=1)[:, None] == np.arange(len(colours))) & (away < _FARTHEST)
        weights = mine.sum(axis=0) / (mine.sum(axis=0) + _DECLARED_WEIGHT)
        means = [
            w * np.median(found[of], axis=0) + (1 - w) * declared if of.any() else declared
            for of, w, declared in zip(mine.T, weights, colours, strict=True)
        ]
        return list(zip(means, weights * _KNOWN_SIGMA + (1 - weights) * _TINT_SIGMA, strict=True))

    def _spread(self, found: _Explained) -> Floats:
        """Return probabilities of all labels, (n_places, n_labels)."""
        # 1. Kinds: half of what nothing explains, and of what goes on beyond the edge of a disc, such as glare and
        #    paper, may be an empty place that looks strange.
        empty = found.ground + (found.unexplained + found.beyond) / 2
        kinds = np.column_stack([empty, found.discs.max(axis=2)])
        odds = np.exp(_STEEPNESS * (kinds - kinds.max(axis=1, keepdims=True)))
        odds /= odds.sum(axis=1, keepdims=True)
        # 2. Heights share what is likely of their kind.
        heights = np.exp(_STEEPNESS * (found.discs - found.discs.max(axis=2, keepdims=True)))
        heights /= heights.sum(axis=2, keepdims=True)
        p = np.empty((len(odds), len(self._columns)))
        for column, (k, label) in enumerate(zip(self._columns, self._board.cell_labels, strict=True)):
            p[:, column] = odds[:, k] * (heights[:, k - 1, label.height - 1] if k else 1.0)
        return np.asarray((1 - _RESIDUAL) * p + _RESIDUAL / p.shape[1])

    def _of_kinds(self, p: Floats) -> Floats:
        """Return probabilities of empty places and of each kind of disc, whatever the height, (n_places, 1 + n)."""
        return np.column_stack([p[:, np.equal(self._columns, k)].sum(axis=1) for k in range(1 + len(self._discs))])


@dataclass(frozen=True, slots=True, eq=False)
class _Beside:
    """What the ground looks like on each cell, and on those that a wider board would have.

    Attributes:
        colours: at four spots beside the middle, float32 (n_wide, 4, bgr).
        usual: of most of the ground about the cell, float64 (n_wide, bgr).
        sigma: standard deviation of the ground's colour from that beside it, as this picture shows it.
    """

    colours: _Array
    usual: Floats
    sigma: float


@dataclass(frozen=True, slots=True, eq=False)
class _Shapes:
    """What discs and stacks on places cover in the board's plane, in squares of `half` pixels to each side.

    Attributes:
        near_first: the places, from the one nearest to the camera.
        top: where the top of the highest disc is seen, without its rim, bool (n_places, heights, px, px).
        side: what else it and the discs below it hide, without the rim.
        whole: all that they hide.
        about: a ring around that.
        foot: where an empty place shows its ground, bool (px, px).
        leans: how far the tops' middles are off the places', float64 (n_places, heights, xy) in pixels.
        half: half the side of these squares.
        rim: half the side of squares that have room for discs that are off their places.
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
    ) -> _Shapes:
        """Draw them as they are seen from a place in mm: the top of the smallest kind, the edge of the largest."""
        px = CELL_PX / np.asarray(grid.pitch)
        small, radius = (of(disc.diameter or 0.0 for disc in discs) / 2 * px for of in (min, max))
        heights = max(disc.height for disc in discs) * np.arange(1, most_stacked + 1)
        leans = np.stack([_leans(at, grid, eye_mm, height) for height in heights], axis=1) * CELL_PX
        wider = float(eye_mm[2]) / np.maximum(float(eye_mm[2]) - heights, 1.0)
        half = int(np.ceil(np.abs(leans).max() + _RING[1] * radius.max() * wider[-1])) + 1
        shapes = np.zeros((4, len(leans), most_stacked, 2 * half + 1, 2 * half + 1), np.bool_)
        for place, own in enumerate(leans):
            for h, lean in enumerate(own):
                shapes[0, place, h] = _drawn(half, (lean, _INNER * wider[h] * small))
                body, whole, near, far = (
                    _drawn(half, (np.zeros(2), part * radius), (lean, part * wider[h] * radius))
                    for part in (_INNER, 1.0, *_RING)
                )
                shapes[1:, place, h] = body & ~shapes[0, place, h], whole, far & ~near
        away = np.linalg.norm((at + 0.5) * grid.pitch + grid.origin - eye_mm[:2], axis=1)
        foot = _drawn(half, (np.zeros(2), _INNER * small))
        top, side, whole, about = shapes
        return cls(np.argsort(away), top, side, whole, about, foot, leans, half, half + _REACH_PX)


def _drawn(half: int, *circles: tuple[Floats, Floats]) -> NDArray[np.bool_]:
    """Return the hull of circles, each a middle and its radii in pixels, bool (px, px)."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = np.concatenate([middle + radii * np.column_stack([np.cos(turn), np.sin(turn)]) for middle, radii in circles])
    mask = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
    hull = cv2.convexHull(np.asarray(rim, np.float32))[:, 0]
    cv2.fillConvexPoly(mask, np.rint((hull + half) * 16).astype(np.int32), 1, shift=4)
    return mask.astype(np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class _Explained:
    """How well things explain what is seen of places.

    Attributes:
        discs: of each colour and height: the part of its top that has the colour, less the part of the ring around it
            that has it, too: what has no edge is not a disc; float64 (n_places, n_colours, heights).
        ground: the part of the place that shows ground, float64 (n_places,).
        unexplained: what neither explains, or is not seen, float64 (n_places,).
        beyond: the part of the ring around the most likely disc that has its colour, float64 (n_places,).
        covered: what discs hide of the board's plane, bool (rows px, columns px).
    """

    discs: Floats
    ground: Floats
    unexplained: Floats
    beyond: Floats
    covered: NDArray[np.bool_]


@dataclass(eq=False)
class _Scene:
    """What hides what, while discs are tried on places: those nearer to the camera hide others.

    Attributes:
        shares: returns how likely pixels show the ground, and discs of each colour if one of some height is on a place,
            and these once more if the ground looks as is usual, float32 (px, px, 1 + 2 n_colours).
        n_colours: how many these are.
        inside: where the plane is known, bool (rows px, columns px).
        middles: of the places, (n_places, xy) in pixels.
        shapes: of what may be there.
        only_ground: places on which nothing else can be, bool (n_places,).
    """

    shares: Callable[[int, int, _Window], _Array]
    n_colours: int
    inside: NDArray[np.bool_]
    middles: NDArray[np.int_]
    shapes: _Shapes
    only_ground: NDArray[np.bool_]

    def __post_init__(self) -> None:
        rim, n = self.shapes.rim, len(self.middles)
        self._known = np.pad(self.inside, rim)
        self._middles = self.middles + rim
        self._rank = np.empty(n, np.int64)
        self._rank[self.shapes.near_first] = np.arange(n)
        self._owner = np.full(self._known.shape, n)
        self._stands: dict[int, tuple[_Window, NDArray[np.bool_]]] = {}

    def explained(self, sweeps: int) -> _Explained:
        """Explain what is seen by discs, from the nearest to the camera on, several times."""
        n, colours, heights = len(self._middles), self.n_colours, self.shapes.top.shape[1]
        discs, ground, seen, beyond = np.zeros((n, colours, heights)), np.zeros(n), np.zeros(n), np.zeros(n)
        for _ in range(sweeps):
            for place in self.shapes.near_first.tolist():
                ground[place], seen[place] = self._bare(place)
                if self.only_ground[place]:
                    continue
                discs[place], leaks, at = self._tried(place)
                k, h = np.unravel_index(int(discs[place].argmax()), (colours, heights))
                beyond[place] = leaks[k, h]
                is_disc = discs[place, k, h] > max(ground[place], _LEAST_DISC)
                self._put(place, self.shapes.whole[place, h] if is_disc else None, at[k, h])
            self._cover()
        best = discs.max(axis=(1, 2))
        hidden = (seen < _LEAST_SEEN) & (best < _LEAST_DISC)
        unexplained = np.where(hidden, 1.0, 1.0 - np.minimum(ground + best, 1.0))
        rim = self.shapes.rim
        return _Explained(discs, ground, unexplained, beyond, self._owner[rim:-rim, rim:-rim] < n)

    def _window(self, place: int, rim: int, off: Sequence[int] = (0, 0)) -> _Window:
        x, y = self._middles[place].tolist()
        return slice(y + off[0] - rim, y + off[0] + rim + 1), slice(x + off[1] - rim, x + off[1] + rim + 1)

    def _bare(self, place: int) -> tuple[float, float]:
        """Return the part of what is seen of an empty place that is ground, and the part that is seen."""
        core = self._window(place, self.shapes.half)
        foot = self.shapes.foot & self._known[core] & (self._owner[core] >= self._rank[place])
        share = self.shares(place, 0, core)
        return float(share[foot, 0].sum()) / max(foot.sum(), 1), foot.sum() / self.shapes.foot.sum()

    def _tried(self, place: int) -> tuple[Floats, Floats, NDArray[np.int_]]:
        """Return how well discs explain a place, how much of their colour is around them, each (colours, heights), and
        by how many pixels they are off it, (..., yx).
        """
        wide, inner = self._window(place, self.shapes.rim), slice(_REACH_PX, -_REACH_PX)
        owner, known = self._owner[wide], self._known[wide]
        scores = np.zeros((self.n_colours, self.shapes.top.shape[1]))
        leaks, at = np.zeros_like(scores), np.zeros((*scores.shape, 2), np.int64)
        open_ = np.asarray(known & (owner >= self._rank[place]), np.float32)
        free = np.asarray(known & ((owner == len(self._rank)) | (owner == self._rank[place])), np.float32)
        for h in range(scores.shape[1]):
            share = self.shares(place, h, wide)
            top, side, ring = (
                np.asarray(one[place, h], np.float32) for one in (self.shapes.top, self.shapes.side, self.shapes.about)
            )
            likely = share[inner, inner, 1 : 1 + self.n_colours][top > 0].mean(axis=0) > _LEAST_SHOWN
            if not likely.any():
                continue
            shown, beyond = _summed(open_, top), np.maximum(_summed(free, ring), _LEAST_RING * ring.sum())
            through = _summed(share[..., 0] * open_, side) / top.sum()
            for k in np.flatnonzero(likely):
                filled = _summed(share[..., 1 + k] * open_, top) / np.maximum(shown, 1.0)
                leak = _summed(share[..., 1 + self.n_colours + k] * free, ring) / beyond
                score = filled - leak - through
                score[~_NEAR | (shown < _LEAST_SEEN * top.sum())] = 0.0
                best = np.unravel_index(int(score.argmax()), score.shape)
                scores[k, h], leaks[k, h] = max(float(score[best]), 0.0), leak[best]
                at[k, h] = np.subtract(best, _REACH_PX)
        return scores, leaks, at

    def _put(self, place: int, whole: NDArray[np.bool_] | None, off: NDArray[np.int_]) -> None:
        self._stands.pop(place, None)
        if whole is not None:
            where = self._window(place, self.shapes.half, off.tolist())
            self._stands[place] = (where, whole)
            self._owner[where][whole] = np.minimum(self._owner[where][whole], self._rank[place])

    def _cover(self) -> None:
        """Draw again who hides what."""
        self._owner[:] = len(self._rank)
        for place, (where, whole) in self._stands.items():
            self._owner[where][whole] = np.minimum(self._owner[where][whole], self._rank[place])


_NEAR = np.hypot(*np.mgrid[-_REACH_PX : _REACH_PX + 1, -_REACH_PX : _REACH_PX + 1]) <= _REACH_PX


def _summed(values: _Array, mask: _Array) -> _Array:
    """Return the sums of values under a mask at each place that it may be moved to, float32 (px, px)."""
    return np.asarray(cv2.matchTemplate(np.asarray(values, np.float32), mask, cv2.TM_CCORR), np.float32)


def _shared(bare: _Array, discs: Sequence[_Array]) -> _Array:
    """Return the part of what explains pixels (...) that the ground beside them and discs have, and that which discs
    have if the ground looks as is usual there, float32 (..., 1 + n + n). `bare` is (..., 2).
    """
    beside = np.stack([bare[..., 0], *discs], axis=-1)
    usual = np.stack([bare[..., 1], *discs], axis=-1)
    parts = [likely / (likely.sum(axis=-1, keepdims=True) + _ELSE) for likely in (beside, usual)]
    return np.asarray(np.concatenate([parts[0], parts[1][..., 1:]], axis=-1), np.float32)


def _leans(at: NDArray[np.int_], grid: Grid, eye_mm: Floats, height_mm: float) -> Floats:
    """Return by how many cells what is that high over cells (n, column row) appears away from the camera, (n, xy)."""
    away = np.asarray(at) + 0.5 - (eye_mm[:2] - np.asarray(grid.origin)) / np.asarray(grid.pitch)
    return np.asarray(away * height_mm / max(float(eye_mm[2]) - height_mm, 1.0))


def _widened(board: Board) -> Board:
    """Return a board with a row and a column of cells more all round."""
    grid = board.grid
    origin = (grid.origin[0] - grid.pitch[0], grid.origin[1] - grid.pitch[1])
    more = msgspec.structs.replace(grid, columns=grid.columns + 2, rows=grid.rows + 2, origin=origin)
    return msgspec.structs.replace(board, grid=more)


def _bgr_of(board: Board, label: Label) -> tuple[float, ...]:
    """Return the declared colour of a label's discs, blue, green, red; white is 1."""
    return tuple(value / 255 for value in reversed(_declared(board, label) or (128, 128, 128)))


def _declared(board: Board, label: Label) -> Rgb | None:
    """Return the colour that the table file declares for a label: its seat's, or that of its piece."""
    seat = board.seat_of(label)
    return seat.rgb if seat else board.pieces[board.piece_of(label) or ""].rgb


def _column(label: Label, singles: Sequence[Label]) -> int:
    return 0 if label.is_empty else 1 + singles.index(label.single)


def _density(view: _Array, colour: Floats | _Array, sigma: float, shade_sigma: float, veil_mean: float) -> _Array:
    """Return how likely pixels (..., bgr) are if they have a colour (..., bgr), in shade or under a veil of light."""
    # 1. Shade multiplies all light, so both are counted from no light, not from the markers' black.
    seen, lit_fully = view + _PAPER_BLACK, np.asarray(np.maximum(colour + _PAPER_BLACK, 0.02), np.float32)
    shade = np.clip(_dot(seen, lit_fully) / _dot(lit_fully, lit_fully), 0.2, 1.0)
    # 2. What is left is a veil of white light, and noise.
    lit = seen - shade[..., None] * lit_fully
    veil = np.maximum(_dot(lit, np.ones_like(lit_fully)) / 3, 0.0)
    lit -= veil[..., None]
    off = _dot(lit, lit) / sigma**2 + np.square(np.log(shade) / shade_sigma)
    return np.asarray(np.exp(-0.5 * off - veil / veil_mean) * (0.1 / sigma) ** 2, dtype=np.float32)


def _dot(one: _Array, other: _Array) -> _Array:
    """Return the dot products of colours (..., bgr); `sum` over three values takes far longer."""
    return np.asarray(np.einsum("...c,...c->...", one, other))


def _ground_density(view: _Array, beside: _Array, sigma: float) -> _Array:
    """Return how likely pixels (n_places, ..., bgr) are as ground beside the middles (n_places, 4, ..., bgr)."""
    spread = (sigma, _GROUND_SHADE_SIGMA, _GROUND_VEIL)
    colours = [beside[:, k] for k in range(beside.shape[1])]
    others = [colour for colour in colours[1:] if not np.array_equal(colour, colours[0])]
    return np.asarray(np.max([_density(view, colour, *spread) for colour in (colours[0], *others)], axis=0))
