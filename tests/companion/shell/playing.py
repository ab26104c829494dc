"""A program for tests to kill: plays on in a journal, for ever, and says on standard output what was announced.

One line for each thing that a person could have noticed: the actions on the screen and the accepting buzz.
Imports no OpenCV, so that it starts quickly.
"""

from __future__ import annotations

import json
import os
import queue
import random
import sys
from pathlib import Path
from typing import Any

from companion.core.messages import Began, Recalled
from companion.core.state import State, new_state
from companion.core.step import step
from companion.core.verdicts import Confirmed, Verdict
from companion.games import GAMES
from companion.shell.archive import GameLog
from companion.shell.clock import Timers
from companion.shell.effects import EffectRunner, ShownView
from companion.shell.journal import Journal
from companion.shell.loop import Inbox, Loop
from engines.kernel import Outcome, Seat
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.seen import looks
from vision.board import cell_column_row, cell_name

ADAPTOR = GAMES["royal-tee"]
ENGINE = ADAPTOR.engine


def announce(*words: object) -> None:
    """Write a line past all buffers: once written, somebody may have read it."""
    try:
        os.write(1, (json.dumps(words) + "\n").encode())
    except BrokenPipeError:
        sys.exit("the reader has gone")


class Announcer:
    """A display that only records what it was given."""

    name, language = "screen", ""

    def __init__(self) -> None:
        self._last: Verdict | None = None

    def show(self, shown: ShownView) -> None:
        verdict = shown.view.verdict
        if isinstance(verdict, Confirmed) and verdict is not self._last:
            announce("shown", ADAPTOR.engine.action_to_json(verdict.action))
        self._last = verdict
        if shown.lit.signal is not None:
            announce("buzz", shown.lit.signal.value)


def recalled(journal: Journal) -> tuple[State, int | None]:
    """Give the state that the journal's game was left in, or a new one."""
    game = journal.unfinished()
    if game is None:
        return new_state(ADAPTOR, ENGINE.new([Seat("red"), Seat("green")], {}, 0)), None
    state = new_state(ADAPTOR, ENGINE.position_from_json(game.opening))
    for entry in game.entries:
        state, _effects = step(state, Recalled(entry))
    return state, game.number


def table(journal: Journal) -> Loop[State]:
    state, number = recalled(journal)
    log = GameLog(journal, ADAPTOR.name, ENGINE.position_to_json(state.position), number)
    inbox: Inbox = queue.SimpleQueue()
    timers, clock, announcer = Timers(), ManualClock(), Announcer()
    perform = EffectRunner(
        displays=[announcer],
        keep_picture=lambda _kind, _view: None,
        timers=timers,
        clock=clock,
        inbox=inbox,
    )
    return Loop(state, step=step, record=log.record, perform=perform, inbox=inbox, timers=timers, clock=clock)


def play_on(loop: Loop[State], rng: random.Random) -> None:
    """Play until the game is over, each action put on the table and looked at until it is accepted."""
    at_ns = 0
    while not loop.state.over:
        before = loop.state.position
        for look in looks(ADAPTOR.board(), ADAPTOR.placement(random_outcome(before, rng)), at_ns):
            loop.handle(look)
            at_ns = look.at_ns
            if loop.state.position != before:
                break


def random_outcome(position: Any, rng: random.Random) -> Any:
    """Walk at random until a walk is legal and shows; listing all walks of nine would take long.

    To and fro over one's own spaces leaves the table as it was: that would need the button "done".
    """
    lies = ADAPTOR.placement(position)
    royal = {label: cell for cell, label in lies.items()}[f"{ENGINE.to_act(position)}-royal"]
    while True:
        column_row, walk = cell_column_row(royal), []
        for _step in range(ADAPTOR.bar(position)):
            column_row = rng.choice(beside(*column_row))
            walk.append(cell_name(*column_row))
        outcome = ENGINE.play(position, ENGINE.action_from_json({"walk": walk}))
        if isinstance(outcome, Outcome) and ADAPTOR.placement(outcome.position) != lies:
            return outcome.position


def beside(column: int, row: int) -> list[tuple[int, int]]:
    around = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
    return [(x, y) for x, y in around if 0 <= x < 12 and 0 <= y < 12]


def main(path: Path, seed: int) -> None:
    journal = Journal(path, ManualClock())
    loop = table(journal)
    loop.handle(Began(0))
    announce("ready")
    play_on(loop, random.Random(seed))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
