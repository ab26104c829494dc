"""What is offered in the lobby."""

from __future__ import annotations

import pytest

from companion.app.offers import agreements


@pytest.mark.parametrize(
    ("game", "key", "agreed"),
    [("royal-racers", "races", 3), ("royal-study", "hourglass", 60), ("territory", "rounds", 5)],
)
def test_of_a_wide_span_the_numbers_that_people_agree_on_are_offered(game: str, key: str, agreed: int) -> None:
    values = next(agreement.values for agreement in agreements(game) if agreement.key == key)
    assert agreed in values
    numbers = [value for value in values if isinstance(value, int)]
    assert numbers == sorted({*numbers})
    assert len(values) <= 30
