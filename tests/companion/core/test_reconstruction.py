"""Tables that no single action explains: two moves at once, an earlier position, a cell that is misread."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.core.choices import EXPLANATION, GO_BACK, SET_CELL, TAKE_TABLE, shown_choice
from companion.core.display import figures, lamps, view
from companion.core.entries import Played, Undone
from companion.core.messages import ActionEntered
from companion.core.verdicts import ALTERED, SET_ANY, Refused, TookBack, Unchanged, Unclear, Verdict
from companion.games import GAMES
from companion.games.royal_racers.table import face_of
from companion.simulator.planner import legal
from engines.kernel import Cell, Outcome
from engines.royal_racers.board import cell_index
from engines.royal_racers.position import Phase, Step
from engines.royal_tee import GAME
from engines.royal_tee.position import Position, Walk
from hardware.panel import Button, Rhythm
from tests.companion.core.tables import SteppedTable
from tests.companion.core.test_step import LONG, SHORT
from tests.companion.evening_table import EveningTable
from tests.companion.games.looks import after, look_of, new_game, random_walk

FIRST = Walk((Cell("E12"),))


@pytest.fixture
def table() -> SteppedTable:
    return SteppedTable(new_game("red", "green"))


def next_walk(position: Position, seed: int) -> Position:
    outcome = GAME.play(position, random_walk(position, random.Random(seed)))
    assert isinstance(outcome, Outcome)
    return outcome.position


def played(table: SteppedTable, *positions: Position) -> None:
    for position in positions:
        table.lie(look_of(position), SHORT)
        assert table.position == position


def press(table: SteppedTable, *buttons: Button) -> None:
    """Press buttons one after the other, each a second after the last."""
    for button in buttons:
        table.at_ns += 1_000_000_000
        table.press(button)


def verdict(table: SteppedTable) -> Verdict | None:
    return table.state.verdict


def test_moves_in_a_row_are_confirmed_at_the_second_look(table: SteppedTable) -> None:
    second = next_walk(after(table.start, FIRST), 1)
    table.lie(look_of(second), 1.2)
    assert table.position == table.start, "the first look takes none of it for legal"
    table.lie(look_of(second), 0.6)
    assert table.position == second


@pytest.mark.parametrize("seed", [1, 2])
def test_two_fast_moves_are_read_in_order(table: SteppedTable, seed: int) -> None:
    first = after(table.start, FIRST)
    second = next_walk(first, seed)
    before = len(table.entries)
    table.lie(look_of(second), LONG)
    assert table.position == second
    assert [type(entry) for entry in table.entries[before:]] == [Played, Played]


def test_an_earlier_position_on_the_board_is_gone_back_to_after_one_confirmation(table: SteppedTable) -> None:
    positions = [after(table.start, FIRST)]
    for seed in (1, 2):
        positions.append(next_walk(positions[-1], seed))
    played(table, *positions)
    table.lie(look_of(positions[0]), LONG)
    assert table.position == positions[-1], "not without being asked"
    assert view(table.state).buttons[Button.DONE] == GO_BACK
    table.press(Button.DONE)
    assert table.position == positions[0]
    assert table.entries[-2:] == [Undone(), Undone()]
    assert isinstance(table.state.verdict, TookBack)
    table.lie(look_of(positions[0]), SHORT)
    assert not table.state.out_of_step
    played(table, next_walk(positions[0], 3))


RACERS = GAMES["royal-racers"]


def raced(table: EveningTable) -> Iterator[tuple[Any, Any]]:
    """Play at random, on the table too; yield each position with the next action, before it is played."""
    while not table.state.over:
        position = table.state.position
        throws = RACERS.turns.dice.awaited(position)
        action = RACERS.turns.dice.throw(position, table.random) if throws else None
        action = action or table.random.choice(RACERS.engine.actions(position))
        yield position, action
        table.lay(legal(RACERS, position, action))
        table.take(ActionEntered(action, table.clock.now_ns()))


def asked_after_a_wrong_card() -> EveningTable:
    """Turn a wrong card up and down again, and leave the pawn: it may have gone back and stepped there again."""
    table = EveningTable("royal-racers", 0)
    position, action = next(turn for turn in raced(table) if is_in_vain(*turn))
    table.look(LONG)
    turned = legal(RACERS, position, action)
    cell = action.cell
    table.labels[cell] = face_of(position, cell_index(cell))
    table.look(SHORT)
    assert table.state.position == turned
    table.lay(position)
    table.look(LONG)
    return table


def test_a_lamp_says_what_is_left_to_do_before_it_says_that_the_same_player_acts() -> None:
    table = EveningTable("royal-racers", 0)
    position, action = next(turn for turn in raced(table) if is_in_vain(*turn))
    table.look(LONG)
    table.labels[action.cell] = face_of(position, cell_index(action.cell))
    table.look(SHORT)
    turned = table.state.position
    assert (RACERS.turns.prompt(turned).seat, lamps(table.state)[position.turn]) == (position.turn, Rhythm.TODO)
    table.lay(turned)
    table.look(SHORT)
    assert lamps(table.state)[position.turn] is Rhythm.TURN


def is_in_vain(position: Any, action: Any) -> bool:
    """Return whether a card is turned up in vain, and the pawn may step to where it has to leave."""
    if position.phase is not Phase.FLIP:
        return False
    turned, stood = legal(RACERS, position, action), RACERS.placement(position)
    steps = (step for step in RACERS.engine.actions(turned) if isinstance(step, Step))
    back = (RACERS.placement(legal(RACERS, turned, step)) == stood for step in steps)
    return RACERS.placement(turned) != stood and any(back)


def test_done_takes_nothing_back_where_a_move_leaves_the_same_table() -> None:
    table = asked_after_a_wrong_card()
    before = len(table.log.entries)
    assert isinstance(table.state.verdict, Unclear)
    assert any(isinstance(action, Step) for action in table.state.verdict.actions)
    table.press(Button.DONE)
    table.look(SHORT)
    assert [entry for entry in table.log.entries[before:] if isinstance(entry, Undone | Played)] == []
    assert isinstance(table.state.verdict, Unclear), "it asks again"


def test_what_mode_steps_to_is_counted_by_the_lamp_while_a_question_is_open() -> None:
    table = asked_after_a_wrong_card()
    seat = RACERS.turns.prompt(table.state.position).seat
    assert seat is not None
    assert lamps(table.state)[seat] is Rhythm.UNSURE
    for place, choice in enumerate(view(table.state).choices):
        table.press(Button.MODE)
        counted = figures(table.state)
        assert counted is not None
        assert counted.numbers == (place + 1,)
        assert lamps(table.state)[seat] is Rhythm.CHOICE
        if choice.code == EXPLANATION:
            break
    assert shown_choice(table.state) == choice
    table.press(Button.DONE)
    assert table.state.progress.past[-1].played is not None
    assert table.state.progress.past[-1].played.action == choice.action


def test_back_takes_one_of_two_fast_moves_back_at_a_press(table: SteppedTable) -> None:
    first = after(table.start, FIRST)
    second = next_walk(first, 1)
    table.lie(look_of(second), LONG)
    press(table, Button.BACK)
    table.lie(look_of(second), LONG)
    assert table.position == first, "what was taken back is still on the table and is not accepted again"
    table.lie(look_of(first), SHORT)
    press(table, Button.BACK)
    assert table.position == table.start


def test_any_cell_is_set_to_any_label_with_four_buttons(table: SteppedTable) -> None:
    first = look_of(after(table.start, FIRST))
    (placed,) = (cell for cell, label in first.items() if label == "red" != look_of(table.start)[cell])
    table.lie({**first, placed: "yellow"}, LONG)
    press(
        table, *[Button.MODE] * (1 + [choice.code for choice in view(table.state).choices].index(SET_ANY)), Button.DONE
    )
    shown = [view(table.state).choices[0].cell]
    while shown[-1] != placed:
        press(table, Button.ROLL)
        shown.append(view(table.state).choices[0].cell)
        assert len(shown) < 5, "the cells in doubt come first"
    press(table, Button.DONE)
    labels = []
    while view(table.state).choices[0].label != "red":
        labels.append(view(table.state).choices[0].label)
        press(table, Button.ROLL)
    assert labels[:2] == ["red-royal", "yellow"], "what is expected, and then what is seen"
    press(table, Button.ROLL, Button.BACK, Button.DONE)
    assert table.position == after(table.start, FIRST)


def test_a_cell_that_is_being_set_is_left_as_it_is(table: SteppedTable) -> None:
    played(table, first := after(table.start, FIRST))
    table.lie({**look_of(first), Cell("A1"): "green"}, LONG)
    press(table, Button.MODE, Button.MODE, Button.DONE, Button.DONE)
    assert view(table.state).buttons[Button.BACK] == "previous-one"
    table.press(Button.MODE)
    assert not table.state.overrides
    assert SET_CELL in [choice.code for choice in view(table.state).choices]
    assert table.position == first


def test_a_few_cells_that_are_seen_otherwise_can_be_set_with_two_buttons(table: SteppedTable) -> None:
    played(table, first := after(table.start, FIRST))
    misread = {**look_of(first), Cell("A1"): "green"}
    table.lie(misread, LONG)
    refused = verdict(table)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.cells) == (ALTERED, ("A1",))
    shown = view(table.state)
    offered = [(choice.code, choice.cell, choice.label) for choice in shown.choices]
    assert offered == [(TAKE_TABLE, None, ""), (SET_CELL, "A1", "empty"), (SET_ANY, None, "")]
    table.press(Button.MODE)
    table.press(Button.DONE)
    table.lie(misread, LONG)
    assert isinstance(verdict(table), Unchanged)
    second = next_walk(first, 1)
    table.lie({**look_of(second), Cell("A1"): "green"}, SHORT)
    assert table.position == second
