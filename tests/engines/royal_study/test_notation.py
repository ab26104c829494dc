from __future__ import annotations

import re

import pytest

from engines.kernel import BadRequestError
from engines.royal_study import notation
from engines.royal_study.position import Match, Puzzle

PUZZLE = "2 KQB/N../R.. RNK/..Q/..B+K../.../...!"
MATCH = (
    "1 KQB/N../R.. - white=0,black=2 await=card turn=white round=3 call=- steps=0 began=- deck=5,3"
    ' options={"deck":"table"}'
)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "a position is written like"),
        ("KQB/N../R.. -", "a position is written like"),
        (PUZZLE.replace("2 K", "4 K"), '"level" must be a whole number from 1 to 3, not 4'),
        (PUZZLE.replace("+", "+!"), "a card cannot be written '!K"),
        (PUZZLE.replace("RNK", "RNX"), "target 0 must be three rows"),
        (MATCH.replace("white=0", "white"), "a player's points cannot be written 'white'"),
        (MATCH.replace("await=card", "await=cards"), '"await", where it is not null, must be one of start, card'),
        (MATCH.replace("turn=white", "turn=green"), '"turn" must be one of white, black, not "green"'),
        (MATCH.replace("round=3", "round=0"), '"round" must be a whole number from 1 to 120, not 0'),
        (MATCH.replace("call=-", "call=white"), "a call cannot be written 'white'"),
        (MATCH.replace("deck=5", "deck=x"), "a number cannot be written 'x'"),
        (MATCH.replace("began=-", "began=x,-"), '"pieces" must be three rows'),
        (MATCH.replace('"deck":', ""), "options are written as a JSON object"),
        (MATCH.replace('{"deck":"table"}', "[]"), '"options" must be an object, not []'),
    ],
)
def test_a_line_that_is_no_position_is_reported_in_one_sentence(line: str, sentence: str) -> None:
    with pytest.raises(BadRequestError, match=re.escape(sentence)):
        notation.read_position(line)


def test_the_lines_above_are_positions_when_nothing_is_changed() -> None:
    assert isinstance(notation.read_position(PUZZLE), Puzzle)
    assert isinstance(notation.read_position(MATCH), Match)


@pytest.mark.parametrize(
    "line", ["", "N A2", "N A2-", "turn cw", "turn up 0", "draw 5 x0", "call x white", "Challenge"]
)
def test_a_line_that_is_no_action_is_reported_in_one_sentence(line: str) -> None:
    with pytest.raises(BadRequestError, match=r"an action is written like|must be"):
        notation.read_action(line)
