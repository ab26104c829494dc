"""Pictures without colour are refused for tables whose pieces differ by colour; all others are read."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.readings import as_read, read_table, table_view, wrongly_sure
from vision.board import shipped_board
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.image_file import load_image
from vision.observation import Blind, BlindReason
from vision.recognition.hues import (
    SeenColours,
    colour_is_proven,
    colours_deceive,
    doubt_mirrored,
    share_among_colours,
)
from vision.recognition.labeller import Labelled
from vision.recognition.reader import Reading, TableReader
from vision.recognition.refusal import needs_colour
from vision.simulation.card_table import random_card_scene
from vision.simulation.decks.deck import Deck
from vision.simulation.decks.random_deck import random_deck
from vision.simulation.optics import render
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import Scene
from vision.simulation.truth import truth_of


@cache
def staged(game: str, seed: int) -> tuple[ImageBgr, Scene]:
    """A table with pieces on it, as in a game."""
    rng = np.random.default_rng(61_000 + seed)
    board = shipped_board(game)
    if board.card_words:
        scene = random_card_scene(board, rng, tier="easy", size_wh=(1280, 960))
    else:
        scene = random_scene(board, rng, tier="easy", size_wh=(1280, 960))
    return render(scene, rng), scene


def played(game: str, seed: int) -> ImageBgr:
    return staged(game, seed)[0]


def lit_by(image_bgr: ImageBgr, light_bgr: tuple[float, float, float]) -> ImageBgr:
    """Put another light on a scene: its linear values are multiplied."""
    levels = (image_bgr / 255) ** 2.2 * light_bgr
    return np.round(255 * levels ** (1 / 2.2)).astype(np.uint8)


def toned(image_bgr: ImageBgr, tone_bgr: tuple[float, float, float]) -> ImageBgr:
    gray = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY).astype(np.float64)
    return np.clip(gray[..., None] * tone_bgr, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("tone", [(1.0, 1.0, 1.0), (0.7, 0.9, 1.0)], ids=["grey", "sepia"])
@pytest.mark.parametrize("game", ["territory", "royal-tee"])
def test_a_table_of_coloured_pieces_needs_colour(game: str, tone: tuple[float, float, float]) -> None:
    seen = TableReader(shipped_board(game)).read(toned(played(game, 1), tone))
    assert seen == Blind(BlindReason.NO_COLOUR)


def test_an_empty_pale_board_on_a_grey_table_has_colour_enough() -> None:
    rng = np.random.default_rng(5)
    board = shipped_board("territory")
    scene = random_scene(board, rng, tier="easy", labels={}, size_wh=(1280, 960))
    assert isinstance(TableReader(board).read(render(scene, rng)), Reading)


def test_black_and_white_pieces_need_no_colour() -> None:
    assert [game for game in ("royal-ur", "royal-study", "territory") if needs_colour(shipped_board(game))] == [
        "territory"
    ]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", ["territory", "royal-tee", "royal-racers"])
@pytest.mark.parametrize("seed", range(2))
def test_pictures_whose_red_and_blue_are_exchanged_are_refused(game: str, seed: int) -> None:
    reader = TableReader(shipped_board(game))
    assert isinstance(reader.read(played(game, seed)), Reading)
    reader.forget()
    seen = reader.read(np.ascontiguousarray(played(game, seed)[..., ::-1]))
    assert seen == Blind(BlindReason.NO_COLOUR, {"exchanged": "red-blue"})


def test_hues_that_fit_neither_way_round_are_doubted_and_no_reason_to_refuse() -> None:
    """Seven purple pieces in warm light; narrow pieces on a red board, which shows beside them, are as deceptive."""
    rng, board = np.random.default_rng((77_000, 3)), shipped_board("territory")
    scene = random_scene(board, rng, tier="hard", size_wh=(1280, 960))
    seen = read_table(board, render(scene, rng))
    assert wrongly_sure(seen, truth_of(scene).labels) == []


@pytest.mark.parametrize(("seed", "colour"), [(11, "purple"), (3, "green"), (4, "yellow")])
def test_a_hue_of_one_seat_s_pieces_is_no_sign_of_exchanged_colours(seed: int, colour: str) -> None:
    rng, board = np.random.default_rng((63_000, seed)), shipped_board("territory")
    labels = dict.fromkeys(map(str, rng.choice(board.cells, 4, replace=False)), colour)
    picture = render(random_scene(board, rng, tier="medium", labels=labels, size_wh=(1280, 960)), rng)
    assert isinstance(TableReader(board).read(picture), Reading)


def four_coloured(rng: np.random.Generator) -> Deck:
    """A deck whose diamonds are blue and whose clubs are green."""
    deck = random_deck(rng)
    return replace(deck, inks={**deck.inks, "hearts": (200, 30, 40), "diamonds": (20, 70, 200), "clubs": (30, 110, 40)})


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(4))
def test_blue_diamonds_are_no_sign_of_exchanged_colours(seed: int) -> None:
    rng, board = np.random.default_rng(62_000 + seed), shipped_board("royal-racers")
    scene = random_card_scene(board, rng, tier="easy", size_wh=(1280, 960), deck_of=four_coloured)
    assert isinstance(TableReader(board).read(render(scene, rng)), Reading)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(3))
def test_pictures_with_hardly_any_colour_are_refused(seed: int) -> None:
    picture = played("royal-tee", seed)
    faded = np.round(0.85 * toned(picture, (1.0, 1.0, 1.0)) + 0.15 * picture).astype(np.uint8)
    assert TableReader(shipped_board("royal-tee")).read(faded) == Blind(BlindReason.NO_COLOUR)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", [2, 4, 13])
def test_black_and_white_are_doubted_where_colour_may_have_faded(seed: int) -> None:
    """At a quarter of their colour blue pieces are read as black; 47 cells of the first picture were wrong and sure."""
    picture, scene = staged("territory", seed)
    faded = np.round(0.75 * toned(picture, (1.0, 1.0, 1.0)) + 0.25 * picture).astype(np.uint8)
    seen, labels = read_table(shipped_board("territory"), faded), truth_of(scene).labels
    assert seen.best() != labels
    assert wrongly_sure(seen, labels) == []


def test_flags_on_cards_are_doubted_where_colour_may_have_faded() -> None:
    """At a quarter of its colour a red flag is read as black; 14 cells of 20 pictures were wrong and sure."""
    path = Path(__file__).parents[2] / "recorded" / "royal-racers" / "medium-32.jpg"
    picture, truth = load_image(path), json.loads(path.with_suffix(".json").read_text())["cells"]
    faded = np.round(0.75 * toned(picture, (1.0, 1.0, 1.0)) + 0.25 * picture).astype(np.uint8)
    observed = read_table(shipped_board("royal-racers"), faded)
    flags = np.array(["flag" in truth[cell] for cell in observed.cells])
    wrong = np.array([best != truth[cell] for cell, best in zip(observed.cells, observed.best(), strict=True)])
    assert (wrong & flags).any()
    assert observed.unsure()[flags].all()
    assert not observed.unsure()[~flags & ~wrong].all()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", ["territory", "royal-tee", "royal-ur"])
@pytest.mark.parametrize("light_bgr", [(0.2, 0.55, 1.0), (1.0, 0.8, 0.55)], ids=["bulb", "sky"])
def test_the_colour_of_the_light_is_taken_out(game: str, light_bgr: tuple[float, float, float]) -> None:
    reader = TableReader(shipped_board(game))
    plain = as_read(reader.read(played(game, 3))).observation
    reader.forget()
    lit = as_read(reader.read(lit_by(played(game, 3), light_bgr))).observation
    sure = ~plain.unsure() & ~lit.unsure()
    same = [a == b for a, b in zip(plain.best(), lit.best(), strict=True)]
    assert sure.mean() > 0.75
    assert np.array(same)[sure].all()


@pytest.mark.parametrize("cells", [("F11",), ("F11", "G2")])
def test_one_or_two_pieces_with_red_and_blue_exchanged_are_doubted(cells: tuple[str, ...]) -> None:
    board = shipped_board("royal-tee")
    labels = {cell: "red" if cell in cells else "empty" for cell in board.cells}
    rng = np.random.default_rng(3)
    picture = render(random_scene(board, rng, tier="easy", labels=labels, size_wh=(1280, 960)), rng)
    plain, seen = (read_table(board, image) for image in (picture, np.ascontiguousarray(picture[..., ::-1])))
    standing = [cell in cells for cell in board.cells]
    assert not plain.unsure()[standing].any()
    assert seen.unsure()[standing].all()


def seen_colours(hues_bgr: list[tuple[float, float, float]], *, grey: bool = False) -> SeenColours:
    """A good picture of Territory, or a grey one, in which pieces of these colours were measured."""
    board, image = shipped_board("territory"), played("territory", 1)
    image = toned(image, (1.0, 1.0, 1.0)) if grey else image
    view = table_view(board, image)
    labelled = Labelled(np.zeros((len(board.cells), len(board.label_words))), np.zeros(len(board.cells)))
    seen = SeenColours(image, board, view.pose, view.light, labelled)
    measured = np.array(hues_bgr)
    expected = measured if not grey else np.array([RED] * len(measured))
    vars(seen)["pieces"] = (np.arange(len(measured)), measured, expected)
    return seen


RED, CYAN = (0.15, 0.16, 0.78), (0.85, 0.7, 0.2)


@pytest.mark.parametrize(("hues", "proven"), [([RED] * 9, True), ([RED] * 5 + [CYAN] * 4, False), ([RED, CYAN], True)])
def test_many_pieces_that_fit_better_with_colours_exchanged_prove_no_colour(
    hues: list[tuple[float, float, float]], proven: bool
) -> None:
    seen = seen_colours(hues)
    assert not colours_deceive(seen), "it is not clear enough to refuse the picture"
    assert colour_is_proven(seen) == proven


PALE_RED, GREYISH_RED = (0.35, 0.35, 0.7), (0.5, 0.5, 0.65)


@pytest.mark.parametrize(("hue", "proven"), [(RED, True), (PALE_RED, True), (GREYISH_RED, False)])
def test_one_piece_of_its_full_colour_proves_colour_on_a_grey_board(
    hue: tuple[float, float, float], *, proven: bool
) -> None:
    assert colour_is_proven(seen_colours([hue], grey=True)) == proven
    assert colour_is_proven(seen_colours([GREYISH_RED, hue], grey=True)) == proven


@pytest.mark.parametrize(
    ("colour", "likely", "unlikely"),
    [("white", ["yellow"], ["red", "black"]), ("black", ["purple", "blue"], ["white", "yellow"])],
)
def test_a_piece_without_its_colour_is_one_of_those_that_look_as_light(
    colour: str, likely: list[str], unlikely: list[str]
) -> None:
    board = shipped_board("territory")
    column = dict(zip(board.label_words, range(len(board.label_words)), strict=True))
    p = np.zeros((1, len(column)))
    p[0, column[colour]] = 1.0
    shared = share_among_colours(board, Labelled(p, np.ones(1))).p[0]
    assert shared.sum() == pytest.approx(1.0)
    assert shared[column[colour]] == shared.max()
    assert all(0.1 < shared[column[other]] < 0.9 for other in (*likely, colour))
    assert all(shared[column[other]] < 0.01 for other in (*unlikely, "empty"))


def a_disc_of(label: str, circles: list[tuple[float, tuple[int, int, int]]], *, burning: bool = False) -> Floats:
    """Return a certain label's probabilities after doubt, (n_labels,), on a grey board with circles, radii in cells."""
    seen, board = seen_colours([]), shipped_board("territory")
    row = board.cells.index("B2")
    (x, y), aside = seen.pose.project_at(board.places_mm()[[row, row + 1]], 0.0)
    image, pitch_px = np.full_like(seen.image_bgr, 128), float(np.hypot(*(aside - (x, y))))
    for radius, colour in circles:
        cv2.circle(image, (round(x), round(y)), round(radius * pitch_px), colour, -1)
    words = np.array([label if cell == "B2" else "empty" for cell in board.cells])
    labelled = Labelled(np.equal(words[:, None], board.label_words).astype(float), np.ones(len(words)))
    light = replace(seen.light, white_plane=np.log(255.0) * np.eye(1, 3).repeat(3, axis=0)) if burning else seen.light
    p: Floats = doubt_mirrored(replace(seen, image_bgr=image, light=light, labelled=labelled)).p[row]
    assert board.label_words[int(p.argmax())] == label, "it stays the most probable one"
    return p


@pytest.mark.parametrize(("lamp", "is_certain"), [(0.2, True), (0.35, False)])
def test_a_coloured_disc_is_doubted_if_all_of_it_is_a_mirrored_lamp(lamp: float, *, is_certain: bool) -> None:
    p = a_disc_of("purple", [(0.4, (110, 70, 120)), (lamp, (255, 255, 255))])
    assert (p.max() == 1.0) == is_certain


@pytest.mark.parametrize("around", [128, 255])
def test_a_white_disc_where_even_paper_burns_out_is_doubted_if_all_around_it_is_as_bright(around: int) -> None:
    p = a_disc_of("white", [(0.9, (around,) * 3), (0.35, (255, 255, 255))], burning=True)
    assert (p.max() < 0.6) == (around == 255)
