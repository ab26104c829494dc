from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.evidence import fuse_observations
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.inference import Decision, weigh
from companion.core.verdicts import PendingPlacement
from companion.games.royal_tee.hypotheses import explanations
from engines.kernel import Cell, Outcome
from engines.royal_tee.board import NAMES
from engines.royal_tee.position import Action, Position, Walk
from engines.royal_tee.rules import distinct_walks, play, walk_along
from tests.companion.games.looks import EASY, HARD, MEDIUM, after, at_slider, look_of, new_game, observe, random_walk


def every_walk(position: Position) -> list[Hypothesis[Position, Action]]:
    """Explain by every distinct walk that the engine knows, each table that walks lead to once.

    Walks over different own spaces to the same end leave the same table behind: one explanation, not several.
    """
    walks = (_of(position, walk_along(walk.example), walk.visited) for walk in distinct_walks(position))
    return list({(h.position, h.optional): h for h in walks}.values())


def _of(position: Position, action: Walk, visited: int) -> Hypothesis[Position, Action]:
    then = after(position, action)
    before, should = look_of(position), look_of(then)
    expects = {c: label for c, label in should.items() if label != before[c]}
    bonus = tuple(
        PendingPlacement(c, position.turn, before[c])
        for i, c in enumerate(NAMES)
        if expects.get(c) == position.turn and not visited >> i & 1
    )
    return Hypothesis(Kind.LEGAL, 0.0, expects, bonus, action=action, position=then)


def grown(rng: random.Random, turns: int) -> Position:
    position = new_game(*rng.choice((("red", "green"), ("red", "blue", "green", "yellow"))))
    for _ in range(turns):
        position = after(position, random_walk(position, rng))
    return position


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    slider=st.integers(1, 5),
    turns=st.integers(0, 40),
    sharpness=st.sampled_from([EASY, MEDIUM, HARD, 4.0]),
)
def test_the_search_finds_what_trying_every_walk_finds(seed: int, slider: int, turns: int, sharpness: float) -> None:
    rng = random.Random(seed)
    position = at_slider(grown(rng, turns), slider)
    then = after(position, random_walk(position, rng))
    evidence = fuse_observations([observe(look_of(then), np.random.default_rng(seed), sharpness)])
    before = look_of(position)
    tried = weigh(every_walk(position), before, (), evidence)
    found = weigh([h for h in explanations(position, (), evidence) if h.kind is Kind.LEGAL], before, (), evidence)
    assert found.best.position == tried.best.position or tried.decision is Decision.ILLEGAL
    assert found.probability == pytest.approx(tried.probability, abs=0.02) or tried.decision is Decision.ILLEGAL


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), slider=st.integers(1, 9), sharpness=st.sampled_from([EASY, HARD, 3.0]))
def test_every_legal_action_that_is_offered_leads_where_it_says(seed: int, slider: int, sharpness: float) -> None:
    rng = random.Random(seed)
    position = at_slider(grown(rng, 12), slider)
    evidence = fuse_observations([observe(look_of(grown(rng, 13)), np.random.default_rng(seed), sharpness)])
    for hypothesis in explanations(position, (), evidence):
        if hypothesis.kind is Kind.LEGAL:
            assert hypothesis.action is not None
            outcome = play(position, hypothesis.action)
            assert isinstance(outcome, Outcome)
            assert outcome.position == hypothesis.position
            assert _agrees(look_of(position), hypothesis, look_of(outcome.position))


def _agrees(before: dict[Cell, str], hypothesis: Hypothesis[Position, Action], should: dict[Cell, str]) -> bool:
    return {**before, **hypothesis.expects} == should
