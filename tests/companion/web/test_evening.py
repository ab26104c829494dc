"""An evening on the page alone: set up, play, take back, count and end, by what a browser sends."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from companion.app.evening import EveningPlan, PlayDevices, hold_evening
from companion.core.verdicts import ActionSource
from companion.locale import speaking
from companion.shell.clock import Clock
from companion.shell.journal import Journal
from companion.shell.session import Setup
from companion.web.access import Access
from companion.web.host import PageHost, PagePlan
from companion.web.scene import page_words
from companion.web.server import Site
from companion.web.theatre import Stage, Theatre
from tests.companion.web.phones import Phone

HERE = "127.0.0.1:8080"


class SeenTheatre(Theatre):
    """A theatre whose stages are waited for; with `steps` the loop waits after each stage until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: queue.SimpleQueue[Stage] = queue.SimpleQueue()
        self.steps: threading.Semaphore | None = None

    def show(self, stage: Stage) -> None:
        super().show(stage)
        self._shown.put(stage)
        if self.steps is not None:
            self.steps.acquire(timeout=10)

    def until(self, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Return the first scene that is as wanted."""
        while True:
            stage = self._shown.get(timeout=10)
            with speaking("en"):
                scene = stage.render()
            if wanted(scene):
                return scene


class Player:
    def __init__(self, theatre: SeenTheatre, access: Access) -> None:
        self.theatre, self.phone = theatre, Phone(Site(theatre, access), HERE)

    def act(self, scene: dict[str, Any], **what: Any) -> dict[str, Any]:
        answer = self.phone.post("/act?lang=en", json={"moment": scene["moment"], **what})
        assert answer.status_code == 200, answer.text
        answered: dict[str, Any] = answer.json()
        return answered


@contextmanager
def evening(folder: Path, game: str | None = None) -> Iterator[Player]:
    """Hold an evening in a thread; it has to end by what is done on the page."""
    clock, theatre = Clock(), SeenTheatre()
    access = Access(asks=False, hosts=frozenset({"127.0.0.1"}), file=None, now_s=lambda: 0.0, elapsed_s=lambda: 0.0)
    access.passes = lambda *_who, **_cost: True  # type: ignore[method-assign] # a test is faster than people
    host = PageHost(PagePlan("127.0.0.1", 8080, clock, sees=False), theatre, access)
    setup = Setup(game, [], folder / "journal.sqlite3", lingers=True, sees=False, seed=3)
    plan = EveningPlan(setup, PlayDevices(), clock, lambda _inbox: nullcontext(), pages=host.pages())
    held = threading.Thread(target=hold_evening, args=(plan,), daemon=True)
    held.start()
    yield Player(theatre, access)
    held.join(10)
    assert not held.is_alive(), "the evening was not ended by the page"


def begun(player: Player) -> dict[str, Any]:
    """Begin the game that the lobby offers; return its first scene."""
    lobby = player.theatre.until(lambda one: one["kind"] == "lobby")
    player.act(lobby, do="offer", place=lobby["shown"], take=True)
    return player.theatre.until(lambda one: one["kind"] == "game")


def end(player: Player, scene: dict[str, Any]) -> None:
    """Count now, and end the evening."""
    player.act(scene, do="press", button="mode", held=True)
    count(player, player.theatre.until(lambda one: one.get("paused")))


def count(player: Player, paused: dict[str, Any], then: str = "end the evening") -> None:
    """Count in the pause, and end the evening, or do something else."""
    player.act(paused, do="choose", place=paused["choices"].index("count now and end the game"))
    over = player.theatre.until(lambda one: one.get("over"))
    player.act(over, do="choose", place=over["choices"].index(then))


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr("sys.stdin", StringIO())


def test_a_game_is_set_up_played_and_ended_on_the_page(tmp_path: Path) -> None:
    with evening(tmp_path) as player:
        theatre = player.theatre
        lobby = theatre.until(lambda one: one["kind"] == "lobby")
        player.act(lobby, do="pick", game="royal-ur")
        theatre.until(lambda one: one.get("offers"))
        player.act(lobby, do="people", seats=["black", "white"], names=["Ben", "Anna"])
        lobby = theatre.until(lambda one: [seat["name"] for seat in one["seats"]] == ["Ben", "Anna"])
        assert [option["value"] for option in lobby["options"]] == [False], "the usual value"
        assert [seat["seat"] for seat in lobby["seats"]] == ["black", "white"]
        names, computer = ["Ben", "Anna"], {"white": "easy"}
        player.act(lobby, do="people", seats=["black", "white"], names=names, computer=computer)
        lobby = theatre.until(lambda one: [seat["computer"] for seat in one["seats"]] == ["", "easy"])
        player.act(lobby, do="people", seats=["black", "white"], names=names)
        lobby = theatre.until(lambda one: not any(seat["computer"] for seat in one["seats"]))
        player.act(lobby, do="offer", place=lobby["shown"], take=True)

        scene = theatre.until(lambda one: one["kind"] == "game")
        assert scene["banner"] == "Ben"
        refused = ["This phone is for Anna, and it is the turn of Ben."]
        for act in ({"do": "press", "button": "roll"}, {"do": "type", "line": "3"}, {"do": "press", "button": "done"}):
            assert player.act(scene, seat="white", **act)["lines"] == refused
        assert player.act(scene, seat="white", do="type", line="rules")["lines"] != refused, "asking is free"
        player.act(scene, do="press", button="roll", seat="black")
        thrown = theatre.until(lambda one: one["played"] == 1)
        assert any("threw" in line for line in thrown["ear"]["lines"])
        assert thrown["ear"]["number"] > scene["ear"]["number"]
        assert thrown["verdict"] == "confirmed" and thrown["thrown"] is not None
        assert player.act(scene, do="press", button="roll")["stale"], "the answer to what was shown before"
        player.act(thrown, do="step", what="undo")
        back = theatre.until(lambda one: one["verdict"] == "tookback")
        player.act(back, do="type", line="3")
        typed = theatre.until(lambda one: one["played"] == 1)
        player.act(typed, do="step", what="hint")
        assert player.act(typed, do="type", line="rules")["lines"], "answered to this phone"
        assert player.act(typed, do="type", line="nonsense")["lines"]
        end(player, typed)
    with closing(Journal(tmp_path / "journal.sqlite3", Clock())) as journal:
        [game] = journal.games()
        sources = [entry.source for entry in game.entries if hasattr(entry, "source")]
    assert ActionSource.PAGE in sources


def test_done_plays_what_the_phone_showed_although_the_loop_is_late(tmp_path: Path) -> None:
    """MODE is pressed twice because nothing happens; in between the screen shows a choice, and DONE is meant for it."""
    with evening(tmp_path, "royal-ur") as player:
        theatre, scene = player.theatre, begun(player)
        player.act(scene, do="press", button="roll")
        thrown = theatre.until(lambda one: one["played"] >= 1)
        theatre.steps = threading.Semaphore(0)
        player.act(thrown, do="press", button="mode", held=True)
        paused = theatre.until(lambda one: one.get("paused"))
        for _press in range(2):
            assert not player.act(paused, do="press", button="mode")["stale"]
        theatre.steps.release()
        shown = theatre.until(lambda one: one["shown"] != paused["shown"])
        assert shown["choices"][shown["shown"]] == "save the game and stop"
        assert not player.act(shown, do="press", button="done")["stale"]
        theatre.steps.release(100)
        kept = theatre.until(lambda one: one["kind"] == "lobby" or one.get("over"))
        assert kept["kind"] == "lobby", "the game was ended instead of saved"
        player.act(kept, do="offer", place=kept["shown"], take=True)
        end(player, theatre.until(lambda one: one["kind"] == "game"))


def test_a_question_of_a_phone_is_answered_there_and_nowhere_else(tmp_path: Path) -> None:
    with evening(tmp_path, "royal-ur") as player:
        theatre, scene = player.theatre, begun(player)

        def answered(question: str) -> list[str]:
            lines: list[str] = player.act(scene, do="type", line=f"ask {question}")["lines"]
            return lines

        asked = {question: answered(question) for question in page_words()["questions"]}
        cell = answered("E2")
        assert cell[0].startswith("E2: ")
        assert all(asked[one] for one in ("turn", "possible", "score", "board"))
        assert asked["around"] == ["Ask for a space first."]
        assert answered("again") == cell
        assert answered("around") not in (cell, asked["around"])
        player.act(scene, do="press", button="roll")
        thrown = theatre.until(lambda one: one["played"] == 1)
        assert thrown["ear"]["number"] == scene["ear"]["number"] + 1, "nobody else heard the answers"
        end(player, thrown)


def test_a_phone_hears_that_its_press_came_too_late(tmp_path: Path) -> None:
    with evening(tmp_path, "royal-ur") as player:
        theatre, scene = player.theatre, begun(player)
        theatre.steps = threading.Semaphore(0)
        assert not player.act(scene, do="press", button="mode", held=True)["stale"]
        paused = theatre.until(lambda one: one.get("paused"))
        assert not player.act(paused, do="press", button="mode")["stale"], "the loop is busy: nobody knows yet"
        threading.Timer(0.1, theatre.steps.release, (2,)).start()
        assert player.act(paused, do="press", button="mode")["stale"], "the first press has changed what it meant"
        theatre.steps.release(100)
        shown = theatre.until(lambda one: one["shown"] != paused["shown"])
        count(player, shown)


def test_a_game_that_was_named_is_offered_and_its_players_are_chosen_on_the_page(tmp_path: Path) -> None:
    with evening(tmp_path, "territory") as player:
        lobby = player.theatre.until(lambda one: one["kind"] == "lobby")
        assert lobby["game"] == "territory" and lobby["playable"]
        player.act(lobby, do="offer", place=1)
        shown = player.theatre.until(lambda one: one["shown"] == 1)
        player.act(shown, do="offer", place=1, take=True)
        scene = player.theatre.until(lambda one: one["kind"] == "game")
        assert len(scene["players"]) == sum(seat["plays"] for seat in shown["seats"])
        end(player, scene)
