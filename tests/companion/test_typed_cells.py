"""What the players type for the thing on a cell: the table's words, what it is called, and only that much of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.typed_commands import label_typed, labels_offered
from companion.core.display import view as view_of
from companion.core.state import new_state
from companion.core.view import View
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.locale import speak
from companion.shell.session import new_position, usual_players
from engines.kernel import Cell


def opening(game: str) -> View:
    """Return the view of a game that begins."""
    engine, colours = ENGINES[game], GAMES[game].board().colours
    position = new_position(engine, usual_players(engine, colours), {}, 0, colours)
    return view_of(new_state(GAMES[game], position))


@pytest.mark.parametrize(
    ("game", "cell", "typed", "label"),
    [
        ("royal-tee", "C3", "red", "red"),
        ("royal-tee", "C3", "the red Royal Tee", "red-royal"),
        ("royal-tee", "C3", "Empty", "empty"),
        ("royal-ur", "A3", "white", "white"),
        ("royal-ur", "A3", "2 black", "black*2"),
        ("territory", "C3", "green", "green"),
        ("royal-racers", "C3", "back", "back"),
        ("royal-racers", "C3", "flag suns pawn moons", "covered+flag-suns+pawn-moons"),
        ("royal-racers", "C3", "pawn moons flag suns", "covered+flag-suns+pawn-moons"),
        ("royal-racers", "C3", "pawn: suns", "7-clubs+pawn-suns"),
        ("royal-racers", "C3", "clubs", "7-clubs"),
        ("royal-racers", "C3", "7h", "7-hearts"),
        ("royal-racers", "C3", "", None),
        ("royal-tee", "C3", "purple", None),
        ("royal-racers", "C3", "spades", None),
    ],
)
def test_a_label_is_named_by_as_few_words_as_are_clear(game: str, cell: str, typed: str, label: str | None) -> None:
    view = opening(game)
    at = Cell(cell) if cell in view.board else next(iter(view.board))
    if label is not None and game == "royal-racers":
        view = replace(view, board={**view.board, at: label.partition("+")[0]})
    assert label_typed(view, at, typed) == label


def test_words_of_the_language_in_force_are_understood_beside_english_ones() -> None:
    view = opening("royal-ur")
    speak("de")
    try:
        assert label_typed(view, Cell("A3"), "2 schwarz") == label_typed(view, Cell("A3"), "2 black") == "black*2"
    finally:
        speak("en")


@pytest.mark.parametrize("game", GAMES)
def test_every_label_that_is_offered_is_understood(game: str) -> None:
    view = opening(game)
    cell = next(cell for cell in view.board if cell[1:].isdecimal())
    offered = labels_offered(view, cell)
    assert offered
    assert all(label_typed(view, cell, label) is not None for label in offered)
