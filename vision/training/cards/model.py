"""The network that recognises what a picture of one card shows."""

from __future__ import annotations

import torch
from torch import nn

from vision.recognition.cards.words import CARD_PX, RANKS, SUITS
from vision.training.networks import convolution

SIDES = 3
"""Face, back, no card: the first outputs. The ranks follow, then the suits."""


class CardNet(nn.Module):
    """Pictures (n, 3, 192, 144) to logits (n, 3 sides + 13 ranks + 4 suits).

    Rank and suit are distinguished from one another: the one who hides a card's numbers does not hide its suit.
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            *convolution(3, 12, 3, stride=2, padding=1),
            *convolution(12, 24, 3, stride=2, padding=1),
            *convolution(24, 48, 3, stride=2, padding=1),
            *convolution(48, 48, 3, padding=1),
            *convolution(48, 72, 3, stride=2, padding=1),
            *convolution(72, 72, 3, padding=1),
            *convolution(72, 40, 3, stride=2, padding=1),
        )
        places = (CARD_PX[0] // 32 + 1) * (CARD_PX[1] // 32)
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Linear(40 * places, 80),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(80, SIDES + len(RANKS) + len(SUITS)),
        )

    def forward(self, cards: torch.Tensor) -> torch.Tensor:
        """Compute the logits."""
        logits: torch.Tensor = self.head(self.features(cards))
        return logits
