"""Puzzles and matches for property tests: any that could lie on a table, and what hands and mouths can do there."""

from __future__ import annotations

from itertools import permutations

from hypothesis import strategies as st

from engines.kernel import Cell, JsonObject, Seat
from engines.royal_study import GAME, rules
from engines.royal_study.board import NAMES, SQUARES, Piece
from engines.royal_study.placement import Placement, Way
from engines.royal_study.position import (
    Action,
    Call,
    Card,
    Draw,
    Match,
    Move,
    Position,
    Puzzle,
    Say,
    Side,
    Target,
    Turning,
)
from tests.narrow import narrowed

_EVEN = [square for square in SQUARES if square % 2 == 0]


def _drawn(squares: tuple[int, ...]) -> Placement:
    letters = dict(zip(squares, Piece, strict=True))
    return Placement("".join(letters.get(square, ".") for square in SQUARES))


EVERY_PLACEMENT = [_drawn(squares) for squares in permutations(SQUARES, 5) if squares[3] in _EVEN and squares[4] != 4]

placements = st.sampled_from(EVERY_PLACEMENT)
levels = st.integers(1, 3)


@st.composite
def pictures(draw: st.DrawFn) -> Placement:
    """What a card may show: all five pieces, or some of them."""
    kept = draw(st.sets(st.sampled_from(list(Piece)), min_size=1))
    return Placement("".join(letter if letter in kept else "." for letter in draw(placements)))


@st.composite
def puzzles(draw: st.DrawFn, cards: st.SearchStrategy[Placement] = pictures()) -> Puzzle:  # noqa: B008 - a value
    targets = draw(st.lists(cards, max_size=2))
    return Puzzle(draw(placements), tuple(map(Target, targets)), draw(levels)).marked()


terms = st.fixed_dictionaries(
    {},
    optional={
        "level": levels,
        "bonus": st.booleans(),
        "points": st.integers(1, 4),
        "hourglass": st.integers(1, 90),
        "execution": st.none() | st.integers(1, 90),
        "together": st.booleans(),
        "deck": st.sampled_from(["dealt", "table"]),
        "start": st.sampled_from(["KQB/N../R..", "B.N/.QK/.R."]),
    },
)


@st.composite
def new_matches(draw: st.DrawFn) -> Match:
    options: JsonObject = draw(terms)
    return narrowed(GAME.new([Seat("white"), Seat("black")], options, draw(st.integers(0, 99))), Match)


def legal_actions(position: Position) -> st.SearchStrategy[Action]:
    """One of the legal actions, chance among them; a number named is a small one, so that executions end."""
    if isinstance(position, Match) and GAME.to_act(position) == "dice":
        return st.builds(
            Draw, st.builds(Card, st.sampled_from(position.deck), st.sampled_from(Side), st.integers(0, 3))
        )
    legal = [a for a in rules.actions(position) if not (isinstance(a, Call) and a.number > 8)]
    return st.sampled_from(legal)


@st.composite
def matches(draw: st.DrawFn, longest: int = 25) -> Match:
    """A match in the middle of a game, come to by legal actions."""
    position: Position = draw(new_matches())
    for _ in range(draw(st.integers(0, longest))):
        if GAME.over(position):
            break
        position = GAME.after(position, draw(legal_actions(position))).position
    return narrowed(position, Match)


cells = st.sampled_from([*NAMES, Cell("D1"), Cell("A4")])
moves = st.builds(Move, st.sampled_from(Piece), cells, cells)
turnings = st.builds(Turning, st.sampled_from(Way), st.integers(0, 1))
cards = st.builds(Card, st.integers(0, 70), st.sampled_from(Side), st.integers(0, 3))
calls = st.builds(Call, st.integers(0, 99), st.sampled_from([Seat("white"), Seat("black"), Seat("green")]))
any_action: st.SearchStrategy[Action] = moves | turnings | st.builds(Draw, cards) | calls | st.sampled_from(Say)
"""Whatever hands can do or mouths can say, mostly against the rules."""
