"""Fitting the layout's network to examples, and its confidence to the truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from vision.board import Board
from vision.recognition.cards.layout import PLACE_UNIT, heights_mm, lying_words, standing_words
from vision.training.layout.data import LayoutExample, LayoutSample, draw, turned
from vision.training.layout.model import LayoutNet
from vision.training.learning import Say, TrainingConfig, minimise
from vision.training.pool import Pool
from vision.training.risk import best_temperature

_SEEN = 0.45
"""Share of a card that must be visible for the card to be read."""

_FIRST_FLAG, _FIRST_PAWN = 3, 1
"""Where the colours begin among the words of what is, and of what stands."""

_COLOUR_SHARE = 0.3
"""How much it counts which colour a flag or a pawn has, beside what all cells hold."""


_BATCH, _POOL, _FRESH = 8, 600, 2
"""Samples a batch, taken from a pool of variations of which this many are made again each step."""


def train(examples: Sequence[LayoutExample], board: Board, config: TrainingConfig, say: Say) -> LayoutNet:
    """Learn what is in the cells of a board; `say` is called with lines on the progress."""
    torch.manual_seed(config.seed)
    rng = np.random.default_rng(config.seed)
    network = LayoutNet(len(heights_mm(board)), len(lying_words(board)), len(standing_words(board)))
    pool = Pool(lambda: draw(examples[int(rng.integers(len(examples)))], board, rng), turned, _POOL, rng)
    return minimise(network, lambda: _losses(network, pool.batch(_BATCH, _FRESH)).sum(), config, say, weight_decay=1e-3)


def _losses(network: LayoutNet, samples: Sequence[LayoutSample]) -> torch.Tensor:
    """Cross entropy of what is and stands where it can be seen, of being seen at all, and error of the places."""
    planes = _stacked([s.planes for s in samples]).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):  # twice as fast where the processor knows it
        outputs = network(planes).float()
    lying, standing, seen, place = outputs.split(network.parts, dim=1)
    visible = _stacked([s.truth.visible for s in samples])
    weights = torch.where(visible > _SEEN, visible, 0.0)
    return torch.stack(
        [
            _word_loss(lying, _stacked([s.truth.lying for s in samples]), weights, _FIRST_FLAG),
            _word_loss(standing, _stacked([s.truth.standing for s in samples]), weights, _FIRST_PAWN),
            0.5 * nn.functional.binary_cross_entropy_with_logits(seen[:, 0], visible),
            _place_loss(place, samples, weights),
        ]
    )


def _word_loss(logits: torch.Tensor, truth: torch.Tensor, weights: torch.Tensor, first_colour: int) -> torch.Tensor:
    """Cross entropy of words; where one of the colours is true, also of which, for flags and pawns are few."""
    coloured = truth >= first_colour
    of_colours = nn.functional.cross_entropy(
        logits[:, first_colour:], (truth - first_colour).clamp(min=0), reduction="none"
    )
    of_words = nn.functional.cross_entropy(logits, truth, reduction="none")
    return _mean(of_words, weights) + _COLOUR_SHARE * _mean(of_colours, weights * coloured)


def _place_loss(place: torch.Tensor, samples: Sequence[LayoutSample], weights: torch.Tensor) -> torch.Tensor:
    """Error of where uncovered cards are, where that is known."""
    truth = _stacked([s.truth.place / PLACE_UNIT.astype(np.float32) for s in samples]).permute(0, 3, 1, 2)
    bare = _stacked([s.truth.lying for s in samples]) < 2  # FACE and BACK come first
    known = ~torch.isnan(truth) & bare[:, None]
    errors = nn.functional.smooth_l1_loss(place, truth.nan_to_num(), reduction="none", beta=0.1)
    return _mean(errors, known * weights[:, None])


def _mean(values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    return (values * weights).sum() / weights.sum().clamp(min=1e-6)


def _stacked(arrays: Sequence[np.ndarray[tuple[int, ...], np.dtype[np.generic]]]) -> torch.Tensor:
    return torch.from_numpy(np.stack(arrays))


def fit_temperature(network: LayoutNet, held_out: Sequence[LayoutSample]) -> float:
    """Find the divisor of the logits that makes the truth most probable (Guo et al., "On calibration", 2017)."""
    with torch.no_grad():
        outputs = torch.cat([network(torch.from_numpy(s.planes)[None]) for s in held_out])
    lying, standing, _, _ = outputs.split(network.parts, dim=1)
    visible = _stacked([s.truth.visible for s in held_out]) > 0.5
    pairs = [
        (logits, torch.where(visible, _stacked([getattr(s.truth, name) for s in held_out]), -1))
        for logits, name in ((lying, "lying"), (standing, "standing"))
    ]

    def nll(temperature: float) -> float:
        parts = (nn.functional.cross_entropy(logits / temperature, truth, ignore_index=-1) for logits, truth in pairs)
        return float(sum(part.item() for part in parts))

    return best_temperature(nll)
