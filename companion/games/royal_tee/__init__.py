"""Royal Tee as a bundle."""

from __future__ import annotations

from functools import partial

from companion.core.hypothesis import GameRules
from companion.games.bundle import Bundle, Engine
from companion.games.royal_tee import hypotheses, kit, simulated, speech, table
from engines.royal_tee import GAME, notation, search
from engines.royal_tee.position import Action, Position
from vision.board import shipped_board

TABLE: GameRules[Position, Action] = GameRules(
    engine=GAME,
    board=partial(shipped_board, GAME.name),
    turns=table.TURNS,
    placement=table.placement,
    explanations=hypotheses.explanations,
    score_seen=table.score_seen,
    bar=lambda position: position.slider,
)

BUNDLE: Bundle[Position, Action] = Bundle(
    engine=Engine(
        GAME,
        notation,
        search.advise,
        table.TURNS,
        recognises=lambda position: "royals" in position,
        unweighed=0.2,  # a random walk gives away a whole turn
    ),
    table=TABLE,
    speech=speech.SPEECH,
    review=speech.review,
    feats=speech.FEATS,
    kit=kit.kit,
    simulated=simulated.SIMULATED,
)
