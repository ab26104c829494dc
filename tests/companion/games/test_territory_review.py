"""What is said of a game of Territory afterwards: points before its last turn, the chance to win in it."""

from __future__ import annotations

import pytest

from companion.games.bundle import Turn
from companion.games.review import review_of
from engines.kernel import Outcome
from engines.territory import GAME, Again, Stop, notation
from engines.territory.position import Action
from engines.territory.search import advise

AHEAD = "red,yellow,green {turn} choose 8.4.7 - 6w1/a7/3w4/3w4/8/8/8/8"
"""The mover leads by 7 points to 5, with white pieces only."""

BEHIND = "red,yellow,green {turn} choose 8.4.7 - 6w1/a7/3w4/3w4/8/8/8/aa6"
"""The mover has 7 points, red 8."""


def _said(line: str, action: Action) -> dict[int, str]:
    before = notation.read_position(line)
    outcome = GAME.play(before, action)
    assert isinstance(outcome, Outcome)
    turn = Turn(1, before.turn, action, before, outcome.position, outcome.events)
    return dict(review_of("territory", [turn], {}).remarks)


@pytest.mark.parametrize("line", [AHEAD, BEHIND])
@pytest.mark.parametrize("turn", ["green 2/8", "green 8/8"])
def test_a_decision_as_advised_is_not_found_fault_with(line: str, turn: str) -> None:
    advice = advise(notation.read_position(line.format(turn=turn)))
    assert advice is not None
    assert _said(line.format(turn=turn), advice.action) == {}


@pytest.mark.parametrize(("line", "action"), [(AHEAD, Again()), (BEHIND, Stop())])
def test_the_wrong_decision_of_the_last_turn_gives_chance_away(line: str, action: Action) -> None:
    assert "percent of the chance to win" in _said(line.format(turn="green 8/8"), action)[1]
