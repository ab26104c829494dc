"""The keyboard desk on pipes and on a real pseudo-terminal."""

from __future__ import annotations

import io
import os
import pty
import queue
import sys
import termios
import time
from collections.abc import Iterator
from typing import BinaryIO

import pytest

from hardware.desk import DeskPanel, KeyReader
from hardware.errors import PanelError
from hardware.panel import Button, ButtonPressed, KeyPressed, LineTyped, PanelInput, SliderMoved

R, D, B, M = Button.ROLL, Button.DONE, Button.BACK, Button.MODE


@pytest.fixture
def terminal() -> Iterator[tuple[int, BinaryIO]]:
    """The outer end, on which a person types, and the end that the program reads."""
    outer_fd, inner_fd = pty.openpty()
    with os.fdopen(inner_fd, "rb", buffering=0) as inner:
        yield outer_fd, inner
    os.close(outer_fd)


@pytest.mark.parametrize(
    ("typed", "heard"),
    [
        ("rdbm", [R, D, B, M]),
        ("RD", [R, D]),
        ("xyz \n\t", []),
        ("\x1b[A\x1b[B\x1b[C\x1b[D", []),
        ("\x1bOD\x1b[1;5Dr", [R]),
        ("\x1b", []),
        ("\x1ar", [R]),
        ("é r", [R]),
    ],
)
def test_keys_stand_for_buttons_and_arrows_for_none(typed: str, heard: list[Button]) -> None:
    assert KeyReader().read(typed, 7) == [ButtonPressed(button, 7) for button in heard]


def test_digits_set_the_slider_and_two_keys_hold_a_button() -> None:
    assert KeyReader().read("40", 7) == [SliderMoved(4, 7), SliderMoved(0, 7)]
    assert KeyReader().read("pa", 7) == [ButtonPressed(M, 7, held=True), ButtonPressed(B, 7, held=True)]


def test_where_people_ask_digits_and_signs_are_keys_of_a_pad_and_letters_stay_buttons() -> None:
    keys = KeyReader(asks=True).read("4,+\rd", 7)
    assert keys == [*(KeyPressed(key, 7) for key in ("4", ".", "+", "enter")), ButtonPressed(D, 7)]


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("/cell E3 red\n", "cell E3 red"),
        ("/bb\x7f\r", "b"),
        ("/\x1b[Dn\u00e4he\n", "n\u00e4he"),
        ("/hint\x15", ""),
        (f"/{'n' * 300}\n", "n" * 200),
        ("/\x7f", ""),
    ],
)
def test_after_a_slash_keys_are_letters_until_the_line_is_entered_or_dropped(typed: str, line: str) -> None:
    keys = KeyReader()
    *begun, whole = keys.read(typed, 7)
    assert whole == LineTyped(line, True, 7)
    assert all(isinstance(heard, LineTyped) and not heard.is_whole for heard in begun)
    assert keys.read("b", 8) == [ButtonPressed(B, 8)]


def test_escape_alone_drops_a_line() -> None:
    keys = KeyReader()
    keys.read("/hi", 7)
    assert keys.read("\x1b", 8) == [LineTyped("", True, 8)]


def test_single_keys_arrive_from_a_terminal_without_enter(terminal: tuple[int, BinaryIO]) -> None:
    outer_fd, inner = terminal
    heard: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
    with DeskPanel(heard.put, keys=inner, clock_ns=lambda: 42) as desk:
        assert desk.is_terminal
        os.write(outer_fd, b"r")
        assert heard.get(timeout=10) == ButtonPressed(R, 42)
        os.write(outer_fd, b"d")
        assert heard.get(timeout=10) == ButtonPressed(D, 42)


def test_the_terminal_is_left_as_it_was_found_even_after_an_exception(terminal: tuple[int, BinaryIO]) -> None:
    _, inner = terminal
    before = termios.tcgetattr(inner)
    with pytest.raises(ZeroDivisionError), DeskPanel(lambda _: None, keys=inner):
        during = termios.tcgetattr(inner)
        assert during != before
        assert during[6][termios.VSUSP] == b"\0", "a shell that continued a stopped program would leave the echo on"
        raise ZeroDivisionError
    assert termios.tcgetattr(inner) == before


def test_a_pipe_is_read_to_its_end_and_the_desk_says_that_it_is_no_terminal() -> None:
    heard: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
    read_fd, write_fd = os.pipe()
    with os.fdopen(read_fd, "rb") as pipe, DeskPanel(heard.put, keys=pipe) as desk:
        assert not desk.is_terminal
        os.write(write_fd, b"r\nd\n")
        os.close(write_fd)
        events = [heard.get(timeout=10) for _ in range(2)]
    assert [event.button for event in events if isinstance(event, ButtonPressed)] == [R, D]


def test_of_keys_without_end_only_some_are_delivered_at_once() -> None:
    read_fd, write_fd = os.pipe()
    heard: list[PanelInput] = []
    os.write(write_fd, b"b" * 20_000)
    with os.fdopen(read_fd, "rb") as keys, DeskPanel(heard.append, keys=keys):
        time.sleep(0.3)
        delivered = len(heard)
    os.close(write_fd)
    assert 0 < delivered <= 2_000


@pytest.mark.parametrize("stdin", [None, io.StringIO("r")])
def test_without_an_input_that_has_keys_the_desk_says_so(
    monkeypatch: pytest.MonkeyPatch, stdin: io.StringIO | None
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(PanelError, match="needs a standard input"):
        DeskPanel(lambda _: None)
