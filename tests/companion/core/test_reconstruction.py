"""Tables that no single action explains: two moves at once, an earlier position, a cell that is misread."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.core.choices import EXPLANATION, GO_BACK, SET_CELL, TAKE_TABLE, shown_choice
from companion.core.display import figures, lamps, view
from companion.core.entries import Adopted, Played, Undone
from companion.core.evidence import fuse_observations
from companion.core.hypothesis import Kind
from companion.core.inference import Finding, judge
from companion.core.looking import actions_back
from companion.core.messages import ActionEntered
from companion.core.verdicts import ALTERED, SET_ANY, Confirmed, Refused, TookBack, Unchanged, Unclear, Verdict
from companion.games import GAMES
from companion.games.captions import page_for
from companion.games.royal_racers.table import face_of
from companion.simulator.planner import legal
from engines.kernel import Cell
from engines.royal_racers.board import cell_index
from engines.royal_racers.position import Phase, Step
from engines.royal_tee import GAME
from engines.royal_tee.position import Position, Walk
from hardware.panel import Button, Rhythm
from tests.companion.core.tables import SteppedTable
from tests.companion.core.test_step import LONG, SHORT
from tests.companion.evening_table import LONG_S, EveningTable
from tests.companion.games.looks import after, look_of, observe, position_of, random_walk
from tests.companion.games.readings import PERFECT
from tests.narrow import narrowed, there

FIRST = Walk((Cell("E12"),))


def next_walk(position: Position, seed: int) -> Position:
    return GAME.after(position, random_walk(position, random.Random(seed))).position


def played(table: SteppedTable, *positions: Position) -> None:
    for position in positions:
        table.lie(look_of(position), SHORT)
        assert table.position == position


def verdict(table: SteppedTable) -> Verdict | None:
    return table.state.verdict


def test_moves_in_a_row_are_confirmed_at_the_second_look(table: SteppedTable) -> None:
    second = next_walk(after(table.start, FIRST), 1)
    table.lie(look_of(second), 1.2)
    assert table.position == table.start, "the first look takes none of it for legal"
    table.lie(look_of(second), 0.6)
    assert table.position == second


def test_a_move_whose_traces_the_next_player_has_enclosed_is_no_move_out_of_turn() -> None:
    """The board of an evening: blue walked over yellow spaces only, and yellow at once enclosed them again."""
    kinds = {"b": "blue", "B": "blue-royal", "y": "yellow", "Y": "yellow-royal"}
    rows = (
        *("y........bb.", "yy.......bbb", "yy......bbbb", "yyy.yY.bbb.."),
        *("Byyyyy.b....", "yyyyyybb....", "yyyyb..b...."),
    )
    names = (Cell(f"{column}{row}") for row in range(6, 13) for column in "ABCDEFGHIJKL")
    table = SteppedTable(
        position_of({c: kinds[s] for c, s in zip(names, "".join(rows), strict=True) if s != "."}, "blue", 8)
    )
    last = table.start
    for walk in ("A11 A10 B10 C10 D10 E10 E9 D9", "F10 F9 F8 E8 D8 C8 B8 A8"):
        last = after(last, Walk(tuple(map(Cell, walk.split()))))
    table.lie(look_of(last), LONG)
    assert table.position == last


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


def test_an_earlier_position_is_known_by_the_cells_that_have_changed_since(table: SteppedTable) -> None:
    positions = [after(table.start, FIRST)]
    positions.append(next_walk(positions[0], 1))
    played(table, *positions)
    seen = observe(look_of(positions[0]), np.random.default_rng(1), PERFECT)
    now, then = look_of(positions[1]), look_of(positions[0])
    alike, changed = (next(c for c in seen.cells if (now[Cell(c)] == then[Cell(c)]) is same) for same in (True, False))
    for doubted, back in ((alike, 1), (changed, 0)):
        p = seen.p.copy()
        p[seen.cells.index(doubted)] = 0.8 * p[seen.cells.index(doubted)] + 0.2 / len(seen.labels)
        assert actions_back(table.state, fuse_observations([replace(seen, p=p)])) == back


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


def test_a_pawn_that_seems_to_stand_on_a_flag_as_well_does_not_stop_the_step_that_is_plainly_seen() -> None:
    table = EveningTable("royal-racers", 0)
    position, action = next(turn for turn in raced(table) if isinstance(turn[1], Step))
    table.look(LONG)
    table.lay(legal(RACERS, position, action))
    flags = (cell for cell, label in table.labels.items() if "flag" in label and "pawn" not in label)
    flag = next(cell for cell in flags if cell != action.cell)
    table.doubtful = {flag: {table.labels[flag]: 0.3, f"{table.labels[flag]}+pawn-{position.turn}": 0.68}}
    table.look(SHORT)
    assert table.state.position == legal(RACERS, position, action)


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
    assert any(isinstance(action, Step) for action in narrowed(table.state.verdict, Unclear).actions)
    table.press(Button.DONE)
    table.look(SHORT)
    assert [entry for entry in table.log.entries[before:] if isinstance(entry, Undone | Played)] == []
    assert isinstance(table.state.verdict, Unclear), "it asks again"


def test_what_mode_steps_to_is_counted_by_the_lamp_while_a_question_is_open() -> None:
    table = asked_after_a_wrong_card()
    seat = there(RACERS.turns.prompt(table.state.position).seat)
    assert lamps(table.state)[seat] is Rhythm.UNSURE
    for place, choice in enumerate(view(table.state).choices):
        table.press(Button.MODE)
        counted = there(figures(table.state))
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
    table.press(Button.BACK)
    table.lie(look_of(second), LONG)
    assert table.position == first, "what was taken back is still on the table and is not accepted again"
    table.lie(look_of(first), SHORT)
    table.press(Button.BACK)
    assert table.position == table.start


def test_any_cell_is_set_to_any_label_with_four_buttons(table: SteppedTable) -> None:
    first = look_of(after(table.start, FIRST))
    (placed,) = (cell for cell, label in first.items() if label == "red" != look_of(table.start)[cell])
    table.lie({**first, placed: "yellow"}, LONG)
    table.press(
        *[Button.MODE] * (1 + [choice.code for choice in view(table.state).choices].index(SET_ANY)), Button.DONE
    )
    shown = [view(table.state).choices[0].cell]
    while shown[-1] != placed:
        table.press(Button.ROLL)
        shown.append(view(table.state).choices[0].cell)
        assert len(shown) < 5, "the cells in doubt come first"
    table.press(Button.DONE)
    labels = []
    while view(table.state).choices[0].label != "red":
        labels.append(view(table.state).choices[0].label)
        table.press(Button.ROLL)
    assert labels[:2] == ["red-royal", "yellow"], "what is expected, and then what is seen"
    table.press(Button.ROLL, Button.BACK, Button.DONE)
    table.frame({**first, placed: "yellow"})
    assert table.position == after(table.start, FIRST)


def test_a_cell_that_is_being_set_is_left_as_it_is(table: SteppedTable) -> None:
    played(table, first := after(table.start, FIRST))
    table.lie({**look_of(first), Cell("A1"): "green"}, LONG)
    table.press(Button.MODE, Button.MODE, Button.DONE, Button.DONE)
    assert view(table.state).buttons[Button.BACK] == "previous-one"
    table.press(Button.MODE)
    assert not table.state.overrides
    assert SET_CELL in [choice.code for choice in view(table.state).choices]
    assert table.position == first


def test_a_few_cells_that_are_seen_otherwise_can_be_set_with_two_buttons(table: SteppedTable) -> None:
    played(table, first := after(table.start, FIRST))
    misread = {**look_of(first), Cell("A1"): "green"}
    table.lie(misread, LONG)
    refused = narrowed(verdict(table), Refused)
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


# ---- what is certainly seen otherwise is named, however rare it is; what is not seen is not called certain


TEE = "royal-tee"


def played_on(game: str = TEE, steps: int = 6) -> EveningTable:
    table = EveningTable(game, 1)
    for _ in range(steps):
        assert table.goes_forward()
    table.put_right()
    table.look(1.0)
    return table


def an_empty_and_a_taken_cell(table: EveningTable) -> tuple[Cell, Cell]:
    """Return an empty cell and one with a small piece that no walk of the player to move can reach."""
    seat = table.state.rules.turns.prompt(table.state.position).seat
    taken = [cell for cell, label in table.labels.items() if label in table.state.players and label != seat]
    empty = [cell for cell, label in table.labels.items() if label == "empty"]
    return empty[0], taken[-1]


def test_a_piece_that_fell_is_named_and_done_goes_on_with_the_table_as_it_is() -> None:
    table = played_on()
    _empty, cell = an_empty_and_a_taken_cell(table)
    owner, table.labels[cell] = table.labels[cell], "empty"
    table.look(LONG_S)
    refused = narrowed(table.state.verdict, Refused)
    assert (refused.code, refused.cells) == (ALTERED, (cell,))
    assert refused.facts == {"changed": [{"cell": cell, "expected": owner, "observed": "empty"}]}
    assert view(table.state).buttons[Button.DONE] == TAKE_TABLE
    table.press(Button.DONE)
    assert isinstance(table.log.entries[-1], Adopted)
    table.look(LONG_S)
    assert table.game.placement(table.state.position)[cell] == "empty"


def test_a_piece_that_was_pushed_is_told_as_one_thing() -> None:
    table = played_on()
    end, start = an_empty_and_a_taken_cell(table)
    table.labels[end], table.labels[start] = table.labels[start], "empty"
    table.look(LONG_S)
    message = page_for(view(table.state), table.game.board(), lamps=lamps(table.state)).message
    assert f"from {start} to {end}" in message
    assert message.count(start) == 1


@pytest.mark.parametrize("game", ["royal-tee", "royal-ur", "territory"])
def test_no_altered_table_is_called_badly_seen(game: str) -> None:
    table = played_on(game)
    before = dict(table.labels)
    for cell in list(before)[:: max(1, len(before) // 6)]:
        other = "empty" if before[cell] != "empty" else table.game.board().label_words[-1]
        if cell not in table.game.board().cells:
            continue
        entries = len(table.log.entries)
        table.labels = {**before, cell: other}
        table.look(LONG_S)
        verdict = table.state.verdict
        if len(table.log.entries) > entries:
            assert isinstance(verdict, Confirmed), "it was a legal move"
            break
        assert isinstance(verdict, Refused), (cell, other, verdict)
        table.labels = dict(before)
        table.look(2.0)


# ---- an explanation that DONE has made likely enough to be offered can still be chosen at the looks that follow


def test_what_done_has_offered_is_not_taken_away_by_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    table = EveningTable("royal-tee", 1)
    table.put_right()
    before = len(table.log.entries)

    def doubts(rules: Any, position: Any, left_open: Any, evidence: Any, **how: Any) -> Finding:
        """Judge a table as too close to call, with a legal explanation only if DONE was pressed."""
        found = judge(rules, position, left_open, evidence, **how)
        legal = [one for one in rules.explanations(position, left_open, evidence) if one.kind is Kind.LEGAL]
        rivals = (legal[0],) if how["pressed"] else ()
        return replace(found, decision=Kind.AMBIGUOUS, cells=(Cell("A1"),), rivals=rivals)

    monkeypatch.setattr("companion.core.looking.judge", doubts)
    table.press(Button.DONE)
    table.look(LONG_S)
    asked = narrowed(table.state.verdict, Unclear)
    assert asked.actions
    for _ in range(20):
        choice = shown_choice(table.state)
        if choice is not None and choice.code == EXPLANATION:
            break
        table.press(Button.MODE)
        table.look(LONG_S)
    table.press(Button.DONE)
    assert [type(entry) for entry in table.log.entries[before:]] == [Played]
