"""The bar of 100 mm on every page, to be measured with a ruler before anything is cut."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.kit import Item, Line, Words
from companion.locale import _
from companion.printing.text import SCALE_PT

CHECK_MM = 100.0


def check_bar(left: float, top: float) -> Iterator[Item]:
    """Draw a bar of exactly 100 mm, with a sentence below that says what it is for."""
    yield from _bar(left, top + 1.5, 1.5)
    sentence = _("100 mm: measure it. If it is shorter, print at 100 %, not fitted to the page.")
    yield Words((left, top + 3.4, CHECK_MM, 4.2), sentence, SCALE_PT["small"], "soft")


def check_line(left: float, middle: float) -> Iterator[Item]:
    """Draw the same bar where there is little room, its sentence beside it."""
    yield from _bar(left, middle, 1.2)
    sentence = _("100 mm: measure it; print at 100 %")
    yield Words((left + CHECK_MM + 2.0, middle - 2.0, 70.0, 4.0), sentence, SCALE_PT["small"], "soft", "left")


def _bar(left: float, middle: float, reach: float) -> Iterator[Line]:
    yield Line((left, middle), (left + CHECK_MM, middle), "ink", 0.3)
    for k in range(11):
        tick = reach if k % 10 == 0 else 0.5 * reach
        yield Line((left + 10 * k, middle - tick), (left + 10 * k, middle + tick), "ink", 0.3)
