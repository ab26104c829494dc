"""Questions by keys: any cell in two presses, and what is asked is answered from the view alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.core.asking import PATIENCE_NS, PLACE_KEYS, around, cell_at
from companion.core.display import view as view_of
from companion.core.messages import ActionEntered, Show
from companion.core.state import State
from companion.core.step import step
from companion.core.verdicts import Action, Asked, PendingPlacement, Question
from companion.games import GAMES
from companion.games.asking import answer_lines, question_typed
from companion.locale import speaking
from engines.kernel import Cell
from hardware.panel import Button, ButtonPressed, KeyPressed
from tests.companion.core.tables import begun
from tests.evaluate.advisers import SEATS
from vision.labels import EMPTY


def pressed(state: State, *keys: str, every_ns: int = 10**9) -> State:
    for place, key in enumerate(keys, 1):
        state, _effects = step(state, KeyPressed(key, state.now_ns + place * every_ns))
    return state


def keys_of(cells: Sequence[Cell], cell: Cell) -> tuple[str, str]:
    columns = sorted({other[:1] for other in cells})
    return PLACE_KEYS[columns.index(cell[:1])], PLACE_KEYS[int(cell[1:]) - 1]


def asked(state: State) -> Asked:
    assert state.asked is not None
    return state.asked


@pytest.mark.parametrize("name", SEATS)
def test_two_presses_ask_for_any_cell_and_the_answer_names_it(name: str) -> None:
    state, board = begun(name), GAMES[name].board()
    cells = [*view_of(state).board]
    assert len({keys_of(cells, cell) for cell in cells}) == len(cells)
    for cell in cells:
        after = pressed(state, *keys_of(cells, cell))
        assert (asked(after).question, asked(after).cell) == (Question.CELL, cell)
        assert answer_lines(view_of(after), board)[0].startswith(f"{cell}: ")


@pytest.mark.parametrize("name", SEATS)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("question", [one for one in Question if one is not Question.AGAIN])
def test_every_question_has_an_answer_in_every_game(name: str, language: str, question: Question) -> None:
    state, board = begun(name), GAMES[name].board()
    cell = next(iter(view_of(state).board))
    with speaking(language):
        after, effects = step(state, Asked(question, 5, cell, "A"))
        lines = answer_lines(view_of(after), board)
    assert lines
    assert all(lines)
    assert [effect for effect in effects if isinstance(effect, Show)]


def test_the_first_key_is_answered_with_its_letter_and_forgotten_after_a_while() -> None:
    state = pressed(begun("royal-tee"), "2")
    assert (asked(state).question, asked(state).column) == (Question.COLUMN, "B")
    late = pressed(state, "5", every_ns=PATIENCE_NS + 1)
    assert (asked(late).question, asked(late).column) == (Question.COLUMN, "E")
    assert asked(pressed(late, "0")).cell == "E10"


def test_a_key_that_names_no_row_begins_again() -> None:
    state = pressed(begun("royal-study"), "2", "9")
    assert asked(state).question is Question.COLUMN
    assert asked(pressed(state, "2", "3")).cell == "B3"


def test_the_same_question_twice_is_answered_twice() -> None:
    state = begun("royal-tee")
    for _press in range(2):
        after, effects = step(state, KeyPressed("enter", state.now_ns + 10**9))
        assert len([effect for effect in effects if isinstance(effect, Show)]) == 1
        state = after


def test_round_a_cell_is_asked_without_naming_it_again() -> None:
    state = pressed(begun("royal-tee"), "6", "+", "*", "4")
    assert (asked(state).question, asked(state).cell) == (Question.AROUND, "F12")
    assert around(view_of(state).board, Cell("F12")) == ["F11", "G12", "E12", "G11", "E11"]
    inside = around(view_of(state).board, Cell("B2"))
    assert inside == ["B1", "C2", "B3", "A2", "C1", "C3", "A3", "A1"]


def test_minus_and_a_key_that_is_kept_down_ask_again() -> None:
    state = pressed(begun("royal-tee"), "-")
    assert asked(state).question is Question.AGAIN
    held, _effects = step(begun("royal-tee"), KeyPressed("3", 7, held=True))
    assert asked(held).question is Question.AGAIN


def test_roll_that_is_kept_down_asks_again_and_throws_nothing() -> None:
    state = begun("royal-ur")
    held, effects = step(state, ButtonPressed(Button.ROLL, state.now_ns + 1, held=True))
    assert asked(held).question is Question.AGAIN
    assert held.progress == state.progress
    assert all(isinstance(effect, Show) for effect in effects)


def test_what_may_be_done_begins_with_what_is_wrong_on_the_table() -> None:
    state, board = begun("royal-ur"), GAMES["royal-ur"].board()
    view = replace(view_of(state), asked=Asked(Question.POSSIBLE, 2))
    possible = [*answer_lines(view, board)]
    wrong = PendingPlacement(Cell("B2"), EMPTY, "white")
    told = [*answer_lines(replace(view, out_of_step=(wrong,), setting_up=False), board)]
    assert any("B2" in line for line in told[:2])
    assert told[-len(possible) :] == possible


def test_what_was_asked_is_gone_once_somebody_has_acted() -> None:
    game, state = GAMES["royal-tee"], pressed(begun("royal-tee"), "enter")
    walk = Action(game.engine.action_from_json({"walk": ["F11"]}))
    assert step(state, ActionEntered(walk, state.now_ns + 1))[0].asked is None


def test_keys_change_nothing_of_the_game() -> None:
    state = begun("royal-ur")
    after = pressed(state, *"123456789-*0+.", "enter")
    assert after.progress == state.progress


def test_a_cell_that_the_table_has_not_got_is_no_question() -> None:
    state, _effects = step(begun("royal-study"), Asked(Question.CELL, 3, Cell("Z9")))
    assert state.asked is None
    assert cell_at([Cell("A1"), Cell("B2")], "2", "1") is None


@pytest.mark.parametrize(
    ("language", "line", "question", "cell"),
    [
        ("en", "E3", Question.CELL, "E3"),
        ("en", "around e3?", Question.AROUND, "E3"),
        ("en", "turn", Question.TURN, None),
        ("de", "um E3", Question.AROUND, "E3"),
        ("de", "score", Question.SCORE, None),
        ("fr", "tour", Question.TURN, None),
        ("en", "echo three", Question.CELL, "E3"),
        ("de", "um Emil drei", Question.AROUND, "E3"),
    ],
)
def test_a_typed_question_in_the_language_or_in_english(
    language: str, line: str, question: Question, cell: str | None
) -> None:
    with speaking(language):
        typed = question_typed(line, view_of(begun("royal-tee")).board, 3)
    assert typed is not None
    assert (typed.question, typed.cell) == (question, cell)
