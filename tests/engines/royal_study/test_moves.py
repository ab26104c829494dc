from __future__ import annotations

from hypothesis import given

from engines.kernel import Refusal
from engines.royal_study.placement import Placement, write_placement
from engines.royal_study.position import Move
from engines.royal_study.rules import moved, moves, refuse_move
from tests.engines.royal_study import reference, strategies
from tests.engines.royal_study.strategies import EVERY_PLACEMENT, placements


def test_there_are_7560_positions_and_33248_moves_to_and_fro() -> None:
    assert len(EVERY_PLACEMENT) == 7560
    assert sorted(map(write_placement, EVERY_PLACEMENT)) == sorted(reference.every_position())
    assert sum(len(moves(pieces)) for pieces in EVERY_PLACEMENT) == 2 * 33248


@given(placements)
def test_moves_agree_with_going_square_by_square(pieces: Placement) -> None:
    listed = sorted(write_placement(moved(pieces, move)) for move in moves(pieces))
    assert listed == sorted(reference.neighbours(write_placement(pieces)))


@given(placements)
def test_every_move_can_be_taken_back(pieces: Placement) -> None:
    for move in moves(pieces):
        back = Move(move.piece, move.end, move.start)
        assert back in moves(moved(pieces, move))
        assert moved(moved(pieces, move), back) == pieces


@given(placements, strategies.moves)
def test_a_move_is_refused_if_and_only_if_it_is_not_listed(pieces: Placement, move: Move) -> None:
    refusal = refuse_move(pieces, move)
    assert (refusal is None) == (move in moves(pieces))
    assert refusal is None or isinstance(refusal, Refusal)
