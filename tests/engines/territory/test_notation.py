from __future__ import annotations

import pytest

from engines.kernel import BadRequestError
from engines.territory import notation

START = "red,yellow,green red 1/8 roll - - 8/8/8/8/8/8/8/8 deck=calm,truce face_down=mirror"
MIDDLE = "red,yellow,green yellow 2/8 choose 8.4.7 calm 6w1/8/a2w4/3w4/8/8/2b5/8 deck=truce,flood face_down=mirror"


@pytest.mark.parametrize("line", [START, MIDDLE])
def test_a_line_comes_out_as_it_went_in(line: str) -> None:
    assert notation.write_position(notation.read_position(line)) == line


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "a position is written as"),
        (START.replace("roll -", "roll"), "a position is written as"),
        (START.replace("1/8", "9/8"), '"round" must be a whole number from 1 to 8'),
        (START.replace("red,", "pink,"), 'unknown colour "pink"'),
        (START.replace("roll", "walk"), '"await" must be one of'),
        (START.replace(" - -", " 13 -"), 'entry 1 of "rolled" must be a whole number from 2 to 12, not 13'),
        (START.replace(" - -", " - joker"), 'unknown card "joker"'),
        (START.replace("8/8/8 ", "8/8 "), "there must be 8 rows of 8 spaces"),
        (START.replace("/8 deck", "/9 deck"), "there must be 8 rows of 8 spaces"),
        (START.replace("/8 deck", "/99999999999999999999 deck"), "there must be 8 rows of 8 spaces"),
        (START.replace("/8 deck", "/d7 deck"), "the rows name 'd', but only 3 play"),
        (START.replace("deck=", "turn="), 'the end of a position\'s line has no "turn"; there are: deck, left'),
        (START + " table={", "what follows table= must be JSON without blanks"),
        (START + " table={}", '"table" lacks "grid"'),
        (
            START + ' cards=[{"id":"x","pardons":9}]',
            '"pardons" of entry 1 of "cards" must be a whole number from 0 to 3, not 9',
        ),
    ],
)
def test_a_line_that_is_no_position_is_reported_in_one_sentence(line: str, sentence: str) -> None:
    with pytest.raises(BadRequestError, match=sentence):
        notation.read_position(line)


@pytest.mark.parametrize(
    "line", ["", "roll", "roll 7", "roll 3  4", "roll 1 2 3", "place", "place c4", "stop now", "go"]
)
def test_a_line_that_is_no_action_is_reported(line: str) -> None:
    with pytest.raises(BadRequestError):
        notation.read_action(line)
