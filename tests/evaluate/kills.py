"""`python -m tests.evaluate.kills`: a game stopped, failed or cut from power at each of its writes.

A shim (writes.c, compiled here) sits between the program and the system. For every game and every kind of fault the
program plays a few actions in a journal and reports each that is durable; at write 1, 2, 3 ... the fault comes. After
each the journal must be whole, have every reported action and at most one more, and take a further one.

Exit codes: 0 all held, 1 something did not, 2 there is no C compiler.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from companion.core.entries import Played
from companion.games.engines import ENGINES
from companion.games.record import Record, read_record, replay
from companion.shell.clock import ManualClock
from companion.shell.errors import JournalError
from companion.shell.game_log import GameLog
from companion.shell.journal import Journal
from engines.kernel import JsonObject, Outcome

KINDS = ("kill", "eio", "enospc", "power")
ACTIONS = 6
ROOT = Path(__file__).parents[2]


def record(game: str) -> Record:
    """Return a golden game."""
    path = sorted((ROOT / "tests/golden" / game / "games").glob("*.txt"))[0]
    return read_record(path.read_text(encoding="utf-8"))


def played(game: str) -> Iterator[tuple[JsonObject, Any]]:
    """Return the first actions of a golden game in JSON's form, and the position after each."""
    engine = ENGINES[game].game
    for ply in islice(replay(record(game)), ACTIONS):
        if isinstance(ply.outcome, Outcome):
            yield engine.action_to_json(ply.action), ply.outcome.position


def play(game: str, path: Path) -> None:
    """Play in a journal and write a line for each action that is durable; the shim may end this at any time."""
    engine = ENGINES[game].game
    journal = Journal(path, ManualClock())
    log: GameLog[Any] = GameLog(
        journal,
        game,
        engine.position_to_json(record(game).start),
        position=engine.position_to_json,
        scores=engine.score,
    )
    position = record(game).start
    for action, position in played(game):
        log.record([Played(action, ())], position)
        sys.stdout.write("durable\n")
        sys.stdout.flush()
    log.finish(position)
    sys.stdout.write("finished\n")
    journal.close()


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
    fault = {"AT": str(at), "KIND": kind, "FOLDER": str(state), "COUNT": str(count)}
    environment = {**os.environ, "LD_PRELOAD": str(shim), **{f"COMPANION_FAULT_{k}": v for k, v in fault.items()}}
    command = [sys.executable, "-m", "tests.evaluate.kills", "--play", game, str(state / "journal.sqlite3")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    lines = done.stdout.split()
    writes = int(count.read_text()) if at == 0 else at
    return writes, _what_is_wrong(game, state / "journal.sqlite3", lines.count("durable"), "finished" in lines)


def _what_is_wrong(game: str, path: Path, durable: int, finished: bool) -> str | None:
    expected = [action for action, _position in played(game)]
    try:
        with closing(Journal(path, ManualClock())) as journal:
            games = list(journal.games())
            notices = journal.notices
            journal.start_game("after", {})
    except JournalError as error:
        return f"it cannot be opened any more: {error}"
    actions = [entry.action for recorded in games for entry in recorded.entries if isinstance(entry, Played)]
    if actions != expected[: len(actions)] or not durable <= len(actions) <= durable + 1:
        return f"{durable} actions were reported, {len(actions)} are there: {actions}"
    if finished and games[0].scores is None:
        return "the end was reported, and is not there"
    return f"taken for damaged: {notices[0]}" if notices else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Try every game with every fault at every write, or at every so many."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.kills", description=__doc__)
    parser.add_argument("--play", nargs=2, metavar=("GAME", "JOURNAL"), help="play in a journal: what is ended")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th write")
    args = parser.parse_args(arguments)
    if args.play:
        play(args.play[0], Path(args.play[1]))
        return 0
    if shutil.which("cc") is None:
        sys.stderr.write("tests.evaluate.kills: there is no C compiler: sudo apt install gcc libc6-dev\n")
        return 2
    with tempfile.TemporaryDirectory(prefix="companion-kills-") as folder:
        wrong, tried = _tried(Path(folder), args.every)
    for line in wrong:
        sys.stdout.write(line + "\n")
    sys.stdout.write(f"{tried} faults in {len(ENGINES)} games, {len(wrong)} did not hold\n")
    return int(bool(wrong))


def _tried(folder: Path, every: int) -> tuple[list[str], int]:
    shim, wrong, tried = compiled(folder), [], 0
    for game in ENGINES:
        writes, _none = attempt(shim, game, "kill", 0, folder)
        for kind in KINDS:
            for at in range(1, writes + 1, every):
                tried += 1
                _writes, said = attempt(shim, game, kind, at, folder)
                if said:
                    wrong.append(f"{game}, {kind} at write {at} of {writes}: {said}")
    return wrong, tried


if __name__ == "__main__":
    sys.exit(main())
