"""What is shown of a game afterwards: nothing is given away by the best decision, and never less than nothing."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engines import royal_ur
from engines.royal_racers.position import THROWS, Phase
from engines.royal_racers.position import Roll as RacersRoll
from engines.royal_racers.search import luck_of_throw
from engines.royal_ur import search as ur_search
from engines.royal_ur.position import Roll as UrRoll
from engines.royal_ur.search import advise as ur_advise
from engines.territory import search as territory_search
from engines.territory.position import Await, Stop
from engines.territory.search import share_of_win
from tests.contracts.tables import played
from tests.narrow import there


@pytest.mark.parametrize("seed", range(3))
def test_the_best_decision_in_ur_for_the_win_gives_nothing_away(seed: int) -> None:
    games = [p for p in played("ur").positions if royal_ur.GAME.actions(p)]
    for position in Random(seed).sample(games, 6):
        given = {a: ur_search.chance_given_away(position, a, 0) for a in royal_ur.GAME.actions(position)}
        assert min(given.values()) == 0
        assert max(given.values()) <= 1
        assert given[there(ur_advise(position, 0)).action] <= max(given.values())
        with pytest.raises(ValueError, match="none of the"):
            ur_search.chance_given_away(position, UrRoll(1), 0)


def test_stopping_behind_in_the_last_turn_of_territory_gives_the_chance_of_rolling_away() -> None:
    positions = [p for p in played("territory of three").positions if p.awaiting is Await.CHOOSE]
    for position in positions:
        won = share_of_win(position, position.turn)
        last = replace(position, round=position.setting.rounds, card=None)
        given = territory_search.chance_given_away(last, Stop())
        assert 0 <= given <= 1.000001
        assert territory_search.points_given_away(position, Stop()) >= 0
        if won == 1:
            assert given == pytest.approx(0)
        if last.turn != last.players[-1]:
            assert given == 0
    assert positions


def test_the_luck_of_all_throws_of_a_racers_turn_adds_up_to_nothing() -> None:
    positions = [p for p in played("racers").positions if p.phase is Phase.ROLL]
    for position in Random(1).sample(positions, 5):
        assert sum(luck_of_throw(position, RacersRoll(rank)) for rank in THROWS) == pytest.approx(0, abs=1e-9)
    with pytest.raises(ValueError, match="no throw is awaited"):
        luck_of_throw(replace(positions[0], phase=Phase.MOVE), RacersRoll(0))
