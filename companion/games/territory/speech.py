"""Territory's sentences and typed input, joined in one value."""

from __future__ import annotations

from companion.games.bundle import Speech
from companion.games.territory.card_words import card_lines
from companion.games.territory.events import event_sentence
from companion.games.territory.explain import score_parts
from companion.games.territory.guide import guide
from companion.games.territory.hints import hint_sentence
from companion.games.territory.prompts import action_name, possible, prompt, without_trace
from companion.games.territory.refusals import refusal_sentence
from companion.games.territory.screen import extras
from companion.games.territory.typed import GRAMMAR
from companion.games.territory.words import WORDS
from engines.territory.position import Action, Position

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
    card=card_lines,
)
