"""Counts what tables with one piece of each kind add: occupancy and identity apart, and the objective card."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.evaluate.figures import Figure, Report
from tests.evaluate.tables import Outcome
from vision.board import shipped_board
from vision.labels import EMPTY
from vision.recognition.figure_labeller import stands_one_of_each

COLUMNS = (
    Figure("pictures", "pictures", "same"),
    Figure("boards_occupied", "boards right in occupancy", "more", form="{:.1%}"),
    Figure("cells_occupied", "cells right in occupancy", "more", form="{:.3%}"),
    Figure("pieces_named", "pieces right", "more", form="{:.2%}"),
    Figure("silent", "silent errors", "less"),
    Figure("unsure_pieces", "pieces unsure", "less", slack=0.01, form="{:.2%}"),
    Figure("cards_right", "cards right", "more", form="{:.1%}"),
    Figure("cards_unseen", "cards not seen", "less"),
    Figure("cards_wrong", "cards wrong", "less"),
)


def report(outcomes: Sequence[Outcome]) -> Report:
    """Count by tier over the pictures of such tables that can be read."""
    rows: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.case.refusal is None and stands_one_of_each(shipped_board(outcome.case.game)):
            rows.setdefault(outcome.case.tier, []).append(outcome)
    return Report("one of each", COLUMNS, {tier: _figures(rows[tier]) for tier in sorted(rows)})


def _figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    boards = [np.array([o.case.cells[cell] for cell in o.cells])[~o.hidden] for o in outcomes]
    truth, read = np.concatenate(boards), np.concatenate([np.array(o.read)[~o.hidden] for o in outcomes])
    unsure = np.concatenate([o.unsure[~o.hidden] for o in outcomes])
    occupied, piece = (truth == EMPTY) == (read == EMPTY), truth != EMPTY
    of_boards = np.split(occupied, np.cumsum([len(board) for board in boards])[:-1])
    cards = [_card_right(outcome) for outcome in outcomes]
    return {
        "pictures": len(outcomes),
        "boards_occupied": float(np.mean([board.all() for board in of_boards])),
        "cells_occupied": float(occupied.mean()),
        "pieces_named": float((read == truth)[piece].mean()),
        "silent": int(((read != truth) & ~unsure).sum()),
        "unsure_pieces": float(unsure[piece].mean()),
        "cards_right": float(np.mean(cards)),
        "cards_unseen": sum(o.card is None and o.case.card is not None for o in outcomes),
        "cards_wrong": sum(o.card is not None and not right for o, right in zip(outcomes, cards, strict=True)),
    }


def _card_right(outcome: Outcome) -> bool:
    truth, card = outcome.case.card, outcome.card
    if truth is None or card is None:
        return truth is None and card is None
    return (card.number, card.side, card.quarter_turns) == (truth.id, truth.side, truth.turns)
