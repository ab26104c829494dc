"""`companion play GAME --camera none`: the players type what they do; nothing is seen, all is checked and kept."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.typed_commands import label_typed, labels_offered
from companion.cli.exits import FAULT
from companion.core.display import view as view_of
from companion.core.view import View
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.locale import speaking
from companion.shell import loop
from companion.shell.errors import JournalError
from companion.shell.journal import Journal
from engines.kernel import Cell
from tests.companion.conftest import Refused, Told
from tests.companion.core.tables import begun
from tests.companion.games.speeches import tables_of
from tests.companion.shell.fakes import end_of, games_in
from tests.companion.transcripts import transcript
from tests.contracts.tables import TABLES
from tests.evaluate.advisers import SEATS

SHORTER = {"royal-racers": {"rounds": 40}}
"""Options with which whole games at random end soon."""


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def talk(journal: Path, told: Told) -> Told:
    """Type these lines; give what was said."""

    def typed(game: str, *lines: str, more: tuple[str, ...] = ()) -> str:
        named = () if "--resume" in more else ("--players", ",".join(SEATS[game]))
        words = ("play", game, "--camera", "none", "--journal", journal, "--seed", "3", *named, *more)
        return told(*words, typed="\n".join((*lines, "")))

    return typed


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", ENGINES)
def test_a_random_game_is_led_to_its_end_and_replays_from_the_journal(
    game: str, journal: Path, tmp_path: Path, told: Told
) -> None:
    table, random = TABLES[tables_of(game)[0]], Random(1)

    def typed(view: View) -> str:
        """Type a legal action, or let the companion throw."""
        if view.to_act == "dice" and random.random() < 0.5:
            return "r"
        return table.engine.notation.write_action(table.legal(view.position, random))

    said = transcript(game, typed, options={**table.engine.turns.options, **SHORTER.get(game, {})}, journal=journal)
    assert "(rule" not in said
    [recorded] = games_in(journal)
    assert recorded.scores == table.engine.game.score(end_of(recorded))
    exported = tmp_path / "evening.txt"
    exported.write_text(told("journal", "export", 1, "--journal", journal), "utf-8")
    assert re.search(r"The game is over|Winners?: ", told("replay", exported))


# ---- set-up


def test_who_plays_is_asked_until_a_game_can_begin(journal: Path, told: Told) -> None:
    said = told(
        "play",
        "territory",
        "--camera",
        "none",
        "--journal",
        journal,
        typed="red,pink,blue\nred,blue\nred, blue, green\n",
    )
    assert "> 1  new game: Red, Yellow, Green, Blue, Purple and Black\n" in said
    assert 'I do not know "pink"' in said
    assert "Number of players: 3, 4, 5, 6" in said.split("cannot play it together")[1]
    assert "Red: roll one die to see who begins." in said


def test_people_have_their_names_from_the_first_line_on_beside_the_companions_seat(talk: Told) -> None:
    said = talk("royal-ur", "quit", more=("--names", "Anna,Robo", "--companion-seat", "white"))
    assert "Anna: throw the three dice to see who begins." in said
    assert "Anna threw" in said, "the companion throws for its seat"
    assert "White:" not in said


# ---- what is typed


def test_a_refusal_says_what_is_wrong_with_its_paragraph_and_asks_again(talk: Told, journal: Path) -> None:
    said = talk("royal-racers", "start C3", "start C3", "quit")
    assert sum("(rule 1." in line for line in said.splitlines()) == 1
    assert said.count("Moon: choose one of the four spaces") == 2
    assert len(games_in(journal)[0].entries) == 1


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("nonsense", 'I do not know "nonsense".'),
        ("bord", 'Did you mean "board"?'),
        ("score", "White 0, Black 0"),
        ("score", "White has 0 of the seven counters home"),
        ("advise", "There is nothing to decide now."),
        ("?", "At any time:"),
        ("help", "Type how many dots the dice show"),
        ("rules", "1 dot: nothing, and your turn ends; after any other throw you throw again."),
        ("rules all", "5.5 Circles, grid and zigzag bring nothing."),
        ("rule 3.5", "3.5 Home is reached by the exact count"),
        ("rule 99", "There is no rule with that number."),
        ("terms", "rosette: a flower"),
        ("legend", "?: the camera is not sure"),
        ("options", "The usual rules; nothing else was agreed."),
        ("card", "No card is in force now."),
        ("possible", "Type how many dots the dice show"),
        ("yes", "Type how many dots the dice show"),
        ("back", "There is nothing to take back."),
        ("board", "A   B   C   D   E   F   G   H"),
        ("7", "how many of the three dice show a dot"),
    ],
)
def test_a_word_is_answered_and_the_game_stays(talk: Told, journal: Path, line: str, answer: str) -> None:
    assert answer in talk("royal-ur", line)
    assert games_in(journal) == []


def test_the_companion_throws_only_when_dice_are_awaited(talk: Told) -> None:
    assert "It is not time to throw." in talk("royal-racers", "r")
    assert "White threw" in talk("royal-ur", "r")


def test_what_is_taken_back_is_named(talk: Told) -> None:
    said = talk("royal-ur", "1", "2", "back", "3")
    assert said.count("Black: throw the three dice to see who begins") == 2
    assert "Taken back: Black threw 2 dots to see who begins.\n" in said


def test_the_same_throw_is_answered_each_time_and_every_action_has_its_number(talk: Told) -> None:
    said = talk("royal-ur", "3", "2", "2", "2", "undo", "0")
    again = "White threw 2 dots: move 1. No counter of White can move: White throws again."
    assert [line for line in said.splitlines() if again in line] == [f"   3  {again}", f"   4  {again}"]
    assert "   4  White threw no dot" in said


def test_the_same_mistake_and_the_same_question_are_answered_each_time(talk: Told) -> None:
    said = talk("royal-racers", "a1", "a1", "hint", "hint")
    assert said.count("That is not a free start space") == 2
    assert said.count("all start spaces are equally good") == 2


def test_a_call_of_no_steps_that_is_challenged_is_lost_without_a_number_below_none(talk: Told) -> None:
    said = talk("royal-study", "0 white", "challenge")
    assert "it can be done in fewer moves! No move was left: Black did not make it." in " ".join(said.split())


def test_an_action_that_the_journal_cannot_keep_is_not_reported(
    journal: Path, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    def full(*_arguments: Any) -> None:
        raise JournalError("the disk is full")

    monkeypatch.setattr(Journal, "record", full)
    words = ("play", "royal-ur", "--camera", "none", "--journal", journal)
    said = told(*words, typed="white,black\n1\n", code=FAULT)
    assert "White: throw the three dice" in said
    assert "White threw" not in said
    assert "the disk is full" in said
    assert "could not be written" in said


def test_each_line_that_the_journal_cannot_keep_is_answered(
    journal: Path, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    written, tries = Journal.record, list[object]()

    def full(*arguments: Any) -> None:
        tries.append(arguments)
        if len(tries) <= _TRIES_WITHOUT_ROOM:
            raise JournalError("the disk is full")
        written(*arguments)

    monkeypatch.setattr(Journal, "record", full)
    monkeypatch.setattr(loop, "RETRY_S", 1000.0)  # only typed lines are tried, each after what waits
    words = ("play", "royal-ur", "--camera", "none", "--journal", journal, "--players", "white,black")
    said = told(*words, typed="2\n2\nscore\n2\n1\nquit\n")
    assert said.count("The journal does not work: the disk is full") == len(["2", "2", "2"])
    assert said.count("threw 2 dots to see who begins") == len(["White", "Black", "White"]), "there was room again"
    assert "Black threw 1 dot to see who begins" in said


_TRIES_WITHOUT_ROOM = 6
"""At the first line one, at the question one more, and at the other two lines one for what waits and their own."""


def test_only_the_end_of_a_walk_counts_when_people_agree(talk: Told, journal: Path) -> None:
    said = talk("royal-tee", "f11", "g2", "f9", "g4", "c9", "g5", "no", "g5", "yes", "quit")
    assert "Of all walks to G5 it brings the most" in said
    assert said.count("to G5 and claimed") == 1
    assert len(games_in(journal)[0].entries) == 6


def test_people_are_called_by_the_names_that_they_give(talk: Told) -> None:
    said = talk("royal-study", "names white Anna", "7 anna", "no", "quit")
    assert "From now on White plays as Anna." in said
    assert "Anna called 7 moves." in said
    assert "Anna: make your moves" in said
    said = talk("royal-study", "names white Anna, black Ben", "names bne Cem, Anna Eva", "quit")
    assert "From now on White plays as Anna." in said
    assert "From now on Black plays as Ben." in said
    assert 'I do not know "bne Cem".' in said


def test_the_board_and_the_card_are_drawn_whenever_they_change(talk: Told) -> None:
    said = talk("royal-study", "5 white", "no", "1", "score", "undo", "quit")
    assert said.count("Card ") == 1
    assert said.count("   A  B  C") == 4


# ---- ending early, going on


@pytest.mark.parametrize("ending", [("quit",), ()], ids=["quit", "end of input"])
def test_a_game_left_early_goes_on_where_it_was(talk: Told, ending: tuple[str, ...]) -> None:
    said = talk("royal-ur", "1", "2", *ending)
    assert "The game is not over" in said
    assert "--resume --journal" in said, "the journal is not the usual one"
    assert "Black: throw the three dice." in talk("royal-ur", more=("--resume",))


def test_input_that_ends_before_anybody_plays_leaves_nothing(journal: Path, told: Told) -> None:
    assert "> 1  new game: White and Black\n" in told(
        "play", "royal-ur", "--camera", "none", "--journal", journal, typed=""
    )


def test_an_action_with_a_question_mark_is_answered_and_played_only_after_yes(talk: Told) -> None:
    said = talk("royal-tee", "F11?", "A1?", "quit")
    assert "possible: walk to F11" in said
    assert "A1 is 16 steps away" in said
    assert "Red walked" not in said
    assert "Red walked 1 step to F11" in talk("royal-tee", "F11?", "yes", "quit")


def test_names_find_their_seats_where_there_is_no_choice(
    journal: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused, told: Told
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
    words = ("--camera", "none", "--journal", str(journal), "--names", "Anna,Ben")
    assert "Anna: throw" in told("play", "royal-ur", *words)
    assert "Number of players: 3, 4, 5, 6" in refused("play", "territory", *words)


@pytest.mark.parametrize(
    ("game", "lines", "played"),
    [
        ("royal-tee", "hint|yes", "Red walked"),
        ("territory", "5|3|2|3 4|A1|1 1|F3|6 6|E1|again|5 6|C2|again|3 3|B3|hint|yes", "Red stopped"),
        ("royal-racers", "hint|yes", "Sun started on C3"),
        ("royal-ur", "3|2|3|hint|yes", "White entered"),
        ("royal-study", "hint|yes", "called"),
    ],
)
def test_yes_takes_the_hint_whatever_else_it_may_mean(talk: Told, game: str, lines: str, played: str) -> None:
    said = talk(game, *lines.split("|"), "quit")
    assert played in said, said[-1500:]


# ---- what the players type for the thing on a cell: the table's words, what it is called, and only that much of it


@pytest.mark.parametrize(
    ("game", "cell", "typed", "label"),
    [
        ("royal-tee", "C3", "red", "red"),
        ("royal-tee", "C3", "the red Royal Tee", "red-royal"),
        ("royal-tee", "C3", "Empty", "empty"),
        ("royal-ur", "A3", "white", "white"),
        ("royal-ur", "A3", "2 black", "black*2"),
        ("territory", "C3", "green", "green"),
        ("royal-racers", "C3", "back", "back"),
        ("royal-racers", "C3", "flag suns pawn moons", "covered+flag-suns+pawn-moons"),
        ("royal-racers", "C3", "pawn moons flag suns", "covered+flag-suns+pawn-moons"),
        ("royal-racers", "C3", "pawn: suns", "7-clubs+pawn-suns"),
        ("royal-racers", "C3", "clubs", "7-clubs"),
        ("royal-racers", "C3", "7h", "7-hearts"),
        ("royal-racers", "C3", "", None),
        ("royal-tee", "C3", "purple", None),
        ("royal-racers", "C3", "spades", None),
    ],
)
def test_a_label_is_named_by_as_few_words_as_are_clear(game: str, cell: str, typed: str, label: str | None) -> None:
    view = view_of(begun(game))
    at = Cell(cell) if cell in view.board else next(iter(view.board))
    if label is not None and game == "royal-racers":
        view = replace(view, board={**view.board, at: label.partition("+")[0]})
    assert label_typed(view, at, typed) == label


def test_words_of_the_language_in_force_are_understood_beside_english_ones() -> None:
    view = view_of(begun("royal-ur"))
    with speaking("de"):
        assert label_typed(view, Cell("A3"), "2 schwarz") == label_typed(view, Cell("A3"), "2 black") == "black*2"


@pytest.mark.parametrize("game", GAMES)
def test_every_label_that_is_offered_is_understood(game: str) -> None:
    view = view_of(begun(game))
    cell = next(cell for cell in view.board if cell[1:].isdecimal())
    offered = labels_offered(view, cell)
    assert offered
    assert all(label_typed(view, cell, label) is not None for label in offered)
