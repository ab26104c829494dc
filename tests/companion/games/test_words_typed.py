"""Typed lines: everything that the players may mean is understood, and every mistake has an answer of its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import companion.games.line as line_of_words
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.games.line import Command, Entered, Mistake, as_typed
from companion.games.speech import MOST_LISTED, SPEECHES, parse_line, possible_lines
from companion.locale import speaking
from companion.ui.hearing import for_the_ear
from engines.kernel import Cell, Seat
from engines.royal_study.position import Call, Move
from engines.royal_tee.position import Walk
from tests.companion.games.speeches import tables_of
from tests.companion.languages import LANGUAGES
from tests.contracts.tables import played
from tests.narrow import narrowed

NAMES = {Seat("white"): "Anna Maria", Seat("black"): "Ben"}


def position_after(game: str, players: str, *actions: str, **options: Any) -> Any:
    engine = ENGINES[game]
    position = engine.game.new([Seat(name) for name in players.split()], options, 3)
    for text in actions:
        position = engine.game.after(position, engine.notation.read_action(text)).position
    return position


POSITIONS = {
    "tee": lambda: position_after("royal-tee", "red green", "F11", "G2", "E11 E10", "H2 H3", "E9 E8 E7"),
    "tee of four steps": lambda: position_after(
        "royal-tee", "red green", "F11", "G2", "E11 E10", "H2 H3", "E9 E8 E7", "H4 H5 H6"
    ),
    "roll-off": lambda: position_after("territory", "red green blue", roll_off=True),
    "roll": lambda: position_after("territory", "red green blue"),
    "place": lambda: position_after("territory", "red green blue", "roll 3 4"),
    "choose": lambda: position_after(
        *("territory", "red green blue", "roll 3 4", "place A1", "roll 1 1", "place C4", "roll 6 6", "place B2")
    ),
    "capture": lambda: position_after(
        *("territory", "red green blue", "roll 3 4", "place A1", "roll 1 1", "place C4", "roll 6 6", "place B2"),
        *("stop", "roll 3 4"),
    ),
    "throw": lambda: position_after("royal-ur", "white black"),
    "counters": lambda: position_after(
        "royal-ur", "white black", "roll 3", "enter", "roll 3", "enter", "roll 2", "move 0", "roll 3"
    ),
    "only entering": lambda: position_after("royal-ur", "white black", "roll 3"),
    "starts": lambda: position_after("royal-racers", "suns moons"),
    "die": lambda: position_after("royal-racers", "suns moons", "start C3", "start D4", "flag E4", "flag A1", flags=2),
    "cards": lambda: position_after(
        "royal-racers", "suns moons", "start C3", "start D4", "flag E4", "flag A1", "roll 3", flags=2
    ),
    "step": lambda: position_after(
        "royal-racers", "suns moons", "start C3", "start D4", "flag E4", "flag A1", "roll null", flags=2
    ),
    "call": lambda: position_after("royal-study", "white black"),
    "challenge": lambda: position_after("royal-study", "white black", "call 7 white"),
    "execution": lambda: position_after("royal-study", "white black", "call 7 white", "decline", level=3),
    "draw": lambda: position_after("royal-study", "white black", deck="table"),
}


def game_of(position: Any) -> str:
    return next(game for game in ENGINES if type(position).__module__ == f"engines.{game.replace('-', '_')}.position")


GOLDEN = Path(__file__).parents[2] / "golden" / "typed.txt"
TYPED = [re.split(r" \| | => ", line) for line in GOLDEN.read_text("utf-8").splitlines() if line and line[0] != "#"]


@pytest.mark.parametrize(("moment", "line", "meaning"), TYPED)
def test_a_line_is_the_action_that_it_means_and_a_mistake_has_an_answer_of_its_own(
    moment: str, line: str, meaning: str
) -> None:
    position = POSITIONS[moment]()
    game = game_of(position)
    reading = parse_line(game, position, line, NAMES)
    if meaning.startswith("! "):
        assert reading == Mistake(meaning.removeprefix("! "))
    else:
        assert isinstance(reading, Entered), reading
        assert (ENGINES[game].notation.write_action(reading.action), reading.confirm) == (meaning, "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_is_typed_as_the_voice_says_it(language: str) -> None:
    line_of_words._spoken.cache_clear()  # a pretended language of another test has the code of English
    with speaking(language):
        for moment, line, meaning in TYPED:
            position = POSITIONS[moment]()
            game = game_of(position)
            written = re.sub(r"\b[a-z]\d+\b", lambda cell: cell[0].upper(), line)
            heard = for_the_ear(written, GAMES[game].board().places)
            if not meaning.startswith("! "):
                assert parse_line(game, position, heard, NAMES) == parse_line(game, position, line, NAMES), heard


def test_a_name_spells_no_letter() -> None:
    names = {Seat("white"): "Charlie", Seat("black"): "Ben"}
    called = narrowed(parse_line("royal-study", POSITIONS["call"](), "Charlie six", names), Entered)
    assert called.action == Call(6, Seat("white"))
    assert as_typed("Charlie three, twenty one") == "C3, 21"
    assert as_typed("Charlie three", {"charlie"}) == "charlie 3"


def test_all_cards_that_lie_there_are_typed_in_one_line() -> None:
    position, cards = POSITIONS["starts"](), [rank + suit for suit in "shdc" for rank in "a23456789"]
    game = game_of(position)
    for line in ("deal " + " ".join(cards), " ".join(cards).upper(), ", ".join(cards)):
        reading = narrowed(parse_line(game, position, line, NAMES), Entered)
        laid = GAMES[game].engine.after(position, reading.action)
        assert [GAMES[game].placement(laid.position)[Cell(cell)] for cell in ("A1", "F1", "F6")] == [
            "A-spades", "6-spades", "9-clubs",
        ]  # fmt: skip
    twice = narrowed(parse_line(game, position, " ".join(["ah", *cards[1:]]), NAMES), Mistake)
    assert twice.sentence.endswith(": ah, as.")


def test_dice_typed_at_a_choice_are_the_choice_and_the_roll() -> None:
    reading = narrowed(parse_line("territory", POSITIONS["choose"](), "3 4"), Entered)
    write = ENGINES["territory"].notation.write_action
    assert [write(action) for action in (reading.action, *reading.then)] == ["again", "roll 3 4"]


@pytest.mark.parametrize("moment", POSITIONS)
@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("help", Command("help")),
        ("?", Command("help")),
        ("Hint", Command("hint")),
        ("UNDO", Command("undo")),
        ("back", Command("undo")),
        ("rule 3.1", Command("rule", "3.1")),
        ("rules", Command("rules")),
        ("card", Command("card")),
        ("games", Command("games")),
        ("new", Command("new")),
        ("score", Command("score")),
        ("board", Command("board")),
        ("quit", Command("quit")),
    ],
)
def test_commands_are_understood_at_every_moment(moment: str, line: str, command: Command) -> None:
    position = POSITIONS[moment]()
    assert parse_line(game_of(position), position, line, NAMES) == command


@pytest.mark.parametrize("moment", ["roll-off", "roll", "throw", "die"])
def test_the_companion_is_asked_to_throw(moment: str) -> None:
    position = POSITIONS[moment]()
    assert [parse_line(game_of(position), position, line) for line in ("roll", "r")] == [Command("roll")] * 2


@pytest.mark.parametrize("line", ["", "   ", ",", "3 4 5 6", "the", "é", "🎲", "a" * 500, "1" * 5000, "a1 " * 40])
@pytest.mark.parametrize("moment", POSITIONS)
def test_no_line_is_without_an_answer(moment: str, line: str) -> None:
    position = POSITIONS[moment]()
    reading = parse_line(game_of(position), position, line)
    assert isinstance(reading, Mistake | Entered)
    if isinstance(reading, Mistake):
        assert 0 < len(reading.sentence) < 300


def test_only_the_end_of_a_walk_is_a_proposal_to_agree_to() -> None:
    position = POSITIONS["tee of four steps"]()
    reading = narrowed(parse_line("royal-tee", position, "d6"), Entered)
    assert reading.confirm
    assert isinstance(reading.action, Walk)
    assert reading.action.cells[-1] == "D6"
    assert len(reading.action.cells) == 4
    assert reading.confirm == f"Walk {' '.join(reading.action.cells)}? Of all walks to D6 it brings the most: 4 spaces."


@pytest.mark.parametrize("game", ENGINES)
def test_every_listed_action_is_chosen_by_its_number(game: str) -> None:
    for name in tables_of(game):
        for turn in played(name).turns[:60]:
            lines = possible_lines(game, turn.before)
            assert all(lines)
            offered = SPEECHES[game].offered(turn.before)
            if 0 < len(offered) <= MOST_LISTED:
                assert [parse_line(game, turn.before, str(n)) for n in range(1, len(lines) + 1)] == [
                    Entered(action) for action in offered
                ]


@pytest.mark.parametrize("game", ENGINES)
def test_the_notation_of_records_is_understood(game: str) -> None:
    write = ENGINES[game].notation.write_action
    for name in tables_of(game):
        for turn in played(name).turns[:150]:
            assert parse_line(game, turn.before, write(turn.action)) == Entered(turn.action)


# ---- another language


@pytest.mark.parametrize(
    ("moment", "line", "action"),
    [
        ("choose", "würfeln", "again"),
        ("choose", "WURFELN", "again"),
        ("choose", "again", "again"),
        ("choose", "Aufhören", "stop"),
        ("choose", "stop", "stop"),
        ("die", "ass", "roll 1"),
        ("die", "ace", "roll 1"),
        ("cards", "3 herz", "flip E4"),
    ],
)
def test_the_words_of_the_language_and_the_english_ones_are_understood(moment: str, line: str, action: str) -> None:
    position = POSITIONS[moment]()
    game = game_of(position)
    with speaking("de"):
        reading = narrowed(parse_line(game, position, line), Entered)
    assert ENGINES[game].notation.write_action(reading.action) == action


@pytest.mark.parametrize("line", ["zurück", "zuruck", "zurueck", "ZURUECK", "undo", "back"])
def test_umlauts_of_a_command_may_be_spelt_out_or_left_bare_and_it_may_be_english(line: str) -> None:
    with speaking("de"):
        assert parse_line("royal-ur", position_after("royal-ur", "white black"), line) == Command("undo")


def test_a_word_that_is_like_a_known_one_is_proposed_as_it_is_written() -> None:
    with speaking("de"):
        reading = narrowed(parse_line("royal-ur", position_after("royal-ur", "white black"), "zurükc"), Mistake)
        assert "zurück" in reading.sentence


def test_a_word_that_several_names_have_names_no_player() -> None:
    names = {Seat("white"): "Anna Lee", Seat("black"): "Ben Lee"}
    named, open_ = (parse_line("royal-study", POSITIONS["call"](), line, names) for line in ("6 ben lee", "6 lee"))
    assert isinstance(named, Entered)
    assert narrowed(named.action, Call).by == "black"
    assert isinstance(open_, Mistake)


def test_small_words_beside_others_mean_nothing_and_alone_are_not_guessed_at() -> None:
    position = position_after("royal-tee", "red green")
    with speaking("fr"):
        assert parse_line("royal-tee", position, "ov F11") == parse_line("royal-tee", position, "F11")
        alone = narrowed(parse_line("royal-tee", position, "ov"), Mistake)
        assert "ben" not in alone.sentence


@pytest.mark.parametrize("language", ["es", "fr", "it"])
def test_the_letter_on_the_board_is_understood_where_it_is_another_piece_in_the_language(language: str) -> None:
    position = POSITIONS["execution"]()
    legal = ENGINES["royal-study"].game.actions(position)
    rook = next(move for move in legal if ENGINES["royal-study"].notation.write_action(move).startswith("R "))
    assert isinstance(rook, Move)
    with speaking(language):
        typed = parse_line("royal-study", position, f"r {rook.start} {rook.end}", NAMES)
    assert isinstance(typed, Entered), "r is the king, who does not stand there"
    assert typed.action == rook
