"""A table of cards on mats whose print nobody has seen: places are no cards for certain, and cards no print."""

from __future__ import annotations

from collections import Counter

from tests.evaluate.card_mats import table
from vision.board import shipped_board
from vision.recognition.reader import Reading, TableReader

_SEEDS = range(900, 906)


def test_places_of_mats_are_mostly_known_to_be_empty_and_hardly_ever_cards_for_certain() -> None:
    counted = Counter[tuple[bool, str]]()
    for made in (table("royal-racers", seed) for seed in _SEEDS):
        reading = TableReader(shipped_board("royal-racers")).read(made.image_bgr)
        assert isinstance(reading, Reading)
        seen, unsure = reading.observation, reading.observation.unsure()
        for cell, best, doubted in zip(seen.cells, seen.best(), unsure, strict=True):
            if cell not in made.hidden:
                found = "doubt" if doubted else "empty" if best == "empty" else "card"
                counted[made.labels[cell] == "empty", found] += 1
    assert counted[True, "card"] + counted[False, "empty"] <= 2, counted
    assert counted[True, "empty"] > 0.3 * sum(n for (empty, _found), n in counted.items() if empty), counted
