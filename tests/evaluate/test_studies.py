"""What is counted of tables with one piece of each kind."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.evaluate import studies

RECORDED = Path(__file__).parent.parent / "recorded"


def copied(folder: Path, *, cells: dict[str, str] | None = None, card: dict[str, object] | None = None) -> Path:
    """One recorded picture, its truth changed."""
    source = RECORDED / "royal-study" / "easy-02"
    truth = json.loads(source.with_suffix(".json").read_text())
    truth["cells"] |= cells or {}
    truth["card"] = card or truth["card"]
    shutil.copy(source.with_suffix(".jpg"), folder / "one.jpg")
    (folder / "one.json").write_text(json.dumps(truth))
    return folder


def test_a_right_reading_is_right_in_everything(tmp_path: Path) -> None:
    figures = studies.evaluate(copied(tmp_path), timed=False).figures["easy"]
    assert figures["boards_occupied"] == figures["pieces_named"] == figures["cards_right"] == 1.0
    assert figures["cards_wrong"] == figures["cards_unseen"] == figures["silent"] == 0


def test_a_wrong_name_on_an_occupied_cell_is_no_error_of_occupancy(tmp_path: Path) -> None:
    figures = studies.evaluate(copied(tmp_path, cells={"B1": "rook"}), timed=False).figures["easy"]
    assert figures["boards_occupied"] == 1.0
    assert figures["pieces_named"] == pytest.approx(0.8)


def test_a_piece_on_an_empty_cell_is_an_error_of_occupancy(tmp_path: Path) -> None:
    figures = studies.evaluate(copied(tmp_path, cells={"B1": "empty"}), timed=False).figures["easy"]
    assert figures["boards_occupied"] == 0.0
    assert figures["cells_occupied"] == pytest.approx(8 / 9)


def test_a_card_read_as_another_is_wrong(tmp_path: Path) -> None:
    folder = copied(tmp_path, card={"id": 13, "side": "back", "turns": 1})
    figures = studies.evaluate(folder, timed=False).figures["easy"]
    assert (figures["cards_right"], figures["cards_wrong"], figures["cards_unseen"]) == (0.0, 1, 0)


def test_a_folder_without_such_pictures_has_nothing_to_measure() -> None:
    assert not studies.evaluate(RECORDED / "royal-tee", timed=False).figures
