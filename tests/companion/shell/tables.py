"""A table without pictures: an eye that is given the placement, look by look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console, RenderableType

from companion.app.evening import lines_display
from companion.app.line_display import LineDisplay
from companion.app.typed_commands import TypedCommands
from companion.core.hypothesis import Rules
from companion.shell.devices import Devices
from companion.shell.frame_reader import FrameReader, Stillness
from companion.shell.session import SessionTable, Setup, open_session
from engines.kernel import Cell, Seat
from hardware.panel import ButtonPressed, Enqueue, LineTyped, Panel, Signal, Tally
from tests.companion.shell.cameras import PlayedCamera, grey_frames
from tests.companion.shell.clocks import FrameClock
from tests.companion.shell.seen import observation
from tests.narrow import there
from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Lens, Pose
from vision.recognition.reader import Reading

OVER_THE_TABLE = Pose.from_matrix(
    Lens(120.0, (48.0, 48.0)), np.array([(1, 0, 0), (0, 1, 0), (0, 0, -1)], dtype=float), (228.0, 228.0, 700.0)
)

Placement = Mapping[Cell, str]


class ToldReader:
    """Reads nothing: it is given one placement a look."""

    def __init__(self, board: Board, placements: Iterator[Placement]) -> None:
        self._board = board
        self._placements = placements

    def read(self, _image_bgr: ImageBgr) -> Reading:
        return Reading(self._board.game, observation(self._board, next(self._placements)), OVER_THE_TABLE)


class KeptPanel(Panel):
    """A panel of four lamps that keeps the signals in order, apart from what it shows."""

    def __init__(self) -> None:
        super().__init__(4)
        self.signals: list[Signal | Tally] = []
        self.enqueue: Enqueue = lambda _press: None
        self.closed = False

    def opened(self, enqueue: Enqueue) -> Panel:
        self.enqueue = enqueue
        return self

    def press(self, press: ButtonPressed) -> None:
        self.enqueue(press)

    def buzz(self, signal: Signal | Tally) -> None:
        self.signals.append(signal)

    def close(self) -> None:
        self.closed = True


@dataclass(frozen=True)
class Evening:
    """What was seen of a game from outside: the lines on the screen, the panel, what the table said in the end."""

    said: str
    panel: KeptPanel
    score: Mapping[Seat, int]
    over: bool
    pictures: tuple[Path, ...]


def lines_on(console: Console) -> Callable[[SessionTable], AbstractContextManager[LineDisplay]]:
    """Open the display of lines on a console."""

    def say(*parts: RenderableType) -> int:
        for part in parts:
            console.print(part, markup=False, highlight=False)
        return len(parts)

    return partial(lines_display, say=say)


def play(
    setup: Setup,
    placements: Iterable[Placement] | None = None,
    *,
    looks_each: int = 16,
    typed: Iterable[str] = (),
    panel: KeptPanel | None = None,
    failures: Iterable[Exception] = (),
) -> Evening:
    """Play at a table where these placements lie one after the other; None: nothing is ever moved.

    Lines are typed on the panel's keyboard when the game begins. The camera fails in the middle, if at all.
    """
    clock, panel, console = FrameClock(frame_s=0.1), panel or KeptPanel(), Console(file=StringIO(), width=200)

    def equip(game: Rules, position: Any) -> Devices:
        lying = list(placements) if placements is not None else [game.placement(position)]
        frames = [placement for placement in lying for _look in range(looks_each)]
        nothing_moves = Stillness(still=True, hidden=np.zeros(len(game.board().places), bool))
        taken = grey_frames(len(frames), clock)
        camera = PlayedCamera(chain(islice(taken, len(frames) // 2), failures, taken))
        eye = FrameReader(
            lambda: camera,
            ToldReader(game.board(), iter(frames)).read,
            lambda _frame, _pose: nothing_moves,
        )
        return Devices("grey", eye, "kept", panel.opened)

    front = TypedCommands(lines_on(console), now_ns=clock.now_ns)
    with console.capture() as said, open_session(setup, equip, front, clock=clock) as table:
        for line in typed:
            panel.enqueue(LineTyped("", is_whole=False, at_ns=0))
            panel.enqueue(LineTyped(line, is_whole=True, at_ns=0))
        table.loop.run()
    view = there(table.runner.view)
    return Evening(said.get(), panel, view.score, view.over, tuple(table.runner.pictures))
