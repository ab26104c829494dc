"""The installer upgrades in place, and takes a version back that does not start, with every game."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.shell.journal import Journal
from companion.shell.journal_schema import SCHEMA_VERSION
from tests.companion.shell.clocks import ManualClock
from tests.deploy.fake_box import OLDER_SCHEMA, ROOT, Box, schema_of


@pytest.fixture
def box(tmp_path: Path) -> Box:
    """A box with the older version, which has played a game."""
    box = Box(tmp_path)
    box.release("older", "1")
    first = box.install()
    assert first.returncode == 0, first.stderr
    with closing(Journal(box.journal, ManualClock())) as journal:
        journal.start_game("royal-tee", {"begun by": "older"})
        journal.migrate_down(OLDER_SCHEMA)
    return box


def games(box: Box) -> list[str]:
    """Who began the games of the journal."""
    with closing(sqlite3.connect(box.journal)) as connection:
        return [json.loads(text)["begun by"] for (text,) in connection.execute("SELECT opening FROM games ORDER BY id")]


def test_a_box_is_installed_upgraded_and_taken_back_with_every_game(box: Box) -> None:
    # 1. the program is installed, and a second run changes nothing
    first, orders = box.version(), box.orders
    assert box.state == "active"
    assert (box.program / "venv/bin/companion").exists()
    again = box.install()
    assert again.stdout.splitlines()[-1] == "== nothing to change: everything is installed already"
    assert box.orders.count("restart companion.service") == orders.count("restart companion.service")

    # 2. there is one way back and no more
    refused = box.install("--roll-back")
    assert refused.returncode == 2
    assert refused.stderr == "stopped: there is no version before this one to go back to\n"

    # 3. a version that does not start is taken back with the games that it has begun
    unit = (box.under / "etc/systemd/system/companion.service").read_text()
    service = box.checkout / "deploy/pi/companion.service"
    service.write_text(f"{unit}# of the newer version\n")
    box.release("broken", "2")
    failed = box.install()
    assert failed.returncode == 1
    assert "!! the new version does not start" in failed.stderr
    assert failed.stdout.splitlines()[-1] == "== the version before goes on, with all games"
    assert (box.version(), box.versions(), box.state) == (first, {first}, "active")
    assert (box.under / "etc/systemd/system/companion.service").read_text() == unit
    assert (schema_of(box.journal), games(box)) == (OLDER_SCHEMA, ["older", "broken"])

    # 4. the next one is installed in place, from locked files, and the version before is kept and no other
    box.release("newer", "3")
    assert box.install().returncode == 0
    second = box.version()
    assert (box.state, schema_of(box.journal)) == ("active", SCHEMA_VERSION)
    assert box.versions() == {first, second}
    assert "--require-hashes" in box.pip_log
    assert all("--no-deps" in call for call in box.pip_log.splitlines())
    locked = (ROOT / "deploy/requirements.lock").read_text()
    assert (second.parent / "requirements.lock").read_text() == locked

    # 5. where apt has NumPy, pip brings none
    box.supply_numpy()
    box.release("newer", "4")
    assert box.install().returncode == 0
    third = box.version()
    assert box.versions() == {second, third}
    assert games(box) == ["older", "broken", "newer", "newer"]
    with_apt = (third.parent / "requirements.lock").read_text()
    assert "\nnumpy==" not in with_apt
    assert all(line not in with_apt for line in locked[locked.index("\nnumpy==") :].split("\n")[2:4])
    assert with_apt.count("==") == locked.count("==") - 1

    # 6. a version that cannot be installed leaves everything as it was
    orders = box.orders
    box.release("newer", "5")
    box.fail_pip()
    failed = box.install()
    assert failed.returncode == 2
    assert failed.stderr.startswith("stopped: pip failed: ERROR: the hashes do not match")
    assert (box.version(), box.versions(), box.orders) == (third, {second, third}, orders)


def test_a_first_version_that_does_not_start_is_reported(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.release("broken", "1")
    failed = box.install()
    assert failed.returncode == 2
    *_warnings, last = failed.stderr.splitlines()  # that the folder of this test may be in memory
    assert last == "stopped: the companion does not start: journalctl -u companion says why"


@pytest.mark.long
def test_going_back_by_hand_keeps_the_games_that_were_played_since(box: Box) -> None:
    before = box.version()
    box.release("newer", "2")
    box.install()
    back = box.install("--roll-back")
    assert back.returncode == 0, back.stderr
    assert (box.version(), box.state) == (before, "active")
    assert (schema_of(box.journal), games(box)) == (OLDER_SCHEMA, ["older", "newer"])


@pytest.mark.long
def test_a_version_whose_journal_cannot_be_brought_back_stays_and_is_started_again(box: Box) -> None:
    box.release("stuck", "2")
    box.install()
    version = box.version()
    stuck = box.install("--roll-back")
    assert stuck.returncode == 2
    assert stuck.stderr.startswith(f"stopped: the journal cannot be brought back to version {OLDER_SCHEMA}")
    assert (box.version(), box.state, schema_of(box.journal)) == (version, "active", SCHEMA_VERSION)


@pytest.mark.long
def test_an_environment_of_the_installer_before_is_upgraded_and_taken_back(box: Box) -> None:
    """That one had a single environment in place of the link."""
    version = box.version()
    (box.program / "venv").unlink()
    version.rename(box.program / "venv")
    box.release("broken", "2")
    assert box.install().returncode == 1
    assert not (box.program / "venv").is_symlink()
    assert (box.state, schema_of(box.journal)) == ("active", OLDER_SCHEMA)
    box.release("newer", "3")
    assert box.install().returncode == 0
    assert (box.program / "venv").is_symlink()


def test_a_dry_run_promises_no_package_that_apt_does_not_have(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.release("older", "1")
    box.apt_has("python3-lgpio")
    said = box.install("--dry-run")
    assert said.returncode == 0, said.stderr
    promised = [line for line in said.stdout.splitlines() if "would do: apt package" in line]
    assert [line.split()[-1] for line in promised] == ["python3-lgpio"]
    assert "knows no python3-picamera2" in said.stdout


def test_the_service_may_switch_the_box_off_where_polkit_is(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.release("older", "1")
    rule = box.under / "etc/polkit-1/rules.d/50-companion.rules"
    shutil.rmtree(box.under / "etc/polkit-1")
    assert "no polkit" in box.install().stderr
    assert not rule.exists()
    (box.under / "etc/polkit-1/rules.d").mkdir(parents=True)
    assert box.install().returncode == 0
    assert "power-off" in rule.read_text()
