"""Writing a trained network for figures for OpenCV, with what must be known of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from vision.board import Board
from vision.recognition.figure_patches import PATCH_WH
from vision.training.export import RESIDUAL
from vision.training.figures_net import FigureNet


def write_figures(network: FigureNet, folder: Path, board: Board, share: Sequence[float], temperature: float) -> None:
    """Write figures.onnx and figures.toml into a board's folder; all cells of the board are one batch.

    `share`: how often each label occurred in what the network learned from.
    """
    patches = torch.zeros(len(board.cells), 4, *PATCH_WH[::-1])
    torch.onnx.export(network, (patches,), str(folder / "figures.onnx"), dynamo=False, opset_version=13)
    words, shares = ", ".join(f'"{word}"' for word in board.label_words), ", ".join(f"{s:.4f}" for s in share)
    lines = (
        "# What the network in figures.onnx was trained for; python -m vision.training.figures writes both files.",
        f"labels = [{words}]",
        f"share = [{shares}] # of each label in what the network learned from",
        f"temperature = {temperature:.3f} # divides the logits; fitted on rendered scenes that it has not seen",
        f"residual = {RESIDUAL} # probability of an error that the network does not see",
    )
    (folder / "figures.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
