"""Write a trained network as a shipped model: model.onnx for OpenCV and model.toml beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import torch
from torch import nn

import vision.models
from vision.shipped_network import Input, Metrics, ModelFile, Training

RESIDUAL = 0.001
"""Probability of an error that the network does not see: no cell of any picture is more certain than that."""

LICENCE = "MIT"
OPSET = 13
"""The ONNX operators that OpenCV 4.10 and 5.0 both read."""

_MODELS = Path(vision.models.__path__[0])
_PROVENANCE = Path(__file__).parent / "provenance"


def write_weights(
    network: nn.Module, name: str, example: torch.Tensor, *, of_any_size: Mapping[int, str], input_name: str = "input"
) -> None:
    """Write vision/models/NAME/model.onnx; `of_any_size` names the axes of the input whose length is free."""
    folder = _MODELS / name
    folder.mkdir(exist_ok=True)
    network.to(memory_format=torch.contiguous_format)
    axes = {input_name: dict(of_any_size), "output": {axis: f"{word}_out" for axis, word in of_any_size.items()}}
    torch.onnx.export(
        network,
        (example,),
        str(folder / "model.onnx"),
        input_names=[input_name],
        output_names=["output"],
        dynamic_axes=axes,
        dynamo=False,
        opset_version=OPSET,
    )


def write_description(
    name: str,
    *,
    inputs: Mapping[str, Sequence[str]],
    network: Mapping[str, object],
    training: Training,
    metrics: Sequence[Metrics] = (),
) -> None:
    """Write vision/models/NAME/model.toml. Metrics are added once they have been measured."""
    file = ModelFile(
        name=name,
        licence=LICENCE,
        inputs={key: Input("float32", tuple(shape)) for key, shape in inputs.items()},
        network=dict(network),
        training=training,
        metrics=tuple(metrics),
    )
    write_model_file(file)


def write_model_file(file: ModelFile) -> None:
    """Write a model.toml; keys without a value are left out."""
    raw = msgspec.to_builtins(file)
    text = msgspec.toml.encode({key: _known(value) for key, value in raw.items() if value is not None})
    (_MODELS / file.name / "model.toml").write_bytes(text)


def _known(value: object) -> object:
    if isinstance(value, dict):
        return {key: _known(part) for key, part in value.items() if part is not None}
    return [_known(part) for part in value] if isinstance(value, list | tuple) else value


def record_training(name: str, pictures: Iterable[Path], rendered: str, seed: int) -> Training:
    """Write the digests of the pictures that a model is trained on to provenance/NAME.txt; return the summary."""
    lines = sorted({f"{scene_of(path)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in pictures})
    text = "".join(f"{line}\n" for line in lines)
    _PROVENANCE.mkdir(exist_ok=True)
    (_PROVENANCE / f"{name}.txt").write_text(text, encoding="utf-8")
    scenes = sorted({line.split()[0] for line in lines})
    return Training(rendered, tuple(scenes), hashlib.sha256(text.encode()).hexdigest(), seed)


def scene_of(picture: Path) -> str:
    """Return the id of the scene that a picture with a truth file shows; frames of one scene have the same id."""
    truth = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
    return str(truth.get("scene") or truth.get("seed") or f"samples/{picture.stem}")
