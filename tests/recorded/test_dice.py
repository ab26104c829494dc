"""Loose dice in the recorded pictures are read no worse than when the baseline was written, and none wrongly."""

from __future__ import annotations

import json
from pathlib import Path

from tests.evaluate import dice
from tests.evaluate.figures import worse

_FOLDER = Path(__file__).parent


def test_dice_are_read_no_worse_than_the_baseline_and_none_is_reported_wrongly() -> None:
    report = dice.evaluate(_FOLDER, timed=False)
    baseline = json.loads((_FOLDER / "baseline.json").read_text())
    assert worse(report, baseline[report.kind]) == []
    assert report.figures["dice"]["dice"] >= 40
    assert report.figures["dice"]["wrong"] == 0
