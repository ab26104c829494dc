from __future__ import annotations

import re

import pytest

from engines.kernel import BadRequestError
from engines.royal_racers import notation

LINE = (
    "suns,moons suns 4/300 flip=3 flags=2 "
    "3C3d3H3SACAD/AHAS2C2D2H2s/4C4D4H4S5C5D/5H5S6C6D6H6S/7C7D7H7S8C8D/8H8S9C9D9H9S A1:0:A3.C3 D4:1:D1.D4 "
    "races=2:1.2 coming="
)


def test_the_line_of_these_tests_is_a_position() -> None:
    assert notation.write_position(notation.read_position(LINE)) == LINE


@pytest.mark.parametrize(
    ("was", "now", "sentence"),
    [
        (LINE, "", "a position is written as"),
        ("suns,moons", "suns", "royal-racers has 2 to 4 players, not 1"),
        ("suns,moons", "suns,moons,arms", "a word for each of the 3 racers, not 2"),
        ("flip=3", "flop=3", 'what is awaited must be one of start, flag, roll, flip, move, deal, over, not "flop"'),
        ("flip=3", "flip=6", "a position is written as"),
        ("flip=3", "move", '"rolled" must hold the die'),
        ("flags=2", "flags=9", '"flags" must be a whole number from 2 to 6, not 9'),
        ("4/300", "4/3", '"round" must be a whole number from 1 to 3, not 4'),
        ("4/300", "4/0", '"rounds" must be a whole number from 1 to 100000, not 0'),
        ("3C3d", "3C", "the grid has 6 rows of 6 cards"),
        ("3C3d", "3C3x", "a card is written like"),
        ("3C3d", "3C3c", "there is no 3-diamonds"),
        ("9H9S", "9H9s", "the card on F6 cannot lie face down"),
        ("A1:0", "-:0", "start spaces are chosen in the players' order"),
        ("A1:0", "B9:0", "a position is written as"),
        ("A1:0", "F11:0", "there is no space 'F11'"),
        ("A3.C3", "A3..C3", "there is no space ''"),
        ("2:1.2", "2:1.2.3", "a race gives each of 2 players a coin, not '1.2.3'"),
        ("2:1.2", "2:1.", "a race gives each of 2 players a coin, not '1.'"),
        ("coming=", "coming=9C", "0 races are left, but 1 layouts are coming"),
    ],
)
def test_a_line_that_is_no_position_is_reported_in_one_sentence(was: str, now: str, sentence: str) -> None:
    with pytest.raises(BadRequestError, match=re.escape(sentence)):
        notation.read_position(LINE.replace(was, now, 1))


@pytest.mark.parametrize("line", ["", "step", "walk C2", "roll 6", "roll", "deal joker", "pass on"])
def test_a_line_that_is_no_action_is_reported_in_one_sentence(line: str) -> None:
    with pytest.raises(BadRequestError):
        notation.read_action(line)
