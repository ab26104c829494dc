from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, ConsoleDimensions
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from companion.app.output import write_text
from companion.core.display import view as view_of
from companion.core.state import new_state
from companion.core.verdicts import Mode, PendingPlacement, Refused, Unchanged, Waiting
from companion.core.view import View
from companion.games import GAMES
from companion.games.rulebook import rule_lines
from companion.games.speech import SPEECHES
from companion.locale import speaking, translated
from companion.shell.effects import ShownView
from companion.shell.session import screen_display
from companion.ui.board_text import CellMarks, board_text, brightness, letter, unlike_initials
from companion.ui.console import SafeConsole, printable
from companion.ui.layout import PageView, device_words, key_words
from companion.ui.page import Page, page_of
from engines.kernel import Cell, Seat
from engines.sentence import Sentence
from hardware.panel import Rhythm
from tests.companion.languages import LANGUAGES, TRANSLATED
from tests.companion.shell.fakes import GREEN, RED, a_view
from vision.board import shipped_board, shipped_games
from vision.errors import CameraError

VIEW = replace(a_view(), verdict=Unchanged())
C3, D4 = Cell("C3"), Cell("D4")


def _page(view: View) -> Page:
    lamps = {RED: Rhythm.TURN, GREEN: Rhythm.OFF}
    return page_of(view, SPEECHES["royal-tee"].words, prompt="Red: walk.", lamps=lamps)


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


def test_a_camera_that_fails_says_so_in_the_language_of_each_display() -> None:
    sentence = Sentence("{camera} gave no picture within {seconds:g} s; is it still plugged in?")
    failed = replace(VIEW, failed={"camera": str(CameraError(sentence.format(camera="webcam 0", seconds=5)))})
    assert _page(failed).notes[-1].endswith("webcam 0 gave no picture within 5 s; is it still plugged in?")
    with speaking("de"):
        assert (
            _page(failed)
            .notes[-1]
            .endswith("webcam 0 hat innerhalb von 5 s kein Bild geliefert; ist sie noch angeschlossen?")
        )


@pytest.mark.parametrize(("slider", "slider_by_hand"), [(3, 3), (3, None), (0, 5)])
def test_a_slider_that_is_right_or_not_in_the_game_is_no_note(slider: int, slider_by_hand: int | None) -> None:
    assert _page(replace(VIEW, slider=slider, slider_by_hand=slider_by_hand)).notes == ()


def test_what_passes_by_itself_is_no_note() -> None:
    page = _page(replace(VIEW, waiting=Waiting("settling")))
    assert (page.notes, page.activity) == ((), "Looking ...")


def test_cells_that_differ_or_are_refused_are_marked_before_those_to_place_and_in_doubt() -> None:
    refused = Refused("extra-tee", "3.1", (C3,), {"player": "red"})
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


BOARD = shipped_board("royal-tee")
DEVICES, KEYS = "camera: simulated, panel: desk", "d done   b back   r roll   m mode   ctrl-c ends"
PAGE = Page(
    labels=dict.fromkeys(BOARD.cells, "empty") | {"F12": "red-royal", "G1": "green-royal", "C3": "red"},
    marks=CellMarks(wrong={"C3"}, to_place={"D4"}, doubt={"E5"}),
    turn="red to move",
    slider=3,
    message="Not accepted: C3 does not belong to this walk.",
    scores={"red": 31, "blue": 22, "green": 18, "yellow": 9},
    lamps={"red": "wrong: three flashes", "green": "off"},
    notes=("The camera cannot see E5.",),
)


def _drawn(page: Page, width: int, height: int) -> list[str]:
    console = Console(file=StringIO(), width=width, height=height, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(PageView(page, BOARD, DEVICES, KEYS), height=height)
    return capture.get().rstrip("\n").split("\n")


def test_the_keys_are_set_closer_and_then_on_two_lines_where_there_is_no_room() -> None:
    assert KEYS.replace("   ", "  ") in "\n".join(_drawn(PAGE, len(KEYS) - 1, 40))
    assert KEYS.replace("   ", " ") in "\n".join(_drawn(PAGE, len(KEYS) - 6, 40))
    narrow = [line.strip() for line in _drawn(PAGE, len(KEYS) - 10, 40)]
    assert narrow[-2:] == ["d done   b back   r roll   m mode", "ctrl-c ends"]


def test_the_title_keeps_apart_from_the_devices_where_they_do_not_fit() -> None:
    title = "Royal Tee"
    assert _drawn(replace(PAGE, title=title), len(title) + len(DEVICES) - 5, 40)[0] == f"{title}  {DEVICES[:-8]}…"


def test_on_a_terminal_the_screen_is_taken_and_given_back() -> None:
    output = StringIO()
    console = Console(file=output, force_terminal=True, width=80, height=24, _environ={"TERM": "xterm-256color"})
    adaptor = GAMES["royal-tee"]
    view = view_of(new_state(adaptor, adaptor.engine.new([Seat("red"), Seat("green")], {}, 0)))
    devices = SimpleNamespace(camera="simulated", panel="gpio", caption=str)
    table: Any = SimpleNamespace(panel=None, devices=devices, game=SimpleNamespace(adaptor=adaptor, hint=""))
    with screen_display(table, console) as screen:
        screen.show(ShownView(view))
        drawn = len(output.getvalue())
        screen.show(ShownView(view))
        assert len(output.getvalue()) == drawn, "the same page is not drawn again"
    assert output.getvalue().startswith("\x1b[?1049h")
    assert "\x1b[?1049l" in output.getvalue()


def test_what_stays_on_the_screen_is_in_the_language_that_people_choose_meanwhile() -> None:
    def lasting() -> set[str]:
        keys = {key_words(typed=typed, asks=asks) for typed in (True, False) for asks in (True, False)}
        return {device_words("simulated", None), *keys}

    english = lasting()
    with speaking("de"):
        assert not lasting() & english


# ---- what comes from outside cannot move a terminal's cursor, whatever it is printed in


SEQUENCE = "\x1b]0;owned\x07\x1b[2J\r\x9b31m\u202egniht"


def _in_a_table(text: str) -> Table:
    table = Table("name")
    table.add_row(text)
    return table


@pytest.mark.parametrize("shown", [str, Text, Panel, _in_a_table], ids=["str", "Text", "Panel", "Table"])
@pytest.mark.parametrize("terminal", [False, True])
def test_control_characters_are_shown_as_question_marks(shown: type, terminal: bool) -> None:
    console = SafeConsole(file=StringIO(), terminal=terminal)
    with console.capture() as written:
        console.print(shown(SEQUENCE), style="bold")
    text = written.get()
    assert "owned" in text
    for own in ("\x1b[1m", "\x1b[0m"):
        text = text.replace(own, "")
    assert text.replace("\n", "").isprintable()


@pytest.mark.parametrize("shown", [str, Text, Panel, _in_a_table], ids=["str", "Text", "Panel", "Table"])
def test_no_line_begins_with_a_mark_that_french_has_a_space_before(shown: type) -> None:
    sentence = "Vas-tu relancer le dé ? Un autre lancer échoue dans 36 % des « cas » ; options map=nine-by-eight ; fin."
    for width in range(30, 60):
        console = SafeConsole(file=StringIO(), terminal=False)
        console.size = ConsoleDimensions(width, 30)
        with console.capture() as written:
            console.print(shown(sentence))
        lines = [line.strip("│ ") for line in written.get().split("\n")]
        assert sentence in " ".join(lines)
        assert not [line for line in lines if line[:1] in {"?", ";", "%", "»"} or line[-1:] == "«"], lines


@given(st.text())
def test_what_is_printable_has_no_control_character_and_keeps_its_length(text: str) -> None:
    shown = printable(text)
    assert len(shown) == len(text)
    assert printable(shown) == shown
    assert all(
        c in "\n " or not c.isspace() or c in "\u00a0\u202f\u2007\u3000\u1680\u205f" or "\u2000" <= c <= "\u200a"
        for c in shown
    )


def test_french_spaces_and_letters_of_all_languages_stay() -> None:
    assert printable("Prêt\u202f: « déjà\u00a0» ■ ñ ü\n") == "Prêt\u202f: « déjà\u00a0» ■ ñ ü\n"


def test_a_reader_that_has_gone_is_an_exception() -> None:
    class Closed(StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        SafeConsole(file=Closed()).print("anything")


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_sentences_are_broken_at_words_on_a_terminal_and_left_whole_for_a_file(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = " ".join(rule_lines("royal-racers", "3.5"))
    monkeypatch.setenv("COLUMNS", str(columns))
    with monkeypatch.context() as terminal:
        terminal.setattr("sys.stdout.isatty", lambda: True)
        terminal.setenv("TERM", "xterm")
        write_text(sentence)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns
    assert " ".join(line.strip() for line in lines) == sentence
    write_text(sentence)
    assert capsys.readouterr().out.splitlines() == [sentence]


ROYAL_TEE = shipped_board("royal-tee")


@pytest.mark.parametrize(
    ("game", "labels", "expected"),
    [
        ("royal-tee", ("empty", "red", "blue", "red-royal", "yellow-royal"), ("·", "r", "b", "R", "Y")),
        ("territory", ("blue", "black", "purple", "white"), ("b", "k", "p", "w")),
        ("royal-ur", ("white", "white*2", "black*7"), ("w", "w2", "k7")),
        ("royal-study", ("king", "knight"), ("K", "N")),
        ("royal-racers", ("7-hearts", "back+pawn-moons", "covered+flag-suns+pawn-crowns"), ("7♥", "[]+m", "Fs+c")),
    ],
)
def test_every_piece_card_and_stack_has_a_short_sign_of_its_own_without_colour(
    game: str, labels: Sequence[str], expected: Sequence[str]
) -> None:
    assert [letter(shipped_board(game), label) for label in labels] == [*expected]


def test_letters_that_are_no_initials_are_reported() -> None:
    board = shipped_board("territory")
    assert unlike_initials(board, ["black", "red", "empty"]) == {"k": "black"}
    assert unlike_initials(board, ["red", "empty"]) == {}


@pytest.mark.parametrize("language", TRANSLATED)
def test_letters_are_of_the_words_of_the_language_and_no_two_alike(language: str) -> None:
    with speaking(language):
        for board in map(shipped_board, shipped_games()):
            letters = {place.colour: letter(board, place.colour) for place in board.seats_and_saved}
            assert len({*letters.values()}) == len(letters), board.game
            assert all(own in translated(colour).lower() for colour, own in letters.items()), letters


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_colour_has_the_same_letter_at_every_table(language: str) -> None:
    letters: dict[str, set[str]] = {}
    with speaking(language):
        for board in map(shipped_board, shipped_games()):
            for place in board.seats_and_saved:
                letters.setdefault(place.colour, set()).add(letter(board, place.colour))
    assert all(len(own) == 1 for own in letters.values()), letters


def test_pieces_have_the_letters_that_chess_players_of_the_language_know() -> None:
    pieces, drawn = ("king", "queen", "rook", "bishop", "knight"), {}
    for language in LANGUAGES:
        with speaking(language):
            drawn[language] = "".join(letter(shipped_board("royal-study"), piece) for piece in pieces)
    expected = {"en": "KQRBN", "de": "KDTLS", "fr": "RDTFC", "es": "RDTAC", "it": "RDTAC", "nl": "KDTLP"}
    assert drawn == expected


@pytest.mark.parametrize(
    ("marks", "sign"),
    [
        (CellMarks(), " "),
        (CellMarks(doubt={"B1"}), "?"),
        (CellMarks(doubt={"B1"}, to_place={"B1"}), "+"),
        (CellMarks(doubt={"B1"}, to_place={"B1"}, wrong={"B1"}), "!"),
        (CellMarks(wrong={"A1"}), " "),
    ],
    ids=str,
)
def test_the_most_pressing_sign_stands_beside_the_letter(marks: CellMarks, sign: str) -> None:
    top, row, *_rest = board_text(ROYAL_TEE, {"B1": "red"}, marks).plain.split("\n")
    assert row[top.index("B") :][:2] == f"r{sign}"


@pytest.mark.parametrize("game", shipped_games())
def test_every_table_can_be_drawn_with_all_its_labels(game: str) -> None:
    board = shipped_board(game)
    words = board.label_words
    labels = {cell: words[i % len(words)] for i, cell in enumerate(board.cells)}
    lines = board_text(board, labels).plain.split("\n")
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == board.grid.rows + 1


@pytest.mark.parametrize(
    ("rgb", "expected"), [((0, 0, 0), 0), ((255, 255, 255), 255), ((255, 255, 0), 226), ((0, 0, 255), 29)]
)
def test_yellow_is_bright_and_blue_is_dark(rgb: tuple[int, int, int], expected: int) -> None:
    assert round(brightness(rgb)) == expected
