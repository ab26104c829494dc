"""The scripts of deploy/ and of the rig: clean, and careful with what they are given. The rig runs them for real."""

from __future__ import annotations

import ipaddress
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(
    str(script.relative_to(ROOT))
    for folder in ("deploy", "tests/rig", ".ci")
    for script in (ROOT / folder).rglob("*")
    if script.suffix == ".sh" or script.name == "run"
)


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", script, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not here: sudo apt install shellcheck")
def test_shellcheck_finds_nothing() -> None:
    assert len(SCRIPTS) >= 9
    checked = subprocess.run(
        ["shellcheck", "--external-sources", *SCRIPTS], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.stdout == ""


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="the installer is for Debian and Raspberry Pi OS")
def test_a_dry_run_of_the_installer_reports_every_step_and_takes_none() -> None:
    dry = run("deploy/install.sh", "--dry-run")
    assert (dry.returncode, dry.stderr) == (0, "")
    for step in (
        "user companion",
        "/opt/companion/venv",
        "/etc/companion/companion.toml",
        "/etc/companion/hardware.toml",
        "companion.service",
    ):
        assert step in dry.stdout
    assert "\n + " not in dry.stdout, "a step that was taken"
    assert "nothing was done" in dry.stdout.splitlines()[-1]


def test_a_dry_run_of_the_uninstaller_takes_no_step_and_leaves_the_games_unless_asked() -> None:
    dry = run("deploy/uninstall.sh", "--dry-run")
    assert (dry.returncode, dry.stderr) == (0, "")
    assert "/var/lib/companion" not in dry.stdout
    assert "/var/lib/companion" in run("deploy/uninstall.sh", "--dry-run", "--games").stdout


CAMERA_SETTINGS = {
    'camera = "stream:http://u:secret@cam/v"': True,
    "camera='stream:rtsp://cam/v' # the hall's": True,
    '# camera = "stream:http://cam/v"\ncamera = "picamera"': False,
    'game = "royal-tee"': False,
    'listen = "0.0.0.0"': True,
    '# listen = "0.0.0.0"': False,
    'publish = "mqtt://u:secret@10.0.0.2/t"': True,
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("written", "opened"), CAMERA_SETTINGS.items())
@pytest.mark.parametrize(
    ("variable", "outranks"),
    [("", None), ("COMPANION_CAMERA=", None), ("COMPANION_CAMERA=webcam:0", False),
     ('COMPANION_CAMERA="stream:http://u:secret@cam/v"', True)],
)  # fmt: skip
def test_the_network_is_opened_only_for_a_camera_in_it(
    tmp_path: Path, written: str, opened: bool, variable: str, outranks: bool | None
) -> None:
    (tmp_path / "companion.toml").write_text(written + "\n")
    (tmp_path / "environment").write_text(f"# variables\n{variable}\n")
    drop_in = tmp_path / "companion.service.d/network.conf"
    before = installed_network(tmp_path)
    by_page = opened and "camera" not in written
    assert drop_in.exists() is (opened if outranks is None or by_page else outranks)
    assert "secret" not in before
    (tmp_path / "companion.toml").write_text("")
    (tmp_path / "environment").write_text("COMPANION_CAMERA=picamera\n")
    installed_network(tmp_path)
    assert not drop_in.exists(), "the camera is no longer in the network"


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of /, with an nmcli that notes what it is asked for and knows what was added."""
    tools = tmp_path / "bin"
    tools.mkdir()
    asked = tmp_path / "asked"
    nmcli = tools / "nmcli"
    nmcli.write_text(
        "#!/bin/sh\n"
        f'printf "%s\\n" "$*" >>"{asked}"\n'
        f'case "$*" in *"connection show companion"*) [ -e "{tmp_path}/added" ] ;;\n'
        f'*"connection add"*) touch "{tmp_path}/added" ;; *"connection delete"*) rm "{tmp_path}/added" ;;\n'
        f'*"wifi connect"*) cat >"{tmp_path}/typed" ;; esac\n'
    )
    nmcli.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("COMPANION_INSTALL_UNDER", str(tmp_path))
    monkeypatch.setenv("WIFI_PASSWORD", "home secret")
    return tmp_path


@pytest.mark.skipif(os.geteuid() != 0, reason="it changes the system, so it wants root")
def test_an_access_point_is_offered_after_all_known_networks_and_taken_away(box: Path) -> None:
    dry = run("deploy/access-point.sh", "--dry-run")
    assert dry.returncode == 0 and "would do" in dry.stdout and not (box / "added").exists()
    made = run("deploy/access-point.sh")
    assert made.returncode == 0, made.stderr
    added = next(line for line in (box / "asked").read_text().splitlines() if line.startswith("connection add"))
    assert "mode ap" in added and "autoconnect-priority -100" in added and "wpa-psk" in added
    password = next(line.rpartition(" ")[2] for line in made.stdout.splitlines() if "password" in line)
    assert len(password) >= 8 and f"wifi-sec.psk {password}" in added
    assert (box / "etc/NetworkManager/dnsmasq-shared.d/companion.conf").read_text() == "address=/#/10.42.0.1\n"
    rule = box / "etc/polkit-1/rules.d/51-companion-wifi.rules"
    assert rule.exists(), "the page may join a network"
    assert "as it was" in run("deploy/access-point.sh").stdout, "a second run adds nothing"
    assert run("deploy/access-point.sh", "--remove").returncode == 0
    assert not (box / "added").exists() and not rule.exists()
    assert not (box / "etc/NetworkManager/dnsmasq-shared.d/companion.conf").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="it changes the system, so it wants root")
def test_a_home_network_is_joined_with_a_password_that_is_on_no_command_line(box: Path) -> None:
    joined = run("deploy/access-point.sh", "--join", "Home 5")
    assert joined.returncode == 0, joined.stderr
    asked = (box / "asked").read_text()
    assert "wifi connect Home 5" in asked and "autoconnect-priority 10" in asked
    assert "secret" not in asked + joined.stdout and (box / "typed").read_text() == "home secret\n"


def installed_network(folder: Path) -> str:
    """Run the installer's step for the network with a folder in place of /etc, and return what it printed."""
    text = (ROOT / "deploy/install.sh").read_text(encoding="utf-8").replace('cd "$(dirname "$0")/.."', "")
    places = f'SETTINGS="{folder}"; NETWORK_DROP_IN="{folder}/companion.service.d/network.conf"'
    script = text.replace('main "$@"', f'{places}; network; echo "changed: $put_changed"; network')
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_drop_in_opens_the_local_network_and_nothing_else() -> None:
    lines = (ROOT / "deploy/pi/companion-network.conf").read_text(encoding="utf-8").splitlines()
    assert {"RestrictAddressFamilies=AF_INET AF_INET6", "IPAddressDeny=any"} <= {*lines}
    allowed = [line.removeprefix("IPAddressAllow=") for line in lines if line.startswith("IPAddressAllow=")]
    networks = [ipaddress.ip_network(word) for words in allowed for word in words.split()]
    assert networks
    assert all(network.is_private or network.is_link_local or network.is_loopback for network in networks)


@pytest.mark.parametrize("script", ["deploy/install.sh", "deploy/uninstall.sh"])
def test_an_argument_that_is_not_known_is_reported_in_one_line_and_nothing_is_done(script: str) -> None:
    refused = run(script, "--dryrun")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith('stopped: unknown argument "--dryrun", expected --dry-run')
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize("script", ["deploy/install.sh", "deploy/uninstall.sh"])
def test_help_has_an_example(script: str) -> None:
    assert "\nexample: sudo bash " in run(script, "--help").stdout


def test_where_the_rig_cannot_be_had_it_says_so_in_one_line_and_does_not_pass(tmp_path: Path) -> None:
    for tool in ("bash", "dirname", "cat", "cksum", "uname", "id"):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    bare = subprocess.run(
        ["bash", "tests/rig/run.sh"], cwd=ROOT, env={"PATH": str(tmp_path), "HOME": str(tmp_path)}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert bare.returncode == 77
    assert bare.stderr.startswith("the rig was not run: it ")
    assert bare.stderr.count("\n") == 1


def test_the_installer_does_not_take_over_a_private_umask(tmp_path: Path) -> None:
    """Files that only root may read would keep the service's own user from starting the program."""
    stopped = tmp_path / "install.sh"
    text = (ROOT / "deploy/install.sh").read_text(encoding="utf-8")
    stopped.write_text(text.replace('main "$@"', f'echo made >"{tmp_path}/file"'), encoding="utf-8")
    script = f'umask 077; cd "{ROOT}"; bash -c "$(sed "s|\\$(dirname \\"\\$0\\")/..|{ROOT}|" "{stopped}")"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o644
