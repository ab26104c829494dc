"""Royal Racers as a bundle."""

from __future__ import annotations

from functools import partial

from companion.core.evidence import with_label_confusion
from companion.core.hypothesis import GameRules
from companion.games.bundle import Bundle, Engine
from companion.games.royal_racers.hypotheses import EXPLAINER
from companion.games.royal_racers.kit import kit
from companion.games.royal_racers.ppn import write_ppn
from companion.games.royal_racers.review import FEATS, review
from companion.games.royal_racers.simulated import SIMULATED
from companion.games.royal_racers.speech import SPEECH
from companion.games.royal_racers.table import TURNS, kind_of, placement, score_seen
from engines.royal_racers import GAME, notation
from engines.royal_racers.codec import public
from engines.royal_racers.position import Action, Position
from engines.royal_racers.search import advise
from vision.board import shipped_board

_FACE_CONFUSION = 1.0
"""Share of readings that mix up two faces, or two flags under pawns: where each is, is known from the position."""

TABLE: GameRules[Position, Action] = GameRules(
    engine=GAME,
    board=partial(shipped_board, GAME.name),
    turns=TURNS,
    placement=placement,
    explanations=EXPLAINER.explanations,
    score_seen=score_seen,
    with_confusions=lambda evidence: with_label_confusion(evidence, kind_of, _FACE_CONFUSION),
)

BUNDLE: Bundle[Position, Action] = Bundle(
    engine=Engine(
        GAME,
        notation,
        advise,
        TURNS,
        recognises=lambda position: "pawns" in position,
        positions_changed=True,
        public=public,
        unweighed=0.1,  # a card turned up at random mostly sends the pawn back
    ),
    table=TABLE,
    speech=SPEECH,
    review=review,
    feats=FEATS,
    kit=kit,
    simulated=SIMULATED,
    notations={"ppn": write_ppn},
)
