"""What marks say of the cells of a table, weighed beside what the other cues say.

A mark of at least `SURE_MODULE_PX` a module decides what is on its cell; a smaller one leaves doubt. Where none is
found the other cues decide: with doubt where a mark can be covered, torn, outshone or too small, and certainly where
nothing as black as a mark is to be seen.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

import numpy as np

from vision.board import Board, Marks
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.labels import COVERED, Label, parse_label
from vision.recognition.labeller import Labelled
from vision.recognition.light import Illumination
from vision.recognition.mark_cells import bare_cells
from vision.recognition.marks import SURE_MODULE_PX, SeenMark, modules_px

_RIGHT, _SMALL_RIGHT = 0.999, 0.9
"""Probability that a mark's id is right, if its modules are large enough, and if they are not."""

_MISSED = 0.003
"""Probability that a mark which is large enough and not covered is not found."""

_SMALL_MISSED = 0.5
"""The same for one that is too small."""

_LEAST, _LEAST_MIXED = 0.5, 1e-4
"""Part of the most probable label's probability that the other cues leave to every label which a mark allows. Where all
pieces bear marks, the cues were learned from others that look otherwise."""

_DOUBT = 0.1
"""Probability that a cell is reported wrongly on which a mark cannot be seen or ruled out; so none such is sure."""


def weigh_marks(
    labelled: Labelled,
    image_bgr: ImageBgr,
    board: Board,
    pose: Pose,
    seen: tuple[SeenMark, ...],
    *,
    light: Illumination,
) -> Labelled:
    """Weigh what the other cues say of a table with marks by those that were seen on it, and by those that were not.

    Args:
        labelled: what the other cues say.
        image_bgr: the picture, uint8 (height, width, 3).
        board: the table, with marks.
        pose: of the board in the picture.
        seen: the marks that were found.
        light: on the table.
    """
    marks = board.marks
    assert marks is not None  # noqa: S101 - asked for by the reader
    p, p_visible = labelled.p.copy(), labelled.p_visible.copy()
    missed = np.array([_missed(label, marks, ()) for label in board.cell_labels])
    by_place: dict[str, list[SeenMark]] = {}
    for mark in seen:
        by_place.setdefault(mark.place, []).append(mark)
    bare = np.zeros(len(p), np.bool_)
    if (missed == 1).any():
        bare = bare_cells(image_bgr, board, marks, pose, light=light, found=by_place.keys())
    smallest = min((marks.size_of(part) for part in marks.ids), default=marks.size_mm)
    for row, (place, px) in enumerate(zip(board.places, modules_px(board, marks, pose), strict=True)):
        here = by_place.get(place, [])
        small = {part for part in marks.ids if px * marks.size_of(part) / smallest < SURE_MODULE_PX}
        p[row] = _decided(p[row], board, here, small) if here else _unmarked(p[row], missed, bare=bool(bare[row]))
        if any(mark.module_px >= SURE_MODULE_PX for mark in here):
            p_visible[row] = max(p_visible[row], _RIGHT)
    return replace(labelled, p=p, p_visible=p_visible)


def _unmarked(p: Floats, missed: Floats, *, bare: bool) -> Floats:
    """Return the probabilities of one cell's labels, (n_labels,), on which no mark was found.

    Args:
        p: what the other cues say.
        missed: how likely it is that all marks of each label are overlooked, (n_labels,).
        bare: whether it can be seen that there is no mark.
    """
    marked = missed < 1
    if bare:
        weighed = p * missed
        return np.asarray(weighed / weighed.sum())
    if not marked[p.argmax()] and not (p.argmax() == 0 and marked.any()):
        return p  # a piece that bears no mark
    return np.asarray((1 - _DOUBT) * p + _DOUBT * marked / marked.sum())


def _decided(p: Floats, board: Board, here: Sequence[SeenMark], small: Set[str]) -> Floats:
    """Return the probabilities of one cell's labels, (n_labels,), on which marks were seen: they decide before p.

    Marks of the parts in `small` have too few pixels there to be found for sure.
    """
    marks = board.marks
    assert marks is not None  # noqa: S101 - asked for by the reader
    parts = [mark.part for mark in here]
    allowed = np.array([_allows(label, parts) for label in board.cell_labels])
    if not allowed.any():  # marks that exclude one another: a piece between two cells
        return np.asarray((1 - _DOUBT) * p + _DOUBT / len(p))
    missed = np.array([_missed(label, marks, parts, small) for label in board.cell_labels])
    whole = all(part in marks.ids or part == COVERED for label in board.cell_labels for part in label.single.parts())
    among = allowed * missed * np.maximum(p, (_LEAST if whole else _LEAST_MIXED) * p[allowed].max())
    right = _RIGHT if min(mark.module_px for mark in here) >= SURE_MODULE_PX else _SMALL_RIGHT
    return np.asarray(right * among / among.sum() + (1 - right) * p)


def _allows(label: Label, parts: Sequence[str]) -> bool:
    """Return whether all parts seen can be if a label is right; of a covered card one mark may show."""
    own = label.single.parts()
    covered = [part for part in parts if part not in own]
    return not covered or (label.card == COVERED and len(covered) == 1 and parse_label(covered[0]).card != "")


def _missed(label: Label, marks: Marks, parts: Sequence[str], small: Set[str] = frozenset()) -> float:
    """Return how likely it is that those marks of a label that were not among the parts seen were overlooked."""
    own = [part for part in label.single.parts() if part in marks.ids]
    if label.on_card and parts and label.card in own:  # a piece on a card can hide the card's mark
        own.remove(label.card)
    return float(np.prod([_SMALL_MISSED if part in small else _MISSED for part in own if part not in parts]))
