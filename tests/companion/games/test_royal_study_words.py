"""What happens to the Study's cards, in sentences: a card needs its number only beside another one."""

from __future__ import annotations

import pytest

from companion.games.royal_study.speech import story
from engines.kernel import JsonObject
from engines.royal_study.position import Say

FIRST: JsonObject = {"event": "met", "target": 0}
SECOND: JsonObject = {"event": "met", "target": 1}
SOLVED: JsonObject = {"event": "solved", "player": "white", "steps": 4}


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([FIRST, SOLVED], "The card is met."),
        ([FIRST], "The first card is met."),
        ([SECOND, SOLVED], "The second card is met."),
        ([FIRST, SECOND, SOLVED], "The first card is met."),
        ([{"event": "turned", "target": 0, "way": "cw"}], "The card is turned a quarter to the right."),
    ],
)
def test_a_card_is_numbered_only_beside_another(events: list[JsonObject], said: str) -> None:
    assert story("white", Say.NEXT, events, {})[0] == said
