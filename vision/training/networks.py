"""What all networks share: their layers, and writing one as a shipped model (model.onnx for OpenCV, model.toml)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import nn

from vision.shipped_network import Input, ModelFile, Training
from vision.training.model_files import MODELS, write_model_file

RESIDUAL = 0.001
"""Probability of an error that the network does not see: no cell of any picture is more certain than that."""

LICENCE = "MIT"
OPSET = 13
"""The ONNX operators that OpenCV 4.10 and 5.0 both read."""


def write_model(
    name: str,
    network: nn.Module,
    example: torch.Tensor,
    *,
    inputs: Mapping[str, Sequence[str]],
    of_any_size: Mapping[int, str],
    parameters: Mapping[str, object],
    training: Training,
) -> None:
    """Write vision/models/NAME/model.onnx, and model.toml without metrics, which are added once they are measured.

    Args:
        name: of the model.
        network: trained.
        example: its input, of any length along the axes in `of_any_size`.
        inputs: the shape of its only input, in words, by the input's name.
        of_any_size: names the axes of the input whose length is free.
        parameters: the [network] table of model.toml.
        training: what it was trained on.
    """
    [(input_name, shape)] = inputs.items()
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
    described = {input_name: Input("float32", tuple(shape))}
    write_model_file(
        ModelFile(name=name, licence=LICENCE, inputs=described, network=dict(parameters), training=training, metrics=())
    )


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
