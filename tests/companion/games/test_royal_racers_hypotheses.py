from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from companion.core.evidence import fuse_observations
from companion.core.hypothesis import Kind
from companion.core.inference import judge
from companion.core.verdicts import PendingPlacement
from companion.games.royal_racers import TABLE
from companion.games.royal_racers.table import face_of, kind_of, parts_of, placement
from engines.kernel import Cell, Seat
from engines.royal_racers import GAME
from engines.royal_racers.board import NAMES, card_named, cell_index
from engines.royal_racers.position import Action, ChooseStart, Deal, Flip, Pass, Phase, Position, Step
from tests.companion.games.readings import PERFECT, Judging, observe
from tests.engines.royal_racers.strategies import tables
from tests.engines.steps import any_step
from vision.labels import BACK
from vision.observation import Observation

BOARD = TABLE.board()
JUDGING = Judging(TABLE, BOARD.places)
EASY, MEDIUM, HARD = 7.5, 6.4, 5.8
"""Sharpness of a reading with two hundred labels: another is more probable on one cell in 10,000, in 2,000, in 200."""

SUNS, MOONS = Seat("suns"), Seat("moons")

Labels = dict[Cell, str]


def look(position: Position) -> Labels:
    return dict(placement(position))


def race(seed: int, actions: int = 150) -> Iterator[tuple[Position, Action, Position]]:
    """Play at random from the set-up on, and give what players decide."""
    random = Random(seed)
    position = GAME.new([SUNS, MOONS, Seat("crowns")], {}, seed)
    for _ in range(actions):
        if GAME.over(position):
            return
        action = any_step(GAME, position, random)
        then = GAME.after(position, action).position
        if GAME.to_act(position) != "dice":
            yield position, action, then
        position = then


def in_race(phase: Phase, seed: int = 1) -> Position:
    """Give a position in the middle of a race with cards face down, in which that is expected."""
    decided = [p for p, _, _ in race(seed) if p.phase is phase and p.down]
    return decided[len(decided) // 2]


def _kinds(labels: Labels) -> list[str]:
    return [kind_of(labels[name]) for name in NAMES]


# ---- labels


@given(position=tables())
def test_every_label_is_a_word_of_the_table_and_reports_its_parts(position: Position) -> None:
    labels = look(position)
    assert set(labels.values()) <= set(BOARD.label_words)
    assert all(parts_of(label).label == label for label in labels.values())
    assert {cell for cell, label in labels.items() if parts_of(label).pawn} == {NAMES[pawn] for pawn in position.pawns}


# ---- by the rules


@settings(max_examples=30, deadline=None)
@given(position=tables(), seed=st.integers(0, 10**6), sharpness=st.sampled_from([EASY, PERFECT]))
def test_what_is_decided_is_found_on_any_table(position: Position, seed: int, sharpness: float) -> None:
    actions = GAME.actions(position)
    for action in Random(seed).sample(actions, min(4, len(actions))):
        then = GAME.after(position, action).position
        finding = JUDGING.judged(position, look(then), seed, sharpness)
        if look(then) == look(position):
            assert finding.decision is (Kind.LEGAL if len(actions) == 1 else Kind.UNCHANGED)
        elif finding.decision is Kind.LEGAL:
            assert finding.best.position is not None
            assert look(finding.best.position) == look(then)
        else:  # under a flag, another card may have been turned before the same step
            assert finding.decision is Kind.AMBIGUOUS
            assert then in [rival.position for rival in finding.rivals]


def test_a_card_and_the_step_after_it_are_found_together() -> None:
    for seed in range(5):
        position = in_race(Phase.FLIP, seed)
        turned = next(
            then
            for action in GAME.actions(position)
            if _kinds(look(then := GAME.after(position, action).position)) != _kinds(look(position))
        )
        step = GAME.actions(turned)[0]
        if isinstance(step, Step):
            finding = JUDGING.judged(position, look(GAME.after(turned, step).position), seed)
            assert finding.decision is Kind.LEGAL
            assert finding.best.position == GAME.after(turned, step).position
            assert [*map(type, finding.best.actions)] == [Flip, Step]


def test_doubt_about_the_rank_of_a_card_costs_nothing() -> None:
    """Every card that lies face up looks like another one, the eye in no doubt at all."""
    for seed, (position, _, then) in enumerate(race(3, 60)):
        if look(position) == look(then):
            continue
        faces = sorted({parts_of(label).card for label in look(then).values()} - {BACK, "covered"})
        wrong = dict(zip(faces, (*faces[1:], faces[0]), strict=True))
        misread = {
            cell: replace(parts_of(label), card=wrong.get(parts_of(label).card, parts_of(label).card)).label
            for cell, label in look(then).items()
        }
        finding = JUDGING.judged(position, misread, seed)
        assert finding.decision is Kind.LEGAL
        assert finding.best.position == then


# ---- half done


def wrong_card() -> tuple[Position, Cell, Position]:
    """Give a position with a pawn away from its flag, a wrong card to turn up, and what comes of it."""
    for seed in range(20):
        for position, action, then in race(seed):
            moved = look(position) != look(then)
            if isinstance(action, Flip) and position.down == then.down and moved:
                return position, action.cell, then
    raise AssertionError


def test_a_wrong_card_is_still_to_be_turned_back_and_the_pawn_to_go_back() -> None:
    position, cell, then = wrong_card()
    face = face_of(position, cell_index(cell))
    finding = JUDGING.judged(position, {**look(position), cell: face})
    assert finding.decision is Kind.LEGAL
    assert finding.best.position == then
    back = PendingPlacement(cell, BACK, face)
    assert back in finding.best.undone
    assert len(finding.best.undone) == 3
    returned = JUDGING.judged(position, {**look(then), cell: face})
    assert returned.decision is Kind.LEGAL
    assert returned.best.undone == (back,)


def test_a_start_is_chosen_though_the_flag_does_not_lie_there_yet() -> None:
    position = GAME.new([SUNS, MOONS], {}, 3)
    face = look(position)[Cell("C3")]
    finding = JUDGING.judged(position, {**look(position), Cell("C3"): f"{face}+pawn-suns"})
    assert finding.decision is Kind.LEGAL
    assert finding.best.action == ChooseStart(Cell("C3"))
    assert finding.best.undone == (PendingPlacement(Cell("C3"), "covered+flag-suns+pawn-suns", f"{face}+pawn-suns"),)


def test_staying_is_reported_when_somebody_says_to_be_done() -> None:
    position = in_race(Phase.MOVE)
    finding = JUDGING.judged(position, look(position), pressed=True)
    assert (finding.decision, finding.best.action) == (Kind.LEGAL, Pass())


@pytest.mark.parametrize("optional", [True, False])
def test_the_pass_of_a_flip_is_explained_and_offered_where_it_is_agreed_on(optional: bool) -> None:
    position = in_race(Phase.FLIP)
    position = replace(position, terms=structs.replace(position.terms, optional_flip=optional))
    evidence = JUDGING.evidence(look(position), sharpness=PERFECT)
    explained = [hypothesis.action for hypothesis in TABLE.explanations(position, (), evidence)]
    offered = [(choice.action, choice.standing) for choice in TABLE.turns.choices(position)]
    assert (Pass() in explained) is optional
    assert ((Pass(), True) in offered) is optional
    finding = JUDGING.judged(position, look(position), pressed=True)
    assert (finding.best.action == Pass()) is optional


# ---- the next race of a campaign


def test_the_layout_of_the_next_race_is_taken_as_it_is_seen() -> None:
    campaign = GAME.new([SUNS, MOONS], {"races": 2, "rounds": 1}, 4)
    random = Random(4)
    while campaign.phase is not Phase.DEAL:
        campaign = GAME.after(campaign, any_step(GAME, campaign, random)).position
    names = random.sample(list(BOARD.card_words), 36)
    finding = JUDGING.judged(campaign, dict(zip(NAMES, names, strict=True)))
    assert (finding.decision, finding.best.action) == (Kind.LEGAL, Deal(tuple(map(card_named, names))))
    doubtful = observe(BOARD.cells, BOARD.label_words, dict(zip(NAMES, names, strict=True)), 1, HARD)
    p = np.where(np.arange(36)[:, None] == 0, doubtful.p * 0.6 + 0.4 / doubtful.p.shape[1], doubtful.p)
    unsure = TABLE.with_confusions(
        fuse_observations([Observation(doubtful.cells, doubtful.labels, p, doubtful.visible)])
    )
    assert judge(TABLE, campaign, (), unsure).decision is not Kind.LEGAL


def test_a_picture_reports_where_pawns_and_flags_are_but_no_score() -> None:
    position = in_race(Phase.MOVE)
    scores, detail = TABLE.score_seen(look(position), BOARD)
    assert scores == {}
    assert detail["pawns"] == dict(zip(position.players, (NAMES[pawn] for pawn in position.pawns), strict=True))
    assert "cannot be seen" in str(detail["note"])


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("7-hearts+pawn-suns", "A-spades+pawn-suns", True),
        ("7-hearts", "back", False),
        ("covered+flag-suns+pawn-moons", "covered+flag-arms+pawn-moons", True),
        ("covered+flag-suns+pawn-moons", "covered+flag-suns+pawn-arms", False),
        ("covered+flag-suns", "covered+flag-arms", False),
    ],
)
def test_only_what_is_known_of_the_table_is_not_distinguished(one: str, other: str, alike: bool) -> None:
    assert (kind_of(one) == kind_of(other)) == alike


def test_a_pawn_that_is_overlooked_on_its_own_flag_is_not_asked_for() -> None:
    position, action, then = next(race(1))
    cell = next(cell for cell, label in look(then).items() if parts_of(label).pawn)
    overlooked = look(then) | {cell: replace(parts_of(look(then)[cell]), pawn=None).label}
    finding = JUDGING.judged(position, overlooked, sharpness=PERFECT)
    assert (finding.decision, finding.best.position) == (Kind.LEGAL, then)
    assert finding.best.action == action
    assert not finding.best.undone
