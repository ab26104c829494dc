"""In a pretended language, in which every sentence is in brackets, nothing that the players read is outside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from companion.app.typed_commands import answer
from companion.games.commands import command_words
from companion.games.engines import ENGINES
from companion.games.guide import option_lines, pairs, short_rules
from companion.games.line import Command, Mistake
from companion.games.speech import SPEECHES, parse_line, possible_lines, score_lines, story
from companion.locale import speaking
from engines.kernel import Outcome
from tests.companion.games.speeches import advice_of, events_of, refusals_of, tables_of
from tests.companion.games.test_words import view_of
from tests.companion.languages import Brackets, outside
from tests.contracts.tables import played


@pytest.fixture(autouse=True)
def _pretended() -> Iterator[None]:
    with speaking(Brackets()):
        yield


def assert_all_is_translated(text: str) -> None:
    assert not re.search(r"[A-Za-z]{3}", outside(text)), text


@pytest.mark.parametrize("game", ENGINES)
def test_what_happens_is_in_the_language(game: str) -> None:
    rules, speech = ENGINES[game].game, SPEECHES[game]
    for event in events_of(game).values():
        assert_all_is_translated(speech.words.event(event.to_json(), {}))
    for position, action, refusal in refusals_of(game).values():
        assert_all_is_translated(speech.refusal(position, action, refusal, {}))
    for position, advice in advice_of(game).values():
        assert_all_is_translated(speech.hint(position, advice, {}))
    for name in tables_of(game):
        for turn in played(name).turns[:100]:
            assert isinstance(turn.outcome, Outcome)
            assert_all_is_translated(story(game, rules.to_act(turn.before), turn.action, turn.outcome.events))
            assert_all_is_translated(" ".join(possible_lines(game, turn.before)))
            assert_all_is_translated(speech.prompt(turn.before, {}))


@pytest.mark.parametrize("game", ENGINES)
def test_scores_and_rules_are_in_the_language(game: str) -> None:
    for name in tables_of(game):
        for position in played(name).sample(5):
            assert_all_is_translated(" ".join(score_lines(game, position)))
    guide = SPEECHES[game].guide()
    lines = [*short_rules(guide), *pairs(guide.signs), *pairs(guide.terms)]
    for line in [*lines, *(option.title for option in guide.options)]:
        assert_all_is_translated(line)
    assert len(option_lines(guide)) >= len(guide.options)


@pytest.mark.parametrize("game", ENGINES)
def test_mistakes_and_answers_are_in_the_language(game: str) -> None:
    position = played(tables_of(game)[0]).turns[5].before
    for line in ("", "xyzzy", "99", "z99", "a1 b1 c1 d1"):
        reading = parse_line(game, position, line)
        if isinstance(reading, Mistake):
            assert_all_is_translated(reading.sentence)
    view = view_of(game, position)
    for command in command_words():
        for line in answer(view, Command(command)) or []:
            if command != "help":
                assert_all_is_translated(line)


def test_english_beside_the_brackets_is_found() -> None:
    assert outside("⟦Red ⟦2⟧⟧ walked ⟦far⟧") == " walked "
    with pytest.raises(AssertionError):
        assert_all_is_translated("⟦Red⟧ walked ⟦far⟧")
