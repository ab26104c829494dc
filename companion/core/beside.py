"""A card next to the board: drawn, turned or mirrored. It counts once several still frames agree on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.messages import Buzz, Effect
from companion.core.playing import Step, entered
from companion.core.stability import LEAST_FRAMES, LEAST_FRAMES_PRESSED
from companion.core.state import State, placement
from companion.core.verdicts import ActionSource, Mode, Refused
from hardware.panel import Signal

if TYPE_CHECKING:
    from vision.recognition.objective import ObjectiveCard

CARD_PATIENCE_S = 3.0
"""How long a card may be wrong before that is reported: players may be about to turn it."""


def judge_card(state: State) -> Step | None:
    """Play the action that a card next to the board means, or refuse the card; None if it calls for neither."""
    card, watched = state.sight.card, state.pressed or state.progress.mode is Mode.AUTOMATIC
    frames = LEAST_FRAMES_PRESSED if state.pressed else LEAST_FRAMES
    if card is None or state.sight.card_frames < frames or not watched:
        return None
    meaning = state.rules.beside(state.position, card)
    if meaning.agrees:
        if state.card == card:
            return None
        cleared = isinstance(state.verdict, Refused) and CARD in state.verdict.facts  # an earlier refusal of the card
        return replace(state, card=card, verdict=None if cleared else state.verdict), ()
    if meaning.actions and _counts(state, card):
        # if the actions determine the starting pieces, setting these up comes next
        laid = bool(placement(state))
        after, effects = replace(state, card=card), list[Effect]()
        for action in meaning.actions:
            after, ordered = entered(after, action, ActionSource.CAMERA)
            effects += ordered
        return (after if laid else replace(after, setting_up=True)), tuple(effects)
    refusal = meaning.refusal
    if refusal is None or (state.sight.card_lies_s < CARD_PATIENCE_S and not state.pressed):
        return None
    verdict = Refused(refusal.code, refusal.rule, 1.0, (), {CARD: card.number})
    after = replace(state, verdict=verdict, pressed=False)
    return after, () if state.verdict == verdict and not state.pressed else (Buzz(Signal.REFUSED),)


def _counts(state: State, card: ObjectiveCard) -> bool:
    """Return whether the action that a card reports has just been done.

    A card drawn by chance counts once. A player's change to a card counts if the card was seen before in its expected
    state.
    """
    before = state.card
    if state.pressed:
        return True
    if state.rules.engine.to_act(state.position) == "dice":
        return before != card
    same = before is not None and before.number == card.number
    return same and before is not None and state.rules.beside(state.position, before).agrees


CARD = "card"
"""The fact of a refusal that names the refused card."""
