"""Write a trained network as a shipped model: model.onnx for OpenCV and model.toml beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import nn

from vision.shipped_network import Input, Metrics, ModelFile, Training
from vision.training.model_files import MODELS, write_model_file

RESIDUAL = 0.001
"""Probability of an error that the network does not see: no cell of any picture is more certain than that."""

LICENCE = "MIT"
OPSET = 13
"""The ONNX operators that OpenCV 4.10 and 5.0 both read."""


def write_weights(
    network: nn.Module, name: str, example: torch.Tensor, *, of_any_size: Mapping[int, str], input_name: str = "input"
) -> None:
    """Write vision/models/NAME/model.onnx; `of_any_size` names the axes of the input whose length is free."""
    folder = MODELS / name
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
