from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice, pairwise, permutations, product
from random import Random

import pytest
from hypothesis import given, settings

from engines.kernel import BadRequestError, Outcome, Seat, require_legal
from engines.royal_study import GAME, cards
from engines.royal_study.board import Colouring
from engines.royal_study.cards import CARDS
from engines.royal_study.graph import Graph, graph
from engines.royal_study.placement import Placement, Way, turned, write_placement
from engines.royal_study.position import Await, Call, Match, Puzzle, Say, Step, Target, Turning
from engines.royal_study.rules import moved, moves, take
from engines.royal_study.search import DIFFICULTIES, advise, best_lines, difficulties, least, solve
from tests.engines.royal_study import reference
from tests.engines.royal_study.strategies import placements, puzzles
from tests.narrow import narrowed, there

TABLES = graph(Colouring.DARK_CORNERS)
SYMMETRIES: tuple[tuple[Way, ...], ...] = tuple(
    (*[Way.CLOCKWISE] * turns, *mirror) for mirror, turns in product([(), (Way.LEFT_RIGHT,)], range(4))
)
"""The eight orientations of a square."""


def _base(tables: Graph, pieces: Placement) -> int:
    """Return the least number of a placement's turned and mirrored copies, whose distances are the same."""
    return min(tables.number[turned(pieces, *ways)] for ways in SYMMETRIES)


def _bases(tables: Graph) -> list[int]:
    return sorted({_base(tables, pieces) for pieces in tables.placements})


def _farthest(tables: Graph) -> int:
    return max(int(tables.distances_to(number).max()) for number in _bases(tables))


@pytest.mark.long
def test_no_two_positions_are_more_than_13_moves_apart() -> None:
    assert len(TABLES.placements) == 7560
    assert _farthest(TABLES) == 13
    assert len(_bases(TABLES)) == 945


@given(placements)
@settings(max_examples=4)
def test_all_distances_agree_with_searching_breadth_first(pieces: Placement) -> None:
    plain = reference.distances_from(write_placement(pieces))
    steps = TABLES.distances_to(TABLES.number[pieces])
    assert {write_placement(p): int(n) for p, n in zip(TABLES.placements, steps, strict=True)} == plain


@pytest.mark.long
def test_a_copy_with_dark_edges_hangs_together_too() -> None:
    tables = graph(Colouring.DARK_EDGES)
    assert (len(tables.placements), _farthest(tables)) == (5880, 12)


@given(puzzles())
@settings(max_examples=60)
def test_a_best_line_solves_the_puzzle_at_its_last_step_and_is_as_long_as_reported(puzzle: Puzzle) -> None:
    fewest = least(puzzle)
    for line in islice(best_lines(puzzle), 20):
        assert len(line) == fewest
        assert _solved_after(puzzle, line) == len(line) or not puzzle.targets


@given(puzzles(placements))
@settings(max_examples=40)
def test_no_step_comes_nearer_than_by_one_and_a_best_one_does(puzzle: Puzzle) -> None:
    if puzzle.solved or not puzzle.targets:
        return
    after = [least(require_legal(take(puzzle, step)).position) for step in _legal(puzzle)]
    assert min(after) == least(puzzle) - 1


@pytest.mark.parametrize(
    ("level", "count", "way"),
    [
        (1, 1, None),
        (2, 1, Way.CLOCKWISE),
        (3, 1, Way.TOP_BOTTOM),
        (1, 2, None),
        (2, 2, Way.COUNTER_CLOCKWISE),
        (3, 2, Way.LEFT_RIGHT),
    ],
)
def test_the_least_total_agrees_with_searching_the_rules_breadth_first(level: int, count: int, way: Way | None) -> None:
    random = Random(10 * level + count)
    for _ in range(6 // count):
        pieces = random.choice(TABLES.placements)
        targets = [_near(random, pieces, 3 - count) for _ in range(count)]
        targets[0] = turned(targets[0], *[way] if way else [])
        puzzle = Puzzle(pieces, tuple(map(Target, targets)), level)
        plain = reference.least(write_placement(pieces), [write_placement(target) for target in targets], level)
        assert least(puzzle) == plain


def test_every_best_line_is_reported_once() -> None:
    puzzle = Puzzle(Placement("KQBN..R.."), (Target(Placement(".QBN.KR..")),), 1)
    lines = list(best_lines(puzzle))
    assert len(set(lines)) == len(lines)
    assert len(lines) == _count_lines("KQB/N../R..", ".QB/N.K/R..")


def test_what_is_met_already_needs_no_step_and_nothing_to_meet_neither() -> None:
    pieces = Placement("KQBN..R..")
    assert solve(Puzzle(pieces, (Target(pieces),), 1)) == {"least": 0, "line": []}
    assert solve(Puzzle(pieces, (), 3)) == {"least": 0, "line": []}


def test_without_pieces_there_is_nothing_to_solve() -> None:
    with pytest.raises(BadRequestError, match="nothing to solve before the pieces have been placed"):
        solve(GAME.new([Seat("one")], {"deck": "table"}, 0))


@pytest.mark.parametrize(("number", "answer"), [(0, Say.DECLINE), (5, Say.DECLINE), (6, Say.CHALLENGE)])
def test_a_challenge_is_advised_when_fewer_steps_are_enough(number: int, answer: Say) -> None:
    start = _match({"start": "KQB/N../R.."})
    steps = least(start.puzzle)
    called = Call(steps + number - 5 if number else 0, Seat("white"))
    advice = there(advise(GAME.after(start, called).position))
    assert advice.action == answer
    assert advice.numbers["least"] == steps


def test_giving_up_is_advised_when_the_steps_left_do_not_suffice() -> None:
    position = _played(_match({"start": "KQB/N../R.."}), Call(1, Seat("white")), Say.DECLINE)
    advice = there(advise(position))
    assert (advice.action, advice.code) == (Say.GIVE_UP, "out-of-reach")


def test_alone_the_solver_reports_how_close_it_was() -> None:
    match = _played(_match({"together": True}), Say.GIVE_UP)
    assert match.awaits is Await.NEXT
    advice = there(advise(match))
    assert advice.action is Say.AGAIN
    assert advice.numbers == {"least": least(there(match.begun)), "steps": 0}


def draw_cards(random: Random, count: int) -> tuple[Placement, ...]:
    """Return the pictures of the cards of a new deck, each with all five pieces.

    The placements, with turned and mirrored copies taken as one, are sorted by their mean distance from all others and
    divided into as many equal parts as there are cards. From each part one is drawn, in one of its eight orientations.
    So no card is a copy of another, and there are near and far ones. Then the cards are shuffled, so that their numbers
    tell nothing.
    """
    numbers = sorted(_bases(TABLES), key=lambda number: TABLES.distances_to(number).mean())
    bases = [TABLES.placements[number] for number in numbers]
    edges = [len(bases) * part // count for part in range(count + 1)]
    parts = [bases[low:high] for low, high in pairwise(edges)]
    drawn = [turned(random.choice(part), *random.choice(SYMMETRIES)) for part in parts]
    random.shuffle(drawn)
    return tuple(drawn)


@pytest.mark.long
def test_the_cards_that_ship_are_drawn_by_the_rule() -> None:
    assert draw_cards(Random(60), 60) == cards.CARDS
    assert len(cards.CARDS) == 60


def test_no_card_is_a_turned_or_mirrored_copy_of_another() -> None:
    assert len({_base(TABLES, card) for card in cards.CARDS}) == 60


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_spread_of_difficulty_is_the_one_reported_beside_the_cards(level: int) -> None:
    lines = there(cards.__doc__).splitlines()
    found = next(line.split()[2:-1] for line in lines if line.split()[:2] == ["level", str(level)])
    steps = (least(Puzzle(start, (Target(card),), level)) for start, card in permutations(cards.CARDS, 2))
    assert Counter(steps) == dict(enumerate(map(int, found), start=1))


def _match(options: dict[str, bool | str]) -> Match:
    return narrowed(GAME.new([Seat("white"), Seat("black")], options, 1), Match)


def _played(match: Match, *actions: Call | Say) -> Match:
    for action in actions:
        match = narrowed(GAME.after(match, action).position, Match)
    return match


def _legal(puzzle: Puzzle) -> list[Step]:
    ways = [Turning(way, place) for way in Way for place in puzzle.open_targets]
    every: list[Step] = [*moves(puzzle.pieces), *ways]
    return [step for step in every if isinstance(take(puzzle, step), Outcome)]


def _solved_after(puzzle: Puzzle, line: tuple[Step, ...]) -> int:
    steps = 0
    while not puzzle.solved and steps < len(line):
        puzzle, steps = require_legal(take(puzzle, line[steps])).position, steps + 1
    assert puzzle.solved or not puzzle.targets
    return steps


def _near(random: Random, pieces: Placement, steps: int) -> Placement:
    for _ in range(steps):
        pieces = moved(pieces, random.choice(moves(pieces)))
    return pieces


def _count_lines(start: str, goal: str) -> int:
    far = reference.distances_from(goal)

    def count(text: str) -> int:
        if text == goal:
            return 1
        return sum(count(after) for after in reference.neighbours(text) if far[after] < far[text])

    return count(start)


def test_playing_loads_neither_the_search_nor_numpy() -> None:
    script = (
        "import sys; from engines.royal_study import GAME; GAME.new(['a', 'b'], {}, 0);"
        " print(sorted({'numpy', 'engines.royal_study.search', 'engines.royal_study.graph'} & set(sys.modules)))"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"


def test_the_cards_fall_into_thirds_by_the_steps_from_all_others() -> None:
    for level in (1, 2, 3):
        of_card = difficulties(CARDS, level)
        assert [of_card.count(name) for name in DIFFICULTIES] == [len(CARDS) // 3] * 3
        means = {name: _mean_steps([n for n, own in enumerate(of_card) if own == name], level) for name in DIFFICULTIES}
        assert means["easy"] < means["medium"] < means["hard"]


def _mean_steps(targets: Sequence[int], level: int) -> float:
    puzzles = [
        Puzzle(start, (Target(CARDS[number]),), level)
        for number in targets
        for start in CARDS
        if start != CARDS[number]
    ]
    return sum(map(least, puzzles)) / len(puzzles)


@pytest.mark.parametrize("name", DIFFICULTIES)
def test_a_match_of_a_difficulty_deals_its_cards_only(name: str) -> None:
    match = narrowed(GAME.new([Seat("Anna"), Seat("Ben")], {"difficulty": name, "level": 2}, 7), Match)
    of_card = difficulties(CARDS, 2)
    assert len(match.deck) == 18, "one card says where the pieces stand, one is drawn"
    assert {of_card[number] for number in match.deck} == {name}


def test_a_difficulty_that_leaves_too_few_cards_is_refused() -> None:
    with pytest.raises(BadRequestError, match="too few for a round"):
        GAME.new([Seat("Anna")], {"difficulty": "hard", "cards": ["KQB/N../R..", "RNK/..Q/..B", "K.B/N.Q/R.."]}, 0)
