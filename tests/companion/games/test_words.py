from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.display import view
from companion.core.state import new_state
from companion.core.verdicts import (
    Confirmed,
    PendingPlacement,
    Position,
    Refused,
    TookBack,
    Unchanged,
    Unclear,
    Verdict,
    Waiting,
)
from companion.core.view import View
from companion.games import GAMES
from companion.games.speech import SPEECHES
from companion.ui.phrases import cells_list
from companion.ui.words import standing_words, todo_words, verdict_words, waiting_words
from engines.kernel import Cell, Event, Seat
from tests.companion.core.tables import act
from tests.companion.games.looks import new_game

RED = Seat("red")
CELLS = (Cell("E4"), Cell("E5"))
TODO = (PendingPlacement(Cell("F5"), "red", "empty"), PendingPlacement(Cell("F6"), "red", "green"))
TEE = GAMES["royal-tee"]
WORDS = SPEECHES["royal-tee"].words
WALK = act(TEE, walk=["F11", "E11"])
PASSED = (Event("passed", {"player": "red"}),)
EVENTS = (Event("walked"), Event("enclosed", {"cells": ["F5", "F6"]}))


def shown(verdict: Verdict | None = None, waiting: Waiting | None = None) -> View:
    return replace(view(new_state(TEE, Position(new_game("red", "green")))), verdict=verdict, waiting=waiting)


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        (Confirmed(RED, WALK, 1.0), "Red walked 2 steps to E11."),
        (Confirmed(RED, act(TEE, walk=["F11"]), 1.0), "Red walked 1 step to F11."),
        (Confirmed(RED, WALK, 1.0, EVENTS), "Red walked 2 steps to E11 and enclosed 2 spaces: F5, F6."),
        (Confirmed(RED, WALK, 1.0, (), TODO), "Red walked 2 steps to E11. Put red tees on F5 and F6."),
        (
            Confirmed(RED, act(TEE, **{"pass": True}), 1.0, PASSED),
            "Red had no free space beside the Royal Tee and passed.",
        ),
        (
            Refused("extra-tee", "3.1", 1.0, CELLS, {"player": RED}),
            "Red's tees are on E4, E5, where the walk did not go. (rule 3.1)",
        ),
        (
            Refused("extra-tee", "3.1", 1.0, CELLS[:1], {"player": RED}),
            "Red's tee is on E4, where the walk did not go. (rule 3.1)",
        ),
        (Refused("never-heard-of", "", 1.0, CELLS), "The rules do not explain what has changed on E4, E5."),
        (Refused("never-heard-of", "", 1.0), "The rules do not explain how the table looks now."),
        (
            Unclear("ambiguous", CELLS, (WALK, WALK)),
            "Several moves look like this. Straighten what stands on E4 and E5, or choose the move.",
        ),
        (
            Unclear("ambiguous", CELLS, (WALK,)),
            "I can't see E4 and E5 well. Straighten what stands there, and take your hands away.",
        ),
        (Unclear("ambiguous"), "Several moves leave the table like this. Choose the one that was played."),
        (Unclear("hand", CELLS), "I can't see E4 and E5. Is a hand there?"),
        (Unchanged(1.0), "The table is as it should be."),
        (TookBack(RED), "Taken back: the game goes on as it was."),
        (TookBack(RED, TODO), "Taken back: the game goes on as it was. Put red tees on F5 and F6."),
        (None, "Ready."),
    ],
)
def test_every_verdict_has_its_sentence(verdict: Verdict | None, sentence: str) -> None:
    assert verdict_words(shown(verdict), WORDS) == sentence


def test_before_the_first_verdict_what_is_waited_for_is_reported() -> None:
    assert verdict_words(shown(waiting=Waiting("blind-dark")), WORDS) == "It is too dark to see. Switch on a light."


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("blind-no-colour", "The picture's colours are missing or exchanged. Is the camera set to colour?"),
        ("set-up", "The table is not yet as the game stands."),
    ],
)
def test_a_table_that_is_seen_is_not_called_unseen(code: str, sentence: str) -> None:
    assert waiting_words(Waiting(code)) == sentence


@pytest.mark.parametrize("code", ["blind-unreadable-file", "something-new"])
def test_whatever_is_waited_for_has_words(code: str) -> None:
    assert waiting_words(Waiting(code)) == "I can't see the table."


def test_long_lists_of_cells_are_cut() -> None:
    assert cells_list([f"A{n}" for n in range(1, 12)]) == "A1, A2, A3, A4, A5, A6, A7, A8 and 3 more"


def test_each_kind_of_piece_to_put_has_its_sentence() -> None:
    todo = (*TODO, PendingPlacement(Cell("A1"), "empty", "red"))
    assert todo_words(todo, WORDS) == "Put red tees on F5 and F6. Clear A1."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "Turn: Red (Red 1, Green 1)"),
        ({"to_act": "dice"}, "Turn: the dice (Red 1, Green 1)"),
        ({"over": True, "leaders": (RED, Seat("green"))}, "Winners: Red and Green (Red 1, Green 1)"),
        ({"over": True, "leaders": (RED,)}, "Winner: Red (Red 1, Green 1)"),
    ],
)
def test_the_standing_says_whose_turn_it_is_or_who_has_won(change: dict[str, object], sentence: str) -> None:
    assert standing_words(replace(shown(), **change)) == sentence  # type: ignore[arg-type] # fields by name
