"""Detects and recognises single playing cards that lie anywhere in a picture, without markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.markerless.quads import find_quads
from vision.observation import SURE
from vision.recognition.cards.likeness import BACKS_UNLIKE, unlikeness
from vision.recognition.cards.recogniser import CardRecogniser
from vision.recognition.cards.words import BACK, CARD_MM, CARD_PX, NONE, WORDS, card_to_px

_SEARCH_PX = 1000
"""The longer side of the picture in which cards are searched for; a card 30 px wide there is too small to be read."""

_SLIMMEST, _WIDEST = 0.36, 1.35
"""Short side over long side of what may be a card: 0.72 of poker cards, 0.64 of bridge cards, and at a slant up to 58
degrees. From 44 degrees on the short side can look the longer one, so both ways are looked at and the more probable one
is kept: of 48 drawn cards at 45 to 58 degrees 42 are read instead of 23, and none wrongly instead of 2.
"""

_PRESENT = 0.5
"""Probability of being a card below which a candidate is not reported."""

_LEAST_TOLD_PX = 60.0
"""Root of a card's area below which it is not reported: 0.8 px a mm."""

_ALIKE = 1.5
"""By how much the sides of two cards of one picture may differ, near and far."""

_FRAMED = 2.3
"""By how much a card may be larger than the frame printed on it."""

_AT_ONCE = 16
"""Candidates that are looked at in one go: each takes two megabytes meanwhile, and there may be hundreds."""

_PRINTED, _REMEMBERED = 0.06, 4
"""Standard deviation over a back from which on it has a print, white being 1, and how many backs are remembered: cloth
is like cloth. Of 300 drawn backs 11 had no print and all others more than 0.2."""

_SHARED = 0.35
"""Share of the smaller of two candidates that is in the other, from which on they are one card."""


_NEARLY = 0.9
"""Ratio of the sides of two candidates, and share of the smaller in the other, from which on both have one outline."""


@dataclass(frozen=True, slots=True, eq=False)
class LooseCard:
    """One card.

    Attributes:
        card: a word of `vision.recognition.cards.words` ("7-hearts", "back"); None if it cannot be read.
        confidence: probability of the most probable word, calibrated.
        corners_px: float64 (4, xy), clockwise, the first at the top left of the card when its longer side stands
            upright; a card half turned looks the same.
    """

    card: str | None
    confidence: float
    corners_px: Floats

    @property
    def side_px(self) -> float:
        """The root of its area."""
        return float(np.sqrt(cv2.contourArea(self.corners_px.astype(np.float32))))


class CardReader:
    """The reader of loose cards. It holds a network, so only one thread may use it at a time.

    A back is reported if a card's face has been seen, in this picture or before, and another back like it is in this
    picture, or was reported before: book covers, tarot cards, cloths and screenshots are taken for backs, too, and some
    show one thing twice, but then no face of a deck lies with them.

    Raises:
        BoardFileError: this version has no network for cards.
    """

    def __init__(self) -> None:
        self._recogniser = CardRecogniser()
        self._backs: list[NDArray[np.float32]] = []
        self._face_seen = False

    def read(self, image_bgr: ImageBgr) -> tuple[LooseCard, ...]:
        """Return the cards in a picture, uint8 (height, width, 3), from its top down. Raises on no picture."""
        # 1. One outline for all that are nearly the same: their median.
        left, quads = find_cards(image_bgr), []
        while left:
            size = np.sqrt(cv2.contourArea(left[0].astype(np.float32)))
            is_same = [bool(np.abs(quad - left[0]).max() < 0.06 * size) for quad in left]
            quads.append(np.median(list(compress(left, is_same)), axis=0))
            left = [quad for quad, same in zip(left, is_same, strict=True) if not same]
        if not quads:
            return ()
        # 2. The probabilities of the words of each, (n, 54): of it upright and half turned, their geometric mean.
        looks = []
        for k in range(0, len(quads), _AT_ONCE):
            pictures = np.stack([flatten(image_bgr, quad) for quad in quads[k : k + _AT_ONCE]])
            both = [self._recogniser.recognise(view) for view in (pictures, pictures[:, :, ::-1, ::-1])]
            looks.append(np.exp(np.mean(np.log(np.maximum(both, 1e-12)), axis=0)))
        odds = np.concatenate(looks)
        odds /= odds.sum(axis=1, keepdims=True)
        cards = self._known_backs(image_bgr, accepted(quads, odds))
        return tuple(sorted(cards, key=lambda card: tuple(card.corners_px.mean(axis=0)[::-1])))

    def _known_backs(self, image_bgr: ImageBgr, cards: Sequence[LooseCard]) -> list[LooseCard]:
        """Return the cards, those as unread whose back is unlike all other backs; remember the backs like another."""
        self._face_seen |= any(card.card not in (BACK, None) for card in cards)
        rows = [row for row, card in enumerate(cards) if card.card == BACK]
        if not rows:
            return list(cards)
        pictures = [flatten(image_bgr, cards[row].corners_px) for row in rows]
        apart = unlikeness(np.stack([*pictures, *self._backs]), np.arange(len(rows)))
        apart[:, : len(rows)][np.eye(len(rows), dtype=bool) | (not self._face_seen)] = np.inf
        known = [
            least < BACKS_UNLIKE and one[:, 16:-16, 16:-16].std(axis=(1, 2)).max() > _PRINTED
            for one, least in zip(pictures, apart.min(axis=1), strict=True)
        ]
        fresh = [one for one, is_known in zip(pictures, known, strict=True) if is_known]
        self._backs = [*fresh, *self._backs][:_REMEMBERED]
        doubted = {row for row, is_known in zip(rows, known, strict=True) if not is_known}
        return [
            replace(card, card=None, confidence=min(card.confidence, 0.5)) if row in doubted else card
            for row, card in enumerate(cards)
        ]


def find_cards(image_bgr: ImageBgr) -> list[Floats]:
    """Return what has a card's outline: corners float64 (4, xy) in pixels, clockwise, a side taken for short first."""
    scale = min(1.0, _SEARCH_PX / max(image_bgr.shape[:2]))
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image_bgr
    quads = ((quad + 0.5) / scale - 0.5 for quad in find_quads(np.asarray(small, np.uint8)))
    # 1. The corners begin at either of two neighbouring ones: in one of the results the card's short side is first.
    both_ways = (turned for quad in quads for turned in (quad, np.roll(quad, -1, axis=0)))
    upright = [quad for quad in both_ways if _SLIMMEST < slimness(quad) < _WIDEST]
    # 2. They begin at the end that is higher in the picture.
    return [(quad if quad[:2, 1].sum() <= quad[2:, 1].sum() else np.roll(quad, 2, axis=0)) for quad in upright]


def slimness(quad: Floats) -> float:
    """Return the ratio of the first and third side of a quadrilateral, float64 (4, xy), to the other two."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float((sides[0] + sides[2]) / max(sides[1] + sides[3], 1e-9))


def flatten(image_bgr: ImageBgr, quad: Floats) -> NDArray[np.float32]:
    """Return a card warped flat, its black as 0 and its white as 1, float32 (bgr, 192, 144)."""
    (w, h), white_share = CARD_MM, 85
    ends = [card_to_px(x, y) for x, y in ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))]
    # 1. The part of the picture around the card, reduced if it is much larger than CARD_PX, and the corners in it.
    low = np.maximum(np.floor(quad.min(axis=0) - 0.15 * np.ptp(quad, axis=0)), 0).astype(int)
    high = np.ceil(quad.max(axis=0) + 0.15 * np.ptp(quad, axis=0)).astype(int) + 1
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    scale = min(1.0, 1.5 * CARD_PX[1] / max(float(np.hypot(*(quad[3] - quad[0]))), 1.0))
    if scale < 1:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    near = (quad - low + 0.5) * scale - 0.5
    # 2. Warp it, and divide by its own light.
    matrix = cv2.getPerspectiveTransform(near.astype(np.float32), np.array(ends, np.float32))
    flat = cv2.warpPerspective(part, matrix, CARD_PX, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inner = flat[16:-16, 16:-16].reshape(-1, 3).astype(np.float64)
    white, black = np.percentile(inner, white_share, axis=0), float(np.percentile(inner.min(axis=1), 1))
    lit = (flat.astype(np.float32) - min(black, 0.5 * white.min())) / np.maximum(white - black, 16.0)
    return np.asarray(np.clip(lit, -0.25, 2.0).transpose(2, 0, 1), np.float32)


def accepted(quads: Sequence[Floats], odds: Floats) -> list[LooseCard]:
    """Return the candidates that are probably cards: sure faces first, then backs and unsure ones of about their size.

    Of overlapping backs and unsure ones the largest is kept: panels of a court card or a back look like cards.
    """
    best = zip(quads, odds.argmax(axis=1).tolist(), odds.max(axis=1).tolist(), strict=True)
    found = _doubt_turned_backs([LooseCard(WORDS[column], p, quad) for quad, column, p in best], odds)
    present = [one for one, p_none in zip(found, odds[:, WORDS.index(NONE)], strict=True) if p_none < 1 - _PRESENT]
    present.sort(key=lambda one: (0, -one.confidence) if _is_sure_face(one) else (1, -one.side_px))
    kept: list[LooseCard] = []
    for one in present:
        # about as large as the cards that are sure: all cards of a picture are
        sides = [card.side_px for card in kept if _is_sure_face(card)]
        fits = not sides or min(sides) / _ALIKE < one.side_px < max(sides) * _ALIKE
        if fits and not any(shared(one.corners_px, other.corners_px) > _SHARED for other in kept):
            kept.append(one)
    is_read = [one.confidence >= SURE and one.side_px >= _LEAST_TOLD_PX for one in kept]
    outlines = [_whole(one, present, kept).corners_px for one in kept]
    return [
        LooseCard(one.card if read else None, one.confidence, outline)
        for one, read, outline in zip(kept, is_read, outlines, strict=True)
    ]


def _is_sure_face(one: LooseCard) -> bool:
    return one.card != BACK and one.confidence >= SURE


def _doubt_turned_backs(found: Sequence[LooseCard], odds: Floats) -> list[LooseCard]:
    """Lower the probability of backs whose outline, turned by a quarter, is probably a face: stretched court cards."""
    p_face = 1 - odds[:, WORDS.index(NONE)] - odds[:, WORDS.index(BACK)]
    doubted = []
    for one in found:
        faces = [
            p
            for other, p in zip(found, p_face, strict=True)
            if p > _PRESENT
            and min(one.side_px, other.side_px) > _NEARLY * max(one.side_px, other.side_px)
            and shared(one.corners_px, other.corners_px) > _NEARLY
        ]
        confidence = min(one.confidence, 1 - max(faces)) if one.card == BACK and faces else one.confidence
        doubted.append(replace(one, confidence=confidence))
    return doubted


def _whole(card: LooseCard, present: Sequence[LooseCard], kept: Sequence[LooseCard]) -> LooseCard:
    """Return the outermost outline of a card: many have a frame printed about their pips, which is read best."""
    around = [
        one
        for one in present
        if card.side_px < one.side_px < _FRAMED * card.side_px
        and shared(one.corners_px, card.corners_px) > 1 - _SHARED
        and not any(shared(one.corners_px, other.corners_px) > _SHARED for other in kept if other is not card)
    ]
    return max(around, key=lambda one: one.side_px, default=card)


def shared(one: Floats, other: Floats) -> float:
    """Return the share, 0 to 1, of the smaller of two convex quadrilaterals float64 (4, xy) that is in the other."""
    first, second = one.astype(np.float32), other.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(first, second)
    return float(common) / max(min(cv2.contourArea(first), cv2.contourArea(second)), 1.0)
