"""`companion dice`: what ordinary dice in a photograph show, anywhere, with honest doubt."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from companion.cli.parser import Subparsers, examples
from companion.cli.photographs import add_image_arguments, run_each
from companion.locale import _, ngettext

if TYPE_CHECKING:
    from vision.frame import ImageBgr
    from vision.markerless.dice import LooseDie
    from vision.observation import Blind


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "dice",
        help=_("read ordinary dice in a photograph"),
        description=_(
            "Reads ordinary dice with pips in a tray or anywhere in a picture: the top face of each, and "
            "how certain that is. A die that cannot be read is left out of the total."
        ),
        epilog=examples("companion dice throw.jpg", "companion dice --json --picture read.png throw.jpg"),
    )
    add_image_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Read every image."""
    return run_each(args, _Dice())


class _Dice:
    """Dice, for `companion.cli.photographs`."""

    def __init__(self) -> None:
        from vision.markerless.dice import DiceReader

        self._reader = DiceReader()

    def read(self, image_bgr: ImageBgr) -> Sequence[LooseDie] | Blind:
        """Read a picture."""
        return self._reader.read(image_bgr)

    def as_json(self, things: Sequence[LooseDie]) -> dict[str, Any]:
        """Return what was read as the public protocol writes it."""
        return {"dice": [_as_json(die) for die in things], "total": _total(things), "unsure": _unsure(things)}

    def lines(self, things: Sequence[LooseDie]) -> list[str]:
        """Return a line for every die, and one for their total."""
        return [*map(_line, things), _sum_line(things)] if things else [_("no dice")]

    def annotate(self, image_bgr: ImageBgr, things: Sequence[LooseDie]) -> ImageBgr:
        """Draw what was read over a picture."""
        from companion.ui.picture import annotate_dice

        return annotate_dice(image_bgr, things)


def _as_json(die: LooseDie) -> dict[str, Any]:
    centre = [round(side) for side in die.centre_px]
    return {"value": die.value, "confidence": round(die.confidence, 4), "centre_px": centre}


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
