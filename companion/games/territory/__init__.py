"""Territory as a bundle."""

from __future__ import annotations

from functools import partial

from companion.core.hypothesis import GameRules
from companion.games.bundle import Bundle, Engine
from companion.games.territory.hypotheses import EXPLAINER
from companion.games.territory.kit import kit
from companion.games.territory.review import FEATS, review
from companion.games.territory.simulated import SIMULATED
from companion.games.territory.speech import SPEECH
from companion.games.territory.table import TURNS, placement, score_seen
from engines.territory import GAME, notation
from engines.territory.codec import public
from engines.territory.position import Action, Position
from engines.territory.search import advise
from vision.board import shipped_board

TABLE: GameRules[Position, Action] = GameRules(
    engine=GAME,
    board=partial(shipped_board, GAME.name),
    turns=TURNS,
    placement=placement,
    explanations=EXPLAINER.explanations,
    score_seen=score_seen,
)

BUNDLE: Bundle[Position, Action] = Bundle(
    engine=Engine(GAME, notation, advise, TURNS, recognises=lambda position: "owners" in position, public=public),
    table=TABLE,
    speech=SPEECH,
    review=review,
    feats=FEATS,
    kit=kit,
    simulated=SIMULATED,
)
