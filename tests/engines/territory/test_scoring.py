from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from engines.grid import Bitboard
from engines.territory import GAME, scoring
from engines.territory.board import EIGHT_BY_EIGHT, NINE_BY_EIGHT, Board
from engines.territory.position import Position
from tests.engines.territory import reference
from tests.engines.territory.drawing import parse
from tests.engines.territory.strategies import positions

boards = st.sampled_from([EIGHT_BY_EIGHT, NINE_BY_EIGHT])
sets = st.integers(0, (1 << 64) - 1)

DRAWING = """
12r  7r 12.
 7.  2y  7r
11w  7y  2r
players: red yellow green
turn: red
round: 8 of 8
await: choose
rolled: 11 11 11
"""


def test_corners_do_not_connect_and_white_is_nobodys_yet() -> None:
    assert scoring.score(parse(DRAWING.strip())) == {"red": 12, "yellow": 12, "green": 0}


def test_equal_scores_share_the_lead() -> None:
    assert scoring.leaders(parse(DRAWING.strip())) == ("red", "yellow")


@given(positions())
def test_scores_agree_with_counting_space_by_space(position: Position) -> None:
    assert scoring.score(position) == reference.score(dict(GAME.position_to_json(position)))


@given(boards, sets)
def test_groups_share_no_space_and_no_edge_and_leave_none_out(board: Board, spaces: Bitboard) -> None:
    found = [group.spaces for group in scoring.groups(board, spaces)]
    assert sum(found) == spaces
    assert all(board.beside(one) & other == 0 for one, other in permutations(found, 2))


@given(sets, sets)
def test_more_spaces_never_make_the_best_group_worth_less(spaces: Bitboard, more: Bitboard) -> None:
    fewer = scoring.best_group(EIGHT_BY_EIGHT, spaces)
    assert fewer.points <= scoring.best_group(EIGHT_BY_EIGHT, spaces | more).points
