"""What people are told, in one game: a short selection of what `python -m tests.evaluate.cases` plays."""

from __future__ import annotations

import pytest

from tests.evaluate.cases import CASES, told
from tests.narrow import there


@pytest.mark.sampled(7)
@pytest.mark.parametrize("case", sorted(CASES))
def test_people_are_told_what_they_should_be_in_time(case: str) -> None:
    found = there(told(case, "royal-tee", 1) or told(case, "royal-ur", 1))
    assert found.fault == ""


@pytest.mark.parametrize(
    ("case", "game", "seed"),
    [
        pytest.param("laid-by-hand", "royal-study", 1, id="exchanged pieces are named at set-up"),
        pytest.param("swept", "royal-ur", 2, id="a choice that was offered is gone once the table is laid again"),
        *(("silent-take-back", game, 1) for game in ("territory", "royal-ur", "royal-study")),
    ],
)
def test_people_are_told_so_in_other_games(case: str, game: str, seed: int) -> None:
    assert there(told(case, game, seed)).fault == ""
