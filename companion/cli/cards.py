"""`companion cards`: which playing cards are in a photograph, anywhere, with honest doubt."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from companion.cli.photographs import run_each
from companion.locale import _, ngettext
from companion.ui.names import card_name
from companion.ui.picture import annotate_cards
from vision.frame import ImageBgr
from vision.localization.locate import ScaledImage
from vision.markerless.cards import CardReader, LooseCard
from vision.observation import Blind, BlindReason
from vision.recognition.refusal import is_dark


def run(args: argparse.Namespace) -> int:
    """Read every image."""
    reader = CardReader()

    def read(image_bgr: ImageBgr) -> Sequence[LooseCard] | Blind:
        dark = Blind(BlindReason.DARK) if is_dark(ScaledImage(image_bgr).gray) else ()
        return reader.read(image_bgr) or dark

    return run_each(args, read, _as_json, _lines, annotate_cards)


def _as_json(cards: Sequence[LooseCard]) -> dict[str, Any]:
    read = [
        {"card": card.card, "confidence": round(card.confidence, 4), "corners_px": card.corners_px.round(1).tolist()}
        for card in cards
    ]
    return {"cards": read}


def _lines(cards: Sequence[LooseCard]) -> list[str]:
    """Return a line for every card, and one with their number."""
    lines = []
    for card in cards:
        x, y = (round(side) for side in card.corners_px.mean(axis=0).tolist())
        text = _("unsure at {x}, {y}") if card.card is None else _("{card} at {x}, {y} ({percent:.1f} %)")
        name = card_name(card.card) if card.card else ""
        lines.append(text.format(card=name, x=x, y=y, percent=100 * card.confidence))
    summed = ngettext("{number} card", "{number} cards", len(cards)).format(number=len(cards))
    return [*lines, summed] if cards else [_("no cards")]
