from __future__ import annotations

import gc
import os
import queue
import signal
import sqlite3
import weakref
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from companion.app import evening
from companion.app.evening import EveningEnd, EveningPlan, PlayDevices, goes_on
from companion.cli import main, parse, play
from companion.cli.arguments import COMMANDS
from companion.cli.exits import DONE, FAULT, ended_by_signals
from companion.cli.parser import Parser
from companion.cli.play import play_devices, read_seats, read_setup
from companion.core.entries import Arranged, Played
from companion.core.verdicts import ActionSource
from companion.games import captions
from companion.locale import speaking
from companion.shell import session
from companion.shell.journal import Journal
from companion.shell.loop import Inbox, StopLoop
from companion.shell.session import Setup
from companion.shell.settings import Settings
from companion.ui import page
from engines.kernel import Level, Seat
from hardware.panel import Rhythm
from tests.companion.conftest import Refused, Told
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.fakes import played_before
from tests.companion.shell.tables import KeptPanel
from tests.rig.inside.service import BEGUN, CHOICE, CHOSEN, PAUSED
from vision.board import table_file
from vision.errors import CameraEndedError, CameraError

pytestmark = pytest.mark.usefixtures("state")


def test_players_are_named_in_peoples_own_language() -> None:
    with speaking("fr"):
        assert read_seats("blanc, black", "royal-ur") == ["white", "black"]
    assert read_seats("Suns,moons", "royal-racers") == ["suns", "moons"]
    assert read_seats("Anna,Ben", "royal-study") == ["Anna", "Ben"]


@pytest.mark.parametrize(
    ("arranged", "source", "camera", "sentence"),
    [
        (Arranged(camera="webcam:2"), ActionSource.CAMERA, "webcam:2", "with the camera webcam:2"),
        (Arranged(camera="picamera", panel="gpio"), ActionSource.CAMERA, "picamera", "panel is gpio"),
        (Arranged(camera="simulated"), ActionSource.CAMERA, "simulated", "simulated people"),
        (Arranged(), ActionSource.TYPED, "none", "This game was typed"),
        (Arranged(), ActionSource.CAMERA, "none", "is not known any more"),
        (Arranged(camera="stream:http://***@garden/"), ActionSource.CAMERA, "none", "is not known any more"),
    ],
)
@pytest.mark.parametrize("how", [["--resume"], ["--number", "1"]])
def test_a_game_goes_on_with_the_camera_that_it_was_begun_with(
    arranged: Arranged,
    source: ActionSource,
    camera: str,
    sentence: str,
    how: list[str],
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    told: Told,
) -> None:
    thrown = Played({"roll": 1}, source=source)
    played_before(state / "journal.sqlite3", "royal-ur", ("white", "black"), arranged, thrown)
    begun: list[str] = []

    def begin_with(args: Namespace, _settings: Settings) -> EveningPlan:
        begun.append(args.camera)
        assert (args.panel or "") == ("" if args.camera == "webcam:9" else arranged.panel)
        setup = Setup("royal-ur", (), state / "journal.sqlite3")
        return EveningPlan(setup, PlayDevices(), ManualClock(), ended_by_signals)

    monkeypatch.setattr(play, "_plan", begin_with)
    monkeypatch.setattr(play, "hold_evening", lambda _plan: EveningEnd())
    assert sentence in told("play", *how)
    told("play", *how, "--camera", "webcam:9")
    assert begun == [camera, "webcam:9"]


@pytest.mark.parametrize("page", [("--page",), ("--listen", "127.0.0.1")])
def test_a_named_game_on_a_page_is_played_by_those_who_look_at_it(
    page: tuple[str, ...], told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cameras: list[str] = []

    def begin_with(args: Namespace, _settings: Settings) -> EveningPlan:
        cameras.append(args.camera)
        setup = Setup("royal-ur", (), tmp_path / "journal.sqlite3")
        return EveningPlan(setup, PlayDevices(), ManualClock(), ended_by_signals)

    monkeypatch.setattr(play, "_plan", begin_with)
    monkeypatch.setattr(play, "_show_elsewhere", lambda _args, _settings, plan: nullcontext(plan))
    monkeypatch.setattr(play, "hold_evening", lambda _plan: EveningEnd())
    assert "simulated people" not in told("play", "royal-ur", *page)
    told("play", "royal-ur", *page, "--camera", "simulated")
    assert cameras == ["none", "simulated"]


def test_a_recording_is_played_to_its_end_through_the_real_reader(
    told: Told, recording: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.core.stability.ASK_S", 0.0)  # else why pictures are refused is said after a while
    said = told("play", "royal-tee", "--camera", f"files:{recording}", "--panel", "simulated")
    assert "the markers of the table" in said
    assert BEGUN in said, "the rig waits for this sentence"
    assert "The game is not over" not in said, "nothing was accepted, so there is nothing to resume"
    with sqlite3.connect(state / "journal.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (0,)
    connection.close()


@pytest.mark.parametrize("panel", [None, "desk", "gpio"])
def test_a_folder_is_a_camera_that_waits_where_people_play(panel: str | None, tmp_path: Path) -> None:
    arguments = parse(["play", "--camera", f"files:{tmp_path}", *(["--panel", panel] if panel else [])])
    with play_devices(arguments, Settings(), ManualClock()).opens_camera()() as camera:
        with pytest.raises(CameraError, match="no photograph") as raised:
            camera.read()
        assert not isinstance(raised.value, CameraEndedError)


def test_the_rig_waits_for_sentences_of_ours() -> None:
    written = "".join(Path(str(module.__file__)).read_text(encoding="utf-8") for module in (page, captions))
    for sentence in (PAUSED, CHOICE.removeprefix("DONE: "), CHOSEN):
        assert sentence in written


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_loop_between_two_events(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    inbox: Inbox = queue.SimpleQueue()
    with ended_by_signals(inbox):
        os.kill(os.getpid(), number)
        assert inbox.get(timeout=1) == StopLoop()
        assert signal.getsignal(number) is before, "the second one ends the program"
    assert signal.getsignal(number) is before


@pytest.mark.parametrize(
    ("wanted", "unattended", "expected"),
    [
        ("rematch", False, True),
        ("new", False, True),
        ("over", False, False),
        ("save", False, False),
        ("", False, False),
        ("over", True, True),
        ("save", True, True),
        ("", True, False),
    ],
)
def test_another_game_follows_where_people_want_one(wanted: str, unattended: bool, expected: bool) -> None:
    assert goes_on(wanted, unattended=unattended) is expected


@pytest.mark.parametrize(
    ("typed", "in_file", "expected"),
    [([], None, Level.STRONG), ([], Level.EASY, Level.EASY), (["--level", "medium"], Level.EASY, Level.MEDIUM)],
)
def test_the_level_of_the_command_line_outranks_that_of_the_settings(
    typed: list[str], in_file: Level | None, expected: Level
) -> None:
    parser = Parser()
    COMMANDS["play"](parser.add_subparsers())
    args = parser.parse_args(["play", "royal-tee", *typed])
    assert read_setup(args, Settings(level=in_file)).level is expected


def test_the_game_before_is_gone_when_the_next_one_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    class Table:
        """Refers to itself, as the parts of a session refer to one another."""

        def __init__(self) -> None:
            self.loop = self.runner = self.journal = self
            self.inbox, self.stopped, self.failing, self.view = queue.SimpleQueue[Any](), StopLoop(), False, None

        def run(self) -> None:
            self.stopped = StopLoop(code="rematch" if len(begun) < 2 else "over")

    begun: list[weakref.ref[Table]] = []

    @contextmanager
    def open_session(*_arguments: object, **_settings: object) -> Iterator[Table]:
        assert [before() for before in begun] == [None] * len(begun)
        table = Table()
        begun.append(weakref.ref(table))
        yield table

    monkeypatch.setattr(evening, "open_session", open_session)
    monkeypatch.setattr(evening, "tally_after", lambda *_any: {})
    monkeypatch.setattr(evening, "next_setup", lambda setup, _table: setup)
    gc.disable()
    try:
        assert main(["play", "royal-tee", "--camera", "simulated"]) == 0
    finally:
        gc.enable()
    assert len(begun) == 2


def test_every_new_game_before_a_camera_draws_its_cards_and_a_seed_repeats_them(
    recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openings: list[Any] = []
    real = session.open_game

    def open_game(journal: Journal, setup: session.Setup) -> session.OpenedGame:
        game = real(journal, setup)
        openings.append(game.adaptor.engine.position_to_json(game.state.position))
        return game

    monkeypatch.setattr(session, "open_game", open_game)
    for seed in ([], [], ["--seed", "7"], ["--seed", "7"]):
        assert main(["play", "territory", "--camera", f"files:{recording}", "--panel", "simulated", *seed]) == 0
    first, second, *seeded = openings
    assert first != second
    assert seeded[0] == seeded[1]


@pytest.mark.parametrize(
    ("sees", "options", "drawn_by"),
    [(True, {}, "table"), (False, {}, "dealt"), (True, {"deck": "dealt"}, "dealt")],
)
def test_before_a_camera_cards_are_drawn_at_the_table_unless_people_choose_otherwise(
    sees: bool, options: dict[str, Any], drawn_by: str, tmp_path: Path
) -> None:
    players = [Seat("white"), Seat("black")]
    setup = session.Setup("royal-study", players, tmp_path / "j.sqlite3", options=options, sees=sees)
    with closing(Journal(setup.journal, ManualClock())) as journal:
        game = session.open_game(journal, setup)
        written: Any = game.adaptor.engine.position_to_json(game.state.position)
    assert (written["await"] == "start") is (drawn_by == "table")


def test_a_voice_first_names_the_game_and_its_options(told: Told) -> None:
    how = ("--voice", "text", "--players", "white,black", "--option", "difficulty=easy")
    heard = told("play", "royal-study", "--camera", "none", *how, typed="quit\n").splitlines()
    assert heard[:3] == ["The Royal Study.", "Difficulty: the third of the cards that need the fewest moves.", "Card."]


@pytest.mark.parametrize("camera", ["none", "simulated"])
@pytest.mark.parametrize("chosen", [["royal-ur", "--players", "white,black"], ["--resume"]])
def test_the_table_file_of_another_game_is_refused(
    camera: str, chosen: list[str], refused: Refused, state: Path
) -> None:
    played_before(state / "journal.sqlite3", "royal-ur", ("white", "black"), Arranged())
    table = table_file("royal-tee")
    assert 'expected a table for royal-ur, found one for "royal-tee"' in refused(
        "play", *chosen, "--camera", camera, "--table", table
    )


@pytest.mark.parametrize(("refusal", "code"), [("", DONE), ("Access denied", FAULT)])
def test_a_box_that_is_switched_off_lights_every_lamp_once_and_asks_systemd(
    refusal: str, code: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    panel, asked = KeptPanel(), list[object]()

    def ask(*command: str, **_options: bool) -> str:
        asked.append(command)
        return refusal

    monkeypatch.setattr("companion.cli.play.ask_program", ask)
    monkeypatch.setattr("companion.cli.play.time.sleep", lambda _s: asked.append(panel.shown.rhythms))
    assert play.switch_off(panel.opened) == code
    assert asked == [(Rhythm.CONFIRMED,) * 4, ("systemctl", "poweroff")]
    assert panel.closed
    assert refusal in capfd.readouterr().err
