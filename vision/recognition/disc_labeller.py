"""The labeller of tables of flat discs, by the colours that the table file declares: no network, no training.

The board's plane is rectified and its light evened out (white paper is 1). Discs and stacks are tried on every place:
the top of a disc has its colour, the ring around it has not, and no ground shows through its side. Paper and glare
continue beyond a disc's edge. The ground's colour is measured where no disc hides it in this picture, and each disc
colour on the discs of the picture that are closest to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from engines.sentence import Sentence, about, unexpected
from vision.board import Board, Rgb, cell_column_row
from vision.errors import BoardFileError
from vision.geometry import Floats, Floats32
from vision.labels import Label
from vision.localization.planes import Planes, coarse_looks, view_planes
from vision.looks.ground import Looks
from vision.observation import SURE
from vision.recognition.disc_colours import (
    KNOWN_SIGMA,
    PAPER_BLACK,
    SHADE_SIGMA,
    VEIL,
    Colour,
    colours_in_picture,
    density,
    dot,
)
from vision.recognition.disc_scene import CELL_PX, DiscScene, Explained, Shapes, Window, leans_of
from vision.recognition.labeller import Labelled, with_looks
from vision.recognition.light import TableView

_MORE_PX = CELL_PX
"""Margin around the board for leaning stacks, in addition to the half cell that every plane has."""

_SPOTS, _POINT_SPOTS = (0.4, 0.37, 0.34, 0.31), (0.4, 0.45, 0.5, 0.35)
"""Offsets from a cell's centre, in cells, at which the ground is sampled, the preferred one first; the second tuple is
for points, where 0.5 is the middle between four of them."""

_CLEAR, _LEAST_CLEAR = 0.12, 0.05
"""Distance of a spot from everything that discs can hide, in cells: enough, and the least for a spot to be used."""

_ALIKE, _SHARED, _AGREED = 0.15, 0.25, 3
"""Largest distance between two colours of the same ground (white is 1); the share of the spots around a cell that an
unhidden one must resemble; and the number of spots that is enough for a ground that occurs nowhere else."""

_INLIERS = 0.9
"""Share of the spots that no disc can hide which look like their kind of ground; an estimate: the others show the edge
of a shadow, or a disc that is off its place."""

_GROUND_SIGMA = 0.015
"""Least standard deviation of the ground's colour from the ground next to it (white is 1)."""

_GROUND_SHADE_SIGMA, _GROUND_VEIL = 0.08, 0.015
"""Standard deviation of the log shade of the ground at one cell, and its mean extra reflection of white light."""

_ELSE = 5e-4
"""Density of colours that are neither ground nor disc: hands, prints, foreign objects."""

_STEEPNESS = 7.0
"""Slope of the log odds over the share of a disc's circle that a colour fills."""

_FILLED = 0.7
"""Score from which on a disc of any colour is used to learn how its colour looks in this picture."""

_BARE = 0.5
"""Ground density at a place, relative to the highest, above which no disc is searched for there."""

_SIGMAS_OF_MEDIAN = 1.4826
"""Ratio of a normal distribution's standard deviation to its median absolute deviation."""

_SOME = 200
"""Approximate number of colours that are compared with each other, to limit the time."""

_HIDDEN = 0.6
"""Unexplained share of a circle from which on a cell counts as hidden."""

_LEAST_EMPTY, _MOST_ABOVE = 12, 2.0
"""Fewest places that seem empty with which one of them is compared, and standard deviations above their median within
which most of them are (19 of 20 if they are spread normally)."""

_RESIDUAL = 0.002
"""Probability of an error that the colours do not show, spread over all labels."""

_PAPER_MM = 2.0
"""Largest height of a disc made of paper or card."""


def reads(board: Board) -> bool:
    """Return whether all pieces of a table are flat discs with declared colours, one kind per colour."""
    named = [name for name in board.pieces if board.labels_of(name)]
    labels = [label for name in named for label in board.labels_of(name)]
    return (
        bool(labels)
        and not board.card_words
        and all(board.pieces[name].shape == "disc" and board.pieces[name].diameter for name in named)
        and all(_declared_colour(board, label) and not label.kind for label in labels)
    )


def has_own_colours(board: Board) -> bool:
    """Return whether a table's pieces are discs with colours of their own, on which no model was trained."""
    return board.marks is None and reads(board) and any(piece.rgb for piece in board.pieces.values())


def are_paper(board: Board) -> bool:
    """Return whether a table's pieces are paper discs with declared colours; models are trained on taller ones."""
    return board.marks is None and reads(board) and all(piece.height <= _PAPER_MM for piece in board.pieces.values())


def is_measured(board: Board) -> bool:
    """Return whether a board was measured, not printed from ours: its ground is then strange to a model."""
    return board.markers.base is None


class DiscLabeller:
    """The labeller of a table of flat discs, by their declared colours.

    Raises:
        BoardFileError: not all of the table's pieces are flat discs with declared colours.
    """

    def __init__(self, board: Board) -> None:
        if not reads(board):
            expected = Sentence("flat discs of declared colours, since no model ships for this table")
            raise BoardFileError(about(board.game, unexpected("pieces", expected, list(board.pieces))))
        self._board = board
        self.labels, self.sure = board.label_words, SURE
        singles = tuple(dict.fromkeys(label.single for label in board.cell_labels if not label.is_empty))
        # (blue, green, red) of each, white being 1
        self._colours = (
            np.array([_declared_colour(board, label) or (128, 128, 128) for label in singles])[:, ::-1] / 255
        )
        self._discs = [board.pieces[board.piece_of(label) or ""] for label in singles]
        self._height = max(disc.height for disc in self._discs)
        self._most_stacked = max(label.height for label in board.cell_labels)
        self._columns = [0 if label.is_empty else 1 + singles.index(label.single) for label in board.cell_labels]
        self._looks = Looks()
        # 1. The same board with one more row or column of cells on each side, and the places of both.
        grid = board.grid
        origin = (grid.origin[0] - grid.pitch[0], grid.origin[1] - grid.pitch[1])
        more = msgspec.structs.replace(grid, columns=grid.columns + 2, rows=grid.rows + 2, origin=origin)
        self._wide = msgspec.structs.replace(board, grid=more)
        self._at = np.array([cell_column_row(place) for place in board.places])
        self._wide_at = np.mgrid[-1 : grid.rows + 1, -1 : grid.columns + 1][::-1].reshape(2, -1).T
        self._middles = (self._at + 1) * CELL_PX + _MORE_PX
        self._wide_middles = (self._wide_at + 1) * CELL_PX + _MORE_PX
        index = {(x, y): row for row, (x, y) in enumerate(self._wide_at.tolist())}
        self._own = np.array([index[x, y] for x, y in self._at.tolist()])
        # 2. The kind of each cell's ground, int (n_wide,), and for each cell the nearby cells of its kind: all points
        #   have one kind, areas one of two, as on a chequered board; ground beyond the grid has its own kinds.
        squares = 0 if grid.lines else self._wide_at.sum(axis=1) % 2
        self._kinds = np.asarray(squares + 2 * ~np.isin(np.arange(len(self._wide_at)), self._own))
        away = np.abs(self._wide_at[:, None] - self._wide_at).max(axis=-1)
        near = (away <= (1 if grid.lines else 2)) & (self._kinds[:, None] == self._kinds)
        self._around = [np.flatnonzero(row) for row in near]
        self._between = [np.flatnonzero(row) for row in (away <= 2) & (self._kinds[:, None] == self._kinds ^ 1)]
        radius_px = min(disc.diameter or 0.0 for disc in self._discs) / 2 / max(grid.pitch) * CELL_PX
        self._core = max(2, int(radius_px / 2))  # half a square that is mostly plain even if the top has a symbol

    def label(self, view: TableView) -> Labelled:
        """Compute the labels of all places of a table in a picture."""
        planes = self._planes(view)
        inner = np.ascontiguousarray(planes[:, _MORE_PX:-_MORE_PX, _MORE_PX:-_MORE_PX])
        looks = coarse_looks(inner, self._at[:, ::-1].tolist(), CELL_PX)
        by_colour, odd = self._read_planes(planes, view.pose.eye_mm)
        labelled = with_looks(
            replace(by_colour, appearance=looks).after("discs"),
            self._board,
            view,
            inner,
            looks=self._looks,
            sure=self.sure,
            knows_grounds=False,
        )
        if labelled.in_step is not None:
            odd = odd & ~labelled.in_step  # what shows the board's own print is empty, however odd it is
        return self._doubt_empty(labelled, odd).after("ground")

    def _doubt_empty(self, labelled: Labelled, odd: NDArray[np.bool_]) -> Labelled:
        """Return labels by which an odd cell, (n_places,), is as probably a disc's as empty."""
        is_disc = np.not_equal(self._columns, 0)
        p_disc = labelled.p[:, is_disc].sum(axis=1, keepdims=True)
        even = np.where(is_disc, labelled.p / p_disc, labelled.p / (1.0 - p_disc)) / 2
        doubted = odd[:, None] & (p_disc < 0.5)
        return replace(labelled, p=np.where(doubted, even, labelled.p))

    def check(self, view: TableView, labelled: Labelled) -> Labelled:
        """Return a model's labels, averaged with those by colour on places where the two differ in kind.

        On a board that is not the model's, the surer of the two counts where they agree. If the model takes most
        places for hidden, it does not know the ground: they are labelled by colour alone. An arm hides fewer.
        """
        own = is_measured(self._board)
        seen = self.label(view) if own else self.label_planes(self._planes(view), view.pose.eye_mm)
        differ = self._of_kinds(labelled.p).argmax(axis=1) != self._of_kinds(seen.p).argmax(axis=1)
        p = np.where(differ[:, None], (labelled.p + seen.p) / 2, labelled.p)
        if not own:
            return replace(labelled, p=p)
        hidden = labelled.p_visible <= 0.5
        hidden &= hidden.mean() > 0.5
        by_colour = hidden | (~differ & (seen.p.max(axis=1) > labelled.p.max(axis=1)))
        p_visible = np.where(hidden, seen.p_visible, labelled.p_visible)
        return replace(labelled, p=np.where(by_colour[:, None], seen.p, p), p_visible=p_visible)

    def _planes(self, view: TableView) -> Planes:
        """Return the planes of the board and of the discs' tops, with one more cell of margin on all sides."""
        return view_planes(view, self._wide, (0.0, self._height), cell_px=CELL_PX)

    def label_planes(self, planes: Planes, eye_mm: Floats) -> Labelled:
        """Compute the labels of all places from planes, float32 (3 or more, rows px, columns px), the board's first.

        `eye_mm` is the camera's position.
        """
        return self._read_planes(planes, eye_mm)[0]

    def _read_planes(self, planes: Planes, eye_mm: Floats) -> tuple[Labelled, NDArray[np.bool_]]:
        """Compute labels as `label_planes` does, and which places seem empty, but unlike the others that do.

        Discs of any colour are found first: they show where the ground is hidden, and how their colours look in this
        picture.
        """
        # 1. A first estimate of the ground, from spots that no disc can hide.
        ground = np.ascontiguousarray(planes[:3].transpose(1, 2, 0))
        shapes = Shapes.of(self._at, self._board.grid, self._discs, self._most_stacked, eye_mm)
        spots, clear = self._spots(leans_of(self._wide_at, self._board.grid, eye_mm, self._height * self._most_stacked))
        beside = self._beside(ground, spots, clear)
        # 2. The colours where the tops of discs at each height would be, float32 (n_places, heights, bgr).
        at, near = np.rint(self._middles[:, None] + shapes.leans).astype(int), np.arange(-self._core, self._core)
        rows = (at[..., 1, None, None] + near[:, None]).clip(0, ground.shape[0] - 1)
        columns = (at[..., 0, None, None] + near).clip(0, ground.shape[1] - 1)
        tops = np.asarray(np.median(ground[rows, columns], axis=(2, 3)), np.float32)
        # 3. Discs of any colour, then the ground again, from the spots that these do not cover.
        alone = self._alone(ground, self._bare(ground, beside), tops, shapes, self._shows_ground(tops, beside))
        open_ = ~alone.covered[self._pixels(spots)]
        beside = self._beside(ground, spots, clear, open_)
        bare = self._bare(ground, beside)
        only_ground = self._shows_ground(tops, beside)
        # 4. Discs of the declared colours explain the pixels, averaged over how the discs found say that these look.
        p, unexplained = np.zeros((len(tops), len(self._columns))), np.zeros(len(tops))
        shown, filled = np.zeros(len(tops)), alone.discs.max(axis=(1, 2))
        score, best = alone.discs[:, 0].max(axis=1), alone.discs[:, 0].argmax(axis=1)
        certain = np.flatnonzero((score > _FILLED) & (score > alone.ground))
        seen = tops[certain, best[certain]].astype(np.float64)
        for weight, known in colours_in_picture(self._colours, seen, beside.usual[self._own][certain]):
            found = self._explain(ground, bare, known, shapes, only_ground)
            p += weight * self._spread(found)
            unexplained += weight * found.unexplained
            shown += weight * found.ground
            filled = np.maximum(filled, weight * found.discs.max(axis=(1, 2)))
        # 5. A disc of nearly the ground's colour seems empty to colours alone: less ground shows there than on the
        #   other empty places of this picture, and more of something with a disc's edge.
        empty = p[:, np.equal(self._columns, 0)].sum(axis=1) >= self.sure
        odd = empty & (empty.sum() >= _LEAST_EMPTY)
        odd &= (_above(-shown, empty) > _MOST_ABOVE) & (_above(filled, empty) > _MOST_ABOVE)
        return Labelled(p, 1 / (1 + np.exp(20 * (unexplained - _HIDDEN)))), odd

    def _shows_ground(self, tops: Floats32, beside: _Beside) -> NDArray[np.bool_]:
        """Return a mask of the places with ground wherever a disc's top would be, bool (n_places,)."""
        likely = [_ground_density(tops[:, h], beside.colours[self._own], beside.sigma) for h in range(tops.shape[1])]
        return np.asarray((np.array(likely) > _BARE * (0.1 / beside.sigma) ** 2).all(axis=0))

    def _alone(
        self, ground: Floats32, bare: Floats32, tops: Floats32, shapes: Shapes, only_ground: NDArray[np.bool_]
    ) -> Explained:
        """Find discs of any colour: areas of a disc's size with one colour that ends at the edge."""
        rim = ((shapes.rim, shapes.rim), (shapes.rim, shapes.rim))
        ground, known = np.pad(ground, (*rim, (0, 0))), np.pad(np.maximum(bare, 0.0), (*rim, (0, 0)))

        def shares(place: int, height: int, where: Window) -> Floats32:
            of_top = density(ground[where], tops[place, height], KNOWN_SIGMA, SHADE_SIGMA, VEIL)
            return _share(known[where], [of_top])

        return DiscScene(shares, 1, bare[..., 0] >= 0, self._middles, shapes, only_ground).explained(2)

    def _pixels(self, spots: Floats) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
        """Return rows and columns of the planes' pixels at spots (n_wide, 4, xy), in cells from the cells' centres."""
        at = np.rint(self._wide_middles[:, None] + spots * CELL_PX).astype(int)
        return at[..., 1], at[..., 0]

    def _beside(
        self, ground: Floats32, spots: Floats, clear: NDArray[np.bool_], open_: NDArray[np.bool_] | None = None
    ) -> _Beside:
        """Return the ground's colours on each cell and beyond the grid, from four spots per cell.

        If a spot may show a disc, and its colour differs from most of the ground on and around the cell, it is replaced
        by that ground's.

        Args:
            ground: the board's plane, float32 (rows px, columns px, bgr).
            spots: as `_spots` returns them.
            clear: the spots that no disc can hide, bool (n_wide, 4).
            open_: the spots that none of the discs found hides, of the same shape; None if no disc was searched for.
        """
        # 1. The colours at the spots: medians of a few pixels.
        rows, columns = self._pixels(spots)
        near = np.arange(-1, 2)
        seen = np.median(ground[rows[..., None, None] + near[:, None], columns[..., None, None] + near], axis=(2, 3))
        known_spots, free = (np.ones_like(clear), clear) if open_ is None else (open_, open_)
        most, common = self._common(seen, clear)
        foreign, inliers = self._foreign(seen, known_spots, most), self._inliers(seen, clear, most)
        beside = np.empty(seen.shape, np.float32)
        off: list[float] = []
        for row, around in enumerate(self._around):
            # 2. The colour of most of the ground of the same kind around the cell; with few spots, hidden ones count.
            #   If few are free, only the share of the kind counts: around stacks most spots show a disc's colour.
            of = known_spots[around]
            if of.sum() < _AGREED:
                of = np.ones_like(of)
            known = seen[around][of]
            alike = (np.linalg.norm(known[:, None] - known, axis=-1) <= _ALIKE).mean(axis=1)
            support = common[around][of] - foreign[around][of] + (alike if free[around].sum() >= _AGREED else 0.0)
            first = known[support.argmax()]
            usual = np.median(known[np.linalg.norm(known - first, axis=-1) <= _ALIKE], axis=0)
            # 3. Spots of that colour are ground; so are free spots with enough similar ones around them.
            shown = np.linalg.norm(seen[row] - usual, axis=-1) <= _ALIKE
            known = seen[around][free[around]]
            resembled = (np.linalg.norm(seen[row][:, None] - known, axis=-1) <= _ALIKE).sum(axis=1)
            least = np.maximum(_AGREED, np.maximum(_SHARED, 2 * foreign[row]) * len(known))
            shown |= free[row] & (resembled >= least)
            shown &= inliers[row]
            # 4. Replace hidden spots by the cell's other spots, or by the usual colour if it has none.
            off.extend(np.abs(seen[row][shown] - usual).ravel())
            instead = np.median(seen[row][shown], axis=0) if shown.any() else usual
            beside[row] = np.where(shown[:, None], seen[row], instead)
        sigma = max(_GROUND_SIGMA, _SIGMAS_OF_MEDIAN * float(np.median(off or [0.0])))
        return _Beside(beside, most, sigma)

    def _common(self, seen: Floats, clear: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Return the most common colour of each kind of ground, and the share of its kind that each spot resembles.

        Args:
            seen: the colours at the spots, float64 (n_wide, 4, bgr).
            clear: the spots that no disc can hide, bool (n_wide, 4), which the others are compared with.

        Returns:
            For each cell, colours float64 (n_wide, bgr), and shares float64 (n_wide, 4).
        """
        most, common = np.empty(seen.shape[::2]), np.empty(seen.shape[:2])
        for kind in np.unique(self._kinds):
            own = self._kinds == kind
            colours = seen[own][clear[own]] if clear[own].sum() >= _AGREED else seen[own].reshape(-1, 3)
            some = colours[:: 1 + len(colours) // _SOME]
            alike = np.linalg.norm(seen[own][..., None, :] - some, axis=-1) <= 2 * _ALIKE
            common[own] = alike.mean(axis=-1)
            most[own] = np.median(some[alike.reshape(-1, len(some))[common[own].argmax()]], axis=0)
        return most, common

    def _foreign(self, seen: Floats, known_spots: NDArray[np.bool_], most: Floats) -> Floats:
        """Return which share of the known spots on nearby squares of the other colour each spot resembles, (n_wide, 4).

        An arm or a sheet covers squares of both colours. It is 0 on boards that are not chequered.
        """
        foreign = np.zeros(seen.shape[:2])
        for row, between in enumerate(self._between):
            other = seen[between][known_spots[between]]
            if len(other) and np.linalg.norm(most[row] - most[between[0]]) > 2 * _ALIKE:
                foreign[row] = (np.linalg.norm(seen[row][:, None] - other, axis=-1) <= _ALIKE).mean(axis=1)
        return foreign

    def _inliers(self, seen: Floats, clear: NDArray[np.bool_], most: Floats) -> NDArray[np.bool_]:
        """Return which spots are as like the ground of their kind as those that no disc can hide, bool (n_wide, 4).

        Shade aside: a dark disc differs from a dark square by less than squares do in other lights, but by its hue.

        Args:
            seen: the colours at the spots, float64 (n_wide, 4, bgr).
            clear: the spots that no disc can hide, bool (n_wide, 4).
            most: the most common colour of each cell's kind of ground, float64 (n_wide, bgr).
        """
        inliers = np.ones(seen.shape[:2], np.bool_)
        for kind in np.unique(self._kinds):
            own = self._kinds == kind
            if clear[own].sum() >= _AGREED:
                spots, usual = seen[own] + PAPER_BLACK, most[own][:1] + PAPER_BLACK
                shade = dot(spots, usual) / np.maximum(dot(usual, usual), 1e-6)
                off = np.linalg.norm(spots - shade[..., None] * usual, axis=-1)
                inliers[own] = off <= max(2 * _GROUND_SIGMA, float(np.quantile(off[clear[own]], _INLIERS)))
        return inliers | clear

    def _bare(self, ground: Floats32, beside: _Beside) -> Floats32:
        """Return each pixel's density as the adjacent ground and as the usual ground around it.

        float32 (rows px, columns px, 2); -1 if the pixel is on no cell.
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
        """Return four spots per cell and a mask of those that no disc on this or an adjacent cell can hide.

        The spots, float64 (n_wide, 4, xy), are offsets in cells from the centre, one in each quarter; the mask is bool
        (n_wide, 4). A disc hides the board from its foot to where its top is seen, so the distance to that line counts.
        """
        tried = _POINT_SPOTS if self._board.grid.lines else _SPOTS
        offsets = np.array([(x, y) for x in tried for y in tried])
        radius = max(disc.diameter or 0.0 for disc in self._discs) / 2 / np.asarray(self._board.grid.pitch)
        around = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)])
        lean = leans[:, None, None] / radius
        spots, gaps = [], []
        for sign in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            # 1. The point of each disc's line nearest to each spot: share is 0 at its foot and 1 at its top.
            off = (offsets * sign - around[:, None]) / radius
            share = (off * lean).sum(axis=-1) / np.maximum((lean**2).sum(axis=-1), 1e-9)
            apart = off - np.clip(share, 0, 1)[..., None] * lean
            # 2. The distance from the spot to the edge of the nearest disc; of those far enough, take the first.
            gap = ((np.linalg.norm(apart, axis=-1) - 1.0) * radius.min()).min(axis=1)
            best = np.minimum(gap, _CLEAR).argmax(axis=1)
            spots.append(offsets[best] * sign)
            gaps.append(gap[np.arange(len(gap)), best])
        return np.stack(spots, axis=1), np.stack(gaps, axis=1) >= _LEAST_CLEAR

    def _explain(
        self,
        ground: Floats32,
        bare: Floats32,
        colours: Sequence[Colour],
        shapes: Shapes,
        only_ground: NDArray[np.bool_],
    ) -> Explained:
        """Explain the pixels by the ground and by discs of this table's kinds."""
        discs = [density(ground, colour, sigma, SHADE_SIGMA, VEIL) for colour, sigma in colours]
        rim = ((shapes.rim, shapes.rim), (shapes.rim, shapes.rim), (0, 0))
        share = np.pad(_share(np.maximum(bare, 0.0), discs), rim)
        inside = bare[..., 0] >= 0
        scene = DiscScene(
            lambda _place, _height, where: share[where], len(discs), inside, self._middles, shapes, only_ground
        )
        return scene.explained(3)

    def _spread(self, found: Explained) -> Floats:
        """Return probabilities of all labels, float64 (n_places, n_labels)."""
        # 1. Kinds. Half of the unexplained share, and of a colour that continues beyond a disc's edge, such as glare or
        #   paper, counts for an empty place.
        empty = found.ground + (found.unexplained + found.beyond) / 2
        kinds = np.column_stack([empty, found.discs.max(axis=2)])
        odds = np.exp(_STEEPNESS * (kinds - kinds.max(axis=1, keepdims=True)))
        odds /= odds.sum(axis=1, keepdims=True)
        # 2. Heights share the probability of their kind.
        heights = np.exp(_STEEPNESS * (found.discs - found.discs.max(axis=2, keepdims=True)))
        heights /= heights.sum(axis=2, keepdims=True)
        p = np.empty((len(odds), len(self._columns)))
        for column, (k, label) in enumerate(zip(self._columns, self._board.cell_labels, strict=True)):
            p[:, column] = odds[:, k] * (heights[:, k - 1, label.height - 1] if k else 1.0)
        return np.asarray((1 - _RESIDUAL) * p + _RESIDUAL / p.shape[1])

    def _of_kinds(self, p: Floats) -> Floats:
        """Return probabilities of empty places and of each kind of disc, summed over heights, (n_places, 1 + n)."""
        return np.column_stack([p[:, np.equal(self._columns, k)].sum(axis=1) for k in range(1 + len(self._discs))])


@dataclass(frozen=True, slots=True, eq=False)
class _Beside:
    """The ground's colours on each cell, and on the cells of a margin around the grid.

    Attributes:
        colours: at four spots around the centre, float32 (n_wide, 4, bgr).
        usual: of most of the ground of the same kind, float64 (n_wide, bgr).
        sigma: standard deviation of the ground's colour from nearby ground in this picture.
    """

    colours: Floats32
    usual: Floats
    sigma: float


def _share(bare: Floats32, discs: Sequence[Floats32]) -> Floats32:
    """Return each pixel's posterior shares, float32 (..., 1 + n + n): adjacent ground, n discs, n discs again.

    The second n are for the usual ground instead of the adjacent one. `bare` is (..., 2): the densities of both.
    """
    beside = np.stack([bare[..., 0], *discs], axis=-1)
    usual = np.stack([bare[..., 1], *discs], axis=-1)
    parts = [likely / (likely.sum(axis=-1, keepdims=True) + _ELSE) for likely in (beside, usual)]
    return np.asarray(np.concatenate([parts[0], parts[1][..., 1:]], axis=-1), np.float32)


def _declared_colour(board: Board, label: Label) -> Rgb | None:
    """Return the table file's colour for a label: its seat's, or else its piece's."""
    seat = board.seat_of(label)
    return seat.rgb if seat else board.pieces[board.piece_of(label) or ""].rgb


def _above(shares: Floats, usual: NDArray[np.bool_]) -> Floats:
    """Return how far shares, (n,), are above the median of the usual ones, in standard deviations of these.

    The deviation is at least that of a known colour, as if everything else were alike.
    """
    if not usual.any():
        return np.zeros(len(shares))
    off = shares - np.median(shares[usual])
    return np.asarray(off / max(_SIGMAS_OF_MEDIAN * float(np.median(np.abs(off[usual]))), KNOWN_SIGMA))


def _ground_density(view: Floats32, beside: Floats32, sigma: float) -> Floats32:
    """Return the density of pixels (n_places, ..., bgr) given the ground's colours (n_places, 4, ..., bgr)."""
    spread = (sigma, _GROUND_SHADE_SIGMA, _GROUND_VEIL)
    colours = [beside[:, k] for k in range(beside.shape[1])]
    others = [colour for colour in colours[1:] if not np.array_equal(colour, colours[0])]
    return np.asarray(np.max([density(view, colour, *spread) for colour in (colours[0], *others)], axis=0))
