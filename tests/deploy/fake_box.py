"""A box in a folder: the installer runs for real, with pretended system commands and programs that start or do not."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from companion.shell.journal import Journal
from tests.companion.shell.clocks import ManualClock

ROOT = Path(__file__).parents[2]
OLDER_SCHEMA = 3
"""Of the journals that the older of the pretended programs reads."""

_FAKES = {
    "python3": """
if [ "$1 $2" = "-m venv" ]; then
  mkdir -p "${@: -1}/bin" && cp "$FAKE/pip" "${@: -1}/bin/pip"
else
  exec "$REAL_PYTHON" "$@"
fi
""",
    "systemctl": """
echo "$*" >>"$FAKE/systemctl.log"
case "$*" in
  "restart companion.service")
    echo failed >"$FAKE/state"
    "$COMPANION_INSTALL_UNDER/opt/companion/venv/bin/companion" play --unattended && echo active >"$FAKE/state" ;;
  *" stop companion.service") echo inactive >"$FAKE/state" ;;
  *" is-active companion.service") [ "$(cat "$FAKE/state")" = active ] ;;
  *" enable companion.service")
    mkdir -p "$COMPANION_INSTALL_UNDER/etc/systemd/system/multi-user.target.wants"
    ln -sf x "$COMPANION_INSTALL_UNDER/etc/systemd/system/multi-user.target.wants/companion.service" ;;
  show*) echo 0 ;;
esac
""",
    "dpkg-query": """
case "$*" in
  *Version*) cat "$FAKE/apt-numpy" 2>/dev/null ;;
  *) [ -e "$FAKE/apt-has" ] || echo installed ;;
esac
""",
    "apt-cache": """
grep -qsx "${@: -1}" "$FAKE/apt-has" && echo "  Candidate: 1.0" || echo "  Candidate: (none)"
""",
    "id": """[ "$1" = -u ] && echo 0 || echo "gpio video i2c spi audio input" """,
    "getent": "exit 0",
    "sleep": "exit 0",
    "apt-get": "exit 0",
    "udevadm": "exit 0",
    "runuser": 'shift 3; exec "$@"',
}

_PIP = """
echo "$*" >>"$FAKE/pip.log"
if [ -e "$FAKE/pip-fails" ]; then
  echo "ERROR: the hashes do not match"
  exit 1
fi
if [ "${@: -1}" = . ]; then
  cp "$FAKE/companion" "$FAKE/python" "$(dirname "$0")"
fi
"""

_PROGRAM = """
export PYTHONPATH={root}
case "$1" in
  --version) exit 0 ;;
  play) exec "$REAL_PYTHON" -m tests.deploy.fake_box {kind} "$COMPANION_INSTALL_UNDER/var/lib/companion" ;;
  journal) [ {kind} != stuck ] && exec "$REAL_PYTHON" -m companion "$@" ;;
esac
"""


class Box:
    """A folder in place of the root of a file system, a checkout to install from, and a pretended systemd."""

    def __init__(self, folder: Path) -> None:
        self.under, self.checkout, self._fake = folder / "box", folder / "checkout", folder / "fake"
        self.program = self.under / "opt/companion"
        self.journal = self.under / "var/lib/companion/journal.sqlite3"
        folders = ("run/systemd/system", "etc/polkit-1/rules.d")
        for path in (self._fake / "bin", *(self.under / name for name in folders), self.journal.parent):
            path.mkdir(parents=True)
        for name, script in _FAKES.items():
            self._script(self._fake / "bin" / name, script)
        self._script(self._fake / "pip", _PIP)
        self._check_out()

    def _check_out(self) -> None:
        shutil.copytree(ROOT / "deploy", self.checkout / "deploy")
        (self.checkout / "companion/shell").mkdir(parents=True)
        for name in ("pyproject.toml", "companion/shell/companion.toml", "companion/shell/hardware.toml"):
            shutil.copy(ROOT / name, self.checkout / name)
        for name in ("vision", "hardware", "engines"):
            (self.checkout / name).mkdir()

    def _script(self, path: Path, text: str) -> None:
        path.write_text(f"#!/usr/bin/env bash\n{text}", encoding="utf-8")
        path.chmod(0o755)

    def release(self, kind: str, name: str) -> None:
        """Put a new version into the checkout: "older", "newer", "broken", which plays a game and then
        fails, or "stuck", which cannot bring its journal back."""
        (self.checkout / "companion/version").write_text(name)
        self._script(self._fake / "companion", _PROGRAM.format(root=ROOT, kind=kind))
        python = f"echo {OLDER_SCHEMA}" if kind == "older" else f'PYTHONPATH={ROOT} exec "$REAL_PYTHON" "$@"'
        self._script(self._fake / "python", python)

    def fail_pip(self) -> None:
        """From now on pip finds something wrong with what it has fetched."""
        (self._fake / "pip-fails").touch()

    def supply_numpy(self) -> None:
        """Have NumPy installed by apt."""
        (self._fake / "apt-numpy").write_text("1:2.2.4+ds-1")

    def apt_has(self, *packages: str) -> None:
        """Have nothing installed by apt, and these packages in its lists."""
        (self._fake / "apt-has").write_text("\n".join(packages) + "\n")

    def install(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the installer."""
        environment = {
            "PATH": f"{self._fake / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self._fake),
            "FAKE": str(self._fake),
            "REAL_PYTHON": sys.executable,
            "COMPANION_INSTALL_UNDER": str(self.under),
        }
        return subprocess.run(
            ["bash", "deploy/install.sh", *arguments],
            cwd=self.checkout, env=environment, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    @property
    def state(self) -> str:
        """What systemd says of the service."""
        return (self._fake / "state").read_text().strip()

    @property
    def pip_log(self) -> str:
        """How pip was called."""
        return (self._fake / "pip.log").read_text()

    @property
    def orders(self) -> list[str]:
        """What systemd was ordered to do."""
        return (self._fake / "systemctl.log").read_text().splitlines()

    def version(self) -> Path:
        """Return the environment that is in use."""
        return (self.program / "venv").readlink()

    def versions(self) -> set[Path]:
        """Return all environments that are kept."""
        return {folder / "venv" for folder in (self.program / "versions").iterdir()}


def play(kind: str, folder: Path) -> int:
    """Do what a pretended program does when the service starts; return its exit code."""
    path = folder / "journal.sqlite3"
    if kind == "older":
        return 0 if schema_of(path) in (0, OLDER_SCHEMA) else 1
    with closing(Journal(path, ManualClock())) as journal:
        journal.start_game("royal-tee", {"begun by": kind})
    return int(kind == "broken")


def schema_of(path: Path) -> int:
    """Return the version of a journal, 0 if there is none."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], Path(sys.argv[2])))
