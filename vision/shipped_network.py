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
    return described(package, stem, kind, missing), weights_of(package, stem, missing)


def described(package: str, stem: str, kind: type[File], missing: str) -> File:
    """Load STEM.toml of a package as a `kind`; raises BoardFileError with the words of `missing` if it is not there."""
    return msgspec.convert(tomllib.loads(_bytes(package, f"{stem}.toml", missing).decode()), kind)


def weights_of(package: str, stem: str, missing: str) -> Weights:
    """Load STEM.onnx of a package; raises BoardFileError with the words of `missing` if it is not there."""
    return np.frombuffer(_bytes(package, f"{stem}.onnx", missing), dtype=np.uint8)


def _bytes(package: str, name: str, missing: str) -> bytes:
    file = resources.files(package).joinpath(name)
    if not file.is_file():
        raise BoardFileError(missing)
    return file.read_bytes()


def softmax(logits: Floats) -> Floats:
    """Make probabilities of logits float64 (n, classes): each row adds to 1."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
