"""What is there after a game: reports, records, the replay, pictures; nothing of a game that is still played."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from companion.games.record import GameRecord, read_record, replay
from companion.shell.archive import enter
from companion.shell.journal import Journal, JournalReader, RecordedGame
from companion.web.after import routes
from engines.kernel import Outcome
from tests.companion.shell.clocks import ManualClock
from tests.companion.web.phones import Phone, a_site
from tests.vision.camera.stand_ins import coloured

GAME = "royal-ur"


def played(*, finished: bool) -> GameRecord:
    """Return a game with its dice, to its end or its tenth action."""
    whole = read_record((Path(__file__).parents[2] / "golden" / GAME / "games" / "random-1.txt").read_text("utf-8"))
    return whole if finished else GameRecord(whole.game, whole.headers, whole.start, whole.actions[:10], None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("after")
    with closing(Journal(folder / "journal.sqlite3", ManualClock())) as journal:
        for finished in (True, False):
            enter(journal, played(finished=finished))
    return folder


@pytest.fixture
def phone(folder: Path) -> Phone:
    return phone_beside(folder)


def phone_beside(folder: Path) -> Phone:
    """Return a phone at a table whose journal is in that folder."""
    site = a_site("127.0.0.1")
    site.more = routes(site, folder / "journal.sqlite3")
    return Phone(site, "127.0.0.1:8080")


def test_finished_games_are_listed_with_their_statistics(phone: Phone) -> None:
    told = phone.get("/games?lang=de").json()
    assert [game["number"] for game in told["games"]] == [1]
    assert told["statistics"]
    [resumed] = told["unfinished"]
    assert "2" in resumed, "the second game can be resumed"


def test_the_games_are_read_one_by_one(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    read_all, held = JournalReader.games, list[int]()

    def games(journal: JournalReader) -> Iterator[RecordedGame]:
        for number in range(30):
            for recorded in read_all(journal):
                yield replace(recorded, number=number)
            held.append(sum(isinstance(one, RecordedGame) for one in gc.get_objects()))

    monkeypatch.setattr(JournalReader, "games", games)
    assert len(phone.get("/games").json()["games"]) == 30
    assert max(held) < 8, "a small machine has no room for a long journal"


def test_a_game_is_replayed_move_by_move(phone: Phone) -> None:
    start = phone.get("/replay/1?ply=0").json()
    assert start["words"] == "" and start["svg"].startswith("<svg")
    moved = [phone.get(f"/replay/1?ply={ply}").json() for ply in (1, 12, 10**9)]
    assert all(step["words"] for step in moved)
    assert moved[-1]["svg"] != start["svg"]
    assert phone.get("/replay/1?ply=-3").json() == start


def test_the_record_is_that_of_the_game(phone: Phone) -> None:
    answer = phone.get("/record/1")
    assert answer.headers["content-disposition"].startswith("attachment")
    record = read_record(answer.text)
    assert all(isinstance(ply.outcome, Outcome) for ply in replay(record))


def test_a_report_runs_no_script_and_loads_nothing(phone: Phone) -> None:
    answer = phone.get("/report/1?lang=fr")
    assert answer.status_code == 200 and "<html" in answer.text
    policy = answer.headers["content-security-policy"]
    assert "sandbox" in policy and "script" not in policy and "default-src 'none'" in policy


@pytest.mark.parametrize("number", [2, 3, 0, 99_999_999_999_999_999_999])
@pytest.mark.parametrize("what", ["report", "record", "replay"])
def test_nothing_is_told_of_a_game_that_is_not_finished_or_not_there(phone: Phone, what: str, number: int) -> None:
    assert phone.get(f"/{what}/{number}").status_code == 404


def test_pictures_are_shown_and_deleted_and_nothing_else_is(phone: Phone, folder: Path) -> None:
    kept = folder / "pictures"
    kept.mkdir()
    name = "000001-royal-ur-1-20260101T000000-final.png"
    cv2.imwrite(str(kept / name), coloured(80, 70))
    assert phone.get("/games").json()["pictures"] == [name]
    assert phone.get(f"/kept/{name}").headers["content-type"] == "image/png"
    for other in ("../journal.sqlite3", "..%2fjournal.sqlite3", "%2e%2e/journal.sqlite3", "/etc/passwd"):
        assert phone.get(f"/kept/{other}").status_code == 404
        assert phone.post("/delete", json={"name": other}).json() == {"deleted": False}
    assert (folder / "journal.sqlite3").exists()
    assert phone.post("/delete", json={"name": name}).json() == {"deleted": True}
    assert phone.get(f"/kept/{name}").status_code == 404 and not any(kept.iterdir())


def test_before_any_game_was_played_there_is_nothing(tmp_path: Path) -> None:
    phone = phone_beside(tmp_path)
    assert phone.get("/games").json() == {"games": [], "unfinished": [], "statistics": [], "pictures": []}
    assert phone.get("/replay/1").status_code == 404
