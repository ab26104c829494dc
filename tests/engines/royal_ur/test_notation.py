from __future__ import annotations

import re

import pytest

from engines.kernel import BadRequestError
from engines.royal_ur import notation

START = "white=off*7 black=off*7 white roll -"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "a position is written as counters, turn, what is awaited and dots, not ''"),
        (START.replace("roll", "ROLL"), "a position is written as"),
        (START.replace("off*7", "off*8", 1), "a counter is written as"),
        (
            START.replace("off*7", "16,off*6", 1),
            'entry 1 of "counters" of white must be a whole number from -1 to 15, not 16',
        ),
        (START.replace("off*7", "off*6", 1), '"counters" of white must be a list of 7, not [-1, -1, -1, -1, -1, -1]'),
        (START.replace("- ", "") + " speed=3", "a position has no 'speed'; there are: by, thrown"),
        (START + " dot_chance=often", '"dot_chance" must be a number from 0.05 to 0.95 or null, not "often"'),
        (START + " squares=eyes:4", '"squares" must be a list of 14 or null, not [{"sign": "eyes", "value": 4}]'),
        (START + " by=black", '"decides" must be white here, not black'),
        (START.replace("white roll", "red roll"), '"turn" must be one of white, black, not "red"'),
        (START.replace("black=", "white="), "each player can sit down only once: white, white"),
    ],
)
def test_a_line_that_is_no_position_is_reported_in_one_sentence(line: str, sentence: str) -> None:
    with pytest.raises(BadRequestError, match=re.escape(sentence)):
        notation.read_position(line)


@pytest.mark.parametrize("line", ["", "roll", "roll x", "move -1", "pass", "enter 3", "roll 3 3"])
def test_a_line_that_is_no_action_is_reported_in_one_sentence(line: str) -> None:
    with pytest.raises(
        BadRequestError,
        match=r"is written as one of roll \.\.\., move \.\.\., enter, decline, not|whole number",
    ):
        notation.read_action(line)
