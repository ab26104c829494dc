"""The shipped models: what is known of them, their networks as OpenCV runs them, and the probabilities of outputs."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from engines.sentence import Sentence, about, unexpected
from vision.board import Board
from vision.errors import BoardFileError
from vision.geometry import Floats
from vision.observation import SURE

Weights = NDArray[np.uint8]
"""The bytes of an ONNX file, as cv2.dnn.readNetFromONNX takes them."""

Parameters = TypeVar("Parameters", bound=msgspec.Struct)


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One input of a network: element type, and its shape as expressions of the board's `rows` and `columns`."""

    type: str
    shape: tuple[str, ...]


class Training(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model was trained on.

    Attributes:
        rendered: scenes that were drawn for it.
        pictures: scene ids of the pictures with truth.
        sha256: of the file vision/training/provenance/NAME.txt, which lists the pictures' own digests.
        seed: of all chance of the last run.
    """

    rendered: str
    pictures: tuple[str, ...]
    sha256: str
    seed: int


class ModelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a model.toml.

    Attributes:
        name: of the folder; a board's model has the name of its game.
        licence: of the weights.
        inputs: by name.
        network: parameters of the program that runs the model: labels, temperature and the like.
        training: what the model was trained on.
        metrics: figures on one set of pictures each; shares are of the visible cells, an upper bound has 95 %
            confidence.
        grid: rows and columns that the model was exported for; without, it takes grids of any size.
    """

    name: str
    licence: str
    inputs: dict[str, Input]
    network: dict[str, Any]
    training: Training
    metrics: tuple[dict[str, Any], ...]
    grid: tuple[int, int] | None = None


class OutputCalibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the numbers of a network become probabilities: parameters that each model has.

    Attributes:
        temperature: divides the logits; fitted on pictures that the network was not trained on.
        sure: probability of the best label below which a visible cell is unsure; chosen by risk control.
    """

    temperature: float
    sure: float = SURE


class FallibleOutputs(OutputCalibration, frozen=True, kw_only=True):
    """The same of a model whose words are never certain.

    `residual` is the probability of an error that the network does not see, shared among all words. A file that lacks
    it is refused: without it a network would be certain of what it reads.
    """

    residual: float


def model_names() -> tuple[str, ...]:
    """Return the names of the shipped models, sorted."""
    folders = resources.files("vision.models").iterdir()
    return tuple(sorted(folder.name for folder in folders if folder.joinpath("model.toml").is_file()))


class Network:
    """A network, run by OpenCV, so that only one thread may use it at a time."""

    def __init__(self, weights: Weights) -> None:
        self._network = cv2.dnn.readNetFromONNX(weights)

    def __call__(self, inputs: NDArray[np.float32]) -> Floats:
        """Return the outputs for inputs (n, ...), float64 (n, ...)."""
        self._network.setInput(np.ascontiguousarray(inputs))
        return np.asarray(self._network.forward(), dtype=np.float64)


def of_board(board: Board, kind: type[Parameters]) -> tuple[Parameters, Network]:
    """Load the model that reads a board.

    Raises:
        BoardFileError: there is no model for the game, it was exported for a grid of another size, or it is for another
            kind of table.
    """
    if board.game not in model_names():
        message = Sentence(
            "{table}: this version has no eyes for that table yet; "
            "it would read flat discs of declared colours and diameters"
        )
        raise BoardFileError(message.format(table=board.game))
    grid, found = describe(board.game).grid, (board.grid.rows, board.grid.columns)
    if grid not in (None, found):
        problem = unexpected("grid", "the model's rows and columns, {grid}", found, grid=list(grid))
        raise BoardFileError(about(board.game, problem))
    return load(board.game, kind)


def load(name: str, kind: type[Parameters]) -> tuple[Parameters, Network]:
    """Load a shipped model: the parameters in its model.toml as a `kind`, and its network.

    Raises:
        BoardFileError: the model is of another kind, or its file lacks something.
    """
    try:
        parameters = msgspec.convert(describe(name).network, kind)
    except msgspec.ValidationError as error:
        message = Sentence(
            "{table}: the table file lacks a section that its model needs, or the model's file is broken ({error});"
            " compare both with those that ship"
        )
        raise BoardFileError(message.format(table=name, error=error)) from error
    return parameters, Network(weights_of(name))


@lru_cache
def describe(name: str) -> ModelFile:
    """Load the model.toml of a shipped model."""
    file = resources.files("vision.models").joinpath(name, "model.toml")
    return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), ModelFile)


@lru_cache
def weights_of(name: str) -> Weights:
    """Load the model.onnx of a shipped model."""
    return np.frombuffer(resources.files("vision.models").joinpath(name, "model.onnx").read_bytes(), dtype=np.uint8)


def softmax(logits: Floats) -> Floats:
    """Return probabilities for logits float64 (n, classes): each row sums to 1."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
