"""Player aids: the turn on a card for everybody at the table, with a small map of what is needed."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.kit import Drawing, Item, Kit, Line, Rectangle, Sheet, Symbol, Words
from companion.locale import _
from companion.printing.text import SCALE_PT

_SIZE_MM = (92.0, 118.0)
_COPIES = 4
_EDGE_MM = 8.0


def aid_sheet(kit: Kit) -> Sheet:
    """Return the aids of a game, one for each of four players."""
    return Sheet("aid", _("Player aids"), (aid(kit),) * _COPIES)


def aid(kit: Kit) -> Drawing:
    """Draw a card with the game's name and the turn in numbered sentences."""
    width, height = _SIZE_MM
    return Drawing(width, height, tuple(_items(kit, width, height)))


def _items(kit: Kit, width: float, height: float) -> Iterator[Item]:
    yield Rectangle((0, 0, width, height), fill="white")
    yield Rectangle((2.5, 2.5, width - 5, height - 5), line="hairline", corner_mm=2.5)
    inner = width - 2 * _EDGE_MM
    yield Words((_EDGE_MM, 6, inner, 9), kit.title, SCALE_PT["heading"], "ink", "centre", "bold")
    yield from _rule(width, 18.0)
    top, bottom = 22.0, height - 7.0
    step = (bottom - top) / len(kit.turn)
    for number, sentence in enumerate(kit.turn, 1):
        y = top + (number - 1) * step
        yield Words((_EDGE_MM, y, 6.0, step), str(number), SCALE_PT["heading"], "accent", "left", "bold")
        yield Words((_EDGE_MM + 7, y, inner - 7, step - 0.8), sentence, SCALE_PT["text"], "ink", "left")


def _rule(width: float, y: float) -> Iterator[Item]:
    """A line with a rosette in its middle."""
    half = width / 2
    yield Line((_EDGE_MM, y), (half - 4, y), "hairline")
    yield Line((half + 4, y), (width - _EDGE_MM, y), "hairline")
    yield Symbol("rosette", (half, y), 5.0, ("accent-2", "accent", "white"))
