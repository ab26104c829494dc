from __future__ import annotations

from dataclasses import replace
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from companion.core.display import view as view_of
from companion.core.state import new_state
from companion.games import GAMES
from companion.shell.effects import ShownView
from companion.shell.session import screen_display
from companion.ui.board_text import CellMarks
from companion.ui.layout import PageView, device_words, key_words
from companion.ui.page import Page
from engines.kernel import Seat
from tests.companion.languages import spoken
from vision.board import shipped_board

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


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (200, 60)])
def test_everything_is_on_the_screen_and_reported_without_colour(width: int, height: int) -> None:
    lines = _drawn(PAGE, width, height)
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    for word in (
        PAGE.turn,
        PAGE.message,
        *PAGE.notes,
        *PAGE.lamps.values(),
        KEYS,
        DEVICES,
        "■■■□□□□□□ 3",
    ):
        assert word in text
    for seat, score in PAGE.scores.items():
        assert any(seat in line and str(score) in line for line in lines)
    for sign in ("r!", "·+", "·?", "R ", "G "):
        assert sign in text


def test_the_keys_are_set_closer_and_then_on_two_lines_where_there_is_no_room() -> None:
    assert KEYS.replace("   ", "  ") in "\n".join(_drawn(PAGE, len(KEYS) - 1, 40))
    assert KEYS.replace("   ", " ") in "\n".join(_drawn(PAGE, len(KEYS) - 6, 40))
    narrow = [line.strip() for line in _drawn(PAGE, len(KEYS) - 10, 40)]
    assert narrow[-2:] == ["d done   b back   r roll   m mode", "ctrl-c ends"]


def test_a_game_without_a_slider_shows_none() -> None:
    assert "■" not in "\n".join(_drawn(replace(PAGE, slider=None), 80, 24))


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
    with spoken("de"):
        assert not lasting() & english
