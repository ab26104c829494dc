"""Who plays, as the players type it before a game: seats, names, how many, and players who cannot play together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.evening import PlayDevices, agreed
from companion.app.lines import LineReader, UnknownSeat, people_typed
from companion.app.offers import agreements, refused_words, seats_of
from companion.core.lobby import LOUDNESS, SOUND, NamesGiven, PlayersNamed
from companion.games import GAMES
from companion.locale import speaking
from companion.shell.clock import Clock
from companion.shell.session import Setup
from engines.kernel import Level, Seat
from tests.narrow import narrowed, there

COLOURS = [Seat("red"), Seat("blue"), Seat("green")]


def players(line: str, seats: Sequence[Seat] = COLOURS, *, coloured: bool = True) -> PlayersNamed:
    """Return what a line means that names the seats of all players."""
    return narrowed(people_typed(line, seats, coloured=coloured), PlayersNamed)


@pytest.mark.parametrize(
    "line", ["red, green", "green,red", "red green", "Red and GREEN", "red; green", "Anna red, Ben green"]
)
def test_seats_are_divided_by_whatever_people_type(line: str) -> None:
    assert sorted(players(line).players) == ["green", "red"]


def test_names_may_stand_beside_the_seats() -> None:
    typed = players("red: Anna Maria, Ben green")
    assert typed.names == {"red": "Anna Maria", "green": "Ben"}


def test_names_alone_are_no_seats_and_a_misspelt_seat_gets_the_nearest() -> None:
    assert people_typed("Anna, Ben", COLOURS, coloured=True) == NamesGiven(("Anna", "Ben"), (None, None))
    assert people_typed("red, gren", COLOURS, coloured=True) == UnknownSeat("gren", "green")
    with speaking("de"):
        assert players("rot und blau").players == ("red", "blue")


def test_at_a_table_without_colours_any_word_names_a_player() -> None:
    typed = players("Anna Maria, Ben", [], coloured=False)
    assert (typed.players, typed.names) == (("Anna-Maria", "Ben"), {"Anna-Maria": "Anna Maria"})


def test_the_computer_is_a_player_with_a_level() -> None:
    names = people_typed("Anna, computer easy", COLOURS, coloured=True)
    assert names == NamesGiven(("Anna", ""), (None, Level.EASY))
    seats = players("red Anna, computer medium green, blue")
    assert (seats.players, seats.computer) == (("red", "green", "blue"), {"green": Level.MEDIUM})
    free = players("green, computer, computer easy")
    assert free.computer == {"red": Level.STRONG, "blue": Level.EASY}
    alone = players("Anna, computer, computer", [], coloured=False)
    assert (alone.players[0], len(set(alone.players)), len(alone.computer)) == ("Anna", 3, 2)
    with speaking("de"):
        assert players("Anna, Computer leicht", [], coloured=False).computer == {"computer": Level.EASY}


Asked = Callable[..., Setup | None]


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    def ask(game: str, *lines: str) -> Setup | None:
        devices, setup = PlayDevices(), Setup(game, [], tmp_path / "journal.sqlite3")
        at_keyboard = devices.for_lobby(0, LineReader(iter(lines)), {})
        ready = agreed(setup, devices, at_keyboard, clock=Clock(), ended_by=lambda _inbox: nullcontext())
        return ready if isinstance(ready, Setup) else None

    return ask


def test_names_are_given_the_first_seats_that_can_play_together(asked: Asked) -> None:
    ready = there(asked("royal-tee", "Anna, Ben", "yes"))
    assert dict(ready.arrangement.names) == {"red": "Anna", "green": "Ben"}, "red and blue sit side by side"


def test_an_impossible_option_is_refused_in_the_language_before_the_game(tmp_path: Path) -> None:
    setup = Setup("royal-study", [], tmp_path / "journal.sqlite3", options={"hourglass": 90, "level": 7})
    with speaking("de"):
        refused = refused_words(setup)
    assert refused.startswith("Das Spiel hat keine Option Stufe=7. Möglich: Stufe=1: ")
    assert "Sanduhr" not in refused
    assert refused_words(replace(setup, options={"hourglass": 90})) == ""


def test_a_game_without_options_says_that_there_is_nothing_to_agree_on(tmp_path: Path) -> None:
    setup = Setup("royal-tee", [], tmp_path / "none", options={"bonus": 9})
    nothing = "There is nothing to agree on before this game."
    assert refused_words(setup) == f"The game has no option bonus=9. {nothing}"


@pytest.mark.parametrize(("game", "seats"), [("royal-ur", 2), ("territory", 3), ("royal-study", 2)])
def test_one_person_plays_against_the_computer(asked: Asked, game: str, seats: int) -> None:
    ready = there(asked(game, "Anna, computer easy", "yes"))
    agreed = ready.arrangement
    assert len(ready.players) == seats
    assert len(agreed.companion_seats) == seats - 1
    assert set(agreed.levels.values()) == {Level.EASY}
    assert "Anna" in {*agreed.names.values(), *ready.players}


def test_language_and_loudness_of_the_lobby_are_those_of_the_game(asked: Asked) -> None:
    keys = [agreement.key for agreement in agreements("royal-study")]
    to_sound = ["r"] * (len(seats_of(GAMES["royal-study"].board())) + keys.index(SOUND) + 1)
    with speaking("en"):
        ready = there(asked("royal-study", "language fr", *to_sound, "b", "oui"))
    assert (ready.arrangement.language, ready.loudness) == ("fr", LOUDNESS[0])


def test_a_number_takes_one_of_the_offers(asked: Asked) -> None:
    ready = there(asked("territory", "3"))
    assert [*ready.players] == ["red", "yellow", "green", "blue"]


def test_an_option_that_the_game_does_not_have_is_not_agreed(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    ready = there(asked("royal-ur", "options level=2", "options throw-off=false", "rules", "white black"))
    assert ready.options == {"throw_off": False}
    said = capsys.readouterr().out
    assert "The game has no option level=2.\nWho begins=1: both throw for it\n" in said
    assert "> 1  new game: White and Black · Who begins: the player named first\n" in said
    assert "The Royal Game of Ur\n" in said, "its rules in short"


def test_commands_and_numbers_are_no_names(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    assert asked("royal-ur", "help all", "3 4", "rule 3.1") is None
    said = capsys.readouterr().out
    assert "new game: White and Black\n" in said
    assert "\n3.1 " in said


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_who_cannot_play_together_is_said_in_the_language_of_the_players(language: str, tmp_path: Path) -> None:
    with speaking(language):
        refused = refused_words(Setup("royal-tee", [Seat("red"), Seat("blue")], tmp_path / "none"))
        assert "opposite" not in refused
        assert ("cannot play it together" in refused) == (language == "en")


# ---- what is offered in the lobby


@pytest.mark.parametrize(
    ("game", "key", "agreed"),
    [("royal-racers", "races", 3), ("royal-study", "hourglass", 60), ("territory", "rounds", 5)],
)
def test_of_a_wide_span_the_numbers_that_people_agree_on_are_offered(game: str, key: str, agreed: int) -> None:
    values = next(agreement.values for agreement in agreements(game) if agreement.key == key)
    assert agreed in values
    numbers = [value for value in values if isinstance(value, int)]
    assert numbers == sorted({*numbers})
    assert len(values) <= 30
