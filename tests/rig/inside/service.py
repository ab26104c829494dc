"""The service as systemd runs it after deploy/install.sh: started, pressed, killed and stopped. Inside the rig only."""

from __future__ import annotations

import os
import pwd
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from hardware.panel import Button
from hardware.pins import DEFAULT_PINS
from tests.contracts.pins import SimulatedChip, push

CONTACTS = DEFAULT_PINS.buttons.contacts
LAMPS = [pin for pin in DEFAULT_PINS.lamps.pins if isinstance(pin, int)]
BAR = DEFAULT_PINS.bar.pins if DEFAULT_PINS.bar else ()
CHIP = SimulatedChip(Path(os.environ.get("RIG_PINS", "/sys/devices/platform")))
STATE = Path("/var/lib/companion")
BEGUN = "Red: walk exactly 1 step."
"""What the service says when a new game begins, of which the camera here sees nothing."""

PAUSED, OFFER, CHOICE = "The game is paused.", "DONE: ", "DONE: judge moves only when DONE is pressed"
"""What the service says while MODE is held down, with each choice that it offers then, and once further presses of MODE
have reached this one."""

MOST_CHOICES = 20
"""More than there are in the pause of any game."""

CHOSEN = "Moves are judged when DONE is pressed."
"""What the service says once DONE has accepted that choice, and nowhere else in a new game; the game's journal has it
before."""


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def shown(name: str) -> str:
    return output_of("systemctl", "show", "--value", "--property", name, "companion.service")


def said() -> str:
    """Give what the service that runs now has said."""
    return output_of("journalctl", f"_PID={shown('MainPID')}", "--output", "cat", "--no-pager")


def has_offered_more(before: str) -> bool:
    """Tell whether another choice is offered; what else the service says meanwhile answers no press."""
    return said().count(OFFER) > before.count(OFFER)


def eventually(holds: Callable[[], bool], what: str, within_s: float = 90) -> None:
    deadline_s = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline_s, f"{what}; the service said:\n{said()}"
        time.sleep(0.2)


def playing() -> bool:
    return shown("ActiveState") == "active" and BEGUN in said()


def systemctl(*words: str) -> None:
    subprocess.run(["systemctl", *words], check=True)


def choose_in_the_pause() -> None:
    """Hold MODE, step with MODE to the choice, and accept it with DONE."""
    push(CHIP, CONTACTS[Button.MODE], down_s=1.5)
    eventually(lambda: PAUSED in said() and OFFER in said(), "a held button is not heard", within_s=30)
    for _ in range(MOST_CHOICES):
        if CHOICE in (before := said()):
            break
        push(CHIP, CONTACTS[Button.MODE])
        eventually(partial(has_offered_more, before), "a press is not heard", within_s=30)
    push(CHIP, CONTACTS[Button.DONE])
    eventually(lambda: CHOSEN in said(), "a choice is not accepted", within_s=30)


@pytest.fixture
def service() -> Iterator[None]:
    """A new game, whatever was played before."""
    for gpio in CONTACTS.values():
        CHIP.drive(gpio, high=True)
    systemctl("stop", "companion")
    for file in STATE.glob("journal.sqlite3*"):
        file.unlink()
    systemctl("start", "companion")
    eventually(playing, "it does not play")
    yield
    systemctl("stop", "companion")


def test_systemd_finds_no_fault_in_the_unit() -> None:
    verified = subprocess.run(
        ["systemd-analyze", "verify", "companion.service"], capture_output=True, text=True, check=False
    )
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.usefixtures("service")
def test_it_starts_hears_presses_and_stops_with_every_lamp_dark() -> None:
    assert CHOSEN not in said()
    choose_in_the_pause()
    systemctl("stop", "companion")
    assert (shown("ActiveState"), shown("Result")) == ("inactive", "success")
    assert not any(CHIP.is_high(gpio) for gpio in (*LAMPS, *BAR))


@pytest.mark.usefixtures("service")
def test_it_comes_back_with_its_game_after_it_was_killed() -> None:
    first = shown("MainPID")
    choose_in_the_pause()
    systemctl("kill", "--signal=KILL", "companion")
    eventually(lambda: shown("MainPID") not in {first, "0"} and playing(), "it does not come back")
    eventually(lambda: "Resumed: " in said(), "it does not go on with its game", within_s=30)
    assert CHOSEN in said()


@pytest.mark.usefixtures("service")
def test_it_runs_as_its_own_user_with_its_games_and_nothing_else_to_write() -> None:
    status = Path(f"/proc/{shown('MainPID')}/status").read_text()
    uid = pwd.getpwnam("companion").pw_uid
    assert f"\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\n" in status
    assert "\nNoNewPrivs:\t1\n" in status
    assert "\nCapEff:\t0000000000000000\n" in status
    assert (STATE / "journal.sqlite3").stat().st_uid == uid


@pytest.mark.usefixtures("service")
def test_it_may_switch_the_box_off_and_nothing_else() -> None:
    def allowed(action: str) -> bool:
        command = ["pkcheck", "--process", shown("MainPID"), "--action-id", f"org.freedesktop.login1.{action}"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    actions = ("power-off", "power-off-multiple-sessions", "reboot", "halt")
    assert [allowed(action) for action in actions] == [True, True, False, False]
