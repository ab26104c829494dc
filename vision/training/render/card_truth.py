"""What is true of a scene with cards: where each is, what covers it, and how much of it can be seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats
from vision.simulation.occluders import coverage, front_mm
from vision.simulation.scene import Scene, SceneCard
from vision.simulation.truth import seen_share


@dataclass(frozen=True, slots=True, eq=False)
class CardTruth:
    """What a perfect reader would say, in the order of the board's cells.

    Attributes:
        labels: words as on the board, "" where no card is.
        place: float64 (n_cells, 3): the card's middle off the cell's (x, y) in mm, and its turn clockwise in radians,
            half a turn counting as none; NaN where no card is.
        visible: float64 (n_cells,), the share of each card's rectangle that no hand, mug or edge of the picture hides.
    """

    labels: tuple[str, ...]
    place: Floats
    visible: Floats


def card_truth_of(scene: Scene) -> CardTruth:
    """Return what is true of a scene.

    Raises:
        ValueError: there are no cards on its table.
    """
    if scene.layout is None:
        message = "this scene's table has no cards"
        raise ValueError(message)
    board = scene.board
    cards = {card.cell: card for card in scene.layout.cards}
    places = np.array([_place(cards.get(c), m) for c, m in zip(board.cells, board.centres_mm(), strict=True)])
    covers = [(front_mm(o, scene.camera), coverage(o, scene.camera)) for o in scene.occluders]
    size = scene.layout.card_size_mm
    middles = board.centres_mm() + np.nan_to_num(places[:, :2])
    visible = [seen_share(scene.camera, covers, _rectangle(middle, size)) for middle in middles]
    return CardTruth(_labels(scene, cards), places, np.array(visible))


def _place(card: SceneCard | None, middle: Floats) -> Floats:
    if card is None:
        return np.full(3, np.nan)
    turn = (card.turn_rad + np.pi / 2) % np.pi - np.pi / 2
    return np.array([card.x_mm - middle[0], card.y_mm - middle[1], turn])


def _rectangle(middle: Floats, size_mm: tuple[float, float]) -> Floats:
    """Points (n, xyz) spread over a card's face."""
    x, y = np.meshgrid(*(m + s * np.linspace(-0.45, 0.45, 9) for m, s in zip(middle, size_mm, strict=True)))
    return np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])


def _labels(scene: Scene, cards: dict[str, SceneCard]) -> tuple[str, ...]:
    flags = {tile.cell: tile.suit for tile in scene.layout.tiles} if scene.layout else {}
    pawns = {piece.cell: piece.colour for piece in scene.pieces if piece.kind == "pawn"}
    labels = []
    for cell in scene.board.cells:
        lying = f"covered+flag-{flags[cell]}" if cell in flags else cards[cell].word if cell in cards else ""
        labels.append(f"{lying}+pawn-{pawns[cell]}" if cell in pawns else lying)
    return tuple(labels)
