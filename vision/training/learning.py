"""Networks: their layers, the loop that trains them, and shipped models: to continue from, and to write."""

from __future__ import annotations

import argparse
import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
import onnx
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision.shipped_network import Input, ModelFile
from vision.training.model_files import MODELS, record_training, write_model_file
from vision.training.risk import best_temperature

OPSET = 13
"""The ONNX operator set that both OpenCV 4.10 and 5.0 read."""

_REPORT_STEPS = 100
_STEEPEST = 5.0
"""Norm to which gradients are clipped."""

MadeT = TypeVar("MadeT")
Batch = Any
"""A sample whose arrays have become tensors with one axis more, (n, ...)."""

Weights = Mapping[str, torch.Tensor]

# ---- layers


def convolution(
    inside: int, outside: int, size: int = 3, *, stride: int = 1, padding: int = 1, dilation: int = 1
) -> list[nn.Module]:
    """Return a convolution from (n, inside, rows, columns) to (n, outside, ...), batch normalisation and ReLU.

    OpenCV folds the normalisation into the convolution when it loads the network.
    """
    convolve = nn.Conv2d(inside, outside, size, stride=stride, padding=padding, dilation=dilation, bias=False)
    return [convolve, nn.BatchNorm2d(outside), nn.ReLU()]


def convolutions(widths: Sequence[int], strides: Sequence[int]) -> list[nn.Module]:
    """Return convolutions, each with a stride, from each width to the next."""
    pairs = zip(pairwise(widths), strides, strict=True)
    return [part for (inside, outside), stride in pairs for part in convolution(inside, outside, stride=stride)]


class Residual(nn.Module):
    """Adds a convolution's output, initially 0, to its input (n, width, rows, columns).

    See He et al., "Deep residual learning" (2016), and Goyal et al. (2017) on the zero initialisation.
    """

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.layer = nn.Sequential(*convolution(width, width, padding=dilation, dilation=dilation))
        nn.init.zeros_(self.layer[1].weight)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return the sum."""
        added: torch.Tensor = features + self.layer(features)
        return added


class GridNet(nn.Module):
    """A network from planes (n, 3 * heights, rows px, columns px) to outputs (n, outputs, rows, columns).

    It is fully convolutional, without the cell's place on the board. The look of the whole board (its ground, its
    light) reaches every cell through the mean of the features.

    Args:
        widths: channels of the planes, then after each convolution.
        strided: the number of strided convolutions.
        cell_px: pixels along a cell of the planes, which have a margin of half a cell.
        cell, mixed: channels of a cell, alone and with the board.
        outputs: channels of a cell's output.
    """

    def __init__(
        self, widths: Sequence[int], *, strided: int, cell_px: int, cell: int, mixed: int, outputs: int
    ) -> None:
        super().__init__()
        places = cell_px // 2**strided  # along a cell behind the strided layers; the margin is half as many
        self.rim = places // 2 - 1  # the window sees one place past each side of its cell
        strides = [2 if k < strided else 1 for k in range(len(widths) - 1)]
        self.features = nn.Sequential(*convolutions(widths, strides))
        self.cell = nn.Sequential(*convolution(widths[-1], cell, places + 2, stride=places, padding=0))
        self.of_cell = nn.Conv2d(cell, mixed, 1, bias=False)
        self.of_board = nn.Conv2d(widths[-1], mixed, 1, bias=False)
        self.head = nn.Sequential(
            nn.BatchNorm2d(mixed),
            nn.ReLU(),
            *convolution(mixed, mixed),  # what stands on a neighbour may stand before this cell
            nn.Conv2d(mixed, outputs, 1),
        )

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Return the outputs."""
        features = self.features(planes)
        cells = self.cell(features[:, :, self.rim : -self.rim, self.rim : -self.rim])
        average = features.mean(dim=(2, 3), keepdim=True)
        # A difference broadcasts to grids of any size in OpenCV 4.10 and 5.0; a sum and a concatenation do not.
        outputs: torch.Tensor = self.head(self.of_cell(cells) - self.of_board(average))
        return outputs


# ---- learning


def minimise(
    network: nn.Module, loss_of_a_batch: Callable[[], torch.Tensor], args: argparse.Namespace, *, weight_decay: float
) -> None:
    """Minimise the loss by AdamW with a one-cycle schedule, and leave the network in evaluation mode.

    Args:
        network: the network, trained in place.
        loss_of_a_batch: makes the next batch and returns the network's loss on it, a scalar.
        args: the arguments of `parser_of`. Without steps, kept networks are only averaged and measured.
        weight_decay: AdamW's weight decay.
    """
    network.to(args.device, memory_format=torch.channels_last)  # twice as fast on a processor
    if [path.suffix for path in args.start] == [".onnx"]:
        load_exported(network, args.start[0])
    elif args.start:
        network.load_state_dict(mean_of([torch.load(path, args.device) for path in args.start]))
    optimiser = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=weight_decay)
    steps = max(args.steps, 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, total_steps=steps, pct_start=0.1)
    heard = []
    for step in range(1, args.steps + 1):
        loss = loss_of_a_batch()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), _STEEPEST)
        optimiser.step()
        schedule.step()
        heard.append(loss.item())
        if step % _REPORT_STEPS == 0 or step == args.steps:
            say(f"step {step} of {args.steps}: loss {np.mean(heard):.4f}")
            heard.clear()
            if args.keep is not None:
                torch.save(network.state_dict(), args.keep)
    network.eval().cpu()


def mean_of(weights: Sequence[Weights]) -> Weights:
    """Return the mean of several runs' weights by name, which is often better than each.

    The runs must have continued from the same weights: Wortsman et al., "Model soups" (2022).
    """
    return {
        name: torch.stack([run[name].double() for run in weights]).mean(dim=0).to(like.dtype)
        for name, like in weights[0].items()
    }


def batch_of(samples: Sequence[Any]) -> Batch:
    """Return samples of one shape as a batch."""
    return _join(samples, lambda arrays: torch.from_numpy(np.stack(arrays)))


def _join(samples: Sequence[Any], join: Callable[[list[Any]], torch.Tensor]) -> Any:
    """Return one sample whose fields are joined from those of several."""
    parts = {field.name: [getattr(sample, field.name) for sample in samples] for field in fields(samples[0])}
    joined = {name: _join(of, join) if is_dataclass(of[0]) else join(of) for name, of in parts.items()}
    return replace(samples[0], **joined)


class _Parts(IterableDataset[MadeT]):
    """What is made in several parts, each in a process of its own."""

    def __init__(self, make: Callable[[int, int], Iterable[MadeT]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[MadeT]:
        worker = get_worker_info()
        return iter(self._make(0, 1) if worker is None else self._make(worker.id, worker.num_workers))


def made_by(processes: int, make: Callable[[int, int], Iterable[MadeT]]) -> Iterator[MadeT]:
    """Yield what `make(part, parts)` makes, one of each part in turn; with 0 processes this one makes everything."""
    if not processes:
        return iter(make(0, 1))
    cv2.setNumThreads(1)
    parts = DataLoader(
        _Parts(make), batch_size=None, num_workers=processes, prefetch_factor=4, multiprocessing_context="fork"
    )
    return iter(parts)


def temperature_of(pairs: Sequence[tuple[torch.Tensor, torch.Tensor]]) -> float:
    """Return the divisor of logits (n, classes, ...) at which their truth, -1 for none, is most probable."""

    def nll(temperature: float) -> float:
        losses = (nn.functional.cross_entropy(logits / temperature, truth, ignore_index=-1) for logits, truth in pairs)
        return float(sum(loss.item() for loss in losses))

    return best_temperature(nll)


# ---- continuing from a shipped model


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


# ---- commands


def parser_of(model: str, description: str | None, *, steps: int, rate: float) -> argparse.ArgumentParser:
    """Return the parser of `python -m vision.training MODEL`, with the arguments of `minimise`."""
    parser = argparse.ArgumentParser(
        prog=f"python -m vision.training {model}",
        description=inspect.cleandoc(description or ""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--steps", type=int, default=steps, help="batches to learn from")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=rate, help="the highest rate of learning; a third to go on")
    start_help = "go on from what earlier runs have kept, their mean, or from one shipped model.onnx"
    parser.add_argument("--start", type=Path, nargs="+", default=[], metavar="FILE", help=start_help)
    parser.add_argument("--keep", type=Path, metavar="FILE.pt", help="keep what was learned, to go on from")
    parser.add_argument("--device", default="cpu", help="where the network learns: cpu, or cuda for a graphics card")
    parser.add_argument("--processes", type=int, default=0, help="others that draw what is learned from meanwhile")
    return parser


def say(line: str) -> None:
    """Print a line and flush it."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@dataclass(frozen=True, kw_only=True, eq=False)
class Model:
    """A model, declared for its training. Batches have the network's input as `planes`.

    Attributes:
        name: of the model.
        network: makes it untrained.
        batches: yields batches without end, those of one of several parts; each part is made on a processor of its own.
        loss: returns the loss of the network's outputs on a batch, a scalar.
        weight_decay: AdamW's weight decay.
        half: whether to compute with 16-bit floats.
        temperature: returns the divisor of the trained network's logits at which held-out truth is most probable.
        input: the name of its only input.
        example: an input.
        free: the lengths, in words, of the axes of the input whose length is free.
        parameters: the [network] table of model.toml without the temperature.
        rendered: what was rendered for its training, in words.
        pictures: the pictures that it was trained on.
    """

    name: str
    network: Callable[[], nn.Module]
    batches: Callable[[int, int], Iterator[Batch]]
    loss: Callable[[torch.Tensor, Batch], torch.Tensor]
    weight_decay: float = 1e-3
    half: bool = True
    temperature: Callable[[nn.Module], float]
    input: str
    example: torch.Tensor
    free: Mapping[int, str]
    parameters: Mapping[str, object]
    rendered: str
    pictures: Sequence[Path] = ()


def train(model: Model, args: argparse.Namespace) -> int:
    """Train a model, fit its temperature, and write it to vision/models; return the exit code."""
    torch.manual_seed(args.seed)
    network, lessons = model.network(), made_by(args.processes, model.batches)
    kind = torch.device(args.device).type

    def loss_of_a_batch() -> torch.Tensor:
        batch = _join([next(lessons)], lambda tensors: tensors[0].to(args.device, non_blocking=True))
        with torch.autocast(kind, torch.bfloat16, enabled=model.half):  # twice as fast where the processor knows it
            outputs = network(batch.planes.contiguous(memory_format=torch.channels_last)).float()
        return model.loss(outputs, batch)

    minimise(network, loss_of_a_batch, args, weight_decay=model.weight_decay)
    with torch.no_grad():
        temperature = round(model.temperature(network), 3)
    # model.onnx, with the free axes named by the first word of their length
    folder, names = MODELS / model.name, {axis: re.findall("[a-z]+", length)[0] for axis, length in model.free.items()}
    folder.mkdir(exist_ok=True)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*legacy", category=DeprecationWarning)  # the other needs onnxscript
        torch.onnx.export(
            network.to(memory_format=torch.contiguous_format),
            (model.example,),
            str(folder / "model.onnx"),
            input_names=[model.input],
            output_names=["output"],
            dynamic_axes={model.input: names, "output": {axis: f"{name}_out" for axis, name in names.items()}},
            dynamo=False,
            opset_version=OPSET,
        )
    shape = tuple(model.free.get(axis, str(length)) for axis, length in enumerate(model.example.shape))
    write_model_file(
        ModelFile(
            name=model.name,
            licence="MIT",
            inputs={model.input: Input("float32", shape)},
            network={**model.parameters, "temperature": temperature},
            training=record_training(model.name, model.pictures, model.rendered, args.seed),
            metrics=(),  # added after they are measured
        )
    )
    say(f"written to vision/models/{model.name}, temperature {temperature}")
    return 0
