"""Typed lines: everything that the players may mean is understood, and every mistake has an answer of its own."""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from companion import locale
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.games.line import Command, Entered, Mistake
from companion.games.speech import MOST_LISTED, SPEECHES, parse_line, possible_lines
from engines.kernel import Cell, Outcome, Seat
from engines.royal_study.position import Call, Move
from engines.royal_tee.position import Walk
from tests.companion.games.speeches import tables_of
from tests.companion.languages import spoken
from tests.contracts.tables import played

NAMES = {Seat("white"): "Anna Maria", Seat("black"): "Ben"}


def position_after(game: str, players: str, *actions: str, **options: Any) -> Any:
    engine = ENGINES[game]
    position = engine.game.new([Seat(name) for name in players.split()], options, 3)
    for text in actions:
        outcome = engine.game.play(position, engine.notation.read_action(text))
        assert isinstance(outcome, Outcome), text
        position = outcome.position
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


@pytest.mark.parametrize(
    ("moment", "line", "action"),
    [
        ("tee", "h4 h5 h6", "H4 H5 H6"),
        ("tee", "H4,H5,H6", "H4 H5 H6"),
        ("tee", "h4h5h6", "H4 H5 H6"),
        ("tee", "h3 h6", "H4 H5 H6"),
        ("tee", "h6", "H4 H5 H6"),
        ("tee", "3 down", "H4 H5 H6"),
        ("tee", "2 left up", "G3 F3 F2"),
        ("tee", "2 left 1 up", "G3 F3 F2"),
        ("tee", "f3 f2", "G3 F3 F2"),
        ("tee", "walk Left left UP", "G3 F3 F2"),
        ("roll-off", "3", "roll 3"),
        ("roll", "3 4", "roll 3 4"),
        ("roll", "3,4", "roll 3 4"),
        ("roll", "34", "roll 3 4"),
        ("roll", "roll 3 and 4", "roll 3 4"),
        ("place", "a1", "place A1"),
        ("place", "A 1", "place A1"),
        ("place", "2", "place H1"),
        ("place", "put on h1", "place H1"),
        ("choose", "roll", "again"),
        ("choose", "1", "again"),
        ("choose", "stop", "stop"),
        ("choose", "STOP!", "stop"),
        ("throw", "3", "roll 3"),
        ("throw", "3 dots", "roll 3"),
        ("throw", "none", "roll 0"),
        ("counters", "d3", "move 1"),
        ("counters", "b2", "move 1"),
        ("counters", "e3 a2", "move 0"),
        ("counters", "enter", "enter"),
        ("counters", "1", "move 0"),
        ("starts", "c3", "start C3"),
        ("die", "ace", "roll 1"),
        ("die", "0", "roll null"),
        ("die", "empty", "roll null"),
        ("cards", "3 of hearts", "flip E4"),
        ("cards", "b6", "flip B6"),
        ("step", "up", "step C2"),
        ("step", "c2", "step C2"),
        ("step", "stay", "pass"),
        ("call", "7 anna", "call 7 white"),
        ("call", "Ben: 6", "call 6 black"),
        ("call", "Anna calls 6 steps", "call 6 white"),
        ("call", "6 anna-maria", "call 6 white"),
        ("call", "Maria 6", "call 6 white"),
        ("challenge", "no", "decline"),
        ("challenge", "1", "challenge"),
        ("execution", "king b2", "K B3-B2"),
        ("execution", "Kb2", "K B3-B2"),
        ("execution", "b3 b2", "K B3-B2"),
        ("execution", "turn right", "turn cw 0"),
        ("execution", "mirror top-bottom", "mirror top-bottom 0"),
        ("execution", "give up", "give-up"),
        ("draw", "17", "draw 17 f0"),
        ("draw", "17 back right", "draw 17 b1"),
        ("draw", "17 b2", "draw 17 b2"),
    ],
)
def test_a_line_is_the_action_that_it_means(moment: str, line: str, action: str) -> None:
    position = POSITIONS[moment]()
    game = game_of(position)
    reading = parse_line(game, position, line, NAMES)
    assert isinstance(reading, Entered), reading
    assert ENGINES[game].notation.write_action(reading.action) == action
    assert not reading.confirm


def test_all_cards_that_lie_there_are_typed_in_one_line() -> None:
    position, cards = POSITIONS["starts"](), [rank + suit for suit in "shdc" for rank in "a23456789"]
    game = game_of(position)
    for line in ("deal " + " ".join(cards), " ".join(cards).upper(), ", ".join(cards)):
        reading = parse_line(game, position, line, NAMES)
        assert isinstance(reading, Entered), reading
        laid = GAMES[game].engine.play(position, reading.action)
        assert isinstance(laid, Outcome)
        assert [GAMES[game].placement(laid.position)[Cell(cell)] for cell in ("A1", "F1", "F6")] == [
            "A-spades", "6-spades", "9-clubs",
        ]  # fmt: skip
    twice = parse_line(game, position, " ".join(["ah", *cards[1:]]), NAMES)
    assert isinstance(twice, Mistake)
    assert twice.sentence.endswith(": ah, as.")


def test_dice_typed_at_a_choice_are_the_choice_and_the_roll() -> None:
    reading = parse_line("territory", POSITIONS["choose"](), "3 4")
    assert isinstance(reading, Entered)
    write = ENGINES["territory"].notation.write_action
    assert [write(action) for action in (reading.action, *reading.then)] == ["again", "roll 3 4"]


@pytest.mark.parametrize(
    ("moment", "line", "sentence"),
    [
        ("tee", "a1", "A1 is 9 steps away; you have to walk exactly 3."),
        ("tee", "h5", "H5 is 2 steps away; with a detour it is two more each time, never exactly 3."),
        ("tee", "m3", "M3 is not on the board; its spaces are A1 to L12."),
        ("tee", "g6 f6", "From H3 to G6 there is no straight line: name the corner too."),
        ("tee", "9 up", "From H3 there is no room for 9 steps in that direction."),
        ("roll-off", "7", "One die decides who begins: type its number, 1 to 6."),
        ("roll", "7", "Type both dice, each 1 to 6, not their sum: 3 4."),
        ("roll", "3 9", "Two dice, each 1 to 6: 3 4."),
        ("place", "a1 h1", "One space at a time, please."),
        ("place", "99", "Choose a number from 1 to 8."),
        ("throw", "4", "Type how many of the three dice show a dot: 0, 1, 2 or 3."),
        ("counters", "d3 a3", "From D3 the counter goes 5 on, to B2."),
        ("counters", "e1", "The way of Anna Maria does not lead over E1."),
        ("counters", "e3", "Enter a counter on E3, or move the one that stands there? Type enter, or E3 A2."),
        ("die", "6", "One die: type ace or 1, 2, 3, 4, 5, or null for the empty face."),
        ("step", "pas", 'I do not know "pas". Did you mean "pass"?'),
        ("step", "xyzzy", 'I do not know "xyzzy". You can step to B3, C2, C4, D3, or pass to stay.'),
        ("call", "7", "Who calls 7? Type 7 Anna Maria or 7 Ben."),
        ("call", "7 ana", 'I do not know "ana". Did you mean "Anna"?'),
        ("call", "100 ben", "Nobody needs that many moves: call a number up to 99."),
        ("execution", "d4", "D4 is not on the board; its squares are A1 to C3."),
        ("execution", "turn", "Which way? Type turn right or turn left."),
        ("draw", "draw", "Type the number on the card."),
        ("die", "h4", "One die: type ace or 1, 2, 3, 4, 5, or null for the empty face."),
        ("die", "4 of hearts", "One die: type ace or 1, 2, 3, 4, 5, or null for the empty face."),
        ("die", "ace 4", "One die: type ace or 1, 2, 3, 4, 5, or null for the empty face."),
        ("starts", "h4", "H4 is not on the grid; its spaces are A1 to F6."),
        ("starts", "44", "Choose a number from 1 to 4."),
        ("starts", "-1", "Free: C3, C4, D3, D4."),
        ("counters", "h9", "H9 is not on the board; its squares are A1 to H3."),
        ("only entering", "3", "Possible: enter a counter on E3."),
        ("counters", "33", "Choose a number from 1 to 3."),
        ("throw", "3 b2", "Type how many of the three dice show a dot: 0, 1, 2 or 3."),
        ("execution", "b2", "Which piece goes to B2? It can be the bishop, the rook, the queen or the king."),
    ],
)
def test_every_mistake_has_an_answer_of_its_own(moment: str, line: str, sentence: str) -> None:
    position = POSITIONS[moment]()
    assert parse_line(game_of(position), position, line, NAMES) == Mistake(sentence)


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
    reading = parse_line("royal-tee", position, "d6")
    assert isinstance(reading, Entered)
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


@pytest.mark.parametrize("game", ENGINES)
def test_what_is_awaited_and_how_to_type_it_are_sentences(game: str) -> None:
    speech = SPEECHES[game]
    for name in tables_of(game):
        for turn in played(name).turns[:150]:
            assert speech.prompt(turn.before, {}).endswith((".", "?"))
            assert speech.explain(turn.before, {}).endswith(".")


# ---- another language


class _Pretended(gettext.NullTranslations):
    """A language in which some words are others."""

    WORDS: Mapping[str, str] = {
        "roll, throw, r, again, on": "würfeln, w",
        "stop, keep, enough": "aufhören, stopp",
        "undo, back": "zurück, rückgängig",
        "ace": "Ass",
        "hearts, heart": "Herz",
    }

    def info(self) -> dict[str, str]:
        return {"language": "pretended"}

    def gettext(self, message: str) -> str:
        return self.WORDS.get(message, message)


@pytest.fixture
def another_language(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(locale, "users_catalogue", _Pretended)
    yield


@pytest.mark.usefixtures("another_language")
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
    reading = parse_line(game, position, line)
    assert isinstance(reading, Entered), reading
    assert ENGINES[game].notation.write_action(reading.action) == action


@pytest.mark.usefixtures("another_language")
def test_commands_of_the_language_and_the_english_ones_are_understood() -> None:
    position = POSITIONS["choose"]()
    for line in ("zurück", "zuruck", "undo", "back"):
        assert parse_line("territory", position, line) == Command("undo")


@pytest.mark.parametrize("line", ["zurück", "zuruck", "zurueck", "ZURUECK"])
def test_umlauts_may_be_spelt_out_or_left_bare(line: str) -> None:
    with spoken("de"):
        assert parse_line("royal-ur", position_after("royal-ur", "white black"), line) == Command("undo")


def test_a_word_that_is_like_a_known_one_is_proposed_as_it_is_written() -> None:
    with spoken("de"):
        reading = parse_line("royal-ur", position_after("royal-ur", "white black"), "zurükc")
        assert isinstance(reading, Mistake)
        assert "zurück" in reading.sentence


def test_a_word_that_several_names_have_names_no_player() -> None:
    names = {Seat("white"): "Anna Lee", Seat("black"): "Ben Lee"}
    named, open_ = (parse_line("royal-study", POSITIONS["call"](), line, names) for line in ("6 ben lee", "6 lee"))
    assert isinstance(named, Entered)
    assert isinstance(named.action, Call)
    assert named.action.by == "black"
    assert isinstance(open_, Mistake)


def test_small_words_beside_others_mean_nothing_and_alone_are_not_guessed_at() -> None:
    position = position_after("royal-tee", "red green")
    with spoken("fr"):
        assert parse_line("royal-tee", position, "ov F11") == parse_line("royal-tee", position, "F11")
        alone = parse_line("royal-tee", position, "ov")
        assert isinstance(alone, Mistake)
        assert "ben" not in alone.sentence


@pytest.mark.parametrize("language", ["es", "fr", "it"])
def test_the_letter_on_the_board_is_understood_where_it_is_another_piece_in_the_language(language: str) -> None:
    position = POSITIONS["execution"]()
    legal = ENGINES["royal-study"].game.actions(position)
    rook = next(move for move in legal if ENGINES["royal-study"].notation.write_action(move).startswith("R "))
    assert isinstance(rook, Move)
    with spoken(language):
        typed = parse_line("royal-study", position, f"r {rook.start} {rook.end}", NAMES)
    assert isinstance(typed, Entered), "r is the king, who does not stand there"
    assert typed.action == rook
