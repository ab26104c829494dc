"""Train the model that recognises playing cards, on cards of random decks and cards cropped from rendered tables.

It takes about an hour on one core. With OpenCV 5, --fonts adds TrueType fonts for the decks' indices.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.geometry import Floats
from vision.recognition.cards.recogniser import joined
from vision.recognition.cards.words import CARD_PX, CARDS, RANKS, SUITS, WORDS
from vision.training.cards.data import CUT, CardSample, Dealer, rendered, turned
from vision.training.data import Pool, Supply
from vision.training.learning import (
    Batch,
    batch_of,
    convolution,
    made_by,
    minimise,
    on_device,
    parser_of,
    say,
    write_model,
)
from vision.training.model_files import record_training
from vision.training.risk import best_temperature

SIDES = 3
"""Face, back, no card: the first outputs. The ranks follow, then the suits."""


def card_network() -> nn.Sequential:
    """Return a network from pictures (n, 3, 192, 144) to logits (n, 3 sides + 13 ranks + 4 suits).

    Rank and suit are separate outputs: what hides a card's rank may not hide its suit.
    """
    places = (CARD_PX[0] // 32 + 1) * (CARD_PX[1] // 32)
    return nn.Sequential(
        *convolution(3, 12, stride=2),
        *convolution(12, 24, stride=2),
        *convolution(24, 48, stride=2),
        *convolution(48, 48),
        *convolution(48, 72, stride=2),
        *convolution(72, 72),
        *convolution(72, 40, stride=2),
        nn.Flatten(),
        nn.Linear(40 * places, 80),
        nn.ReLU(),
        nn.Dropout(0.1),
        nn.Linear(80, SIDES + len(RANKS) + len(SUITS)),
    )


RESIDUAL = 0.0005
"""Probability of errors that the network cannot know of, an upper limit of certainty."""


_SHORT_NUMBERS = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
"""Whether to use 16-bit floats, which are faster on these processors and ten times slower on others."""


_BATCH, _POOL, _FRESH, _ON_A_TABLE = 40, 4000, 14, 28
"""Samples of a batch, of the pool, new ones for each step, and those that are cut out of a table on average."""


def train(args: argparse.Namespace) -> nn.Module:
    """Train the network that recognises cards."""
    torch.manual_seed(args.seed)
    network, fonts = card_network(), tuple(args.fonts)
    uses = max(1, round(args.steps * _FRESH * CUT / (args.tables * _ON_A_TABLE)))

    def batches(part: int, parts: int) -> Iterator[Batch]:
        rng = np.random.default_rng((args.seed, part))
        tables = rendered(range(args.seed + part, args.seed + args.tables, parts), fonts)
        cut, dealer = Supply((), 0.0, tables, uses, rng), Dealer(rng, fonts)
        pool = Pool(lambda: cut.pick() if rng.random() < CUT else dealer.deal(), turned, _POOL, rng)
        while True:
            yield batch_of(pool.batch(_BATCH, _FRESH))

    lessons = made_by(args.processes, batches)
    return minimise(network, lambda: _loss(network, on_device(next(lessons), args.device)), args, weight_decay=2e-3)


def _loss(network: nn.Module, batch: Batch) -> torch.Tensor:
    """Return the cross entropy of the side, and of rank and suit if a face is shown."""
    device, words = batch.picture.device.type, batch.word
    with torch.autocast(device, torch.bfloat16, enabled=device != "cpu" or _SHORT_NUMBERS):
        logits = network(batch.picture.contiguous(memory_format=torch.channels_last)).float()
    sides, ranks, suits = logits.split((SIDES, len(RANKS), len(SUITS)), dim=1)
    faces = words < len(CARDS)
    cross_entropy = nn.functional.cross_entropy
    loss: torch.Tensor = cross_entropy(sides, (words - len(CARDS) + 1).clamp(min=0))
    for logits, true in ((ranks, words // len(SUITS)), (suits, words % len(SUITS))):
        loss = loss + cross_entropy(logits, torch.where(faces, true, -1), ignore_index=-1)
    return loss


def logits_of(network: nn.Module, lessons: Sequence[CardSample]) -> tuple[Floats, Floats]:
    """Return the logits of samples, float64 (n, 20), and their true words as one-hot rows, float64 (n, 54)."""
    with torch.no_grad():
        parts = [network(torch.from_numpy(lesson.picture[None]))[0].numpy() for lesson in lessons]
    return np.array(parts, np.float64), np.eye(len(WORDS))[[lesson.word for lesson in lessons]]


def fit_temperature(logits: Floats, truth: Floats) -> float:
    """Return the divisor of the logits at which the truth is most probable (Guo et al., "On calibration", 2017)."""
    return best_temperature(lambda t: float(-np.log((joined(logits / t, RESIDUAL).p * truth).sum(axis=1)).mean()))


def main(model: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    parser = parser_of(model, __doc__, steps=4000, rate=4e-3)
    parser.add_argument("--tables", type=int, default=300, help="pictures of whole tables to render, 4 s each")
    parser.add_argument("--held-out", type=int, default=1200, help="cards that only the temperature is fitted on")
    parser.add_argument("--fonts", type=Path, nargs="*", default=[], metavar="FILE.ttf", help="fonts for the corners")
    args = parser.parse_args(argv)
    torch.set_num_threads(1)
    network = train(args)
    stranger = Dealer(np.random.default_rng(args.seed + 1), tuple(args.fonts))
    logits, truth = logits_of(network, [stranger.deal() for _ in range(args.held_out)])
    temperature = fit_temperature(logits, truth)
    right = (joined(logits, 0.0).p.argmax(axis=1) == truth.argmax(axis=1)).mean()
    say(f"of {args.held_out} cards of other decks {right:.2%} are right")
    write_model(
        model,
        network,
        torch.zeros(2, 3, *CARD_PX[::-1]),
        inputs={"cards": ("n", "3", *(str(side) for side in CARD_PX[::-1]))},
        of_any_size={0: "n"},
        parameters={"temperature": round(temperature, 3), "residual": RESIDUAL},
        training=record_training(model, (), f"drawn decks, {args.tables} tables from seed {args.seed}", args.seed),
    )
    return 0
