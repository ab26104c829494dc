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
    return {"dice": read, "total": _total(dice), "unsure": _unsure(dice)}


def _lines(dice: Sequence[LooseDie]) -> list[str]:
    return [*map(_line, dice), _sum_line(dice)] if dice else [_("no dice")]


def _line(die: LooseDie) -> str:
    x, y = (round(side) for side in die.centre_px)
    if die.value is None:
        return _("unsure at {x}, {y}").format(x=x, y=y)
    text = _("{value} at {x}, {y} ({percent:.1f} %)")
    return text.format(value=die.value, x=x, y=y, percent=100 * die.confidence)


def _sum_line(dice: Sequence[LooseDie]) -> str:
    reported = len(dice) - _unsure(dice)
    summed = ngettext("{dice} die, total {total}", "{dice} dice, total {total}", reported)
    line = summed.format(dice=reported, total=_total(dice))
    if not _unsure(dice):
        return line
    doubt = ngettext("{number} die that cannot be read", "{number} dice that cannot be read", _unsure(dice))
    return f"{line}; {doubt.format(number=_unsure(dice))}"


def _total(dice: Sequence[LooseDie]) -> int:
    """Add up the dice that can be read."""
    return sum(die.value or 0 for die in dice)


def _unsure(dice: Sequence[LooseDie]) -> int:
    return sum(die.value is None for die in dice)
