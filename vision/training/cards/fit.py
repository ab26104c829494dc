"""Fitting the network to lessons, and its confidence to the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn

from vision.geometry import Floats
from vision.recognition.cards.recogniser import joined
from vision.recognition.cards.words import CARDS, RANKS, SUITS, WORDS
from vision.training.cards.data import CardSample, turned
from vision.training.cards.model import SIDES, CardNet
from vision.training.learning import Say, TrainingConfig, minimise
from vision.training.pool import Pool
from vision.training.risk import best_temperature

RESIDUAL = 0.0005
"""Probability of an error that the network does not see: no card of any picture is more certain than that."""


_SHORT_NUMBERS = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
"""Numbers of 16 bits are faster on these processors, and ten times slower on others."""


_BATCH, _POOL, _FRESH = 40, 4000, 14
"""Lessons a batch, taken from a pool of lessons of which this many are made again each step."""


def train(deal: Callable[[], CardSample], config: TrainingConfig, say: Say) -> CardNet:
    """Train the network that recognises cards; `say` is called with lines on the progress."""
    torch.manual_seed(config.seed)
    network = CardNet()
    pool = Pool(deal, turned, _POOL, np.random.default_rng(config.seed))
    return minimise(network, lambda: _loss(network, pool.batch(_BATCH, _FRESH)), config, say, weight_decay=2e-3)


def _loss(network: CardNet, lessons: Sequence[CardSample]) -> torch.Tensor:
    """Cross entropy of the side, and of rank and suit where a face is shown."""
    pictures = torch.from_numpy(np.stack([lesson.picture for lesson in lessons]))
    words = np.array([lesson.word for lesson in lessons])
    with torch.autocast("cpu", torch.bfloat16, enabled=_SHORT_NUMBERS):
        logits = network(pictures.contiguous(memory_format=torch.channels_last)).float()
    sides, ranks, suits = logits.split((SIDES, len(RANKS), len(SUITS)), dim=1)
    faces = words < len(CARDS)
    of_side = torch.from_numpy(np.maximum(words - len(CARDS) + 1, 0))
    of_rank = torch.from_numpy(np.where(faces, words // len(SUITS), -1))
    of_suit = torch.from_numpy(np.where(faces, words % len(SUITS), -1))
    cross_entropy = nn.functional.cross_entropy
    loss: torch.Tensor = cross_entropy(sides, of_side)
    return loss + cross_entropy(ranks, of_rank, ignore_index=-1) + cross_entropy(suits, of_suit, ignore_index=-1)


def logits_of(network: CardNet, lessons: Sequence[CardSample]) -> tuple[Floats, Floats]:
    """Compute logits float64 (n, 20) of lessons, and which words are true, float64 (n, 54)."""
    with torch.no_grad():
        parts = [network(torch.from_numpy(lesson.picture[None]))[0].numpy() for lesson in lessons]
    return np.array(parts, np.float64), np.eye(len(WORDS))[[lesson.word for lesson in lessons]]


def fit_temperature(logits: Floats, truth: Floats) -> float:
    """Find the divisor of the logits that makes the truth most probable (Guo et al., "On calibration", 2017)."""
    return best_temperature(lambda t: float(-np.log((joined(logits / t, RESIDUAL).p * truth).sum(axis=1)).mean()))
