"""What to change on a table so that it is as the game stands: square by square, as instructions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from companion.core.verdicts import PendingPlacement
from companion.locale import _
from companion.ui.names import label_name
from companion.ui.phrases import cells_words
from engines.kernel import Cell
from vision.labels import BACK, COVERED, EMPTY, Label, parse_label

Thing = Callable[[str], str]
"""Names a piece by its label with its article: "the red tee"."""

MOST_CORRECTIONS = 6
"""So many are listed; the board shows the others."""


def corrections(differences: Sequence[PendingPlacement], thing: Thing = label_name) -> list[str]:
    """Return what is wrong on the table, a sentence for each piece: it belongs elsewhere, is missing, or is too much.

    Args:
        differences: the cells that are seen otherwise than the game stands.
        thing: names a piece by its label.
    """
    missing, extra = _pieces(differences)
    moved = list(_moved(missing, extra))
    sentences = [
        *(_about(thing(label), there, here) for label, there, here in moved),
        *_should_be_empty(differences, extra),
        *(_misplaced(thing(label), cell) for cell, label in extra.elements()),
        *(_missing(thing(label), cell) for cell, label in missing.elements()),
        *_cards(differences),
    ]
    return [_capital(sentence) for sentence in _shortened(sentences)]


_Pieces = Counter[tuple[Cell, str]]
"""How many pieces of a label are on a cell."""


def _pieces(differences: Iterable[PendingPlacement]) -> tuple[_Pieces, _Pieces]:
    """Return the pieces that should be on the cells and are not, and those that are and should not be."""
    expected: _Pieces = Counter()
    observed: _Pieces = Counter()
    for difference in differences:
        expected.update((difference.cell, label) for label in _on(difference.expected))
        observed.update((difference.cell, label) for label in _on(difference.observed))
    return expected - observed, observed - expected


def _on(word: str) -> list[str]:
    """Return the pieces of a label, each as often as it is stacked; cards are no pieces."""
    label = parse_label(word)
    if label.card:
        return list(label.parts()[1:])
    return [] if label.is_empty else [str(label.single)] * label.height


def _moved(missing: _Pieces, extra: _Pieces) -> Iterator[tuple[str, Cell, Cell]]:
    """Take out of both what is only on another cell: the label, where it is, where it belongs."""
    for cell, label in list(missing.elements()):
        there = next((place for (place, other), number in extra.items() if other == label and number), None)
        if there is not None:
            extra[there, label] -= 1
            missing[cell, label] -= 1
            yield label, there, cell


def _about(thing: str, there: Cell, here: Cell) -> str:
    return _("{thing} on {there} belongs on {here}.").format(thing=thing, there=there, here=here)


def _should_be_empty(differences: Sequence[PendingPlacement], extra: _Pieces) -> Iterator[str]:
    """Take out of the pieces too much those on cells where there should be nothing, in one sentence."""
    cells = [
        d.cell for d in differences if d.expected == EMPTY and any(extra[d.cell, label] for label in _on(d.observed))
    ]
    for cell, label in list(extra):
        if cell in cells:
            extra[cell, label] = 0
    if cells:
        yield _("{cells} should be empty.").format(cells=cells_words(cells))


def _misplaced(thing: str, cell: Cell) -> str:
    return _("{thing} does not belong on {cell}.").format(thing=thing, cell=cell)


def _missing(thing: str, cell: Cell) -> str:
    return _("{thing} is missing on {cell}.").format(thing=thing, cell=cell)


def _cards(differences: Iterable[PendingPlacement]) -> Iterator[str]:
    """Return which cards have the wrong side up, or are others."""
    for difference in differences:
        expected, observed = parse_label(difference.expected), parse_label(difference.observed)
        if expected.card != observed.card and COVERED not in (expected.card, observed.card):
            yield _of_card(expected, observed).format(cell=difference.cell, card=label_name(expected.card))


def _of_card(expected: Label, observed: Label) -> str:
    if expected.card == BACK:
        return _("the card on {cell} should be face down.")
    if observed.card == BACK:
        return _("the card on {cell} should be face up.")
    return _("on {cell} there should be another card: {card}.")


def _shortened(sentences: Sequence[str]) -> list[str]:
    more = len(sentences) - MOST_CORRECTIONS
    if more <= 0:
        return list(sentences)
    return [*sentences[:MOST_CORRECTIONS], _("And {more} more.").format(more=more)]


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
