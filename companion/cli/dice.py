"""`companion dice`: what ordinary dice in a photograph show, anywhere, with honest doubt."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from companion.cli.photographs import run_each
from companion.locale import _, ngettext
from companion.ui.picture import annotate_dice
from vision.markerless.dice import DiceReader, LooseDie


def run(args: argparse.Namespace) -> int:
    """Read every image."""
    return run_each(args, DiceReader().read, _report, annotate_dice)


def _report(dice: Sequence[LooseDie]) -> tuple[dict[str, Any], list[str]]:
    """Return the dice as JSON, and as a line for every die and one with the total of those that can be read."""
    read, lines = [], []
    for die in dice:
        x, y = (round(side) for side in die.centre_px)
        read.append({"value": die.value, "confidence": round(die.confidence, 4), "centre_px": [x, y]})
        text = _("unsure at {x}, {y}") if die.value is None else _("{value} at {x}, {y} ({percent:.1f} %)")
        lines.append(text.format(value=die.value, x=x, y=y, percent=100 * die.confidence))
    total, unsure = sum(die.value or 0 for die in dice), sum(die.value is None for die in dice)
    reported = len(dice) - unsure
    sums = ngettext("{dice} die, total {total}", "{dice} dice, total {total}", reported)
    sums = sums.format(dice=reported, total=total)
    doubt = ngettext("{number} die that cannot be read", "{number} dice that cannot be read", unsure)
    sums = f"{sums}; {doubt.format(number=unsure)}" if unsure else sums
    return {"dice": read, "total": total, "unsure": unsure}, [*lines, sums] if dice else [_("no dice")]
