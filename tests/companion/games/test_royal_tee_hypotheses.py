from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.evidence import Evidence, fuse_observations
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.inference import GameFinding, judge, weigh
from companion.core.verdicts import ALTERED, PendingPlacement
from companion.games.royal_tee import TABLE
from companion.games.royal_tee.hypotheses import explanations
from companion.games.royal_tee.simulated import SIMULATED
from engines.kernel import Cell, Outcome, Seat
from engines.royal_tee.board import NAMES
from engines.royal_tee.position import Action, Pass, Position, Walk
from engines.royal_tee.rules import distinct_walks, play, walk_along
from tests.companion.games.looks import (
    FOUR,
    after,
    at_slider,
    look_of,
    new_game,
    observe,
    position_of,
    random_walk,
    turns,
)
from tests.companion.games.readings import EASY, HARD, MEDIUM, PERFECT
from tests.narrow import narrowed

TWO = ("red", "green")


def look_at(labels: dict[Cell, str], seed: int = 0, sharpness: float = EASY) -> Evidence:
    return fuse_observations([observe(labels, np.random.default_rng(seed), sharpness)])


def walk(*cells: str) -> Walk:
    return Walk(tuple(map(Cell, cells)))


def judged(
    position: Position, labels: dict[Cell, str], seed: int = 0, sharpness: float = EASY
) -> GameFinding[Position, Action]:
    return judge(TABLE, position, (), look_at(labels, seed, sharpness))


def walls(*claimed: str, royal: str = "F11", slider: int = 1) -> Position:
    """Give a position of red and green in which red has these spaces too and stands on `royal`."""
    return position_of({**dict.fromkeys(claimed, "red"), royal: "red-royal", "G1": "green-royal"}, "red", slider)


ABOUT_TO_ENCLOSE = walls("E12", "E11", "E10", "G10", "G11", "G12", royal="G10")
"""Red walks to F10 and closes F11 and F12 against the own zone."""


def test_a_foreign_tee_is_named_however_many_walks_lead_to_the_same_table() -> None:
    ring = {f"{column}{row}" for column in "EFGHIJ" for row in range(4, 11)}
    inside = {f"{column}{row}" for column in "FGHI" for row in range(5, 10)}
    position = walls("D8", *(ring - inside - {"E8"}), royal="D8", slider=7)
    walked = {
        **look_of(position),
        Cell("D8"): "red",
        Cell("E8"): "red-royal",
        **dict.fromkeys(map(Cell, inside), "red"),
    }
    assert judge(TABLE, position, (), look_at(walked, sharpness=PERFECT)).decision is Kind.LEGAL
    finding = judge(TABLE, position, (), look_at({**walked, Cell("J10"): "green"}, sharpness=PERFECT))
    assert (finding.decision, finding.best.code) == (Kind.ILLEGAL, ALTERED)
    assert finding.best.facts == {"changed": [{"cell": "J10", "expected": "red", "observed": "green"}]}


def test_a_walk_to_and_fro_over_own_spaces_is_believed_when_done_is_pressed() -> None:
    position = walls("F12", "E11", slider=2)
    evidence = look_at(look_of(position))
    assert judge(TABLE, position, (), evidence).decision is Kind.UNCHANGED
    finding = judge(TABLE, position, (), evidence, pressed=True)
    assert finding.decision is Kind.LEGAL
    assert finding.best.action in (walk("F12", "F11"), walk("E11", "F11"))


def test_done_does_not_make_a_move_out_of_nothing() -> None:
    position = walls(slider=1)
    assert judge(TABLE, position, (), look_at(look_of(position)), pressed=True).decision is Kind.UNCHANGED


@pytest.mark.parametrize("put", [(), ("F11",), ("F11", "F12")])
def test_bonus_tees_may_be_placed_or_not_each(put: tuple[str, ...]) -> None:
    then = after(ABOUT_TO_ENCLOSE, Walk((Cell("F10"),)))
    labels = look_of(then)
    assert labels[Cell("F11")] == labels[Cell("F12")] == "red"
    labels.update((Cell(cell), "empty") for cell in ("F11", "F12") if cell not in put)
    finding = judged(ABOUT_TO_ENCLOSE, labels)
    assert finding.decision is Kind.LEGAL
    assert finding.best.position == then
    assert finding.best.optional == (
        PendingPlacement(Cell("F11"), "red", "empty"),
        PendingPlacement(Cell("F12"), "red", "empty"),
    )


def test_a_tee_on_a_space_that_only_corners_close_is_refused_by_the_enclosure_rule() -> None:
    position = walls("A10", "B11", "A12", "L2", royal="L1")  # around A11; a way out leads over B10 and B12
    labels = {**look_of(after(position, Walk((Cell("K1"),)))), Cell("A11"): "red"}
    finding = judged(position, labels)
    assert (finding.decision, finding.best.code, finding.best.rule) == (Kind.ILLEGAL, "not-enclosed", "4.2")
    assert finding.cells == ("A11",)


def test_things_left_open_from_earlier_turns_may_stay_open() -> None:
    then = after(ABOUT_TO_ENCLOSE, Walk((Cell("F10"),)))
    left_open = tuple(PendingPlacement(Cell(c), "red", "empty") for c in ("F11", "F12"))
    third = after(then, Walk((Cell("G2"),)))
    labels = {**look_of(third), Cell("F11"): "empty"}
    finding = judge(TABLE, then, left_open, look_at(labels))
    assert finding.decision is Kind.LEGAL
    assert finding.best.position == third


def test_a_player_without_a_free_neighbour_passes_by_what_is_seen() -> None:
    royals = {"A12": "red-royal", "A11": "blue-royal", "B12": "green-royal", "A6": "yellow-royal"}
    position = position_of(royals, "red", 3)
    finding = judged(position, look_of(position))
    assert (finding.decision, finding.best.action) == (Kind.LEGAL, Pass())


def test_a_walk_through_another_royal_tee_is_refused_where_it_stands() -> None:
    position = position_of({"F6": "red-royal", "G6": "green-royal"}, "red", 2)
    labels = {**look_of(position), Cell("F6"): "red", Cell("H6"): "red-royal"}
    finding = judged(position, labels)
    assert (finding.decision, finding.best.code, finding.best.rule) == (Kind.ILLEGAL, "onto-royal", "2.4")
    assert finding.cells == ("G6",)


def test_what_is_reported_with_a_probability_is_right_about_as_often() -> None:
    """In readings with many unsure walks the most probable explanation is right as often as it says."""
    claimed, right = [], []
    for seed, (before, _, then) in enumerate(turns(random.Random(5), TWO, 60)):
        finding = judged(before, look_of(then), seed, sharpness=3.6)
        if finding.best.kind is Kind.LEGAL:
            claimed.append(finding.probability)
            right.append(finding.best.position == then)
    assert len(claimed) > 30
    assert np.mean(right) == pytest.approx(np.mean(claimed), abs=0.12)


# What lay in the sample pictures. The second sequence is in two parts: between its second and third picture the
# truth has two players' walks at once.
SEQUENCES = (Path(__file__).parent / "sequences.txt").read_text(encoding="ascii").strip().split("\n\n")
WORDS = {".": "empty", **{seat[0]: seat for seat in FOUR}, **{seat[0].upper(): f"{seat}-royal" for seat in FOUR}}


@pytest.mark.parametrize("sequence", SEQUENCES, ids=["one", "two", "two, later", "three"])
def test_the_walks_of_the_sample_sequences_are_found(sequence: str) -> None:
    looks = [dict(zip(NAMES, (WORDS[c] for c in line.replace("/", "")), strict=True)) for line in sequence.split("\n")]
    for before, then in pairwise(looks):
        findings = [judged(position_of(before, mover, n), then) for mover in movers(before, then) for n in range(1, 7)]
        legal = [finding for finding in findings if finding.decision is Kind.LEGAL]
        assert legal
        for finding in legal:
            free = {todo.cell for todo in finding.best.optional}
            assert finding.best.position is not None
            should = look_of(finding.best.position)
            assert {c: label for c, label in should.items() if c not in free} == {
                c: label for c, label in then.items() if c not in free
            }


def movers(before: dict[Cell, str], then: dict[Cell, str]) -> list[str]:
    return [
        label.removesuffix("-royal") for c, label in before.items() if label.endswith("-royal") and then[c] != label
    ]


def test_spaces_under_royal_tees_count_for_their_owners_in_a_picture() -> None:
    scores, detail = TABLE.score_seen(look_of(ABOUT_TO_ENCLOSE), TABLE.board())
    assert scores == {Seat("red"): 6, Seat("green"): 1}
    assert detail == {"empty": 137}


# ---- royal tee search


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
    position = new_game(*rng.choice((TWO, FOUR)))
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
    assert found.best.position == tried.best.position or tried.decision is Kind.ILLEGAL
    assert found.probability == pytest.approx(tried.probability, abs=0.02) or tried.decision is Kind.ILLEGAL


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), slider=st.integers(1, 9), sharpness=st.sampled_from([EASY, HARD, 3.0]))
def test_every_legal_action_that_is_offered_leads_where_it_says(seed: int, slider: int, sharpness: float) -> None:
    rng = random.Random(seed)
    position = at_slider(grown(rng, 12), slider)
    evidence = fuse_observations([observe(look_of(grown(rng, 13)), np.random.default_rng(seed), sharpness)])
    for hypothesis in explanations(position, (), evidence):
        if hypothesis.kind is Kind.LEGAL:
            assert hypothesis.action is not None
            outcome = narrowed(play(position, hypothesis.action), Outcome)
            assert outcome.position == hypothesis.position
            assert {**look_of(position), **hypothesis.expects} == look_of(outcome.position)


# ---- what simulated players know of tables that are not cheats


@pytest.mark.parametrize("slider", [1, 4, 9])
def test_two_walks_in_turn_are_no_cheat_and_a_walk_out_of_turn_is_one(slider: int) -> None:
    rng, tried = random.Random(slider), 0
    for _time in range(20):
        position = at_slider(grown(rng, 12), slider)
        between = after(position, random_walk(position, rng))
        last = after(between, random_walk(between, rng))
        alone = after(replace(position, turn=between.turn), random_walk(replace(position, turn=between.turn), rng))
        trace = changed(position, between)
        if not (trace and changed(between, last) and changed(position, alone)) or trace & changed(between, last):
            continue
        assert SIMULATED.allows(position, look_of(last))
        assert not SIMULATED.allows(position, look_of(alone))
        tried += 1
    assert tried > 8


def changed(one: Position, other: Position) -> set[Cell]:
    before, then = look_of(one), look_of(other)
    return {cell for cell in NAMES if before[cell] != then[cell]}


def test_a_walk_there_and_back_may_have_put_a_tee_next_to_the_other_royal_tee() -> None:
    """Red walks, and a green tee has come to H1, next to green's Royal Tee, or to K1."""
    even = replace(ABOUT_TO_ENCLOSE, slider=2)
    two, one = look_of(after(even, walk("F10", "G10"))), look_of(after(ABOUT_TO_ENCLOSE, walk("F10")))
    assert SIMULATED.allows(even, {**two, Cell("H1"): "green"})
    assert not SIMULATED.allows(even, {**two, Cell("K1"): "green"})
    assert not SIMULATED.allows(ABOUT_TO_ENCLOSE, {**one, Cell("H1"): "green"})
