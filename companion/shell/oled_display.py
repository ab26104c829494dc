"""A small display as one more place for views: its leaves follow one another from a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeAlias

from PIL.Image import Image

from companion.core.messages import Event
from companion.core.verdicts import Confirmed
from companion.games.captions import advice_words, count_words, dice_words, page_for
from companion.shell.effects import Background, ShownView
from companion.shell.frame_reader import DeviceHealth
from companion.ui.oled import Leaf, draw, leaves, leaves_of
from vision.board import Board

OpenDots: TypeAlias = Callable[[], "Dots"]
OpenLeaves: TypeAlias = Callable[[Callable[[Event], None]], AbstractContextManager["Leaves"]]
"""Opens what shows leaves, and reports to a function when that fails and works again."""

LEAF_S = 3.0
"""How long a leaf stands before the next one."""


class Dots(Protocol):
    """What pictures of dots are shown on."""

    def show(self, image: Image) -> None:
        """Show a picture; raises `OSError` if that does not work."""
        ...

    def close(self) -> None:
        """Put all dots out."""
        ...


class Leaves(Protocol):
    """What leaves are shown on."""

    def show(self, leaves: Sequence[Leaf]) -> None:
        """Show leaves instead of the last ones, from the first one; must return at once."""
        ...


class LeafTurner(Background):
    """Shows leaves one after the other on a display, from a thread of its own: a slow bus holds nobody up.

    Args:
        open_dots: opens the display; one that fails is opened again with the next leaf.
        report: takes events when it fails and when it works again; must return at once.
        leaf_s: how long a leaf stands.
    """

    def __init__(self, open_dots: OpenDots, report: Callable[[Event], None], leaf_s: float = LEAF_S) -> None:
        self._open_dots, self._leaf_s = open_dots, leaf_s
        self._dots: Dots | None = None
        self._health = DeviceHealth("display", report)
        self._leaves: Sequence[Leaf] = ()
        self._place = 0
        super().__init__("display")

    def show(self, leaves: Sequence[Leaf]) -> None:
        """Have leaves shown from the first one; the same again go on undisturbed."""
        with self._changed:
            if leaves != self._leaves:
                self._leaves, self._place = leaves, 0
                self._changed.notify_all()

    def _run(self) -> None:
        shown: tuple[Sequence[Leaf], int] | None = None
        while (shown := self._next(shown)) is not None:
            leaves, place = shown
            if leaves and not self._health.use(partial(self._draw, draw(leaves[place], place, len(leaves)))):
                self._dots = None
        if self._dots is not None:
            self._health.use(self._dots.close)

    def _next(self, shown: tuple[Sequence[Leaf], int] | None) -> tuple[Sequence[Leaf], int] | None:
        """Wait for other leaves or for the time of the next one; return what to draw, None at the end."""
        with self._changed:
            if shown == (self._leaves, self._place) and not self._closed:
                turns = len(self._leaves) > 1 or self._health.failing
                if not self._changed.wait(self._leaf_s if turns else None) and self._leaves:
                    self._place = (self._place + 1) % len(self._leaves)
            return None if self._closed else (self._leaves, self._place)

    def _draw(self, image: Image) -> None:
        if self._dots is None:
            self._dots = self._open_dots()
        self._dots.show(image)


class OledDisplay:
    """A view of a game on a small display; behind a throw it still says which move came before, however fast it was."""

    name, language = "display", ""

    def __init__(self, leaves: Leaves, board: Board) -> None:
        self._leaves, self._board, self._moved = leaves, board, ""

    def show(self, shown: ShownView) -> None:
        """Put a view into words and show it."""
        view = shown.view
        remarks = (dice_words(view), count_words(view), advice_words(view))
        page = page_for(view, self._board, lamps=shown.lit.lamps, remarks=remarks)
        if isinstance(view.verdict, Confirmed) and view.verdict.seat is None:
            page = replace(page, notes=(*page.notes, self._moved))
        elif view.verdict is not None:
            self._moved = page.message if isinstance(view.verdict, Confirmed) else ""
        figures = shown.lit.figures if shown.lit.figures and not view.over and not view.paused else None
        self._leaves.show(leaves_of(page, figures))


def lobby_leaves(lines: Sequence[str]) -> tuple[Leaf, ...]:
    """Return what a display shows of the lobby: its first line as heading, below it the buttons, then the others."""
    heading, *others, buttons = (*lines, "", "")[: max(len(lines), 2)]
    return leaves(heading, [[*buttons.split("   "), *others]])


@contextmanager
def turning(open_dots: OpenDots, report: Callable[[Event], None]) -> Iterator[LeafTurner]:
    """Show leaves on a display while the block runs, and put it out at its end."""
    turner = LeafTurner(open_dots, report)
    try:
        yield turner
    finally:
        turner.close()
