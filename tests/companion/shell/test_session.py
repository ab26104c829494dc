from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import cv2
import pytest
from rich.console import Console

from companion.core.display import view as view_of
from companion.core.entries import Arranged, Played
from companion.core.messages import DeviceFailed
from companion.core.step import step
from companion.core.verdicts import ActionSource
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.shell import session as session_module
from companion.shell.devices import no_devices
from companion.shell.effects import ShownView
from companion.shell.errors import JournalError
from companion.shell.journal import Journal
from companion.shell.picture_policy import OF_MOVE, PicturePolicy, in_order, make_private_folder, next_number, tidy
from companion.shell.session import Setup
from companion.ui.page import failed_words
from engines.kernel import Cell, JsonObject, Seat
from engines.royal_tee.position import Walk
from hardware.panel import LineTyped, Panel, Rhythm, Signal
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.fakes import games_in
from tests.companion.shell.tables import Placement, play
from tests.narrow import narrowed, there

GAME = GAMES["royal-tee"]
RED, GREEN = Seat("red"), Seat("green")
START = GAME.engine.new([RED, GREEN], {}, 0)


def walked(position: Any, *walk: str) -> Any:
    return GAME.engine.after(position, GAME.engine.action_from_json({"walk": walk})).position


FIRST = walked(START, "F11")
SECOND = walked(FIRST, "G2")


def placements(*positions: Any) -> list[Placement]:
    return [GAME.placement(position) for position in positions]


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup("royal-tee", [RED, GREEN], tmp_path / "journal.sqlite3")


def recorded(setup: Setup) -> list[JsonObject]:
    with closing(Journal(setup.journal, ManualClock())) as journal:
        game = journal.unfinished()
        return [entry.action for entry in game.entries if isinstance(entry, Played)] if game else []


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("royal-tee", ["red", "green"]),
        ("territory", ["red", "green", "black"]),
        ("royal-study", ["white", "black"]),
        ("royal-study", ["black"]),
        ("royal-racers", ["suns", "arms"]),
        ("royal-ur", ["white", "black"]),
    ],
)
def test_a_lamp_says_whose_turn_it_is_in_every_game(game: str, players: list[str], tmp_path: Path) -> None:
    evening = play(Setup(game, [*map(Seat, players)], tmp_path / "journal.sqlite3"))
    assert Rhythm.TURN in evening.panel.shown.rhythms


def test_what_lies_on_the_table_is_judged_recorded_and_reported(setup: Setup) -> None:
    evening = play(setup, placements(START, FIRST, SECOND))

    assert recorded(setup) == [{"walk": ["F11"]}, {"walk": ["G2"]}]
    assert evening.score == {RED: 2, GREEN: 2}
    assert evening.panel.signals == [Signal.ACCEPTED, Signal.ACCEPTED]
    assert evening.panel.shown.slider == 2
    assert evening.panel.shown.rhythms[GAME.board().colours.index("red")] is Rhythm.TURN
    assert evening.panel.closed
    assert "Red walked 1 step to F11 and claimed 1 space." in evening.said
    assert "r Red 2 · g Green 2" in evening.said


@pytest.mark.parametrize("keeps", [True, False], ids=["kept", "pictures switched off"])
def test_a_refused_table_is_reported_with_its_cells_and_kept_as_a_picture(setup: Setup, *, keeps: bool) -> None:
    cheated = {**GAME.placement(FIRST), Cell("C3"): "red"}
    setup = replace(setup, pictures=PicturePolicy(enabled=keeps))
    evening = play(setup, [*placements(START), cheated], looks_each=80)

    assert recorded(setup) == []
    assert "C3" in evening.said
    assert Signal.REFUSED in evening.panel.signals
    assert evening.panel.shown.rhythms[GAME.board().colours.index("red")] is Rhythm.WRONG
    assert (len(evening.pictures), (setup.journal.parent / "pictures").exists()) == (int(keeps), keeps)
    for picture in evening.pictures:
        assert stat.S_IMODE(picture.stat().st_mode) == 0o600
        assert picture.name.endswith("-refused.png")
        assert cv2.imread(str(picture)) is not None


def test_an_unfinished_game_is_hinted_at_and_not_hidden_by_a_new_one_without_moves(setup: Setup) -> None:
    assert "resume" not in play(setup).said
    play(setup, placements(START, FIRST))
    assert "companion play --resume" in play(setup).said
    assert recorded(setup) == [{"walk": ["F11"]}]


def test_an_unattended_table_begins_a_game_and_goes_on_with_it_after_a_power_cut(setup: Setup) -> None:
    unattended = replace(setup, resume=True, unattended=True)
    assert play(unattended, placements(START, FIRST)).score == GAME.engine.score(FIRST)
    assert play(unattended, placements(FIRST, SECOND)).score == GAME.engine.score(SECOND)
    assert len(recorded(setup)) == 2, "one game in the journal, of two moves"


def test_a_resumed_game_goes_on_where_it_was(setup: Setup) -> None:
    play(setup, placements(START, FIRST))
    evening = play(replace(setup, game=None, players=(), resume=True), placements(FIRST, SECOND))
    assert recorded(setup) == [{"walk": ["F11"]}, {"walk": ["G2"]}]
    assert evening.score == {RED: 2, GREEN: 2}


def test_after_a_power_cut_the_cells_that_differ_from_the_journal_are_named(setup: Setup) -> None:
    play(setup, placements(START, FIRST))
    knocked_over = {**GAME.placement(FIRST), Cell("F12"): "empty", Cell("J9"): "red"}
    evening = play(replace(setup, resume=True), [knocked_over], looks_each=80)
    assert recorded(setup) == [{"walk": ["F11"]}]
    line = next(line for line in evening.said.splitlines() if "belongs on" in line)
    assert "F12" in line
    assert "J9" in line


def test_at_the_end_the_score_is_kept_the_winner_reported_and_a_picture_saved(setup: Setup) -> None:
    opening = {
        **GAME.engine.position_to_json(START),
        "claimed": {
            "red": [cell for cell in GAME.board().cells if cell not in {"F11", "G1"}],
            "green": ["G1"],
        },
    }
    position = GAME.engine.position_from_json(opening)
    with closing(Journal(setup.journal, ManualClock())) as journal:
        journal.start_game("royal-tee", opening)

    evening = play(replace(setup, resume=True), placements(position, walked(position, "F11")))

    assert evening.over
    assert evening.score == {RED: 143, GREEN: 1}
    assert evening.panel.signals[-1] is Signal.OVER
    assert [picture.name.rsplit("-", 1)[1] for picture in evening.pictures] == ["final.png"]
    with closing(sqlite3.connect(setup.journal)) as connection:
        assert connection.execute("SELECT scores FROM games").fetchone() == ('{"red": 143, "green": 1}',)


def test_on_a_full_disk_nothing_is_accepted_that_is_not_recorded_and_the_lamp_shows_a_fault(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FullJournal(Journal):
        """A journal on a disk that has room for the file as it is, and for nothing more."""

        def __init__(self, path: Path, clock: ManualClock) -> None:
            super().__init__(path, clock)
            (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
            self._connection.execute(f"PRAGMA max_page_count = {pages + 1}")

    with closing(sqlite3.connect(setup.journal)) as connection:
        connection.execute("PRAGMA page_size = 512")
        connection.execute("VACUUM")
    monkeypatch.setattr(session_module, "Journal", FullJournal)

    third = walked(SECOND, "F10", "F9")
    fourth = walked(third, "G3", "G4")
    fifth = walked(fourth, "E9", "D9", "C9")
    sixth = walked(fifth, "H4", "I4", "J4")
    evening = play(setup, placements(START, FIRST, SECOND, third, fourth, fifth, sixth))

    assert "the disk is full" in evening.said
    kept = len(recorded(setup))
    assert 0 < kept < 6
    assert evening.panel.signals == [*[Signal.ACCEPTED] * kept, Signal.FAULT]
    assert evening.score == GAME.engine.score([START, FIRST, SECOND, third, fourth, fifth][kept])
    assert Rhythm.FAULT in evening.panel.shown.rhythms


@pytest.mark.parametrize(
    "entry",
    [Played({"walk": ["A1"]}), Played({"walk": "nonsense"}), Played({"walk": ["F11"]})],
    ids=["refused by the rules", "no action", "another position"],
)
def test_a_journal_whose_entries_do_not_follow_from_one_another_is_reported(setup: Setup, entry: Played) -> None:
    with closing(Journal(setup.journal, ManualClock())) as journal:
        number = journal.start_game("royal-tee", GAME.engine.position_to_json(START))
        journal.record(number, entry, {"position": "of something else"})
    with pytest.raises(JournalError, match="game 1 cannot be replayed"):
        play(replace(setup, resume=True))


def test_for_a_seat_of_the_companions_the_screen_says_what_to_move_and_what_was_moved_instead(setup: Setup) -> None:
    for_red = replace(setup, arrangement=Arranged(companion_seats=(RED,)))
    asked = play(for_red, placements(START), looks_each=20)
    advice = there(ENGINES["royal-tee"].advise(START))
    walk = narrowed(advice.action, Walk).cells
    assert f"Please move for Red: walk to {', '.join(walk)}." in asked.said

    other = next(cell for cell in ("F11", "E12") if (cell,) != walk)
    moved = play(for_red, placements(START, walked(START, other)), looks_each=60)
    assert "That is another move than the one I asked for." in moved.said
    assert recorded(setup) == []


def test_a_cell_that_is_misread_is_set_by_a_typed_line_and_the_move_is_kept_as_entered_by_people(
    setup: Setup,
) -> None:
    misread = [{**placement, Cell("C3"): "green"} for placement in placements(START, FIRST)]
    assert play(setup, misread, looks_each=60).score == {RED: 1, GREEN: 1}
    for typed in ("cell C3 empty", "cell Charlie three empty"):
        assert play(setup, misread, looks_each=60, typed=[typed]).score == {RED: 2, GREEN: 1}
    *_others, written, heard = games_in(setup.journal)
    for game in (written, heard):
        assert [entry.source for entry in game.entries if isinstance(entry, Played)] == [ActionSource.OVERRULED]


def test_what_is_typed_beside_a_camera_is_answered_on_the_screen_as_often_as_it_is_asked(setup: Setup) -> None:
    said = play(setup, placements(START), typed=["cell C3", "score", "score", "undo"]).said
    assert "What is on C3? You can type: empty, the red tee, " in said
    assert said.count("There is nothing to take back.") == 1
    assert said.count("1 point") == 2 * play(setup, placements(START), typed=["score"]).said.count("1 point") > 0


def test_an_answer_that_the_screen_shows_anyway_is_not_on_it_twice(setup: Setup) -> None:
    with closing(Journal(setup.journal, ManualClock())) as journal:
        game = session_module.open_game(journal, setup)
    table = session_module.SessionTable(game, no_devices(), Panel(), lambda _event: None)
    drawn = StringIO()
    with session_module.screen_display(table, Console(file=drawn, width=80, height=24, force_terminal=True)) as screen:
        state, _effects = step(game.state, DeviceFailed("journal", "the disk is full"))
        screen.typed(LineTyped("f11"), view_of(state))
        screen.answer(failed_words("journal", "the disk is full"))
        screen.show(ShownView(view_of(state)))
    assert drawn.getvalue().count("The journal does not work") == 1


# ---- pictures of the table are private, few and not kept for ever


NOW = datetime(2026, 5, 1, tzinfo=UTC)


def _keep(folder: Path, when: datetime) -> str:
    path = folder / f"{next_number(folder)}-territory-3.png"
    path.write_bytes(b"")
    os.utime(path, (when.timestamp(), when.timestamp()))
    return path.name


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_newest_pictures_are_kept_and_those_of_old_days_deleted(tmp_path: Path) -> None:
    kept = [_keep(tmp_path, NOW + timedelta(days=day)) for day in (0, 3, 3, 4, 9)]
    (tmp_path / "notes.txt").write_text("mine")
    tidy(tmp_path, PicturePolicy(most=4, days=30))
    assert _names(tmp_path) == [*kept[1:], "notes.txt"]
    tidy(tmp_path, PicturePolicy(most=9, days=2))
    assert _names(tmp_path) == [*kept[3:], "notes.txt"]
    tidy(tmp_path, PicturePolicy(most=9, days=0))
    assert _names(tmp_path) == [*kept[4:], "notes.txt"]


def test_pictures_of_moves_are_counted_apart_and_come_in_the_same_order(tmp_path: Path) -> None:
    refused = _keep(tmp_path, NOW)
    moves = []
    for number in range(12):
        moves.append(tmp_path / f"{next_number(tmp_path)}-territory-3-{number}{OF_MOVE}")
        moves[-1].write_bytes(b"")
        os.utime(moves[-1], (NOW.timestamp(), NOW.timestamp()))
    tidy(tmp_path, PicturePolicy(most=1))
    assert _names(tmp_path) == [refused, *(path.name for path in moves[2:])]
    assert in_order(tmp_path, kind=OF_MOVE) == moves[2:]


@pytest.mark.parametrize("wrong", [datetime(1970, 1, 1, tzinfo=UTC), datetime(2036, 2, 7, tzinfo=UTC)])
def test_a_clock_that_was_wrong_once_deletes_no_picture_and_outlives_none(tmp_path: Path, wrong: datetime) -> None:
    last_week = [_keep(tmp_path, NOW) for _picture in range(3)]
    odd = [_keep(tmp_path, wrong) for _picture in range(2)]
    tidy(tmp_path, PicturePolicy(most=9, days=2))
    assert _names(tmp_path) == [*last_week, *odd]
    today = [_keep(tmp_path, NOW + timedelta(days=7)) for _picture in range(2)]
    tidy(tmp_path, PicturePolicy(most=9, days=2))
    assert _names(tmp_path) == [*odd, *today]
    tidy(tmp_path, PicturePolicy(most=1, days=30))
    assert _names(tmp_path) == today[1:]


def test_pictures_of_an_older_version_are_the_oldest(tmp_path: Path) -> None:
    (tmp_path / "territory-20360101-200000-final.png").write_bytes(b"")
    new = _keep(tmp_path, NOW)
    assert [path.name for path in in_order(tmp_path)] == ["territory-20360101-200000-final.png", new]


def test_a_folder_that_is_not_there_is_tidy(tmp_path: Path) -> None:
    tidy(tmp_path / "none", PicturePolicy())
    assert not (tmp_path / "none").exists()


def test_only_the_owner_enters_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir(mode=0o755)
    make_private_folder(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
