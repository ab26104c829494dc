"""Train the model that finds cards, flags and pawns on a table of cards, from rendered scenes and pictures with truth.

Which card is which this network does not learn: the model "cards" is for that. Half an hour on one core.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from vision.board import Board
from vision.recognition.cards.layout import CELL_PX, PLACE_UNIT, heights_mm, lying_words, standing_words
from vision.training.command import PlaneModel, train_planes
from vision.training.layout.data import LayoutExample, LayoutSample, draw, photographed, rendered, turned
from vision.training.learning import Say, TrainingConfig, minimise
from vision.training.networks import convolution
from vision.training.pool import Pool
from vision.training.risk import best_temperature

# ---- the network


_STRIDES = 8
_PLACES = CELL_PX // _STRIDES
"""Places along a cell behind the three strided layers; the margin of half a cell is half as many."""

PLACE = 3
"""Outputs for a card's place: its middle (x, y) and its turn."""

_OPPONENT = torch.tensor([(0.6, 0.6, 0.6), (0.0, -3.0, 3.0), (3.0, -1.5, -1.5)])
"""Light, red against green, blue against yellow, each from blue, green and red."""


class LayoutNet(nn.Module):
    """Planes (n, 3 * heights, rows px, columns px) to outputs (n, lying + standing + 1 + PLACE, rows, columns).

    Fully convolutional: it knows nothing of where on the board a cell is. What the whole board looks like (its
    ground, its cards' backs, its light) reaches every cell through the average of the features.
    """

    def __init__(self, heights: int, lying: int, standing: int) -> None:
        super().__init__()
        self.parts = (lying, standing, 1, PLACE)
        self.features = nn.Sequential(
            *convolution(3 * heights, 24, 3, stride=2, padding=1),
            *convolution(24, 32, 3, stride=2, padding=1),
            *convolution(32, 48, 3, stride=2, padding=1),
            *convolution(48, 48, 3, padding=1),
            *convolution(48, 48, 3, padding=1),
        )
        self.cell = nn.Sequential(*convolution(48, 80, _PLACES + 2, stride=_PLACES))
        self.of_cell = nn.Conv2d(80, 64, 1, bias=False)
        self.of_board = nn.Conv2d(48, 64, 1, bias=False)
        self.head = nn.Sequential(
            nn.BatchNorm2d(64),
            nn.ReLU(),
            *convolution(64, 64, 3, padding=1),  # a neighbour's pawn may stand before this cell
            nn.Conv2d(64, sum(self.parts), 1),
        )
        self._see_colours()

    def _see_colours(self) -> None:
        """Begin with filters that see hues as well as light and shade.

        Suits differ by the hue of thin print, which hardly shows in blue, green and red: a network that begins with
        those alone learns the hues last.
        """
        first = self.features[0]
        with torch.no_grad():
            by_plane = first.weight.unflatten(1, (-1, 3))
            first.weight.copy_(torch.einsum("ohcyx,cd->ohdyx", by_plane, _OPPONENT).flatten(1, 2))

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Compute the outputs."""
        features = self.features(planes)
        rim = _PLACES // 2 - 1  # the window sees one place past each side of its cell
        cells = self.cell(features[:, :, rim:-rim, rim:-rim])
        average = features.mean(dim=(2, 3), keepdim=True)
        # A difference broadcasts to grids of any size in OpenCV 4.10 and 5.0; a sum and a concatenation do not.
        outputs: torch.Tensor = self.head(self.of_cell(cells) - self.of_board(average))
        return outputs


# ---- learning, and how far to trust what was learned


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


def fit_temperature(
    network: LayoutNet, held_out: Sequence[LayoutExample], board: Board, rng: np.random.Generator
) -> float:
    """Find the divisor of the logits that makes the truth of one variation of each example most probable."""
    samples = [draw(example, board, rng) for example in held_out]
    with torch.no_grad():
        outputs = torch.cat([network(torch.from_numpy(s.planes)[None]) for s in samples])
    lying, standing, _, _ = outputs.split(network.parts, dim=1)
    visible = _stacked([s.truth.visible for s in samples]) > 0.5
    pairs = [
        (logits, torch.where(visible, _stacked([getattr(s.truth, name) for s in samples]), -1))
        for logits, name in ((lying, "lying"), (standing, "standing"))
    ]

    def nll(temperature: float) -> float:
        parts = (nn.functional.cross_entropy(logits / temperature, truth, ignore_index=-1) for logits, truth in pairs)
        return float(sum(part.item() for part in parts))

    return best_temperature(nll)


# ---- the command


def main(game: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    model = PlaneModel(
        description=__doc__,
        scenes=1500,
        weight=6,
        held_out=60,
        heights=lambda board: len(heights_mm(board)),
        cell_px=lambda _board: CELL_PX,
        rendered=rendered,
        photographed=photographed,
        train=train,
        fit_temperature=fit_temperature,
        parameters=parameters,
    )
    return train_planes(game, argv, model)


def parameters(board: Board, temperature: float) -> dict[str, object]:
    """Return the [network] table of model.toml."""
    return {
        "lying": list(lying_words(board)),
        "standing": list(standing_words(board)),
        "temperature": round(temperature, 3),
    }
