"""Set-up on the page: the camera's lens, pieces and a board of the players' own, and the network of the house."""

from __future__ import annotations

import json
import os
import re
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from companion.app.offers import OfferBook
from companion.core.display import view as view_of
from companion.core.lobby import Lobby, OfferShown, OptionGiven, lobby_step
from companion.core.messages import DeviceFailed, DeviceReturned, Event
from companion.core.view import View
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.locale import speaking
from companion.shell.devices import no_devices
from companion.shell.effects import ShownView
from companion.shell.journal import Journal
from companion.shell.loop import ConditionalEvents
from companion.shell.session import SessionTable, Setup, open_game
from companion.web import host
from companion.web.acts import Agree, Press, lobby_acts, still_applies
from companion.web.host import GameDisplay
from companion.web.pictures import Lookout
from companion.web.scene import game_scene, lobby_scene, moment_of, page_words
from companion.web.theatre import Theatre, patch
from companion.web.wifi import Join, Networks, routes
from companion.web.workshop import MOST_PICTURES, MeasureLens, OwnBoard, Pieces, Take, Workshop, _command
from companion.web.workshop import routes as workshop_routes
from engines.sentence import Sentence
from hardware.panel import Panel
from tests.companion.languages import LANGUAGES
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.fakes import program
from tests.companion.web.phones import Phone, a_site
from tests.vision.camera.stand_ins import coloured
from vision.frame import Frame
from vision.labels import EMPTY


@pytest.fixture
def lookout() -> Lookout:
    return Lookout(eye=cast("Any", SimpleNamespace(latest=Frame(coloured(400, 200), 0))))


def test_pictures_are_taken_one_by_one_and_a_command_says_what_it_found_in_them(
    lookout: Lookout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text('language = "fr"\nwidth = 40\n')
    monkeypatch.setenv("COMPANION_SETTINGS", str(settings))
    phone = Phone(a_site(more=workshop_routes(a_site(), lookout)))
    words = phone.get("/workshop?lang=de").json()
    assert [task["do"] for task in words["tasks"]] == ["lens", "pieces", "board"] and words["games"]
    assert phone.post("/workshop", json={"do": "take"}).json() == {"lines": [], "taken": 1}
    german, english = (
        phone.post(f"/workshop?lang={code}", json={"do": "lens"}).json()["lines"] for code in ("de", "en")
    )
    assert any("1.png" in line for line in german) and not any("Traceback" in line for line in german)
    assert len(german) == len(english) == 2, "no line is broken for a narrow terminal"
    assert german != english, "in the phone's language, not the table's"


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
    held = tmp_path / "held"
    program(tmp_path, "program", f'pwd >"{held}"\nread -r go <"{held}"\nls')
    os.mkfifo(held)
    monkeypatch.setattr("sys.executable", str(tmp_path / "program"))
    workshop, found = Workshop(lookout), list[Any]()
    workshop.done(Take())
    command = threading.Thread(target=lambda: found.append(workshop.done(MeasureLens())))
    command.start()
    worked_in = held.read_text().strip()
    busy = workshop.done(Take())
    assert busy["lines"] and busy["taken"] == 1
    held.write_text("go\n")
    command.join(30.0)
    assert found == [{"lines": ["1.png"], "taken": 1}]
    memory = Path("/dev/shm")  # noqa: S108 - compared only
    assert not Path(worked_in).exists() and (Path(worked_in).parent == memory or not memory.is_dir())


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an nmcli that notes what it is asked, and joins a network whose password is right."""
    program(
        *(tmp_path, "nmcli"),
        f'printf "%s\\n" "$*" >>"{tmp_path}/asked"\n'
        'case "$*" in *"wifi list"*) printf ":40:Caf\\\\:e\\n*:90:companion\\n:70:Home 5\\n:30:Home 5\\n:10:\\n" ;;\n'
        f'*"wifi connect"*) read -r typed; [ "$typed" = right ] ;; '
        '*"connection show"*) printf "companion\\nCaf\\\\:e\\n" ;; esac',
    )
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


@pytest.mark.parametrize(("name", "deleted"), [("Home 5", ["connection delete Home 5"]), ("Caf:e", [])])
def test_after_a_wrong_password_the_own_network_comes_back_and_only_what_was_known_before_is_kept(
    box: Path, name: str, deleted: list[str]
) -> None:
    networks = Networks()
    networks.join(Join(name, "wrong"))
    attempt_ends()
    asked = (box / "asked").read_text().splitlines()
    assert any(f"wifi connect {name}" in line for line in asked)
    assert [line for line in asked if "connection delete" in line] == deleted
    assert asked[-1] == "connection up companion"
    assert networks.listed()["failed"] == name


def test_one_network_is_joined_at_a_time_and_a_box_without_an_answer_says_so(box: Path) -> None:
    program(box, "nmcli", f'cat >/dev/null <"{box}/held"\nexit 1')
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
    longest = {"name": 32 * "n"}  # of a network's name, in bytes
    assert msgspec.convert(longest, Join) == Join(**longest)
    names = [{"name": name} for name in ("", 33 * "n", "-f", "a\nb", 5)]
    for refused in (*names, {"name": "Home", "password": "x\ny"}):
        assert phone.post("/networks", json=refused).status_code == 400
    assert phone.post("/networks", json={"name": "Home 5", "password": "right"}).json() == {"joining": "Home 5"}
    attempt_ends()


def test_without_networkmanager_there_is_nothing_to_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert routes(a_site()) == []


# ---- what a page shows: the same as the screen, drawn from the table file, in every language, and nothing hidden


def table_of(game: str, folder: Path) -> SessionTable:
    path = folder / "journal.sqlite3"
    with closing(Journal(path, ManualClock())) as journal:
        opened = open_game(journal, Setup(game, [], path, seed=7, sees=False))
    return SessionTable(opened, no_devices(), Panel(), lambda _event: None)


def scene_of(table: SessionTable) -> dict[str, Any]:
    with speaking("en"):
        scene: dict[str, Any] = json.loads(json.dumps(game_scene(ShownView(view_of(table.game.state)), table)))
        return scene


@pytest.mark.parametrize("game", GAMES)
def test_a_page_draws_every_cell_and_every_piece_of_a_game(game: str, tmp_path: Path) -> None:
    table = table_of(game, tmp_path)
    scene, board = scene_of(table), GAMES[game].board()
    assert set(scene["board"]["cells"]) == set(board.places)
    width, height = board.size
    boxes = scene["board"]["cells"].values()
    assert all(0 <= x < x + w <= width and 0 <= y < y + h <= height for x, y, w, h in boxes)
    expected = {str(cell) for cell, label in view_of(table.game.state).board.items() if label != EMPTY}
    assert set(scene["cells"]) == expected
    defined = "".join([scene["board"]["svg"], *scene["art"].values()])
    ids = re.findall(r'id="([^"]+)"', defined)
    used = {cell["art"] for cell in scene["cells"].values()} | set(re.findall(r'href="#([^"]+)"', defined))
    assert used <= set(ids) and len(ids) == len(set(ids))
    assert {player["seat"] for player in scene["players"]} == {str(seat) for seat in table.game.state.players}
    assert scene["turn"] and scene["explain"]
    assert all(one["svg"].startswith("<svg") for one in scene["drawings"])
    assert bool(scene["drawings"]) == (game == "royal-study"), "the Study's card"


def test_the_words_of_the_page_are_there_in_each_language() -> None:
    """They are asked for as a browser does: what cannot be written as JSON leaves the page empty."""
    words, phone = [], Phone(a_site())
    for language in LANGUAGES:
        answer = phone.get(f"/words?lang={language}")
        assert answer.status_code == 200
        words.append(answer.json())
        with speaking(language):
            assert json.loads(json.dumps(page_words())) == words[-1]
    for other in words[1:]:
        assert other.keys() == words[0].keys()
        assert all(other[key] != words[0][key] for key in ("lost", "stale", "join", "code", "ask", "press"))


def test_what_lies_face_down_is_not_sent(tmp_path: Path) -> None:
    """A page is everybody's: nothing of a hidden card is in it, however its position knows it."""
    game = "royal-racers"
    table = table_of(game, tmp_path)
    down = [cell for cell, label in view_of(table.game.state).board.items() if label.startswith("back")]
    hidden = ENGINES[game].game.position_to_json(table.game.state.position)
    scene = scene_of(table)
    assert len({scene["cells"][cell]["art"] for cell in down}) <= 1, "all backs are drawn alike"
    assert "deck" not in scene and "seed" not in json.dumps(scene) and hidden


def test_an_answer_to_another_moment_is_known_by_it(tmp_path: Path) -> None:
    table = table_of("royal-ur", tmp_path)
    view: View = view_of(table.game.state)
    assert moment_of(view) == moment_of(replace(view, remaining_s=17)), "a clock that ticks changes no answer"
    for changed in (
        replace(view, played=1),
        replace(view, paused=True),
        replace(view, choices=()),
        replace(view, buttons={}),
        replace(view, shown=7),
        replace(view, number=7),
    ):
        if changed != view:
            assert moment_of(changed) != moment_of(view)
    counted = replace(view, number=7)  # pressed once more before the screen shows the last press
    acts = {button: Press(button=button, moment=moment_of(view)) for button in ("roll", "done")}
    assert {button: still_applies(act, counted) for button, act in acts.items()} == {"roll": True, "done": False}


def test_a_page_that_cannot_be_drawn_is_reported_once_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Event | ConditionalEvents] = []
    table = replace(table_of("royal-ur", tmp_path), report=told.append)
    theatre = Theatre()
    display = GameDisplay(theatre, table, ManualClock().now_ns, Lookout())
    shown = ShownView(view_of(table.game.state))
    with monkeypatch.context() as broken:
        broken.setattr(host, "game_scene", lambda *_shown: int("broken"))
        for _time in range(2):
            display.show(shown)
            assert theatre.stage.render()["kind"] == "empty"
    assert [type(event) for event in told] == [DeviceFailed]
    display.show(shown)
    assert theatre.stage.render()["kind"] == "game"
    assert [type(event) for event in told] == [DeviceFailed, DeviceReturned]


def test_only_what_has_changed_is_sent_again() -> None:
    scene: dict[str, Any] = {"kind": "game", "clock": 12, "cells": {"A1": 1}, "gone": 1}
    assert patch({}, scene) == scene
    assert patch(scene, {"kind": "game", "clock": 11, "cells": {"A1": 1}}) == {"gone": None, "clock": 11}
    assert patch(scene, scene) == {}
    two = {"kind": "game", "cells": {"A1": 1, "B2": 2}}
    assert patch(two, {"kind": "game", "cells": {"B2": 3}}) == {"cells": {"A1": None, "B2": 3}}, "one cell, not all"


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_a_camera_does_not_work_can_be_sent_to_the_page(language: str) -> None:
    sentence = Sentence("{camera} is closed").format(camera="webcam 0")
    lobby = lobby_step(Lobby(OfferBook([], {}).can_begin), DeviceFailed("camera", sentence))
    with speaking(language):
        [line] = lobby_scene(lobby, sees=False)["lines"]
    assert "webcam 0" in msgspec.json.decode(msgspec.json.encode(line))


def test_the_lobby_shows_what_can_be_begun_and_agreed() -> None:
    book = OfferBook([], {})
    empty = lobby_scene(Lobby(book.can_begin), sees=False)
    assert {one["game"] for one in empty["games"]} == set(GAMES) and not empty["begin"] and not empty["offers"]
    lobby = lobby_step(Lobby(book.can_begin), book.offers(GAMES["territory"].board(), {}))
    scene = lobby_scene(lobby, sees=True)
    assert scene["playable"] and scene["begin"] and len(scene["offers"]) > 1
    assert [seat["seat"] for seat in scene["seats"] if seat["plays"]] == [str(seat) for seat in lobby.offers[0].players]
    assert all(option["title"] and (option["values"] or option["span"]) for option in scene["options"])
    other = lobby_step(lobby, OfferShown(1))
    assert lobby_scene(other, sees=True)["shown"] == 1
    assert lobby_acts(Agree(key="rounds", value=3), lobby) == [OptionGiven("rounds", 3)]
    for key in ("language", "sound", "seat red", "name red", "stakes"):
        assert not lobby_acts(Agree(key=key, value="xx"), lobby), "a page sets the game's options alone"
    json.dumps(scene)
