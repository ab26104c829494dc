"""What listeners are told: everything that is new, nothing twice, in words that can be heard."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.display import view as view_of
from companion.core.messages import ActionEntered, DeviceFailed, Event, Thrown
from companion.core.state import State
from companion.core.step import step
from companion.core.verdicts import Action, Confirmed, Refused, Unclear, Wanted
from companion.core.view import View
from companion.games import GAMES
from companion.games.captions import page_for
from companion.locale import speaking
from companion.ui.hearing import MOST_WORDS, Announcer, Utterance, breaths, for_the_ear, spelled
from engines.kernel import Cell
from hardware.panel import Button, ButtonPressed
from tests.companion.core.tables import begun
from tests.companion.languages import LANGUAGES

TEE, UR = GAMES["royal-tee"], GAMES["royal-ur"]
CELLS = ("B4", "E10", "F12")


def stepped(state: State, event: Event) -> State:
    return step(state, event)[0]


def heard(announcer: Announcer, view: View) -> list[Utterance]:
    return announcer.news(view, page_for(view, GAMES[view.game].board(), lamps={}))


def texts(announcer: Announcer, view: View) -> str:
    return " ".join(utterance.text for utterance in heard(announcer, view))


def walk(*cells: str) -> ActionEntered:
    return ActionEntered(Action(TEE.engine.action_from_json({"walk": [*cells]})), 5)


def test_a_move_is_followed_by_the_score_and_whose_turn_it_is_and_said_once() -> None:
    announcer, state = Announcer(), begun("royal-tee")
    assert "Red" in texts(announcer, view_of(state))
    state = stepped(state, walk("F11"))
    said = heard(announcer, view_of(state))
    assert "F11" in said[0].text
    assert (said[0].interrupts, said[0].stays) == (True, True)
    assert ["2" in said[1].text, said[-1].text.startswith("Green")] == [True, True]
    assert heard(announcer, view_of(state)) == []


def test_a_refusal_says_what_it_is_first_and_no_paragraph_and_is_not_repeated_while_nobody_acts() -> None:
    announcer, state = Announcer(), begun("royal-tee")
    heard(announcer, view_of(state))
    refused = stepped(state, walk("F11", "F10"))
    said = heard(announcer, view_of(refused))
    assert isinstance(refused.verdict, Refused)
    assert said[0].text.startswith("No: ")
    assert "rule" not in said[0].text
    assert said[0].interrupts
    assert not said[0].stays
    again = replace(refused, verdict=replace(refused.verdict))
    assert heard(announcer, view_of(again)) == []


def test_the_same_throw_twice_is_said_twice() -> None:
    announcer, state = Announcer(), begun("royal-ur")
    heard(announcer, view_of(state))
    roll = Thrown(Action(UR.engine.action_from_json({"roll": 0})), 9)
    first = stepped(state, roll)
    assert isinstance(first.verdict, Confirmed)
    said = texts(announcer, view_of(first))
    assert said
    second = replace(first, verdict=replace(first.verdict))
    assert texts(announcer, view_of(second)) == said


def test_who_sees_the_table_is_told_refusals_throws_faults_and_the_clock_but_no_moves_and_turns() -> None:
    announcer, state = Announcer(Wanted.MATTERS), begun("royal-tee")
    assert heard(announcer, view_of(state)) == []
    moved = stepped(state, walk("F11"))
    assert heard(announcer, view_of(moved)) == []
    assert texts(announcer, view_of(stepped(moved, walk("G2", "G3")))).startswith("No: ")
    failed = stepped(moved, DeviceFailed("camera", "gone"))
    assert "gone" in texts(announcer, view_of(failed))
    ur = begun("royal-ur")
    announcer = Announcer(Wanted.MATTERS)
    heard(announcer, view_of(ur))
    thrown = stepped(ur, Thrown(Action(UR.engine.action_from_json({"roll": 2})), 9))
    assert "2" in texts(announcer, view_of(thrown))


def test_the_clock_is_said_at_half_a_minute_and_at_ten_seconds() -> None:
    announcer, view = Announcer(), view_of(begun("royal-tee"))
    said = [texts(announcer, replace(view, remaining_s=left)) for left in (40, 31, 30, 29, 11, 10, 9, 0)]
    assert [bool(text) for text in said[1:]] == [False, True, False, False, True, False, False]
    assert "30" in said[2]
    assert "10" in said[5]


def test_an_unclear_table_is_not_called_a_fault() -> None:
    announcer, state = Announcer(), begun("royal-tee")
    heard(announcer, view_of(state))
    unclear = replace(state, verdict=Unclear("ambiguous", (Cell("F11"),)))
    assert texts(announcer, view_of(unclear)).startswith("Not sure: ")


def test_a_pause_is_said_and_whose_turn_it_is_when_play_goes_on() -> None:
    announcer, view = Announcer(), view_of(begun("royal-tee"))
    turn = heard(announcer, view)[-1].text
    assert texts(announcer, replace(view, paused=True)) == "Play is paused; the clocks stand still."
    assert texts(announcer, view) == turn


def test_the_choice_that_done_plays_is_said_when_mode_steps_to_it() -> None:
    announcer, state = Announcer(), begun("royal-study")
    heard(announcer, view_of(state))
    stepped_on = stepped(state, ButtonPressed(Button.MODE, 3))
    assert "DONE" in texts(announcer, view_of(stepped_on))


@pytest.mark.parametrize(
    ("language", "shown", "said"),
    [
        (
            "en",
            "Red walked 2 steps from F12 to E10 (B4).",
            "Red walked two steps from Foxtrot twelve to Echo ten, Bravo four.",
        ),
        ("de", "Rot geht 1 Schritt nach B4.", "Rot geht einen Schritt nach Berta vier."),
        ("en", "Type the spaces (B4 ...), or the end.", "Type the spaces, Bravo four, or the end."),
        ("fr", "Rouge occupe 1 case, B4.", "Rouge occupe une case, Berthe quatre."),
        ("it", "Manca 1 casella.", "Manca una casella."),
        ("de", "Runde 1 von 8, noch 1 freier Wurf.", "Runde eins von acht, noch ein freier Wurf."),
        ("es", "Ronda 1 de 8, 1 paso.", "Ronda uno de ocho, un paso."),
        ("es", "21 casillas, 21 puntos, 31 cartas.", "veintiuna casillas, veintiún puntos, treinta y una cartas."),
        ("fr", "21 cases, 11 points, 81 pièces.", "vingt et une cases, onze points, quatre-vingt-une pièces."),
        ("en", "*, then 2.", "star, then two."),
        ("en", "Anna A1 has Z9, 3.5 and 14.", "Anna A1 has Z9, 3.5 and fourteen."),
        ("en", "7 + 11 = 18", "seven, eleven = eighteen"),
    ],
)
def test_cells_are_spelled_and_numbers_are_words(language: str, shown: str, said: str) -> None:
    with speaking(language):
        assert for_the_ear(shown, CELLS) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_letter_has_a_word_of_its_own_that_begins_with_it(language: str) -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    with speaking(language):
        words = [spelled(letter) for letter in letters]
    assert [word[0] for word in words] == [*letters]
    assert all(len(word) > 1 for word in words)


def test_no_breath_is_too_long_and_none_is_lost() -> None:
    text = "The first one is short. " + ", ".join(f"cell {number} is empty" for number in range(9)) + " and so on " * 9
    parts = [*breaths(text)]
    assert " ".join(parts).split() == text.split()
    assert max(len(part.split()) for part in parts) <= MOST_WORDS
    assert parts[0] == "The first one is short."
