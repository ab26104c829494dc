"""Labelled pictures of single cards: rendered, partly covered and degraded, or cropped from rendered tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, shipped_board, shipped_games
from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32, box
from vision.labels import parse_label
from vision.markerless.cards import find_cards, flatten, shared
from vision.recognition.cards.crops import cut_cards
from vision.recognition.cards.layout import CELL_PX
from vision.recognition.cards.words import BACK, CARD_MM, CARD_PX, CARDS, NONE, PX_PER_MM, WORDS, card_to_px
from vision.simulation.canvas import weave_field
from vision.simulation.card_table import random_card_scene
from vision.simulation.decks.deck import Deck
from vision.simulation.decks.random_deck import any_deck
from vision.simulation.optics import render
from vision.simulation.outlines import SQUARE, ring, turn
from vision.simulation.random_scene import random_scene
from vision.simulation.truth import CardTruth, card_truth_of
from vision.training.data import Sample, register


def photographed(card_bgr: ImageBgr, rng: np.random.Generator) -> Floats32:
    """Return a card in random light through a poor camera, divided by an estimate of the light.

    Args:
        card_bgr: sRGB uint8 (height, width, 3).
        rng: the source of chance.

    Returns:
        float32 (bgr, height, width), white paper about 1.
    """
    height, width = card_bgr.shape[:2]
    lit = _lit(np.asarray(card_bgr, np.float32) / np.float32(255), rng)
    across, down = rng.uniform(0.85, 1.15, 2) * (1.0 if rng.random() < 0.5 else rng.uniform(0.5, 1.0))
    small = cv2.resize(
        _blur(lit, rng), (round(width * min(across, 1)), round(height * min(down, 1))), interpolation=cv2.INTER_AREA
    )
    seen = _sense(np.asarray(small, np.float32), rng)
    large = np.asarray(cv2.resize(seen, (width, height), interpolation=cv2.INTER_LINEAR), np.float32) / np.float32(255)
    # the estimate of the light is inaccurate
    paper = np.quantile(large[::5, ::5].reshape(-1, 3), 0.9, axis=0)
    white = np.maximum(paper, 0.2) * np.exp(rng.normal(0.03, 0.14)) * np.exp(rng.normal(0, 0.05, 3))
    black = np.float32(rng.uniform(0, 0.06))
    judged = np.clip((large - black) * (1 / (white - black)).astype(np.float32), -0.25, 2.0)
    return np.ascontiguousarray(judged.transpose(2, 0, 1), np.float32)


def _lit(card: Floats32, rng: np.random.Generator) -> Floats32:
    """Return a card in uneven light, with the edge of a shadow, and glare on a spot or all over."""
    height, width = card.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    if rng.random() < 0.5:
        slope = np.float32(rng.normal(0, 0.12)) * x + np.float32(rng.normal(0, 0.12)) * y
        card = card * np.exp(slope)[..., None]
    if rng.random() < 0.25:
        angle, dark = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 0.9)
        edge = (x * np.cos(angle) + y * np.sin(angle) - rng.uniform(-0.8, 0.8)) / rng.uniform(0.02, 0.3)
        card = card * (1 - np.float32(1 - dark) * _step(-edge))[..., None]
    if rng.random() < 0.25:
        middle, radius = rng.uniform(-1, 1, 2), rng.uniform(0.1, 0.8)
        off = (np.hypot(x - middle[0], (y - middle[1]) * 1.33) - radius) / rng.uniform(0.03, 0.4)
        card = card + (np.float32(rng.uniform(0.1, 0.9)) * _step(-off))[..., None]
    if rng.random() < 0.12:
        veil = np.float32(rng.uniform(0.1, 0.85))  # a lamp mirrored by the whole card
        card = card * (1 - veil) + veil * np.float32(rng.uniform(0.9, 1.15))
    return np.asarray(card, np.float32)


def _step(x: Floats32 | Floats) -> Floats32:
    """Return a logistic step from 0 to 1 at 0, about 4 wide."""
    return np.asarray(1 / (1 + np.exp(np.clip(-x, -30, 30))), np.float32)


def _blur(card: Floats32, rng: np.random.Generator) -> Floats32:
    """Return a card blurred by a slanted ellipse, as by slant, focus and motion together."""
    if rng.random() < 0.25:
        return card
    long = rng.uniform(0.3, 1.2) if rng.random() < 0.8 else rng.uniform(1.0, 2.4)
    short, angle = long * rng.uniform(0.3, 1.0), rng.uniform(0, np.pi)
    y, x = np.mgrid[-5:6, -5:6]
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    kernel = np.exp(-0.5 * ((u / long) ** 2 + (v / max(short, 0.25)) ** 2))
    reach = min(5, int(np.ceil(2.5 * long)))
    kernel = kernel[5 - reach : 6 + reach, 5 - reach : 6 + reach]
    return np.asarray(cv2.filter2D(card, -1, (kernel / kernel.sum()).astype(np.float32)), np.float32)


def _sense(card: Floats32, rng: np.random.Generator) -> ImageBgr:
    """Return a card after exposure, colour cast, tone curve, noise, sharpening and JPEG, uint8."""
    exposure = np.exp(rng.normal(-0.25, 0.25) + rng.normal(0, 0.08, 3)).astype(np.float32)
    seen = np.clip(card * exposure, 0, 1.5) ** np.float32(np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.7:
        noise = rng.standard_normal(card.shape, np.float32) * np.float32(rng.uniform(0, 0.05) ** 1.2)
        seen = seen + _soften(noise, rng.uniform(0.3, 1.0))
    if rng.random() < 0.5:
        seen = seen + np.float32(rng.uniform(0, 1.6)) * (seen - _soften(seen, rng.uniform(0.6, 1.6)))
    image_bgr = np.clip(seen * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        _, coded = cv2.imencode(".jpg", image_bgr, (cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 96))))
        image_bgr = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(image_bgr, np.uint8)


def _soften(image: Floats32, sigma_px: float) -> Floats32:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), np.float32)


def relit(card: Floats32, rng: np.random.Generator) -> Floats32:
    """Return a card in another light, computed cheaply."""
    gain = np.exp(rng.normal(0, 0.08) + rng.normal(0, 0.03, 3)).astype(np.float32)
    return np.asarray(card * gain[:, None, None] + np.float32(rng.normal(0, 0.02)), np.float32)


Bgr = NDArray[np.float64]

_MATS = ((60, 110, 50), (235, 235, 235), (60, 90, 140), (170, 210, 225), (130, 130, 130), (40, 45, 80), (30, 30, 30))


def random_mat(rng: np.random.Generator) -> ImageBgr:
    """Return a random mat below cards, uint8 (192, 144, bgr)."""
    colour = np.array(_MATS[rng.integers(len(_MATS))]) if rng.random() < 0.7 else rng.uniform(10, 250, 3)
    colour = np.clip(colour + rng.normal(0, 15, 3), 5, 250)
    weave = weave_field(rng, str(rng.choice(("wood", "mottle", "speckle"))), CARD_PX, PX_PER_MM)
    mat = colour * (1 + rng.uniform(0, 0.2) * weave[..., None])
    return np.asarray(np.clip(mat, 0, 255), np.uint8)


def lay(table: ImageBgr, face: ImageBgr, mask: NDArray[np.uint8], homography: Floats) -> None:
    """Draw a card, at any scale with the mask of its corners, on the table by a homography from its pixels."""
    share = _share(cv2.warpPerspective(mask, homography, CARD_PX, flags=cv2.INTER_LINEAR))
    picture = cv2.warpPerspective(face, homography, CARD_PX, flags=cv2.INTER_LINEAR)
    shadow = np.asarray(cv2.GaussianBlur(share, (0, 0), 1.2), np.float32)[..., None]
    darker = table * (1 - np.float32(0.35) * shadow)
    table[:] = (darker + (picture - darker) * share).astype(np.uint8)


def _share(mask: Any) -> Floats32:
    return np.asarray(mask[..., None], np.float32) / np.float32(255)


def place(rng: np.random.Generator, face: ImageBgr, at_mm: tuple[float, float], spread: float) -> Floats:
    """Return a random homography from a face's pixels to the picture's, `at_mm` from the middle, with a deviation."""
    height, width = face.shape[:2]
    half = np.array(CARD_MM) / 2
    corners_px = box(-0.5, -0.5, width, height).astype(np.float32)
    corners_mm = SQUARE * half * np.exp(rng.normal(0, 0.008 * spread, 2))
    corners_mm += rng.normal(0, 0.25 * spread, (4, 2))
    angle = np.radians(np.clip(rng.normal(0, 1.2 * spread), -4, 4))
    placed = corners_mm @ turn(angle) + np.clip(rng.normal(0, 0.8 * spread, 2), -2.5, 2.5) + at_mm
    corners_to = np.array([card_to_px(x, y) for x, y in placed], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners_px, corners_to), np.float64)


def cover(table: ImageBgr, rng: np.random.Generator) -> None:
    """Draw a pawn, a tile, a finger or something else over a part of the card."""
    kind = rng.random()
    colour = rng.uniform(10, 245, 3)
    if kind < 0.6:
        _pawn(table, rng, colour)
    elif kind < 0.75:
        tip, angle = rng.uniform((-22, -36), (22, 36)), rng.uniform(0, 2 * np.pi)
        far, radius = tip + 90 * np.array([np.cos(angle), np.sin(angle)]), rng.uniform(6, 10)
        skin, finger = np.array([150, 175, 225]) * rng.uniform(0.3, 1.05), _blob(tip, far, radius, radius * 1.2)
        _shade(table, [finger + rng.normal(0, 3, 2)], rng)
        _paint(table, finger, skin)
    else:
        _tile(table, rng, colour, rng.uniform(12, 50))


def _pawn(table: ImageBgr, rng: np.random.Generator, colour: Bgr) -> None:
    """Draw a pawn with a round foot, a waist and a head, from any side and height."""
    foot = rng.uniform((-24, -34), (24, 34))
    angle, lean = rng.uniform(0, 2 * np.pi), rng.uniform(0, 26)
    head = foot + lean * np.array([np.cos(angle), np.sin(angle)])
    radius = rng.uniform(5, 9.5)
    sun = rng.normal(0, 9, 2)
    _shade(table, [_blob(foot, foot + sun, radius, radius * 0.6)], rng)
    parts = [_blob(foot, foot, radius, radius), _blob(foot, head, radius * 0.7, radius * 0.45)]
    parts.append(_blob(head, head, radius * 0.6, radius * 0.6))
    for part in parts:
        _paint(table, part, colour * rng.uniform(0.6, 1.15))
    _paint(table, _blob(head + sun * -0.1, head + sun * -0.1, radius * 0.2, radius * 0.2), colour * 1.2 + 30)


def _tile(table: ImageBgr, rng: np.random.Generator, colour: Bgr, side: float) -> None:
    """Draw a square tile with a rim and some print, or a plain one."""
    middle = rng.uniform((-26, -38), (26, 38)) * (1.0 if side < 30 else 0.3)
    square = SQUARE @ turn(rng.uniform(0, np.pi / 2)) * side / 2
    _shade(table, [square + middle + rng.normal(0, 2.5, 2)], rng)
    _paint(table, square + middle + rng.normal(0, 1.2, 2), colour * 0.6)
    _paint(table, square + middle, colour)
    if rng.random() < 0.5:
        ink = rng.uniform(0, 200, 3)
        _paint(table, square * 0.85 + middle, ink)
        _paint(table, square * 0.8 + middle, colour)
        spot = rng.uniform(0.1, 0.3) * side
        _paint(table, _blob(middle, middle + rng.normal(0, 4, 2), spot, spot * 0.6), ink)


def _blob(start: Floats, end: Floats, radius: float, end_radius: float) -> Floats:
    """Return the outline of the hull of two circles in mm."""
    points = np.vstack([ring(20) * radius + start, ring(20) * end_radius + end])
    return np.asarray(cv2.convexHull(points.astype(np.float32)), np.float64).reshape(-1, 2)


def _px(outline_mm: Floats) -> NDArray[np.int32]:
    return np.asarray(np.round([card_to_px(x, y) for x, y in outline_mm]), np.int32)


def _paint(table: ImageBgr, outline_mm: Floats, colour: Bgr) -> None:
    cv2.fillPoly(table, [_px(outline_mm)], tuple(np.clip(colour, 0, 255).tolist()), cv2.LINE_AA)


def _shade(table: ImageBgr, outlines_mm: list[Floats], rng: np.random.Generator) -> None:
    mask = np.zeros(table.shape[:2], np.uint8)
    cv2.fillPoly(mask, [_px(outline) for outline in outlines_mm], 255)
    soft = _share(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.8, 5)))
    table[:] = (table * (1 - np.float32(rng.uniform(0.15, 0.6)) * soft)).astype(np.uint8)


_DRAWN_PX_PER_MM = 2.6
_USES = 8
"""Mean number of pictures of one deck before another replaces it."""

_SHARES = {BACK: 0.08, NONE: 0.06}
_SMALL_DECK, _ACES = 36, 4
"""Number of cards of the ranks A to 9, and of aces, which come first in `CARDS` and are drawn more often."""

_OF_ACES, _OF_SMALL = 0.08, 0.5
"""Shares of faces that are aces, in addition to those of the small deck: their one pip has the most designs."""


CardSample: TypeAlias = Sample[int]
"""A picture float32 (bgr, 192, 144), the network's input, and the index of its word in `WORDS`."""


@dataclass(slots=True, eq=False)
class Dealer:
    """Makes samples from a few decks at a time.

    Attributes:
        rng: the source of chance.
        font_files: fonts that decks may use.
    """

    rng: np.random.Generator
    font_files: tuple[Path, ...] = ()
    _stocks: list[tuple[Deck, ImageBgr]] = field(default_factory=list)

    def deal(self) -> CardSample:
        """Return a new sample."""
        rng = self.rng
        # 1. one of a few decks and its mat; sometimes a new one replaces the oldest
        if len(self._stocks) < 4 or rng.random() < 1 / _USES:
            self._stocks = [*self._stocks[-3:], (any_deck(rng, self.font_files), random_mat(rng))]
        deck, mat = self._stocks[rng.integers(len(self._stocks))]
        word, table = self._word(), mat.copy()
        # 2. its neighbours, and seldom a card below it
        for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if rng.random() < 0.12:
                gap = rng.uniform(0.5, 4.5)
                self._lay(table, deck, self._word(), (x * (63 + gap), y * (88 + gap)), spread=1.0)
        if rng.random() < 0.08:
            across, down = rng.normal(0, 1.5, 2).tolist()
            self._lay(table, deck, self._word(), (across, down), spread=1.5)
        # 3. the card; without one, at times a card mostly outside the picture, and so not the card of this place
        if word != NONE:
            self._lay(table, deck, word, (0.0, 0.0), spread=1.0)
        elif rng.random() < 0.4:
            other, angle = self._word(), rng.uniform(0, 2 * np.pi)
            self._lay(table, deck, other, (float(50 * np.cos(angle)), float(70 * np.sin(angle))), spread=3.0)
        # 4. what covers it
        if rng.random() < 0.45:
            cover(table, rng)
        return Sample(photographed(table, rng), WORDS.index(word))

    def _word(self) -> str:
        chance = self.rng.random()
        for word, share in _SHARES.items():
            if chance < share:
                return word
            chance -= share
        among = self.rng.choice((_ACES, _SMALL_DECK, len(CARDS)), p=(_OF_ACES, _OF_SMALL, 1 - _OF_ACES - _OF_SMALL))
        return CARDS[int(self.rng.integers(among))]

    def _lay(self, table: ImageBgr, deck: Deck, word: str, at_mm: tuple[float, float], *, spread: float) -> None:
        if word == NONE:
            return
        face = deck.back(_DRAWN_PX_PER_MM) if word == BACK else deck.face(word, _DRAWN_PX_PER_MM)
        if self.rng.random() < 0.5:
            face = np.ascontiguousarray(face[::-1, ::-1])
        lay(table, face, deck.mask(_DRAWN_PX_PER_MM), place(self.rng, face, at_mm, spread))


def turned(lesson: CardSample, rng: np.random.Generator) -> CardSample:
    """Return a sample, upside down or not, in a slightly different light."""
    picture = lesson.planes[:, ::-1, ::-1] if rng.random() < 0.5 else lesson.planes
    return Sample(relit(picture, rng), lesson.truth)


_TIERS = ("hard", "medium", "hard", "occluded", "easy")
_SIZE_WH = (1640, 1232)
_PAWNS = 0.5
"""Share of cards under pawns: far more than in a game, because they are the hardest."""

CUT = 0.6
"""Share of samples that were cropped from tables."""

_SEEN = 0.4
"""Least visible share of a card that is used."""

_OFF_MM, _OFF_RAD = 0.7, 0.015
"""Standard deviations of the errors of a card's place."""

_MOST_OUTLINES = 8
"""Largest number of outlines without a card from one picture; a board has many alike."""

_ON_A_CARD = 0.1
"""Overlap of an outline and a card from which on the outline is not used as one without a card."""


def rendered(seeds: Iterable[int], fonts: tuple[Path, ...] = ()) -> Iterator[CardSample]:
    """Yield samples cropped from one rendered table for each seed, every third one without cards."""
    boards = [shipped_board(game) for game in shipped_games()]
    for seed in seeds:
        rng, tier, with_cards = np.random.default_rng(seed), _TIERS[seed % len(_TIERS)], seed % 3 > 0
        suited = [board for board in boards if bool(board.card_words) == with_cards]
        board = suited[int(rng.integers(len(suited)))]
        if not with_cards:
            yield from _no_cards(render(random_scene(board, rng, tier=tier, size_wh=_SIZE_WH), rng), (), rng)
            continue
        deck_of = partial(any_deck, font_files=fonts)
        scene = random_card_scene(board, rng, tier=tier, size_wh=_SIZE_WH, deck_of=deck_of, pawns=_PAWNS)
        image_bgr = render(scene, rng)
        yield from _on_cells(image_bgr, board, card_truth_of(scene), rng)
        cards, half = scene.layout.cards if scene.layout is not None else (), np.array(CARD_MM) / 2
        corners = (SQUARE * half @ turn(card.turn_rad) + (card.x_mm, card.y_mm) for card in cards)
        yield from _no_cards(image_bgr, [scene.camera.pose.project_at(outline, 0.0) for outline in corners], rng)


def _on_cells(image_bgr: ImageBgr, board: Board, truth: CardTruth, rng: np.random.Generator) -> Iterator[CardSample]:
    """Yield samples of the cards on the board's cells, cropped as by `CardTableLabeller`; some have pawns on them."""
    example = register(image_bgr, board, truth, cell_px=CELL_PX)
    if example is None:
        return
    words = [parse_label(label).card if label else "" for label in truth.labels]
    cells = [k for k, word in enumerate(words) if word in (*CARDS, BACK) and truth.visible[k] > _SEEN]
    places = truth.place[cells] + np.column_stack([board.centres_mm()[cells], np.zeros(len(cells))])
    places += rng.normal(0, (_OFF_MM, _OFF_MM, _OFF_RAD), places.shape)
    pictures = cut_cards(image_bgr, example.estimate.pose, example.light, board.size, places)
    for cell, picture in zip(cells, pictures, strict=True):
        yield Sample(picture, WORDS.index(words[cell]))


def _no_cards(image_bgr: ImageBgr, cards_px: Sequence[Floats], rng: np.random.Generator) -> Iterator[CardSample]:
    """Yield samples of what has a card's outline and is not a card: markers, cells, sheets of paper."""
    outlines = find_cards(image_bgr)
    beside = [quad for quad in outlines if not any(shared(quad, card) > _ON_A_CARD for card in cards_px)]
    for k in rng.permutation(len(beside))[:_MOST_OUTLINES]:
        yield Sample(flatten(image_bgr, beside[k]), WORDS.index(NONE))
