"""What a page shows: the same as the screen, drawn from the table file, in every language, and nothing hidden."""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.offers import OfferBook
from companion.core.display import view as view_of
from companion.core.lobby import Lobby, OfferShown, lobby_step
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
from companion.web.acts import Press, still_applies
from companion.web.host import GameDisplay
from companion.web.pictures import Lookout
from companion.web.scene import game_scene, lobby_scene, moment_of, page_words
from companion.web.theatre import Theatre, patch
from hardware.panel import Panel
from tests.companion.shell.clocks import ManualClock
from vision.labels import EMPTY

LANGUAGES = ("en", "de", "es", "fr", "it", "nl")


def table_of(game: str, folder: Path) -> SessionTable:
    path = folder / "journal.sqlite3"
    with closing(Journal(path, ManualClock())) as journal:
        opened = open_game(journal, Setup(game, [], path, seed=7, sees=False))
    return SessionTable(opened, no_devices(), Panel(), lambda _event: None)


def scene_of(table: SessionTable, language: str = "en") -> dict[str, Any]:
    with speaking(language):
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


@pytest.mark.parametrize("game", GAMES)
def test_each_phone_has_its_language(game: str, tmp_path: Path) -> None:
    table = table_of(game, tmp_path)
    turns = {scene_of(table, language)["turn"] for language in LANGUAGES}
    assert len(turns) == len(LANGUAGES)
    cells = [scene_of(table, language)["board"]["cells"] for language in LANGUAGES]
    assert all(cell == cells[0] for cell in cells)


def test_the_words_of_the_page_are_there_in_each_language() -> None:
    words = []
    for language in LANGUAGES:
        with speaking(language):
            words.append(page_words())
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
    json.dumps(scene)
