"""`companion cards`: which playing cards are in a photograph, anywhere, with honest doubt."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from companion.cli.parser import Subparsers, examples
from companion.cli.photographs import add_image_arguments, run_each
from companion.locale import _, ngettext

if TYPE_CHECKING:
    from vision.frame import ImageBgr
    from vision.markerless.cards import LooseCard
    from vision.observation import Blind


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "cards",
        help=_("read playing cards in a photograph"),
        description=_(
            "Reads single playing cards anywhere in a picture, face up or face down, without markers: which "
            "card each one is, and how certain that is."
        ),
        epilog=examples("companion cards hand.jpg", "companion cards --json --picture read.png hand.jpg"),
    )
    add_image_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Read every image."""
    return run_each(args, _Cards())


class _Cards:
    """Playing cards, for `companion.cli.photographs`."""

    def __init__(self) -> None:
        from vision.markerless.cards import CardReader

        self._reader = CardReader()

    def read(self, image_bgr: ImageBgr) -> Sequence[LooseCard] | Blind:
        """Read a picture."""
        return self._reader.read(image_bgr)

    def as_json(self, things: Sequence[LooseCard]) -> dict[str, Any]:
        """Return what was read as the public protocol writes it."""
        return {"cards": [_as_json(card) for card in things]}

    def lines(self, things: Sequence[LooseCard]) -> list[str]:
        """Return a line for every card, and how many cards there are."""
        if not things:
            return [_("no cards")]
        summed = ngettext("{number} card", "{number} cards", len(things)).format(number=len(things))
        return [*map(_line, things), summed]

    def annotate(self, image_bgr: ImageBgr, things: Sequence[LooseCard]) -> ImageBgr:
        """Draw what was read over a picture."""
        from companion.ui.picture import annotate_cards

        return annotate_cards(image_bgr, things)


def _as_json(card: LooseCard) -> dict[str, Any]:
    corners = card.corners_px.round(1).tolist()
    return {"card": card.card, "confidence": round(card.confidence, 4), "corners_px": corners}


def _line(card: LooseCard) -> str:
    from companion.ui.names import card_name

    x, y = (round(side) for side in card.corners_px.mean(axis=0).tolist())
    if card.card is None:
        return _("unsure at {x}, {y}").format(x=x, y=y)
    text = _("{card} at {x}, {y} ({percent:.1f} %)")
    return text.format(card=card_name(card.card), x=x, y=y, percent=100 * card.confidence)
