"""Train one of the shipped models again: python -m vision.training MODEL [options]

    python -m vision.training royal-ur --photographs PICTURES --scenes 300 --steps 6000
    python -m vision.training cards --steps 4000
    python -m vision.training cards --start vision/models/cards/model.onnx --rate 1e-3 --device cuda --processes 12
    python -m vision.training royal-ur --help

MODEL is a folder of vision/models. The command renders scenes and meanwhile trains on them (and on labelled pictures,
if a folder is given), fits the temperature on held-out pictures, and writes model.onnx, model.toml and the list of
training pictures. The extra "train" is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from vision.board import shipped_board, shipped_games
from vision.recognition.figure_labeller import stands_one_of_each
from vision.shipped_network import model_names


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    if not argv or argv[0] in ("-h", "--help"):
        sys.stdout.write(f"{__doc__}\nmodels: {', '.join(trainable())}\n")
        return 0
    if argv[0] not in trainable():
        sys.stderr.write(f'vision.training: "{argv[0]}" is not a model; expected one of {", ".join(trainable())}\n')
        return 2
    from vision.training.models import KINDS  # noqa: PLC0415 - needs torch

    return KINDS[kind_of(argv[0])](argv[0], argv[1:])


def trainable() -> tuple[str, ...]:
    """Return the names of all models that can be trained: those that ship, and one for each shipped board."""
    return tuple(sorted({*model_names(), *shipped_games()}))


def kind_of(model: str) -> str:
    """Return the kind of a model: that of its board, or the first part of its name."""
    if model not in shipped_games():
        return model.partition("-")[0]
    board = shipped_board(model)
    if board.card_words:
        return "layout"
    return "figures" if stands_one_of_each(board) else "cells"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
