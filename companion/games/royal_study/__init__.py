"""The Royal Study as a bundle."""

from __future__ import annotations

from functools import partial

from companion.core.evidence import with_label_confusion
from companion.core.hypothesis import GameRules
from companion.games.bundle import Bundle, Engine
from companion.games.royal_study.hypotheses import IDENTITY_ERROR, beside, explanations
from companion.games.royal_study.kit import kit
from companion.games.royal_study.review import FEATS, review
from companion.games.royal_study.simulated import SIMULATED
from companion.games.royal_study.speech import SPEECH
from companion.games.royal_study.table import TURNS, kind_of, placement, score_seen
from engines.royal_study import GAME, notation
from engines.royal_study.action_codec import upgrade_action
from engines.royal_study.codec import public
from engines.royal_study.position import Action, Card, Position, Side
from engines.royal_study.search import advise, solve
from vision.board import shipped_board

TABLE: GameRules[Position, Action] = GameRules(
    engine=GAME,
    board=partial(shipped_board, GAME.name),
    turns=TURNS,
    placement=placement,
    explanations=explanations,
    score_seen=score_seen,
    with_confusions=lambda evidence: with_label_confusion(evidence, kind_of, IDENTITY_ERROR),
    beside=lambda position, card: beside(position, Card(card.number, Side(card.side), card.quarter_turns)),
)

BUNDLE: Bundle[Position, Action] = Bundle(
    engine=Engine(
        GAME,
        notation,
        advise,
        TURNS,
        recognises=lambda position: "pieces" in position,
        solve=solve,
        upgrade=upgrade_action,
        downgrade=upgrade_action,
        public=public,
        unweighed=0.0,  # an easy opponent calls too large numbers instead
    ),
    table=TABLE,
    speech=SPEECH,
    review=review,
    feats=FEATS,
    kit=kit,
    simulated=SIMULATED,
)
