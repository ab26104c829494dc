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

    return run_each(args, read, _report, annotate_cards)


def _report(cards: Sequence[LooseCard]) -> tuple[dict[str, Any], list[str]]:
    """Return the cards as JSON, and as a line for every card and one with their number."""
    read, lines = [], []
    for card in cards:
        corners_px, confidence = card.corners_px.round(1).tolist(), round(card.confidence, 4)
        read.append({"card": card.card, "confidence": confidence, "corners_px": corners_px})
        x, y = (round(side) for side in card.corners_px.mean(axis=0).tolist())
        text = _("unsure at {x}, {y}") if card.card is None else _("{card} at {x}, {y} ({percent:.1f} %)")
        name = card_name(card.card) if card.card else ""
        lines.append(text.format(card=name, x=x, y=y, percent=100 * card.confidence))
    summed = ngettext("{number} card", "{number} cards", len(cards)).format(number=len(cards))
    return {"cards": read}, [*lines, summed] if cards else [_("no cards")]
