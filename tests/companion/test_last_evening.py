"""What is remembered of the last evening: who played, what they were called, what was agreed, and the language."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.offers import OfferBook
from companion.core.entries import Arranged
from companion.games import GAMES
from companion.games.speech import agreed_options
from companion.locale import speak
from companion.shell.archive import arrangement_of, players_of
from engines.kernel import JsonObject, Seat
from tests.companion.conftest import Told
from tests.companion.shell.fakes import games_in, played_before

WHITE, BLACK = Seat("white"), Seat("black")
STUDY = GAMES["royal-study"]


@pytest.fixture(autouse=True)
def journal(state: Path) -> Path:
    return state / "journal.sqlite3"


@pytest.fixture
def typed(told: Told) -> Told:
    """Play a game by these lines; return what was said."""
    return lambda game, *lines, more=(): told("play", game, "--camera", "none", *more, typed="\n".join((*lines, "")))


def test_people_play_again_as_last_time_with_one_word(journal: Path, typed: Told) -> None:
    said = typed("royal-study", "options level=2", "names Anna, Ben", "players white, black", "quit")
    assert "> 1  new game: Anna (White) and Ben (Black) · Level=2\n" in said
    said = typed("royal-study", "yes", "quit")
    assert said.startswith("On the table: The Royal Study.\n> 1  new game: Anna (White) and Ben (Black) · Level=2\n")
    first, again = games_in(journal)
    assert (
        arrangement_of(first) == arrangement_of(again) == Arranged({WHITE: "Anna", BLACK: "Ben"}, options={"level": 2})
    )
    assert players_of(again) == (WHITE, BLACK)
    assert "Level 2" in agreed_options("royal-study", STUDY.engine.position_from_json(again.opening))[0]


def test_the_language_of_the_last_evening_is_spoken_unless_the_settings_name_one(
    monkeypatch: pytest.MonkeyPatch, typed: Told
) -> None:
    typed("royal-ur", "language de", "weiß, schwarz", "quit")
    speak("en")
    assert "Auf dem Tisch: Royal Tee" in typed("royal-tee", "quit")
    speak("en")
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
    assert "On the table: Royal Tee" in typed("royal-tee", "quit")


def test_the_language_can_be_changed_in_a_game(journal: Path, typed: Told) -> None:
    assert "Blanc" in typed("royal-ur", "language fr", "score", "quit", more=("--players", "white,black"))
    assert arrangement_of(games_in(journal)[0]).language == "fr"


def test_a_game_that_is_named_begins_beside_the_camera_with_last_times_people(
    journal: Path, recording: Path, told: Told
) -> None:
    played_before(journal, "royal-tee", ("red", "green"), Arranged({Seat("red"): "Anna"}))
    watched = ["play", "royal-tee", "--camera", f"files:{recording}", "--panel", "simulated", "--plain"]
    said = told(*watched)
    assert said.startswith("Last time: Anna (Red) and Green.")
    assert "Anna 1, Green 1" in said
    assert "Last time" not in told(*watched, "--players", "blue,yellow")


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, [{"level": 2}, {}]), ({"level": 3}, [{}])],
    ids=["nothing given", "the level given"],
)
def test_what_was_agreed_is_offered_again_beside_the_usual_rules(
    journal: Path, given: JsonObject, expected: list[JsonObject]
) -> None:
    agreed: JsonObject = {"level": 2}
    played_before(journal, "royal-study", (WHITE, BLACK), Arranged(options=agreed), options=agreed)
    new = [
        offer for offer in OfferBook(games_in(journal), given).offers(STUDY.board(), {}).offers if offer.number is None
    ]
    assert [offer.options for offer in new if offer.players == (WHITE, BLACK)] == expected
