"""Fitting a network to lessons, and its confidence to the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import nn

_REPORT_STEPS = 100
_STEEPEST = 5.0
"""Gradients longer than this are shortened: one odd batch is not to undo what was learned."""

Network = TypeVar("Network", bound=nn.Module)
Say = Callable[[str], None]
Weights = Mapping[str, torch.Tensor]


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How long and how fast to learn.

    Attributes:
        steps: number of batches; 0 if kept networks are only to be joined and measured.
        seed: of all chance.
        peak_rate: the highest rate of learning.
        start: weights to go on from, if not from the beginning; of several the mean.
        keep: where to keep what was learned, now and then and at the end.
    """

    steps: int
    seed: int
    peak_rate: float
    start: Sequence[Path] = ()
    keep: Path | None = None


def minimise(
    network: Network,
    loss_of_a_batch: Callable[[], torch.Tensor],
    config: TrainingConfig,
    say: Say,
    *,
    weight_decay: float,
) -> Network:
    """Make the loss small by AdamW under a one-cycle schedule, and give the network ready to be asked.

    Args:
        network: to learn; changed in place.
        loss_of_a_batch: makes the next batch and gives the network's loss on it, a scalar.
        config: how long and how fast.
        say: is called with lines on the progress.
        weight_decay: AdamW's.
    """
    network.to(memory_format=torch.channels_last)  # twice as fast on a processor
    if config.start:
        network.load_state_dict(mean_of([torch.load(path) for path in config.start]))
    if config.steps:
        _descend(network, loss_of_a_batch, config, say, weight_decay)
    network.eval()
    return network


def mean_of(weights: Sequence[Weights]) -> Weights:
    """Return the mean of several runs' weights by name, which are often better than each.

    Only runs that went on from the same weights lie near enough to one another: Wortsman et al., "Model soups" (2022).
    """
    return {
        name: torch.stack([run[name].double() for run in weights]).mean(dim=0).to(like.dtype)
        for name, like in weights[0].items()
    }


def _descend(
    network: nn.Module,
    loss_of_a_batch: Callable[[], torch.Tensor],
    config: TrainingConfig,
    say: Say,
    weight_decay: float,
) -> None:
    optimiser = torch.optim.AdamW(network.parameters(), lr=config.peak_rate, weight_decay=weight_decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, config.peak_rate, total_steps=config.steps, pct_start=0.1)
    heard = []
    for step in range(1, config.steps + 1):
        loss = loss_of_a_batch()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), _STEEPEST)
        optimiser.step()
        schedule.step()
        heard.append(loss.item())
        if step % _REPORT_STEPS == 0 or step == config.steps:
            say(f"step {step} of {config.steps}: loss {np.mean(heard):.4f}")
            heard.clear()
            if config.keep is not None:
                torch.save(network.state_dict(), config.keep)
