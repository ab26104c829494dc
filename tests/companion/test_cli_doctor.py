"""`companion doctor` reports what is here and how to get what is missing, on any machine."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from companion.app import diagnostics
from companion.app.diagnostics import Ask, CheckResult, CheckState, ask_program
from companion.app.output import hanging
from companion.cli import main, play
from companion.cli.exits import REFUSED
from companion.shell.settings import Settings
from tests.companion.conftest import Answered, Told


def silent(*_command: str) -> str:
    """A machine on which no program answers."""
    return ""


def answering(**answers: str) -> Ask:
    """A machine on which some programs answer."""
    return lambda program, *_rest: answers.get(program, "")


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """The parts of a Raspberry Pi's file system that are looked at."""
    files = {
        "dev/video0": "",
        "dev/gpiochip0": "",
        "sys/class/video4linux/video0/name": "HD Webcam C270\n",
        "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
        "sys/class/thermal/thermal_zone0/temp": "48312\n",
        "etc/group": "root:x:0:\ngpio:x:986:\nvideo:x:44:\nspi:x:989:\n",
        "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
        "proc/meminfo": "MemTotal: 4000000 kB\nMemAvailable: 2048000 kB\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def _named(findings: list[CheckResult], name: str) -> CheckResult:
    (finding,) = (finding for finding in findings if finding.name == name)
    return finding


def test_webcam_pins_memory_and_model_are_found(pi: Path) -> None:
    found = [
        *diagnostics.cameras(pi),
        *diagnostics.pins(pi),
        *diagnostics.memory(pi),
        *diagnostics.computer(pi, silent),
    ]
    assert _named(found, "webcam") == CheckResult("webcam", CheckState.OK, "webcam:0 (HD Webcam C270)")
    assert _named(found, "pins").found == "gpiochip0"
    assert _named(found, "memory").found == "2000 MB free"
    assert _named(found, "computer").found == "Raspberry Pi 5 Model B Rev 1.0"


def test_a_bare_machine_is_reported_how_to_get_camera_and_panel(tmp_path: Path) -> None:
    found = [*diagnostics.cameras(tmp_path), *diagnostics.pins(tmp_path)]
    missing = [finding for finding in found if finding.state is CheckState.MISSING]
    assert {"webcam", "pins"} <= {finding.name for finding in missing}
    assert "stream:http://" in _named(missing, "webcam").remedy
    assert all(finding.remedy for finding in missing)


_FIRMWARE, _HEAT = "sys/devices/platform/soc/soc:firmware/get_throttled", "sys/class/thermal/thermal_zone0/temp"


@pytest.mark.parametrize(
    ("file", "text", "name", "state", "said"),
    [
        (_FIRMWARE, "0x0", "power", CheckState.OK, "never"),
        (_FIRMWARE, "0x50000", "power", CheckState.WARNING, "was throttled"),
        (_FIRMWARE, "0x50005", "power", CheckState.WARNING, "now"),
        (_HEAT, "48312", "temperature", CheckState.OK, "48 °C"),
        (_HEAT, "82000", "temperature", CheckState.WARNING, "82 °C"),
    ],
)
def test_what_a_pi_says_of_power_and_heat_is_passed_on(
    file: str, text: str, name: str, state: CheckState, said: str, pi: Path
) -> None:
    (pi / file).write_text(text)
    found = _named(list(diagnostics.computer(pi, silent)), name)
    assert found.state is state
    assert said in found.found


def test_where_the_kernel_says_nothing_vcgencmd_is_asked(tmp_path: Path) -> None:
    checks = list(diagnostics.computer(tmp_path, answering(vcgencmd="throttled=0x50005")))
    assert _named(checks, "power").found == "throttled now"


@pytest.mark.parametrize(
    ("text", "state", "said"),
    [
        ("camera = 'picamera'", CheckState.OK, "companion.toml"),
        ("camra = 'picamera'", CheckState.PROBLEM, 'did you mean "camera"?'),
    ],
)
def test_settings_that_cannot_be_used_are_a_problem(text: str, state: CheckState, said: str, tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(text)
    _settings, check = diagnostics.settings({"COMPANION_SETTINGS": str(file)})
    assert check.state is state
    assert said in check.found


@pytest.mark.parametrize(
    ("text", "device", "states"),
    [
        ("[buzzer]\npin = 12", None, {"wiring": CheckState.OK}),
        ("[buzzer]\npin = 99", None, {"wiring": CheckState.PROBLEM}),
        ("[buttons]\nroll = 4", None, {"wiring": CheckState.WARNING}),
        ("[buzzer]\npin = 12\n[potentiometer]", None, {"wiring": CheckState.OK, "spi": CheckState.PROBLEM}),
        ("[buzzer]\npin = 12\n[potentiometer]", "spidev0.0", {"wiring": CheckState.OK, "spi": CheckState.OK}),
        ("[display]", None, {"wiring": CheckState.OK, "i2c": CheckState.PROBLEM}),
        ("[display]", "i2c-1", {"wiring": CheckState.OK, "i2c": CheckState.OK}),
    ],
)
def test_the_wiring_is_checked_and_the_buses_where_they_are_wanted(
    text: str, device: str | None, states: dict[str, CheckState], pi: Path
) -> None:
    file = pi / "hardware.toml"
    file.write_text(text)
    if device:
        (pi / "dev" / device).touch()
    assert {found.name: found.state for found in diagnostics.panel_wiring(file, {}, pi)} == states


def test_a_user_outside_the_groups_is_reported_how_to_join_those_that_there_are(pi: Path) -> None:
    (outside,) = diagnostics.groups(pi, {"anna", "video"})
    assert (outside.state, outside.found) == (CheckState.WARNING, "not in: gpio, spi")
    assert "usermod -aG gpio,spi" in outside.remedy
    (inside,) = diagnostics.groups(pi, {"gpio", "video", "spi"})
    assert inside.state is CheckState.OK


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("active", CheckState.OK),
        ("inactive", CheckState.WARNING),
        ("failed", CheckState.PROBLEM),
        ("activating", CheckState.PROBLEM),
        ("", CheckState.WARNING),
    ],
)
def test_a_service_that_is_installed_and_does_not_run_is_reported(answer: str, state: CheckState, pi: Path) -> None:
    assert [*diagnostics.service(pi, answering(systemctl=answer))] == [], "not installed"
    unit = pi / "etc/systemd/system/companion.service"
    unit.parent.mkdir(parents=True)
    unit.touch()
    (check,) = diagnostics.service(pi, answering(systemctl=answer))
    assert check.state is state
    assert bool(check.remedy) == (state is not CheckState.OK)


def test_a_clock_that_nobody_set_is_reported() -> None:
    states = [[found.state for found in diagnostics.clock(answering(timedatectl=said))] for said in ("yes", "no", "")]
    assert states == [[CheckState.OK], [CheckState.WARNING], []]


def test_a_program_that_is_not_there_says_nothing() -> None:
    assert ask_program("no-such-program-of-ours") == ""


def test_what_picamera2_sees_is_reported_with_the_sensors_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    infos: list[dict[str, object]] = []
    picamera2 = ModuleType("picamera2")
    picamera2.__spec__ = ModuleSpec("picamera2", None)
    picamera2.__dict__["Picamera2"] = SimpleNamespace(global_camera_info=lambda: infos)
    monkeypatch.setitem(sys.modules, "picamera2", picamera2)
    assert _named(list(diagnostics.cameras(tmp_path)), "picamera2").state is CheckState.WARNING
    infos.append({"Model": "imx708", "Num": 0})
    assert _named(list(diagnostics.cameras(tmp_path)), "picamera2").found == "imx708"


@pytest.mark.parametrize(
    ("folder", "state"),
    [
        ("/proc/self/journal", CheckState.PROBLEM),
        ("x" * 300, CheckState.PROBLEM),
        ("not/yet", CheckState.OK),
    ],
)
def test_a_folder_that_keeps_nothing_is_a_problem_and_one_to_come_is_judged_by_the_one_above(
    folder: str, state: CheckState, tmp_path: Path
) -> None:
    assert _named(list(diagnostics.storage(tmp_path / folder)), "journal").state is state
    assert list(tmp_path.iterdir()) == []


def test_a_problem_has_an_exit_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_CAMERA", "kinect")
    assert main(["doctor", "--json"]) == REFUSED


@pytest.mark.parametrize(
    ("encoding", "term", "state"),
    [
        ("utf-8", "xterm", CheckState.OK),
        ("latin-1", "xterm", CheckState.WARNING),
        ("utf-8", "linux", CheckState.WARNING),
    ],
)
def test_a_terminal_that_cannot_show_the_board_is_warned_of(encoding: str, term: str, state: CheckState) -> None:
    letters = _named(list(diagnostics.terminal({"TERM": term}, encoding)), "letters")
    assert letters.state is state
    assert bool(letters.remedy) == (state is not CheckState.OK)


def test_doctor_gives_every_line_a_mark_and_a_word_and_speaks_json(told: Told, answered: Answered) -> None:
    *lines, _summary = told("doctor").splitlines()
    found = [tuple(line.split()[:2]) for line in lines if not line.startswith("    -> ")]
    assert set(found) <= {("+", "here"), ("!", "look"), ("-", "missing"), ("x", "problem")}
    answer = answered("doctor")
    assert (answer["status"], len(answer["checks"])) == ("ok", len(found))
    assert {"python", "numpy", "webcam", "pins", "journal"} <= {check["name"] for check in answer["checks"]}
    assert {"name", "state", "found", "remedy"} == set(answer["checks"][0])


def test_what_was_found_stays_in_its_column_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hanging("+ here  pins  ", "one two three") == "+ here  pins  one two three"
    monkeypatch.setattr("companion.app.output.terminal_room", lambda: os.terminal_size((28, 24)))
    assert hanging("+ here  pins  ", "one two three four") == "+ here  pins  one two three\n              four"


def test_a_narrow_terminal_has_what_was_found_below_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.app.output.terminal_room", lambda: os.terminal_size((20, 24)))
    assert hanging("+ here  pins  ", "one two three four") == "+ here  pins\n    one two three\n    four"


@pytest.mark.parametrize(
    ("written", "state"),
    [
        ("", CheckState.MISSING),
        ("camera = 'webcam:0'", CheckState.PROBLEM),
        ("camera = 'picamera'", CheckState.PROBLEM),
        ("camera = 'simulated'\npanel = 'gpio'", CheckState.PROBLEM),
    ],
)
def test_what_is_missing_is_a_problem_if_play_would_not_start_without_it(
    written: str, state: CheckState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    file = tmp_path / "companion.toml"
    file.write_text(written)
    settings, _check = diagnostics.settings({"COMPANION_SETTINGS": str(file)})
    found = [*diagnostics.cameras(tmp_path), *diagnostics.pins(tmp_path)]
    results = list(diagnostics.with_needed(found, settings, tmp_path))
    assert max(result.state is CheckState.PROBLEM for result in results) == (state is CheckState.PROBLEM)
    assert [result.name for result in results] == [result.name for result in found]


def test_what_play_needs_is_not_known_by_a_word_that_is_another_check_s_in_some_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(diagnostics, "_", lambda word: "device" if word in ("webcam", "pins", "voice") else word)
    monkeypatch.setattr("shutil.which", lambda _program: None)
    settings = Settings(camera="webcam:0")
    found = [*diagnostics.cameras(tmp_path), *diagnostics.pins(tmp_path), *diagnostics.voice(None)]
    results = diagnostics.with_needed(found, settings, tmp_path)
    assert [result.found for result in results if result.state is CheckState.PROBLEM] == ["no /dev/video*"]


def test_another_webcam_than_the_one_that_is_there_is_a_problem(pi: Path) -> None:
    for number, problems in ((0, []), (3, ["webcam"])):
        settings = Settings(camera=f"webcam:{number}")
        found = diagnostics.with_needed(diagnostics.cameras(pi), settings, pi)
        assert [result.name for result in found if result.state is CheckState.PROBLEM] == problems


def test_the_packages_of_each_extra_are_those_of_the_project_and_are_found_where_they_are_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extra, packages in diagnostics.EXTRAS.items():
        wanted = [re.split("[>=<]", text)[0] for text in project["optional-dependencies"][extra]]
        assert [*packages] == wanted
        assert diagnostics.lacking_of(extra) == []  # the extra "dev" installs them all


@pytest.mark.parametrize(
    ("asked", "programs", "state"),
    [
        (None, ("espeak-ng",), CheckState.OK),
        (None, (), CheckState.MISSING),
        ("text", (), CheckState.OK),
        ("espeak", ("espeak-ng",), CheckState.OK),
        ("espeak", (), CheckState.PROBLEM),
        ("piper:voice.onnx", ("espeak-ng",), CheckState.PROBLEM),
        ("loud", ("espeak-ng",), CheckState.PROBLEM),
    ],
)
def test_a_voice_is_judged_by_what_it_needs_itself(
    asked: str | None, programs: tuple[str, ...], state: CheckState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda program: f"/usr/bin/{program}" if program in programs else None)
    assert [result.state for result in diagnostics.voice(asked)] == [state]


@pytest.mark.parametrize(
    ("settings", "begins"),
    [
        (Settings(), True),
        (Settings(game="royal-ur", camera="none"), True),
        (Settings(game="royal-ur", camera="simulated", players=("red", "green")), False),
        (Settings(game="royal-ur", camera="simulated", players=("white",)), False),
        (Settings(game="royal-study", camera="none", game_options=("level=99",)), False),
        (Settings(game="royal-tee", camera="files:/there/is/none"), False),
        (Settings(camera="simulated", listen="127.0.0.1"), True),
        (Settings(listen="127.0.0.1:port"), False),
        (Settings(listen="192.0.2.1"), False),  # an address of no machine: RFC 5737
        (Settings(publish="http://192.0.2.1/table-1"), False),
    ],
)
def test_settings_with_which_no_game_begins_are_a_problem(settings: Settings, begins: bool) -> None:
    assert (play.refusal(settings) == "") is begins


def test_a_lens_file_that_cannot_be_read_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_LENS", str(tmp_path / "none.toml"))
    assert "none.toml" in play.refusal(Settings(camera="simulated"))


def test_whether_a_game_begins_is_found_out_without_a_voice(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda _program: None)
    assert play.refusal(Settings(game="royal-ur", camera="none", voice="espeak")) == ""
    assert capfd.readouterr() == ("", "")
