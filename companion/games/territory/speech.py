"""Territory's sentences and typed input, joined in one value."""

from __future__ import annotations

from companion.games.speech import speech_of
from companion.games.territory.card_words import card_lines
from companion.games.territory.words import WORDS

__all__ = ["SPEECH"]

SPEECH = speech_of(__package__, WORDS, card=card_lines)
