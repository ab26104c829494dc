"""`companion play GAME --camera none`: people type what they do; nothing is seen, all is checked and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from companion.app import typed_play
from companion.app.typed_play import TypedPlay, possible_words, read_typed
from companion.cli import main
from companion.cli.exits import DONE, FAULT, UNUSABLE
from companion.games.engines import ENGINES
from companion.shell.clock import ManualClock, RealClock
from companion.shell.devices import no_devices
from companion.shell.errors import JournalError
from companion.shell.journal import Journal, RecordedGame
from companion.shell.opening import Setup
from companion.shell.session import open_session
from engines.kernel import BadRequestError, Outcome, Seat
from tests.contracts.tables import TABLES, Table

PLAYERS = {
    "royal-tee": "red,green",
    "territory": "red,green,blue",
    "royal-study": "white,black",
    "royal-racers": "suns,moons",
    "royal-ur": "white,black",
}
DECIDE = {table.game: table for table in reversed([*TABLES.values()])}
"""How a random player decides in each game."""


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


Say = Callable[..., str]


@pytest.fixture
def talk(journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Type these lines; give what was said."""

    def typed(game: str, *lines: str, more: tuple[str, ...] = ()) -> str:
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))
        named = () if "--resume" in more else ("--players", PLAYERS[game])
        words = ("play", game, "--camera", "none", "--journal", str(journal), "--seed", "3", *named, *more)
        assert main(words) == DONE
        return capsys.readouterr().out

    return typed


def kept(journal: Path, number: int = 1) -> RecordedGame:
    opened = Journal(journal, ManualClock())
    try:
        return opened.read(number)
    finally:
        opened.close()


def someone(table: Table, random: Random, accepted: Callable[[], Any]) -> Iterator[str]:
    """Type legal actions to the end of a game; `accepted` gives the position as the journal has it."""
    while not table.engine.game.over(position := accepted()):
        if table.engine.game.to_act(position) == "dice" and random.random() < 0.5:
            yield "r\n"
        else:
            yield table.engine.notation.write_action(table.legal(position, random)) + "\n"


class Watch:
    """Stands where `Journal.record` is called, to know the position that players would see on their table."""

    def __init__(self, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.position: Any = None
        engine, record = ENGINES[game], Journal.record

        def recorded(journal: Journal, number: int, entry: Any, position: Any) -> None:
            record(journal, number, entry, position)
            self.position = engine.game.position_from_json(position)

        monkeypatch.setattr(Journal, "record", recorded)


@pytest.mark.parametrize("game", ENGINES)
def test_a_random_game_is_led_to_its_end_and_replays_from_the_journal(
    game: str, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine, watch = ENGINES[game], Watch(game, monkeypatch)
    if DECIDE[game].decide:  # all the legal actions are too many to list them at every turn of a test
        monkeypatch.setattr(typed_play, "possible", lambda _engine, _position: ["any"])
    players = [Seat(name) for name in PLAYERS[game].split(",")]
    watch.position = engine.game.new(players, engine.turns.options, Random(5).randint(0, 2**63 - 1))
    clock = RealClock()
    front = TypedPlay(someone(DECIDE[game], Random(1), lambda: watch.position), now_ns=clock.now_ns)
    setup = Setup(game, players, journal, seed=Random(5).randint(0, 2**63 - 1))
    with open_session(
        setup, lambda _game, _position: no_devices(), console=Console(), clock=clock, front=front, random=Random(5)
    ) as session:
        session.run()
    assert session.state.over
    said = capsys.readouterr().out
    assert "(rule" not in said
    assert kept(journal).scores == engine.game.score(watch.position)

    assert main(["journal", "export", "1", "--journal", str(journal)]) == DONE
    exported = tmp_path / "evening.txt"
    exported.write_text(capsys.readouterr().out, "utf-8")
    assert main(["replay", str(exported)]) == DONE
    assert "The game is over" in capsys.readouterr().out


# ---- set-up


def test_who_plays_is_asked_until_a_game_can_begin(
    journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("red,pink,blue\nred,blue\nred, blue, green\n"))
    assert main(["play", "territory", "--camera", "none", "--journal", str(journal)]) == DONE
    said = capsys.readouterr().out
    assert "The table has: red, yellow, green, blue, purple, black" in said
    assert 'the table has no "pink"' in said
    assert "players, not 2" in said
    assert "red: throw one die for who begins" in said


def test_the_roll_off_decides_who_begins(talk: Say) -> None:
    said = talk("territory", "3", "5", "roll 5", "1 2", "6", "2", "quit")
    assert said.index("green: throw one die") < said.index("roll again") < said.index("Green begins")
    assert "each player rolls one die" in said, "two dice are one too many for the roll-off"
    assert "green: throw both dice" in said


def test_the_throw_off_decides_who_begins(talk: Say) -> None:
    said = talk("royal-ur", "1", "3", "3", "enter", "quit")
    assert "white: throw the dice for who begins" in said
    assert said.index("Black threw 3 dots for who begins") < said.index("black: throw the dice and type how many")
    assert "black: move a counter by 5" in said
    assert "Black entered a counter" in said


def test_start_spaces_and_flags_are_laid_one_after_the_other(talk: Say) -> None:
    said = talk("royal-racers", "start C3", "start D4", "flag D6", "flag A3", "board", "quit")
    assert "suns: choose a start space." in said
    assert "Possible: start D3, start C4, start D4" in said
    assert "suns: lay a flag for moons." in said
    assert "moons: lay a flag for suns." in said
    assert "Suns put flag 1 of Moons on D6." in said
    assert "Possible: flag E4, flag F4, flag D5" in said


# ---- what is typed


def test_a_refusal_says_what_is_wrong_with_its_paragraph_and_asks_again(talk: Say, journal: Path) -> None:
    said = talk("royal-racers", "start C3", "start C3", "quit")
    assert sum("(rule 1." in line for line in said.splitlines()) == 1
    assert said.count("moons: choose a start space.") == 2
    assert len(kept(journal).entries) == 1


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("nonsense", '"nonsense" is no action of this game'),
        ("score", "white 0, black 0"),
        ("advise", "There is nothing to decide now."),
        ("?", "Type an action, or: ?"),
        ("back", "There is nothing to take back."),
        ("board", "A  B  C  D  E  F  G  H"),
        ("7", '"7" is no action of this game'),
    ],
)
def test_a_word_is_answered_and_the_game_stays(talk: Say, journal: Path, line: str, answer: str) -> None:
    assert answer in talk("royal-ur", line)
    opened = Journal(journal, ManualClock())
    assert list(opened.games()) == []
    opened.close()


def test_the_adviser_proposes_something_legal(talk: Say) -> None:
    assert "start C3: " in talk("royal-racers", "advise")


def test_the_companion_throws_only_when_dice_are_awaited(talk: Say) -> None:
    assert "No throw is awaited." in talk("royal-racers", "r")
    assert "White threw" in talk("royal-ur", "r")


def test_an_action_taken_back_is_not_in_the_game_that_is_kept(
    talk: Say, journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = talk("royal-ur", "1", "2", "back", "3")
    assert said.count("black: throw the dice for who begins") == 2
    main(["journal", "export", "1", "--journal", str(journal)])
    assert capsys.readouterr().out.splitlines()[-2:] == ["roll 1", "roll 3"]


def test_an_action_that_the_journal_cannot_keep_is_not_told(
    journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_arguments: Any) -> None:
        raise JournalError("the disk is full")

    monkeypatch.setattr(Journal, "record", full)
    monkeypatch.setattr("sys.stdin", StringIO("white,black\n1\n"))
    assert main(["play", "royal-ur", "--camera", "none", "--journal", str(journal)]) == FAULT
    told = capsys.readouterr()
    assert "white: throw the dice" in told.out
    assert "White threw" not in told.out
    assert "the disk is full" in told.out
    assert "could not be written" in told.err


# ---- ending early, going on


@pytest.mark.parametrize("ending", [("quit",), ()], ids=["quit", "end of input"])
def test_a_game_left_early_goes_on_where_it_was(talk: Say, ending: tuple[str, ...]) -> None:
    said = talk("royal-ur", "1", "2", *ending)
    assert "The game is not over" in said
    assert "--resume goes on with it" in said
    assert "black: throw the dice and type how many" in talk("royal-ur", more=("--resume",))


def test_input_that_ends_before_anybody_plays_leaves_nothing(
    journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(""))
    assert main(["play", "royal-ur", "--camera", "none", "--journal", str(journal)]) == DONE
    assert "Who plays?" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["royal-ur", "--camera", "none", "--resume"], "there is no unfinished game to resume"),
        (["royal-ur", "--camera", "none", "--players", "white"], "royal-ur has 2 players, not 1"),
        (["royal-ur", "--camera", "none", "--players", "white,pink"], 'the table has no "pink"'),
        (["royal-ur", "--camera", "none", "--panel", "desk"], "--panel needs a camera"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_played_is_told_in_one_line(
    journal: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(["play", *arguments, "--journal", str(journal)]) == UNUSABLE
    error = capfd.readouterr().err
    assert sentence in error
    assert len(error.splitlines()) == 1


# ---- the pure part


def test_many_actions_are_told_by_one_and_listed_when_asked() -> None:
    many = [f"flag A{number}" for number in range(70)]
    assert possible_words(many[:12]) == "Possible: " + ", ".join(many[:12])
    assert possible_words(many) == '70 actions are possible, such as "flag A0"; ? lists them.'
    assert possible_words(many, 60).endswith("flag A59 and others, 70 in all")


def test_a_throw_needs_its_word_only_where_no_dice_are_awaited() -> None:
    engine = ENGINES["territory"]
    position = engine.game.new([Seat(name) for name in ("red", "green", "blue")], {}, 1)
    assert read_typed(engine, position, " 3  4 ") == read_typed(engine, position, "roll 3 4")
    rolled = engine.game.play(position, read_typed(engine, position, "3 4"))
    assert isinstance(rolled, Outcome)
    with pytest.raises(BadRequestError, match="is no action of this game"):
        read_typed(engine, rolled.position, "3 4")


def test_what_lies_hidden_is_not_shown() -> None:
    engine = ENGINES["territory"]
    position = engine.game.new([Seat(name) for name in ("red", "green", "blue")], engine.turns.options, 1)
    assert engine.public is not None
    assert engine.public(position, None)["deck"] == len(position.deck)


@pytest.mark.parametrize("game", ENGINES)
def test_every_game_that_awaits_dice_can_throw_them(game: str) -> None:
    engine = ENGINES[game]
    table = DECIDE[game]
    position, random = engine.game.new(table.seats, engine.turns.options, 1), Random(2)
    for _ in range(60):
        if engine.game.over(position):
            break
        if engine.game.to_act(position) == "dice":
            assert engine.turns.throw is not None
            action = engine.turns.throw(position, random)
        else:
            action = table.legal(position, random)
        assert engine.lead.awaited(position)
        outcome = engine.game.play(position, action)
        assert isinstance(outcome, Outcome)
        position = outcome.position
