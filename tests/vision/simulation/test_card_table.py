"""Cards that are laid again and again: what is touched is laid again, all else stays where it is."""

from dataclasses import replace

import numpy as np
import pytest

from vision.board import shipped_board
from vision.geometry import Floats
from vision.labels import BACK
from vision.simulation.card_art import CARD_TOP_MM
from vision.simulation.card_table import CardTable, random_card_scene
from vision.simulation.optics import lay_table
from vision.simulation.scene import CardLayout, Scene, SceneCard

BOARD = shipped_board("royal-racers")
LABELS = dict(zip(BOARD.cells, BOARD.card_words, strict=True))


@pytest.fixture
def scene() -> Scene:
    return random_card_scene(BOARD, np.random.default_rng(4), tier="easy", size_wh=(640, 480))


@pytest.fixture
def table(scene: Scene) -> CardTable:
    assert scene.layout is not None
    return CardTable(BOARD, scene.layout, np.random.default_rng(5))


def cards(layout: CardLayout) -> dict[str, SceneCard]:
    return {card.cell: card for card in layout.cards}


def test_every_card_is_about_its_cell(table: CardTable) -> None:
    layout, pawns = table.lay(LABELS)
    middles: dict[str, Floats] = dict(zip(BOARD.cells, BOARD.centres_mm(), strict=True))
    assert {card.cell: card.word for card in layout.cards} == LABELS
    assert all(np.abs(middles[c.cell] - (c.x_mm, c.y_mm)).max() <= 4.0 for c in layout.cards)
    assert (layout.tiles, pawns) == ((), ())


def test_only_a_card_that_is_turned_is_moved(table: CardTable) -> None:
    first, _ = table.lay(LABELS)
    then, _ = table.lay({**LABELS, "C3": BACK})
    assert cards(then)["C3"].word == BACK
    assert (cards(then)["C3"].x_mm, cards(then)["C3"].y_mm) != (cards(first)["C3"].x_mm, cards(first)["C3"].y_mm)
    assert {**cards(then), "C3": None} == {**cards(first), "C3": None}
    assert table.lay({**LABELS, "C3": BACK})[0] == then


def test_a_tile_covers_the_card_that_was_there(table: CardTable) -> None:
    first, _ = table.lay(LABELS)
    then, pawns = table.lay({**LABELS, "B2": "covered+flag-suns+pawn-moons"})
    assert cards(then) == cards(first)
    [tile], [pawn] = then.tiles, pawns
    assert (tile.suit, tile.cell, pawn.kind, pawn.colour, pawn.cell) == ("suns", "B2", "pawn", "moons", "B2")
    assert pawn.z_mm == CARD_TOP_MM + then.art.height_mm


def test_a_pawn_stands_on_the_tile_that_is_put_below_it_until_that_is_taken_away(table: CardTable) -> None:
    on_card = {**LABELS, "B2": f"{LABELS['B2']}+pawn-moons"}
    on_tile = {**LABELS, "B2": "covered+flag-suns+pawn-moons"}
    laid = [table.lay(labels) for labels in (on_card, on_tile, on_card)]
    tile_mm = laid[1][0].art.height_mm
    assert [pawn.z_mm - CARD_TOP_MM for _, (pawn,) in laid] == pytest.approx([0.0, tile_mm, 0.0])


def test_a_pawn_that_leaves_a_card_leaves_it_as_it_was(table: CardTable) -> None:
    stands, before = table.lay({**LABELS, "A1": f"{LABELS['A1']}+pawn-arms"})
    left, after = table.lay({**LABELS, "A2": f"{LABELS['A2']}+pawn-arms"})
    assert left.cards == stands.cards
    assert [(p.cell, p.z_mm) for p in (*before, *after)] == [("A1", CARD_TOP_MM), ("A2", CARD_TOP_MM)]


def test_a_cell_without_a_label_has_no_card(table: CardTable) -> None:
    table.lay(LABELS)
    layout, _ = table.lay({cell: word for cell, word in LABELS.items() if cell != "D4"})
    assert set(BOARD.cells) - {card.cell for card in layout.cards} == {"D4"}


def test_only_the_picture_of_the_turned_card_changes(scene: Scene, table: CardTable) -> None:
    def picture(labels: dict[str, str]) -> Floats:
        layout, _ = table.lay(labels)
        laid = lay_table(replace(scene, layout=layout, pieces=()), np.random.default_rng(6))
        return laid.canvas.astype(np.float64)

    change = np.abs(picture({**LABELS, "C3": BACK}) - picture(LABELS)).max(axis=2)
    middles = np.round(scene.camera.pose.project_at(BOARD.centres_mm(), 0.0)).astype(int)
    near = {c: change[y - 4 : y + 5, x - 4 : x + 5].max() for c, (x, y) in zip(BOARD.cells, middles, strict=True)}
    assert [cell for cell, most in near.items() if most > 0] == ["C3"]
