"""`python -m tests.evaluate.privacy`: what the program writes and connects to while no picture may be kept.

Commands run under strace, which sees every system call, whichever library makes it: a game on the simulated table with
a refusal and an end, readings of photographs, and a game with a camera in the network. The files that they write must
be the journal's, and the only connection that to the camera.

`--audited FILE COMMAND...` runs one command with Python's audit hook instead and writes the events to a file: that is
what the gate does, which must not ask for strace.

Exit codes: 0 all held, 1 something did not, 2 there is no strace.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.games import SIMULATED
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.hands import Pace
from companion.simulator.outside import OutsideTable, Program
from companion.simulator.table import Plan
from engines.kernel import Seat

ROOT = Path(__file__).parents[2]
PHOTOGRAPH = ROOT / "tests/recorded/royal-tee/easy-31.jpg"
SIGNATURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"RIFF", b"II*\x00", b"MM\x00*", b"P6\n", b"BM")
_AUDITED = (sys.executable, "-m", "tests.evaluate.privacy", "--audited")
CONNECTING = {"socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"}
STARTING = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"}
JOURNAL = re.compile(r"\.sqlite3(-journal|-wal|-shm|\.lock|\.copy\.gz|\.copy\.gz\..*)?$")
MOST_S = 120.0
"""How long a camera waits to be asked: a busy machine may take a minute to start the program."""

LISTENS_S = 5.0
"""How long the program is traced after it has asked."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a command did: files that it opened to write, what it connected to, programs that it started."""

    written: list[str] = field(default_factory=list)
    connected: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)

    def faults(self, allowed: Sequence[str] = ()) -> list[str]:
        """Return what it must not have done; it may connect to the addresses that are `allowed`."""
        return [
            *(f"wrote {path}" for path in self.written if not _harmless(path)),
            *(f"connected to {address}" for address in self.connected if address not in allowed),
            *(f"started {program}" for program in self.started),
        ]


def _harmless(path: str) -> bool:
    """Return whether a file is the journal's, a device, a pipe, or a file without a name for a decoder's messages."""
    return path.startswith(("/dev/", "/proc/self/")) or bool(JOURNAL.search(path))


def images_in(folder: Path) -> list[Path]:
    """Return the files of a folder that contain the beginning of an image anywhere in the first 100,000 bytes."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and _has_image(path)]


def _has_image(path: Path) -> bool:
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    return content.startswith(SIGNATURES) or any(mark in content[:100_000] for mark in SIGNATURES[:2])


def surroundings(folder: Path, **variables: str) -> Mapping[str, str]:
    """Return an environment in which all usual places to write are below a folder."""
    places = {name: str(folder) for name in ("HOME", "TMPDIR", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    return {**os.environ, **places, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT), **variables}


def play(folder: Path, *command: str, **variables: str) -> None:
    """Let simulated people play beside the program that a command starts; they cheat, which is a picture to be kept."""
    behaviour = PlayerBehaviour(think_s=0.0, tricks={1: next(iter(SIMULATED["royal-tee"].cheats))}, turns=2)
    plan = Plan(1, behaviour, Pace(reach_s=0.3, piece_s=0.02), size_wh=(1024, 768))
    seats, journal = (Seat("red"), Seat("green")), folder / "royal-tee.sqlite3"
    program = Program("royal-tee", seats, journal, surroundings=surroundings(folder, **variables), command=command)
    OutsideTable(plan, frame_s=0.6).play(program)


# ---- by Python's audit hook


def audited_game(folder: Path, **variables: str) -> Trace:
    """Play a game beside a program with the audit hook and return what that did."""
    play(folder, *_AUDITED, str(events := _events_of(folder)), **variables)
    return _trace(events)


def audited(command: Sequence[str], folder: Path, **variables: str) -> Trace:
    """Run a command with the audit hook and return what it did."""
    events = _events_of(folder)
    subprocess.run(
        [*_AUDITED, str(events), *command],
        cwd=folder, env=surroundings(folder, **variables), capture_output=True, check=True, timeout=300,
    )  # fmt: skip
    return _trace(events)


def _events_of(folder: Path) -> Path:
    return folder.parent / f"{folder.name}.events"


def _trace(events: Path) -> Trace:
    """Read what the audit hook has written."""
    trace = Trace()
    for line in events.read_text(encoding="utf-8").splitlines():
        kind, what = json.loads(line)
        {"write": trace.written, "connect": trace.connected, "start": trace.started}[kind].append(what)
    return trace


def run_audited(events: Path, command: Sequence[str]) -> int:
    """Run a command in this process and write what it does to a file."""
    log = os.open(events, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def hook(event: str, details: tuple[Any, ...]) -> None:
        found = _seen(event, details)
        if found is not None:
            os.write(log, (json.dumps(found) + "\n").encode())

    sys.addaudithook(hook)
    import cv2  # noqa: PLC0415 - after the hook

    written = cv2.imwrite

    def imwrite(path: str, *rest: Any) -> bool:
        hook("open", (path, "w", os.O_WRONLY))
        return written(path, *rest)

    cv2.imwrite = imwrite  # type: ignore[assignment] # its overloads are not repeated here
    from companion.cli import main as companion  # noqa: PLC0415 - after the hook

    return companion(command)


def _seen(event: str, details: tuple[Any, ...]) -> tuple[str, str] | None:
    if event == "open":
        path, mode, flags = details
        writes = any(letter in (mode or "") for letter in "wax+") or bool((flags or 0) & (os.O_WRONLY | os.O_RDWR))
        unnamed = bool((flags or 0) & getattr(os, "O_TMPFILE", 0) & ~os.O_DIRECTORY)
        return ("write", os.fsdecode(path)) if writes and not unnamed and isinstance(path, str | bytes) else None
    if event in CONNECTING and not _is_the_table(details):
        return "connect", repr(details[1:])
    return ("start", repr(details[:1])) if event in STARTING else None


def _is_the_table(details: tuple[Any, ...]) -> bool:
    """Return whether a connection is the one to the simulated table, which is a file."""
    return len(details) > 1 and isinstance(details[1], str) and Path(details[1]).name == "table"


# ---- by strace

_CALLS = "open,openat,creat,rename,renameat,renameat2,link,linkat,connect,sendto,execve,mknod,mknodat"
_OPENED = re.compile(r'(?:open|openat|creat)\((?:[^"]*)"([^"]*)", ?([A-Z_|]+)[^)]*\) += (\d+)')
_RENAMED = re.compile(r'(?:rename|renameat|renameat2|link|linkat)\(.*"([^"]*)"[^"]*\) += 0')
_CONNECTED = re.compile(r"(?:connect|sendto)\(.*sa_family=(AF_INET6?), (.*?)}")
_STARTED = re.compile(r'execve\("([^"]*)".*\) += 0')


def strace_of(
    command: Sequence[str], folder: Path, *, until: Callable[[], object] | None = None, **variables: str
) -> Trace:
    """Run a command under strace and return what it did; it is ended `LISTENS_S` after `until` has returned."""
    with subprocess.Popen(
        [*_traced(log := folder.parent / f"{folder.name}.strace"), *command],
        cwd=folder, env=surroundings(folder, **variables), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            if until is not None:
                until()
            process.wait(None if until is None else LISTENS_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
    return parsed(log.read_text(encoding="utf-8", errors="replace"))


def _traced(log: Path) -> list[str]:
    """Return how the program is started under strace, which lets signals through to it."""
    traced = ["strace", "-D", "-f", "-qq", "-y", "-s", "300", "-e", f"trace={_CALLS}", "-o", str(log)]
    return [*traced, sys.executable, "-m", "companion"]


def parsed(log: str) -> Trace:
    """Return what strace has written down; the first program that was started is the command itself."""
    trace = Trace()
    for line in log.splitlines():
        if (opened := _OPENED.search(line)) and re.search(r"O_(WRONLY|RDWR|CREAT)", opened[2]):
            if "O_TMPFILE" not in opened[2]:
                trace.written.append(opened[1])
        elif renamed := _RENAMED.search(line):
            trace.written.append(renamed[1])
        elif connected := _CONNECTED.search(line):
            trace.connected.append(connected[2])
        elif started := _STARTED.search(line):
            trace.started.append(started[1])
    del trace.started[:1]
    return trace


def _checks(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Return each thing that was tried, and what did not hold."""
    for name, pictures in (("storing is off", "false"), ("storing is on", "true")):
        place = _made(folder / name.replace(" ", "-"))
        play(place, *_traced(log := folder / f"{place.name}.strace"), COMPANION_PICTURES=pictures)
        faults = parsed(log.read_text(encoding="utf-8", errors="replace")).faults()
        if pictures == "false":
            yield f"a game while {name}", [*faults, *(f"image in {path}" for path in images_in(place))]
        else:
            yield f"the trace while {name}", [] if faults else ["it has seen no picture"]
    for command in ("read", "score"):
        place = _made(folder / command)
        yield f"companion {command}", strace_of([command, str(PHOTOGRAPH)], place).faults()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port, place = listening.getsockname()[1], _made(folder / "camera")
        url = f"stream:http://127.0.0.1:{port}/video"
        words = ["play", "royal-tee", "--camera", url, "--journal", str(place / "journal.sqlite3")]
        trace = strace_of(
            words, place, until=lambda: select.select([listening], [], [], MOST_S), COMPANION_PICTURES="false"
        )
        camera = f'sin_port=htons({port}), sin_addr=inet_addr("127.0.0.1")'
        yield "a camera in the network", trace.faults([camera]) or ([] if trace.connected else ["it was not asked"])


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Try everything, and print what did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.privacy", description=__doc__)
    parser.add_argument("--audited", nargs=argparse.REMAINDER, metavar="FILE", help="run one command and trace it")
    args = parser.parse_args(arguments)
    if args.audited:
        return run_audited(Path(args.audited[0]), args.audited[1:])
    if shutil.which("strace") is None:
        sys.stderr.write("tests.evaluate.privacy: there is no strace: sudo apt install strace\n")
        return 2
    held = True
    with tempfile.TemporaryDirectory(prefix="companion-privacy-") as folder:
        for what, faults in _checks(Path(folder)):
            held = held and not faults
            sys.stdout.write(f"{what}: {'; '.join(faults) or 'held'}\n")
    return int(not held)


if __name__ == "__main__":
    sys.exit(main())
