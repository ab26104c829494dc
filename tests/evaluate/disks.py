"""`sudo python -m tests.evaluate.disks`: games on disks that get full, have a quota, or become read-only meanwhile.

The disks are real: a small tmpfs; a Btrfs with a quota; an Ext4 that is made read-only as after an error of its own.
Each is mounted where only this program sees it. What must hold is what `tests.evaluate.kills` asks for after failing
writes.

Exit codes: 0 all held, 1 something did not, 2 a disk cannot be mounted here.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.games.engines import ENGINES
from tests.evaluate.kills import FAILING_CALLS, not_said, play, what_is_wrong

GOOD_ACTIONS = 3
"""How many actions are played before the disk fails."""

FILLER = "filler"
BLOCK = bytes(4096)


@dataclass(frozen=True, slots=True)
class Disk:
    """A disk, by commands in which "{image}" and "{mount}" are filled in.

    Attributes:
        prepare: lay it out in an image and mount it.
        spoil: makes it take nothing more; None: it is filled.
    """

    prepare: Sequence[str]
    spoil: str | None = None


DISKS: Mapping[str, Disk] = {
    "full": Disk(["mount -t tmpfs -o size=700k none {mount}"]),
    "quota": Disk(
        [
            "truncate -s 200M {image}",
            "mkfs.btrfs -q -f {image}",
            "mount -o loop {image} {mount}",
            "btrfs quota enable {mount}",
            "btrfs qgroup limit 700K {mount}",
        ]
    ),
    "read-only": Disk(
        ["truncate -s 16M {image}", "mkfs.ext4 -q -F {image}", "mount -o loop {image} {mount}"],
        "mount -o remount,abort {mount}",
    ),
}


def _do(command: str, mount: Path) -> None:
    subprocess.run(_words(command, mount), check=True, capture_output=True)


def _words(command: str, mount: Path) -> list[str]:
    return command.format(image=mount.with_suffix(".image"), mount=mount).split()


def fill(folder: Path) -> None:
    """Write until the disk takes nothing more."""
    with (folder / FILLER).open("wb", buffering=0) as file:
        try:
            while True:
                file.write(BLOCK)
                os.fsync(file.fileno())
        except OSError:
            return


def make_room(folder: Path) -> None:
    """Delete what `fill` wrote; some file systems have its room again only after they are synced."""
    (folder / FILLER).unlink()
    os.sync()


def played_on(name: str, game: str, mount: Path) -> int:
    """Play a game on a mounted disk; spoil that, and make room again where that can be done; return the exit code."""
    disk = DISKS[name]
    done: set[str] = set()

    def once(what: str, act: Callable[[], object]) -> None:
        if what not in done:
            done.add(what)
            act()

    def meanwhile(shown: int, tries: int) -> None:
        if shown == GOOD_ACTIONS:
            once("spoil", lambda: _do(disk.spoil, mount) if disk.spoil else fill(mount))
        if tries == FAILING_CALLS and disk.spoil is None:
            once("mend", lambda: make_room(mount))

    return play(game, mount / "journal.sqlite3", meanwhile)


def attempt(name: str, game: str, folder: Path) -> str | None:
    """Play a game on a disk of its own; return what did not hold, None if everything did.

    Raises:
        subprocess.CalledProcessError: the disk cannot be mounted.
    """
    mount = folder / f"{name}-{game}"
    mount.mkdir()
    for command in DISKS[name].prepare:
        _do(command, mount)
    try:
        return _wrong_on(name, game, mount)
    finally:
        _do("umount {mount}", mount)


def _wrong_on(name: str, game: str, mount: Path) -> str | None:
    passing = DISKS[name].spoil is None
    playing = [sys.executable, "-m", "tests.evaluate.disks", "--play", name, game, str(mount)]
    done = subprocess.run(playing, capture_output=True, text=True, check=False, timeout=120)
    lines = done.stdout.splitlines()
    if not any(line.startswith("failing") for line in lines):
        return f"the disk did not fail: exit code {done.returncode}, {lines} {done.stderr[-300:]}"
    if not passing:
        for command in ("umount {mount}", "fsck.ext4 -y -f {image}", "mount -o loop {image} {mount}"):
            subprocess.run(_words(command, mount), check=False, capture_output=True)  # fsck's code says that it mended
    found = [line.split()[1:] for line in lines if line.startswith("durable")]
    wrong = not_said(lines, done.returncode, done.stderr, passing=passing)
    return wrong or what_is_wrong(game, mount / "journal.sqlite3", found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try every game on every disk."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.disks", description=__doc__)
    parser.add_argument("--play", nargs=3, metavar=("DISK", "GAME", "MOUNT"), help="play on a mounted disk")
    parser.add_argument("--inside", action="store_true", help="this is seen by nobody else already")
    args = parser.parse_args(arguments)
    if args.play:
        return played_on(args.play[0], args.play[1], Path(args.play[2]))
    if not args.inside:
        return subprocess.run(
            ["unshare", "--mount", sys.executable, "-m", "tests.evaluate.disks", "--inside"], check=False
        ).returncode
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="companion-disks-") as folder:
        for name in DISKS:
            for game in ENGINES:
                try:
                    said = attempt(name, game, Path(folder))
                except (OSError, subprocess.CalledProcessError) as error:
                    sys.stderr.write(f'tests.evaluate.disks: the disk "{name}" cannot be mounted here: {error}\n')
                    return 2
                wrong += said is not None
                sys.stdout.write(f"{name}, {game}: {said or 'held'}\n")
                sys.stdout.flush()
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
