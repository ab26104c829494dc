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


def test_exchanged_pieces_are_named_when_the_study_is_set_up() -> None:
    found = there(told("laid-by-hand", "royal-study", 1))
    assert found.fault == ""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", ["territory", "royal-ur", "royal-study"])
def test_done_confirms_that_a_move_was_put_back_by_hand(game: str) -> None:
    found = there(told("silent-take-back", game, 1))
    assert found.fault == ""


def test_a_choice_that_a_swept_table_offered_is_gone_once_it_is_laid_again() -> None:
    found = there(told("swept", "royal-ur", 2))
    assert found.fault == ""
