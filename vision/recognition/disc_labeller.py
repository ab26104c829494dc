"""Tables of flat discs, read by the colours that the table file declares: without a network and without training.

The picture is seen from above at the height of the discs' tops, under even light (white paper is 1). Each pixel gets a
probability for every declared colour, for the ground as it looks beside the cells' middles in this picture, and for
something else. A disc is where pixels of one colour fill a circle of its size near a cell's middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, Rgb, cell_column_row
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

_HALF_PX = 18
"""Half the side of the square that is looked at about a cell's middle."""

_REACH = 0.2
"""How far off a cell's middle a disc's own may be, in cells."""

_INNER = 0.85
"""Part of a disc's radius that is looked at: its rim is blurred and in shade."""

_SPOTS = (0.4, 0.37, 0.34, 0.31)
"""Where the ground may be looked at, in cells off the middle to each side, the usual place first; of points as far as
the middle between four of them."""

_POINT_SPOTS = (0.4, 0.45, 0.5, 0.35)
_CLEAR, _LEAST_CLEAR = 0.12, 0.05
"""Distance of a spot, in cells, from all that discs can hide, which is enough, and below which it is not looked at."""

_OVER_EDGE, _OUTSIDE = 0.6, 0.65
"""How far beyond its middle, in cells, something over a cell shows the ground behind it; and where what is beside the
cells is looked at."""

_PAPER = 1.5
"""Side of the paper on which a marker may be, over the side of its black square."""

_ALIKE, _SHARED, _AGREED = 0.15, 0.25, 3
"""Distance of two colours, white being 1, up to which they may be the same ground; the share of the spots about a cell
that look like one which is not hidden; and how many of a cell's own four are enough where its ground is like no
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

_GLOSS_MEAN, _ALL_SHADE_SIGMA = 0.25, 0.2
_LEAST_WEIGHT = 0.02
"""Probability of a gloss and a shade below which they are left out."""

_ELSE = 5e-4
"""Density of colours that are neither: those of hands, of prints, of things that do not belong there."""

_STEEPNESS = 7.0
"""Growth of the log odds with the part of a disc's circle that a colour fills."""

_FILLED = 0.8
"""Part of a circle that a colour fills, from which on the disc shows how that colour looks in this picture."""

_DECLARED_WEIGHT = 2.0
"""The colour declared counts as much as this many discs seen."""

_HIDDEN = 0.6
"""Part of a circle that shows something else, from which on a cell counts as hidden."""

_RESIDUAL = 0.002

_PAPER_MM = 2.0
"""Height up to which a disc is paper on card."""

_Array = NDArray[np.float32]


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
        self._at = [cell_column_row(place)[::-1] for place in board.places]
        self._middles = np.array([cell_column_row(place) for place in board.places]) * CELL_PX + CELL_PX
        self._around = self._cells_alike()
        self._circles = [self._circle(disc.diameter or 0.0) for disc in self._discs]
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
        looks = coarse_looks(planes, self._at, CELL_PX)
        labelled = replace(self.label_planes(planes, self._leans(view)), appearance=looks).after("discs")
        return with_looks(labelled, self._board, view, planes, looks=self._looks, sure=self.sure).after("ground")

    def check(self, view: TableView, labelled: Labelled) -> Labelled:
        """Return what a model read of paper discs, with doubt about places where their colours say something else."""
        planes = self._planes(view)
        p = self.label_planes(planes, self._leans(view)).p
        differ = self._of_kinds(labelled.p).argmax(axis=1) != self._of_kinds(p).argmax(axis=1)
        return replace(labelled, p=np.where(differ[:, None], (labelled.p + p) / 2, labelled.p))

    def _planes(self, view: TableView) -> Planes:
        scaled = view.scaled
        source = choose_source(scaled.image_bgr, scaled.reduced_bgr, self._board, view.pose, cell_px=CELL_PX)
        return warp_planes(source, self._board, view.pose, view.light, (0.0, self._height), cell_px=CELL_PX)

    def _leans(self, view: TableView) -> Floats:
        """Return by how many cells the top of a disc on each place hides more of the board than it stands on, (n, xy).

        That is away from the camera.
        """
        eye, middles = view.pose.eye_mm, self._board.places_mm()
        away = (middles - eye[:2]) * self._height / max(float(eye[2]) - self._height, 1.0)
        return np.asarray(away / np.asarray(self._board.grid.pitch))

    def label_planes(self, planes: Planes, leans: Floats | None = None) -> Labelled:
        """Label all places from planes float32 (6, rows px, columns px): the board's own, and that of the discs' tops.

        `leans` is by how many cells the tops hide more of the board than the discs stand on, (n_places, xy). Discs that
        can be read at first sight show how their colour looks in this picture; then all are looked at again.
        """
        ground, tops = (self._patches(plane.transpose(1, 2, 0)) for plane in (planes[:3], planes[3:]))
        leans = np.zeros((len(tops), 2)) if leans is None else leans
        beside = self._behind(ground, self._beside(ground, leans), leans)
        p, other = np.zeros((len(tops), len(self._columns))), np.zeros(len(tops))
        for weight, colours in self._lit(tops, beside):
            first = self._filled(tops, beside, [(colour, _TINT_SIGMA) for colour in colours])
            filled = self._filled(tops, beside, self._as_seen(tops, first, colours))
            p += weight * self._spread(filled[:, :-1])
            other += weight * filled[:, -1]
        return Labelled(p, 1 / (1 + np.exp(20 * (other - _HIDDEN))))

    def _lit(self, tops: _Array, beside: _Array) -> list[tuple[float, Floats]]:
        """Return what the declared colours may look like in this light, (n, bgr), each with its probability."""
        seen = np.median(_middle(tops, self._core), axis=(1, 2))
        ground = _ground_density(seen, beside)
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

    def _patches(self, plane: _Array) -> _Array:
        """Cut squares about the places' middles out of a plane, float32 (n_places, px, px, bgr)."""
        padded = np.pad(plane, ((_HALF_PX, _HALF_PX), (_HALF_PX, _HALF_PX), (0, 0)), mode="edge")
        return np.stack([padded[y : y + 2 * _HALF_PX, x : x + 2 * _HALF_PX] for x, y in self._middles])

    def _beside(self, ground: _Array, leans: Floats) -> _Array:
        """Return the ground's colours at four places beside each middle, float32 (n_places, 4, bgr).

        A disc that is off its middle, or looked at aslant, can hide one. Such a place looks unlike most of the ground
        on this cell and about it, and that ground is taken instead.
        """
        # 1. the colours at the spots, medians of a few pixels
        spots, gaps = self._spots(leans * self._most_stacked)
        at = np.rint(_HALF_PX + spots * CELL_PX).astype(int)
        places, near = np.arange(len(ground))[:, None, None, None], np.arange(-1, 2)
        rows, columns = at[:, :, 1, None, None] + near[:, None], at[:, :, 0, None, None] + near
        seen = np.asarray(np.median(ground[places, rows, columns], axis=(2, 3)), np.float32)
        # 2. what each is compared with: spots that no disc can hide, of the cells about it with ground of the same kind
        clear, best_ones = gaps >= _LEAST_CLEAR, np.zeros(gaps.shape, dtype=np.bool_)
        best_ones[np.arange(len(gaps)), gaps.argmax(axis=1)] = True
        for row, around in enumerate(self._around):
            known = seen[around][clear[around]]
            if len(known) < _AGREED:
                known = seen[around][(clear | best_ones)[around]]
            apart = np.linalg.norm(seen[row][:, None] - known, axis=-1)
            own = np.linalg.norm(seen[row][:, None] - seen[row], axis=-1) <= _ALIKE
            shown = ((apart <= _ALIKE).mean(axis=1) >= _SHARED) | (
                clear[row] & ((own & clear[row]).sum(axis=1) >= _AGREED)
            )
            # 3. in the place of a hidden one the clearest that is not, else what is usual about the cell
            usual = np.median(known, axis=0)
            best = seen[row][np.where(shown, gaps[row], -np.inf).argmax()] if shown.any() else usual
            seen[row] = np.where(shown[:, None], seen[row], best)
        return seen

    def _behind(self, ground: _Array, beside: _Array, leans: Floats) -> _Array:
        """Return also the ground that shows over an empty cell at the height of the tops, (n_places, 4 + more, bgr).

        At a slant that is the ground behind the cell, as seen from the camera: of its neighbours, of what is beside the
        cells, or the paper of a marker.
        """
        at = {cell_column_row(place): row for row, place in enumerate(self._board.places)}
        radius = max(disc.diameter or 0.0 for disc in self._discs) / 2 / np.asarray(self._board.grid.pitch)
        more = np.repeat(beside[:, :1], 5, axis=1)
        for row, place in enumerate(self._board.places):
            column_row = np.array(cell_column_row(place))
            for axis in (0, 1):
                if abs(leans[row, axis]) + _INNER * radius[axis] <= _OVER_EDGE:
                    continue
                step = np.sign(leans[row]) * np.eye(2)[axis]
                neighbour = at.get(tuple((column_row + step).astype(int)))
                aside = np.array([-0.5, 0.5])[:, None] * np.eye(2)[1 - axis]  # where no disc on the cell hides it
                outside = np.rint(_HALF_PX + (step * _OUTSIDE + aside) * CELL_PX).astype(int)
                colours = ground[row, outside[:, 1], outside[:, 0]] if neighbour is None else beside[neighbour, :2]
                more[row, 2 * axis : 2 * axis + 2] = colours
        more[self._near_paper(leans), -1] = 1.0
        return np.concatenate([beside, more], axis=1)

    def _near_paper(self, leans: Floats) -> NDArray[np.bool_]:
        """Return over which places the paper of a marker may show, bool (n_places,)."""
        shown = self._board.places_mm() + leans * np.asarray(self._board.grid.pitch)
        reach = max(disc.diameter or 0.0 for disc in self._discs) / 2
        near = np.zeros(len(shown), np.bool_)
        for corners_mm in self._board.markers.corners_mm():
            middle, half = corners_mm.mean(axis=0), np.linalg.norm(corners_mm[1] - corners_mm[0]) / 2
            along = (corners_mm[1] - corners_mm[0]) / (2 * half)
            turned = np.abs((shown - middle) @ np.array([along, (-along[1], along[0])]).T)
            near |= (turned <= _PAPER * half + reach).all(axis=1)
        return near

    def _spots(self, leans: Floats) -> tuple[Floats, Floats]:
        """Return four spots beside each middle, one in each quarter, float64 (n_places, 4, xy) in cells, and how far
        each is from all that discs on this cell and on those about it can hide, in cells, float64 (n_places, 4).

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
        return np.stack(spots, axis=1), np.stack(gaps, axis=1)

    def _cells_alike(self) -> list[NDArray[np.intp]]:
        """Return for each place the rows of those about it, itself among them, whose ground may be of the same kind:
        of points all neighbours, of areas those of the same colour on a chequered board.
        """
        at = np.array([cell_column_row(place) for place in self._board.places])
        away = np.abs(at[:, None] - at)
        if self._board.grid.lines:
            near = away.max(axis=-1) <= 1
        else:
            near = (away.max(axis=-1) <= 2) & (away.sum(axis=-1) % 2 == 0)
        return [np.flatnonzero(row) for row in near]

    def _filled(self, tops: _Array, beside: _Array, colours: Sequence[tuple[Floats, float]]) -> Floats:
        """Return how much of a disc's circle the ground, each colour and something else fill, (n_places, 2 + n).

        A colour counts at the best place near the middle, the others at the middle.
        """
        discs = [_density(tops, colour, sigma, _SHADE_SIGMA, _VEIL) for colour, sigma in colours]
        likely = np.stack(
            [_ground_density(tops, beside[:, :, None, None]), *discs, np.full(tops.shape[:3], _ELSE)], axis=-1
        )
        share = (likely / likely.sum(axis=-1, keepdims=True)).astype(np.float32)
        circles = [self._circles[0], *self._circles, self._circles[0]]
        means = [_mean_in_circle(share[..., k], circle) for k, circle in enumerate(circles)]
        columns = [_best(mean) if 0 < k < len(means) - 1 else _middle(mean) for k, mean in enumerate(means)]
        return np.column_stack(columns)

    def _as_seen(self, tops: _Array, filled: Floats, colours: Floats) -> list[tuple[Floats, float]]:
        """Return each colour as its discs look in this picture, with its standard deviation."""
        inner = np.median(_middle(tops, max(3, self._core)), axis=(1, 2))
        seen = []
        for k, declared in enumerate(colours, start=1):
            sure = (filled[:, k] > _FILLED) & (filled[:, k] >= filled[:, :-1].max(axis=1))
            weight = sure.sum() / (sure.sum() + _DECLARED_WEIGHT)
            colour = weight * np.median(inner[sure], axis=0) + (1 - weight) * declared if sure.any() else declared
            seen.append((colour, weight * _KNOWN_SIGMA + (1 - weight) * _TINT_SIGMA))
        return seen

    def _spread(self, filled: Floats) -> Floats:
        """Return probabilities of all labels from the parts that the ground and each colour fill, (n_places, 1 + n).

        How many discs are stacked is not read: every height gets the same share.
        """
        odds = np.exp(_STEEPNESS * (filled - filled.max(axis=1, keepdims=True)))
        p = (odds / odds.sum(axis=1, keepdims=True))[:, self._columns]
        p /= np.array([self._columns.count(column) for column in self._columns])
        return np.asarray((1 - _RESIDUAL) * p + _RESIDUAL / p.shape[1])

    def _of_kinds(self, p: Floats) -> Floats:
        """Return probabilities of empty places and of each kind of disc, whatever the height, (n_places, 1 + n)."""
        return np.column_stack([p[:, np.equal(self._columns, k)].sum(axis=1) for k in range(1 + len(self._discs))])

    def _circle(self, diameter_mm: float) -> _Array:
        """Return the filter that averages over a disc's circle, float32."""
        radii = _INNER * diameter_mm / 2 / np.asarray(self._board.grid.pitch) * CELL_PX
        reach = np.ceil(radii).astype(int)
        x, y = (np.arange(-n, n + 1) / r for n, r in zip(reach, radii, strict=True))
        circle = (np.square(x)[None, :] + np.square(y)[:, None] <= 1.0).astype(np.float32)
        return np.asarray(circle / circle.sum())


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


def _ground_density(view: _Array, beside: _Array) -> _Array:
    """Return how likely pixels (n_places, ..., bgr) are as ground beside the middles (n_places, 4, ..., bgr)."""
    spread = (_GROUND_SIGMA, _GROUND_SHADE_SIGMA, _GROUND_VEIL)
    colours = [beside[:, k] for k in range(beside.shape[1])]
    others = [colour for colour in colours[1:] if not np.array_equal(colour, colours[0])]
    return np.asarray(np.max([_density(view, colour, *spread) for colour in (colours[0], *others)], axis=0))


def _mean_in_circle(share: _Array, circle: _Array) -> _Array:
    """Return the mean over a circle about every pixel of squares (n, px, px)."""
    tall = cv2.filter2D(np.ascontiguousarray(share).reshape(-1, share.shape[2]), -1, circle)
    return np.asarray(tall, dtype=np.float32).reshape(share.shape)


def _middle(field: _Array, half: int = 0) -> _Array:
    """Return the middles of squares (n, px, px, ...): one pixel, or a square of twice `half`."""
    if half:
        return field[:, _HALF_PX - half : _HALF_PX + half, _HALF_PX - half : _HALF_PX + half]
    return field[:, _HALF_PX, _HALF_PX]


def _best(mean: _Array) -> _Array:
    """Return the largest value near the middles of squares (n, px, px)."""
    reach = round(_REACH * CELL_PX)
    off = np.arange(-reach, reach + 1)
    near = np.hypot(off[:, None], off[None, :]) <= reach
    middle = mean[:, _HALF_PX - reach : _HALF_PX + reach + 1, _HALF_PX - reach : _HALF_PX + reach + 1]
    return np.asarray(middle[:, near].max(axis=1))
