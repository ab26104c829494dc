"""Pictures of any table file, drawn with OpenCV from its measures: plain shapes, no renderer that we train on."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.board import Board, Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats, Lens, Pose
from vision.labels import parse_label

SIZE_WH = (1640, 1232)
_ROUND = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 40, endpoint=False)])


def pose_towards(at_mm: tuple[float, float], tilt_deg: float, turn_deg: float, distance_mm: float, lens: Lens) -> Pose:
    """Return the pose of a board, turned before a camera that looks at a point from a tilt off the vertical."""
    tilt, turn = np.radians(tilt_deg), np.radians(turn_deg)
    forward = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), -np.cos(tilt)])
    right = np.array([-np.sin(turn), np.cos(turn), 0.0])
    # The board's frame is left-handed: down is right x forward with the sign that makes straight down plain.
    matrix = np.array([right, np.cross(right, forward), forward])
    return Pose.from_matrix(lens, matrix, np.array([*at_mm, 0.0]) - forward * distance_mm)


def pose_above(board: Board, slant_deg: float = 20.0, away: float = 2.2, size_wh: tuple[int, int] = SIZE_WH) -> Pose:
    """Return the pose of a board before a camera that looks at its middle from that many board widths away."""
    (width, height), lens = board.size, Lens(0.9 * size_wh[0], Lens.middle_of(size_wh))
    return pose_towards((width / 2, height / 2), slant_deg, -90.0, away * max(board.size), lens)


def draw(
    board: Board,
    labels: Mapping[str, str] = {},
    pose: Pose | None = None,
    *,
    size_wh: tuple[int, int] = SIZE_WH,
    ground: Rgb = (206, 170, 110),
    dark: Rgb | None = None,
    seed: int = 0,
    loose: float = 0.0,
) -> ImageBgr:
    """Draw a table with discs: a coloured ground, its lines or its chequers, the markers and what is on the cells.

    `loose` is how far discs lie from the middle of their cells at most, in cells, along the columns and the rows.
    """
    pose = pose or pose_above(board, size_wh=size_wh)
    image = np.full((size_wh[1], size_wh[0], 3), (92, 100, 104), np.uint8)
    width, height = board.size
    _fill(image, pose, np.array([(0, 0), (width, 0), (width, height), (0, height)]), 0.0, ground)
    half = np.asarray(board.grid.pitch) / 2
    middles = dict(zip(board.places, board.places_mm(), strict=True))
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    for number, middle in enumerate(middles.values()) if not board.grid.lines else ():
        is_dark = (number + number // board.grid.columns * (1 - board.grid.columns % 2)) % 2 == 1
        if dark is not None and is_dark:
            _fill(image, pose, middle + half * square, 0.0, dark)
        outline = np.rint(16 * pose.project_at(middle + half * square, 0.0)).astype(np.int32)
        cv2.polylines(image, [outline], True, (60, 70, 80), 1, cv2.LINE_AA, 4)
    for line in board.grid.lines:
        ends = np.rint(16 * pose.project_at([middles[line[0]], middles[line[-1]]], 0.0)).astype(np.int32)
        cv2.line(image, ends[0], ends[1], (40, 50, 60), 2, cv2.LINE_AA, 4)
    for marker, corners_mm in zip(board.markers.each, board.markers.corners_mm(), strict=True):
        paste_marker(image, pose, board.markers.dictionary, marker.id, corners_mm)
    rng = np.random.default_rng(seed)
    noise = rng.normal(0.0, 2.5, image.shape)
    for cell, label in sorted(labels.items(), key=lambda one: middles[one[0]][1]):
        _disc(image, pose, board, middles[cell] + loose * rng.uniform(-2.0, 2.0, 2) * half, label)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


def paste_marker(
    image: ImageBgr, pose: Pose, dictionary: str, number: int, corners_mm: Floats, height_mm: float = 0.0
) -> None:
    """Draw a marker on white paper, its black square's corners on the board plane given in mm, (4, xy)."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    modules = known.markerSize + 2
    bits = cv2.aruco.generateImageMarker(known, number, 16 * modules)
    bits = cv2.copyMakeBorder(bits, 16, 16, 16, 16, cv2.BORDER_CONSTANT, value=255)
    middle = corners_mm.mean(axis=0)
    paper = middle + (corners_mm - middle) * (modules + 2) / modules
    side = len(bits)
    source = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    target = pose.project_at(paper, height_mm).astype(np.float32)
    to_image = cv2.getPerspectiveTransform(source, target)
    size_wh = (image.shape[1], image.shape[0])
    there = cv2.warpPerspective(np.full_like(bits, 255), to_image, size_wh, flags=cv2.INTER_AREA)
    drawn = cv2.warpPerspective(np.where(bits > 127, 236, 26).astype(np.uint8), to_image, size_wh, flags=cv2.INTER_AREA)
    image[there > 127] = drawn[there > 127][:, None]


def _fill(image: ImageBgr, pose: Pose, outline_mm: Floats, height_mm: float, rgb: Rgb) -> None:
    outline = np.rint(16 * pose.project_at(outline_mm, height_mm)).astype(np.int32)
    cv2.fillConvexPoly(image, outline, tuple(reversed(rgb)), cv2.LINE_AA, 4)


def _disc(image: ImageBgr, pose: Pose, board: Board, middle: Floats, label: str) -> None:
    """Draw a disc's side, darker, and its top."""
    known = parse_label(label)
    piece, seat = board.pieces[board.piece_of(known) or ""], board.seat_of(known)
    rgb = seat.rgb if seat else (piece.rgb or (128, 128, 128))
    outline = middle + (piece.diameter or piece.size or 0.0) / 2 * _ROUND
    side = tuple(int(0.7 * value) for value in rgb)
    for height in np.linspace(0.0, piece.height, 6):
        _fill(image, pose, outline, float(height), (side[0], side[1], side[2]) if height < piece.height else rgb)
