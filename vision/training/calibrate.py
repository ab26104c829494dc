"""Fit a board model's temperature and confidence level: python -m vision.training.calibrate MODEL PICTURES...

    python -m vision.training.calibrate royal-ur fresh-pictures --most-errors 0.001

PICTURES are folders of labelled pictures, in the form of tests/recorded; scenes that the model was trained on are
refused. The temperature is that of the highest likelihood of the truth. The level is the lowest confidence from which
on the rate of silent errors is below --most-errors with a certainty of 95 %; if there are too few cells to prove that
even without an error, it is the lowest without an error. Both are written to model.toml.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, shipped_board, shipped_games
from vision.image_file import load_image
from vision.labels import parse_label
from vision.observation import Observation
from vision.recognition.cards.labeller import CardTableLabeller
from vision.recognition.cards.layout import LayoutReader
from vision.recognition.figure_labeller import FigureLabeller
from vision.recognition.labeller import CellLabeller, Labeller
from vision.recognition.light import TableView
from vision.recognition.reader import VISIBLE, labeller_of
from vision.recognition.trust import readable_cells, view_table
from vision.shipped_network import describe
from vision.training.model_files import pictures_with_truth, scene_of, write_model_file
from vision.training.risk import best_temperature, least_confidence, upper_bound

_LEAST_P = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class ShownLabel:
    """A labelled picture that the reader accepts.

    Attributes:
        view: the labeller's input.
        truth: the true label of each place; "" if the truth file has none.
        counted: bool (n_places,), whether the place is in the picture and truly visible.
    """

    view: TableView
    truth: tuple[str, ...]
    counted: NDArray[np.bool_]


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training.calibrate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", choices=shipped_games(), help="the model of a board")
    parser.add_argument("pictures", type=Path, nargs="+", help="folders of pictures with truth, not trained on")
    parser.add_argument("--most-errors", type=float, default=1e-3, metavar="RATE", help="silent errors a visible cell")
    parser.add_argument("--write", action="store_true", help="write the result to model.toml")
    args = parser.parse_args(argv)
    board, file = shipped_board(args.model), describe(args.model)
    pictures = [picture for folder in args.pictures for picture in pictures_with_truth(folder, board.game)]
    known = sorted({scene_of(picture) for picture in pictures} & set(file.training.pictures))
    if known or not pictures:
        what = f"was trained on {known[0]}" if known else f"expected pictures with truth in {args.pictures[0]}"
        sys.stderr.write(f"vision.training.calibrate: {args.model}: {what}\n")
        return 2
    labeller = labeller_of(board)
    shown = [one for picture in pictures if (one := show(board, picture)) is not None]
    fitted = {"temperature": round(fit_temperature(labeller, shown), 3)}
    set_parameters(labeller, **fitted)
    if "height_temperature" in file.network:
        fitted["height_temperature"] = round(fit_temperature(labeller, shown, "height_temperature"), 3)
        set_parameters(labeller, **fitted)
    confidence, right = judge(labeller, shown)
    level = choose_level(confidence, right, args.most_errors)
    found = ", ".join([*(f"{name} {value:.3f}" for name, value in fitted.items()), f"level {level}"])
    sys.stdout.write(f"{args.model}: {len(shown)} pictures, {len(right)} visible cells, {found}\n")
    if args.write:
        network = file.network | fitted | {"sure": level}
        write_model_file(msgspec.structs.replace(file, network=network))
    return 0


def choose_level(confidence: NDArray[np.float64], right: NDArray[np.bool_], most_errors: float) -> float:
    """Return the level for a rate of silent errors, or for the smallest rate that the number of cells can prove."""
    provable = upper_bound(0, len(right))
    return least_confidence(confidence, right, most_errors=max(most_errors, provable))


def show(board: Board, picture: Path) -> ShownLabel | None:
    """Return a labelled picture, registered as by the reader; None if the reader would refuse it."""
    if (view := view_table(load_image(picture), board)) is None:
        return None
    truth = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
    visible = [place in truth["cells"] and place not in truth["hidden"] for place in board.places]
    words = tuple(truth["cells"].get(place, "") for place in board.places)
    readable = readable_cells(board, view.located, view.scaled.size_wh)
    return ShownLabel(view, words, np.array(visible) & readable)


def fit_temperature(labeller: Labeller, shown: Sequence[ShownLabel], parameter: str = "temperature") -> float:
    """Return the divisor of the logits at which the truth of the visible cells is most probable.

    The `temperature` is fitted to labels without the heights of stacks, the `height_temperature` to whole labels.
    """
    # 1. Which of the labels count as each cell's true one.
    kind = _single if parameter == "temperature" else str
    kinds = [kind(word) for word in labeller.labels]
    same = {one: np.array([[other == kind(word) for other in kinds] for word in one.truth]) for one in shown}

    def nll(temperature: float) -> float:
        set_parameters(labeller, **{parameter: temperature})
        # 2. The probability that all these labels of a counted cell have together.
        p_true = [
            (seen.p * same[one]).sum(axis=1)[one.counted & seen.visible] for one, seen in _readings(labeller, shown)
        ]
        return float(-np.log(np.concatenate(p_true) + _LEAST_P).mean())

    return best_temperature(nll)


def _single(word: str) -> str:
    return str(parse_label(word).single) if word else ""


def judge(labeller: Labeller, shown: Sequence[ShownLabel]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the confidence of each counted cell's most probable label, and whether it is right; both (n,)."""
    confidence, right = [], []
    for one, seen in _readings(labeller, shown):
        counted = one.counted & seen.visible
        pairs = zip(seen.best(), one.truth, strict=True)
        confidence.append(seen.confidence()[counted])
        right.append(np.array([label in (word, _single(word)) for label, word in pairs])[counted])
    return np.concatenate(confidence), np.concatenate(right)


def _readings(labeller: Labeller, shown: Sequence[ShownLabel]) -> Iterator[tuple[ShownLabel, Observation]]:
    """Yield every picture with its labels by the labeller's present parameters."""
    for one in shown:
        labelled = labeller.label(one.view)
        visible = labelled.p_visible >= VISIBLE
        cells = tuple(map(str, range(len(visible))))
        yield one, Observation(cells, labeller.labels, labelled.p, visible, labeller.sure)


def set_parameters(labeller: Labeller, **parameters: float) -> None:
    """Set how a labeller's logits become probabilities."""
    holder = labeller.layout if isinstance(labeller, CardTableLabeller) else labeller
    if isinstance(holder, CellLabeller | FigureLabeller | LayoutReader):
        holder.file = msgspec.structs.replace(holder.file, **parameters)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
