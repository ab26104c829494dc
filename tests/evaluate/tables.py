"""Measures readings of tables: every cell, every refusal, the confidence and the time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.evaluate.figures import Figure, Report
from tests.evaluate.truth import Case, find_cases
from vision.board import Board, shipped_board
from vision.frame import ImageBgr
from vision.image_file import load_image
from vision.observation import Blind, BlindReason
from vision.recognition.objective import ObjectiveCard
from vision.recognition.reader import Reading, TableReader
from vision.training.risk import upper_bound

COLUMNS = (
    Figure("pictures", "pictures", "same"),
    Figure("cells", "cells", "same"),
    Figure("boards_right", "boards right", "more", form="{:.1%}"),
    Figure("boards_exact", "right and sure", "more", form="{:.1%}"),
    Figure("cells_right", "cells right", "more", form="{:.3%}"),
    Figure("silent", "silent errors", "less"),
    Figure("silent_hidden", "of them under hands", "less"),
    Figure("unsure", "unsure", "less", slack=0.001, form="{:.2%}"),  # other releases of OpenCV round otherwise
    Figure("unsure_right", "unsure yet right", "less", slack=0.001, form="{:.2%}"),
    Figure("refused", "refused", "less"),
    Figure("refused_rightly", "rightly refused", "more", form="{:.1%}"),
    Figure("calibration_error", "calibration error", "less", slack=0.002, form="{:.4f}"),
    Figure("time_ratio", "time ratio", "less", slack=0.3, form="{:.2f}"),  # the clock of a shared machine is noisy
)
"""Boards are right if the most probable label of every visible cell is; right and sure if none of these is unsure."""

_ABOVE_DEG = 15.0
"""Angle off the vertical up to which a picture counts as taken straight from above."""

_TENTHS = 10
_ALL, _ABOVE = "(all)", "(from above)"


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What became of one picture. The arrays have an entry for each cell that a reading should give; bool (n_cells,).

    A picture that was wrongly refused has no cell right and every cell unsure; one to be refused has no cells.

    Attributes:
        case: the picture and its truth.
        cells: names of the cells, in the order of the arrays.
        read: the most probable labels, in that order; "" where nothing was read.
        card: the objective card that was seen beside the board.
        refused: the reason given, None if it was read.
        hidden: less than half of the cell can be seen.
        right: the most probable label is the true one.
        unsure: the reading says to build nothing on it.
        confidence: float64 (n_cells,), NaN where nothing was read.
        time_ratio: reading over one full-size marker detection, NaN when not timed.
    """

    case: Case
    cells: tuple[str, ...]
    read: tuple[str, ...]
    card: ObjectiveCard | None
    refused: BlindReason | None
    hidden: NDArray[np.bool_]
    right: NDArray[np.bool_]
    unsure: NDArray[np.bool_]
    confidence: NDArray[np.float64]
    time_ratio: float

    @property
    def exact(self) -> bool:
        """Whether every visible cell is right and sure."""
        return bool(((self.right & ~self.unsure) | self.hidden).all())

    @property
    def silent(self) -> int:
        """How many cells are wrong without doubt."""
        return int((~self.right & ~self.unsure).sum())

    def __str__(self) -> str:
        """Say why it was refused, or how many cells are wrong, unsure and silently wrong, and which."""
        if self.refused is not None:
            return f"refused, {self.refused}"
        read = zip(self.cells, self.read, self.right, strict=True)
        wrong = [f"{cell} {self.case.cells[cell]} as {label}" for cell, label, right in read if not right]
        doubted = f"{(self.unsure & self.right).sum()} doubted though right"
        counted = f"{len(wrong)} wrong, {self.silent} of them silent, {doubted}"
        return f"{len(self.cells)} cells, {counted}{': ' if wrong else ''}{', '.join(wrong[:12])}"


def measure_all(folder: Path, *, timed: bool) -> list[Outcome]:
    """Read every picture of tables in a folder and compare it with the truth."""
    return [measure(case, shipped_board(case.game), timed=timed) for case in find_cases(folder)]


def report(outcomes: Sequence[Outcome]) -> Report:
    """Count by game and tier, those from above, and by game."""
    rows: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        for row in _rows(outcome.case):
            rows.setdefault(row, []).append(outcome)
    counted = {row: figures(rows[row]) for row in sorted(rows)}
    notes = [*_reliability(outcomes), *_intervals(rows)] if outcomes else []
    return Report("tables", COLUMNS, counted, notes)


def _rows(case: Case) -> list[str]:
    """Return the rows in which a picture is counted; pictures to be refused are in the row of their tier only."""
    rows = [f"{case.game} {case.tier}"]
    if case.refusal is not None:
        return rows
    from_above = case.tilt_deg is not None and case.tilt_deg <= _ABOVE_DEG
    return [*rows, f"{case.game} {_ALL}", *([f"{case.game} {_ABOVE}", f"{_ABOVE}"] if from_above else []), _ALL]


def measure(case: Case, board: Board, *, timed: bool, kit: Board | None = None) -> Outcome:
    """Read a picture of a board and compare it with the truth."""
    image_bgr = load_image(case.image)
    result, seconds = _read(board, image_bgr, kit)
    ratio = seconds / _detection_seconds(board, image_bgr) if timed else float("nan")
    return compared(case, result, ratio)


def compared(case: Case, result: Reading | Blind, ratio: float = float("nan"), *, heights: bool = True) -> Outcome:
    """Compare what was read with the truth; without `heights` that of a stack need not be right."""
    if case.refusal is not None or isinstance(result, Blind):
        return _refused(case, result, ratio)
    return _outcome(case, result, ratio, heights=heights)


def _read(board: Board, image_bgr: ImageBgr, kit: Board | None) -> tuple[Reading | Blind, float]:
    reader = TableReader(board, kit=kit)
    start = time.perf_counter()
    result = reader.read(image_bgr)
    return result, time.perf_counter() - start


def _detection_seconds(board: Board, image_bgr: ImageBgr) -> float:
    """Time the yardstick: one marker detection at full size, with OpenCV's own settings."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.markers.dictionary))
    detector = cv2.aruco.ArucoDetector(dictionary)
    start = time.perf_counter()
    detector.detectMarkers(image_bgr)
    return time.perf_counter() - start


def _refused(case: Case, result: Reading | Blind, ratio: float) -> Outcome:
    cells = () if case.refusal is not None else tuple(case.cells)
    nothing = np.zeros(len(cells), dtype=bool)
    return Outcome(
        case=case,
        cells=cells,
        read=("",) * len(cells),
        card=None,
        refused=result.reason if isinstance(result, Blind) else None,
        hidden=_hidden(case, cells),
        right=nothing,
        unsure=~nothing,
        confidence=np.full(len(cells), np.nan),
        time_ratio=ratio,
    )


def _outcome(case: Case, reading: Reading, ratio: float, *, heights: bool) -> Outcome:
    seen = reading.observation
    read_as = dict(zip(seen.cells, seen.best(), strict=True))
    cells = [cell for cell in seen.cells if cell in case.cells]  # the truth does not list the places beside
    known = np.array([cell in case.cells for cell in seen.cells])
    return Outcome(
        case=case,
        cells=tuple(cells),
        read=tuple(read_as[cell] for cell in cells),
        card=reading.card,
        refused=None,
        hidden=_hidden(case, cells),
        right=np.array([_is_right(read_as[cell], case.cells[cell], heights=heights) for cell in cells]),
        unsure=seen.unsure()[known],
        confidence=seen.confidence()[known],
        time_ratio=ratio,
    )


def _is_right(read: str, truth: str, *, heights: bool) -> bool:
    """Return whether a label is the truth, or the truth without how many are stacked."""
    return (read if heights else read.partition("*")[0]) in (truth, truth.partition("*")[0])


def _hidden(case: Case, cells: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([cell in case.hidden for cell in cells], dtype=bool)


def figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Count over the pictures of one row."""
    hidden, right, unsure = (_all(outcomes, name) for name in ("hidden", "right", "unsure"))
    silent = ~right & ~unsure
    found: dict[str, float] = {"pictures": len(outcomes), "silent": int(silent.sum())}
    to_refuse = [o for o in outcomes if o.case.refusal is not None]
    if to_refuse:
        found["refused_rightly"] = float(np.mean([o.refused == o.case.refusal for o in to_refuse]))
    if len(hidden):
        found |= {
            "refused": sum(o.refused is not None for o in outcomes if o.case.refusal is None),
            "cells": int((~hidden).sum()),
            "boards_right": float(np.mean([bool((o.right | o.hidden).all()) for o in outcomes])),
            "boards_exact": float(np.mean([o.exact for o in outcomes])),
            "cells_right": float(right[~hidden].mean()),
            "silent_hidden": int((silent & hidden).sum()),
            "unsure": float(unsure[~hidden].mean()),
            "unsure_right": float((unsure & right)[~hidden].mean()),
            "calibration_error": _calibration_error(outcomes),
        }
    ratios = [o.time_ratio for o in outcomes if not np.isnan(o.time_ratio)]
    return found | ({"time_ratio": median(ratios)} if ratios else {})


def _all(outcomes: Iterable[Outcome], name: str) -> NDArray[np.bool_]:
    """Join one array of all pictures."""
    return np.concatenate([getattr(outcome, name) for outcome in outcomes])


def _tenths(outcomes: Sequence[Outcome]) -> NDArray[np.float64]:
    """For each tenth of confidence: visible cells, their mean confidence, the share that is right; float64 (10, 3)."""
    confidence, right = np.concatenate([o.confidence for o in outcomes]), _all(outcomes, "right")
    counted = ~np.isnan(confidence) & ~_all(outcomes, "hidden")
    confidence, right = confidence[counted], right[counted]
    tenth = np.minimum((confidence * _TENTHS).astype(int), _TENTHS - 1)
    counts = np.bincount(tenth, minlength=_TENTHS).astype(float)
    sums = [np.bincount(tenth, weights=values, minlength=_TENTHS) for values in (confidence, right)]
    return np.column_stack([counts, *(s / np.maximum(counts, 1) for s in sums)])


def _calibration_error(outcomes: Sequence[Outcome]) -> float:
    """Return the mean distance of confidence from accuracy, over the tenths, weighted by their cells."""
    counts, confidence, right = _tenths(outcomes).T
    return float(np.abs(confidence - right) @ counts / max(counts.sum(), 1))


def _reliability(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the reliability diagram as lines, one for each tenth that occurs."""
    lines = [
        f"confidence {k / 10:.1f} to {(k + 1) / 10:.1f}: {count:.0f} cells, mean {found:.4f}, right {right:.4f}"
        for k, (count, found, right) in enumerate(_tenths(outcomes))
        if count
    ]
    return ["reliability of all visible cells:", *lines]


def _intervals(rows: Mapping[str, Sequence[Outcome]]) -> list[str]:
    """Return lines with intervals: the rate of silent errors for each game and for all, then those of whole boards.

    Whole boards are also counted from straight above, where a camera on an arm hangs.
    """
    silent = [_silent(row, rows[row]) for row in sorted(rows) if row.endswith(_ALL)]
    boards = [_boards(row, rows[row]) for row in sorted(rows) if row.endswith((_ALL, _ABOVE))]
    silent_title, boards_title = "silent errors among visible cells", "boards right, and right and sure"
    return [f"{silent_title}, 95 % intervals:", *silent, f"{boards_title}, 95 % intervals:", *boards]


def rate_interval(errors: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the two-sided interval of Clopper and Pearson for an error rate."""
    tail = (1 + confidence) / 2
    low = 1 - upper_bound(trials - errors, trials, tail) if errors else 0.0
    return low, upper_bound(errors, trials, tail)


def _silent(row: str, outcomes: Sequence[Outcome]) -> str:
    hidden, right, unsure = (_all(outcomes, name) for name in ("hidden", "right", "unsure"))
    errors, cells = int((~right & ~unsure & ~hidden).sum()), int((~hidden).sum())
    low, high = rate_interval(errors, cells)
    return f"{row}: {errors} of {cells}, {10_000 * low:.2f} to {10_000 * high:.2f} in 10,000"


def _boards(row: str, outcomes: Sequence[Outcome]) -> str:
    right = sum(bool((o.right | o.hidden).all()) for o in outcomes)
    sure = sum(o.exact for o in outcomes)
    return f"{row}: {_share(right, len(outcomes))}; {_share(sure, len(outcomes))}"


def _share(count: int, boards: int) -> str:
    low, high = rate_interval(count, boards)
    return f"{count} of {boards}, {low:.1%} to {high:.1%}"
