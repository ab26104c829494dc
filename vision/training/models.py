"""The models as declarations: of each the network, what it learns from, its loss, and how far to trust it.

`KINDS` has the command of each kind of model, which reads its arguments, declares the model and trains it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.board import Board, shipped_board
from vision.localization import planes
from vision.markerless.dice_network import ALL_ROUND, PATCH_PX, STRIDE, UPRIGHT, views
from vision.recognition.cards.layout import CELL_PX, PLACE_UNIT, lying_words, standing_words
from vision.recognition.cards.recogniser import joined
from vision.recognition.cards.words import CARD_PX, CARDS, RANKS, SUITS
from vision.recognition.figure_labeller import FigureFile, weigh
from vision.recognition.figure_patches import BRIGHTEST, PATCH_WH
from vision.shipped_network import describe
from vision.training import cards, figures
from vision.training.data import CellData, CellTruth, LayoutData, PlaneData, Pool, Sample, Supply, TruthT
from vision.training.dice import data as dice
from vision.training.dice.picture import DicePicture
from vision.training.figures import Lessons
from vision.training.learning import (
    Batch,
    GridNet,
    Model,
    Residual,
    batch_of,
    convolution,
    convolutions,
    made_by,
    parser_of,
    say,
    temperature_of,
    train,
)
from vision.training.model_files import pictures_with_truth, write_model_file
from vision.training.risk import best_temperature

RESIDUAL = 0.001
"""Probability of errors that a network cannot know of, an upper limit of certainty."""

cross_entropy = nn.functional.cross_entropy
seen_entropy = nn.functional.binary_cross_entropy_with_logits

Judged = Sequence[tuple[torch.Tensor, torch.Tensor]]
"""Logits with their truth, -1 for none."""

# ---- boards that are read from planes at some heights

_POOL = 600
"""Samples of the pool from which batches are taken."""


def _train_planes(
    data: PlaneData[TruthT],
    args: argparse.Namespace,
    *,
    network: Callable[[], nn.Module],
    loss: Callable[[torch.Tensor, Batch], torch.Tensor],
    judged: Callable[[torch.Tensor, Batch], Judged],
    parameters: Mapping[str, object],
    fresh: int,
) -> int:
    """Train a model that reads all cells of a board at once.

    Args:
        data: what it learns from.
        args: of the command, with those of `_board_parser`.
        network, loss, parameters: see `Model`.
        judged: returns logits of the outputs on a batch with their truth.
        fresh: the number of new samples among eight.
    """
    board, game = data.board, data.board.game
    first = args.seed + args.held_out
    pictures = list(pictures_with_truth(args.photographs, game))
    photographs = list(data.photographed(pictures))
    share = len(photographs) * args.weight / (len(photographs) * args.weight + args.scenes)
    new = -(-fresh * args.batch // 8)
    uses = max(1, args.steps * new // args.scenes)

    def batches(part: int, parts: int) -> Iterator[Batch]:
        rng = np.random.default_rng((args.seed, part))
        scenes = data.rendered(range(first + part, first + args.scenes, parts))
        supply = Supply(photographs, share, scenes, uses, rng)
        pool = Pool(lambda: data.draw(supply.pick(), rng), data.turned, _POOL, rng)
        while True:
            yield batch_of(pool.batch(args.batch, new))

    def held_out(part: int, parts: int) -> Iterator[Batch]:
        """Yield one variation of each scene that was held out."""
        for seed in range(args.seed + part, first, parts):
            rng = np.random.default_rng((args.seed, seed))
            yield from (batch_of([data.draw(example, rng)]) for example in data.rendered([seed]))

    def temperature(network: nn.Module) -> float:
        pairs = [judged(network(batch.planes), batch) for batch in made_by(args.processes, held_out)]
        kinds = [zip(*kind, strict=True) for kind in zip(*pairs, strict=True)]
        return temperature_of([(torch.cat(logits), torch.cat(truth)) for logits, truth in kinds])

    say(f"learning from {args.scenes} scenes and {len(photographs)} pictures")
    planes, cell_px = 3 * len(data.heights_mm), data.cell_px
    model = Model(
        name=game,
        network=network,
        batches=batches,
        loss=loss,
        temperature=temperature,
        input="planes",
        example=torch.zeros(1, planes, (board.grid.rows + 1) * cell_px, (board.grid.columns + 1) * cell_px),
        free={2: f"(rows + 1) * {cell_px}", 3: f"(columns + 1) * {cell_px}"},
        parameters=parameters,
        rendered=f"{args.scenes} scenes from seed {first}",
        pictures=pictures,
    )
    return train(model, args)


def _board_parser(
    game: str, description: str | None, *, steps: int, rate: float, scenes: int, weight: int, held_out: int
) -> argparse.ArgumentParser:
    """Return the parser for a board's model, which has the number of rendered scenes, and labelled pictures, too."""
    parser = parser_of(game, description, steps=steps, rate=rate)
    parser.add_argument("--scenes", type=int, default=scenes, help="scenes to render")
    parser.add_argument("--held-out", type=int, default=held_out, help="scenes that only the temperature is fitted on")
    parser.add_argument("--photographs", type=Path, help="a folder of pictures with truth, as in tests/recorded")
    parser.add_argument("--weight", type=int, default=weight, help="how often a photograph counts as a scene does")
    parser.add_argument("--batch", type=int, default=8, help="samples of a batch")
    return parser


# ---- cells


def train_cells(game: str, argv: Sequence[str]) -> int:
    """Train the model that labels every cell of a board, on rendered scenes and labelled pictures.

    6000 steps take ten minutes on one core, and rendering longer.
    """
    parser = _board_parser(game, train_cells.__doc__, steps=6000, rate=3e-3, scenes=1000, weight=8, held_out=40)
    args = parser.parse_args(argv)
    board = shipped_board(game)
    data, labels = CellData(board), board.label_words
    # tall pieces hide their neighbours, and their cells have fewer pixels: more channels cost as much as more pixels
    wide, mixed = (48, 96) if data.cell_px == planes.CELL_PX else (32, 64)
    widths, outputs = (3 * len(data.heights_mm), 16, wide, wide, wide), len(labels) + 1  # the last one is "visible"
    return _train_planes(
        data,
        args,
        network=lambda: GridNet(widths, strided=2, cell_px=data.cell_px, cell=mixed, mixed=mixed, outputs=outputs),
        loss=lambda outputs, batch: _label_loss(outputs, batch.truth, seen_weight=0.5),
        judged=lambda outputs, batch: [_visible_only(outputs[:, :-1], batch.truth.labels, batch)],
        parameters={"labels": list(labels), "heights": data.heights, "cell_px": data.cell_px, "residual": RESIDUAL},
        fresh=1,
    )


def _visible_only(logits: torch.Tensor, truth: torch.Tensor, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Return logits with their truth, -1 for hidden cells."""
    return logits, torch.where(batch.truth.visible > 0.5, truth, -1)


def _label_loss(outputs: torch.Tensor, truth: Batch, *, seen_weight: float, smoothing: float = 0.0) -> torch.Tensor:
    """Return the cross entropy of the labels of visible cells, plus that of visibility, the last output."""
    weights = torch.where(truth.visible > 0.45, truth.visible, 0.0)
    of_labels = cross_entropy(outputs[:, :-1], truth.labels, reduction="none", label_smoothing=smoothing)
    of_seeing = seen_entropy(outputs[:, -1], truth.visible)
    return (of_labels * weights).sum() / weights.sum() + seen_weight * of_seeing


# ---- tables of cards

PLACE = 3
"""Number of outputs for a card's place: its middle (x, y) and its rotation."""

_OPPONENT = torch.tensor([(0.6, 0.6, 0.6), (0.0, -3.0, 3.0), (3.0, -1.5, -1.5)])
"""Opponent colours (light, red-green, blue-yellow) from blue, green and red."""

_SEEN = 0.45
"""Least visible share of a card that is read."""

_FIRST_FLAG, _FIRST_PAWN = 3, 1
"""Index of the first colour among the words of what lies, and of what stands."""

_COLOUR_SHARE = 0.3
"""Weight of the loss of a flag's or pawn's colour."""


def _layout_parts(board: Board) -> tuple[int, ...]:
    """Return the number of outputs for what lies, what stands, "visible", and the place."""
    return len(lying_words(board)), len(standing_words(board)), 1, PLACE


def layout_network(data: LayoutData) -> nn.Module:
    """Return a network for lying, standing, "visible" and place, initialised with filters for hues.

    Suits differ by the hue of thin print, which is weak in blue, green and red: without these filters a network learns
    hues last.
    """
    widths, outputs = (3 * len(data.heights_mm), 24, 40, 64, 64, 64), sum(_layout_parts(data.board))
    network = GridNet(widths, strided=3, cell_px=CELL_PX, cell=96, mixed=96, outputs=outputs)
    weight = network.features[0].weight
    with torch.no_grad():
        by_plane = weight.unflatten(1, (-1, 3))
        weight.copy_(torch.einsum("ohcyx,cd->ohdyx", by_plane, _OPPONENT).flatten(1, 2))
    return network


def train_layout(game: str, argv: Sequence[str]) -> int:
    """Train the model that finds cards, flags and pawns on a table of cards, on rendered scenes and labelled pictures.

    The identity of cards is left to the model "cards". From scratch it takes ten minutes on a graphics card with
    fifteen cores that draw, and hours without; to go on from what ships, half an hour on two cores.
    """
    parser = _board_parser(game, train_layout.__doc__, steps=6000, rate=3e-3, scenes=1500, weight=6, held_out=60)
    args = parser.parse_args(argv)
    board = shipped_board(game)
    data, parts = LayoutData(board), _layout_parts(board)

    def loss(outputs: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Return the cross entropy of visible words, plus that of visibility and the error of the places."""
        lying, standing, seen, place = outputs.split(parts, dim=1)
        truth, visible = batch.truth, batch.truth.visible
        weights = torch.where(visible > _SEEN, visible, 0.0)
        # where uncovered cards are counts where that is known; FACE and BACK come first
        true_place = (truth.place / truth.place.new_tensor(PLACE_UNIT)).permute(0, 3, 1, 2)
        known = ~torch.isnan(true_place) & (truth.lying < 2)[:, None]
        off = nn.functional.smooth_l1_loss(place, true_place.nan_to_num(), reduction="none", beta=0.1)
        of_words = _word_loss(lying, truth.lying, weights, _FIRST_FLAG)
        of_words = of_words + _word_loss(standing, truth.standing, weights, _FIRST_PAWN)
        return of_words + 0.5 * seen_entropy(seen[:, 0], visible) + _mean(off, known * weights[:, None])

    def judged(outputs: torch.Tensor, batch: Batch) -> Judged:
        lying, standing, _, _ = outputs.split(parts, dim=1)
        pairs = ((lying, batch.truth.lying), (standing, batch.truth.standing))
        return [_visible_only(logits, true, batch) for logits, true in pairs]

    parameters = {"lying": list(lying_words(board)), "standing": list(standing_words(board))}
    return _train_planes(
        data, args, network=lambda: layout_network(data), loss=loss, judged=judged, parameters=parameters, fresh=2
    )


def _word_loss(logits: torch.Tensor, truth: torch.Tensor, weights: torch.Tensor, first_colour: int) -> torch.Tensor:
    """Return the cross entropy of words, plus that of the colour if the true word has one, because these are few."""
    coloured, colours = truth >= first_colour, (truth - first_colour).clamp(min=0)
    of_colours = cross_entropy(logits[:, first_colour:], colours, reduction="none")
    of_words = cross_entropy(logits, truth, reduction="none")
    return _mean(of_words, weights) + _COLOUR_SHARE * _mean(of_colours, weights * coloured)


def _mean(values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    return (values * weights).sum() / weights.sum().clamp(min=1e-6)


# ---- figures

_SHRINK = 16
"""Factor by which four strided layers shrink a patch."""

_STANDING = 3.0
"""Ratio of samples with a figure to empty cells."""

_CELLS_AT_ONCE = 48
"""Cells of a batch."""

_SEED_OF_HELD_OUT = 1_000_000


def figure_network(labels: int) -> nn.Sequential:
    """Return a network from patches (n, 4, rows px, columns px) to logits (n, labels + 1); the last is "visible".

    The features after the convolutions have weights by place: a cross high above the foot is not a cross on the foot.
    """
    places = (PATCH_WH[0] // _SHRINK) * (PATCH_WH[1] // _SHRINK)
    return nn.Sequential(
        *convolutions((4, 16, 32, 32, 64, 64, 80), strides=(2, 2, 1, 2, 1, 2)),
        nn.Flatten(),
        nn.Dropout(0.3),
        nn.Linear(80 * places, 96),
        nn.ReLU(),
        nn.Dropout(0.2),
        nn.Linear(96, labels + 1),
    )


def train_figures(game: str, argv: Sequence[str]) -> int:
    """Train the model that recognises the figure on each cell, on rendered scenes and labelled pictures.

    It takes an hour on two cores, mostly for rendering.
    """
    parser = _board_parser(game, train_figures.__doc__, steps=4000, rate=2e-3, scenes=1500, weight=4, held_out=90)
    args = parser.parse_args(argv)
    board = shipped_board(game)
    data, labels = figures.FigureData(board), board.label_words
    # 1. what is learned from
    say(f"rendering {args.scenes + args.held_out} scenes")
    held_out, rendered = (
        figures.joined(map(data.cut, data.rendered(range(first, first + number))))
        for first, number in ((_SEED_OF_HELD_OUT, args.held_out), (args.seed, args.scenes))
    )
    pictures = list(pictures_with_truth(args.photographs, game))
    lessons = figures.joined([rendered, *(list(map(data.cut, data.photographed(pictures))) * args.weight)])
    say(f"learning from {len(lessons)} cells")
    odds = np.where(lessons.labels > 0, _STANDING, 1.0)
    odds /= odds.sum()
    # 2. how often the network was shown each label
    share = np.bincount(lessons.labels, weights=odds, minlength=len(labels)).tolist()

    def batches(part: int, _parts: int) -> Iterator[Batch]:
        rng = np.random.default_rng(args.seed + part)
        while True:
            picks = rng.choice(len(lessons), size=_CELLS_AT_ONCE, p=odds)
            truth = CellTruth(*(torch.from_numpy(a[picks]) for a in (lessons.labels, lessons.visible)))
            yield Sample(varied(_patches_of(lessons, picks)), truth)

    model = Model(
        name=game,
        network=lambda: figure_network(len(labels)),
        batches=batches,
        loss=lambda outputs, batch: _label_loss(outputs, batch.truth, seen_weight=0.3, smoothing=0.005),
        weight_decay=2e-3,
        temperature=lambda network: _figure_temperature(network, held_out, board, share),
        input="patches",
        example=torch.zeros(len(board.cells), 4, *PATCH_WH[::-1]),
        free={0: "cells"},
        parameters={"labels": list(labels), "share": [round(part, 4) for part in share], "residual": RESIDUAL},
        rendered=f"{args.scenes} scenes from seed {args.seed}",
        pictures=pictures,
    )
    return train(model, args)


def _patches_of(lessons: Lessons, picks: NDArray[np.int64]) -> torch.Tensor:
    """Return the network's input for some samples, float32 (n, 4, rows px, columns px)."""
    colours = torch.from_numpy(lessons.colours[picks]).float() * (BRIGHTEST / 255)
    steepness = torch.from_numpy(lessons.steepness[picks])[:, None, None, None].expand(-1, 1, *colours.shape[2:])
    return torch.cat([colours, steepness], dim=1)


def _figure_temperature(network: nn.Module, held_out: Lessons, board: Board, share: Sequence[float]) -> float:
    """Return the divisor of the logits at which the truth of whole tables is most probable.

    `held_out` has all cells of several tables, one table after another; `share` is that of each label in training.
    """
    alike = (held_out, replace(held_out, colours=held_out.colours[..., ::-1]))
    tables = np.arange(len(held_out)).reshape(-1, len(board.cells))
    parts = [[network(_patches_of(each, table)) for table in tables] for each in alike]
    logits = torch.stack([torch.stack(part) for part in parts]).double().mean(dim=0).numpy()
    seen, labels = held_out.visible > 0.5, held_out.labels

    def nll(temperature: float) -> float:
        file = FigureFile(labels=board.label_words, share=tuple(share), temperature=temperature, residual=RESIDUAL)
        p = np.concatenate([weigh(table, file).p for table in logits])
        return float(-np.log(p[np.arange(len(p)), labels])[seen].mean())

    return best_temperature(nll)


_LIFT = 0.02


def varied(patches: torch.Tensor) -> torch.Tensor:
    """Return varied patches (n, 4, rows px, columns px); torch's own generator is the source of chance."""
    count, _, rows, columns = patches.shape
    # 1. Mirror half of them, and turn, stretch and shift all a little.
    angle, size = torch.randn(count) * 0.03, torch.exp(torch.randn(count) * 0.035)
    mirror = torch.where(torch.rand(count) < 0.5, -1.0, 1.0)
    matrix = torch.zeros(count, 2, 3)
    matrix[:, 0, 0], matrix[:, 0, 1] = mirror * size * torch.cos(angle), size * torch.sin(angle) * rows / columns
    matrix[:, 1, 0], matrix[:, 1, 1] = -mirror * size * torch.sin(angle) * columns / rows, size * torch.cos(angle)
    matrix[:, :, 2] = torch.randn(count, 2) * torch.tensor([2.6 / columns, 2.6 / rows])
    grid = nn.functional.affine_grid(matrix, [count, 3, rows, columns], align_corners=False)
    colours = nn.functional.grid_sample(patches[:, :3], grid, padding_mode="border", align_corners=False)
    # 2. Blend each with its own soft copy, most of them hardly.
    light = (colours.square() - _LIFT).clamp(min=0)
    soft = nn.functional.avg_pool2d(nn.functional.pad(light, (1, 1, 1, 1), mode="replicate"), 3, stride=1)
    light = light + torch.rand(count, 1, 1, 1).pow(3) * (soft - light)
    # 3. Another strength, colour, contrast and evenness of the light.
    gain = torch.exp(torch.randn(count, 3, 1, 1) * 0.1 + torch.randn(count, 1, 1, 1) * 0.2)
    mixed = torch.einsum("nij,njrc->nirc", torch.eye(3) + torch.randn(count, 3, 3) * 0.04, light)
    y, x = torch.linspace(-1, 1, rows)[:, None], torch.linspace(-1, 1, columns)[None, :]
    slope = torch.randn(count, 2, 1, 1, 1) * 0.15
    uneven = torch.exp(slope[:, 0] * x + slope[:, 1] * y)
    gamma = torch.exp(torch.randn(count, 1, 1, 1) * 0.15)
    lifted = torch.randn(count, 1, 1, 1).abs() * 0.03 * (torch.rand(count, 1, 1, 1) < 0.4)
    lit = (mixed.clamp(min=1e-4) * gain * uneven).pow(gamma) + lifted
    # 4. Noise.
    noise = torch.rand(len(lit), 1, 1, 1).pow(3) * 0.06
    noisy = (lit + _LIFT).clamp(min=0).sqrt() + noise * torch.randn_like(lit)
    return torch.cat([noisy.clamp(0, BRIGHTEST), patches[:, 3:]], dim=1)


# ---- playing cards

SIDES = 3
"""Face, back, no card: the first outputs. The ranks follow, then the suits."""

_CARD_RESIDUAL = 0.0005

_SHORT_NUMBERS = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
"""Whether to use 16-bit floats, which are faster on these processors and ten times slower on others."""

_CARDS_AT_ONCE, _CARD_POOL, _FRESH_CARDS, _ON_A_TABLE = 40, 4000, 14, 28
"""Samples of a batch, of the pool, new ones for each step, and those that are cut out of a table on average."""


def card_network() -> nn.Sequential:
    """Return a network from pictures (n, 3, 192, 144) to logits (n, 3 sides + 13 ranks + 4 suits).

    Rank and suit are separate outputs: what hides a card's rank may not hide its suit.
    """
    places = (CARD_PX[0] // 32 + 1) * (CARD_PX[1] // 32)
    return nn.Sequential(
        *convolutions((3, 12, 24, 48, 48, 72, 72, 40), strides=(2, 2, 2, 1, 2, 1, 2)),
        nn.Flatten(),
        nn.Linear(40 * places, 80),
        nn.ReLU(),
        nn.Dropout(0.1),
        nn.Linear(80, SIDES + len(RANKS) + len(SUITS)),
    )


def train_cards(name: str, argv: Sequence[str]) -> int:
    """Train the model that recognises playing cards, on cards of random decks and cards cropped from rendered tables.

    It takes about an hour on one core. With OpenCV 5, --fonts adds TrueType fonts for the decks' indices.
    """
    parser = parser_of(name, train_cards.__doc__, steps=4000, rate=4e-3)
    parser.add_argument("--tables", type=int, default=300, help="pictures of whole tables to render, 4 s each")
    parser.add_argument("--held-out", type=int, default=1200, help="cards that only the temperature is fitted on")
    parser.add_argument("--fonts", type=Path, nargs="*", default=[], metavar="FILE.ttf", help="fonts for the corners")
    args = parser.parse_args(argv)
    torch.set_num_threads(1)
    fonts = tuple(args.fonts)
    uses = max(1, round(args.steps * _FRESH_CARDS * cards.CUT / (args.tables * _ON_A_TABLE)))

    def batches(part: int, parts: int) -> Iterator[Batch]:
        rng = np.random.default_rng((args.seed, part))
        tables = cards.rendered(range(args.seed + part, args.seed + args.tables, parts), fonts)
        cut, dealer = Supply((), 0.0, tables, uses, rng), cards.Dealer(rng, fonts)
        pool = Pool(lambda: cut.pick() if rng.random() < cards.CUT else dealer.deal(), cards.turned, _CARD_POOL, rng)
        while True:
            yield batch_of(pool.batch(_CARDS_AT_ONCE, _FRESH_CARDS))

    def temperature(network: nn.Module) -> float:
        stranger = cards.Dealer(np.random.default_rng(args.seed + 1), fonts)
        held_out = [stranger.deal() for _ in range(args.held_out)]
        logits = np.array([network(torch.from_numpy(one.planes[None]))[0].numpy() for one in held_out], np.float64)
        truth = (np.arange(len(held_out)), [one.truth for one in held_out])
        right = (joined(logits, 0.0).argmax(axis=1) == truth[1]).mean()
        say(f"of {args.held_out} cards of other decks {right:.2%} are right")
        return best_temperature(lambda t: float(-np.log(joined(logits / t, _CARD_RESIDUAL)[truth]).mean()))

    model = Model(
        name=name,
        network=card_network,
        batches=batches,
        loss=_card_loss,
        weight_decay=2e-3,
        half=args.device != "cpu" or _SHORT_NUMBERS,
        temperature=temperature,
        input="cards",
        example=torch.zeros(2, 3, *CARD_PX[::-1]),
        free={0: "n"},
        parameters={"residual": _CARD_RESIDUAL},
        rendered=f"drawn decks, {args.tables} tables from seed {args.seed}",
    )
    return train(model, args)


def _card_loss(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Return the cross entropy of the side, and of rank and suit if a face is shown."""
    words = batch.truth
    sides, ranks, suits = logits.split((SIDES, len(RANKS), len(SUITS)), dim=1)
    faces = words < len(CARDS)
    loss: torch.Tensor = cross_entropy(sides, (words - len(CARDS) + 1).clamp(min=0))
    for part, true in ((ranks, words // len(SUITS)), (suits, words % len(SUITS))):
        loss = loss + cross_entropy(part, torch.where(faces, true, -1), ignore_index=-1)
    return loss


# ---- dice

OTHERS = 0.12
"""Share of pictures without dice in the training of the places."""

_MORE = 2
"""New pictures at each step, against overfitting; one for the second network, whose steps take longer."""

_MOST = 12_000
"""Largest number of pictures that are kept, in about 1.5 GB."""

_PICTURES_AT_ONCE, _FACES_AT_ONCE = 12, 96
"""Batch sizes of the first and of the second network."""

_DICE_RESIDUAL = 0.002
"""Probability of an error that the networks do not see: no die of any picture is more certain than that."""


def places_network() -> nn.Sequential:
    """Return a network from pictures (n, 3, rows px, columns px) to maps (n, 5, rows / STRIDE, columns / STRIDE).

    The maps are the logits of nothing and of a top face, the offset of its middle (x, y), and its size, as in
    `dice.data.targets`. It is fully convolutional with a receptive field of 200 px, four times the largest face, so
    that it can distinguish the top face from the sides.
    """
    maps = nn.Conv2d(64, 5, 1)
    with torch.no_grad():
        maps.bias.copy_(torch.tensor([4.0, 0, 0, 0, 0]))  # most places have nothing
    return nn.Sequential(
        *convolutions((3, 16, 32, 32, 64), strides=(2, 2, 1, 2)),
        *(Residual(64, dilation) for dilation in (1, 2, 4, 1, 2, 1)),
        nn.Conv2d(64, 64, 1),
        nn.ReLU(),
        maps,
    )


def values_network() -> nn.Sequential:
    """Return a network from patches (n, 3, PATCH_PX, PATCH_PX) to (n, CLASSES + 3).

    They are the logits of the face, and its offset. There is no pooling over the patch, since places in it matter.
    """
    return nn.Sequential(
        *convolutions((3, 16, 32, 32, 64, 64), strides=(1, 2, 1, 2, 1)),
        Residual(64),
        *convolutions((64, 96, 96), strides=(2, 1)),
        Residual(96),
        *convolution(96, 24, 1, padding=0),
        nn.Flatten(),
        nn.Linear(24 * (PATCH_PX // STRIDE) ** 2, 96),
        nn.ReLU(),
        nn.Linear(96, dice.CLASSES + 3),
    )


def train_dice(name: str, argv: Sequence[str]) -> int:
    """Train one of the two networks that read loose dice, on pictures rendered during training.

    "dice-places" detects top faces of dice, "dice-values" reads a single face and refines its place. The second is
    trained also on false detections of the first, which must be trained before. `dice-values --presence` then only fits
    the probability that a die is there from both. --others adds pictures without dice. Each takes an hour on one core.
    """
    parser = parser_of(name, train_dice.__doc__, steps=4000, rate=3e-3)
    parser.add_argument("--held-out", type=int, default=200, help="pictures that only the temperature is fitted on")
    parser.add_argument("--first", type=int, default=400, help="pictures drawn before the first step")
    parser.add_argument("--presence", action="store_true", help="fit only the weights of both networks together")
    parser.add_argument("--pictures", type=int, default=100, help="for --presence: pictures to look at")
    parser.add_argument("--others", type=Path, metavar="FOLDER", help="pictures in which there are no dice")
    args = parser.parse_args(argv)
    torch.set_num_threads(1)
    if args.presence:
        file = describe(name)
        seeds = range(args.seed, args.seed + args.pictures)
        presence = dice.fit_presence(dice.drawn(seeds, dice.ANY_FACES_PX, dice.WIDE_PX))
        write_model_file(msgspec.structs.replace(file, network=file.network | {"presence": presence}))
        return 0
    rng = np.random.default_rng(args.seed)
    others = [] if args.others is None else list(dice.without_dice(args.others, args.steps // 5, rng))
    return train((_values_model if name.endswith("values") else _places_model)(name, others, args), args)


def _places_model(name: str, others: Sequence[DicePicture], args: argparse.Namespace) -> Model:
    first, rng = args.seed + args.held_out, np.random.default_rng(args.seed)
    pictures = dice.drawn(range(args.seed, first), dice.PLACES_PX)
    held_out = [dice.sample_of(dice.varied(picture, rng)) for picture in pictures]

    def batches(part: int, parts: int) -> Iterator[Batch]:
        """Yield batches of varied pictures, each used often because rendering one costs as much as a step."""
        pictures, rng = dice.drawn(count(first + part, parts), dice.PLACES_PX), np.random.default_rng(args.seed + part)
        pool = list(islice(pictures, args.first))
        while True:
            pool += islice(pictures, _MORE if len(pool) < _MOST else 0)
            picks = [others if others and rng.random() < OTHERS else pool for _ in range(_PICTURES_AT_ONCE)]
            shown = [dice.varied(pick[int(rng.integers(len(pick)))], rng) for pick in picks]
            yield batch_of([dice.sample_of(picture) for picture in shown])

    def loss(maps: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Return the cross entropy of top faces, plus the errors of their offset and size."""
        is_die = batch.truth.classes > dice.NOTHING
        truth = torch.where(is_die, 1, batch.truth.classes)
        entropy = cross_entropy(maps[:, :2], truth, ignore_index=dice.IGNORED, reduction="none")
        number = is_die.sum() + len(maps)
        offset = nn.functional.smooth_l1_loss(maps[:, 2:], batch.truth.shape, reduction="none", beta=0.1).sum(dim=1)
        return (entropy.sum() + (offset * is_die).sum()) / number

    def temperature(network: nn.Module) -> float:
        """Fit it to the logits of all places in pictures, and whether there is a top face."""
        batch = batch_of(held_out)
        counts = batch.truth.classes != dice.IGNORED
        logits = network(batch.planes)[:, :2].permute(0, 2, 3, 1)[counts]
        return _say_and_fit(logits, (batch.truth.classes[counts] > dice.NOTHING).long())

    return Model(
        name=name,
        network=places_network,
        batches=batches,
        loss=loss,
        half=False,
        temperature=temperature,
        input="picture",
        example=torch.zeros(1, 3, dice.SIDE_PX, dice.SIDE_PX),
        free={2: "height", 3: "width"},
        parameters={},
        rendered=f"dice drawn from seed {args.seed}",
    )


def _values_model(name: str, others: Sequence[DicePicture], args: argparse.Namespace) -> Model:
    first = args.seed + args.held_out
    held_out = list(dice.drawn(range(args.seed, first), dice.VALUES_PX))

    def batches(part: int, parts: int) -> Iterator[Batch]:
        pictures, rng = dice.drawn(count(first + part, parts), dice.VALUES_PX), np.random.default_rng(args.seed + part)
        pool = [*islice(pictures, args.first), *others]
        spots = list(dice.spots_of(pool))
        while True:
            more = list(islice(pictures, 1 if len(pool) < _MOST else 0))
            spots += dice.spots_of(more, first=len(pool))
            pool += more
            yield batch_of(dice.random_patches(pool, spots, _FACES_AT_ONCE, rng))

    def loss(output: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Return the cross entropy of the values, plus the error of the places."""
        entropy, offset = cross_entropy(output[:, : dice.CLASSES], batch.truth.classes), output[:, dice.CLASSES :]
        wrong = nn.functional.smooth_l1_loss(offset, batch.truth.shape, reduction="none", beta=0.05).sum(dim=1)
        return entropy + (wrong * (batch.truth.classes != dice.NOTHING)).mean()

    def temperature(network: nn.Module) -> float:
        """Fit it to the logits of all spots, computed as by the reader."""
        rng = np.random.default_rng(0)
        spots, logits = list(dice.spots_of(held_out)), []
        for spot in spots:
            offset = np.array(spot.centre_px) + rng.normal(0, 0.03, 2) * spot.size_px
            size_px = spot.size_px * float(np.exp(rng.normal(0, 0.06)))
            picture = held_out[spot.picture]
            patches = views(picture.image_bgr, offset, size_px, ALL_ROUND if picture.steep else UPRIGHT)
            logits.append(network(torch.from_numpy(dice.planes_of(patches)))[:, : dice.CLASSES].mean(dim=0))
        return _say_and_fit(torch.stack(logits), torch.tensor([spot.truth for spot in spots]))

    return Model(
        name=name,
        network=values_network,
        batches=batches,
        loss=loss,
        half=False,
        temperature=temperature,
        input="picture",
        example=torch.zeros(1, 3, PATCH_PX, PATCH_PX),
        free={0: "n"},
        parameters={**describe(name).network, "residual": _DICE_RESIDUAL},
        rendered=f"dice drawn from seed {args.seed}",
    )


def _say_and_fit(logits: torch.Tensor, truth: torch.Tensor) -> float:
    """Return the divisor of the logits that makes the truth most probable, and say which share is right."""
    say(f"held out: {float((logits.argmax(dim=1) == truth).float().mean()):.2%} right")
    return temperature_of([(logits, truth)])


KINDS: Mapping[str, Callable[[str, Sequence[str]], int]] = {
    "cells": train_cells,
    "layout": train_layout,
    "figures": train_figures,
    "cards": train_cards,
    "dice": train_dice,
}
"""The command of each kind of model, from the model's name and its arguments to the exit code."""
