"""The Royal Game of Ur's sentences and typed input, joined in one value."""

from __future__ import annotations

from companion.games.bundle import Speech
from companion.games.royal_ur.events import event_sentence
from companion.games.royal_ur.explain import score_parts
from companion.games.royal_ur.guide import guide
from companion.games.royal_ur.hints import hint_sentence
from companion.games.royal_ur.prompts import action_name, possible, prompt, without_trace
from companion.games.royal_ur.refusals import refusal_sentence
from companion.games.royal_ur.screen import extras
from companion.games.royal_ur.typed import GRAMMAR
from companion.games.royal_ur.words import WORDS
from engines.royal_ur.position import Action, Position

__all__ = ["SPEECH"]

SPEECH: Speech[Position, Action] = Speech(
    words=WORDS,
    event=event_sentence,
    refusal=refusal_sentence,
    hint=hint_sentence,
    prompt=prompt,
    possible=possible,
    action_name=action_name,
    without_trace=without_trace,
    grammar=GRAMMAR,
    score_parts=score_parts,
    guide=guide,
    extras=extras,
)
