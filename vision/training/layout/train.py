"""Train the model that finds cards, flags and pawns on a table of cards, on rendered scenes and labelled pictures.

The identity of cards is left to the model "cards". From scratch it takes ten minutes on a graphics card with fifteen
cores that draw, and hours without; to go on from what ships, half an hour on two cores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.board import Board, shipped_board
from vision.recognition.cards.layout import CELL_PX, PLACE_UNIT, heights_mm, lying_words, standing_words
from vision.training.layout.data import LayoutExample, LayoutSample, draw, photographed, rendered, turned
from vision.training.learning import Batch, GridNet, train_planes

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


class LayoutModel:
    """The model of a table of cards; fulfils `vision.training.learning.PlaneModel`."""

    scenes, weight, held_out, fresh, cell_px = 1500, 6, 60, 2, CELL_PX

    def __init__(self, board: Board) -> None:
        self._board, self.heights = board, len(heights_mm(board))
        self._parts = (len(lying_words(board)), len(standing_words(board)), 1, PLACE)

    def rendered(self, seeds: Sequence[int]) -> Iterator[LayoutExample]:
        """Yield an example of one random scene for each seed."""
        return rendered(self._board, seeds)

    def photographed(self, pictures: Iterable[Path]) -> Iterator[LayoutExample]:
        """Read pictures that have a truth file."""
        return photographed(self._board, pictures)

    def draw(self, example: LayoutExample, rng: np.random.Generator) -> LayoutSample:
        """Return a random sample of an example."""
        return draw(example, self._board, rng)

    def turned(self, sample: LayoutSample, rng: np.random.Generator) -> LayoutSample:
        """Return a sample turned and mirrored at random."""
        return turned(sample, rng)

    def network(self) -> nn.Module:
        """Return a network for lying, standing, "visible" and place, initialised with filters for hues.

        Suits differ by the hue of thin print, which is weak in blue, green and red: without these filters a network
        learns hues last.
        """
        widths, outputs = (3 * self.heights, 24, 40, 64, 64, 64), sum(self._parts)
        network = GridNet(widths, strided=3, cell_px=CELL_PX, cell=96, mixed=96, outputs=outputs)
        weight = network.features[0].weight
        with torch.no_grad():
            by_plane = weight.unflatten(1, (-1, 3))
            weight.copy_(torch.einsum("ohcyx,cd->ohdyx", by_plane, _OPPONENT).flatten(1, 2))
        return network

    def loss(self, outputs: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Return the cross entropy of visible words, plus that of visibility and the error of the places."""
        lying, standing, seen, place = outputs.split(self._parts, dim=1)
        truth, visible = batch.truth, batch.truth.visible
        weights = torch.where(visible > _SEEN, visible, 0.0)
        # where uncovered cards are counts where that is known; FACE and BACK come first
        true_place = (truth.place / truth.place.new_tensor(PLACE_UNIT)).permute(0, 3, 1, 2)
        known = ~torch.isnan(true_place) & (truth.lying < 2)[:, None]
        off = nn.functional.smooth_l1_loss(place, true_place.nan_to_num(), reduction="none", beta=0.1)
        loss: torch.Tensor = _word_loss(lying, truth.lying, weights, _FIRST_FLAG)
        loss = loss + _word_loss(standing, truth.standing, weights, _FIRST_PAWN)
        loss = loss + 0.5 * nn.functional.binary_cross_entropy_with_logits(seen[:, 0], visible)
        return loss + _mean(off, known * weights[:, None])

    def judged(self, outputs: torch.Tensor, batch: Batch) -> Sequence[tuple[torch.Tensor, torch.Tensor]]:
        """Return the words' logits with their truth, -1 for hidden cells."""
        lying, standing, _, _ = outputs.split(self._parts, dim=1)
        pairs = ((lying, batch.truth.lying), (standing, batch.truth.standing))
        return [(logits, torch.where(batch.truth.visible > 0.5, true, -1)) for logits, true in pairs]

    def parameters(self) -> dict[str, object]:
        """Return the [network] table of model.toml without the temperature."""
        return {"lying": list(lying_words(self._board)), "standing": list(standing_words(self._board))}


def _word_loss(logits: torch.Tensor, truth: torch.Tensor, weights: torch.Tensor, first_colour: int) -> torch.Tensor:
    """Return the cross entropy of words, plus that of the colour if the true word has one, because these are few."""
    coloured, colours = truth >= first_colour, (truth - first_colour).clamp(min=0)
    of_colours = nn.functional.cross_entropy(logits[:, first_colour:], colours, reduction="none")
    of_words = nn.functional.cross_entropy(logits, truth, reduction="none")
    return _mean(of_words, weights) + _COLOUR_SHARE * _mean(of_colours, weights * coloured)


def _mean(values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    return (values * weights).sum() / weights.sum().clamp(min=1e-6)


def main(game: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    board = shipped_board(game)
    return train_planes(board, argv, LayoutModel(board), __doc__)
