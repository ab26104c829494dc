from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.hypothesis import Kind
from companion.core.inference import GameFinding, judge
from companion.games.royal_study import TABLE
from companion.games.royal_study.hypotheses import chains
from companion.games.royal_study.table import look_of, placement
from engines.kernel import Cell, Seat
from engines.royal_study import GAME
from engines.royal_study.board import NAMES, SQUARES, Piece
from engines.royal_study.placement import Placement
from engines.royal_study.position import Action, Await, Call, Match, Move, Position, Puzzle, Say
from engines.royal_study.rules import moved, moves, refuse_move
from tests.companion.games.readings import EASY, HARD, MEDIUM, Judging
from tests.engines.royal_study.strategies import EVERY_PLACEMENT, placements, puzzles
from vision.labels import EMPTY

BOARD = TABLE.board()
JUDGING = Judging(TABLE, BOARD.places)

Labels = dict[Cell, str]


def puzzle(pieces: str) -> Puzzle:
    return Puzzle(Placement(pieces.replace("/", "")), (), 1)


def after(position: Position, move: Move) -> Position:
    return GAME.after(position, move).position


def judged(
    position: Position, pieces: Placement, seed: int = 0, sharpness: float = EASY
) -> GameFinding[Position, Action]:
    return JUDGING.judged(position, look_of(pieces), seed, sharpness)


def some_placements(seed: int, number: int) -> Iterator[Puzzle]:
    return (Puzzle(placement, (), 1) for placement in Random(seed).sample(EVERY_PLACEMENT, number))


# ---- moves


@settings(max_examples=50, deadline=None)
@given(position=puzzles(), seed=st.integers(0, 10**6))
def test_an_unlucky_look_is_reported_as_doubt_and_never_as_another_move(position: Puzzle, seed: int) -> None:
    """A square in 2,000 looks like another: the doubt names squares, and the move is the most probable all the same."""
    for move in Random(seed).sample(moves(position.pieces), 3):
        finding = judged(position, moved(position.pieces, move), seed, MEDIUM)
        assert finding.decision is Kind.LEGAL or (finding.decision is Kind.AMBIGUOUS and finding.cells)
        assert finding.best.actions == (move,)
        assert finding.best.position == after(position, move)


@pytest.mark.long
def test_an_unlucky_look_is_rare() -> None:
    findings = []
    for seed, position in enumerate(some_placements(6, 400)):
        move = Random(seed).choice(moves(position.pieces))
        findings.append(judged(position, moved(position.pieces, move), seed, MEDIUM).decision)
    assert findings.count(Kind.LEGAL) > 0.99 * len(findings)


@settings(max_examples=30, deadline=None)
@given(pieces=placements, seed=st.integers(0, 10**6))
def test_which_squares_are_occupied_reports_a_move_though_two_pieces_look_like_one_another(
    pieces: Placement, seed: int
) -> None:
    """The reader confuses two pieces, without any doubt: nothing wrong is reported."""
    random, position = Random(seed), Puzzle(pieces, (), 1)
    move = random.choice(moves(pieces))
    one, other = random.sample([piece.value for piece in Piece], 2)
    seen = after(position, move).pieces.translate(str.maketrans(one + other, other + one))  # type: ignore[union-attr] # a puzzle stays one
    finding = judged(position, Placement(seen))
    assert finding.decision in (Kind.LEGAL, Kind.AMBIGUOUS)
    assert finding.decision is Kind.AMBIGUOUS or finding.best.position == after(position, move)


def test_a_table_as_before_is_reported_unchanged_though_two_pieces_look_like_one_another() -> None:
    counted: Counter[Kind] = Counter()
    for seed, position in enumerate(some_placements(2, 40)):
        assert judged(position, position.pieces, seed, HARD).decision is Kind.UNCHANGED
        misread = Placement(position.pieces.translate(str.maketrans("KQ", "QK")))
        counted[judged(position, misread, seed).decision] += 1
    assert set(counted) <= {Kind.UNCHANGED, Kind.AMBIGUOUS}  # three moves can bring two pieces to change places
    assert counted[Kind.UNCHANGED] > 0.8 * counted.total()


def test_two_pieces_that_moved_are_found_with_both_moves() -> None:
    counted: Counter[Kind] = Counter()
    for seed, position in enumerate(some_placements(3, 120)):
        random = Random(seed)
        first = random.choice(moves(position.pieces))
        between = after(position, first)
        second = random.choice([m for m in moves(moved(position.pieces, first)) if m.piece != first.piece])
        then = after(between, second)
        finding = JUDGING.judged(position, dict(placement(then)), seed)
        counted[finding.decision] += 1
        assert finding.decision is not Kind.LEGAL or finding.best.position == then
        assert finding.decision is not Kind.LEGAL or len(finding.best.actions) == 2
    assert counted[Kind.LEGAL] > 0.6 * counted.total()
    assert counted[Kind.ILLEGAL] == counted[Kind.UNCHANGED] == 0


def test_chains_are_the_shortest_ways_in_every_order() -> None:
    pieces = Placement("KQBN..R..")
    for there, ways in chains(pieces).items():
        assert len({len(way) for way in ways}) == 1
        for way in ways:
            placed = pieces
            for move in way:
                assert refuse_move(placed, move) is None
                placed = moved(placed, move)
            assert placed == there


# ---- against the rules


def illegal_moves(position: Puzzle) -> list[Move]:
    """Give moves of one piece to an empty square that no few of its moves, or of others, lead to."""
    reached = chains(position.pieces)
    every = (
        Move(Piece(position.pieces[start]), NAMES[start], NAMES[end])
        for start in SQUARES
        for end in SQUARES
        if position.pieces[start] != "." and position.pieces[end] == "."
    )
    return [move for move in every if moved(position.pieces, move) not in reached]


def test_a_piece_moved_as_it_does_not_move_is_reported_with_its_rule() -> None:
    codes: Counter[str] = Counter()
    for seed, position in enumerate(some_placements(4, 60)):
        for move in illegal_moves(position)[:2]:
            finding = judged(position, moved(position.pieces, move), seed)
            refusal = refuse_move(position.pieces, move)
            assert refusal
            assert (finding.decision, finding.best.code, finding.best.rule) == (
                Kind.ILLEGAL,
                refusal.code,
                refusal.rule,
            )
            assert finding.cells == (move.start, move.end)
            codes[refusal.code] += 1
    assert set(codes) >= {"not-its-move", "in-the-way", "bishop-off-dark", "knight-in-the-middle"}


def test_a_move_that_two_others_may_have_made_up_is_never_reported_legal() -> None:
    """A king two squares on is a wrong move, or two right ones."""
    for sharpness in (HARD, MEDIUM, EASY):
        finding = judged(puzzle("K../QBN/R.."), Placement("..KQBNR.."), 1, sharpness)
        assert finding.decision is Kind.AMBIGUOUS
        assert set(finding.cells) == {"A1", "C1"}
        assert finding.rivals[0].actions == (
            Move(Piece.KING, Cell("A1"), Cell("B1")),
            Move(Piece.KING, Cell("B1"), Cell("C1")),
        )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("sharpness", [HARD, MEDIUM, EASY])
def test_no_wrong_move_of_one_piece_is_ever_reported_legal(sharpness: float) -> None:
    for seed, position in enumerate(some_placements(5, 40)):
        legal = {moved(position.pieces, move) for move in moves(position.pieces)}
        for start, end in [(s, e) for s in SQUARES for e in SQUARES if position.pieces[s] != "." == position.pieces[e]]:
            there = moved(position.pieces, Move(Piece(position.pieces[start]), NAMES[start], NAMES[end]))
            if there not in legal:
                assert judged(position, there, seed, sharpness).decision not in (Kind.LEGAL, Kind.UNCHANGED)


def test_a_piece_taken_off_or_put_on_is_reported() -> None:
    position = puzzle("KQB/N../R..")
    gone = judged(position, Placement("KQB...R.."))
    assert (gone.decision, gone.best.code, gone.best.rule, gone.cells) == (
        Kind.ILLEGAL,
        "piece-gone",
        "1.2",
        ("A2",),
    )
    two_gone = judged(position, Placement("KQ....R.."))
    assert (two_gone.decision, two_gone.best.code) == (Kind.ILLEGAL, "piece-gone")
    added = judged(position, Placement("KQBN..R.Q"))
    assert (added.decision, added.best.code, added.cells) == (Kind.ILLEGAL, "piece-added", ("C3",))


def test_more_than_any_chain_of_moves_is_reported() -> None:
    finding = judged(puzzle("RNB/.K./..Q"), Placement("..RQ.BKN."))
    assert (finding.decision, finding.best.code) == (Kind.ILLEGAL, "several-pieces")


def match(*said: Call | Say) -> Match:
    position: Position = GAME.new([Seat("white"), Seat("black")], {"start": "KQB/N../R.."}, 1)
    for word in said:
        position = GAME.after(position, word).position
    assert isinstance(position, Match)
    return position


def test_a_piece_moved_before_the_execution_is_refused() -> None:
    position = match()
    assert position.awaits is Await.CALL
    finding = judged(position, moved(position.puzzle.pieces, moves(position.puzzle.pieces)[0]))
    assert (finding.decision, finding.best.code, finding.best.rule) == (Kind.ILLEGAL, "not-now", "4.2")
    assert judged(position, position.puzzle.pieces).decision is Kind.UNCHANGED


def test_the_steps_of_an_execution_are_counted_and_its_end_is_the_end() -> None:
    position = match(Call(2, Seat("white")), Say.DECLINE)
    first = moves(position.puzzle.pieces)[0]
    finding = judged(position, moved(position.puzzle.pieces, first))
    assert finding.decision is Kind.LEGAL
    assert finding.best.position == after(position, first)
    limited = match(Call(1, Seat("white")), Say.DECLINE)
    pieces = limited.puzzle.pieces
    two = next(there for there in chains(pieces) if sum(a != b for a, b in zip(pieces, there, strict=True)) == 4)
    assert judged(limited, two).decision is Kind.ILLEGAL


def test_while_the_first_card_is_awaited_pieces_may_stand_anywhere() -> None:
    waiting = GAME.new([Seat("white"), Seat("black")], {"deck": "table"}, 1)
    assert placement(waiting) == {}
    assert judge(TABLE, waiting, (), JUDGING.evidence(look_of(Placement("KQBN..R..")))).decision is Kind.UNCHANGED


def test_a_picture_reports_the_position_and_the_cards_that_it_meets() -> None:
    scores, detail = TABLE.score_seen(look_of(Placement("RNB.K...Q")), BOARD)
    assert (scores, detail["pieces"]) == ({}, "RNB/.K./..Q")
    assert {"number": 0, "side": "face", "turns": 0} in detail["meets"]  # type: ignore[operator] # a list
    _, empty = TABLE.score_seen(dict.fromkeys(NAMES, EMPTY), BOARD)
    assert (empty["pieces"], empty["meets"]) == (".../.../...", [])
