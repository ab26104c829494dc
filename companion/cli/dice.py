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
    return run_each(args, DiceReader().read, _as_json, _lines, annotate_dice)


def _as_json(dice: Sequence[LooseDie]) -> dict[str, Any]:
    read = [
        {"value": die.value, "confidence": round(die.confidence, 4), "centre_px": [*map(round, die.centre_px)]}
        for die in dice
    ]
    total, unsure = _count(dice)
    return {"dice": read, "total": total, "unsure": unsure}


def _lines(dice: Sequence[LooseDie]) -> list[str]:
    """Return a line for every die, and one with the total."""
    if not dice:
        return [_("no dice")]
    lines = []
    for die in dice:
        x, y = (round(side) for side in die.centre_px)
        text = _("unsure at {x}, {y}") if die.value is None else _("{value} at {x}, {y} ({percent:.1f} %)")
        lines.append(text.format(value=die.value, x=x, y=y, percent=100 * die.confidence))
    total, unsure = _count(dice)
    reported = len(dice) - unsure
    line = ngettext("{dice} die, total {total}", "{dice} dice, total {total}", reported).format(
        dice=reported, total=total
    )
    doubt = ngettext("{number} die that cannot be read", "{number} dice that cannot be read", unsure)
    return [*lines, f"{line}; {doubt.format(number=unsure)}" if unsure else line]


def _count(dice: Sequence[LooseDie]) -> tuple[int, int]:
    """Return the total of the dice that can be read, and the number of the others."""
    return sum(die.value or 0 for die in dice), sum(die.value is None for die in dice)
