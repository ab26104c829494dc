from __future__ import annotations

import pytest

from engines.kernel import BadRequestError
from engines.royal_tee import notation

START = "red@bottom,green@top red 1 6B5/12/12/12/12/12/12/12/12/12/12/5A6"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "a position is written as"),
        (START.replace("red 1", "red"), "a position is written as"),
        (START.replace("@bottom", ""), 'a player is written as "red@bottom"'),
        (START.replace("@top", "@bottom"), "a side of the board of their own"),
        (START.replace("top red 1", "top blue 1"), "turn 'blue'"),
        (START.replace("red 1", "red 0"), "slider 0"),
        (START.replace("5A6", "5A5"), "12 rows of 12"),
        (START.replace("/12/", "/", 1), "12 rows of 12"),
        (START.replace("/12/", "/999999999999/", 1), "12 rows of 12"),
        (START.replace("5A6", "12"), "one A"),
        (START.replace("/12/", "/11A/", 1), "one A"),
        (START.replace("/12/", "/11c/", 1), "more players"),
    ],
)
def test_a_line_that_is_no_position_is_reported_in_one_sentence(line: str, sentence: str) -> None:
    with pytest.raises(BadRequestError, match=sentence):
        notation.read_position(line)
