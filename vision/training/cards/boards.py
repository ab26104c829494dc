"""Lessons from rendered tables, cut out just as the readers cut them: cards under pawns, and outlines of no card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from vision.board import Board, shipped_board, shipped_games
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.labels import parse_label
from vision.markerless.cards import find_cards, flatten, shared
from vision.recognition.cards.crops import cut_cards
from vision.recognition.cards.words import BACK, CARD_MM, CARDS, NONE, WORDS
from vision.simulation.card_table import random_card_scene
from vision.simulation.decks.random_deck import random_deck
from vision.simulation.optics import render
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import Scene
from vision.training.cards.data import CardSample, Dealer
from vision.training.layout.data import make_example
from vision.training.render.card_truth import CardTruth, card_truth_of

_TIERS = ("hard", "medium", "hard", "occluded", "easy")
_SIZE_WH = (1640, 1232)
_PAWNS = 0.5
"""Share of cards under pawns: far more than in a game, since those are what the network must learn most about."""

_CUT = 0.6
"""Share of lessons that were cut out of tables."""

_SEEN = 0.4
"""Share of a card that no hand or mug hides, from which on it is learned from."""

_OFF_MM, _OFF_RAD = 0.7, 0.015
"""How far off a card is taken to be."""

_MOST_OUTLINES = 8
"""Outlines of no card that are learned from in one picture; a board has many alike."""

_ON_A_CARD = 0.1
"""Share of an outline or a card that is in the other, from which on the outline may be called a card's."""


def mixed(dealer: Dealer, cut: Sequence[CardSample], rng: np.random.Generator) -> CardSample:
    """Take a lesson cut out of a table, or make one."""
    return cut[int(rng.integers(len(cut)))] if cut and rng.random() < _CUT else dealer.deal()


def rendered(seeds: Iterable[int], fonts: tuple[Path, ...] = ()) -> Iterator[CardSample]:
    """Render a table a seed, every third one without cards, and cut lessons out of it."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        tier = _TIERS[seed % len(_TIERS)]
        if seed % 3:
            yield from _from_cards(rng, tier, fonts)
        else:
            picture = render(random_scene(_board(rng, cards=False), rng, tier=tier, size_wh=_SIZE_WH), rng)
            yield from _no_cards(picture, (), rng)


def _from_cards(rng: np.random.Generator, tier: str, fonts: tuple[Path, ...]) -> Iterator[CardSample]:
    board = _board(rng, cards=True)
    deck = random_deck(rng, fonts)
    scene = random_card_scene(board, rng, tier=tier, size_wh=_SIZE_WH, deck_of=lambda _: deck, pawns=_PAWNS)
    truth = card_truth_of(scene)
    image_bgr = render(scene, rng)
    yield from _on_cells(image_bgr, board, truth, rng)
    yield from _no_cards(image_bgr, _outlines_px(scene), rng)


def _board(rng: np.random.Generator, *, cards: bool) -> Board:
    """Take a board on which cards are, or one on which none do."""
    boards = [shipped_board(game) for game in shipped_games()]
    suited = [board for board in boards if bool(board.card_words) == cards]
    return suited[int(rng.integers(len(suited)))]


def _on_cells(image_bgr: ImageBgr, board: Board, truth: CardTruth, rng: np.random.Generator) -> Iterator[CardSample]:
    """Cut the cards out that are on the board's cells, as `CardTableLabeller` does; pawns stand on some of them."""
    example = make_example(image_bgr, board, truth)
    if example is None:
        return
    words = [parse_label(label).card if label else "" for label in truth.labels]
    cells = [k for k, word in enumerate(words) if word in (*CARDS, BACK) and truth.visible[k] > _SEEN]
    places = truth.place[cells] + np.column_stack([board.centres_mm()[cells], np.zeros(len(cells))])
    places += rng.normal(0, (_OFF_MM, _OFF_MM, _OFF_RAD), places.shape)
    pictures = cut_cards(image_bgr, example.estimate.pose, example.light, board.size, places)
    for cell, picture in zip(cells, pictures, strict=True):
        yield CardSample(picture, WORDS.index(words[cell]))


def _no_cards(image_bgr: ImageBgr, cards_px: Sequence[Floats], rng: np.random.Generator) -> Iterator[CardSample]:
    """Cut out what has a card's outline and is not a card: markers, cells, sheets of paper."""
    outlines = find_cards(image_bgr)
    beside = [quad for quad in outlines if not any(shared(quad, card) > _ON_A_CARD for card in cards_px)]
    for k in rng.permutation(len(beside))[:_MOST_OUTLINES]:
        yield CardSample(flatten(image_bgr, beside[k]), WORDS.index(NONE))


def _outlines_px(scene: Scene) -> list[Floats]:
    half = np.array(CARD_MM) / 2
    ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    cards = scene.layout.cards if scene.layout is not None else ()
    outlines = []
    for card in cards:
        c, s = np.cos(card.turn_rad), np.sin(card.turn_rad)
        corners = ends @ np.array([(c, s), (-s, c)]) + (card.x_mm, card.y_mm)
        outlines.append(scene.camera.pose.project_at(corners, 0.0))
    return outlines
