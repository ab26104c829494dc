"""The guides' numbers are computed, and what they and the unit name is there."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.cli import parse
from companion.shell.toml_file import read_toml
from companion.ui.wiring import notes
from hardware.panel import Button
from hardware.pins import Part, PinMap
from tests.deploy.optics import MODULES, Module, lamp_aside_mm
from vision.board import load_board

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = (DEPLOY / "pi/companion.service").read_text()
TABLES = sorted((DEPLOY.parent / "vision/boards").glob("*/board.toml"))


def rows(guide: str) -> list[list[str]]:
    lines = (DEPLOY / guide).read_text().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_the_guide_says_what_each_camera_module_sees_at_600_mm(module: Module) -> None:
    width, height = module.reading_wh
    field_w, field_h = module.field_mm(600)
    wanted = [module.name, f"{width} x {height}", f"{field_w} x {field_h} mm", f"{module.px_mm(600):.1f}"]
    assert wanted in [row[:4] for row in rows("CAMERA.md")]


@pytest.mark.parametrize("table", TABLES, ids=lambda file: file.parent.name)
def test_the_guide_says_how_high_a_camera_hangs_over_each_table(table: Path) -> None:
    board = load_board(table)
    assert [board.title, *[f"{m.nearest_mm(board.size)} to {m.farthest_mm()}" for m in MODULES]] in rows("CAMERA.md")


@pytest.mark.parametrize("lamp_mm", [800, 1000, 1500])
def test_the_guide_says_where_a_lamp_shows_no_mirror_image(lamp_mm: int) -> None:
    aside = [f"{lamp_aside_mm(side, 660, lamp_mm)} mm" for side in (240, 456, 680)]
    assert [f"{lamp_mm} mm", *aside] in rows("CAMERA.md")


PANELS = {file.stem: file for file in sorted((DEPLOY / "pi/examples/panels").glob("*.toml"))}


@pytest.mark.parametrize("build", PANELS)
def test_each_panel_that_ships_can_be_wired_and_shows_a_throw(build: str) -> None:
    pins = read_toml(PANELS[build], PinMap)
    assert pins.shows_numbers
    assert set(pins.buttons.contacts) == set(Button)
    assert not any("too much" in note for note in notes(pins))


def test_the_bill_of_materials_counts_what_the_panels_have() -> None:
    heading, *parts = [row for row in rows("BUILD.md") if len(row) == 6]
    column = {heading[n]: n for n in (2, 3, 4)}
    counts = {row[0]: row for row in parts}
    for build, file in PANELS.items():
        wires = list(read_toml(file, PinMap).wires())
        row = {name: row[column[build.replace("-", " ")]] for name, row in counts.items()}
        lamps = sum(wire.part is Part.LAMP for wire in wires)
        segments = sum(wire.part is Part.DIGITS and not wire.name.startswith("select") for wire in wires)
        assert row["LED"] == str(lamps)
        assert row["resistor for LEDs and segments"] == str(lamps + segments)
        assert row["push-button, normally open"] == str(sum(wire.part is Part.BUTTON for wire in wires))
        counted = {name: int(held) if held.isdecimal() else 0 for name, held in row.items()}
        prices = {name: float(row[5].split()[0]) for name, row in counts.items() if row[5][:1].isdigit()}
        assert counted["sum of the panel"] == pytest.approx(
            sum(price * counted[name] for name, price in prices.items()), abs=0.5
        )


def prepare_card(file: Path, *address: str) -> int:
    command = ["bash", str(DEPLOY / "card.sh"), file.name, *address]
    return subprocess.run(command, cwd=file.parent, capture_output=True, check=False).returncode


IMAGERS = """#cloud-config
hostname: companion
packages:
- avahi-daemon
runcmd:
- [ rfkill, unblock, wifi ]
users:
- name: anna
"""


@pytest.mark.parametrize("begun", [IMAGERS, IMAGERS.replace("\n-", "\n    -"), "#cloud-config\nhostname: x\n", ""])
def test_a_card_keeps_what_the_imager_wrote_and_sets_the_box_up_itself(begun: str, tmp_path: Path) -> None:
    file = tmp_path / "user-data"
    file.write_text(begun)
    assert prepare_card(file, "https://example.org/c.git") == 0
    written = file.read_text()
    lines = written.splitlines()
    assert [line for line in lines if line in begun.splitlines()] == begun.splitlines()
    assert written.count("packages:") == written.count("runcmd:") == 1
    items = [line.strip() for line in lines[lines.index("runcmd:") :] if line.strip().startswith("- [")]
    assert ["rfkill" in items[0], len(items)] == ["rfkill" in begun, 3 + ("rfkill" in begun)]
    assert items[-1].endswith("deploy/install.sh]")
    assert len({len(line) - len(line.lstrip()) for line in lines if line.strip().startswith("- [")}) == 1
    assert prepare_card(file, "https://example.org/c.git") == 0
    assert file.read_text() == written, "a second run changes nothing"
    if shutil.which("cloud-init"):
        command = ["cloud-init", "schema", "--config-file", str(file)]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_card_without_an_address_or_of_another_kind_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "user-data"
    assert prepare_card(file, "https://example.org/c.git") == 2
    assert not file.exists(), "a card of an older system has no such file, and would not read it"
    for begun in ("{}\n", "#cloud-config\nruncmd: [[rfkill, unblock, wifi]]\n"):
        file.write_text(begun)
        assert [prepare_card(file, *address) for address in (["no address"], ["https://example.org/c.git"])] == [2, 2]
        assert file.read_text() == begun


def test_the_units_command_line_is_one_that_the_companion_takes() -> None:
    (command,) = re.findall(r"^ExecStart=\S+/companion (.*)$", UNIT, re.M)
    assert parse(shlex.split(command)).unattended


def test_the_unit_runs_the_command_that_the_installer_installs_and_keeps_games_where_the_uninstaller_looks() -> None:
    places = dict(re.findall(r"^([A-Z_]+)=(?:\$UNDER)?(\S+)$", (DEPLOY / "places.sh").read_text(), re.M))
    assert f"ExecStart={places['PROGRAM']}/venv/bin/companion " in UNIT
    assert f"User={places['SERVICE_USER']}\n" in UNIT
    assert (places["STATE"], places["SETTINGS"]) == ("/var/lib/companion", "/etc/companion")
    assert "\nStateDirectory=companion\n" in UNIT
    assert "\nConfigurationDirectory=companion\n" in UNIT


MOST_EXPOSED = int(re.findall(r"^MOST_EXPOSED=(\d+)$", (DEPLOY / "long.sh").read_text(), re.M)[0])


def exposure_is_at_most(limit: int) -> bool:
    """Let systemd judge how exposed the service is, in tenths of its scale from 0 to 10."""
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={limit}", "deploy/pi/companion.service"]
    return subprocess.run(command, cwd=DEPLOY.parent, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here; deploy/long.sh demands it")
def test_the_service_is_hardly_exposed() -> None:
    assert MOST_EXPOSED == 16
    assert exposure_is_at_most(MOST_EXPOSED)
    assert not exposure_is_at_most(1), "nothing that runs is exposed so little"


def test_links_between_the_guides_lead_somewhere() -> None:
    for guide in DEPLOY.glob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", guide.read_text()):
            assert (guide.parent / target).exists(), f"{guide.name}: {target}"
