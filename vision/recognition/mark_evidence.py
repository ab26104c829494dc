"""What marks say of the cells of a table, weighed beside what the other cues say.

A mark of at least `SURE_MODULE_PX` a module decides what is on its cell; a smaller one leaves doubt, unless all pieces
bear marks, there is one of each, and each was seen once: a wrong id would be one too many or too few. Where none is
found the other cues decide: with doubt where a mark can be covered, torn, outshone or too small, and certainly where
nothing as black as a mark is to be seen. While a piece is missing of which there is one, no place is certain on which a
standing figure can hide it; and none without a mark if fewer places are unclear than pieces missing, as something alike
all over may lie on them.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.board import Board, Marks
from vision.geometry import Floats, Pose
from vision.labels import COVERED, parse_label
from vision.recognition.labeller import Labelled
from vision.recognition.marks import (
    SURE_MODULE_PX,
    MarkSearch,
    SeenMark,
    height_mm,
    modules_px,
    piece_of_part,
    unread_places,
)

_RIGHT, _SMALL_RIGHT = 0.999, 0.9
"""Probability that a mark's id is right, if its modules are large enough, and if they are not."""

_MISSED = 0.003
"""Probability that a mark which is large enough and not covered is not found."""

_SMALL_MISSED = 0.5
"""The same for one that is too small."""

_TAKEN_FOR_BARE = 5e-4
"""Probability that a piece with a mark is on a place on which it can be seen that there is none: none of 7,270 in
rendered pictures of printed kits (at most 5 in 10,000, 95 %)."""

_PAPER_MM = 2.0
"""Height of the pieces of which that was measured; a higher piece's mark is seen beside its own cell's middle."""

_LEAST, _LEAST_MIXED = 0.5, 1e-4
"""Part of the most probable label's probability that the other cues leave to every label which a mark allows. Where all
pieces bear marks, the cues were learned from others that look different."""

_BESIDE = 0.75
"""How far a standing figure hides marks to each side of its middle, in cells: half its width, and how far from the
middle of a cell a mark can be."""

_DOUBT = 0.1
"""Probability that a cell is reported wrongly on which a mark cannot be seen or ruled out; so none such is sure."""


def weigh_marks(labelled: Labelled, board: Board, pose: Pose, found: MarkSearch, bare: NDArray[np.bool_]) -> Labelled:
    """Weigh what the other cues say of a table with marks by those that were seen on it, and by those that were not.

    Args:
        labelled: what the other cues say.
        board: the table, with marks.
        pose: of the board in the picture.
        found: the marks that were found.
        bare: where it can be seen that there is none, bool (n_places,).
    """
    marks, seen = board.marks, found.seen
    assert marks is not None  # noqa: S101 - asked for by the reader
    p, p_visible, known = labelled.p.copy(), labelled.p_visible.copy(), _MarkedLabels(board, marks)
    missed = known.missed(())
    high = any(height_mm(board, part) > _PAPER_MM for part in marks.ids)
    overlooked = missed if high else np.where(missed < 1, np.minimum(missed, _TAKEN_FOR_BARE), 1.0)
    by_place: dict[str, list[SeenMark]] = {}
    for mark in seen:
        by_place.setdefault(mark.place, []).append(mark)
    smallest = min((marks.size_of(part) for part in marks.ids), default=marks.size_mm)
    single = {part for part in marks.ids if (piece := piece_of_part(board, part)) and piece.count == 1}
    missing = single - {mark.part for mark in seen}
    behind = _behind_figures(board, pose, seen, bare, single) if missing else np.zeros(len(p), np.bool_)
    unclear = sum(place not in by_place for place in board.places) - int(bare.sum())
    squares = unread_places(found.unread_px, missing, board, marks, pose)
    twice = any(len(here) > len({mark.part for mark in here}) for here in by_place.values())
    parts = [mark.part for mark in seen]
    complete = single == {*marks.ids} == {*parts} and len(parts) == len(single)
    sure = [mark for mark in seen if mark.part in single and (complete or mark.module_px >= SURE_MODULE_PX)]
    for row, (place, px) in enumerate(zip(board.places, modules_px(board, marks, pose), strict=True)):
        here = by_place.get(place, [])
        small = {part for part in marks.ids if px * marks.size_of(part) / smallest < SURE_MODULE_PX and not complete}
        if here:
            half = twice and len(here) == 1  # what hides one mark of two may hide others, too
            hidden = behind[row] or half or place in squares
            is_large = complete or min(mark.module_px for mark in here) >= SURE_MODULE_PX
            p[row] = _decided(p[row], known, here, small | missing if hidden else small, is_large=is_large)
        else:
            elsewhere = {mark.part for mark in sure if mark.place != place}
            possible = ~known.bear(elsewhere)
            certain = bool(bare[row] and not behind[row]) and len(missing) <= unclear
            p[row] = _unmarked(p[row], overlooked, possible, bare=certain, least=known.least)
        if any(mark.module_px >= SURE_MODULE_PX for mark in here):
            p_visible[row] = max(p_visible[row], _RIGHT)
    return replace(labelled, p=p, p_visible=p_visible)


def _behind_figures(
    board: Board, pose: Pose, seen: Sequence[SeenMark], bare: NDArray[np.bool_], single: Set[str]
) -> NDArray[np.bool_]:
    """Return on which places marks can be hidden by standing figures, bool (n_places,).

    Args:
        board: the table, with marks.
        pose: of the board in the picture.
        seen: the marks that were found.
        bare: where it can be seen that there is no mark, bool (n_places,).
        single: parts of which there is one; those have standing figures.
    """
    if board.marks is None or not board.marks.standing_mm:
        return np.zeros(len(bare), np.bool_)
    flat = {mark.place for mark in seen} - {mark.place for mark in seen if mark.part in single}
    return _behind(board, pose, board.marks.standing_mm, ~bare & [place not in flat for place in board.places])


def _behind(board: Board, pose: Pose, height_mm: float, figures: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which places figures of a height can hide that may be on some places, both bool (n_places,)."""
    eye, middles = pose.eye_mm, board.places_mm()
    reach = height_mm / max(eye[2] - height_mm, 1.0)
    starts = middles[figures]
    ways = (starts - eye[:2]) * reach
    along = ((middles[:, None] - starts) * ways).sum(axis=2) / np.maximum((ways * ways).sum(axis=1), 1e-9)
    off = middles[:, None] - starts - np.clip(along, 0.0, 1.0)[..., None] * ways
    near = np.hypot(*np.moveaxis(off, -1, 0)) < _BESIDE * min(board.grid.pitch)
    return np.asarray((near & (along > 0)).any(axis=1))


def _unmarked(p: Floats, missed: Floats, possible: NDArray[np.bool_], *, bare: bool, least: float) -> Floats:
    """Return the probabilities of one cell's labels, (n_labels,), on which no mark was found.

    Args:
        p: what the other cues say.
        missed: how likely it is that all marks of each label are overlooked, (n_labels,).
        possible: labels without a piece of which there is one and that was seen elsewhere, bool (n_labels,).
        bare: whether it can be seen that there is no mark.
        least: part of the most probable label's probability that the other cues leave to every possible one.
    """
    if not possible.all():
        p = np.where(possible, np.maximum(p, least * p.max()), _MISSED * p)
        p = p / p.sum()
    marked = (missed < 1) & possible
    if bare:
        weighed = p * missed
        return np.asarray(weighed / weighed.sum())
    if not marked.any() or (not marked[p.argmax()] and p.argmax() != 0):
        return np.asarray(p)  # nothing, or a piece that bears no mark
    return np.asarray((1 - _DOUBT) * p + _DOUBT * marked / marked.sum())


def _decided(p: Floats, known: _MarkedLabels, here: Sequence[SeenMark], small: Set[str], *, is_large: bool) -> Floats:
    """Return the probabilities of one cell's labels, (n_labels,), on which marks were seen: they decide before p.

    Marks of the parts in `small` have too few pixels there to be found for sure. If all that were seen are large, or
    count as large, their ids are right for sure.
    """
    parts = [mark.part for mark in here]
    allowed = known.allow(parts)
    if not allowed.any():  # marks that exclude one another: a piece between two cells
        return np.asarray((1 - _DOUBT) * p + _DOUBT / len(p))
    among = allowed * known.missed(parts, small) * np.maximum(p, known.least * p[allowed].max())
    right = _RIGHT if is_large else _SMALL_RIGHT
    return np.asarray(right * among / among.sum() + (1 - right) * p)


class _MarkedLabels:
    """Which labels of a table bear which marks.

    Attributes:
        least: part of the most probable label's probability that the other cues leave to every possible one.
    """

    def __init__(self, board: Board, marks: Marks) -> None:
        labels = board.cell_labels
        parts = [set(label.single.parts()) for label in labels]
        self._column = {part: column for column, part in enumerate(marks.ids)}
        self._own = np.array([[part in own for part in marks.ids] for own in parts])
        self._under = np.array([[label.on_card != () and part == label.card for part in marks.ids] for label in labels])
        self._is_covered = np.array([label.card == COVERED for label in labels])
        self._is_card = np.array([parse_label(part).card != "" for part in marks.ids])
        self.least = _LEAST if set().union(*parts) <= {*marks.ids, COVERED} else _LEAST_MIXED

    def bear(self, parts: Set[str]) -> NDArray[np.bool_]:
        """Return which labels bear any of these marks, bool (n_labels,)."""
        return np.asarray(self._own[:, [self._column[part] for part in parts]].any(axis=1))

    def allow(self, parts: Sequence[str]) -> NDArray[np.bool_]:
        """Return with which labels all parts seen can be, bool (n_labels,); of a covered card one mark may show."""
        columns = [self._column[part] for part in parts]
        others = ~self._own[:, columns]
        one_card = (others.sum(axis=1) == 1) & (others & self._is_card[columns]).any(axis=1)
        return np.asarray(~others.any(axis=1) | (self._is_covered & one_card))

    def missed(self, parts: Sequence[str], small: Set[str] = frozenset()) -> Floats:
        """Return how likely it is that those marks of each label that are not among the parts seen were overlooked.

        A piece on a card can hide the card's mark.
        """
        expected = self._own & ~self._under if parts else self._own.copy()
        expected[:, [self._column[part] for part in parts]] = False
        each = np.array([_SMALL_MISSED if part in small else _MISSED for part in self._column])
        return np.asarray(np.where(expected, each, 1.0).prod(axis=1))
