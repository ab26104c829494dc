"""Networks: their layers, their training, writing one as a shipped model, and the commands for these."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, TypeVar

import cv2
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision.board import Board
from vision.shipped_network import Input, ModelFile, Training
from vision.training.data import Pool, Supply
from vision.training.exported import load_exported
from vision.training.model_files import MODELS, pictures_with_truth, record_training, write_model_file
from vision.training.risk import best_temperature

RESIDUAL = 0.001
"""Probability of errors that the network cannot know of, an upper limit of certainty."""

OPSET = 13
"""The ONNX operator set that both OpenCV 4.10 and 5.0 read."""

_REPORT_STEPS = 100
_STEEPEST = 5.0
"""Norm to which gradients are clipped."""

ExampleT = TypeVar("ExampleT")
SampleT = TypeVar("SampleT")
MadeT = TypeVar("MadeT")
Batch = Any
"""A sample whose arrays have become tensors with one axis more, (n, ...)."""

Network = TypeVar("Network", bound=nn.Module)
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


def convolutions(widths: Sequence[int], strided: int) -> nn.Sequential:
    """Return convolutions from each width to the next, of which the first `strided` halve rows and columns."""
    layers = (
        convolution(inside, outside, stride=2 if k < strided else 1)
        for k, (inside, outside) in enumerate(pairwise(widths))
    )
    return nn.Sequential(*(part for layer in layers for part in layer))


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
        self.features = convolutions(widths, strided)
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
    network: Network, loss_of_a_batch: Callable[[], torch.Tensor], args: argparse.Namespace, *, weight_decay: float
) -> Network:
    """Minimise the loss by AdamW with a one-cycle schedule, and return the network in evaluation mode.

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
    return network


def mean_of(weights: Sequence[Weights]) -> Weights:
    """Return the mean of several runs' weights by name, which is often better than each.

    The runs must have continued from the same weights: Wortsman et al., "Model soups" (2022).
    """
    return {
        name: torch.stack([run[name].double() for run in weights]).mean(dim=0).to(like.dtype)
        for name, like in weights[0].items()
    }


def stacked(arrays: Iterable[np.ndarray[Any, Any]]) -> torch.Tensor:
    """Return arrays of one shape as one tensor (n, ...)."""
    return torch.from_numpy(np.stack(list(arrays)))


def batch_of(samples: Sequence[Any]) -> Batch:
    """Return samples of one shape as a batch."""
    return _joined(samples, lambda arrays: torch.from_numpy(np.stack(arrays)))


def on_device(batch: Batch, device: str) -> Batch:
    """Return a batch on a device."""
    return _joined([batch], lambda tensors: tensors[0].to(device, non_blocking=True))


def _joined(samples: Sequence[Any], join: Callable[[Sequence[Any]], torch.Tensor]) -> Any:
    """Return one sample whose fields are joined from those of several."""
    parts = {field.name: [getattr(sample, field.name) for sample in samples] for field in fields(samples[0])}
    joined = {name: _joined(of, join) if is_dataclass(of[0]) else join(of) for name, of in parts.items()}
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


# ---- commands


def parser_of(model: str, description: str | None, *, steps: int, rate: float) -> argparse.ArgumentParser:
    """Return the parser of `python -m vision.training MODEL`, with the arguments of `minimise`."""
    parser = argparse.ArgumentParser(
        prog=f"python -m vision.training {model}",
        description=description,
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


def add_board_arguments(parser: argparse.ArgumentParser, *, scenes: int, weight: int, held_out: int) -> None:
    """Add the arguments of a board's model: the number of rendered scenes, and labelled pictures."""
    parser.add_argument("--scenes", type=int, default=scenes, help="scenes to render")
    parser.add_argument("--held-out", type=int, default=held_out, help="scenes that only the temperature is fitted on")
    parser.add_argument("--photographs", type=Path, help="a folder of pictures with truth, as in tests/recorded")
    parser.add_argument("--weight", type=int, default=weight, help="how often a photograph counts as a scene does")
    parser.add_argument("--batch", type=int, default=8, help="samples of a batch")


def say(line: str) -> None:
    """Print a line and flush it."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


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
    """Write vision/models/NAME/model.onnx, and model.toml without metrics, which are added after they are measured.

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
        ModelFile(name=name, licence="MIT", inputs=described, network=dict(parameters), training=training, metrics=())
    )
    say(f"written to vision/models/{name}, temperature {parameters['temperature']}")


class PlaneModel(Protocol[ExampleT, SampleT]):
    """The data, network and loss of a model that reads all cells of a board at once, from planes at some heights.

    Attributes:
        scenes, weight, held_out: defaults of the command's arguments.
        fresh: the number of new samples among eight.
        heights: the number of planes; `cell_px`: side of a cell in them.
    """

    scenes: int
    weight: int
    held_out: int
    fresh: int
    heights: int
    cell_px: int

    def rendered(self, seeds: Sequence[int]) -> Iterable[ExampleT]:
        """Render one scene a seed."""

    def photographed(self, pictures: Iterable[Path]) -> Iterable[ExampleT]:
        """Read pictures that have a truth file."""

    def draw(self, example: ExampleT, rng: np.random.Generator) -> SampleT:
        """Return a random sample of an example."""

    def turned(self, sample: SampleT, rng: np.random.Generator) -> SampleT:
        """Return a sample turned or mirrored at random."""

    def network(self) -> nn.Module:
        """Return an untrained network."""

    def loss(self, outputs: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Return the loss of the network's outputs on a batch, a scalar."""

    def judged(self, outputs: torch.Tensor, batch: Batch) -> Sequence[tuple[torch.Tensor, torch.Tensor]]:
        """Return logits of the outputs with their truth, for `temperature_of`."""

    def parameters(self) -> dict[str, object]:
        """Return the [network] table of model.toml without the temperature."""


_POOL = 600
"""Samples of the pool from which batches are taken."""


def train_planes(
    board: Board, argv: Sequence[str], model: PlaneModel[ExampleT, SampleT], description: str | None
) -> int:
    """Run the command that trains the model of a board; return the exit code."""
    game = board.game
    parser = parser_of(game, description, steps=6000, rate=3e-3)
    add_board_arguments(parser, scenes=model.scenes, weight=model.weight, held_out=model.held_out)
    args = parser.parse_args(argv)
    # 1. what is learned from: pictures, and scenes that are rendered meanwhile
    first = args.seed + args.held_out
    pictures = list(pictures_with_truth(args.photographs, game))
    photographs = list(model.photographed(pictures))
    share = len(photographs) * args.weight / (len(photographs) * args.weight + args.scenes)
    fresh = -(-model.fresh * args.batch // 8)
    uses = max(1, args.steps * fresh // args.scenes)

    def batches(part: int, parts: int) -> Iterator[Batch]:
        rng = np.random.default_rng((args.seed, part))
        scenes = iter(model.rendered(range(first + part, first + args.scenes, parts)))
        supply = Supply(photographs, share, scenes, uses, rng)
        pool = Pool(lambda: model.draw(supply.pick(), rng), model.turned, _POOL, rng)
        while True:
            yield batch_of(pool.batch(args.batch, fresh))

    # 2. learning
    say(f"learning from {args.scenes} scenes and {len(photographs)} pictures")
    torch.manual_seed(args.seed)
    network, lessons = model.network(), made_by(args.processes, batches)

    def loss_of_a_batch() -> torch.Tensor:
        batch = on_device(next(lessons), args.device)
        with torch.autocast(args.device, torch.bfloat16):  # twice as fast where the processor knows it
            outputs = network(batch.planes.contiguous(memory_format=torch.channels_last)).float()
        return model.loss(outputs, batch)

    minimise(network, loss_of_a_batch, args, weight_decay=1e-3)
    # 3. how far to trust what was learned: one variation of each scene that was held out

    def held_out(part: int, parts: int) -> Iterator[Batch]:
        for seed in range(args.seed + part, first, parts):
            rng = np.random.default_rng((args.seed, seed))
            yield from (batch_of([model.draw(example, rng)]) for example in model.rendered([seed]))

    with torch.no_grad():
        judged = [model.judged(network(batch.planes), batch) for batch in made_by(args.processes, held_out)]
    kinds = [[torch.cat(parts) for parts in zip(*kind, strict=True)] for kind in zip(*judged, strict=True)]
    temperature = round(temperature_of([(logits, truth) for logits, truth in kinds]), 3)
    # 4. the model's files; the network takes grids of any size
    planes, cell_px = 3 * model.heights, model.cell_px
    rows, columns = ((n + 1) * cell_px for n in (board.grid.rows, board.grid.columns))
    write_model(
        game,
        network,
        torch.zeros(1, planes, rows, columns),
        inputs={"planes": ("1", str(planes), f"(rows + 1) * {cell_px}", f"(columns + 1) * {cell_px}")},
        of_any_size={2: "rows", 3: "columns"},
        parameters=model.parameters() | {"temperature": temperature},
        training=record_training(game, pictures, f"{args.scenes} scenes from seed {first}", args.seed),
    )
    return 0
