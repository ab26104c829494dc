"""Every game, camera, panel and number of players starts, or ends in one sentence with exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from io import StringIO
from itertools import product, repeat
from pathlib import Path
from random import Random

import pytest
from _pytest.mark import ParameterSet

from companion.cli import main, play
from companion.cli.exits import DONE, UNUSABLE
from companion.core.entries import ModeSet
from companion.core.verdicts import Mode
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.shell.journal import Journal
from companion.shell.loop import Inbox, StopLoop
from companion.shell.session import Setup, _adviser, new_position, open_game
from companion.simulator.table import SimulatedTable
from engines.kernel import Level, Seat
from tests.companion.conftest import Refused, Told
from tests.companion.shell.cameras import PlayedCamera, grey
from tests.companion.shell.clocks import ManualClock
from tests.evaluate.evenings import Evening
from tests.evaluate.evenings import play as play_evening
from vision.board import shipped_games
from vision.frame import Frame

CAMERAS = ("none", "files", "simulated", "webcam:0", "picamera", "stream:http://127.0.0.1:9/video")
PANELS = (None, "simulated", "desk", "gpio")
COUNTS = (0, 1, 2, 3, 9)
_EVERY = 11
"""Of the combinations with a camera that waits for pictures one in this many is a part of the gate; all are in the long
evaluation."""


def _combinations() -> list[ParameterSet]:
    """List all combinations; those that the gate leaves out are marked."""
    found = []
    for place, values in enumerate(product(sorted(shipped_games()), CAMERAS, PANELS, COUNTS)):
        in_gate = values[1] == "none" or place % _EVERY == 0
        found.append(pytest.param(*values, marks=() if in_gate else (pytest.mark.long,)))
    return found


pytestmark = pytest.mark.usefixtures("state")


@pytest.fixture(autouse=True)
def _leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))


@pytest.fixture
def ended_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """End every game when it has begun, and see nothing on the simulated table."""

    @contextmanager
    def ended(inbox: Inbox) -> Iterator[None]:
        inbox.put(StopLoop())
        yield

    monkeypatch.setattr(play, "ended_by_signals", ended)
    monkeypatch.setattr(SimulatedTable, "open_camera", lambda _table: PlayedCamera(repeat(Frame(grey(0), 0))))


def _players(game: str, count: int) -> list[str]:
    colours = GAMES[game].board().colours or ("anna", "ben", "cleo")
    return ["--players", ",".join((*colours, *(f"guest{n}" for n in range(9)))[:count])] if count else []


@pytest.mark.sampled(7)
@pytest.mark.usefixtures("ended_at_once")
@pytest.mark.parametrize(("game", "camera", "panel", "count"), _combinations())
def test_it_starts_or_says_in_one_sentence_why_not(
    game: str, camera: str, panel: str | None, count: int, recording: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _starts_or_says_why_not([game, *_players(game, count)], camera, panel, recording, capfd)


def _starts_or_says_why_not(
    asked: list[str], camera: str, panel: str | None, recording: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    seen_by = f"files:{recording}" if camera == "files" else camera
    code = main(["play", *asked, "--camera", seen_by, *(["--panel", panel] if panel else [])])
    error = capfd.readouterr().err
    assert code in (DONE, UNUSABLE), error
    assert (code == UNUSABLE) == (len(error.splitlines()) == 1), error
    assert "fault of ours" not in error


@pytest.mark.sampled(3)
@pytest.mark.usefixtures("ended_at_once")
@pytest.mark.parametrize("camera", CAMERAS[1:])
@pytest.mark.parametrize("panel", PANELS)
def test_without_a_game_it_looks_for_one_or_says_in_one_sentence_why_not(
    camera: str, panel: str | None, recording: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _starts_or_says_why_not([], camera, panel, recording, capfd)


@pytest.mark.usefixtures("ended_at_once")
def test_a_phone_cannot_be_the_camera_without_the_page_that_it_opens(refused: Refused) -> None:
    sentence = "--camera phone needs --listen: the phone opens the page"
    assert refused("play", "royal-ur", "--camera", "phone") == f"companion: {sentence}\n"


def test_people_of_any_name_play_on_a_table_without_colours(tmp_path: Path) -> None:
    outcome = play_evening(Evening("royal-study", 1, turns=6), tmp_path, players=[Seat("suns"), Seat("moons")])
    assert outcome.score_equal == 1
    assert outcome.counts[0].confirmed > 0


@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_every_game_has_players_where_nobody_names_them(game: str) -> None:
    position = new_position(ENGINES[game], GAMES[game].board().colours)
    assert len(ENGINES[game].game.score(position)) >= 2


def test_other_players_than_those_of_an_unfinished_game_begin_a_new_one(tmp_path: Path) -> None:
    def opened(*players: str) -> tuple[tuple[Seat, ...], bool]:
        seats = [Seat(player) for player in players]
        setup = Setup("royal-tee", seats, tmp_path / "j.sqlite3", resume=True, unattended=True)
        with closing(Journal(setup.journal, ManualClock())) as journal:
            game = open_game(journal, setup)
            if not game.resumed:
                game.log.record([ModeSet(Mode.ON_DONE)], game.state)
            return game.state.players, game.resumed

    assert opened("red", "green") == (("red", "green"), False)
    assert opened("red", "green") == (("red", "green"), True)
    assert opened("blue", "yellow") == (("blue", "yellow"), False)


def test_a_game_by_its_number_is_not_taken_for_one_of_another_kind(told: Told, refused: Refused) -> None:
    told("play", "royal-ur", "--camera", "none", "--players", "white,black", "--seed", "1", typed="roll\n")
    assert "game 1 is a game of The Royal Game of Ur" in refused("play", "royal-tee", "--camera", "none", "--number", 1)


@pytest.mark.parametrize(
    ("settings", "game", "begins"),
    [
        ('game = "royal-study"\ngame_options = ["level=2"]', "royal-ur", True),
        ('game_options = ["level=2"]', "royal-ur", True),
        ('game_options = ["level=2"]', "royal-study", True),
        ('game_options = ["lewel=2"]', "royal-ur", False),
        ('game = "royal-ur"\ngame_options = ["level=2"]', "royal-ur", False),
    ],
)
def test_options_of_the_settings_hold_for_the_games_that_have_them(
    settings: str,
    game: str,
    begins: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    told: Told,
) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(settings, encoding="utf-8")
    monkeypatch.setenv("COMPANION_SETTINGS", str(file))
    said = told("play", game, "--camera", "none", "--players", "white,black", code=DONE if begins else UNUSABLE)
    assert ("Level 2" in said) == (game == "royal-study")


@pytest.mark.parametrize("level", Level)
def test_the_adviser_of_the_level_that_was_chosen_is_asked(level: Level) -> None:
    asked: list[Level] = []
    engine = ENGINES["royal-ur"]

    def advise(_position: object, *, level: Level = Level.STRONG) -> None:
        asked.append(level)

    adviser = _adviser(replace(engine, advise=advise), Random(1), ManualClock(), level)
    position = engine.game.new([Seat("white"), Seat("black")], {}, 0)
    adviser(position, None)
    adviser(position, Level.EASY)
    assert asked == [level, Level.EASY]
