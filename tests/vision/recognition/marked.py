"""Pictures of marked pieces: a board drawn flat with a mark for each part of its labels, seen in perspective."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import msgspec
import numpy as np

from vision.board import Board, Marks
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.labels import parse_label
from vision.simulation.board_art import draw_board
from vision.simulation.canvas import HEADROOM
from vision.simulation.scene import BoardSkin, SceneCamera

PX_PER_MM = 5.0


def marked(board: Board, size_mm: float, height_mm: float = 1.5) -> Board:
    """Return a table with marks for all its labels, on flat paper pieces."""
    parts = dict.fromkeys(part for label in board.cell_labels for part in label.single.parts() if part != "covered")
    pieces = {name: msgspec.structs.replace(piece, height=height_mm) for name, piece in board.pieces.items()}
    marks = Marks(size_mm=size_mm, ids={part: number for number, part in enumerate(parts)})
    return msgspec.structs.replace(board, pieces=pieces, marks=marks)


def picture(
    board: Board, labels: Mapping[str, str], camera: SceneCamera, *, seed: int = 0, torn: tuple[str, ...] = ()
) -> ImageBgr:
    """Draw the uppermost marks of a position, and those of cards beside what stands on them; `torn` ones half."""
    rng = np.random.default_rng(seed)
    printed = draw_board(board, BoardSkin(), rng, PX_PER_MM).astype(np.float32) * HEADROOM
    flat = np.asarray(np.clip(printed, 0, 255), dtype=np.uint8)
    for place, middle in zip(board.places, board.places_mm(), strict=True):
        parts = [part for part in parse_label(labels.get(place, "empty")).single.parts() if part != "covered"]
        for part, off in zip(parts, _places(len(parts)), strict=True):
            _paste(flat, board, part, middle + off * np.asarray(board.grid.pitch), turn=float(rng.uniform(0, 360)))
            if place in torn:
                _tear(flat, middle, board)
    homography = camera.pose.homography(0.0) @ np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])
    table = cv2.warpPerspective(flat, homography, camera.size_wh, flags=cv2.INTER_AREA, borderValue=(90, 110, 120))
    blurred = cv2.GaussianBlur(table, (0, 0), 0.7)
    noisy = blurred + rng.normal(0, 2.5, blurred.shape)
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def _places(parts: int) -> list[Floats]:
    """Return where the marks of a cell are, in cells: that of a card above what stands on it."""
    return [np.zeros(2)] if parts == 1 else [np.array((0.0, -0.25)), np.array((0.0, 0.25))][:parts]


def _paste(flat: ImageBgr, board: Board, part: str, middle_mm: Floats, turn: float) -> None:
    """Lay a mark with its white border on the drawn board."""
    marks = board.marks
    assert marks is not None
    known = cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, marks.dictionary)))
    module = 16
    black = cv2.aruco.generateImageMarker(known, marks.ids[part], 6 * module)
    tile = np.pad(black, module, constant_values=255)
    scale = marks.size_of(part) * PX_PER_MM / (6 * module)
    matrix = cv2.getRotationMatrix2D((len(tile) / 2, len(tile) / 2), turn, scale)
    matrix[:, 2] = matrix[:, 2] + middle_mm * PX_PER_MM - len(tile) / 2
    size = flat.shape[1::-1]
    levels = cv2.warpAffine(tile, matrix, size, flags=cv2.INTER_LINEAR)
    covered = cv2.warpAffine(np.full_like(tile, 255), matrix, size) > 127
    flat[covered] = (levels[covered].astype(np.float32) * 0.85 + 15)[:, None]


def _tear(flat: ImageBgr, middle_mm: Floats, board: Board) -> None:
    """Cover a part of what is on a cell with something grey."""
    assert board.marks is not None
    x, y = np.rint(middle_mm * PX_PER_MM).astype(int)
    half = round(board.marks.size_mm * PX_PER_MM * 0.8)
    flat[y - half : y + half, x : x + half] = (128, 128, 128)
