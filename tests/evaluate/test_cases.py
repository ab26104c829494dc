"""What people are told, in one game: a short selection of what `python -m tests.evaluate.cases` plays."""

from __future__ import annotations

import pytest

from tests.evaluate.cases import CASES, told

NOT_HELD = {"silent-take-back"}
"""What the core does not tell yet as it should be."""


@pytest.mark.parametrize("case", sorted(CASES.keys() - NOT_HELD))
def test_people_are_told_what_they_should_be_in_time(case: str) -> None:
    found = told(case, "royal-tee", 1)
    assert found is not None
    assert found.fault == ""
