"""Labels of a table with marked pieces: the marks that were found, combined with the other cues.

- A mark of at least `SURE_MODULE_PX` a module decides the label of its cell. A smaller one leaves doubt, unless there
  is one of each piece, all bear marks, and each was seen once: a wrong id would be seen twice and another not at all.
- On a cell without a mark the other cues decide: with doubt if a mark may be covered, torn, outshone or too small, with
  certainty if nothing on the cell is as black as a mark.
- While a piece of which there is one is missing, no cell is certain on which a standing figure may hide it. If fewer
  cells are unclear than pieces are missing, no cell without a mark is certain: a plain object may cover a mark.
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
"""Probability that a mark's id is right: with modules that are large enough, and with smaller ones."""

_MISSED, _SMALL_MISSED = 0.003, 0.5
"""Probability that an uncovered mark is not found: one that is large enough, and one that is too small."""

_TAKEN_FOR_BARE = 5e-4
"""Probability that a marked piece is on a place that shows no mark: none of 7,270 in rendered pictures of printed kits
(at most 5 in 10,000, 95 %)."""

_PAPER_MM = 2.0
"""Largest height of the pieces in those pictures; the mark of a taller piece appears beside the middle of its cell."""

_LEAST, _LEAST_MIXED = 0.5, 1e-4
"""Least probability, relative to the most probable label, of each label that a mark allows: if all pieces bear marks,
and if some do not. The other cues were learned from unmarked pieces, which look different."""

_BESIDE = 0.75
"""Largest distance from a standing figure's axis at which it hides marks, in cells: half its width, and the distance of
a mark from the middle of its cell."""

_DOUBT = 0.1
"""Probability of an error on a cell on which a mark can be neither seen nor ruled out, so that none of them is sure."""


def weigh_marks(labelled: Labelled, board: Board, pose: Pose, found: MarkSearch, bare: NDArray[np.bool_]) -> Labelled:
    """Return a table's labels by the other cues, combined with the marks that were found and those that were not.

    `bare` is a mask of the places that show no mark, bool (n_places,).
    """
    marks, seen = board.marks, found.seen
    assert marks is not None  # noqa: S101 - asked for by the reader
    p, p_visible, known = labelled.p.copy(), labelled.p_visible.copy(), _MarkedLabels(board, marks)
    # 1. The probability that all marks of a label are overlooked, on places that show no mark.
    missed = known.missed(())
    high = any(height_mm(board, part) > _PAPER_MM for part in marks.ids)
    overlooked = missed if high else np.where(missed < 1, np.minimum(missed, _TAKEN_FOR_BARE), 1.0)
    # 2. The pieces of which there is one: those not seen, the places where a standing figure may hide them, and whether
    #   each was seen exactly once.
    by_place: dict[str, list[SeenMark]] = {}
    for mark in seen:
        by_place.setdefault(mark.place, []).append(mark)
    single = {part for part in marks.ids if (piece := piece_of_part(board, part)) and piece.count == 1}
    parts = [mark.part for mark in seen]
    missing = single - {*parts}
    behind = _behind_figures(board, pose, seen, bare, single) if missing else np.zeros(len(p), np.bool_)
    complete = single == {*marks.ids} == {*parts} and len(parts) == len(single)
    sure = [mark for mark in seen if mark.part in single and (complete or mark.module_px >= SURE_MODULE_PX)]
    # 3. Places on which a mark may have been overlooked: unclear ones, squares that were not decoded, and single marks
    #   where others have two.
    unclear = sum(place not in by_place for place in board.places) - int(bare.sum())
    squares = unread_places(found.unread_px, missing, board, marks, pose)
    twice = any(len(here) > len({mark.part for mark in here}) for here in by_place.values())
    # 4. Each place: by its marks, or by the other cues without the pieces that were seen elsewhere.
    smallest = min((marks.size_of(part) for part in marks.ids), default=marks.size_mm)
    for row, (place, px) in enumerate(zip(board.places, modules_px(board, marks, pose), strict=True)):
        here = by_place.get(place, [])
        if here:
            least_px = 0.0 if complete else SURE_MODULE_PX
            small = {part for part in marks.ids if px * marks.size_of(part) / smallest < least_px}
            half = twice and len(here) == 1  # an object that hides one of two marks may hide others, too
            hidden = behind[row] or half or place in squares
            is_large = complete or min(mark.module_px for mark in here) >= SURE_MODULE_PX
            p[row] = _decide(p[row], known, here, small | missing if hidden else small, is_large=is_large)
        else:
            possible = ~known.bear({mark.part for mark in sure if mark.place != place})
            certain = bool(bare[row] and not behind[row]) and len(missing) <= unclear
            p[row] = _weigh_unmarked(p[row], overlooked, possible, bare=certain, least=known.least)
        if any(mark.module_px >= SURE_MODULE_PX for mark in here):
            p_visible[row] = max(p_visible[row], _RIGHT)
    return replace(labelled, p=p, p_visible=p_visible)


def _behind_figures(
    board: Board, pose: Pose, seen: Sequence[SeenMark], bare: NDArray[np.bool_], single: Set[str]
) -> NDArray[np.bool_]:
    """Return a mask of the places on which standing figures may hide marks, bool (n_places,), as `bare` is.

    The parts of which there is a `single` one belong to standing figures, no others.
    """
    if board.marks is None or not board.marks.standing_mm:
        return np.zeros(len(bare), np.bool_)
    # 1. The places on which figures may stand: those that are not bare and on which no flat piece was found.
    flat = {mark.place for mark in seen} - {mark.place for mark in seen if mark.part in single}
    figures = ~bare & [place not in flat for place in board.places]
    # 2. On the board, a figure hides a segment from its foot to where the ray through its top meets the board.
    eye, middles, height_mm = pose.eye_mm, board.places_mm(), board.marks.standing_mm
    reach = height_mm / max(eye[2] - height_mm, 1.0)
    starts = middles[figures]
    ways = (starts - eye[:2]) * reach
    # 3. The distance of each place from each segment; a place in front of the foot is not hidden.
    along = ((middles[:, None] - starts) * ways).sum(axis=2) / np.maximum((ways * ways).sum(axis=1), 1e-9)
    off = middles[:, None] - starts - np.clip(along, 0.0, 1.0)[..., None] * ways
    near = np.hypot(*np.moveaxis(off, -1, 0)) < _BESIDE * min(board.grid.pitch)
    return np.asarray((near & (along > 0)).any(axis=1))


def _weigh_unmarked(p: Floats, missed: Floats, possible: NDArray[np.bool_], *, bare: bool, least: float) -> Floats:
    """Return the probabilities of the labels of a cell without a mark, float64 (n_labels,).

    Args:
        p: by the other cues.
        missed: the probability that all marks of each label are overlooked, float64 (n_labels,).
        possible: a mask of the labels whose single pieces were not seen elsewhere, bool (n_labels,).
        bare: whether the cell shows no mark.
        least: the least probability of a possible label, relative to the most probable one.
    """
    # 1. A piece of which there is one is not here if it was seen elsewhere.
    if not possible.all():
        p = np.where(possible, np.maximum(p, least * p.max()), _MISSED * p)
        p = p / p.sum()
    # 2. No mark is visible: a marked piece would be overlooked.
    if bare:
        weighed = p * missed
        return np.asarray(weighed / weighed.sum())
    # 3. A mark may be hidden: some doubt, unless a piece without a mark is most probable.
    marked = (missed < 1) & possible
    if not marked.any() or (not marked[p.argmax()] and p.argmax() != 0):
        return np.asarray(p)
    return np.asarray((1 - _DOUBT) * p + _DOUBT * marked / marked.sum())


def _decide(p: Floats, known: _MarkedLabels, here: Sequence[SeenMark], small: Set[str], *, is_large: bool) -> Floats:
    """Return the probabilities of the labels of a cell with marks, float64 (n_labels,); `p` is by the other cues.

    Marks of the parts in `small` are too small there to be found reliably. `is_large` says that the ids of the marks
    that were found are reliable.
    """
    # 1. Marks that exclude one another belong to a piece between two cells.
    parts = [mark.part for mark in here]
    allowed = known.allow(parts)
    if not allowed.any():
        return np.asarray((1 - _DOUBT) * p + _DOUBT / len(p))
    # 2. Labels that these marks allow, less probable for each of their marks that was not found.
    among = allowed * known.missed(parts, small) * np.maximum(p, known.least * p[allowed].max())
    right = _RIGHT if is_large else _SMALL_RIGHT
    return np.asarray(right * among / among.sum() + (1 - right) * p)


class _MarkedLabels:
    """The marks that the pieces of each label bear.

    Attributes:
        least: the least probability of a label that a mark allows, relative to the most probable one.
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
        """Return a mask of the labels that bear any of these parts' marks, bool (n_labels,)."""
        return np.asarray(self._own[:, [self._column[part] for part in parts]].any(axis=1))

    def allow(self, parts: Sequence[str]) -> NDArray[np.bool_]:
        """Return a mask of the labels that all parts seen allow, bool (n_labels,); a covered card's mark may show."""
        columns = [self._column[part] for part in parts]
        others = ~self._own[:, columns]
        one_card = (others.sum(axis=1) == 1) & (others & self._is_card[columns]).any(axis=1)
        return np.asarray(~others.any(axis=1) | (self._is_covered & one_card))

    def missed(self, parts: Sequence[str], small: Set[str] = frozenset()) -> Floats:
        """Return the probability that the marks of each label that were not seen were overlooked, float64 (n_labels,).

        A piece on a card may hide the card's mark. `small` are the parts whose marks are too small to be found
        reliably.
        """
        expected = self._own & ~self._under if parts else self._own.copy()
        expected[:, [self._column[part] for part in parts]] = False
        each = np.array([_SMALL_MISSED if part in small else _MISSED for part in self._column])
        return np.asarray(np.where(expected, each, 1.0).prod(axis=1))
