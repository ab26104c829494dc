"""The networks that ship: their weights, what must be known of them, and the probabilities that they tell."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.errors import BoardFileError
from vision.geometry import Floats

Weights = NDArray[np.uint8]
"""The bytes of an ONNX file, as cv2.dnn.readNetFromONNX takes them."""

File = TypeVar("File", bound=msgspec.Struct)


def of_board(game: str, stem: str, kind: type[File]) -> tuple[File, Weights]:
    """Load the network that lies beside a board's table file: STEM.toml as a `kind`, and the weights, STEM.onnx.

    Raises:
        BoardFileError: this version brings none for the game.
    """
    missing = f"{game}: this version has no eyes for that table yet"
    return load("vision.boards", f"{game.replace('-', '_')}/{stem}", kind, missing)


@lru_cache
def load(package: str, stem: str, kind: type[File], missing: str) -> tuple[File, Weights]:
    """Load what lies in a package: STEM.toml as a `kind`, and the weights, STEM.onnx.

    Raises:
        BoardFileError: with the words of `missing`, when one of the two is not there.
    """
    description, weights = (resources.files(package).joinpath(f"{stem}.{ending}") for ending in ("toml", "onnx"))
    if not description.is_file() or not weights.is_file():
        raise BoardFileError(missing)
    file = msgspec.convert(tomllib.loads(description.read_text(encoding="utf-8")), kind)
    return file, np.frombuffer(weights.read_bytes(), dtype=np.uint8)


def softmax(logits: Floats) -> Floats:
    """Make probabilities of logits float64 (n, classes): each row adds to 1."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
