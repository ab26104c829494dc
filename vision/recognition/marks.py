"""Marked pieces: small square markers on the pieces of a table, whose ids are parts of labels.

They are searched for once, in the part of the picture that shows the board. What they say of its cells is weighed in
`vision.recognition.mark_evidence`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import cv2
import numpy as np

from vision.board import Board, Marks
from vision.board_sections import PieceSize
from vision.geometry import Floats, Pose
from vision.localization.locate import ScaledImage
from vision.localization.markers import detector, modules_of

SURE_MODULE_PX = 5.0
"""Pixels along a module of a mark from which on its id is certain."""

_SIZE_SLACK = 0.3
"""Part by which a mark may look larger or smaller than declared: it is taken to be flat, at its piece's height."""

_FARTHEST = 0.75
"""How far from a cell's middle a mark may be, in cells."""

_HIGHEST = 2.5
"""Height up to which marks on heads are searched for, in cells."""

_SEARCHED_PX = 6.0
"""Pixels a module to which a finer picture is reduced before the search."""

_EXACTLY: Mapping[str, float] = {
    "errorCorrectionRate": 0.0,
    "maxErroneousBitsInBorderRate": 0.1,
    "minMarkerPerimeterRate": 0.01,
    "maxMarkerPerimeterRate": 1.0,
    "minMarkerDistanceRate": 0.02,
    "perspectiveRemovePixelPerCell": 6,
    "perspectiveRemoveIgnoredMarginPerCell": 0.2,
}
"""Settings of the search by which no wrong bit is accepted: codes of so few modules differ little."""


@dataclass(frozen=True, slots=True)
class SeenMark:
    """A mark on a piece: its part of a label, its place, and how wide its modules are in pixels where narrowest."""

    part: str
    place: str
    module_px: float


@dataclass(frozen=True, slots=True, eq=False)
class MarkSearch:
    """The result of a search for marks: those that were read, and the corners of other squares, float64 (n, 4, xy)."""

    seen: tuple[SeenMark, ...]
    unread_px: Floats


def find_marks(scaled: ScaledImage, board: Board, marks: Marks, pose: Pose) -> MarkSearch:
    """Find the marks on a board whose pose is known, by one search in the part of the picture that shows it."""
    # 1. Cut out the cells, reduced as far as the marks allow.
    px, half = modules_px(board, marks, pose), np.asarray(board.grid.pitch) * 0.75
    high = _HIGHEST * max(board.grid.pitch) if marks.raised else max(piece.height for piece in board.pieces.values())
    middles = board.places_mm()
    corners_mm = np.concatenate([middles + half * sign for sign in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    outline = np.concatenate([pose.project_at(corners_mm, height) for height in (0.0, high)])
    size_wh = np.array(scaled.gray.shape[::-1])
    low, end = (np.clip(np.rint(edge), 0, size_wh).astype(int) for edge in (outline.min(axis=0), outline.max(axis=0)))
    window = np.ascontiguousarray(scaled.gray[low[1] : end[1], low[0] : end[0]])
    ratio = float(np.clip(_SEARCHED_PX / max(float(px.min()), 0.1), 0.1, 1.0))
    if ratio > 0.9:
        ratio = 1.0
    elif min(window.shape):
        window = np.asarray(cv2.resize(window, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA), np.uint8)
    if min(window.shape) < 4 * modules_of(marks.dictionary):
        return MarkSearch((), np.zeros((0, 4, 2)))
    # 2. The side of the squares about each pixel by which light and dark are distinguished: three modules, odd.
    block_px = 2 * round(max(3.0 * (float(np.median(px)) * ratio), 5.0) / 2) + 1
    # 3. Search; a mark counts if its id is a part's.
    found_by = detector(
        marks.dictionary, adaptiveThreshWinSizeMin=block_px, adaptiveThreshWinSizeMax=block_px, **_EXACTLY
    )
    corners, ids, unread = found_by.detectMarkers(window)
    parts = {number: part for part, number in marks.ids.items()}
    known = (
        [(parts[int(n)], c) for n, c in zip(np.ravel(ids), corners, strict=True) if int(n) in parts] if corners else []
    )
    found_px = (np.reshape([c for _part, c in known], (-1, 4, 2)) + 0.5) / ratio - 0.5 + low
    seen = _seen([part for part, _corners in known], found_px, board, marks, pose)
    unread_px = (np.asarray(unread, np.float64).reshape(-1, 4, 2) + 0.5) / ratio - 0.5 + low
    return MarkSearch(tuple(seen), unread_px)


def unread_places(unread_px: Floats, parts: Set[str], board: Board, marks: Marks, pose: Pose) -> Set[str]:
    """Return the places of squares that may be marks of some parts by their size, given their corners (n, 4, xy)."""
    places: set[str] = set()
    sizes = {(marks.size_of(part), height_mm(board, part)) for part in parts} if len(unread_px) else set()
    for size, height in sizes:
        places |= set(_on_places(unread_px, size, height, board, pose)[1])
    return places - {""}


def _seen(parts: Sequence[str], corners_px: Floats, board: Board, marks: Marks, pose: Pose) -> Iterator[SeenMark]:
    """Yield the marks with corners (n, 4, xy) that are on a cell and have the declared size."""
    sizes = np.array([marks.size_of(part) for part in parts])
    seen_mm: float | None = None
    if marks.raised and len(corners_px):
        # The common height of all marks: seen on the board's plane, one at height h is larger than it is by
        #   H / (H - h), with the camera at height H.
        on_board = pose.unproject(corners_px.reshape(-1, 2), 0.0).reshape(-1, 4, 2)
        sides_mm = np.linalg.norm(on_board - np.roll(on_board, 1, axis=1), axis=2).mean(axis=1)
        seen_mm = float(max(0.0, np.median(pose.eye_mm[2] * (1 - sizes / sides_mm))))
    heights = [height_mm(board, part) if seen_mm is None else seen_mm for part in parts]
    shapes = list(zip(sizes.tolist(), heights, strict=True))
    for size, height in dict.fromkeys(shapes):
        rows = [row for row, shape in enumerate(shapes) if shape == (size, height)]
        middles, places = _on_places(corners_px[rows], size, height, board, pose)
        each_px = modules_at(middles, size / modules_of(marks.dictionary), pose)  # corners are less exact
        for row, place, module_px in zip(rows, places, each_px, strict=True):
            if place:
                yield SeenMark(parts[row], place, float(module_px))


def _on_places(corners_px: Floats, size: float, height: float, board: Board, pose: Pose) -> tuple[Floats, list[str]]:
    """Return the middles in mm (n, xy) of squares with these corners (n, 4, xy) at a height, and the place of each.

    The place is "" if its middle is on none, or it is larger or smaller than `size`.
    """
    on_board = pose.unproject(corners_px.reshape(-1, 2), height).reshape(-1, 4, 2)
    sides_mm = np.linalg.norm(on_board - np.roll(on_board, 1, axis=1), axis=2)
    fits, middles, places = (np.abs(sides_mm / size - 1) <= _SIZE_SLACK).all(axis=1), on_board.mean(axis=1), []
    for fit, middle in zip(fits, middles, strict=True):
        off = (np.abs(board.places_mm() - middle) / np.asarray(board.grid.pitch)).max(axis=1)
        nearest = int(off.argmin())
        places.append(board.places[nearest] if fit and off[nearest] <= _FARTHEST else "")
    return middles, places


def all_are_marked(board: Board, marks: Marks) -> bool:
    """Return whether every label of a table but that of an empty place has a part that bears a mark."""
    return all(label.is_empty or marks.ids.keys() & set(label.single.parts()) for label in board.cell_labels)


def height_mm(board: Board, part: str) -> float:
    """Return the height of the piece that a part names; 0 for a card."""
    piece = piece_of_part(board, part)
    return piece.height if piece else 0.0


def piece_of_part(board: Board, part: str) -> PieceSize | None:
    """Return the piece that a part of a label names; None for a card."""
    for name, piece in board.pieces.items():
        if (part.startswith(f"{name}-") and piece.on) or part in map(str, board.labels_of(name)):
            return piece
    return None


def modules_px(board: Board, marks: Marks, pose: Pose) -> Floats:
    """Return how wide modules of the smallest marks are on each place where they are narrowest, float64 (n_places,)."""
    size = min((marks.size_of(part) for part in marks.ids), default=marks.size_mm)
    return modules_at(board.places_mm(), size / modules_of(marks.dictionary), pose)


def modules_at(middles_mm: Floats, module_mm: float, pose: Pose) -> Floats:
    """Return how wide modules of a size are at points of the board (n, xy) where narrowest, in pixels, float64 (n,)."""
    ways = ((0, 0), (1, 0), (0, 1))
    start, right, down = (pose.project_at(middles_mm + np.array(way) * module_mm, 0.0) for way in ways)
    # A square seen aslant is narrowest by the smaller singular value, whichever way it is turned on its place.
    return np.asarray(np.linalg.svd(np.stack([right - start, down - start], axis=1), compute_uv=False)[..., -1])
