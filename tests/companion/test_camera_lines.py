"""The lines beside a camera, for pipes and screen readers: nothing is repeated that has not changed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import RenderableType

from companion.app.evening import _front
from companion.app.line_display import LineDisplay
from companion.core.display import view as view_of
from companion.core.state import new_state
from companion.core.verdicts import Refused, Waiting
from companion.core.view import View
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.shell.effects import ShownView
from companion.shell.session import screen_display
from companion.ui.console import SafeConsole
from engines.kernel import Cell, Seat
from tests.companion.shell.clocks import ManualClock

ENGINE = ENGINES["royal-ur"]
OPENING = ENGINE.game.new([Seat("white"), Seat("black")], ENGINE.turns.options, 4)
THROWN = OPENING
for roll in ("roll 2", "roll 1", "roll 3"):
    THROWN = ENGINE.game.after(THROWN, ENGINE.notation.read_action(roll)).position
VIEW = replace(view_of(new_state(GAMES["royal-ur"], OPENING)), waiting=None)
OTHER = replace(view_of(new_state(GAMES["royal-ur"], THROWN)), waiting=None)
MOVES = Waiting("moving")
DOUBT = "I can't see E3 well. Straighten what stands there, and take your hands away."


def doubtful(view: View) -> View:
    return replace(view, doubt=(Cell("E3"),))


def refused(view: View) -> View:
    return replace(view, verdict=Refused("not-as-asked", "", 1.0, (Cell("E3"),)))


def written(*views: View, draws: bool = False) -> list[str]:
    lines: list[str] = []

    def say(*parts: RenderableType) -> int:
        lines.extend(line for part in parts for line in str(part).splitlines())
        return len(parts)

    display = LineDisplay(draws=draws, say=say)
    for view in views:
        display.show(ShownView(view))
    return lines


def test_a_doubt_that_comes_and_goes_is_written_once_a_turn() -> None:
    looks = [VIEW, doubtful(VIEW), replace(VIEW), doubtful(VIEW), replace(VIEW)]
    assert written(*looks).count(DOUBT) == 1
    assert written(*looks, OTHER, doubtful(OTHER)).count(DOUBT) == 2
    assert written(doubtful(VIEW), doubtful(OTHER)).count(DOUBT) == 1, "it has not gone in between"


def test_a_refusal_is_written_again_only_after_hands_were_over_the_table() -> None:
    untouched = written(refused(VIEW), replace(VIEW), refused(VIEW))
    touched = written(refused(VIEW), replace(VIEW), replace(VIEW, waiting=MOVES), refused(VIEW))
    numbers = [sum("another move than" in line for line in lines) for lines in (untouched, touched)]
    assert numbers == [1, 2]


def test_points_and_turn_are_written_when_they_change() -> None:
    scored = replace(VIEW, score={Seat("white"): 1, Seat("black"): 0})
    lines = written(VIEW, replace(VIEW), scored)
    assert [line[:9] for line in lines if "Black" in line] == ["w White 0", "w White 1"]
    assert sum("throw the three dice" in line for line in lines) == 1


def test_the_clock_is_written_with_a_new_turn_and_near_its_end_even_where_a_second_was_missed() -> None:
    left = [replace(VIEW, remaining_s=seconds) for seconds in (60, 59, 31, 29, 28, 10, 9)]
    lines = written(VIEW, *left, replace(OTHER, remaining_s=9))
    assert [line[-10:] for line in lines if "Clock" in line] == ["Clock 0:29", "Clock 0:10", "Clock 0:09"]


@pytest.mark.parametrize("draws", [True, False])
def test_the_board_and_what_is_possible_stand_with_each_new_turn_on_a_terminal(draws: bool) -> None:
    moved = replace(OTHER, board={**OTHER.board, Cell("E3"): "white"}, choices=(), shown=None, buttons={})
    seen = [VIEW, replace(VIEW, board=moved.board), moved]
    lines = written(*seen, draws=draws)
    assert sum(line.startswith("   A ") for line in lines) == 2 * draws
    assert any(line.startswith("1: ") for line in lines) == draws


@pytest.mark.parametrize(
    ("terminal", "term", "plain", "full"),
    [
        (True, "xterm", False, True),
        (True, "xterm", True, False),
        (True, "dumb", False, False),
        (False, "", False, False),
    ],
)
def test_a_terminal_that_can_be_redrawn_has_the_screen_and_others_lines(
    terminal: bool, term: str, plain: bool, full: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    devices = SimpleNamespace(sees=True)
    plan: Any = SimpleNamespace(voice=None, plain=plain, devices=devices, clock=ManualClock())
    opened: Any = _front(plan, SafeConsole(terminal=terminal), None)._open_writer
    assert (opened.func is screen_display) == full
