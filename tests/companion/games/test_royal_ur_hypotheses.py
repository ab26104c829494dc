from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.evidence import fuse_observations
from companion.core.hypothesis import Kind
from companion.core.inference import GameFinding, judge
from companion.core.verdicts import PendingPlacement
from companion.games.hypotheses import lines_of_play
from companion.games.royal_ur import BUNDLE, TABLE
from companion.games.royal_ur.simulated import SIMULATED
from companion.games.royal_ur.table import counters_of, label_of, placement
from engines.kernel import Cell, Seat
from engines.royal_ur import GAME
from engines.royal_ur.board import OFF
from engines.royal_ur.position import Action, Await, Decline, Enter, Move, Position
from tests.companion.games.readings import EASY, PERFECT, Judging
from tests.engines.royal_ur.strategies import decisions
from vision.labels import EMPTY
from vision.recognition.reader import Reading, TableReader
from vision.simulation.optics import render
from vision.simulation.random_scene import random_scene

BOARD = TABLE.board()
WITH_PADS, WITHOUT_PADS = Judging(TABLE, BOARD.places), Judging(TABLE, BOARD.cells)
WHITE, BLACK = Seat("white"), Seat("black")

Labels = dict[Cell, str]


def stands(white: list[int], black: list[int], dots: int | None = None, turn: Seat = WHITE) -> Position:
    """Give a position with these counters on the board and all others off it."""
    counters = {"white": white + [OFF] * (7 - len(white)), "black": black + [OFF] * (7 - len(black))}
    awaits = "roll" if dots is None else "move"
    data = {"players": ["white", "black"], "turn": turn, "await": awaits, "dots": dots, "counters": counters}
    return GAME.position_from_json({**data, "over": False})


def after(position: Position, action: Action) -> Position:
    return GAME.after(position, action).position


def look(position: Position) -> Labels:
    return dict(placement(position))


# ---- by the rules


@settings(max_examples=60, deadline=None)
@given(
    decision=decisions()
    .filter(lambda decision: set(placement(decision[0])) <= set(BOARD.places))
    .filter(lambda decision: set(decision[0].players) == {WHITE, BLACK}),
    seed=st.integers(0, 10**6),
    sharpness=st.sampled_from([EASY, PERFECT]),
)
def test_what_is_decided_is_found_in_any_position(
    decision: tuple[Position, Action], seed: int, sharpness: float
) -> None:
    position, action = decision
    then = after(position, action)
    finding = WITH_PADS.judged(position, look(then), seed, sharpness)
    if look(then) == look(position):
        only_one = len(GAME.actions(position)) == 1
        assert finding.decision is (Kind.LEGAL if only_one else Kind.UNCHANGED)
    else:
        assert finding.decision is Kind.LEGAL
        assert finding.best.position is not None
        assert look(finding.best.position) == look(then)
        assert finding.best.position == then or _could_be_another(position, then)


def _could_be_another(position: Position, then: Position) -> bool:
    """Return whether another line of actions leaves the same look: a counter off the board may be home, or sent off."""
    others = lines_of_play(GAME, position, lambda _before, _after: True, 3)
    return any(line.position != then and look(line.position) == look(then) for line in others)


def test_an_offer_of_a_rosette_is_declined_by_pressing_done() -> None:
    position = after(stands([0], [], 0), GAME.action_from_json({"move": 0}))
    assert position.awaits is Await.ENTER
    finding = WITH_PADS.judged(position, look(position), pressed=True)
    assert (finding.decision, finding.best.action) == (Kind.LEGAL, Decline())
    entered = after(position, Enter())
    assert WITH_PADS.judged(position, look(entered)).best.action == Enter()


def test_a_forfeit_that_was_played_at_once_is_found_with_the_move_that_called_for_it() -> None:
    position = stands([2], [3], 2)  # white goes on to the eyes of square 3
    forfeit = after(position, GAME.action_from_json({"move": 2}))
    assert forfeit.awaits is Await.FORFEIT
    then = after(forfeit, GAME.action_from_json({"move": 3}))
    finding = WITH_PADS.judged(position, look(then))
    assert finding.decision is Kind.LEGAL
    assert finding.best.actions == (Move(2), Move(3))
    assert finding.best.position == then


# ---- half done


HITS = stands([5], [6], 2)
"""White's counter on A2 hits black's on B2."""


@pytest.mark.parametrize("lies", ["black", "white*2"], ids=["beside it", "on top of it"])
def test_a_counter_that_was_hit_is_still_to_be_taken_off(lies: str) -> None:
    then = after(HITS, GAME.action_from_json({"move": 5}))
    finding = WITH_PADS.judged(HITS, {**look(then), Cell("B2"): lies})
    assert finding.decision is Kind.LEGAL
    assert finding.best.position == then
    assert finding.best.undone == (PendingPlacement(Cell("B2"), "white", lies),)


def test_a_counter_on_four_fives_is_still_to_be_moved_on() -> None:
    position = stands([3], [], 0)
    then = after(position, GAME.action_from_json({"move": 3}))
    finding = WITH_PADS.judged(position, {**look(position), Cell("B3"): "empty", Cell("C2"): "white"})
    assert finding.decision is Kind.LEGAL
    assert finding.best.position == then
    assert finding.best.undone == (
        PendingPlacement(Cell("C2"), "empty", "white"),
        PendingPlacement(Cell("G2"), "white", "empty"),
    )


def test_a_counter_on_two_of_the_other_s_is_still_to_be_taken_off() -> None:
    position = stands([5], [6, 6], 2)
    then = after(position, GAME.action_from_json({"move": 5}))
    finding = WITH_PADS.judged(position, {**look(then), Cell("B2"): "white*3"})
    assert finding.decision is Kind.LEGAL
    assert finding.best.position == then
    assert finding.best.undone == (PendingPlacement(Cell("B2"), "black*2", "white*3"),)


# ---- against the rules


def test_a_counter_moved_before_the_dice_are_thrown_is_refused() -> None:
    finding = WITH_PADS.judged(stands([3], []), {**look(stands([4], []))})
    assert (finding.decision, finding.best.code, finding.best.rule) == (Kind.ILLEGAL, "throw-awaited", "3.1")
    assert set(finding.cells) == {"A3", "B3"}


# ---- the sample sequences

SEQUENCES = (Path(__file__).parent / "ur_sequences.txt").read_text(encoding="ascii").strip().split("\n\n")
"""What lay in the sample pictures: rows of squares, "." empty, a letter a colour, "-" where there is no square."""
SQUARES = [Cell(cell) for cell in BOARD.cells]
WORDS = {".": "empty", "w": "white", "b": "black"}

LEGAL_WITH = ([[0], [], [], [], []], [[], [], [2], [], []], [[2], [2], [0], [], []])
"""With which throws each move of these is one of ours: by 4, 1 or 5 squares along the way, or twice as far by way of
four-fives. The first one stops there, half done."""


@pytest.mark.parametrize(
    ("sequence", "legal_with"), list(zip(SEQUENCES, LEGAL_WITH, strict=True)), ids=["one", "two", "three"]
)
def test_the_moves_of_the_sample_sequences_are_legal_with_the_throws_that_allow_them(
    sequence: str, legal_with: list[list[int]]
) -> None:
    looks = [dict(zip(SQUARES, (WORDS[c] for c in line if c in WORDS), strict=True)) for line in sequence.split("\n")]
    for (before, then), dots_allowed in zip(pairwise(looks), legal_with, strict=True):
        mover = next(Seat(label) for cell, label in then.items() if label not in ("empty", before[cell]))
        for dots in (0, 2, 3):
            finding = WITHOUT_PADS.judged(standing(before, mover, dots), then)
            assert finding.decision is (Kind.LEGAL if dots in dots_allowed else Kind.ILLEGAL), (mover, dots)


def standing(labels: Labels, turn: Seat, dots: int) -> Position:
    lanes = [
        [index for index, cell in enumerate(way) if labels.get(cell) == seat]
        for seat, way in zip((WHITE, BLACK), stands([], []).board.ways, strict=True)
    ]
    return stands(lanes[0], lanes[1], dots, turn)


# ---- the score in a picture


def test_a_score_is_reported_as_far_as_a_picture_reports_it() -> None:
    def scored(white: list[int], black: list[int], **pads: str) -> tuple[dict[Seat, int], object, object, object]:
        scores, detail = TABLE.score_seen(
            {**look(stands(white, black)), **{Cell(c): p for c, p in pads.items()}}, BOARD
        )
        return dict(scores), detail["over"], detail.get("least"), detail.get("most")

    assert scored([1], [2]) == ({WHITE: 0, BLACK: 0}, False, None, None)
    assert scored([], []) == ({}, None, None, None)
    assert scored([], [0, 5, 7]) == ({WHITE: 42, BLACK: 0}, None, 42, 142)
    assert scored([], [5, 5, 5, 5, 5, 5, 5], F3="white*7") == ({WHITE: 84, BLACK: 0}, True, 84, 84)


# ---- no rendered board of the Royal Game of Ur with an alteration beside a legal move is accepted


SEATS = (Seat("white"), Seat("black"))
SIZE_WH = (1024, 768)
SEEDS = (*range(900, 910), 971, 1064)
"""Of the last two a counter too many, and one too few, is a doubtful cell that earlier was passed over."""

Placement = Mapping[Cell, str]


@lru_cache
def before_and_after(seed: int) -> tuple[Any, Placement]:
    """Play a game for a while; return a position and the placement after a move that shows."""
    random, game = Random(seed), TABLE.engine
    position = game.new(SEATS, {"throw_off": True}, seed)
    for ply in range(400):
        thrown = game.to_act(position) == "dice"
        action = BUNDLE.engine.turns.dice.throw(position, random) if thrown else SIMULATED.decide(position, random)
        outcome = game.after(position, action)
        after = TABLE.placement(outcome.position)
        if ply > 40 and not thrown and after != TABLE.placement(position):
            return position, after
        position = outcome.position
    message = "no move in 400 plies"
    raise AssertionError(message)


def altered(seed: int) -> Iterator[Placement]:
    """Return the table after the move with a counter more, one less, and one slipped to another square."""
    random = Random(seed)
    before, after = TABLE.placement(before_and_after(seed)[0]), before_and_after(seed)[1]
    free = [cell for cell, label in after.items() if label == EMPTY]
    kept = [cell for cell, label in after.items() if label != EMPTY and before[cell] == label]
    yield {**after, random.choice(free): str(random.choice(SEATS))}
    if kept:
        cell = random.choice(kept)
        seat, number = counters_of(after[cell])
        assert seat is not None
        yield {**after, cell: EMPTY}
        yield {**after, cell: label_of(seat, number - 1), random.choice(free): str(seat)}


def judged(seed: int, labels: Placement) -> GameFinding[Position, Action] | None:
    """Judge a rendered picture of a table after a position; None if it cannot be read."""
    rng = np.random.default_rng([seed, len([label for label in labels.values() if label != EMPTY])])
    shown = {str(cell): label for cell, label in labels.items() if label != EMPTY}
    tier = ("easy", "medium")[seed % 2]
    scene = random_scene(TABLE.board(), rng, tier=tier, labels=shown, size_wh=SIZE_WH)
    reading = TableReader(TABLE.board()).read(render(scene, rng))
    if not isinstance(reading, Reading):
        return None
    evidence = TABLE.with_confusions(fuse_observations([reading.observation]))
    return judge(TABLE, before_and_after(seed)[0], [], evidence, first_look=True)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_altered_board_is_accepted(seed: int) -> None:
    position = before_and_after(seed)[0]
    wrong = [labels for labels in altered(seed) if not SIMULATED.allows(position, labels)]
    accepted = [
        finding
        for finding in (judged(seed, labels) for labels in wrong)
        if finding is not None and finding.decision in (Kind.LEGAL, Kind.UNCHANGED)
    ]
    assert accepted == []


@pytest.mark.long
def test_the_move_alone_is_the_legal_explanation_and_may_be_accepted() -> None:
    findings = [judged(seed, before_and_after(seed)[1]) for seed in SEEDS]
    legal = [finding for finding in findings if finding is not None and finding.best.kind is Kind.LEGAL]
    assert len(legal) > len(findings) / 2
    assert any(finding.decision is Kind.LEGAL for finding in legal)
