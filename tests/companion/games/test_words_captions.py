"""The expected action, every choice and every button has a name in the words of the game."""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace

import pytest

from companion.core import choices as core_choices
from companion.core import display
from companion.core.state import new_state
from companion.core.verdicts import Choice, Position
from companion.core.view import View
from companion.games import GAMES
from companion.games.captions import choice_words, prompt_words
from companion.games.engines import ENGINES
from companion.ui.page import button_lines
from engines.kernel import Seat
from hardware.panel import Button
from tests.companion.core.tables import act
from tests.companion.games.speeches import tables_of
from tests.companion.games.test_words_typed import position_after
from tests.contracts.tables import played


def view_of(game: str, position: Position) -> View:
    return display.view(new_state(GAMES[game], position))


@pytest.mark.parametrize("game", ENGINES)
def test_every_choice_of_a_game_has_a_name(game: str) -> None:
    named: dict[str, set[str]] = {}
    for name in [name for name in tables_of(game) if "four" not in name and "three" not in name]:
        for turn in played(name).turns[:150]:
            view = view_of(game, turn.before)
            assert prompt_words(view).endswith((".", "?"))
            for choice in view.choices:
                named.setdefault(choice.code, set()).add(choice_words(view, choice))
    assert all(name and "-" not in name.replace("four-fives", "") for names in named.values() for name in names)


def test_a_number_that_is_counted_is_in_the_name() -> None:
    position = ENGINES["royal-study"].game.new([Seat("white"), Seat("black")], {}, 1)
    view = replace(view_of("royal-study", position), number=7)
    assert [choice_words(view, choice) for choice in view.choices] == ["White calls 7 moves", "Black calls 7 moves"]


def test_every_choice_of_the_evening_has_a_name() -> None:
    position = ENGINES["royal-tee"].game.new([Seat("red"), Seat("green")], {}, 1)
    view = view_of("royal-tee", position)
    codes = ("CONTINUE", "SAVE", "COUNT_NOW", "REMATCH", "NEW_GAME", "END", "GO_BACK", "TAKE_TABLE")
    names = {choice_words(view, Choice(getattr(core_choices, code))) for code in codes}
    assert len(names) == len(codes)
    explained = Choice(core_choices.EXPLANATION, act(GAMES["royal-tee"], walk=["F11"]))
    assert choice_words(view, explained) == "it was this: walk to F11"


def test_every_button_has_words_for_all_that_it_can_do() -> None:
    functions = [
        function for name, function in vars(display).items() if name.endswith("_meaning") or name == "_judging"
    ]
    codes = {
        node.value
        for function in functions
        for statement in ast.walk(ast.parse(inspect.getsource(function)))
        if isinstance(statement, ast.Return)
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value
    }
    assert len(codes) >= 8
    position = ENGINES["royal-tee"].game.new([Seat("red"), Seat("green")], {}, 1)
    view = view_of("royal-tee", position)
    lines = [button_lines(replace(view, buttons={Button.ROLL: code}), ()) for code in sorted(codes | {"next"})]
    words = [words for ((_button, words),) in lines]
    assert all(words)
    assert len(set(words)) == len(words)


def test_done_is_named_after_the_choice_that_it_plays() -> None:
    view = view_of("royal-study", position_after("royal-study", "white black", "call 7 white"))
    choices = [choice_words(view, choice) for choice in view.choices]
    assert ("DONE", "challenge the call") in button_lines(view, choices)


def test_a_finished_game_names_its_winner() -> None:
    last = played("ur").turns[-1].outcome.position
    assert prompt_words(view_of("royal-ur", last)) in (
        "The game is over. Winner: White.",
        "The game is over. Winner: Black.",
    )
