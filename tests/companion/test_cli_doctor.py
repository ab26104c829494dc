"""`companion doctor` tells what is here and how to get what is missing, on any machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main, surroundings
from companion.cli.exits import DONE
from companion.cli.surroundings import Finding, State


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """The parts of a Raspberry Pi's file system that are looked at."""
    files = {
        "dev/video0": "",
        "dev/gpiochip0": "",
        "sys/class/video4linux/video0/name": "HD Webcam C270\n",
        "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
        "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
        "proc/meminfo": "MemTotal: 4000000 kB\nMemAvailable: 2048000 kB\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def _named(findings: list[Finding], name: str) -> Finding:
    (finding,) = (finding for finding in findings if finding.name == name)
    return finding


def test_a_webcam_is_told_with_its_name(pi: Path) -> None:
    assert _named(list(surroundings.cameras(pi)), "webcam") == Finding("webcam", State.OK, "video0 (HD Webcam C270)")


def test_pins_and_memory_and_model_are_found(pi: Path) -> None:
    found = [*surroundings.pins(pi), *surroundings.memory(pi), *surroundings.computer(pi)]
    assert _named(found, "pins").found == "gpiochip0"
    assert _named(found, "memory").found == "2000 MB free"
    assert _named(found, "computer").found == "Raspberry Pi 5 Model B Rev 1.0"


def test_a_bare_machine_is_told_how_to_get_camera_and_panel(tmp_path: Path) -> None:
    found = [*surroundings.cameras(tmp_path), *surroundings.pins(tmp_path)]
    missing = [finding for finding in found if finding.state is State.MISSING]
    assert {"webcam", "pins"} <= {finding.name for finding in missing}
    assert all(finding.remedy for finding in missing)


@pytest.mark.parametrize(
    ("bits", "state", "said"),
    [("0x0", State.OK, "never"), ("0x50000", State.WARNING, "was throttled"), ("0x50005", State.WARNING, "now")],
)
def test_the_firmwares_word_on_power_and_heat_is_passed_on(bits: str, state: State, said: str, pi: Path) -> None:
    (pi / "sys/devices/platform/soc/soc:firmware/get_throttled").write_text(bits)
    power = _named(list(surroundings.computer(pi)), "power")
    assert power.state is state
    assert said in power.found


@pytest.mark.parametrize(
    ("encoding", "term", "state"),
    [("utf-8", "xterm", State.OK), ("latin-1", "xterm", State.WARNING), ("utf-8", "linux", State.WARNING)],
)
def test_a_terminal_that_cannot_show_the_board_is_warned_of(encoding: str, term: str, state: State) -> None:
    letters = _named(list(surroundings.terminal({"TERM": term}, encoding)), "letters")
    assert letters.state is state
    assert bool(letters.remedy) == (state is not State.OK)


def test_a_folder_that_does_not_exist_yet_is_judged_by_the_one_above(tmp_path: Path) -> None:
    found = list(surroundings.storage(tmp_path / "not" / "yet"))
    assert _named(found, "journal").state is State.OK
    assert not (tmp_path / "not").exists()


def test_doctor_gives_every_line_a_mark_and_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == DONE
    *lines, _summary = capsys.readouterr().out.splitlines()
    told = [line for line in lines if not line.startswith("    -> ")]
    assert len(told) > 10
    assert {tuple(line.split()[:2]) for line in told} <= {("+", "here"), ("!", "look"), ("-", "missing")}


def test_doctor_speaks_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == DONE
    told = json.loads(capsys.readouterr().out)
    assert told["status"] == "ok"
    assert {"python", "numpy", "webcam", "pins", "journal"} <= {check["name"] for check in told["checks"]}
    assert {"name", "state", "found", "remedy"} == set(told["checks"][0])
