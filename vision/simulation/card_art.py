"""Cards laid on a board's face: thin enough to be printed on it, but for the shadow along their edges."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.simulation.card_layout import BACK, CardLayout, SceneCard
from vision.simulation.colour import HEADROOM
from vision.simulation.lighting import Mask
from vision.simulation.scene import SceneLight

_MARGIN_MM = 4.0
"""Room about a card in the patch that it is drawn in: for its turn's sake and its shadow's."""


def lay_cards(face: ImageBgr, layout: CardLayout, light: SceneLight, px_per_mm: float) -> None:
    """Lay cards on a board's face, canvas values uint8 (height, width, 3) at some pixels per mm, in place."""
    for card in layout.cards:
        _lay(face, layout, card, light, px_per_mm)


def _lay(face: ImageBgr, layout: CardLayout, card: SceneCard, light: SceneLight, px_per_mm: float) -> None:
    picture = layout.deck.back(px_per_mm) if card.word == BACK else layout.deck.face(card.word, px_per_mm)
    reach = np.hypot(*layout.card_size_mm) / 2 + _MARGIN_MM
    low = np.maximum(np.floor((np.array([card.x_mm, card.y_mm]) - reach) * px_per_mm).astype(int), 0)
    high = np.ceil((np.array([card.x_mm, card.y_mm]) + reach) * px_per_mm).astype(int)
    patch = face[low[1] : high[1], low[0] : high[0]]
    matrix = _placing(picture.shape[:2], layout.card_size_mm, card, px_per_mm)
    matrix[:, 2] -= low
    size = (patch.shape[1], patch.shape[0])
    outline = _outline(picture.shape[:2], layout.corner_mm * px_per_mm)
    covered = cv2.warpAffine(outline, matrix, size, flags=cv2.INTER_LINEAR)[..., None]
    share = np.asarray(covered, np.float32) / np.float32(255)
    colours = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shaded = patch * (1 - _shadow(share[..., 0], layout, card, light, px_per_mm)[..., None])
    patch[:] = np.round(shaded * (1 - share) + colours / np.float32(HEADROOM) * share).astype(np.uint8)


def _placing(shape: tuple[int, ...], size_mm: tuple[float, float], card: SceneCard, px_per_mm: float) -> Floats:
    """The affine map (2, 3) from a card's picture to the board's face, both in pixels."""
    c, s = np.cos(card.turn_rad), np.sin(card.turn_rad)
    stretch = np.array([size_mm[0] / shape[1], size_mm[1] / shape[0]]) * px_per_mm
    turn = np.array([(c, -s), (s, c)]) * stretch
    middle = (np.array([shape[1], shape[0]]) - 1) / 2
    place = np.array([card.x_mm, card.y_mm]) * px_per_mm - 0.5
    return np.asarray(np.column_stack([turn, place - turn @ middle]), np.float64)


@lru_cache(maxsize=16)
def _outline(shape: tuple[int, int], corner_px: float) -> Mask:
    """A rectangle with round corners that fills a picture, uint8 (height, width)."""
    y, x = (np.abs(np.arange(n) - (n - 1) / 2) - (n / 2 - corner_px) for n in shape)
    far = np.hypot(np.maximum(x, 0)[None, :], np.maximum(y, 0)[:, None])
    return np.asarray(np.clip((corner_px + 0.5 - far) * 255, 0, 255), np.uint8)


def _shadow(
    share: NDArray[np.float32], layout: CardLayout, card: SceneCard, light: SceneLight, px_per_mm: float
) -> NDArray[np.float32]:
    """How much light a card takes from what is beside its edges, float32 (height, width)."""
    way = np.array([card.x_mm, card.y_mm]) - light.lamp_mm[:2]
    shift = np.clip(way / max(light.lamp_mm[2], 50.0), -3, 3) * layout.lift_mm * px_per_mm
    moved = cv2.warpAffine(share, np.array([(1, 0, shift[0]), (0, 1, shift[1])]), share.shape[::-1])
    soft = cv2.GaussianBlur(share, (0, 0), max(0.3, 0.6 * px_per_mm)) * 0.25
    cast = cv2.GaussianBlur(moved, (0, 0), max(0.3, light.penumbra * layout.lift_mm * px_per_mm))
    return np.asarray(np.clip(soft + cast * light.lamp * 0.6, 0, 0.9), np.float32)
