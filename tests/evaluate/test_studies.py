"""What is counted of tables with one piece of each kind."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.evaluate import studies, tables

RECORDED = Path(__file__).parent.parent / "recorded"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {"boards_occupied": 1.0, "pieces_named": 1.0, "cards_right": 1.0, "silent": 0, "cards_unseen": 0}),
        ({"cells": {"B1": "rook"}}, {"boards_occupied": 1.0, "pieces_named": 0.8}),
        ({"cells": {"B1": "empty"}}, {"boards_occupied": 0.0, "cells_occupied": 8 / 9}),
        (
            {"card": {"id": 13, "side": "back", "turns": 1}},
            {"cards_right": 0.0, "cards_wrong": 1, "cards_unseen": 0, "pieces_named": 1.0},
        ),
    ],
    ids=["all right", "a wrong name", "a piece on an empty cell", "another card"],
)
def test_occupancy_names_and_cards_are_counted_apart(
    changes: dict[str, dict[str, object]], expected: dict[str, float], tmp_path: Path
) -> None:
    """A picture's truth is changed, which makes its right reading wrong."""
    source = RECORDED / "royal-study" / "easy-02"
    truth = json.loads(source.with_suffix(".json").read_text())
    truth = {**truth, "card": changes.get("card", truth["card"]), "cells": truth["cells"] | changes.get("cells", {})}
    shutil.copy(source.with_suffix(".jpg"), tmp_path / "one.jpg")
    (tmp_path / "one.json").write_text(json.dumps(truth))
    figures = studies.report(tables.measure_all(tmp_path, timed=False)).figures["easy"]
    assert {name: figures[name] for name in expected} == pytest.approx(expected)


def test_other_tables_have_nothing_to_measure() -> None:
    assert not studies.report(tables.measure_all(RECORDED / "royal-tee", timed=False)).figures
