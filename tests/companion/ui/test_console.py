"""What comes from outside cannot move a terminal's cursor, whatever it is printed in."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import ConsoleDimensions
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from companion.app.output import write_text
from companion.games.rulebook import rule_lines
from companion.ui.console import SafeConsole, printable

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
