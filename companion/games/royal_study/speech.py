"""The Royal Study's sentences and typed input, joined in one value."""

from __future__ import annotations

from companion.games.royal_study.pieces import card_lines
from companion.games.royal_study.words import WORDS
from companion.games.speech import speech_of

__all__ = ["SPEECH"]

SPEECH = speech_of(__package__, WORDS, card=card_lines)
