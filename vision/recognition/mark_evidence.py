"""What marks say of the cells of a table, weighed beside what the other cues say.

A mark of at least `SURE_MODULE_PX` a module decides what is on its cell; a smaller one leaves doubt. Where none is
found the other cues decide: with doubt where a mark can be covered, torn, outshone or too small, and certainly where
nothing as black as a mark is to be seen.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, Marks
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.labels import COVERED, Label, parse_label
from vision.recognition.labeller import Labelled
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

_STEPS = 4
"""Samples along a module in the cell that is searched for black."""

_REACH = 0.6
"""Half the side of the square in which black is searched for, over the side of the largest mark."""

_BLACK = 0.45
"""Level of each colour over that of the white beside it, below which a pixel is as dark as a mark's black."""

_BLACK_SHARE = 0.16
"""Part of the square that one black thing has where half of a mark can be seen: its frame holds together, and two
digits do not. Strokes thinner than a module do not count."""

_BRIGHT, _BRIGHT_SHARE = 250, 0.3
"""Level from which on a colour may be brighter than the picture can show, and the share of such pixels from which on a
lamp's mirror image may be on a cell."""

_VEILED, _OUTSHONE = 0.65, 0.8
"""Level of the darkest print on a bright cell, from which on black is veiled, and from which on nothing can be seen."""

_VEILED_BLACK = 0.9
"""As `_BLACK`, where black is veiled."""


def weigh_marks(
    labelled: Labelled, image_bgr: ImageBgr, board: Board, pose: Pose, seen: tuple[SeenMark, ...]
) -> Labelled:
    """Weigh what the other cues say of a table with marks by those that were seen on it, and by those that were not.

    Args:
        labelled: what the other cues say.
        image_bgr: the picture, uint8 (height, width, 3).
        board: the table, with marks.
        pose: of the board in the picture.
        seen: the marks that were found.
    """
    marks = board.marks
    assert marks is not None  # noqa: S101 - asked for by the reader
    p, p_visible = labelled.p.copy(), labelled.p_visible.copy()
    missed = np.array([_missed(label, marks, ()) for label in board.cell_labels])
    bare = np.zeros(len(p), np.bool_) if (missed < 1).all() else _without_marks(image_bgr, board, marks, pose)
    by_place: dict[str, list[SeenMark]] = {}
    for mark in seen:
        by_place.setdefault(mark.place, []).append(mark)
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


def _without_marks(image_bgr: ImageBgr, board: Board, marks: Marks, pose: Pose) -> NDArray[np.bool_]:
    """Return where it can be seen that there is no mark, bool (n_places,): nothing is black, outshone or too small."""
    large = modules_px(board, marks, pose) >= SURE_MODULE_PX
    if not large.any():
        return large
    cells, middle = _cells(image_bgr, board, marks, pose)
    is_bright = bool(np.median(np.quantile(cells.max(axis=3), 0.9, axis=(1, 2))) >= _BRIGHT)
    return np.asarray(large & [_is_bare(cell, middle, whole_is_bright=is_bright) for cell in cells])


def _is_bare(cell_bgr: ImageBgr, middle: slice, *, whole_is_bright: bool) -> bool:
    """Return whether nothing in the middle of a cell, uint8 (side, side, bgr), can be a mark or half of one.

    On a table that is bright all over, the print round the middle shows whether black can be seen, too.
    """
    brightest = cell_bgr.max(axis=2)
    black = _BLACK
    if (brightest[middle, middle] >= _BRIGHT).mean() >= _BRIGHT_SHARE:
        print_on = brightest if whole_is_bright else brightest[middle, middle]
        darkest = float(np.quantile(print_on, 0.005)) / 255
        if darkest > _OUTSHONE:
            return False
        black = _VEILED_BLACK if darkest > _VEILED else _VEILED
    return _black_share(cell_bgr, middle, black) < _BLACK_SHARE


def _black_share(cell_bgr: ImageBgr, middle: slice, black: float) -> float:
    """Return the share of the largest thing that is black, and at least a module wide, in the middle of a cell."""
    white = np.quantile(cell_bgr.reshape(-1, 3), 0.9, axis=0)
    dark = np.asarray((cell_bgr < black * white).all(axis=2), np.uint8)
    wide = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((_STEPS - 1, _STEPS - 1), np.uint8))[middle, middle]
    _count, parts = cv2.connectedComponents(np.ascontiguousarray(wide, np.uint8), connectivity=4)
    return float(np.bincount(parts.ravel(), minlength=2)[1:].max()) / parts.size


def _cells(image_bgr: ImageBgr, board: Board, marks: Marks, pose: Pose) -> tuple[NDArray[np.uint8], slice]:
    """Sample each place and its edges, uint8 (n_places, side, side, bgr), and name the part that a mark can be in."""
    step = min(marks.size_of(part) for part in marks.ids) / 6 / _STEPS
    reach, inner = 0.55 * min(board.grid.pitch), _REACH * max(marks.size_of(part) for part in marks.ids)
    count = round(reach / step)
    off = np.arange(-count, count + 1) * step
    points = (board.places_mm()[:, None] + np.stack(np.meshgrid(off, off), axis=-1).reshape(-1, 2)).reshape(-1, 2)
    at = pose.project_at(points, 0.0).astype(np.float32).reshape(-1, len(off), 2)
    cells = cv2.remap(image_bgr, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    edge = max(0, count - round(inner / step))
    middle = slice(edge, 2 * count + 1 - edge)
    return np.asarray(cells, np.uint8).reshape(len(board.places), len(off), len(off), 3), middle


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
