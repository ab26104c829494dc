"""Detects the objective card beside the board: its number, the side that is up, and its turn.

A card bears a marker, small beside the board's own, so it is searched for in the whole picture near the board. A card
that is not there must never be seen: its marker must be as large as the table file says and square on the table, with
no more than one bit wrong, and clearly nearer to one quarter turn than to the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.board_sections import Cards
from vision.frame import made_smaller
from vision.geometry import Floats, Pose
from vision.localization.markers import Corners, Gray, MarkerDetections, detect

_BESIDE = 0.75
"""How far beside the board a card is searched for, in board widths."""

_MARKER_PX = 44.0
"""Side at which the card's marker is searched for where it looks smallest. At 44 px all 19 markers of the samples are
still read when the picture is blurred by a pixel more; at 34 px one is lost, at 26 px five."""

_SIZE_SLACK = 0.2
_MOST_ASKEW_DEG = 38.0
"""Farther than this from a quarter turn a card may mean the one or the next."""

_LEAST_WINDOW_PX = 40

_EXACTLY: Mapping[str, float] = {
    "errorCorrectionRate": 0.2,  # of the five that the code could correct
    "maxErroneousBitsInBorderRate": 0.1,
    "minMarkerPerimeterRate": 0.03,
    "adaptiveThreshWinSizeMin": 15,
    "adaptiveThreshWinSizeMax": 15,
    "perspectiveRemoveIgnoredMarginPerCell": 0.3,  # of its four pixels a module is read by the inner two
}
"""Settings by which one wrong bit of 36 is accepted: codes differ in eleven, and dim ones often have one wrong. By
chance one in four million square things of the right size, square on the table, has the code of a card. Blur mixes
modules at their edges, and white blooms over black ones: with the samples blurred by 2 px more 17 of 20 cards are read
by the inner pixels, 12 by all."""

_BLOCK_PX = 8
_OTHERWISE = 0.04
"""Difference of a block's mean from which on a picture is another one, as a share of the brightest block: four modules
of the smallest marker are a block, and one module that changes is a fifth of white there."""


@dataclass(frozen=True, slots=True)
class ObjectiveCard:
    """A card that is on the table: its number from 0, the side that is up, and its quarter turns clockwise."""

    number: int
    side: Literal["face", "back"]
    quarter_turns: int


def has_objective_cards(board: Board) -> bool:
    """Return whether cards with markers of their own belong to a board."""
    return {"face_base", "back_base", "count", "marker_side"} <= set(board.cards)


class CardFinder:
    """The finder of the card beside one board; once found, it is searched for again only if the picture has changed.

    Args:
        board: a table to which such cards belong.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._searched: tuple[Pose, NDArray[np.float32]] | None = None
        self._found: ObjectiveCard | None = None

    def find(self, gray: Gray, pose: Pose, hints: MarkerDetections) -> ObjectiveCard | None:
        """Find the one card that is beside or on the board, as `find_card` does."""
        # 1. The means of blocks of the picture, without what is left over at its right and lower edge.
        height, width = (side - side % _BLOCK_PX for side in gray.shape)
        small = made_smaller(gray[:height, :width], (width // _BLOCK_PX, height // _BLOCK_PX))
        blocks = small.astype(np.float32)
        # 2. Search again if one of them differs from the picture that was searched last, or if no card was found there:
        #   one whose marker is small is not found in every frame.
        known, earlier = self._searched or (None, blocks)
        is_same = known is pose and blocks.shape == earlier.shape and self._found is not None
        if not is_same or np.abs(blocks - earlier).max(initial=0.0) > _OTHERWISE * earlier.max(initial=0.0):
            self._found, self._searched = find_card(gray, self._board, pose, hints), (pose, blocks)
        return self._found


def find_card(gray: Gray, board: Board, pose: Pose, hints: MarkerDetections) -> ObjectiveCard | None:
    """Find the single card that is next to or on the board; None if there is none, or more than one.

    Args:
        gray: the whole picture, uint8 (height, width).
        board: a table to which such cards belong.
        pose: of the board.
        hints: markers that were seen in a quick search; a card's among them is checked first.
    """
    hinted = [corners for marker_id, corners in hints.items() if _side_of(board.cards, marker_id) is not None]
    # each marker's corners, moved outwards to include its white border
    about = [corners.mean(axis=0) + 2.0 * (corners - corners.mean(axis=0)) for corners in hinted]
    found = _cards([outline.astype(np.float64) for outline in about], gray, board, pose) if hinted else {}
    if not found:
        # points in mm on the outline within which cards may be
        beside = _BESIDE * max(board.size)
        x, y = np.meshgrid(*(np.linspace(-beside, length + beside, 5) for length in board.size))
        outline = pose.project_at(np.column_stack([x.ravel(), y.ravel()]), 0.0).clip(-1e6, 1e6)
        # the length of a card's marker in pixels where it looks smallest on the board
        corners = np.array([(x, y) for x in (0.0, board.size[0]) for y in (0.0, board.size[1])])
        side = board.cards["marker_side"]
        ends = [pose.project_at(corners + step, 0.0) for step in ((0.0, 0.0), (side, 0.0), (0.0, side))]
        smallest_px = max(float(min(np.linalg.norm(end - ends[0], axis=1).min() for end in ends[1:])), 1.0)
        found = _cards([outline], gray, board, pose, min(1.0, _MARKER_PX / smallest_px))
    return next(iter(found.values())) if len(found) == 1 else None


def _cards(
    outlines: Sequence[Floats], gray: Gray, board: Board, pose: Pose, ratio: float = 1.0
) -> dict[int, ObjectiveCard]:
    """Return all cards within the boxes around outlines (n, xy) in pixels, by their markers' ids.

    The boxes are shrunk by a ratio before the search.
    """
    seen: dict[int, Corners] = {}
    for outline in outlines:
        low = np.floor(outline.min(axis=0)).clip(0, gray.shape[::-1]).astype(int)
        high = np.ceil(outline.max(axis=0)).clip(0, gray.shape[::-1]).astype(int)
        if (high - low < _LEAST_WINDOW_PX).any():
            continue
        window = gray[low[1] : high[1], low[0] : high[0]]
        if ratio < 0.95:
            window = made_smaller(window, (round(window.shape[1] * ratio), round(window.shape[0] * ratio)))
        scale = (high - low) / window.shape[::-1]
        for number, corners in detect(np.ascontiguousarray(window), board.markers.dictionary, **_EXACTLY):
            seen[number] = ((corners + 0.5) * scale - 0.5 + low).astype(np.float32)
    cards: dict[int, ObjectiveCard] = {}
    for marker_id, corners in seen.items():
        # Its sides on the table must have the right size; its turn is that of the upper and the lower edge together.
        on_table, side = pose.unproject(corners, 0.0), _side_of(board.cards, marker_id)
        sides = np.roll(on_table, -1, axis=0) - on_table
        fits = (np.abs(np.linalg.norm(sides, axis=1) / board.cards["marker_side"] - 1) < _SIZE_SLACK).all()
        x, y = sides[0] - sides[2]
        degrees = float(np.degrees(np.arctan2(y, x)))
        quarters = round(degrees / 90)
        if side is not None and fits and abs(degrees - 90 * quarters) <= _MOST_ASKEW_DEG:
            base = board.cards["face_base"] if side == "face" else board.cards["back_base"]
            cards[marker_id] = ObjectiveCard(marker_id - base, side, quarters % 4)
    return cards


def _side_of(cards: Cards, marker_id: int) -> Literal["face", "back"] | None:
    if 0 <= marker_id - cards["face_base"] < cards["count"]:
        return "face"
    return "back" if 0 <= marker_id - cards["back_base"] < cards["count"] else None
