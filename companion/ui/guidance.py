"""The board out of step with the game, and its set-up, square by square: what is there and what should be there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from companion.core.verdicts import LayoutRead, PendingPlacement
from companion.core.view import View
from companion.locale import _
from companion.ui.phrases import MOST_CELLS, cells_list
from vision.labels import EMPTY

__all__ = ["guidance"]

MOST = 5
"""This many differences are named; the board marks all of them."""

Thing = Callable[[str], str]
"""Returns what a piece is called by its label: "the red tee"."""


def guidance(view: View, thing: Thing) -> tuple[str, ...]:
    """Return what has to be corrected on the table so that it agrees with the game; empty if it agrees."""
    if view.layout is not None:
        return (_("Lay out what you have shuffled; I read what is where."), *_of_layout(view.layout, thing))
    if not view.out_of_step:
        return ()
    sentences = list(_sentences(view.out_of_step, thing))
    shown = sentences[:MOST]
    if more := len(sentences) - len(shown):
        shown.append(_("And {more} more.").format(more=more))
    return (_heading(view), *shown)


def _of_layout(layout: LayoutRead, thing: Thing) -> Iterator[str]:
    """Return what is not laid out yet, what lies twice, and what each doubtful cell is taken for."""
    if layout.bare:
        few = len(layout.bare) <= MOST_CELLS
        sentence = _("Nothing is on {cells} yet.") if few else _("Nothing is on {number} spaces yet.")
        yield sentence.format(cells=cells_list(layout.bare), number=len(layout.bare))
    for label, cells in layout.doubled.items():
        named = thing(label)
        sentence = _("{thing} is there twice: on {cells}.")
        yield sentence.format(thing=named[:1].upper() + named[1:], cells=cells_list(cells))
    if len(layout.doubt) <= MOST:
        for cell in layout.doubt:
            yield _("{cell}: is that {thing}?").format(cell=cell, thing=thing(layout.labels[cell]))
    if layout.bare and len(layout.missing) <= MOST:
        yield _("Not seen yet: {things}.").format(things=", ".join(map(thing, layout.missing)))


def _heading(view: View) -> str:
    if view.setting_up:
        return _("Set up the table for the start of the game:")
    if view.resumed:
        return _("The table is not as the game was left:")
    return _("The table does not agree with the game:")


def _sentences(differences: Sequence[PendingPlacement], thing: Thing) -> Iterator[str]:
    misplaced = list(_misplaced(differences))
    named = {cell for pair in misplaced for cell in (pair[0].cell, pair[1].cell)}
    for wrong, right in misplaced:
        sentence = _("{cell}: {thing} belongs on {other}.")
        yield sentence.format(thing=thing(wrong.observed), cell=wrong.cell, other=right.cell)
    rest = [difference for difference in differences if difference.cell not in named]
    yield from _empty(rest)
    for difference in rest:
        if difference.expected != EMPTY:
            yield _missing(difference, thing)


def _misplaced(differences: Sequence[PendingPlacement]) -> Iterator[tuple[PendingPlacement, PendingPlacement]]:
    """Return the pieces seen on cells where none belongs, each with the cell where such a piece is missing."""
    missing = [item for item in differences if item.observed == EMPTY]
    for wrong in differences:
        if wrong.expected != EMPTY:
            continue
        right = next((item for item in missing if item.expected == wrong.observed), None)
        if right is not None:
            missing.remove(right)
            yield wrong, right


def _empty(rest: Sequence[PendingPlacement]) -> Iterator[str]:
    cells = [difference.cell for difference in rest if difference.expected == EMPTY]
    if cells:
        sentence = _("{cells} should be empty.")
        yield sentence.format(cells=cells_list(cells))


def _missing(difference: PendingPlacement, thing: Thing) -> str:
    sentence = _("{cell}: {thing} is missing.")
    if difference.observed != EMPTY:
        sentence = _("{cell}: put {thing} there instead of {other}.")
    other = "" if difference.observed == EMPTY else thing(difference.observed)
    return sentence.format(thing=thing(difference.expected), cell=difference.cell, other=other)
