"""Four in Line's sentences and typed input, joined in one value."""

from __future__ import annotations

from companion.games.speech import Speech

from . import sentences
from .rules import Place, Position

__all__ = ["SPEECH"]

SPEECH: Speech[Position, Place] = Speech(
    words=sentences.FourInLineWords(),
    event=sentences.event_sentence,
    refusal=sentences.refusal_sentence,
    hint=sentences.hint_sentence,
    prompt=sentences.prompt,
    possible=sentences.possible,
    action_name=sentences.action_name,
    without_trace=lambda _position: (),
    grammar=sentences.GRAMMAR,
)
