"""The plain lines for pipes and screen readers: nothing is repeated that has not changed."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

from rich.console import Console

from companion.ui.page import ExtraDrawing, Extras, Page
from companion.ui.screen import PlainScreen
from companion.ui.words import something_moves
from vision.board import shipped_board

_PAGE = Page(message="Ready.", turn="Red moves.", scores={"red": 0}, names={"red": "Red"})
_DOUBT = ("I can't see E3 well. Straighten what stands there, and take your hands away.",)
_REFUSED = "Red moved too far."


def _written(*pages: Page) -> list[str]:
    text = StringIO()
    screen = PlainScreen(Console(file=text, width=100, force_terminal=False))
    for page in pages:
        screen.show(page)
    return text.getvalue().splitlines()


def test_lines_are_broken_at_words_on_a_terminal_and_whole_in_a_pipe() -> None:
    page = replace(_PAGE, message="White moved a counter from E3 to A3. The rosette lets White enter a counter.")
    for terminal in (True, False):
        text = StringIO()
        PlainScreen(Console(file=text, width=60, force_terminal=terminal, color_system=None)).show(page)
        assert (page.message in text.getvalue()) != terminal
        assert page.message in text.getvalue().replace("\n", " ").replace("  ", " ")


def test_a_doubt_that_comes_and_goes_is_written_once() -> None:
    doubtful = replace(_PAGE, notes=_DOUBT)
    lines = _written(_PAGE, doubtful, _PAGE, doubtful, _PAGE, doubtful)
    assert lines.count(_DOUBT[0]) == 1


def test_a_doubt_is_written_again_after_it_had_gone_in_another_turn() -> None:
    doubtful, other = replace(_PAGE, notes=_DOUBT), replace(_PAGE, turn="Blue moves.")
    lines = _written(doubtful, other, replace(other, notes=_DOUBT))
    assert lines.count(_DOUBT[0]) == 2


def test_what_is_left_to_do_is_not_repeated_in_the_next_turn() -> None:
    left = ("Put a white piece on F4.",)
    lines = _written(replace(_PAGE, notes=left), replace(_PAGE, notes=left, turn="Blue moves."))
    assert lines.count(left[0]) == 1


def test_a_refusal_is_written_again_only_after_hands_were_over_the_table() -> None:
    refused = replace(_PAGE, message=_REFUSED)
    untouched = _written(refused, _PAGE, refused)
    touched = _written(refused, _PAGE, replace(_PAGE, activity=something_moves()), refused)
    assert (untouched.count(_REFUSED), touched.count(_REFUSED)) == (1, 2)


def test_score_and_turn_are_written_when_they_change() -> None:
    other = replace(_PAGE, scores={"red": 1})
    assert _written(_PAGE, _PAGE, other) == ["Ready.", "Red 0", "Red moves.", "Red 1"]


def test_the_clock_is_written_with_a_new_turn_and_near_its_end_even_where_a_second_was_missed() -> None:
    left = [replace(_PAGE, remaining_s=seconds) for seconds in (60, 59, 31, 29, 28, 10, 9)]
    assert _written(_PAGE, *left, replace(left[-1], turn="Blue moves."))[3:] == [
        "Clock 0:29",
        "Clock 0:10",
        "Blue moves.",
        "Clock 0:09",
    ]
    assert _written(_PAGE, replace(left[0], answer=("Card 5",)))[3:] == ["Card 5", "Clock 1:00"]


def test_a_card_is_drawn_once_and_again_when_it_is_another() -> None:
    one, other = (replace(_PAGE, extras=Extras(drawings=(ExtraDrawing("Card", (row,)),))) for row in ("·R·", "Q··"))
    lines = _written(one, replace(one, turn="Blue moves."), other)
    assert [line for line in lines if line in ("Card", "·R·", "Q··")] == ["Card", "·R·", "Card", "Q··"]


def test_the_board_and_what_is_possible_stand_with_each_new_turn_on_a_terminal() -> None:
    text = StringIO()
    screen = PlainScreen(Console(file=text, width=80, color_system=None), shipped_board("royal-ur"))
    page = replace(_PAGE, labels={"E3": "white"}, possible=("1: E3 to D3",))
    for turn in ("White moves.", "White moves.", "White moves on."):
        screen.show(replace(page, turn=turn))
    screen.show(replace(page, labels={"D3": "white"}, turn="Black moves.", possible=()))
    written = text.getvalue()
    assert (written.count("   A "), written.count("1: E3 to D3")) == (2, 2)
