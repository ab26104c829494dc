"""Marked pieces: small square markers on the pieces of a table, whose ids are parts of labels.

They are searched for once, in the part of the picture that shows the board, and weighed beside the other cues: a mark
of at least `SURE_MODULE_PX` a module decides what is on its cell, a smaller one leaves doubt, and where none can be
seen (covered, torn, or people's own pieces) the other cues decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from vision.board import Board, Marks
from vision.geometry import Floats, Pose
from vision.labels import COVERED, Label, parse_label
from vision.localization.locate import Shot
from vision.localization.markers import Gray
from vision.recognition.labeller import Labelled

SURE_MODULE_PX = 5.0
"""Pixels along a module of a mark, from which on its id is relied on."""

_MODULES = 6
"""Modules along the side of a mark, its black frame included."""

_RIGHT, _SMALL_RIGHT = 0.999, 0.9
"""Probability that a mark's id is right, if its modules are large enough, and if they are not."""

_MISSED, _MISSED_BESIDE = 0.03, 0.003
"""Probability that a mark is not found which is large enough: on a cell without any, and beside one that was found."""

_LEAST = 1e-4
"""Part of the most probable label's probability that the other cues leave to every label which a mark allows."""

_SIZE_SLACK = 0.3
"""Part by which a mark may look larger or smaller than declared: it is taken to be flat, at its piece's height."""

_FARTHEST = 0.75
"""How far from a cell's middle a mark may be, in cells."""

_SEARCHED_PX = 6.0
"""Pixels a module to which a finer picture is reduced before the search."""


@dataclass(frozen=True, slots=True)
class SeenMark:
    """A mark on a piece: its part of a label, its place, and the length of its modules in the picture, in pixels."""

    part: str
    place: str
    module_px: float


def find_marks(shot: Shot, board: Board, marks: Marks, pose: Pose) -> tuple[SeenMark, ...]:
    """Find the marks on a board whose pose is known, by one search in the part of the picture that shows it."""
    window, low, ratio = _window(shot.gray, board, marks, pose)
    if min(window.shape) < 4 * _MODULES:
        return ()
    parts = {number: part for part, number in marks.ids.items()}
    corners, ids, _ = _detector(marks.dictionary, _block_px(board, marks, pose, ratio)).detectMarkers(window)
    found = zip(np.ravel(ids), corners, strict=True) if len(corners) else ()
    seen = [
        _seen(parts[int(number)], (np.reshape(c, (4, 2)) + 0.5) / ratio - 0.5 + low, board, marks, pose)
        for number, c in found
        if int(number) in parts
    ]
    return tuple(mark for mark in seen if mark is not None)


def weigh_marks(labelled: Labelled, board: Board, marks: Marks, pose: Pose, seen: tuple[SeenMark, ...]) -> Labelled:
    """Weigh what the other cues say of a table by the marks that were seen on it, and by those that were not."""
    p, p_visible = labelled.p.copy(), labelled.p_visible.copy()
    large = _module_px(board, marks, pose) >= SURE_MODULE_PX
    by_place: dict[str, list[SeenMark]] = {}
    for mark in seen:
        by_place.setdefault(mark.place, []).append(mark)
    for row, place in enumerate(board.places):
        here = by_place.get(place, [])
        if here:
            p[row] = _decided(p[row], board, marks, here)
        elif large[row]:
            p[row] *= [_missed(label, marks, ()) for label in board.cell_labels]
            p[row] /= p[row].sum()
        if any(mark.module_px >= SURE_MODULE_PX for mark in here):
            p_visible[row] = max(p_visible[row], _RIGHT)
    return replace(labelled, p=p, p_visible=p_visible)


def _decided(p: Floats, board: Board, marks: Marks, here: Sequence[SeenMark]) -> Floats:
    """Return the probabilities of one cell's labels, (n_labels,), on which marks were seen: they decide before p."""
    parts = [mark.part for mark in here]
    allowed = np.array([_allows(label, parts) for label in board.cell_labels])
    if not allowed.any():  # marks that exclude one another: a piece between two cells
        return p
    missed = np.array([_missed(label, marks, parts) for label in board.cell_labels])
    among = allowed * missed * np.maximum(p, _LEAST * p[allowed].max())
    right = _RIGHT if min(mark.module_px for mark in here) >= SURE_MODULE_PX else _SMALL_RIGHT
    return np.asarray(right * among / among.sum() + (1 - right) * p)


def _allows(label: Label, parts: Sequence[str]) -> bool:
    """Return whether all parts seen can be if a label is right; what is covered may show beside what covers it."""
    own = label.single.parts()
    return all(part in own or (label.card == COVERED and parse_label(part).card != "") for part in parts)


def _missed(label: Label, marks: Marks, parts: Sequence[str]) -> float:
    """Return how likely it is that those marks of a label that were not among the parts seen were overlooked."""
    own = [part for part in label.single.parts() if part in marks.ids]
    if label.on_card and parts and label.card in own:  # a piece on a card can hide the card's mark
        own.remove(label.card)
    return float((_MISSED_BESIDE if parts else _MISSED) ** sum(part not in parts for part in own))


def _seen(part: str, corners_px: Floats, board: Board, marks: Marks, pose: Pose) -> SeenMark | None:
    """Place a mark on a cell; None if it is not on one, or not as large as declared."""
    on_board = pose.unproject(corners_px, _height_mm(board, part))
    side_mm = np.linalg.norm(on_board - np.roll(on_board, 1, axis=0), axis=1)
    if (np.abs(side_mm / marks.size_of(part) - 1) > _SIZE_SLACK).any():
        return None
    off = np.abs(board.places_mm() - on_board.mean(axis=0)) / np.asarray(board.grid.pitch)
    place = int(off.max(axis=1).argmin())
    if off[place].max() > _FARTHEST:
        return None
    sides_px = np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1)
    return SeenMark(part, board.places[place], float(sides_px.min()) / _MODULES)


def _height_mm(board: Board, part: str) -> float:
    """Return the height of the piece that a part names; 0 for a card."""
    for name, piece in board.pieces.items():
        if (part.startswith(f"{name}-") and piece.on) or part in map(str, board.labels_of(name)):
            return piece.height
    return 0.0


def _module_px(board: Board, marks: Marks, pose: Pose) -> Floats:
    """Return the length of the smallest marks' modules on each place, where they look shortest, float64 (n_places,)."""
    size = min((marks.size_of(part) for part in marks.ids), default=marks.size_mm)
    middles, step = board.places_mm(), size / _MODULES
    ends = [pose.project_at(middles + np.array(way) * step, 0.0) for way in ((0, 0), (1, 0), (0, 1))]
    return np.asarray(np.min([np.linalg.norm(end - ends[0], axis=1) for end in ends[1:]], axis=0))


def _window(gray: Gray, board: Board, marks: Marks, pose: Pose) -> tuple[Gray, Floats, float]:
    """Cut out the cells, reduced as far as the marks allow: the window, its corner in pixels, and the ratio."""
    half = np.asarray(board.grid.pitch) * 0.75
    middles, high = board.places_mm(), max(piece.height for piece in board.pieces.values())
    corners = np.concatenate([middles + half * sign for sign in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    outline = np.concatenate([pose.project_at(corners, height) for height in (0.0, high)])
    size_wh = np.array(gray.shape[::-1])
    low, end = (np.clip(np.rint(edge), 0, size_wh).astype(int) for edge in (outline.min(axis=0), outline.max(axis=0)))
    window = np.ascontiguousarray(gray[low[1] : end[1], low[0] : end[0]])
    ratio = float(np.clip(_SEARCHED_PX / max(float(_module_px(board, marks, pose).min()), 0.1), 0.1, 1.0))
    if ratio > 0.9 or min(window.shape) == 0:
        return window, low.astype(np.float64), 1.0
    reduced = cv2.resize(window, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, dtype=np.uint8), low.astype(np.float64), ratio


def _block_px(board: Board, marks: Marks, pose: Pose, ratio: float) -> int:
    """Return the side of the squares about each pixel by which light and dark are distinguished: three modules, odd."""
    module = float(np.median(_module_px(board, marks, pose))) * ratio
    return 2 * round(max(3.0 * module, 5.0) / 2) + 1


@lru_cache
def _detector(dictionary: str, block_px: int) -> cv2.aruco.ArucoDetector:
    """Make a detector that accepts no wrong bit: codes of so few modules differ little."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.errorCorrectionRate = 0.0
    parameters.maxErroneousBitsInBorderRate = 0.1
    parameters.minMarkerPerimeterRate = 0.01
    parameters.maxMarkerPerimeterRate = 1.0
    parameters.minMarkerDistanceRate = 0.02
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = block_px
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, dictionary))), parameters)
