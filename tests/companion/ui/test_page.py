from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.verdicts import Mode, PendingPlacement, Refused, Unchanged, Waiting
from companion.core.view import View
from companion.games.speech import SPEECHES
from companion.ui.page import Page, clock_words, page_of, rhythm_meanings
from engines.kernel import Cell
from hardware.panel import Rhythm
from tests.companion.shell.fakes import GREEN, RED, a_view

VIEW = replace(a_view(), verdict=Unchanged(0.99))
C3, D4 = Cell("C3"), Cell("D4")


def _page(view: View) -> Page:
    lamps = {RED: Rhythm.TURN, GREEN: Rhythm.OFF}
    return page_of(view, SPEECHES["royal-tee"].words, prompt="Red: walk.", lamps=lamps)


def test_the_page_reports_turn_score_slider_and_lamps() -> None:
    page = _page(VIEW)
    assert (page.turn, page.slider, page.scores) == ("Red: walk.", 3, {"red": 2, "green": 1})
    assert page.lamps == {"red": "your turn", "green": ""}
    assert page.notes == ()


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({"failed": {"camera": "it is unplugged"}}, "The camera does not work: it is unplugged"),
        ({"out_of_step": (PendingPlacement(C3, "empty", "red"),)}, "C3 should be empty."),
        ({"todo": (PendingPlacement(C3, "red", "empty"),)}, "Put the red tee on C3."),
        ({"doubt": (D4,)}, "I can't see D4 well. Straighten what stands there, and take your hands away."),
        ({"waiting": Waiting("hand", (C3,))}, "I can't see C3. Is a hand there?"),
        ({"slider_by_hand": 5}, "Your slider stands at 5: set it to 3."),
        ({"mode": Mode.ON_DONE}, "Moves are judged when DONE is pressed."),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_somebody_has_to_know_is_a_note(change: dict[str, object], note: str) -> None:
    assert _page(replace(VIEW, **change)).notes[-1] == note  # type: ignore[arg-type] # the table's columns are of many types


@pytest.mark.parametrize(("slider", "slider_by_hand"), [(3, 3), (3, None), (0, 5)])
def test_a_slider_that_is_right_or_not_in_the_game_is_no_note(slider: int, slider_by_hand: int | None) -> None:
    assert _page(replace(VIEW, slider=slider, slider_by_hand=slider_by_hand)).notes == ()


def test_what_passes_by_itself_is_no_note() -> None:
    page = _page(replace(VIEW, waiting=Waiting("settling")))
    assert (page.notes, page.activity) == ((), "Looking ...")


def test_cells_that_differ_or_are_refused_are_marked_before_those_to_place_and_in_doubt() -> None:
    refused = Refused("extra-tee", "3.1", 0.99, (C3,), {"player": "red"})
    marks = _page(
        replace(
            VIEW,
            verdict=refused,
            out_of_step=(PendingPlacement(D4, "red", "empty"),),
            todo=(PendingPlacement(C3, "red", "empty"),),
            doubt=(D4,),
        )
    ).marks
    assert (marks.sign("C3"), marks.sign("D4"), marks.sign("E5")) == ("!", "!", " ")


def test_remarks_come_last() -> None:
    view = replace(VIEW, slider_by_hand=5)
    page = page_of(view, SPEECHES["royal-tee"].words, lamps={}, remarks=["", "red plays"])
    assert page.notes == ("Your slider stands at 5: set it to 3.", "red plays")


def test_what_is_out_of_step_is_named_square_by_square_and_shown_as_it_is_seen() -> None:
    swapped = (PendingPlacement(C3, "empty", "red"), PendingPlacement(D4, "red", "empty"))
    page = _page(replace(VIEW, out_of_step=swapped))
    assert page.notes == ("The table does not agree with the game:", "C3: the red tee belongs on D4.")
    assert page.labels["C3"] == "red"


def test_the_end_names_the_winner_in_large_letters() -> None:
    page = _page(replace(VIEW, to_act=None, over=True))
    assert (page.banner, page.turn) == ("Red", "The winner is Red. The game is over.")
    page = _page(replace(VIEW, to_act=None, over=True, leaders=(RED, GREEN)))
    assert page.turn == "The winners are Red and Green. The game is over."


def test_the_clock_shows_minutes_and_seconds() -> None:
    assert clock_words(_page(replace(VIEW, remaining_s=62)).remaining_s) == "Clock 1:02"


def test_every_rhythm_of_a_lamp_has_words_of_its_own() -> None:
    words = [rhythm_meanings()[rhythm] for rhythm in Rhythm if rhythm not in (Rhythm.OFF, Rhythm.STEADY)]
    assert all(words)
    assert len(set(words)) == len(words)
