"""The rules for the players: short, full, with signs, terms and options; every rule that is named can be opened."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from companion.app.typed_commands import answer, rules_answer
from companion.games.engines import ENGINES
from companion.games.guide import (
    Guide,
    Option,
    option_lines,
    options_in_words,
    pairs,
    short_rules,
)
from companion.games.kit import Words
from companion.games.line import Command
from companion.games.rulebook import all_rules, rule_lines, rulebook, translated_rulebook
from companion.games.speech import SPEECHES, brief_options, read_option, title_of
from companion.locale import speaking
from companion.printing.cover import cover_items
from companion.printing.kits import kit_of
from companion.printing.paper import Options
from engines.kernel import BadRequestError, Json
from tests.architecture.source import ROOT
from tests.companion.games.speeches import refusals_of, tables_of
from tests.companion.games.test_words import view_of
from tests.companion.languages import LANGUAGES, TRANSLATED
from tests.companion.ui.test_golden_screens import GAMES_SHOWN, played
from tests.contracts.tables import TABLES


def guide_of(game: str) -> Guide:
    return SPEECHES[game].guide()


@pytest.mark.parametrize("game", ENGINES)
def test_the_turn_is_reported_in_few_sentences_that_fit_on_a_screen(game: str) -> None:
    guide = guide_of(game)
    assert 4 <= len(guide.turn) <= 7
    for sentence in [guide.goal, *guide.turn]:
        assert re.fullmatch(r"[A-Z0-9].{10,118}\.", sentence), sentence
        assert not re.search(r"[{}`_]", sentence)


@pytest.mark.parametrize("game", ENGINES)
def test_who_made_the_game_is_credited_wherever_its_rules_are(game: str) -> None:
    author = {"royal-racers": "Robert Kouba", "royal-study": "Stan van Rooijen"}.get(game, "not named in its rulebook")
    guide, kit = guide_of(game), kit_of(game)
    on_cover = [item.text for item in cover_items(kit, Options(), ()) if isinstance(item, Words)]
    rules = (ROOT / "engines" / game.replace("-", "_") / "RULES.md").read_text(encoding="utf-8")
    for text in ("\n".join(short_rules(guide)), "\n".join(on_cover), rules):
        assert author in text


@pytest.mark.parametrize("game", ENGINES)
def test_all_rules_are_the_numbered_paragraphs_under_their_titles(game: str) -> None:
    numbers = [line.split()[0] for line in all_rules(game) if line and not line.startswith("- ")]
    paragraphs = [number for number in rulebook(game) if "." in number]
    assert [number for number in numbers if "." in number] == paragraphs
    assert [number for number in numbers if "." not in number] == list(dict.fromkeys(p[0] for p in paragraphs))
    assert rules_answer(game, "")[0] == title_of(game)


@pytest.mark.parametrize("game", ENGINES)
def test_signs_and_terms_have_meanings(game: str) -> None:
    guide = guide_of(game)
    for line in [*pairs(guide.signs), *pairs(guide.terms)]:
        assert re.fullmatch(r".+: .{4,}", line), line
    assert len(guide.terms) >= 5


def _values(option: Option) -> list[Json]:
    """Give some values that an option may have."""
    known: dict[str, Json] = {"true": True, "false": False}
    if not option.values:
        return [2]
    return [known.get(value, int(value) if value.isdecimal() else value) for value in option.values]


@pytest.mark.parametrize("game", ENGINES)
def test_every_option_is_one_of_the_engine_and_every_value_means_something(game: str) -> None:
    guide, engine, players = guide_of(game), ENGINES[game].game, TABLES[tables_of(game)[0]].seats
    for option in guide.options:
        for value in _values(option):
            engine.new(players, {option.key: value}, 1)
            [sentence] = options_in_words(guide, {option.key: value})
            assert re.fullmatch(r"[A-Z].*: .+\.", sentence), sentence
        with pytest.raises(BadRequestError):
            engine.new(players, {option.key: ["no value"]}, 1)
    assert len(option_lines(guide)) >= len(guide.options)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ENGINES)
def test_options_are_typed_as_the_language_lists_them_and_in_english(game: str, language: str) -> None:
    with speaking(language):
        guide = guide_of(game)
        typed = [line.partition(":")[0].partition(" :")[0].strip() for line in option_lines(guide)]
        wanted = [(option.key, value) for option in guide.options for value in _values(option)]
        assert [read_option(game, line.replace("=N", "=2")) for line in typed] == wanted
        assert [read_option(None, f"{key}={json.dumps(value)}") for key, value in wanted] == wanted
        for option, (key, value) in zip(typed, wanted, strict=True):
            [brief] = brief_options(game, {key: value})
            assert brief.startswith(option.partition("=")[0])


def test_options_take_yes_and_no_blanks_and_what_is_most_like_them() -> None:
    assert read_option("royal-study", "hour-glass 90") == ("hourglass", 90)
    assert read_option("royal-study", "time for the moves = 30") == ("execution", 30)
    with speaking("de"):
        assert read_option("royal-study", "Bonus nein") == ("bonus", False)
        assert read_option("royal-study", "together=ja") == ("together", True)
        assert len(option_lines(guide_of("royal-study"), "stuffe")) == 3
    assert read_option("royal-study", "all") is None
    assert read_option("royal-study", "start=NKB/...") == ("start", "NKB/...")


def test_a_level_is_named_with_its_number() -> None:
    lines = options_in_words(guide_of("royal-study"), {"level": 2, "execution": None, "points": 6, "unheard-of": 1})
    assert lines == ["Level 2: turning the card a quarter costs one move.", "Points: 6 to win the match."]


@pytest.mark.parametrize("game", ENGINES)
def test_every_rule_that_a_refusal_names_can_be_opened(game: str) -> None:
    for _position, _action, refusal in refusals_of(game).values():
        paragraph, *_rows = rule_lines(game, refusal.rule)
        assert paragraph.startswith(f"{refusal.rule} ")
        assert len(paragraph) > 30


@pytest.mark.parametrize("game", ENGINES)
def test_the_rulebook_is_all_of_the_file_but_its_tables_and_marks(game: str) -> None:
    text = Path(inspect.getfile(type(ENGINES[game].game))).with_name("RULES.md").read_text("utf-8")
    numbers = re.findall(r"^(?:## )?(\d+(?:\.\d+)?) ", text, re.M)
    assert list(rulebook(game)) == numbers
    assert not any(re.search(r"[`*|]", paragraph) for paragraph in rulebook(game).values())


def test_a_paragraph_that_announces_a_table_is_followed_by_its_rows() -> None:
    paragraph, *rows = rule_lines("territory", "6.3")
    assert paragraph.endswith(":")
    assert rows[0] == "- free_rolls -2 to 3: so many free rolls more, or fewer"
    assert "- captures go-on: a capture does not end the turn" in rows
    assert len(rows) == 12
    assert not [row for row in rows if re.search(r"[`*|]", row)]
    with speaking("de"):
        assert len(rule_lines("territory", "6.3")) == 1


def test_a_section_is_opened_as_a_whole() -> None:
    lines = rule_lines("royal-tee", "3")
    assert [line.split()[0] for line in lines] == ["3", "3.1", "3.2", "3.3", "3.4"]
    assert [rule_lines("royal-tee", number) for number in ("99", "", "3.99", "x")] == [[]] * 4


# ---- the rules in other languages: the same paragraphs with the same figures, addressed to nobody


NOTATION = re.compile(r"Notat|Notaz|Notac")
ADDRESSED = {
    "de": r"\b(du|dein\w*|dir|dich|euch|euer\w*)\b",
    "fr": r"\b(tu|ton|ta|tes|toi|vous|votre|vos)\b",
    "es": r"\b(tú|tu|tus|ti|usted|ustedes|vuestr\w+)\b",
    "it": r"\b(tu|tuo|tua|tuoi|tue|voi|vostr\w+)\b",
    "nl": r"\b(je|jij|jouw|jullie|u|uw)\b",
}


def figures(text: str) -> Counter[str]:
    """Count the numbers and cells of a paragraph, however a language groups the digits of thousands."""
    joined = re.sub(r"(?<=\d)[., \u00a0](?=\d{3}\b)", "", text)
    return Counter(re.findall(r"[A-L]\d+|\d+", re.sub(r"(?<=\d),(?=\d\d)", ".", joined)))


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", GAMES_SHOWN)
def test_a_rulebook_has_the_paragraphs_and_figures_of_the_english_one_and_addresses_nobody(
    game: str, language: str
) -> None:
    translated = translated_rulebook(game, language)
    assert list(translated) == list(rulebook(game))
    for number, text in translated.items():
        english = rulebook(game)[number]
        assert NOTATION.match(text) or figures(text).keys() >= figures(english).keys(), (number, text)
        assert text != english or len(english) < 10, number
        assert len(text) > 0.35 * len(english), (number, text)
        assert not re.search(rf"{ADDRESSED[language]}|[`|]", text), (number, text)


@pytest.mark.parametrize(
    ("language", "begins"), [("de", "3.2 Das Feld"), ("fr", "3.2 La case"), ("en", "3.2 The space")]
)
def test_a_paragraph_is_opened_in_the_language_in_force(language: str, begins: str) -> None:
    view = view_of("royal-tee", played("royal-tee", 1).position)
    with speaking(language):
        [line] = answer(view, Command("rule", "3.2")) or []
        assert line.startswith(begins)
        assert rule_lines("royal-tee", "99") == []
