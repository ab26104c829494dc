"""A game as one page and a picture: all five games, names that would break a page, photographs, bad input."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import closing
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.reporting import ReportedGame, report_of
from companion.cli.exits import UNUSABLE
from companion.games import GAMES
from companion.games.kit import Circle
from companion.games.record import position_after, read_record, replay
from companion.games.review import review_of, turns_of
from companion.locale import speaking, unbroken
from companion.printing.plot import Plot, Track
from companion.printing.report import html_page, report_png
from companion.shell.archive import game_name
from companion.shell.journal import JournalReader
from companion.ui.board_text import piece_of
from engines.kernel import Seat
from tests.companion.conftest import Told
from tests.companion.test_games import UR, ask  # noqa: F401 - the fixture
from tests.narrow import there

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDS = {
    "royal-tee": "two-at-random",
    "territory": "three-players",
    "royal-study": "level-1",
    "royal-racers": "three-players",
    "royal-ur": "advised-black",
}
NASTY = "\x1b[31m王\x07 <script>document.title='broken'</script>"
MATHS = r"_$\frac{1"


def record_path(game: str) -> Path:
    return GOLDEN / game / "games" / f"{RECORDS[game]}.txt"


def replay_data(page: str) -> dict[str, Any]:
    [text] = re.findall(r'<script type="application/json" id="replay-data">(.*?)</script>', page, re.DOTALL)
    return dict(json.loads(text))


def played(game: str, names: dict[Seat, str] | None = None) -> ReportedGame:
    return ReportedGame(read_record(record_path(game).read_text("utf-8")), names or {})


class Outline(HTMLParser):
    """The tags of a page, and whether each is closed."""

    VOID = ("meta", "img", "input", "rect", "use", "br", "link", "path")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.sources: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


@pytest.mark.sampled(7)
@pytest.mark.parametrize("game", RECORDS)
def test_a_game_becomes_a_page_that_needs_nothing_beside_it_and_a_picture(
    game: str, tmp_path: Path, told: Told
) -> None:
    assert f"{RECORDS[game]}.html" in told("report", str(record_path(game)), "--to", tmp_path)
    page = (tmp_path / f"{RECORDS[game]}.html").read_text("utf-8")
    outline = Outline(page)
    assert outline.open == []
    assert all(source.startswith(("data:", "#")) for source in outline.sources)
    assert "url(http" not in page
    actions = len(read_record(record_path(game).read_text("utf-8")).actions)
    assert f'<li value="{actions}">' in page
    assert outline.tags.count("svg") >= 3
    steps = replay_data(page)["steps"]
    assert len(steps) == actions + 1
    lying: dict[str, str | None] = {}
    for step in steps:
        lying |= step["cells"]
    [drawn] = re.findall(r'<g class="pieces">(.*?)</g>', page.split('id="replay"')[1].split("</section>")[0], re.DOTALL)
    assert sorted(re.findall('href="#([^"]+)"', drawn)) == sorted(filter(None, lying.values()))
    assert {piece for step in steps for piece in step["cells"].values() if piece} <= set(
        re.findall(r'id="(p\d+)"', page)
    )
    picture = there(cv2.imread(str(tmp_path / f"{RECORDS[game]}.png")))
    assert picture.shape[1] > 1000
    assert float(np.std(picture)) > 10


@pytest.mark.parametrize("game", ["royal-study", "royal-tee"])
def test_names_that_would_break_page_or_plot_are_written_as_they_are(game: str) -> None:
    found = played(game)
    seats = list(found.record.engine.game.score(found.record.start))
    named, plot = report_of(played(game, {seats[0]: NASTY, seats[-1]: MATHS}))
    page = html_page(named, plot)
    assert page.count("<script") == 2, "the replay's data and its script"
    assert "&lt;script&gt;" in page
    assert Outline(page).open == []
    assert all(line.isprintable() for line in page.replace("\N{NO-BREAK SPACE}", " ").splitlines())
    assert report_png(named, plot).startswith(b"\x89PNG")


def test_no_line_of_a_french_page_begins_with_a_sign() -> None:
    with speaking("fr"):
        page = html_page(*report_of(played("royal-tee")))
    text = re.sub(r"<style>.*?</style>|<script>.*?</script>|<[^>]*>", "\n", page, flags=re.DOTALL)
    assert "\N{NO-BREAK SPACE}:" in text
    assert not re.findall(r".* [;:?!»](?:\s|$).*|.*« .*", text, re.MULTILINE)


@pytest.mark.parametrize("game", ["royal-ur", "territory"])
def test_what_decisions_gave_away_is_mentioned_with_the_better_one(game: str) -> None:
    found = played(game)
    review = review_of(game, list(turns_of(found.record)), {})
    assert review.remarks
    assert all("better: " in remark for remark in review.remarks.values())
    assert all(found.record.actions[number - 1] for number in review.remarks)


def test_the_study_shows_a_best_line_where_steps_were_wasted_or_missing() -> None:
    review = review_of("royal-study", list(turns_of(played("royal-study").record)), {})
    assert review.sentences[0] == "Round 1: White made it in 10 moves; nobody can do it in fewer."
    assert review.remarks[23].count(" to ") == 11


def test_the_chances_of_both_sum_up_to_everything_and_end_with_who_won() -> None:
    review = review_of("royal-ur", list(turns_of(played("royal-ur").record)), {})
    white, black = (there(review.curve).values[Seat(seat)] for seat in ("white", "black"))
    assert all(a[1] + b[1] == pytest.approx(100) for a, b in zip(white, black, strict=True))
    assert (white[-1][1], black[-1][1]) == (0, 100)


def test_the_key_moments_are_those_at_which_most_changed() -> None:
    found, _plot = report_of(played("royal-tee"))
    assert "After action 86" in [scene.heading for scene in found.scenes]
    assert found.scenes[-1].heading == "At the end"


def test_a_game_without_points_has_no_course_to_draw() -> None:
    found, plot = report_of(played("royal-study"))
    alone = Plot((Track("Ann", (51, 102, 153), ((0, 0), (9, 0))),), plot.values, plot.actions)
    assert plot.changes
    assert not alone.changes
    assert '<section class="plot">' in html_page(found, plot)
    assert '<section class="plot">' not in html_page(found, alone)


def test_a_moment_that_cannot_be_drawn_is_told_in_words() -> None:
    """A record may be of another table than the shipped one, or its last positions may."""
    report, plot = report_of(played("territory"))
    first, *others = report.scenes
    assert others
    page = html_page(replace(report, scenes=[replace(first, board=None), *others]), plot)
    assert unbroken(first.caption) in page
    assert Outline(page).tags.count("figure") == len(report.scenes)


def test_equal_games_give_equal_pages() -> None:
    pages = [html_page(*report_of(played("royal-study"))) for _ in range(2)]
    assert pages[0] == pages[1]


def test_the_last_game_of_the_journal_is_reported_with_its_photographs(ask: Told, tmp_path: Path) -> None:  # noqa: F811
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    with closing(JournalReader(tmp_path / "journal.sqlite3")) as journal:
        (game,) = journal.games()
    own = game_name(game)
    others = ("000001-royal-ur-11-20200101T200000-final", "000002-royal-ur-final", f"000003-{own[:-1]}-final")
    for name in (*others, f"000004-{own}-refused"):
        cv2.imwrite(str(pictures / f"{name}.png"), np.full((80, 90, 3), 90, np.uint8))
    for name in (f"000005-{own}-2", f"000006-{own}-99"):
        cv2.imwrite(str(pictures / f"{name}.jpg"), np.full((80, 90, 3), 90, np.uint8))
    assert "royal-ur-1.html" in ask("report", "--to", str(tmp_path))
    page = (tmp_path / "royal-ur-1.html").read_text("utf-8")
    assert page.count("data:image/jpeg;base64,") == 2
    assert list(replay_data(page)["photographs"]) == ["2"], "the third action was never played"
    assert "A move that was refused" in page
    assert "Anna" in page
    ask("report", "1", "--no-pictures", "--to", str(tmp_path))
    assert "data:image" not in (tmp_path / "royal-ur-1.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("report", "7"), "no game 7"),
        (("report", "9" * 20), "no game 99999999999999999999"),
        (("report", "nowhere.txt"), "nowhere.txt"),
        (("report", "1", "--to", "/nowhere"), "/nowhere: there is no such folder"),
        (("report", str(GOLDEN / "winners.txt")), "winners.txt"),
    ],
)
def test_what_cannot_be_reported_is_explained_in_one_sentence(
    ask: Told,  # noqa: F811
    words: tuple[str, ...],
    sentence: str,
) -> None:
    answer = ask(*words, code=UNUSABLE)
    assert sentence in answer
    assert len(answer.strip().splitlines()) == 1


def test_a_drawn_board_has_each_piece_in_its_colour() -> None:
    found = played("royal-tee")
    scene, table = report_of(found)[0].scenes[-1].board, GAMES["royal-tee"].board()
    assert scene is not None
    drawn = Counter(item.fill for item in scene.items if isinstance(item, Circle))
    end = position_after(found.record, tuple(replay(found.record)))
    lying = Counter(piece_of(table, label) for label in GAMES["royal-tee"].placement(end).values())
    assert {place.colour: drawn[place.rgb] for place in table.seat} == {p.colour: lying[p] for p in table.seat}
    assert sum(lying[place] for place in table.seat) > 10
