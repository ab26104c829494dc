"""Planes to label probabilities: the small network, run by OpenCV, and what it takes to trust its numbers."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, cell_column_row
from vision.errors import BoardFileError
from vision.geometry import Floats
from vision.pipeline.planes import CELL_PX, Planes

DOUBT = 0.97
"""Probability of its best label below which a cell that can be seen is worth a second look at the table."""


class NetworkFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies beside a network's weights: the labels of its outputs and how its numbers become probabilities.

    Attributes:
        labels: words of the outputs, in order; one more output follows, which says whether the cell can be seen.
        heights: names of the pieces of the table file whose heights the planes have, after the board's own, 0 mm.
        temperature: divides the logits; fitted on pictures that the network was not trained on.
        residual: probability of an error that the network does not see, shared among all labels.
    """

    labels: tuple[str, ...]
    heights: tuple[str, ...]
    temperature: float
    residual: float


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Probabilities float64 (n_cells, n_labels), and of each cell how likely it is to be seen, float64 (n_cells,)."""

    p: Floats
    p_visible: Floats


class CellLabeller:
    """Labels all cells of one table. It holds a network, so one thread may use it at a time.

    Raises:
        BoardFileError: there is no network for this game, or the table has labels that it was not trained for.
    """

    def __init__(self, board: Board) -> None:
        self._file, weights = _load(board.game)
        unknown = sorted(set(board.label_words) - set(self._file.labels))
        if unknown:
            message = f"{board.game}: labels: expected some of {list(self._file.labels)}, found {unknown}"
            raise BoardFileError(message)
        self.heights_mm = (0.0, *(board.pieces[piece].height for piece in self._file.heights))
        self._columns = [self._file.labels.index(word) for word in board.label_words]
        self._places = tuple(np.transpose([cell_column_row(cell)[::-1] for cell in board.cells]))
        self._network = cv2.dnn.readNetFromONNX(weights)
        rows, columns = ((n + 1) * CELL_PX for n in (board.grid.rows, board.grid.columns))
        self.label(np.zeros((3 * len(self.heights_mm), rows, columns), dtype=np.float32))  # the first run is slow

    def label(self, planes: Planes) -> Labelled:
        """Label all cells from planes float32 (3 * heights, rows px, columns px).

        Where a cell is in doubt the table is looked at once more, from the other side: of what the network takes for
        something that it is not, little looks the same upside down.
        """
        logits = self._logits(planes)
        first = self._labelled(logits)
        if not (first.p.max(axis=1) < DOUBT)[first.p_visible > 0.5].any():
            return first
        turned = self._logits(planes[:, ::-1, ::-1])
        return self._labelled((logits + turned[:, ::-1, ::-1]) / 2)

    def _logits(self, planes: Planes) -> Floats:
        self._network.setInput(np.ascontiguousarray(planes)[None])
        return np.asarray(np.asarray(self._network.forward())[0], dtype=np.float64)

    def _labelled(self, logits: Floats) -> Labelled:
        at_cells = logits[:, self._places[0], self._places[1]].T
        p_visible = 1 / (1 + np.exp(-at_cells[:, -1]))
        return Labelled(self._soften(at_cells[:, self._columns]), p_visible)

    def _soften(self, logits: Floats) -> Floats:
        scaled = logits / self._file.temperature
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        p = powers / powers.sum(axis=1, keepdims=True)
        return np.asarray((1 - self._file.residual) * p + self._file.residual / p.shape[1])


@lru_cache
def _load(game: str) -> tuple[NetworkFile, NDArray[np.uint8]]:
    folder = resources.files("vision.boards").joinpath(game.replace("-", "_"))
    description, weights = folder.joinpath("cells.toml"), folder.joinpath("cells.onnx")
    if not description.is_file() or not weights.is_file():
        message = f"{game}: this version has no eyes for that table yet"
        raise BoardFileError(message)
    file = msgspec.convert(tomllib.loads(description.read_text(encoding="utf-8")), NetworkFile)
    return file, np.frombuffer(weights.read_bytes(), dtype=np.uint8)
