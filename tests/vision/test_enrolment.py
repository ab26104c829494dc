"""What is learned of a user's own table, and how it is weighed against what the eye says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from companion.shell.config_files import read_enrolment
from companion.shell.config_places import write_own
from companion.shell.errors import SetUpError
from vision.enrolment import enrolment_toml, fit_enrolment, tones_seen, weighed
from vision.geometry import Floats
from vision.labels import EMPTY

_CELLS = ("A1", "B1", "C1")
_LABELS = (EMPTY, "red", "blue")
_RED, _BLUE, _GROUND = (np.array(tone) for tone in ((0.1, 0.1, 0.8), (0.8, 0.2, 0.1), (0.6, 0.7, 0.7)))


def test_a_cell_that_looks_like_what_was_shown_is_reported_with_more_confidence() -> None:
    p = np.full((3, 3), 1 / 3)
    found = weighed(p, np.array([_BLUE, _RED, _GROUND]), fit_enrolment("t", _CELLS, _lessons()), _CELLS, _LABELS)
    assert found.argmax(axis=1).tolist() == [2, 1, 0]
    assert (found.max(axis=1) > 0.6).all()


def _lessons() -> list[tuple[Floats, dict[str, str]]]:
    shown = {"A1": "red", "B1": "blue", "C1": EMPTY}
    empty = np.array([_GROUND, _GROUND, _GROUND])
    return [(np.array([_RED, _BLUE, _GROUND]), shown), (empty, dict.fromkeys(_CELLS, EMPTY))]


@given(
    tones=arrays.arrays(np.float64, (3, 3), elements=st.floats(-0.25, 2.0)),
    odds=arrays.arrays(np.float64, (3, 3), elements=st.floats(0.01, 1.0)),
)
def test_whatever_is_seen_odds_change_by_a_bounded_factor(tones: Floats, odds: Floats) -> None:
    p = odds / odds.sum(axis=1, keepdims=True)
    found = weighed(p, tones, fit_enrolment("t", _CELLS, _lessons()), _CELLS, _LABELS)
    assert np.allclose(found.sum(axis=1), 1)
    before, after = (np.log(q[:, :, None] / q[:, None, :]) for q in (p, found))
    assert np.abs(after - before).max() <= 3.0 + 1e-9


def test_nothing_learned_changes_nothing() -> None:
    p = np.array([[0.7, 0.2, 0.1]] * 3)
    assert weighed(p, np.ones((3, 3)), fit_enrolment("t", _CELLS, []), _CELLS, _LABELS).tolist() == pytest.approx(p)


def test_tones_are_the_colours_about_the_middles_of_the_cells() -> None:
    planes = np.zeros((3, 32, 48), np.float32)
    planes[2, 12:20, 28:36] = 1.0
    tones = tones_seen(planes, [(0, 0), (0, 1)], 16)
    assert tones.tolist() == [[0, 0, 0], [0, 0, 1]]


def test_what_was_learned_survives_its_file_and_another_games_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "royal-tee.enrolled.toml"
    learned = fit_enrolment("royal-tee", _CELLS, _lessons())
    write_own(path.name, enrolment_toml(learned), path)
    again = read_enrolment(path, "royal-tee")
    assert again.labels["red"].mean == pytest.approx(learned.labels["red"].mean, abs=1e-4)
    assert set(again.empty) == set(_CELLS)
    with pytest.raises(SetUpError, match='expected "territory"'):
        read_enrolment(path, "territory")
