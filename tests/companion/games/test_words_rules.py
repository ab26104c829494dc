"""The rules in other languages: the same paragraphs with the same figures, addressed to nobody."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from companion.app.typed_commands import answer
from companion.games.rulebook import rule_lines, rulebook, translated_rulebook
from companion.games.typed import Command
from tests.companion.games.test_words_captions import view_of
from tests.companion.languages import TRANSLATED, spoken
from tests.companion.ui.test_golden_screens import GAMES_SHOWN, played

NOTATION = re.compile(r"Notat|Notaz|Notac")
ADDRESSED = {
    "de": r"\b(du|dein\w*|dir|dich|euch|euer\w*)\b",
    "fr": r"\b(tu|ton|ta|tes|toi|vous|votre|vos)\b",
    "es": r"\b(tú|tu|tus|ti|usted|ustedes|vuestr\w+)\b",
    "it": r"\b(tu|tuo|tua|tuoi|tue|voi|vostr\w+)\b",
    "nl": r"\b(je|jij|jouw|jullie|u|uw)\b",
}

EVERY = [(game, language) for game in GAMES_SHOWN for language in TRANSLATED]


def figures(text: str) -> Counter[str]:
    """Count the numbers and cells of a paragraph, however a language groups the digits of thousands."""
    joined = re.sub(r"(?<=\d)[., \u00a0](?=\d{3}\b)", "", text)
    return Counter(re.findall(r"[A-L]\d+|\d+", re.sub(r"(?<=\d),(?=\d\d)", ".", joined)))


@pytest.mark.parametrize(("game", "language"), EVERY)
def test_a_rulebook_has_the_paragraphs_of_the_english_one_in_order(game: str, language: str) -> None:
    assert list(translated_rulebook(game, language)) == list(rulebook(game))


@pytest.mark.parametrize(("game", "language"), EVERY)
def test_a_paragraph_has_the_figures_of_the_english_one(game: str, language: str) -> None:
    for number, text in translated_rulebook(game, language).items():
        if not NOTATION.match(text):
            assert figures(text).keys() >= figures(rulebook(game)[number]).keys(), (number, text)


@pytest.mark.parametrize(("game", "language"), EVERY)
def test_a_paragraph_is_a_whole_one_and_addresses_nobody(game: str, language: str) -> None:
    for number, text in translated_rulebook(game, language).items():
        english = rulebook(game)[number]
        assert text != english or len(english) < 10, number
        assert len(text) > 0.35 * len(english), (number, text)
        assert not re.search(ADDRESSED[language], text), (number, text)
        assert not re.search(r"[`|]", text), (number, text)


@pytest.mark.parametrize(
    ("language", "begins"), [("de", "3.2 Das Feld"), ("fr", "3.2 La case"), ("en", "3.2 The space")]
)
def test_a_paragraph_is_opened_in_the_language_in_force(language: str, begins: str) -> None:
    view = view_of("royal-tee", played("royal-tee", 1).position)
    with spoken(language):
        [line] = answer(view, Command("rule", "3.2")) or []
        assert line.startswith(begins)
        assert rule_lines("royal-tee", "99") == []
