"""The Royal Study as a bundle."""

from __future__ import annotations

from functools import partial

from companion.core.evidence import with_label_confusion
from companion.core.hypothesis import GameRules
from companion.games.bundle import Bundle, Engine
from companion.games.royal_study import hypotheses, kit, simulated, speech, table
from engines.royal_study import GAME, action_codec, codec, notation, search
from engines.royal_study.position import Action, Card, Position, Side
from vision.board import shipped_board

TABLE: GameRules[Position, Action] = GameRules(
    engine=GAME,
    board=partial(shipped_board, GAME.name),
    turns=table.TURNS,
    placement=table.placement,
    explanations=hypotheses.explanations,
    score_seen=table.score_seen,
    with_confusions=lambda evidence: with_label_confusion(evidence, table.kind_of, hypotheses.IDENTITY_ERROR),
    beside=lambda position, card: hypotheses.beside(position, Card(card.number, Side(card.side), card.quarter_turns)),
)

BUNDLE: Bundle[Position, Action] = Bundle(
    engine=Engine(
        GAME,
        notation,
        search.advise,
        table.TURNS,
        recognises=lambda position: "pieces" in position,
        solve=search.solve,
        upgrade=action_codec.upgrade_action,
        downgrade=action_codec.upgrade_action,
        public=codec.public,
        unweighed=0.0,  # an easy opponent calls too large numbers instead
    ),
    table=TABLE,
    speech=speech.SPEECH,
    review=speech.review,
    feats=speech.FEATS,
    kit=kit.kit,
    simulated=simulated.SIMULATED,
)
