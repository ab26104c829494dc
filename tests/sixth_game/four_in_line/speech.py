"""Four in Line's sentences and typed input, joined in one value."""

from __future__ import annotations

from companion.games.speech import speech_of

from .sentences import FourInLineWords

__all__ = ["SPEECH"]

SPEECH = speech_of(
    __package__,
    FourInLineWords(),
    module="sentences",
    without_trace=lambda _position: (),
    score_parts=lambda _position, _names: (),
    guide=None,
)
