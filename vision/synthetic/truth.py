"""What is true of a scene: labels, what hands and mugs hide, and where the markers are in the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.geometry import Floats
from vision.synthetic.lighting import Mask
from vision.synthetic.occluders import coverage, front_mm
from vision.synthetic.pieces import sample_points, shape_of
from vision.synthetic.scene import Camera, Scene, ScenePiece

_MIDDLE_SHARE = 0.3  # an empty cell is seen when this part of its pitch about its middle is


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What a perfect reader would say.

    Attributes:
        labels: the label of each cell, in the order of the board's cells.
        visible: float64 (n_cells,), the share of each cell's piece (or of an empty cell's middle) that no hand, mug
            or edge of the picture hides.
        markers_px: float64 (4 markers, 4 corners, xy).
        markers_visible: float64 (4,), the share of each marker, white border included, that can be seen.
    """

    labels: tuple[str, ...]
    visible: Floats
    markers_px: Floats
    markers_visible: Floats

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Cells of which less than half can be seen, bool (n_cells,)."""
        return self.visible < 0.5


def truth_of(scene: Scene) -> Truth:
    """Tell what is true of a scene."""
    board, by_cell = scene.board, {p.cell: p for p in scene.pieces if p.cell is not None}
    covers = [(front_mm(o, scene.camera), coverage(o, scene.camera)) for o in scene.occluders]
    middles = dict(zip(board.cells, board.centres_mm(), strict=True))
    points = [_cell_points(scene, by_cell.get(cell), middles[cell]) for cell in board.cells]
    corners = board.markers.corners_mm().reshape(-1, 2)
    return Truth(
        tuple(label_of(board, by_cell.get(cell)) for cell in board.cells),
        np.array([_seen(scene.camera, covers, p) for p in points]),
        scene.camera.pose.project_at(corners, 0.0).reshape(4, 4, 2),
        np.array([_seen(scene.camera, covers, _marker_points(scene, i)) for i in range(4)]),
    )


def _cell_points(scene: Scene, piece: ScenePiece | None, middle: Floats) -> Floats:
    """Points (n, xyz) that stand for a cell: its piece's surface, or its own middle."""
    if piece is not None:
        return sample_points(scene.camera.pose, shape_of(scene, piece), piece)
    return _patch(middle, min(scene.board.grid.pitch) * _MIDDLE_SHARE)


def _marker_points(scene: Scene, index: int) -> Floats:
    markers = scene.board.markers
    return _patch(np.array(markers.centres[index]), markers.side / 2 + scene.skin.quiet_mm * 0.5)


def _patch(middle: Floats, half_mm: float) -> Floats:
    steps = np.linspace(-half_mm, half_mm, 7)
    x, y = np.meshgrid(middle[0] + steps, middle[1] + steps)
    return np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])


def _seen(camera: Camera, covers: list[tuple[float, Mask]], points_mm: Floats) -> float:
    """Share of points that lie in the picture and behind nothing."""
    pixels = np.round(camera.pose.project(points_mm)).astype(int)
    width, height = camera.size_wh
    free = (pixels >= 0).all(axis=1) & (pixels[:, 0] < width) & (pixels[:, 1] < height)
    x, y = np.clip(pixels, 0, (width - 1, height - 1)).T
    away = float(np.hypot(*(points_mm[:, :2].mean(axis=0) - camera.pose.eye_mm[:2])))
    for distance, mask in covers:
        if distance < away:
            free &= mask[y, x] < 128
    return float(free.mean())


def label_of(board: Board, piece: ScenePiece | None) -> str:
    """Give the label of a cell with this piece, by the words of the table file."""
    if piece is None:
        return "empty"
    spellings = (f"{piece.colour}-{piece.kind}", f"{piece.kind}-{piece.colour}", piece.colour, piece.kind)
    return next((word for word in spellings if word in board.label_words), "empty")


def piece_of_label(board: Board, label: str) -> tuple[str, str] | None:
    """Give the kind and the colour of the piece that a label tells of, or None for an empty cell or a card."""
    words = label.split("-")
    kind = next((word for word in words if word in board.pieces), None)
    colour = next((word for word in words if word in _colours(board)), None)
    if kind is None and colour is None:
        return None
    return kind or next(iter(board.pieces)), colour or "plain"


def _colours(board: Board) -> tuple[str, ...]:
    return board.colours if board.saved is None else (*board.colours, board.saved.colour)


def stand_pieces(
    board: Board, labels: Mapping[str, str], rng: np.random.Generator, *, jitter_mm: float = 0.5
) -> tuple[ScenePiece, ...]:
    """Stand the labelled pieces in their cells.

    Each is off the middle by about `jitter_mm` (1.5 mm at most), leans as much, and has a tone of its own.
    """
    pieces = []
    for cell, middle in zip(board.cells, board.centres_mm(), strict=True):
        found = piece_of_label(board, labels.get(cell, "empty"))
        off, lean = np.clip(rng.normal(0, jitter_mm, (2, 2)), -1.5, 1.5).tolist()
        tone = float(np.clip(rng.normal(1, 0.04), 0.85, 1.15))
        if found is not None:
            x, y = float(middle[0] + off[0]), float(middle[1] + off[1])
            pieces.append(ScenePiece(*found, x, y, cell=cell, lean_mm=(lean[0], lean[1]), tone=tone))
    return tuple(pieces)
