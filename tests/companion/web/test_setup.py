"""Set-up on the page: the camera's lens, pieces and a board of the players' own, and the network of the house."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from companion.web.access import Access
from companion.web.pictures import Lookout
from companion.web.server import Site
from companion.web.theatre import Theatre
from companion.web.wifi import Join, Networks, routes
from companion.web.workshop import MOST_PICTURES, MeasureLens, OwnBoard, Pieces, Take, Workshop, _command
from companion.web.workshop import routes as workshop_routes
from tests.companion.web.phones import Phone
from tests.vision.camera.stand_ins import coloured
from vision.frame import Frame


def a_site(**more: Any) -> Site:
    return Site(Theatre(), Access(asks=False, hosts=frozenset({"192.168.1.5"}), file=None, now_s=lambda: 0.0), **more)


@pytest.fixture
def lookout() -> Lookout:
    return Lookout(eye=cast("Any", SimpleNamespace(latest=Frame(coloured(400, 200), 0))))


def test_pictures_are_taken_one_by_one_and_a_command_says_what_it_found_in_them(lookout: Lookout) -> None:
    phone = Phone(a_site(more=workshop_routes(a_site(), lookout)))
    words = phone.get("/workshop?lang=de").json()
    assert [task["do"] for task in words["tasks"]] == ["lens", "pieces", "board"] and words["games"]
    assert phone.post("/workshop", json={"do": "take"}).json() == {"lines": [], "taken": 1}
    found = phone.post("/workshop?lang=de", json={"do": "lens"}).json()["lines"]
    assert any("1.png" in line for line in found) and not any("Traceback" in line for line in found)
    assert found != phone.post("/workshop?lang=en", json={"do": "lens"}).json()["lines"]


@pytest.mark.parametrize(
    "work",
    [
        {"do": "pieces", "game": "../secret"},
        {"do": "board", "game": "royal-ur", "corners": [[0, 0], [1, 0], [1, 1]]},
        {"do": "board", "game": "royal-ur", "corners": [[0, 0], [1, 0], [1, 2], [0, 1]]},
        {"do": "lens", "file": "/etc/passwd"},
    ],
)
def test_a_task_takes_nothing_but_what_it_knows(lookout: Lookout, work: object) -> None:
    phone = Phone(a_site(more=workshop_routes(a_site(), lookout)))
    assert phone.post("/workshop", json=work).status_code == 400


def test_so_many_pictures_are_kept_and_corners_are_those_of_the_first(
    lookout: Lookout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    workshop = Workshop(lookout)
    for _time in range(MOST_PICTURES + 2):
        taken = workshop.done(Take())
    assert taken["taken"] == MOST_PICTURES
    assert workshop.done(Take(first=True))["taken"] == 1
    board = OwnBoard("royal-ur", [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.5)])
    asked = _command(board, workshop._size_wh)
    assert "0,0 400,0 400,200 0,100" in asked and "--no-markers" not in asked
    assert "--no-markers" in _command(msgspec.structs.replace(board, markers=False), workshop._size_wh)
    assert (tmp_path / "config/companion").is_dir(), "the first table file of a user has a folder to be in"
    assert _command(Pieces("royal-tee"), (1, 1)) == ["enrol", "--game", "royal-tee"]
    lookout.eye = None
    assert workshop.done(Take())["lines"]


def test_a_command_works_in_memory_one_at_a_time(
    lookout: Lookout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, held = tmp_path / "program", tmp_path / "held"
    program.write_text(f'#!/bin/sh\npwd >"{held}"\nls\n')
    program.chmod(0o755)
    os.mkfifo(held)
    monkeypatch.setattr("sys.executable", str(program))
    workshop, found = Workshop(lookout), list[Any]()
    workshop.done(Take())
    command = threading.Thread(target=lambda: found.append(workshop.done(MeasureLens())))
    command.start()
    with held.open() as folder:
        busy = workshop.done(Take())
        assert busy["lines"] and busy["taken"] == 1
        worked_in = folder.read().strip()
    command.join(30.0)
    assert found == [{"lines": ["1.png"], "taken": 1}]
    memory = Path("/dev/shm")  # noqa: S108 - compared only
    assert not Path(worked_in).exists() and (Path(worked_in).parent == memory or not memory.is_dir())


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an nmcli that notes what it is asked, and joins a network whose password is right."""
    tool = tmp_path / "nmcli"
    tool.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$*" >>"{tmp_path}/asked"\n'
        'case "$*" in *"wifi list"*) printf ":40:Caf\\\\:e\\n*:90:companion\\n:70:Home 5\\n:30:Home 5\\n:10:\\n" ;;\n'
        f'*"wifi connect"*) read -r typed; [ "$typed" = right ] ;; '
        '*"connection show"*) printf "companion\\nCaf\\\\:e\\n" ;; esac\n'
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path


def attempt_ends() -> None:
    for thread in threading.enumerate():
        if thread.name == "wifi":
            thread.join(30.0)


def test_the_networks_in_reach_are_listed_and_one_is_joined(box: Path) -> None:
    networks = Networks()
    assert networks.listed() == {"networks": ["Home 5", "Caf:e"], "current": "companion", "failed": ""}
    assert networks.join(Join("Home 5", "right")) == "Home 5"
    attempt_ends()
    asked = (box / "asked").read_text()
    assert "wifi connect Home 5" in asked and "right" not in asked, "a password is on no command line"
    assert "autoconnect-priority 10" in asked and "connection up" not in asked
    assert not networks.listed()["failed"]


def test_after_a_wrong_password_the_own_network_comes_back_and_nothing_is_kept(box: Path) -> None:
    networks = Networks()
    networks.join(Join("Home 5", "wrong"))
    attempt_ends()
    asked = (box / "asked").read_text().splitlines()
    assert asked[-2:] == ["connection delete Home 5", "connection up companion"]
    assert networks.listed()["failed"] == "Home 5"


def test_after_a_wrong_password_a_network_that_was_known_before_is_still_known(box: Path) -> None:
    networks = Networks()
    networks.join(Join("Caf:e", "wrong"))
    attempt_ends()
    asked = (box / "asked").read_text()
    assert "wifi connect Caf:e" in asked and "connection delete" not in asked
    assert networks.listed()["failed"] == "Caf:e"


def test_one_network_is_joined_at_a_time_and_a_box_without_an_answer_says_so(box: Path) -> None:
    (box / "nmcli").write_text(f'#!/bin/sh\ncat >/dev/null <"{box}/held"\nexit 1\n')
    os.mkfifo(box / "held")
    networks = Networks()
    asked = [networks.join(Join(name)) for name in ("Home 5", "Other")]
    with (box / "held").open("w"):  # as soon as nmcli has begun
        (box / "nmcli").unlink()
    attempt_ends()
    assert asked == ["Home 5", "Home 5"] and networks.listed()["failed"] == "Home 5"


@pytest.mark.usefixtures("box")
def test_the_page_asks_for_a_name_and_a_password_and_for_nothing_else() -> None:
    site = a_site()
    site.more = routes(site)
    phone = Phone(site)
    assert phone.get("/networks?lang=de").json()["networks"] == ["Home 5", "Caf:e"]
    for refused in ({"name": ""}, {"name": "-f"}, {"name": "a\nb"}, {"name": "Home", "password": "x\ny"}, {"name": 5}):
        assert phone.post("/networks", json=refused).status_code == 400
    assert phone.post("/networks", json={"name": "Home 5", "password": "right"}).json() == {"joining": "Home 5"}
    attempt_ends()


def test_without_networkmanager_there_is_nothing_to_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert routes(a_site()) == []
