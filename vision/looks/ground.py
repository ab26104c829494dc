"""Finds open cells by the print that they share with other cells of the same picture, without a trained model.

A network knows the grounds that it was trained on and takes a cell of another one for covered. What is printed on a
board, or cut into it, repeats from cell to cell, in step with the grid; nothing that lies over the board does. So a
cell that shows what others show is open, whatever the ground. If most of the board is covered, nothing is learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Floats32

_Mask = NDArray[np.bool_]
Middles = Sequence[tuple[int, int]]
"""Middles of cells, (y, x) in pixels of a plane."""

_CORE, _OFF = 0.375, 0.25
"""Half the side of what is compared of a cell, and how far off its place its print may be, in cells: a board that was
measured by hand, or that warps, is as far off somewhere."""

_LEAST_EXAMPLES = 12
"""Fewest cells in which a repeated print is searched for."""

_COMPARED = 8
"""Number of cells that are compared with each other to find the one that is like most of them."""

HALF_EXPLAINED = 0.5**0.5
"""Correlation from which on what is shared explains half of what is seen in a cell."""

BLUR = 1 / 8
"""Standard deviation, in cells, of the blur that is subtracted from a plane."""

_WITH_EDGES = 0.6
"""Half the side of what is compared of cells of one colour, in cells: these end in cells of another one."""

_MOST_DEVIATIONS = 2.0
"""Standard deviations about a mean within which most of a kind are: 19 of 20 if they are spread normally."""

_SIGMAS_OF_MEDIAN = 1.4826
"""Standard deviations of a normal distribution for a median of absolute differences."""

_IN_STEP, _MOST_IN_STEP = 1 / 12, 0.6
"""How much farther off its place a print may be than that beside it, in cells, and the part that must keep to it: of a
grain along the grid four in ten do by chance, of a print nine."""

_NEAREST, _MOST_ALIKE = 4, 0.9
"""This many known cells nearest to another one are compared with it, and this part of them has that colour."""

_MIDDLE = 1 / 6
"""Half the side of a cell's middle, where every piece is wider, in cells."""

_FLAT = 1 / 512
"""Standard deviation of what has no print at all: less than the noise of any camera; white is 1."""

_DARKEST = 0.05
"""Added to colours before their logarithm: noise of dark pixels is not a difference."""


_SIDES = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Directions from a cell's middle to its sides, (y, x)."""

_ALONG, _ACROSS = 0.3, 0.08
"""Half of the evaluated part of a side, and how far off its place its edge may be, in cells."""

_EDGE = 1 / 3
"""Part of the median edge of a board from which on an edge is there: a chequered board's frame is as weak."""


def edges_shown(plane: Floats32, cell_px: int, middles: Middles) -> NDArray[np.int_]:
    """Return on how many of its four sides each cell shows an edge as printed ones are here, int (n_places,).

    Cells end in a printed line or in another colour. What covers a cell, whatever its colour and however smooth, ends
    elsewhere. If nothing is printed, noise shows as many edges everywhere.

    Args:
        plane: float32 (bgr, rows px, columns px), with half a cell of margin all round.
        cell_px: pixels along a cell.
        middles: of the cells.
    """
    half, along, across = cell_px // 2, round(_ALONG * cell_px), round(_ACROSS * cell_px) + 1
    found = np.empty((len(middles), len(_SIDES)))
    for row, (y, x) in enumerate(middles):
        for side, (down, right) in enumerate(_SIDES):
            at_y, at_x = y + half * down, x + half * right
            off_y, off_x = (across, along) if down else (along, across)
            levels = plane[:, at_y - off_y : at_y + off_y, at_x - off_x : at_x + off_x].mean(axis=2 if down else 1)
            found[row, side] = np.abs(levels[:, 2:] - levels[:, :-2]).max()
    return np.asarray((found > _EDGE * np.median(found)).sum(axis=1))


def shape_of(plane: Floats32, cell_px: int) -> Floats32:
    """Return the grey levels of a plane, float32 (channels, rows px, columns px), less their blur, without channels.

    Light and shadows change more slowly than print.
    """
    gray = np.asarray(plane.mean(axis=0), np.float32)
    return np.asarray(gray - cv2.GaussianBlur(gray, (0, 0), cell_px * BLUR), np.float32)


@dataclass(frozen=True, eq=False)
class Ground:
    """The board's own plane in one picture.

    Attributes:
        plane: float32 (bgr, rows px, columns px), with half a cell of margin all round; white paper is 1.
        cell_px: pixels along a cell.
        middles: of all places.
        clear: where around each middle no piece on it hides the ground, bool (n_places, cell px, cell px).
    """

    plane: Floats32
    cell_px: int
    middles: Middles
    clear: _Mask

    @cached_property
    def shape(self) -> Floats32:
        """The plane's print, as `shape_of` returns it."""
        return shape_of(self.plane, self.cell_px)


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """The print that cells share, as two templates, each from one half of the examples.

    A cell is compared with both, and the lower match counts: else a few cells of cloth would match the mean that they
    are part of.

    Attributes:
        templates: float32 (px, px) each, larger than what is compared with them.
        core: half the side of what is compared, in cells.
        chance: highest match of places between the cells.
        nothing: median match of these places.
        spread: standard deviation of the match of these places.
        usual: median match of the examples.
        strength: how much the print stands out in cells that show it, in standard deviations of grey levels.
    """

    templates: tuple[Floats32, Floats32]
    core: float = _CORE
    chance: float = 0.0
    nothing: float = 0.0
    spread: float = 0.0
    usual: float = 0.0
    strength: float = np.inf

    def shown(self, cores: Floats32, clear: _Mask | None = None) -> Floats:
        """Return the correlation of squares (n, px, px), or of what is clear of them, with the print, float64 (n,).

        The edge of a piece may run as the print does. What stands out more than the print counts only as far as that.
        """
        alike = np.min([_best(_matches(one, cores, clear)) for one in self.templates], axis=0)
        return np.asarray(np.minimum(alike, self.strength / np.maximum(_contrast(cores, clear), _FLAT)))

    def at(self, ground: Ground, rows: NDArray[np.int_]) -> Floats:
        """Return the correlation of cells, int (n,), with the print, float64 (n,)."""
        places = [ground.middles[int(i)] for i in rows]
        return self.shown(squares_about(ground.shape, places, round(self.core * ground.cell_px)))

    def lacking(self, shown: Floats, certain: _Mask) -> _Mask:
        """Return which cells, by their match (n,), are like places without print and unlike the certain cells."""
        if not certain.any():
            return np.zeros(len(shown), dtype=np.bool_)
        usual = float(np.median(shown[certain]))
        spread = _SIGMAS_OF_MEDIAN * float(np.median(np.abs(shown[certain] - usual)))
        over = (shown - self.nothing) / max(self.spread, _FLAT)
        under = (usual - shown) / max(spread, _FLAT)
        return np.asarray((over < _MOST_DEVIATIONS) & (under > _MOST_DEVIATIONS))


@dataclass(frozen=True, slots=True, eq=False)
class GroundSeen:
    """What cells show of the print that they share, each bool (n_places,).

    Attributes:
        bare: half of what is seen in the cell is the shared print, so nothing is on it.
        alike: some of it is, and its middle has the colour of bare cells nearby.
        is_open: nothing covers it: it is bare, or alike, or round a piece on it the ground is seen.
        lacking: none of what open cells here show is, so what seems empty is covered by something else.
    """

    bare: _Mask
    alike: _Mask
    is_open: _Mask
    lacking: _Mask


class Looks:
    """The print of one table's cells, learned from its pictures."""

    def __init__(self) -> None:
        self._shared: Shared | None = None
        self._squares: dict[int, Shared | None] = {}

    def learn(self, ground: Ground, empty: _Mask) -> None:
        """Learn the print of the cells that a model takes for empty, bool (n_places,), if it is not known yet."""
        self._shared = self._kept(self._shared, ground, np.flatnonzero(empty), _CORE)

    def refine(self, ground: Ground, empty: _Mask, certain: _Mask, unseen: _Mask | None = None) -> GroundSeen:
        """Return what cells show of the learned print.

        Args:
            ground: the board's own plane in this picture.
            empty: the cells that a model takes for empty; all masks are bool (n_places,).
            certain: those of them that it is sure of.
            unseen: the cells that it takes for hidden, if it knows grounds that differ from cell to cell: only cells
                next to these are then tested for lacking the print.
        """
        # 1. Find the cells that lack the print; without a shared print nothing else can be said.
        nothing = np.zeros(len(empty), dtype=np.bool_)
        lacking = nothing
        if unseen is None:
            lacking = empty & self._lacking(ground, empty, certain)
        elif unseen.any():
            places = np.asarray(ground.middles, np.float64)
            apart = np.abs(places[:, None] - places[unseen]).max(axis=2)
            lacking = empty & self._lacking(ground, empty, certain) & (apart <= 1.5 * ground.cell_px).any(axis=1)
        if self._shared is None:
            return GroundSeen(nothing, nothing, nothing, lacking)
        shared, chance = self._shared, self._shared.chance
        # 2. Bare: the shared print explains half of what is in the cell, and more than it would by chance.
        cores = squares_about(ground.shape, ground.middles, round(_CORE * ground.cell_px))
        shown = shared.shown(cores)
        bare = shown > max(chance, HALF_EXPLAINED)
        # 3. Examples are bare, or certainly empty and show half of what is usual: numbers differ from cell to cell.
        shows = shown > max(chance, HALF_EXPLAINED * shared.usual)
        examples = bare | (certain & shows)
        if examples.sum() < _NEAREST:
            return GroundSeen(bare, nothing, bare, lacking)
        # 4. Alike: some of the print shows, and the colour is that of examples nearby; grown from cell to cell. If half
        #    of what is usual shows, the colour may differ twice as much: certain cells are more alike than others.
        own, places = _colours(ground), np.asarray(ground.middles, np.float64)
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        np.fill_diagonal(apart, np.inf)
        limit = float(np.quantile(_unlike(own, own, examples, apart)[examples], _MOST_ALIKE))
        may_be, limits, grown = ~examples & (shown > chance), np.where(shows, 2.0, 1.0) * limit, nothing
        while (more := may_be & ~grown & (_unlike(own, own, examples | grown, apart) <= limits)).any():
            grown = grown | more
        alike = grown | (examples & ~bare)
        # 5. Cells with pieces: the ground that is clear around the piece shows the print and the colour.
        rows = np.flatnonzero(~empty & ~bare & ~alike)
        round_pieces = nothing.copy()
        if len(rows):
            round_pieces[rows] = shared.shown(cores[rows], ground.clear[rows]) > chance
            round_pieces &= _unlike(_colours(ground, rows), own, bare | alike, apart) <= limit
        return GroundSeen(bare, alike, bare | alike | round_pieces, lacking)

    def _lacking(self, ground: Ground, empty: _Mask, certain: _Mask) -> _Mask:
        """Return which cells show neither the print of all cells nor that of the cells of their colour.

        Of both prints the one counts that explains more of its cells. A colour's print is learned here, since few
        pictures need it.
        """
        lacking = np.zeros(len(certain), dtype=np.bool_)
        chequered = np.asarray(ground.middles).sum(axis=1) // ground.cell_px % 2
        for colour in (0, 1):
            own = np.flatnonzero(chequered == colour)
            self._squares[colour] = self._kept(self._squares.get(colour), ground, own[empty[own]], _WITH_EDGES)
            known = [one for one in (self._shared, self._squares.get(colour)) if one is not None]
            if known:
                shared = max(known, key=lambda one: one.usual)
                lacking[own] = shared.lacking(shared.at(ground, own), certain[own])
        return lacking

    def _kept(self, known: Shared | None, ground: Ground, rows: NDArray[np.int_], core: float) -> Shared | None:
        """Return the known print if half of the cells that seem empty, int (n,), show it, else the print of these."""
        if known is not None and (
            not len(rows) or float(np.median(known.at(ground, rows))) > max(known.chance, HALF_EXPLAINED * known.usual)
        ):
            return known
        return shared_print(ground, rows, core)


def shared_print(ground: Ground, examples: NDArray[np.int_], core: float = _CORE) -> Shared | None:
    """Return the print that most example cells, int (n,), share; None if there is none, or they are too few."""
    if len(examples) < _LEAST_EXAMPLES:
        return None
    # 1. Two templates, each from one half of the examples, so that a cell is never compared with itself.
    mixed = np.random.default_rng(0).permutation(examples)  # in their order, every fourth would be of one column
    places = [ground.middles[int(i)] for i in mixed]
    half = round(core * ground.cell_px)
    templates = (_template(ground, places[::2], half), _template(ground, places[1::2], half))
    # 2. What the templates match by chance: the same cells half a cell aside, where the same ground has no print.
    aside = ground.cell_px // 2
    matched = Shared(templates).shown(squares_about(ground.shape, [(y + aside, x + aside) for y, x in places], half))
    cores = squares_about(ground.shape, places, half)
    shown = Shared(templates).shown(cores)
    nothing, spread = float(np.median(matched)), float(matched.std())
    strength = float(np.quantile(shown * _contrast(cores, None), _MOST_ALIKE))
    shared = Shared(templates, core, float(matched.max()), nothing, spread, float(np.median(shown)), strength)
    # 3. Most examples must show more of the print than places without it do, and enough of them clearly ...
    bare = np.flatnonzero(shown > max(shared.chance, HALF_EXPLAINED * shared.usual))
    if len(bare) < _NEAREST or shared.usual < nothing + _MOST_DEVIATIONS * spread:
        return None
    # 4. ... and at the same offset as their neighbours: stripes match at any offset.
    maps = _matches(templates[0], cores[bare])
    steps = np.array([np.unravel_index(int(one.argmax()), one.shape) for one in maps])
    at = np.asarray(places, np.float64)[bare]
    apart = np.linalg.norm(at[:, None] - at[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    unlike = np.abs(steps - steps[apart.argmin(axis=1)]).max(axis=1)
    return shared if float((unlike <= _IN_STEP * ground.cell_px).mean()) >= _MOST_IN_STEP else None


def _template(ground: Ground, places: Middles, half: int) -> Floats32:
    """Return the look that most places share: the median of the half that is most like a typical one."""
    off = round(_OFF * ground.cell_px)
    cores, wide = squares_about(ground.shape, places, half), squares_about(ground.shape, places, half + off)
    # 1. Begin with the example that correlates best with most of the others.
    some = np.arange(min(_COMPARED, len(places)))
    alike = [np.median(_best(_matches(wide[i], cores[some[some != i]]))) for i in some]
    template = wide[some[int(np.argmax(alike))]]
    # 2. Twice: align the better half of the examples with it, and take their median.
    for _ in range(2):
        maps = _matches(template, cores)
        best = np.argsort(-_best(maps))[: max(_LEAST_EXAMPLES // 4, len(places) // 2)]
        steps = [np.unravel_index(int(maps[i].argmax()), maps[i].shape) for i in best]
        moved = [
            (places[i][0] - int(y) + off, places[i][1] - int(x) + off) for i, (y, x) in zip(best, steps, strict=True)
        ]
        template = np.ascontiguousarray(np.median(squares_about(ground.shape, moved, half + off), axis=0))
    return np.asarray(template, np.float32)


def squares_about(plane: Floats32, middles: Middles, half: int) -> Floats32:
    """Return the squares about places of a plane, mirrored at its edge, float32 (n, 2 half, 2 half)."""
    padded = cv2.copyMakeBorder(plane, half, half, half, half, cv2.BORDER_REFLECT)
    return np.stack([np.asarray(padded[y : y + 2 * half, x : x + 2 * half], np.float32) for y, x in middles])


def _matches(template: Floats32, cores: Floats32, clear: _Mask | None = None) -> Floats32:
    """Return how squares, or what is clear of them, correlate with a larger one, at each place in it."""
    masks = None if clear is None else _cut(clear, cores)
    maps = []
    for i, core in enumerate(cores):
        mask = None if masks is None else np.ascontiguousarray(masks[i], np.float32)
        maps.append(cv2.matchTemplate(template, np.ascontiguousarray(core), cv2.TM_CCOEFF_NORMED, None, mask))
    found = np.stack(maps)
    found[cores.reshape(len(cores), -1).std(axis=1) < _FLAT] = 0.0  # what burnt out correlates with anything
    return np.asarray(np.where(np.isfinite(found), found, 0.0), np.float32)


def _contrast(cores: Floats32, clear: _Mask | None) -> Floats:
    """Return the standard deviation of squares, (n, px, px), or of what is clear of them, float64 (n,)."""
    if clear is None:
        return np.asarray(cores.reshape(len(cores), -1).std(axis=1), np.float64)
    return np.array(
        [core[mask].std() if mask.any() else 0.0 for core, mask in zip(cores, _cut(clear, cores), strict=True)]
    )


def _cut(clear: _Mask, cores: Floats32) -> _Mask:
    """Return the middle of masks that squares of another size have."""
    rim = (clear.shape[1] - cores.shape[1]) // 2
    return clear[:, rim:-rim, rim:-rim]


def _best(maps: Floats32) -> Floats:
    return np.asarray(maps.reshape(len(maps), -1).max(axis=1), np.float64)


def _colours(ground: Ground, pieces: NDArray[np.int_] | None = None) -> Floats:
    """Return the logarithms of the median colours of cells' middles, float64 (n, bgr).

    Of `pieces`, if they are given, only the colours of what is clear of them; infinite where nothing is, and elsewhere.
    """
    half = round(_MIDDLE * ground.cell_px) if pieces is None else ground.cell_px // 2
    rows = np.arange(len(ground.middles)) if pieces is None else pieces
    places = [ground.middles[int(row)] for row in rows]
    squares = np.stack([squares_about(np.asarray(channel), places, half) for channel in ground.plane], axis=-1)
    colours = np.full((len(ground.middles), 3), np.inf)
    if pieces is None:
        colours[rows] = np.median(squares.reshape(len(rows), -1, 3), axis=1)
    else:
        for row, square in zip(rows, squares, strict=True):
            if ground.clear[row].any():
                colours[row] = np.median(square[ground.clear[row]], axis=0)
    return np.asarray(np.log(np.maximum(colours, 0.0) + _DARKEST))


def _unlike(colours: Floats, own: Floats, known: _Mask, apart: Floats) -> Floats:
    """Return by how much colours of cells (n, bgr) differ from that of the nearest known cells which is most like them.

    Args:
        colours: as `_colours` returns them, of the cells or of what is clear of the pieces on them.
        own: the colours of the cells.
        known: the cells to compare with, bool (n,).
        apart: distances of cells from each other in pixels, (n, n); infinite from themselves.
    """
    rows = np.flatnonzero(known)
    near = rows[np.argsort(apart[:, rows], axis=1)[:, :_NEAREST]]
    unlike = np.abs(colours[:, None] - own[near]).max(axis=2)
    reach = np.take_along_axis(apart, near, axis=1)
    return np.asarray(np.where(np.isfinite(reach), unlike, np.inf).min(axis=1))
