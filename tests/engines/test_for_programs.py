"""What programs that play, search or train ask of every game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.engines import ENGINES
from engines.kernel import IllegalActionError, Level, Refusal
from tests.evaluate.advisers import SEATS

OPTIONS: dict[str, dict[str, Any]] = {
    "royal-racers": {"flags": 2, "rounds": 20},
    "royal-study": {"points": 1, "deck": "table"},
    "territory": {"rounds": 1},
}


def begun(game: str) -> Any:
    return ENGINES[game].game.new(SEATS[game], OPTIONS.get(game, {}), 5)


@pytest.mark.parametrize("game", ENGINES)
def test_chance_adds_up_to_one_and_is_legal_and_a_playout_ends(game: str) -> None:
    rules: Any = ENGINES[game].game
    position, random, thrown = begun(game), Random(3), 0
    for _ in range(60):
        if rules.over(position):
            break
        outcomes = rules.chance_outcomes(position)
        assert bool(outcomes) == (rules.to_act(position) == "dice")
        if outcomes:
            thrown += 1
            assert sum(probability for _action, probability in outcomes) == pytest.approx(1.0)
            assert all(rules.is_legal(position, action) for action, _p in outcomes)
        action = rules.throw(position, random) if outcomes else rules.any_action(position, random)
        assert rules.is_legal(position, action)
        assert rules.after(position, action) == rules.play(position, action)
        position = rules.after(position, action).position
    assert thrown or game == "royal-tee"
    assert rules.over(rules.playout(begun(game), Random(1)))


def test_an_action_that_the_rules_forbid_is_refused_with_the_same_reason() -> None:
    rules: Any = ENGINES["royal-ur"].game
    position = begun("royal-ur")
    move = rules.action_from_json({"move": 3})
    refusal = rules.play(position, move)
    assert isinstance(refusal, Refusal)
    assert not rules.is_legal(position, move)
    with pytest.raises(IllegalActionError) as raised:
        rules.after(position, move)
    assert raised.value.refusal == refusal
    assert refusal.code in str(raised.value)


@pytest.mark.parametrize("game", [name for name in ENGINES if name != "royal-study"])
def test_an_easy_computer_does_not_weigh_every_decision_and_a_hint_is_always_weighed(game: str) -> None:
    engine, random, weighed = ENGINES[game], Random(4), []
    position = begun(game)
    for _ in range(60):
        if engine.game.over(position):
            break
        if engine.game.to_act(position) == "dice":
            position = engine.game.after(position, engine.game.throw(position, random)).position
            continue
        easy, hint = engine.decide(position, Level.EASY, random), engine.advise(position, level=Level.EASY)
        medium = engine.decide(position, Level.MEDIUM, random)
        assert easy and hint and medium
        assert "unweighed" not in (hint.code, medium.code)
        assert easy == hint or easy.code == "unweighed"
        weighed.append(easy == hint)
        position = engine.game.after(position, easy.action).position
    assert 0 < sum(weighed) < len(weighed)


def test_the_study_computer_weighs_all_it_does() -> None:
    study, position = ENGINES["royal-study"], begun("royal-study")
    assert len({str(study.decide(position, Level.EASY, Random(seed))) for seed in range(20)}) == 1
