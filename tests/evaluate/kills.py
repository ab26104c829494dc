"""`python -m tests.evaluate.kills`: a game stopped, failed or cut from power at each of its writes.

A shim (writes.c, compiled here) sits between the program and the system. For every game and every kind of fault the
whole program, from the events that players cause to what the screen is shown, plays a few actions and reports each that
is on the screen, with the time that is left on a running clock; at write 1, 2, 3 ... the fault comes. After each the
journal must be whole, have every reported action and at most one more, the same time on the clock within a second, and
the game must go on from there. A write that fails (an I/O error, a full disk, a quota, a disk that became read-only)
must be reported on the screen at once and its action not be shown as accepted; if there is room again ("-passing"), all
actions must be played in the end, otherwise the exit code must be 1.

Exit codes: 0 all held, 1 something did not, 2 there is no C compiler.
"""

from __future__ import annotations

import argparse
import os
import queue
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, nullcontext
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

from companion.cli.exits import DONE, FAULT
from companion.core.entries import Played
from companion.core.messages import ActionEntered, Event, Thrown, TimerFired
from companion.core.verdicts import Action
from companion.core.view import View
from companion.games.engines import ENGINES
from companion.games.record import GameRecord, read_record, replay
from companion.shell import session
from companion.shell.config_places import forgetting_words
from companion.shell.devices import no_devices
from companion.shell.effects import ShownView
from companion.shell.errors import JournalError, SetUpError
from companion.shell.journal import Journal
from companion.shell.loop import JOURNAL, Inbox, Message, StopLoop
from companion.shell.session import SessionTable, Setup, open_game, open_session
from engines.kernel import Outcome
from hardware.panel import LineTyped
from tests.companion.shell.clocks import ManualClock

PASSING = "-passing"
FAILURES = ("eio", "enospc", "edquot", "erofs")
KINDS = ("kill", "power", *FAILURES, *(kind + PASSING for kind in FAILURES))
ENDING = ("kill", "power")
"""The kinds that end the program at once; the others fail its writes."""

FAILING_CALLS = 4
"""How many calls fail until there is room again."""

MOST_TRIES = 3 * FAILING_CALLS
"""How often the players watch an action being tried again before they go home."""

ACTIONS = 6
THOUGHT_NS = 2_300_000_000
"""How long the players think about each action."""

MOST_OFF_S = 1.0
ROOT = Path(__file__).parents[2]
WITH_CLOCKS = {"royal-study": "bonus-level-3.txt"}
"""Golden games in which a clock runs from the first action on."""


@cache
def record(game: str) -> GameRecord:
    """Return a golden game in which every action changes what is on the screen."""
    folder = ROOT / "tests/golden" / game / "games"
    paths = [folder / WITH_CLOCKS[game]] if game in WITH_CLOCKS else sorted(folder.glob("*.txt"))
    records = (read_record(path.read_text(encoding="utf-8")) for path in paths)
    return next(record for record in records if _changes(record))


def _changes(record: GameRecord) -> bool:
    outcomes = [ply.outcome for ply in islice(replay(record), ACTIONS)]
    positions = [record.start, *(outcome.position for outcome in outcomes if isinstance(outcome, Outcome))]
    return len(positions) == ACTIONS + 1 and all(one != next_one for one, next_one in pairwise(positions))


def played(game: str) -> Iterator[Action]:
    """Return the first actions of a golden game."""
    for ply in islice(replay(record(game)), ACTIONS):
        if isinstance(ply.outcome, Outcome):
            yield ply.action


class _People:
    """The players who play a golden game's first actions, one after the other; a front and a source of messages."""

    name, language = "screen", ""

    def __init__(self, game: str, clock: ManualClock, meanwhile: Callable[[int, int], None]) -> None:
        self._turns, self._actions, self._clock, self._meanwhile = ENGINES[game].turns, played(game), clock, meanwhile
        self._inbox: Inbox = queue.SimpleQueue()
        self._played, self._shown, self._position = 0, 0, record(game).start
        self._failing: str | None = None
        self._tries = 0

    def source(self, inbox: Inbox) -> _People:
        self._inbox = inbox
        return self

    def display(self, _table: SessionTable) -> AbstractContextManager[_People]:
        return nullcontext(self)

    def interpret(self, _view: View, _line: LineTyped) -> Sequence[Event]:
        return ()

    def cannot_keep(self, _view: View) -> None:
        """Nothing was typed."""

    def start(self) -> None:
        """Nobody has to be waited for."""

    def stop(self) -> None:
        """Nothing is held."""

    def show(self, shown: ShownView) -> None:
        """Report the actions that are on the screen, once each, what is left on the clock, and a journal that fails."""
        view = shown.view
        if view.position != self._position:
            self._shown, self._position = self._shown + 1, view.position
            _report(f"durable {self._shown} {view.remaining_s}")
        if view.failed.get(JOURNAL) != self._failing:
            self._failing = view.failed.get(JOURNAL)
            _report(f"failing {self._failing}")

    def handled(self, message: Message) -> None:
        """Think, and play the next action once the one before is on the screen; go home after many tries."""
        self._tries += isinstance(message, TimerFired) and message.name == JOURNAL
        self._meanwhile(self._shown, self._tries)
        if self._tries == MOST_TRIES:
            self._inbox.put(StopLoop())
        if self._shown == self._played:
            self._play_next()

    def _play_next(self) -> None:
        action = next(self._actions, None)
        self._clock.advance(THOUGHT_NS)
        self._played += 1
        if action is None:
            self._inbox.put(StopLoop())
        else:
            kind = Thrown if isinstance(action, self._turns.dice.kind) else ActionEntered
            self._inbox.put(kind(action, self._clock.now_ns()))


def _report(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def play(game: str, path: Path, meanwhile: Callable[[int, int], None] = lambda _shown, _tries: None) -> int:
    """Play with the whole program but camera and panel, and return its exit code; the shim may end this at any time.

    Args:
        game: its name.
        path: the journal.
        meanwhile: called with how many actions are on the screen, and how often the program tried again to write one.
    """
    clock = ManualClock()
    people = _People(game, clock, meanwhile)
    start = record(game).start
    session.begin = lambda *_any: start
    setup = Setup(game, (), path)
    with open_session(setup, lambda *_any: no_devices(), people, clock=clock) as opened:
        opened.loop.run()
        return FAULT if opened.loop.journal.failing else DONE


def compiled(folder: Path) -> Path:
    """Compile the shim and return where it is.

    Raises:
        FileNotFoundError: there is no C compiler.
    """
    shim = folder / "writes.so"
    source = Path(__file__).with_name("writes.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl"], check=True)
    return shim


def attempt(shim: Path, game: str, kind: str, at: int, folder: Path) -> tuple[int, str | None]:
    """Let the fault come at write `at`, 0 for none; return how many writes there were, and what did not hold."""
    state, count = folder / "state", folder / "count"
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir()
    calls = FAILING_CALLS if kind.endswith(PASSING) else 0
    fault = {"AT": at, "KIND": kind.removesuffix(PASSING), "CALLS": calls, "FOLDER": state, "COUNT": count}
    environment = {**os.environ, "LD_PRELOAD": str(shim), **{f"COMPANION_FAULT_{k}": str(v) for k, v in fault.items()}}
    command = [sys.executable, "-m", "tests.evaluate.kills", "--play", game, str(state / "journal.sqlite3")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    lines = done.stdout.splitlines()
    found = [line.split()[1:] for line in lines if line.startswith("durable")]
    writes = int(count.read_text()) if at == 0 else at
    if at == 0 and len(found) != len(list(played(game))):
        return writes, f"without a fault it played {len(found)} actions: {done.stderr[-500:]}"
    wrong = None if kind in ENDING else not_said(lines, done.returncode, done.stderr, passing=calls > 0)
    return writes, wrong or what_is_wrong(game, state / "journal.sqlite3", found)


def not_said(lines: Sequence[str], code: int, errors: str, *, passing: bool) -> str | None:
    """Return what was wrong with how a game went on whose writes failed, for a while or for good; None for nothing."""
    if code == 1 and not lines and "JournalError" in errors:
        return None  # it was refused at the start, in one sentence
    failing = [line for line in lines if line.startswith("failing")]
    if failing and not passing:
        good = code == 1 and len(failing) == 1 and lines[-1] == failing[0]
    else:
        good = code == 0 and len(lines) - len(failing) == ACTIONS and failing[1:] == ["failing None"] * bool(failing)
    return None if good else f"exit code {code}, on the screen {lines}, errors {errors[-300:]!r}"


def what_is_wrong(game: str, path: Path, found: Sequence[Sequence[str]]) -> str | None:
    """Return what does not hold of a journal, from the actions that were reported: their number and the clock each."""
    expected, durable = [*map(ENGINES[game].game.action_to_json, played(game))], len(found)
    try:
        with closing(Journal(path, ManualClock())) as journal:
            games = list(journal.games())
            told = [one for one in journal.take_notices() if one != forgetting_words(path.parent)]
            left = open_game(journal, Setup(game, (), path, resume=True)).state.progress.remaining_s if games else None
            journal.start_game("after", {})
    except (JournalError, SetUpError) as error:
        return f"it cannot be gone on with: {error}"
    actions = [entry.action for recorded in games for entry in recorded.entries if isinstance(entry, Played)]
    if actions != expected[: len(actions)] or not durable <= len(actions) <= durable + 1:
        return f"{durable} actions were reported, {len(actions)} are there: {actions}"
    if durable and len(actions) == durable and not _same_time(found[-1][1], left):
        return f"{found[-1][1]} s were left on the clock, then {left}"
    return f"taken for damaged: {told[0]}" if told else None


def _same_time(shown: str, left_s: float | None) -> bool:
    """Return whether a clock has the time that was shown, in whole seconds rounded up."""
    if shown == "None" or left_s is None:
        return shown == str(left_s)
    return abs(float(shown) - left_s) <= MOST_OFF_S


def main(arguments: Sequence[str] | None = None) -> int:
    """Try every game with every fault at every write, or at every that many."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.kills", description=__doc__)
    parser.add_argument("--play", nargs=2, metavar=("GAME", "JOURNAL"), help="play in a journal: what is ended")
    parser.add_argument("--games", nargs="+", default=list(ENGINES), choices=list(ENGINES), help="by default all")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th write")
    args = parser.parse_args(arguments)
    if args.play:
        return play(args.play[0], Path(args.play[1]))
    if shutil.which("cc") is None:
        sys.stderr.write("tests.evaluate.kills: there is no C compiler: sudo apt install gcc libc6-dev\n")
        return 2
    tried = wrong = 0
    with tempfile.TemporaryDirectory(prefix="companion-kills-") as folder:
        for game in args.games:
            faults, not_held = _try_game(Path(folder), game, args.every)
            tried, wrong = tried + faults, wrong + not_held
            sys.stdout.write(f"{game}: {faults} faults, {not_held} did not hold\n")
            sys.stdout.flush()
    sys.stdout.write(f"{tried} faults in {len(args.games)} games, {wrong} did not hold\n")
    return int(wrong > 0)


def _try_game(folder: Path, game: str, every: int) -> tuple[int, int]:
    """Try every fault in a game, and print each that did not hold; return how many there were, and did not hold."""
    shim = compiled(folder)

    def try_fault(fault: tuple[str, int]) -> bool:
        kind, at = fault
        with tempfile.TemporaryDirectory(dir=folder) as own:
            _writes, what = attempt(shim, game, kind, at, Path(own))
        if what:
            sys.stdout.write(f"{game}, {kind} at write {at} of {writes}: {what}\n")
            sys.stdout.flush()
        return what is not None

    writes, _what = attempt(shim, game, "kill", 0, folder)
    faults = [(kind, at) for kind in KINDS for at in range(1, writes + 1, every)]
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        return len(faults), sum(workers.map(try_fault, faults))


if __name__ == "__main__":
    sys.exit(main())
