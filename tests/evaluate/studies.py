"""Measures what tables with one piece of each kind add: occupancy and identity apart, and the objective card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import msgspec
import numpy as np

from tests.evaluate.figures import Figure, Report
from tests.evaluate.truth import Case, find_cases
from vision.board import shipped_board
from vision.image_file import load_image
from vision.recognition.figure_labeller import stands_one_of_each
from vision.recognition.objective import ObjectiveCard
from vision.recognition.reader import Reading, TableReader

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


class _CardTruth(msgspec.Struct, frozen=True):
    id: int
    side: str
    turns: int


class _File(msgspec.Struct, frozen=True):
    card: _CardTruth | None = None


@dataclass(frozen=True, slots=True)
class _Seen:
    """One cell that can be seen: what lies there, what was read, and whether the reading says to build on it."""

    truth: str
    read: str
    unsure: bool

    @property
    def occupancy_right(self) -> bool:
        return (self.truth == "empty") == (self.read == "empty")


@dataclass(frozen=True, slots=True)
class _Outcome:
    case: Case
    cells: Sequence[_Seen]
    card_truth: _CardTruth | None
    card: ObjectiveCard | None


def evaluate(folder: Path, *, timed: bool) -> Report:
    """Read every picture of such tables that can be read, and count by tier."""
    del timed  # the tables' report has the times
    readable = (case for case in find_cases(folder) if case.refusal is None)
    cases = [case for case in readable if stands_one_of_each(shipped_board(case.game))]
    outcomes = sorted(map(_measure, cases), key=_tier)
    rows = {tier: list(group) for tier, group in groupby(outcomes, key=_tier)}
    return Report("one of each", COLUMNS, {tier: _figures(group) for tier, group in rows.items()})


def _tier(outcome: _Outcome) -> str:
    return outcome.case.tier


def _measure(case: Case) -> _Outcome:
    result = TableReader(shipped_board(case.game)).read(load_image(case.image))
    truth = msgspec.json.decode(case.image.with_suffix(".json").read_bytes(), type=_File)
    if not isinstance(result, Reading):
        return _Outcome(case, _nothing(case), truth.card, None)
    return _Outcome(case, _cells(case.cells, result, case.hidden), truth.card, result.card)


def _cells(truth: Mapping[str, str], reading: Reading, hidden: frozenset[str]) -> list[_Seen]:
    seen = reading.observation
    found = zip(seen.cells, seen.best(), seen.unsure().tolist(), strict=True)
    return [_Seen(truth[cell], label, unsure) for cell, label, unsure in found if cell not in hidden]


def _nothing(case: Case) -> list[_Seen]:
    """A picture that was wrongly refused: nothing is right and all is unsure."""
    return [_Seen(label, "", unsure=True) for cell, label in case.cells.items() if cell not in case.hidden]


def _figures(outcomes: Sequence[_Outcome]) -> dict[str, float]:
    cells = [cell for outcome in outcomes for cell in outcome.cells]
    pieces = [cell for cell in cells if cell.truth != "empty"]
    cards = [_card_right(outcome) for outcome in outcomes]
    return {
        "pictures": len(outcomes),
        "boards_occupied": float(np.mean([all(c.occupancy_right for c in o.cells) for o in outcomes])),
        "cells_occupied": float(np.mean([c.occupancy_right for c in cells])),
        "pieces_named": float(np.mean([c.read == c.truth for c in pieces])),
        "silent": sum(c.read != c.truth and not c.unsure for c in cells),
        "unsure_pieces": float(np.mean([c.unsure for c in pieces])),
        "cards_right": float(np.mean(cards)),
        "cards_unseen": sum(o.card is None and o.card_truth is not None for o in outcomes),
        "cards_wrong": sum(o.card is not None and not right for o, right in zip(outcomes, cards, strict=True)),
    }


def _card_right(outcome: _Outcome) -> bool:
    truth, card = outcome.card_truth, outcome.card
    if truth is None or card is None:
        return truth is None and card is None
    return (card.number, card.side, card.quarter_turns) == (truth.id, truth.side, truth.turns)
