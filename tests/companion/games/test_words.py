from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest

from companion.app.typed_commands import answer
from companion.core import choices as core_choices
from companion.core import display
from companion.core.display import view
from companion.core.state import new_state
from companion.core.verdicts import (
    Choice,
    Confirmed,
    PendingPlacement,
    Position,
    Refused,
    TookBack,
    Unchanged,
    Unclear,
    Verdict,
    Waiting,
)
from companion.core.view import View
from companion.games import GAMES
from companion.games.bundle import Turn
from companion.games.captions import choice_words, prompt_words
from companion.games.commands import command_words
from companion.games.engines import ENGINES
from companion.games.guide import pairs, short_rules
from companion.games.line import Command, Mistake
from companion.games.review import review_of
from companion.games.royal_racers import speech as racers
from companion.games.royal_study import speech as study
from companion.games.speech import SPEECHES, parse_line, possible_lines, score_lines, story
from companion.locale import speaking
from companion.ui.page import button_lines
from companion.ui.phrases import cells_list
from companion.ui.words import standing_words, todo_words, verdict_words, waiting_words
from engines.kernel import Advice, Cell, Event, Outcome, Refusal, Seat
from engines.royal_study.position import Say
from engines.territory import GAME, notation
from engines.territory.position import Action, Again, Stop
from engines.territory.search import advise
from hardware.panel import Button
from tests.companion.core.tables import act
from tests.companion.games.looks import new_game
from tests.companion.games.speeches import (
    advice_of,
    advised_in_source,
    events_of,
    named_in_source,
    refusals_of,
    tables_of,
)
from tests.companion.games.test_words_typed import position_after
from tests.companion.languages import ENGLISH, Brackets, assert_all_is_translated, outside
from tests.contracts.tables import played
from tests.narrow import there

RED = Seat("red")
CELLS = (Cell("E4"), Cell("E5"))
TODO = (PendingPlacement(Cell("F5"), "red", "empty"), PendingPlacement(Cell("F6"), "red", "green"))
TEE = GAMES["royal-tee"]
WORDS = SPEECHES["royal-tee"].words
WALK = act(TEE, walk=["F11", "E11"])
PASSED = (Event("passed", {"player": "red"}),)
EVENTS = (Event("walked"), Event("enclosed", {"cells": ["F5", "F6"]}))


def shown(verdict: Verdict | None = None, waiting: Waiting | None = None) -> View:
    return replace(view(new_state(TEE, Position(new_game("red", "green")))), verdict=verdict, waiting=waiting)


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        (Confirmed(RED, WALK), "Red walked 2 steps to E11."),
        (Confirmed(RED, act(TEE, walk=["F11"])), "Red walked 1 step to F11."),
        (Confirmed(RED, WALK, EVENTS), "Red walked 2 steps to E11 and enclosed 2 spaces: F5, F6."),
        (Confirmed(RED, WALK, (), TODO), "Red walked 2 steps to E11. Put red tees on F5 and F6."),
        (
            Confirmed(RED, act(TEE, **{"pass": True}), PASSED),
            "Red had no free space beside the Royal Tee and passed.",
        ),
        (
            Refused("extra-tee", "3.1", CELLS, {"player": RED}),
            "Red's tees are on E4, E5, where the walk did not go. (rule 3.1)",
        ),
        (
            Refused("extra-tee", "3.1", CELLS[:1], {"player": RED}),
            "Red's tee is on E4, where the walk did not go. (rule 3.1)",
        ),
        (Refused("never-heard-of", "", CELLS), "The rules do not explain what has changed on E4, E5."),
        (Refused("never-heard-of", ""), "The rules do not explain how the table looks now."),
        (
            Unclear("ambiguous", CELLS, (WALK, WALK)),
            "Several moves look like this. Straighten what stands on E4 and E5, or choose the move.",
        ),
        (
            Unclear("ambiguous", CELLS, (WALK,)),
            "I can't see E4 and E5 well. Straighten what stands there, and take your hands away.",
        ),
        (Unclear("ambiguous"), "Several moves leave the table like this. Choose the one that was played."),
        (Unclear("hand", CELLS), "I can't see E4 and E5. Is a hand there?"),
        (Unchanged(), "The table is as it should be."),
        (TookBack(RED), "Taken back: the game goes on as it was."),
        (TookBack(RED, TODO), "Taken back: the game goes on as it was. Put red tees on F5 and F6."),
        (None, "Ready."),
    ],
)
def test_every_verdict_has_its_sentence(verdict: Verdict | None, sentence: str) -> None:
    assert verdict_words(shown(verdict), WORDS) == sentence


def test_a_table_with_doubtful_cells_is_called_right_only_as_far_as_it_is_seen() -> None:
    doubted = replace(shown(Unchanged()), doubt=CELLS)
    assert verdict_words(doubted, WORDS) == "As far as I can see, the table is as it should be."


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("blind-dark", "It is too dark to see. Switch on a light."),
        ("blind-no-colour", "The picture's colours are missing or exchanged. Is the camera set to colour?"),
        ("set-up", "The table is not yet as the game stands."),
        ("blind-unreadable-file", "I can't see the table."),
        ("something-new", "I can't see the table."),
    ],
)
def test_whatever_is_waited_for_is_told_before_the_first_verdict(code: str, sentence: str) -> None:
    assert verdict_words(shown(waiting=Waiting(code)), WORDS) == waiting_words(Waiting(code)) == sentence


def test_long_lists_of_cells_are_cut() -> None:
    assert cells_list([f"A{n}" for n in range(1, 12)]) == "A1, A2, A3, A4, A5, A6, A7, A8 and 3 more"


def test_a_cell_out_of_a_damaged_record_is_named_whatever_its_length() -> None:
    assert cells_list(["A" + "9" * 5000, "A10", "B1", "A2"]).startswith("A2, A10, A999")


def test_each_kind_of_piece_to_put_has_its_sentence() -> None:
    todo = (*TODO, PendingPlacement(Cell("A1"), "empty", "red"))
    assert todo_words(todo, WORDS) == "Put red tees on F5 and F6. Clear A1."
    with speaking("fr"):
        assert todo_words(todo, WORDS).startswith("À placer en F5 et F6 : tees rouges."), "no noun without an article"
    stacks = [PendingPlacement(Cell(cell), "white*2", "empty") for cell in ("A1", "B2")]
    assert todo_words(stacks, SPEECHES["royal-ur"].words) == "Put stacks of 2 white counters on A1 and B2."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "Turn: Red (Red 1, Green 1)"),
        ({"to_act": "dice"}, "Turn: the dice (Red 1, Green 1)"),
        ({"over": True, "leaders": (RED, Seat("green"))}, "Winners: Red and Green (Red 1, Green 1)"),
        ({"over": True, "leaders": (RED,)}, "Winner: Red (Red 1, Green 1)"),
    ],
)
def test_the_standing_says_whose_turn_it_is_or_who_has_won(change: dict[str, object], sentence: str) -> None:
    assert standing_words(replace(shown(), **change)) == sentence  # type: ignore[arg-type] # fields by name


# ---- the expected action, every choice and every button has a name in the words of the game


def view_of(game: str, position: Position) -> View:
    return display.view(new_state(GAMES[game], position))


@pytest.mark.parametrize("game", ENGINES)
def test_every_choice_of_a_game_has_a_name(game: str) -> None:
    named: dict[str, set[str]] = {}
    for name in [name for name in tables_of(game) if "four" not in name and "three" not in name]:
        for turn in played(name).turns[:150]:
            view = view_of(game, turn.before)
            assert prompt_words(view).endswith((".", "?"))
            for choice in view.choices:
                named.setdefault(choice.code, set()).add(choice_words(view, choice))
    assert all(name and "-" not in name.replace("four-fives", "") for names in named.values() for name in names)


def test_a_number_that_is_counted_is_in_the_name() -> None:
    position = ENGINES["royal-study"].game.new([Seat("white"), Seat("black")], {}, 1)
    view = replace(view_of("royal-study", position), number=7)
    assert [choice_words(view, choice) for choice in view.choices] == ["White calls 7 moves", "Black calls 7 moves"]


def test_every_choice_of_the_evening_has_a_name() -> None:
    view = shown()
    codes = ("CONTINUE", "SAVE", "COUNT_NOW", "REMATCH", "NEW_GAME", "END", "GO_BACK", "TAKE_TABLE")
    names = {choice_words(view, Choice(getattr(core_choices, code))) for code in codes}
    assert len(names) == len(codes)
    explained = Choice(core_choices.EXPLANATION, act(GAMES["royal-tee"], walk=["F11"]))
    assert choice_words(view, explained) == "it was this: walk to F11"


def test_every_button_has_words_for_all_that_it_can_do() -> None:
    codes = {
        node.value
        for statement in ast.walk(ast.parse(inspect.getsource(display.buttons)))
        if isinstance(statement, ast.AnnAssign)
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value
    }
    assert len(codes) >= 12
    view = shown()
    lines = [button_lines(replace(view, buttons={Button.ROLL: code}), ()) for code in sorted(codes | {"next"})]
    words = [words for ((_button, words),) in lines]
    assert all(words)
    assert len(set(words)) == len(words)


def test_done_is_named_after_the_choice_that_it_plays() -> None:
    view = view_of("royal-study", position_after("royal-study", "white black", "call 7 white"))
    choices = [choice_words(view, choice) for choice in view.choices]
    assert ("DONE", "challenge the call") in button_lines(view, choices)


def test_a_finished_game_names_its_winner() -> None:
    last = played("ur").turns[-1].outcome.position
    assert prompt_words(view_of("royal-ur", last)) in (
        "The game is over. Winner: White.",
        "The game is over. Winner: Black.",
    )


# ---- every event, refusal and proposal of every game is a sentence for the players, without a code or key in it


NO_NAMES: Mapping[Seat, str] = {}

UNPLAYED = {
    "royal-tee": {"passed": Event("passed", {"player": "red"})},
    "royal-racers": {"nothing-to-flip": Event("nothing-to-flip", {"player": "suns", "rank": 1})},
}
"""Events too rare for random games."""


def events(game: str) -> dict[str, Event]:
    return {**UNPLAYED.get(game, {}), **events_of(game)}


def assert_is_a_sentence(text: str) -> None:
    assert re.match(r"[A-Z0-9]", text) or text.startswith(("ann", "bob", "cem")), text
    assert text.endswith((".", "!", "?", ")")), text
    assert not re.search(r"[{}_]|None|\b(?!\w+-fives|about-turn|left-right|top-bottom)[a-z]+-[a-z]+\b", text), text


def told(game: str) -> Iterator[str]:
    """Yield what is said of events, refusals and proposals, also those that come up in no random game, and of games."""
    speech, rules = SPEECHES[game], ENGINES[game].game
    for event in events(game).values():
        yield speech.words.event(event.to_json(), NO_NAMES)
    tried = refusals_of(game)
    position, action, _refusal = next(iter(tried.values()))
    rare = [Refusal(code, "1.1", (Cell("A1"), Cell("A2"))) for code in named_in_source(game, "Refusal") - tried.keys()]
    for refused in [*tried.values(), *((position, action, refusal) for refusal in rare)]:
        yield speech.refusal(*refused, NO_NAMES)
    found = advice_of(game)
    position, sample = next(iter(found.values()))
    numbers = {name: 1.0 for _position, advice in found.values() for name in advice.numbers} | {"gain": 1.0}
    seldom = [Advice(sample.action, code, numbers, 0.0) for code in advised_in_source(game) - found.keys()]
    for proposed in [*found.values(), *((position, advice) for advice in seldom)]:
        yield speech.hint(*proposed, NO_NAMES)
    for name in tables_of(game):
        for turn in played(name).turns[:200]:
            assert isinstance(turn.outcome, Outcome)
            yield story(game, rules.to_act(turn.before), turn.action, turn.outcome.events)
            yield from (speech.prompt(turn.before, NO_NAMES), speech.explain(turn.before, NO_NAMES))


@pytest.mark.parametrize(
    ("language", "check"),
    [(ENGLISH, assert_is_a_sentence), (Brackets(), assert_all_is_translated)],
    ids=["in English", "in a pretended language"],
)
@pytest.mark.parametrize("game", ENGINES)
def test_all_that_is_told_is_a_sentence_in_the_language(
    game: str, language: str | Brackets, check: Callable[[str], None]
) -> None:
    with speaking(language):
        for text in told(game):
            check(text)


@pytest.mark.parametrize("game", ENGINES)
def test_every_event_has_a_sentence_of_its_own(game: str) -> None:
    known = events(game)
    assert named_in_source(game, "Event") <= known.keys()
    assert len({SPEECHES[game].words.event(event.to_json(), NO_NAMES) for event in known.values()}) == len(known)


@pytest.mark.parametrize("game", ENGINES)
def test_most_refusals_come_up_at_random(game: str) -> None:
    assert len(refusals_of(game)) >= len(named_in_source(game, "Refusal")) * 0.6


def test_the_codes_of_all_advisers_are_found_in_their_source() -> None:
    assert {game: len(advised_in_source(game)) for game in ENGINES} == {
        "royal-tee": 5,
        "territory": 5,
        "royal-study": 6,
        "royal-racers": 9,
        "royal-ur": 9,
    }


@pytest.mark.parametrize("game", ENGINES)
def test_scores_rules_and_answers_are_in_the_language(game: str) -> None:
    with speaking(Brackets()):
        for text in answered(game):
            assert_all_is_translated(text)


def answered(game: str) -> Iterator[str]:
    """Yield what players can type, are shown and answered, a few mistakes of theirs included."""
    guide = SPEECHES[game].guide()
    for name in tables_of(game):
        for turn in played(name).turns[:100]:
            yield from possible_lines(game, turn.before)
        for position in played(name).sample(5):
            yield from score_lines(game, position)
    yield from (*short_rules(guide), *pairs(guide.signs), *pairs(guide.terms))
    yield from (option.title for option in guide.options)
    position = played(tables_of(game)[0]).turns[5].before
    for line in ("", "xyzzy", "99", "z99", "a1 b1 c1 d1"):
        if isinstance(reading := parse_line(game, position, line), Mistake):
            yield reading.sentence
    for command in set(command_words()) - {"help"}:
        yield from answer(view_of(game, position), Command(command)) or ()


def test_english_beside_the_brackets_is_found() -> None:
    assert outside("⟦Red ⟦2⟧⟧ walked ⟦far⟧") == " walked "
    with pytest.raises(AssertionError):
        assert_all_is_translated("⟦Red⟧ walked ⟦far⟧")


@pytest.mark.parametrize("game", ENGINES)
def test_people_are_called_by_their_names(game: str) -> None:
    events = (event for name in tables_of(game) for turn in played(name).turns for event in turn.outcome.events)
    event = next(event for event in events if "player" in event.facts and event.name != "round")
    names = {Seat(str(event.facts["player"])): "Zoë"}
    assert "Zoë" in SPEECHES[game].words.event(event.to_json(), names)


def test_a_counter_that_leaves_the_board_is_proposed_to_go_home() -> None:
    game, waiting = ENGINES["royal-ur"].game, [-1] * 6
    position = game.position_from_json(
        {
            **game.position_to_json(game.new([Seat("white"), Seat("black")], {"throw_off": False}, 0)),
            "await": "move",
            "dots": 2,
            "counters": {"white": [14, *waiting], "black": [3, *waiting]},
        }
    )
    advice = Advice(game.action_from_json({"move": 14}), "comes-home", {"win": 0.5}, 0.0)
    assert SPEECHES["royal-ur"].hint(position, advice, NO_NAMES).startswith("Move from G3 home: ")


# ---- how a score comes about: every player has a sentence, with what the engine counts


@pytest.mark.parametrize("game", ENGINES)
def test_the_sentences_name_the_score_of_the_engine(game: str) -> None:
    for name in tables_of(game):
        for position in played(name).sample(12):
            score, parts = ENGINES[game].game.score(position), [*SPEECHES[game].score_parts(position, {})]
            assert [part.seat for part in parts] == [*score]
            for part in parts:
                assert not score[part.seat] or re.search(rf"\b{score[part.seat]}\b", part.sentence)
            for line in score_lines(game, position, {Seat("red"): "Zoë"}):
                assert re.fullmatch(r"[A-Za-zZoë0-9](?!.*([{}_]|None)).*\.", line), line


def test_the_article_of_a_card_goes_with_its_rank() -> None:
    for language, named in (("fr", ["l'as de cœur", "le 7 de cœur"]), ("it", ["l'asso di cuori", "il 7 di cuori"])):
        with speaking(language):
            assert [racers.card_named(card) for card in ("A-hearts", "7-hearts")] == named


def test_a_group_is_counted_space_by_space() -> None:
    position = position_after("territory", "red green blue", "roll 3 4", "place H1")
    position = ENGINES["territory"].game.position_from_json(
        {**ENGINES["territory"].game.position_to_json(position), "owners": {"A1": "red", "B1": "red", "D8": "red"}}
    )
    assert score_lines("territory", position)[0] == (
        "The best group of Red: 11 points (D8). 1 other group does not count."
    )


def test_how_close_a_solution_came_is_reported_after_the_execution() -> None:
    position = position_after("royal-study", "anna", together=True)
    assert not any("fewest" in line for line in score_lines("royal-study", position))
    engine = ENGINES["royal-study"]
    for action in ("B C2-B2", "give-up"):
        outcome = engine.game.play(position, engine.notation.read_action(action))
        position = getattr(outcome, "position", position)
    assert re.search(
        r"It took \d moves?; the fewest possible are \d+ moves\.", " ".join(score_lines("royal-study", position))
    )


# ---- what happens to the Study's cards, in sentences: a card needs its number only beside another one


FIRST = Event("met", {"target": 0})
SECOND = Event("met", {"target": 1})
SOLVED = Event("solved", {"player": "white", "steps": 4})


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([FIRST, SOLVED], "The card is met."),
        ([FIRST], "The first card is met."),
        ([SECOND, SOLVED], "The second card is met."),
        ([FIRST, SECOND, SOLVED], "The first card is met."),
        ([Event("turned", {"target": 0, "way": "cw"})], "The card is turned a quarter to the right."),
    ],
)
def test_a_card_is_numbered_only_beside_another(events: list[Event], said: str) -> None:
    assert study.WORDS.played("white", Say.NEXT, events).startswith(said)


# ---- what is said of a game of Territory afterwards: points before its last turn, the chance to win in it


AHEAD = "red,yellow,green {turn} choose 8.4.7 - 6w1/a7/3w4/3w4/8/8/8/8"
"""The mover leads by 7 points to 5, with white pieces only."""

BEHIND = "red,yellow,green {turn} choose 8.4.7 - 6w1/a7/3w4/3w4/8/8/8/aa6"
"""The mover has 7 points, red 8."""


def _said(line: str, action: Action) -> dict[int, str]:
    before = notation.read_position(line)
    turn = Turn(1, before.turn, action, before, GAME.after(before, action))
    return dict(review_of("territory", [turn], {}).remarks)


@pytest.mark.parametrize("line", [AHEAD, BEHIND])
@pytest.mark.parametrize("turn", ["green 2/8", "green 8/8"])
def test_a_decision_as_advised_is_not_found_fault_with(line: str, turn: str) -> None:
    advice = there(advise(notation.read_position(line.format(turn=turn))))
    assert _said(line.format(turn=turn), advice.action) == {}


@pytest.mark.parametrize(("line", "action"), [(AHEAD, Again()), (BEHIND, Stop())])
def test_the_wrong_decision_of_the_last_turn_gives_chance_away(line: str, action: Action) -> None:
    assert "percent of the chance to win" in _said(line.format(turn="green 8/8"), action)[1]
