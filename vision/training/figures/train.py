"""Train the model that recognises the figure on each cell, on rendered scenes and labelled pictures.

It takes an hour on two cores, mostly for rendering; --lessons keeps rendered samples for the next run.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.board import Board, shipped_board
from vision.recognition.figure_labeller import FigureFile, weigh
from vision.recognition.figure_patches import BRIGHTEST, PATCH_WH
from vision.training.figures.data import Lessons, joined, load, photographed, rendered, save
from vision.training.learning import (
    RESIDUAL,
    add_board_arguments,
    convolution,
    minimise,
    parser_of,
    say,
    write_model,
)
from vision.training.model_files import pictures_with_truth, record_training
from vision.training.risk import best_temperature

_SHRINK = 16
"""Factor by which four strided layers shrink a patch."""


def figure_network(labels: int) -> nn.Sequential:
    """Return a network from patches (n, 4, rows px, columns px) to logits (n, labels + 1); the last is "visible".

    The features after the convolutions have weights by place: a cross high above the foot is not a cross on the foot.
    """
    places = (PATCH_WH[0] // _SHRINK) * (PATCH_WH[1] // _SHRINK)
    return nn.Sequential(
        *convolution(4, 16, stride=2),
        *convolution(16, 32, stride=2),
        *convolution(32, 32),
        *convolution(32, 64, stride=2),
        *convolution(64, 64),
        *convolution(64, 80, stride=2),
        nn.Flatten(),
        nn.Dropout(0.3),
        nn.Linear(80 * places, 96),
        nn.ReLU(),
        nn.Dropout(0.2),
        nn.Linear(96, labels + 1),
    )


# ---- learning, and how far to trust what was learned


_STANDING = 3.0
"""Ratio of samples with a figure to empty cells."""


_BATCH = 48
"""Cells of a batch."""


def train(lessons: Lessons, labels: int, args: argparse.Namespace) -> nn.Module:
    """Train the network that recognises figures."""
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    network = figure_network(labels)
    odds = _odds(lessons)

    def loss_of_a_batch() -> torch.Tensor:
        picks = rng.choice(len(lessons), size=_BATCH, p=odds)
        return _loss(network, varied(_patches_of(lessons, picks)), lessons, picks)

    return minimise(network, loss_of_a_batch, args, weight_decay=2e-3)


def _odds(lessons: Lessons) -> NDArray[np.float64]:
    weights = np.where(lessons.labels > 0, _STANDING, 1.0)
    return np.asarray(weights / weights.sum())


def _patches_of(lessons: Lessons, picks: NDArray[np.int64]) -> torch.Tensor:
    """Return the network's input for some samples, float32 (n, 4, rows px, columns px)."""
    colours = torch.from_numpy(lessons.colours[picks]).float() * (BRIGHTEST / 255)
    steepness = torch.from_numpy(lessons.steepness[picks])[:, None, None, None].expand(-1, 1, *colours.shape[2:])
    return torch.cat([colours, steepness], dim=1)


def _loss(network: nn.Module, patches: torch.Tensor, lessons: Lessons, picks: NDArray[np.int64]) -> torch.Tensor:
    """Return the cross entropy of the labels of visible cells, plus that of visibility."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = network(patches.contiguous(memory_format=torch.channels_last)).float()
    labels = torch.from_numpy(lessons.labels[picks])
    visible = torch.from_numpy(lessons.visible[picks])
    weights = torch.where(visible > 0.45, visible, 0.0)
    of_labels = nn.functional.cross_entropy(logits[:, :-1], labels, reduction="none", label_smoothing=0.005)
    of_seeing = nn.functional.binary_cross_entropy_with_logits(logits[:, -1], visible)
    return (of_labels * weights).sum() / weights.sum() + 0.3 * of_seeing


def fit_temperature(network: nn.Module, held_out: Lessons, board: Board, share: Sequence[float]) -> float:
    """Return the divisor of the logits at which the truth of whole tables is most probable.

    Args:
        network: the trained network.
        held_out: all cells of several held-out tables, one table after another.
        board: the table.
        share: the share of each label in training.
    """
    alike = (held_out, replace(held_out, colours=held_out.colours[..., ::-1]))
    tables = np.arange(len(held_out)).reshape(-1, len(board.cells))
    with torch.no_grad():
        parts = [[network(_patches_of(each, table)) for table in tables] for each in alike]
    logits = torch.stack([torch.stack(part) for part in parts]).double().mean(dim=0).numpy()
    seen, labels = held_out.visible > 0.5, held_out.labels

    def nll(temperature: float) -> float:
        file = FigureFile(board.label_words, tuple(share), temperature, RESIDUAL)
        p = np.concatenate([weigh(table, file).p for table in logits])
        return float(-np.log(p[np.arange(len(p)), labels])[seen].mean())

    return best_temperature(nll)


_LIFT = 0.02


def varied(patches: torch.Tensor) -> torch.Tensor:
    """Return varied patches (n, 4, rows px, columns px); torch's own generator is the source of chance."""
    colours = _moved(patches[:, :3])
    light = (colours.square() - _LIFT).clamp(min=0)
    # blend each with its own soft copy, most of them hardly
    soft = nn.functional.avg_pool2d(nn.functional.pad(light, (1, 1, 1, 1), mode="replicate"), 3, stride=1)
    share = torch.rand(len(light), 1, 1, 1).pow(3)
    lit = _relit(light + share * (soft - light))
    noise = torch.rand(len(lit), 1, 1, 1).pow(3) * 0.06
    noisy = (lit + _LIFT).clamp(min=0).sqrt() + noise * torch.randn_like(lit)
    return torch.cat([noisy.clamp(0, BRIGHTEST), patches[:, 3:]], dim=1)


def _moved(colours: torch.Tensor) -> torch.Tensor:
    """Return patches of which half are mirrored, and all turned, stretched and shifted a little."""
    count, _, rows, columns = colours.shape
    angle, size = torch.randn(count) * 0.03, torch.exp(torch.randn(count) * 0.035)
    mirror = torch.where(torch.rand(count) < 0.5, -1.0, 1.0)
    matrix = torch.zeros(count, 2, 3)
    matrix[:, 0, 0], matrix[:, 0, 1] = mirror * size * torch.cos(angle), size * torch.sin(angle) * rows / columns
    matrix[:, 1, 0], matrix[:, 1, 1] = -mirror * size * torch.sin(angle) * columns / rows, size * torch.cos(angle)
    matrix[:, :, 2] = torch.randn(count, 2) * torch.tensor([2.6 / columns, 2.6 / rows])
    grid = nn.functional.affine_grid(matrix, list(colours.shape), align_corners=False)
    return nn.functional.grid_sample(colours, grid, padding_mode="border", align_corners=False)


def _relit(light: torch.Tensor) -> torch.Tensor:
    """Return patches with another strength, colour, contrast and evenness of the light."""
    count, _, rows, columns = light.shape
    gain = torch.exp(torch.randn(count, 3, 1, 1) * 0.1 + torch.randn(count, 1, 1, 1) * 0.2)
    mixed = torch.einsum("nij,njrc->nirc", torch.eye(3) + torch.randn(count, 3, 3) * 0.04, light)
    y, x = torch.linspace(-1, 1, rows)[:, None], torch.linspace(-1, 1, columns)[None, :]
    slope = torch.randn(count, 2, 1, 1, 1) * 0.15
    uneven = torch.exp(slope[:, 0] * x + slope[:, 1] * y)
    gamma = torch.exp(torch.randn(count, 1, 1, 1) * 0.15)
    lifted = torch.randn(count, 1, 1, 1).abs() * 0.03 * (torch.rand(count, 1, 1, 1) < 0.4)
    return (mixed.clamp(min=1e-4) * gain * uneven).pow(gamma) + lifted


# ---- the command


_SEED_OF_HELD_OUT = 1_000_000


def main(game: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    parser = parser_of(game, __doc__, steps=4000, rate=2e-3)
    add_board_arguments(parser, scenes=1500, weight=4, held_out=90)
    parser.add_argument("--lessons", type=Path, metavar="FOLDER", help="keep what was rendered there, or load it")
    args = parser.parse_args(argv)
    board = shipped_board(game)
    lessons, held_out = _rendered(board, args)
    pictures = list(pictures_with_truth(args.photographs, game))
    lessons = joined([lessons, *(list(photographed(board, pictures)) * args.weight)])
    say(f"learning from {len(lessons)} cells")
    labels = board.label_words
    network = train(lessons, len(labels), args)
    # how often the network was shown each label
    share = np.bincount(lessons.labels, weights=_odds(lessons), minlength=len(labels)).tolist()
    temperature = fit_temperature(network, held_out, board, share)
    write_model(
        game,
        network,
        torch.zeros(len(board.cells), 4, *PATCH_WH[::-1]),
        inputs={"patches": ("cells", "4", *(str(side) for side in PATCH_WH[::-1]))},
        of_any_size={0: "cells"},
        parameters={
            "labels": list(labels),
            "share": [round(part, 4) for part in share],
            "temperature": round(temperature, 3),
            "residual": RESIDUAL,
        },
        training=record_training(game, pictures, f"{args.scenes} scenes from seed {args.seed}", args.seed),
    )
    return 0


def _rendered(board: Board, args: argparse.Namespace) -> tuple[Lessons, Lessons]:
    """Return rendered samples to train on and to hold out, or those that an earlier run has kept."""
    kept = [] if args.lessons is None else sorted(args.lessons.glob("*.npz"))
    if kept:
        return joined(load(path) for path in kept[1:]), load(kept[0])
    say(f"rendering {args.scenes + args.held_out} scenes")
    held_out = joined(rendered(board, range(_SEED_OF_HELD_OUT, _SEED_OF_HELD_OUT + args.held_out)))
    lessons = joined(rendered(board, range(args.seed, args.seed + args.scenes)))
    if args.lessons is not None:
        args.lessons.mkdir(parents=True, exist_ok=True)
        save(held_out, args.lessons / "held-out.npz")
        save(lessons, args.lessons / "lessons.npz")
    return lessons, held_out
