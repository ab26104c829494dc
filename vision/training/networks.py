"""What all networks share: their layers, and writing one as a shipped model (model.onnx for OpenCV, model.toml)."""

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


def convolution(
    inside: int, outside: int, size: int, *, stride: int = 1, padding: int = 0, dilation: int = 1
) -> list[nn.Module]:
    """Convolve (n, inside, rows, columns) to (n, outside, ...), normalise over the batch and rectify.

    OpenCV folds the second into the first when it loads the network.
    """
    convolve = nn.Conv2d(inside, outside, size, stride=stride, padding=padding, dilation=dilation, bias=False)
    return [convolve, nn.BatchNorm2d(outside), nn.ReLU()]


class Residual(nn.Module):
    """Adds a convolution's output to its input (n, width, rows, columns); at first nothing, so that it learns fast.

    See He et al., "Deep residual learning" (2016), and Goyal et al. (2017) on beginning with nothing.
    """

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        convolve, normalise, rectify = convolution(width, width, 3, padding=dilation, dilation=dilation)
        nn.init.zeros_(normalise.weight)
        self.layer = nn.Sequential(convolve, normalise, rectify)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Compute the sum."""
        added: torch.Tensor = features + self.layer(features)
        return added
