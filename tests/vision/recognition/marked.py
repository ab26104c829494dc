"""Pictures of marked pieces: a drawn board with a mark for each part of its labels, seen in perspective."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import msgspec
import numpy as np

from tests.narrow import there
from tests.vision.drawn_tables import draw, paste_marker
from vision.board import Board, Marks
from vision.frame import ImageBgr
from vision.labels import EMPTY, parse_label
from vision.simulation.scene import SceneCamera

_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2


def marked(board: Board, size_mm: float, height_mm: float = 1.5) -> Board:
    """Return a table with marks for all its labels, on flat paper pieces."""
    parts = dict.fromkeys(part for label in board.cell_labels for part in label.single.parts() if part != "covered")
    pieces = {name: msgspec.structs.replace(piece, height=height_mm) for name, piece in board.pieces.items()}
    marks = Marks(size_mm=size_mm, ids={part: number for number, part in enumerate(parts)})
    return msgspec.structs.replace(board, pieces=pieces, marks=marks)


def picture(board: Board, labels: Mapping[str, str], camera: SceneCamera, *, torn: tuple[str, ...] = ()) -> ImageBgr:
    """Draw the uppermost marks of a position, and those of cards beside what stands on them; `torn` ones half."""
    rng, marks = np.random.default_rng(1), there(board.marks)
    image = draw(board, {}, camera.pose, size_wh=camera.size_wh, seed=1)
    for place, middle in zip(board.places, board.places_mm(), strict=True):
        parts = [part for part in parse_label(labels.get(place, EMPTY)).single.parts() if part != "covered"]
        down = [0.0] if len(parts) == 1 else [-0.25, 0.25]  # of a card and what stands on it, in cells
        for part, off in zip(parts, down, strict=False):
            turn = rng.uniform(0, 2 * np.pi)
            ways = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
            corners = middle + (0.0, off * board.grid.pitch[1]) + marks.size_of(part) * _SQUARE @ ways
            paste_marker(image, camera.pose, marks.dictionary, marks.ids[part], corners)
        if place in torn:
            half = middle + 0.8 * marks.size_mm * (2 * _SQUARE * (0.5, 1) + (0.5, 0))
            cv2.fillConvexPoly(image, np.rint(camera.pose.project_at(half, 0.0)).astype(np.int32), (128, 128, 128))
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8)
