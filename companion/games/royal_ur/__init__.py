"""The Royal Game of Ur as a bundle."""

from __future__ import annotations

from functools import partial

from companion.core.hypothesis import GameRules
from companion.games.bundle import Bundle, Engine
from companion.games.royal_ur.hypotheses import EXPLAINER
from companion.games.royal_ur.kit import kit
from companion.games.royal_ur.review import FEATS, review
from companion.games.royal_ur.simulated import SIMULATED
from companion.games.royal_ur.speech import SPEECH
from companion.games.royal_ur.table import TURNS, placement, score_seen
from engines.kernel import Advice, Level
from engines.royal_ur import GAME, notation, search
from engines.royal_ur.position import Action, Position
from vision.board import shipped_board


def _advise(position: Position, *, level: Level = Level.STRONG) -> Advice[Action] | None:
    """Return a proposal, or None if no decision is expected, which the search itself refuses."""
    return search.advise(position, level=level) if GAME.actions(position) else None


TABLE: GameRules[Position, Action] = GameRules(
    engine=GAME,
    board=partial(shipped_board, GAME.name),
    turns=TURNS,
    placement=placement,
    explanations=EXPLAINER.explanations,
    score_seen=score_seen,
)

BUNDLE: Bundle[Position, Action] = Bundle(
    engine=Engine(GAME, notation, _advise, TURNS, recognises=lambda position: "counters" in position),
    table=TABLE,
    speech=SPEECH,
    review=review,
    feats=FEATS,
    kit=kit,
    simulated=SIMULATED,
)
