"""Writing a trained network for OpenCV, with what must be known of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from vision.board import Board
from vision.training.examples import cell_px_of
from vision.training.net import CellNet

RESIDUAL = 0.001
"""Probability of an error that the network does not see: no cell of any picture is more certain than that."""


def write_network(network: CellNet, folder: Path, board: Board, heights: Sequence[str], temperature: float) -> None:
    """Write cells.onnx and cells.toml into a board's folder."""
    cell_px = cell_px_of(board)
    rows, columns = ((n + 1) * cell_px for n in (board.grid.rows, board.grid.columns))
    planes = torch.zeros(1, 3 * (len(heights) + 1), rows, columns)
    torch.onnx.export(network, (planes,), str(folder / "cells.onnx"), dynamo=False, opset_version=13)
    words = ", ".join(f'"{word}"' for word in board.label_words)
    pieces = ", ".join(f'"{name}"' for name in heights)
    lines = (
        "# What the network in cells.onnx was trained for; python -m vision.training writes both files.",
        f"labels = [{words}]",
        f"heights = [{pieces}] # planes at 0 mm and at the heights of these pieces of the table file",
        f"cell_px = {cell_px} # pixels along a cell of the planes",
        f"temperature = {temperature:.3f} # divides the logits; fitted on rendered scenes that it has not seen",
        f"residual = {RESIDUAL} # probability of an error that the network does not see",
    )
    (folder / "cells.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
