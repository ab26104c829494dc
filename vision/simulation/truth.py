"""The truth of a scene: labels, cards, and what hands and mugs hide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.geometry import Floats
from vision.labels import EMPTY, Label, parse_label
from vision.recognition.cards.words import CARD_MM
from vision.simulation.canvas import Mask
from vision.simulation.figures_draw import placed, surface_points
from vision.simulation.occluders import coverage, front_mm
from vision.simulation.pieces import body_of, shape_of
from vision.simulation.scene import Scene, SceneCamera, ScenePiece

PLAIN = "plain"
"""The colour of pieces that have none of their own."""

_MIDDLE_SHARE = 0.3  # an empty cell is seen when this part of its pitch about its middle is


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The perfect reading.

    Attributes:
        labels: the label of each place, in the order of the board's places.
        visible: float64 (n_places,), the share of each place's piece (or of an empty one's middle) that no hand, mug
            or edge of the picture hides.
    """

    labels: tuple[str, ...]
    visible: Floats

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Return a mask of the places of which less than half is visible, bool (n_places,)."""
        return self.visible < 0.5


def truth_of(scene: Scene) -> Truth:
    """Return what is true of a scene."""
    board = scene.board
    by_cell = {p.cell: p for p in sorted(scene.pieces, key=lambda p: p.z_mm) if p.cell is not None}
    stacked = Counter(p.cell for p in scene.pieces)
    covers = [(front_mm(o, scene.camera), coverage(o, scene.camera)) for o in scene.occluders]
    middles = dict(zip(board.places, board.places_mm(), strict=True))
    # points on each cell's topmost piece, or round its own middle
    half_mm, points = (min(board.grid.pitch) * _MIDDLE_SHARE,) * 2, []
    for cell in board.places:
        piece = by_cell.get(cell)
        if piece is None:
            points.append(_spread(middles[cell], half_mm, 7))
            continue
        own = scene.figures.get(piece.kind)
        mesh = body_of(shape_of(scene, piece)) if own is None else own.mesh
        points.append(surface_points(placed(piece, mesh), scene.camera.pose.eye_mm))
    return Truth(
        tuple(label_of(board, by_cell.get(cell), stacked[cell]) for cell in board.places),
        np.array([seen_share(scene.camera, covers, p) for p in points]),
    )


def _spread(middle: Floats, half_mm: Sequence[float] | Floats, number: int) -> Floats:
    """Return a square grid of points (n, xyz) on the table, up to `half_mm` from their middle along x and y."""
    x, y = np.meshgrid(*(m + half * np.linspace(-1, 1, number) for m, half in zip(middle, half_mm, strict=True)))
    return np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])


def seen_share(camera: SceneCamera, covers: list[tuple[float, Mask]], points_mm: Floats) -> float:
    """Return the share of points that are in the picture and not hidden."""
    pixels = np.round(camera.pose.project(points_mm)).astype(int)
    width, height = camera.size_wh
    free = (pixels >= 0).all(axis=1) & (pixels[:, 0] < width) & (pixels[:, 1] < height)
    x, y = np.clip(pixels, 0, (width - 1, height - 1)).T
    away = float(np.hypot(*(points_mm[:, :2].mean(axis=0) - camera.pose.eye_mm[:2])))
    for distance, mask in covers:
        if distance < away:
            free &= mask[y, x] < 128
    return float(free.mean())


def label_of(board: Board, piece: ScenePiece | None, stacked: int = 1) -> str:
    """Return the label of a cell with a stack of this piece; "empty" if the table has no such label."""
    if piece is None:
        return EMPTY
    seats = ((label, board.seat_of(label)) for label in board.labels_of(piece.kind))
    one = next((label for label, seat in seats if seat is None or seat.colour == piece.colour), Label())
    stack = replace(one, height=stacked)
    return str(next((label for label in (stack, one) if label in board.cell_labels), Label()))


def piece_of_label(board: Board, word: str) -> tuple[str, str] | None:
    """Return the kind and the colour of a label's piece; None for an empty cell or a card.

    A piece without a colour has the colour "plain".
    """
    label = parse_label(word)
    kind, seat = board.piece_of(label), board.seat_of(label)
    return None if kind is None else (kind, seat.colour if seat else PLAIN)


def stand_pieces(
    board: Board, labels: Mapping[str, str], rng: np.random.Generator, *, jitter_mm: float = 0.5
) -> tuple[ScenePiece, ...]:
    """Return the labelled pieces on their cells.

    Each deviates from the middle by about `jitter_mm` and has its own tone. A piece in a hole deviates by at most
    1.5 mm and leans as much; a flat one may deviate much farther.
    """
    pieces: list[ScenePiece] = []
    for cell, middle in zip(board.places, board.places_mm(), strict=True):
        off, lean = np.clip(rng.normal(0, jitter_mm, (2, 2)), -1.5, 1.5).tolist()
        tone = _tone(rng)
        label = labels.get(cell, EMPTY)
        found = piece_of_label(board, label)
        if found is None:
            continue
        if board.pieces[found[0]].shape == "disc":
            slack_mm = 0.2 * jitter_mm * min(board.grid.pitch)
            # A place evenly spread over a disc about a middle
            angle, away = rng.uniform(0, 2 * np.pi), slack_mm * np.sqrt(rng.random())
            lowest_mm = middle + away * np.array([np.cos(angle), np.sin(angle)])
            # each of a stack nearly over the lowest, with a random rotation
            for level in range(parse_label(label).height):
                x, y = (float(v) for v in rng.normal(lowest_mm, 0.5))
                turn = float(rng.uniform(0, 2 * np.pi))
                z_mm = level * board.pieces[found[0]].height
                pieces.append(ScenePiece(*found, x, y, z_mm, cell, tone=_tone(rng), turn_rad=turn))
        else:
            x, y = float(middle[0] + off[0]), float(middle[1] + off[1])
            leans = (lean[0], lean[1]) if board.pieces[found[0]].shape == "tee" else (0.0, 0.0)
            pieces.append(ScenePiece(*found, x, y, cell=cell, lean_mm=leans, tone=tone))
    return tuple(pieces)


def _tone(rng: np.random.Generator) -> float:
    return float(np.clip(rng.normal(1, 0.04), 0.85, 1.15))


@dataclass(frozen=True, slots=True, eq=False)
class CardTruth:
    """The perfect reading of cards, in the order of the board's cells.

    Attributes:
        labels: the board's words, "" without a card.
        place: float64 (n_cells, 3): the offset of the card's middle from the cell's (x, y) in mm, and its rotation
            clockwise in radians, modulo half a turn; NaN without a card.
        visible: float64 (n_cells,), the share of each card's rectangle that no hand, mug or edge of the picture hides.
    """

    labels: tuple[str, ...]
    place: Floats
    visible: Floats


def card_truth_of(scene: Scene) -> CardTruth:
    """Return what is true of a scene.

    Raises:
        ValueError: the scene has no cards.
    """
    if scene.layout is None:
        message = "this scene's table has no cards"
        raise ValueError(message)
    board = scene.board
    cards = {card.cell: card for card in scene.layout.cards}
    places = np.full((len(board.cells), 3), np.nan)
    for row, (cell, middle) in enumerate(zip(board.cells, board.centres_mm(), strict=True)):
        if card := cards.get(cell):
            turn = (card.turn_rad + np.pi / 2) % np.pi - np.pi / 2
            places[row] = card.x_mm - middle[0], card.y_mm - middle[1], turn
    covers = [(front_mm(o, scene.camera), coverage(o, scene.camera)) for o in scene.occluders]
    half_mm = 0.45 * np.array(CARD_MM)
    middles = board.centres_mm() + np.nan_to_num(places[:, :2])
    visible = [seen_share(scene.camera, covers, _spread(middle, half_mm, 9)) for middle in middles]
    flags = {tile.cell: tile.suit for tile in scene.layout.tiles}
    pawns = {piece.cell: piece.colour for piece in scene.pieces if piece.kind == "pawn"}
    labels = []
    for cell in board.cells:
        lying = f"covered+flag-{flags[cell]}" if cell in flags else cards[cell].word if cell in cards else ""
        labels.append(f"{lying}+pawn-{pawns[cell]}" if cell in pawns else lying)
    return CardTruth(tuple(labels), places, np.array(visible))
