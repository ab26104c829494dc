"""How much of the program one turn runs through: files, functions and calls.

Before an action was handed on as a value and a change drawn once, a typed die of Territory ran through 70 files and
290 functions in 11,537 calls, its button through 63, 253 and 9,848, a walk before the camera through 72, 371 and 8,931.
It went through 59, 300 and 6,321 while an adaptor handed the calls on and words were looked up for every line.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from random import Random
from types import CodeType, FrameType

import numpy as np
import pytest
from rich.console import Console

from companion.app.line_display import LineDisplay
from companion.app.typed_commands import TypedCommands
from companion.core.messages import FrameRead
from companion.games import GAMES
from companion.shell.devices import Devices, no_devices
from companion.shell.frame_reader import FrameReader, Stillness
from companion.shell.loop import Message, StopLoop
from companion.shell.session import Setup, open_session
from engines.kernel import Seat
from hardware.panel import Button, ButtonPressed, LineTyped
from tests.companion.shell.cameras import PlayedCamera, grey_frames
from tests.companion.shell.clocks import FrameClock
from tests.companion.shell.tables import KeptPanel, ToldReader, lines_on

ROOT = Path(__file__).parents[2]
OURS = tuple(f"{ROOT / package}/" for package in ("companion", "engines", "vision", "hardware"))
RED, GREEN, BLUE = map(Seat, ("red", "green", "blue"))


@dataclass
class Turn:
    """What was called while the loop was busy with one message."""

    message: Message
    calls: Counter[CodeType] = field(default_factory=Counter)

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS) and not code.co_name.startswith("<"):
            self.calls[code] += 1

    @property
    def figures(self) -> tuple[int, int, int]:
        """Return how many files, functions and calls there were."""
        return len({code.co_filename for code in self.calls}), len(self.calls), self.calls.total()


class Traced:
    """Traces the loop's thread, one turn after the other."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def __call__(self, message: Message) -> None:
        """Begin the turn of a message that the loop is about to handle."""
        sys.setprofile(None)
        self.turns.append(Turn(message))
        sys.setprofile(self.turns[-1])


def typed(setup: Setup, messages: Sequence[Message]) -> list[Turn]:
    """Return what the turns of a game run through that is typed."""
    clock, traced = FrameClock(frame_s=0.1), Traced()
    front = TypedCommands(lambda _table: nullcontext(LineDisplay()), now_ns=clock.now_ns)
    opened = open_session(setup, lambda *_any: no_devices(), front, clock=clock, random=Random(1), heard=traced)
    with redirect_stdout(StringIO()), opened as session:
        for message in (*messages, StopLoop()):
            session.loop.inbox.put(message)
        session.loop.run()
        sys.setprofile(None)
    return traced.turns


def before_a_camera(setup: Setup) -> list[Turn]:
    """Return what the frames run through that show a first walk of Royal Tee."""
    game, clock, traced, panel = GAMES["royal-tee"], FrameClock(frame_s=0.1), Traced(), KeptPanel()
    start = game.engine.new(setup.players, {}, 0)
    walked = game.engine.after(start, game.engine.action_from_json({"walk": ["F11"]}))
    frames = [game.placement(start)] * 16 + [game.placement(walked.position)] * 16
    still = Stillness(still=True, hidden=np.zeros(len(game.board().places), bool))

    def equip(*_any: object) -> Devices:
        reader = ToldReader(game.board(), iter(frames))
        eye = FrameReader(
            lambda: PlayedCamera(grey_frames(len(frames), clock)), reader.read, lambda _frame, _pose: still
        )
        return Devices("grey", eye, "kept", panel.opened)

    front = TypedCommands(lines_on(Console(file=StringIO(), width=200)))
    with open_session(setup, equip, front, clock=clock, heard=traced) as session:
        session.loop.run()
        sys.setprofile(None)
    return traced.turns


def territory(path: Path, message: Message) -> Turn:
    turns = typed(Setup("territory", [RED, GREEN, BLUE], path / "journal.sqlite3", seed=3), [message])
    return next(turn for turn in turns if turn.message is message)


def accepted_frame(path: Path) -> Turn:
    turns = before_a_camera(Setup("royal-tee", [RED, GREEN], path / "journal.sqlite3"))
    return max((t for t in turns if isinstance(t.message, FrameRead)), key=lambda turn: len(turn.calls))


@pytest.mark.parametrize(
    ("turn", "files", "functions", "calls"),
    [
        (lambda path: territory(path, LineTyped("3", is_whole=True)), 58, 283, 3100),
        (lambda path: territory(path, ButtonPressed(Button.ROLL, 10**9)), 53, 246, 2250),
        (accepted_frame, 58, 365, 5900),
    ],
    ids=["a typed die", "a die by button", "an accepted frame"],
)
def test_a_turn_runs_through_no_more_than(
    turn: Callable[[Path], Turn], files: int, functions: int, calls: int, tmp_path: Path
) -> None:
    assert all(found <= most for found, most in zip(turn(tmp_path).figures, (files, functions, calls), strict=True))
