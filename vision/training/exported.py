"""The weights of a shipped model, to go on training from: batch normalisations that the export folded come back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import nn


def load_exported(network: nn.Module, path: Path) -> None:
    """Set the weights of a network to those of a model.onnx that was written from a network of the same layers.

    The export folds each batch normalisation behind a convolution into the convolution. Its statistics are taken from
    the first batch, on which the network answers as the shipped model does, in training as in evaluation.

    Raises:
        ValueError: the layers are others, or of other sizes.
    """
    graph = onnx.load(str(path)).graph
    values = {tensor.name: torch.tensor(onnx.numpy_helper.to_array(tensor)) for tensor in graph.initializer}
    layers = (layer for layer in network.modules() if isinstance(layer, nn.Conv2d | nn.Linear | nn.BatchNorm2d))
    for node in graph.node:
        if node.op_type not in ("Conv", "Gemm", "BatchNormalization"):
            continue
        given, layer = [values[name] for name in node.input[1:]], next(layers)
        if isinstance(layer, nn.BatchNorm2d):
            _set((layer.weight, layer.bias, layer.running_mean, layer.running_var), given)
        elif layer.bias is None and len(given) == 2:
            folded = next(layers)
            nn.init.ones_(folded.weight)
            _set((layer.weight, folded.bias), given)
        else:
            _set((layer.weight,) if layer.bias is None else (layer.weight, layer.bias), given)
    if (left := next(layers, None)) is not None:
        message = f"{path}: expected weights of {left}, found none"
        raise ValueError(message)
    for layer in network.modules():
        if isinstance(layer, nn.BatchNorm2d):
            _take_statistics_once(layer)


def _set(own: Iterable[torch.Tensor], given: Iterable[torch.Tensor]) -> None:
    for tensor, value in zip(own, given, strict=True):
        if tensor.shape != value.shape:
            message = f"expected weights of shape {tuple(tensor.shape)}, found {tuple(value.shape)}"
            raise ValueError(message)
        tensor.data.copy_(value)


def _take_statistics_once(layer: nn.BatchNorm2d) -> None:
    """Make a new layer, or one in evaluation, take its statistics from its next input without changing its outputs."""

    def take(layer: nn.BatchNorm2d, inputs: tuple[torch.Tensor]) -> None:
        with torch.no_grad():
            # 1. the layer's answers are scale * x + offset
            scale = layer.weight / torch.sqrt(layer.running_var + layer.eps)
            offset = layer.bias - scale * layer.running_mean
            # 2. the same answers, from (x - mean) / sqrt(variance) * weight + bias
            variance, mean = torch.var_mean(inputs[0].float(), dim=(0, 2, 3), correction=0)
            layer.running_mean.copy_(mean)
            layer.running_var.copy_(variance)
            layer.weight.copy_(scale * torch.sqrt(variance + layer.eps))
            layer.bias.copy_(offset + scale * mean)
        handle.remove()

    handle: Any = layer.register_forward_pre_hook(take)
