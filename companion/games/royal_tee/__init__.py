"""Royal Tee as a bundle."""

from __future__ import annotations

from functools import partial

from companion.core.hypothesis import GameRules
from companion.games.bundle import Bundle, Engine
from companion.games.royal_tee.hypotheses import explanations
from companion.games.royal_tee.kit import kit
from companion.games.royal_tee.review import FEATS, review
from companion.games.royal_tee.simulated import SIMULATED
from companion.games.royal_tee.speech import SPEECH
from companion.games.royal_tee.table import TURNS, placement, score_seen
from engines.royal_tee import GAME, notation
from engines.royal_tee.position import Action, Position
from engines.royal_tee.search import advise
from vision.board import shipped_board

TABLE: GameRules[Position, Action] = GameRules(
    engine=GAME,
    board=partial(shipped_board, GAME.name),
    turns=TURNS,
    placement=placement,
    explanations=explanations,
    score_seen=score_seen,
    bar=lambda position: position.slider,
)

BUNDLE: Bundle[Position, Action] = Bundle(
    engine=Engine(
        GAME,
        notation,
        advise,
        TURNS,
        recognises=lambda position: "royals" in position,
        unweighed=0.2,  # a random walk gives away a whole turn
    ),
    table=TABLE,
    speech=SPEECH,
    review=review,
    feats=FEATS,
    kit=kit,
    simulated=SIMULATED,
)
