"""Measures readings of loose dice: values, doubt, dice overlooked and dice invented.

The truth is a file truth.json beside the pictures: for each picture's name its dice, each with `value` (null where its
top face bears no pips or too little of it is seen), `centre_px` and `size_px`, the top face's width and height.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from tests.evaluate.figures import Figure, Report
from tests.evaluate.truth import listed
from vision.image_file import load_image
from vision.markerless.dice import DiceReader, LooseDie

COLUMNS = (
    Figure("pictures", "pictures", "same"),
    Figure("dice", "dice", "same"),
    Figure("right", "values right", "more", form="{:.2%}"),
    Figure("wrong", "wrong", "less"),
    Figure("unsure", "unsure", "less", slack=0.005, form="{:.2%}"),  # other releases of OpenCV round otherwise
    Figure("overlooked", "overlooked", "less"),
    Figure("unreadable_read", "unreadable, yet read", "less"),
    Figure("invented", "invented", "less"),
    Figure("invented_doubt", "invented, unsure", "less"),
    Figure("milliseconds", "ms a megapixel", "less", slack=1e9),  # to be read; the clock of a shared machine is noisy
)


class TrueDie(msgspec.Struct, frozen=True):
    """One die of a truth file."""

    value: int | None
    centre_px: tuple[float, float]
    size_px: tuple[float, float]


def evaluate(folder: Path, *, timed: bool) -> Report:
    """Read every picture of dice in a folder and the folders in it; a row for each folder.

    Raises:
        UnusableTruthError: a truth file is not as expected.
    """
    truths = listed(folder, list[TrueDie], lambda dice: isinstance(dice, list) and all("value" in die for die in dice))
    figures = {path.parent.name: _figures(path.parent, truth, timed=timed) for path, truth in truths}
    return Report("dice", COLUMNS, figures)


def _figures(folder: Path, truth: dict[str, list[TrueDie]], *, timed: bool) -> dict[str, float]:
    reader = DiceReader()
    counted: Counter[str] = Counter()
    seconds = megapixels = 0.0
    for name, dice in truth.items():
        image_bgr = load_image(folder / name)
        start = time.perf_counter()
        expected = reader.read(image_bgr)
        seconds += time.perf_counter() - start
        megapixels += image_bgr.shape[0] * image_bgr.shape[1] / 1e6
        counted += judged(dice, expected if isinstance(expected, tuple) else ())
    names = ("wrong", "overlooked", "unreadable_read", "invented", "invented_doubt")
    found: dict[str, float] = {name: counted[name] for name in names}
    found |= {"pictures": len(truth), "dice": counted["dice"]}
    found |= {name: counted[name] / max(counted["dice"], 1) for name in ("right", "unsure")}
    return found | ({"milliseconds": 1000 * seconds / megapixels} if timed else {})


def judged(dice: Sequence[TrueDie], expected: Sequence[LooseDie]) -> Counter[str]:
    """Count what became of the dice of one picture: readable ones, unreadable ones, and places that are no dice."""
    left = list(expected)
    counted: Counter[str] = Counter()
    for die in dice:
        found = min(left, key=lambda one: _apart(die, one), default=None)
        if found is not None and _apart(die, found) < 0.5 * max(die.size_px):
            left.remove(found)
        else:
            found = None
        counted.update(_fate(die, found))
    counted.update("invented" if one.value is not None else "invented_doubt" for one in left)
    return counted


def _apart(die: TrueDie, expected: LooseDie) -> float:
    return float(np.hypot(*np.subtract(die.centre_px, expected.centre_px)))


def _fate(die: TrueDie, expected: LooseDie | None) -> list[str]:
    if die.value is None:
        return ["unreadable_read"] if expected is not None and expected.value is not None else []
    if expected is None:
        return ["dice", "overlooked"]
    if expected.value is None:
        return ["dice", "unsure"]
    return ["dice", "right" if expected.value == die.value else "wrong"]
