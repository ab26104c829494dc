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
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.core.state import State, new_state
from companion.core.step import step
from companion.core.values import Began, Confirmed, Picture, Recalled, Rhythm, Signal, View
from companion.games import GAMES
from companion.shell.clock import ManualClock
from companion.shell.journal import GameLog, Journal
from companion.shell.loop import Inbox, Loop
from companion.shell.perform import Performer
from companion.shell.timers import Timers
from engines.kernel import Outcome, Seat
from tests.companion.shell.seen import looks

ADAPTOR = GAMES["royal-tee"]
ENGINE = ADAPTOR.engine


def announce(*words: object) -> None:
    """Write a line past all buffers: once written, somebody may have read it."""
    try:
        os.write(1, (json.dumps(words) + "\n").encode())
    except BrokenPipeError:
        sys.exit("whoever wanted to know has gone")


class Announcer:
    """Screen, lamps and camera of nobody's: they only say what they were told."""

    def show(self, view: View, _lamps: Mapping[Seat, Rhythm], _pictures: Sequence[Path]) -> None:
        if isinstance(view.verdict, Confirmed):
            announce("shown", view.verdict.action)

    def lamp(self, seat: Seat, rhythm: Rhythm) -> None:
        """Lamps repeat what the screen says."""

    def slider(self, steps: int) -> None:
        """So does the slider bar."""

    def buzz(self, signal: Signal) -> None:
        announce("buzz", signal.value)

    def keep(self, _kind: Picture, _view: View) -> None:
        return None


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
    log: GameLog[State] = GameLog(
        journal,
        ADAPTOR.name,
        ENGINE.position_to_json(state.position),
        position=lambda state: ENGINE.position_to_json(state.position),
        scores=lambda state: ENGINE.score(state.position),
        number=number,
    )
    inbox: Inbox = queue.SimpleQueue()
    timers, clock, announcer = Timers(), ManualClock(), Announcer()
    perform = Performer(
        log=log,
        display=announcer,
        lights=announcer,
        keep_picture=announcer.keep,
        timers=timers,
        clock=clock,
        inbox=inbox,
    )
    return Loop(state, step=step, perform=perform, inbox=inbox, timers=timers, clock=clock)


def play_on(loop: Loop[State], rng: random.Random) -> None:
    """Play until the game is over, each action put on the table and looked at until it is accepted."""
    at_ns = 0
    while not loop.state.over:
        before = loop.state.position
        outcome = ENGINE.play(before, rng.choice(ENGINE.actions(before)))
        assert isinstance(outcome, Outcome)
        for look in looks(ADAPTOR.board(), ADAPTOR.placement(outcome.position), at_ns):
            loop.handle(look)
            at_ns = look.at_ns
            if loop.state.position != before:
                break


def main(path: Path, seed: int) -> None:
    journal = Journal(path, ManualClock())
    loop = table(journal)
    loop.handle(Began(0))
    announce("ready")
    play_on(loop, random.Random(seed))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
