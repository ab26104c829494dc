"""Tables with one piece of each kind are read no worse than when their baseline was written."""

from __future__ import annotations

import json
from pathlib import Path

from tests.evaluate import studies
from tests.evaluate.figures import worse

_FOLDER = Path(__file__).parent


def test_occupancy_identity_and_cards_are_no_worse_than_the_baseline() -> None:
    report = studies.evaluate(_FOLDER / "royal-study", timed=False)
    baseline = json.loads((_FOLDER / "baseline.json").read_text())
    assert worse(report, baseline[report.kind]) == []


def test_no_recorded_card_is_reported_wrongly_and_none_is_missed() -> None:
    figures = studies.evaluate(_FOLDER / "royal-study", timed=False).figures
    assert all(row["cards_right"] == 1.0 for row in figures.values())
