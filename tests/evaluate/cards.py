"""Measures readings of loose cards: cards read, read wrongly, left in doubt, overlooked and invented.

The truth is a file truth.json beside the pictures: for each picture's name the one card that lies in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.evaluate.figures import Figure, Report
from tests.evaluate.truth import listed
from vision.image_file import load_image
from vision.markerless.cards import CardReader, LooseCard
from vision.recognition.cards.words import WORDS

COLUMNS = (
    Figure("pictures", "pictures", "same"),
    Figure("right", "cards right", "more", form="{:.2%}"),
    Figure("wrong", "wrong", "less"),
    Figure("unsure", "unsure", "less", form="{:.2%}"),
    Figure("overlooked", "overlooked", "less"),
    Figure("invented", "invented", "less"),
)


def evaluate(folder: Path, *, timed: bool) -> Report:
    """Read every picture of one card in a folder and the folders in it; a row for each folder."""
    del timed  # nothing here depends on the clock
    truths = listed(folder, str, lambda card: isinstance(card, str) and card in WORDS)
    return Report("cards", COLUMNS, {path.parent.name: _figures(path.parent, truth) for path, truth in truths})


def _figures(folder: Path, truth: dict[str, str]) -> dict[str, float]:
    reader = CardReader()
    counted: Counter[str] = Counter()
    for name, card in truth.items():
        counted += judged(card, reader.read(load_image(folder / name)))
    shares = {name: counted[name] / len(truth) for name in ("right", "unsure")}
    return {"pictures": len(truth), **{name: counted[name] for name in ("wrong", "overlooked", "invented")}, **shares}


def judged(truth: str, expected: Sequence[LooseCard]) -> Counter[str]:
    """Count what was read in a picture with one card."""
    if not expected:
        return Counter(overlooked=1)
    words = [card.card for card in expected]
    sure = [word for word in words if word is not None]
    return Counter(
        right=int(truth in sure),
        wrong=sum(word != truth for word in sure),
        unsure=int(not sure),
        invented=len(expected) - 1,
    )
