from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engines.grid import Bitboard, CellIndex, cells_in, set_of
from engines.kernel import Cell, Outcome, Refusal
from engines.royal_tee import GAME, notation, scoring
from engines.royal_tee.board import ALL_SPACES, SIZE, Side, cell_index, cell_name
from engines.royal_tee.position import Action, Pass, Position, Walk
from engines.royal_tee.rules import after_walk, enclosed_by, play
from tests.engines.royal_tee.strategies import positions, turns

Turn = tuple[Position, Action]


def _played(turn: Turn) -> Outcome[Position]:
    result = play(*turn)
    assert isinstance(result, Outcome)
    return result


@given(turns())
def test_claimed_spaces_are_lost_only_to_the_mover_and_never_unclaimed(turn: Turn) -> None:
    before, after = turn[0], _played(turn).position
    mover = before.place(before.turn)
    for place, (had, has) in enumerate(zip(before.claimed, after.claimed, strict=True)):
        lost = had & ~has
        assert lost & ~after.claimed[mover] == 0
        assert place == mover or has & ~had == 0
    assert after.unclaimed & ~before.unclaimed == 0


@given(turns())
def test_spaces_of_all_players_and_unclaimed_ones_add_up_to_the_board(turn: Turn) -> None:
    after = _played(turn).position
    assert sum(scoring.score(after).values()) + after.unclaimed.bit_count() == SIZE**2


@given(turns())
def test_a_royal_tee_stands_on_a_space_of_its_owner(turn: Turn) -> None:
    after = _played(turn).position
    assert all(spaces >> royal & 1 for royal, spaces in zip(after.royals, after.claimed, strict=True))


@given(turns())
def test_only_the_mover_moves_and_the_others_keep_their_places(turn: Turn) -> None:
    before, after = turn[0], _played(turn).position
    for seat in before.players:
        if seat != before.turn:
            assert after.royal(seat) == before.royal(seat)


@given(turns())
def test_after_a_turn_the_mover_has_nothing_left_to_fill(turn: Turn) -> None:
    before, action = turn
    after = _played(turn).position
    if isinstance(action, Walk):
        assert enclosed_by(after, before.turn, after.claimed[before.place(before.turn)]) == 0


@given(turns())
def test_the_outcome_depends_only_on_the_end_and_the_spaces_visited(turn: Turn) -> None:
    position, action = turn
    if isinstance(action, Walk):
        cells = [cell_index(name) for name in action.cells]
        visited = set_of([position.royal(position.turn), *cells])
        assert after_walk(position, cells[-1], visited) == play(position, action)


@given(turns())
def test_playing_leaves_the_position_as_it_was(turn: Turn) -> None:
    written = notation.write_position(turn[0])
    play(*turn)
    assert notation.write_position(turn[0]) == written


@given(turns(), st.integers(1, 3))
def test_turning_the_board_with_its_seats_changes_nothing(turn: Turn, quarters: int) -> None:
    position, action = turn
    assert _played((_turned(position, quarters), _turned_action(action, quarters))).position == _turned(
        _played(turn).position, quarters
    )


@given(turns())
def test_the_events_report_all_that_has_changed(turn: Turn) -> None:
    before, outcome = turn[0], _played(turn)
    found = [event.to_json() for event in outcome.events]
    mover = before.place(before.turn)
    gained = outcome.position.claimed[mover] & ~before.claimed[mover]
    cells = [cell for event in found if event["event"] in ("claimed", "enclosed") for cell in _texts(event["cells"])]
    assert sorted(cells) == sorted(cell_name(index) for index in cells_in(gained))
    last = "game-over" if outcome.position.over else "turn"
    assert found[-1]["event"] == last
    assert ("slider-moved" in [event["event"] for event in found]) == (outcome.position.slider > before.slider)


@given(positions())
def test_after_the_end_every_action_is_refused(position: Position) -> None:
    free = position.unclaimed
    full = replace(position, claimed=(position.claimed[0] | free, *position.claimed[1:]))
    assert play(full, Pass()) == play(full, Walk((Cell("A1"),))) == Refusal("game-over", "6.1")


@given(positions())
def test_what_is_enclosed_leaves_out_the_spaces_under_other_royal_tees(position: Position) -> None:
    others = position.royals_but(position.turn)
    assert enclosed_by(position, position.turn, ALL_SPACES & ~others) == 0


def test_every_winner_of_a_tie_is_reported() -> None:
    rows = [*["a" * SIZE] * 5, "a" * 11 + "A", *["b" * SIZE] * 4, "b" * 11 + "B", "b" * 11 + "1"]
    position = notation.read_position("red@bottom,green@top green 1 " + "/".join(rows))
    outcome = _played((position, Walk((Cell("L12"),))))
    assert outcome.events[-1].to_json() == {"event": "game-over", "winners": ["red", "green"]}
    assert GAME.to_act(outcome.position) is None


def _texts(value: object) -> list[str]:
    assert isinstance(value, list)
    return value


def _turned_cell(index: CellIndex, quarters: int) -> CellIndex:
    """Turn a space counter-clockwise about the board's middle."""
    row, column = divmod(index, SIZE)
    for _ in range(quarters):
        row, column = SIZE - 1 - column, row
    return CellIndex(row * SIZE + column)


def _turned_set(spaces: Bitboard, quarters: int) -> Bitboard:
    return set_of(_turned_cell(index, quarters) for index in cells_in(spaces))


def _turned(position: Position, quarters: int) -> Position:
    return replace(
        position,
        royals=tuple(_turned_cell(royal, quarters) for royal in position.royals),
        claimed=tuple(_turned_set(spaces, quarters) for spaces in position.claimed),
        zones=tuple(list(Side)[(zone.place + quarters) % len(Side)] for zone in position.zones),
    )


def _turned_action(action: Action, quarters: int) -> Action:
    if isinstance(action, Pass):
        return action
    return Walk(tuple(cell_name(_turned_cell(cell_index(name), quarters)) for name in action.cells))
