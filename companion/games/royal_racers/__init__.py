"""Royal Racers as a bundle."""

from __future__ import annotations

from functools import partial

from companion.core.evidence import with_label_confusion, with_one_of_each
from companion.core.hypothesis import GameRules
from companion.games.bundle import Bundle, Engine
from companion.games.royal_racers import hypotheses, kit, ppn, simulated, speech, table
from engines.royal_racers import GAME, codec, notation, search
from engines.royal_racers.position import Action, Position
from vision.board import shipped_board

_FACE_CONFUSION = 1.0
"""Share of readings that mix up two faces, or two flags under pawns: where each is, is known from the position."""

TABLE: GameRules[Position, Action] = GameRules(
    engine=GAME,
    board=partial(shipped_board, GAME.name),
    turns=table.TURNS,
    placement=table.placement,
    explanations=hypotheses.EXPLAINER.explanations,
    score_seen=table.score_seen,
    with_confusions=lambda evidence: with_label_confusion(
        with_one_of_each(evidence, table.PAWN), table.kind_of, _FACE_CONFUSION
    ),
)

BUNDLE: Bundle[Position, Action] = Bundle(
    engine=Engine(
        GAME,
        notation,
        search.advise,
        table.TURNS,
        recognises=lambda position: "pawns" in position,
        positions_changed=True,
        public=codec.public,
        unweighed=0.1,  # a card turned up at random mostly sends the pawn back
    ),
    table=TABLE,
    speech=speech.SPEECH,
    review=speech.review,
    feats=speech.FEATS,
    kit=kit.kit,
    simulated=simulated.SIMULATED,
    notations={"ppn": ppn.write_ppn},
)
