"""A small display: its leaves follow one another, in a thread of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeAlias

from PIL.Image import Image

from companion.core.messages import Event
from companion.core.verdicts import Confirmed
from companion.games.captions import advice_words, count_words, dice_words, page_for
from companion.shell.effects import Background, ShownView
from companion.shell.loop import DeviceHealth
from companion.ui.oled import Leaf, draw, leaves, leaves_of
from hardware.oled import Oled
from vision.board import Board

OpenLeaves: TypeAlias = Callable[[Callable[[Event], None]], AbstractContextManager["Leaves"]]
"""Opens a display of leaves, which reports its failures and returns to a function."""

LEAF_S = 3.0
"""How long a leaf is shown, in seconds."""


class Leaves(Protocol):
    """A display of leaves."""

    def show(self, leaves: Sequence[Leaf]) -> None:
        """Replace the leaves, beginning with the first; must return at once."""


class LeafTurner(Background):
    """A thread that shows leaves one after the other, for `leaf_s` each, so that a slow bus delays nobody.

    After a failure the display is opened again with the next leaf. `report` must return at once.
    """

    def __init__(self, open_dots: Callable[[], Oled], report: Callable[[Event], None], leaf_s: float = LEAF_S) -> None:
        self._open_dots, self._leaf_s = open_dots, leaf_s
        self._dots: Oled | None = None
        self._health = DeviceHealth("display", report)
        self._leaves: Sequence[Leaf] = ()
        self._place = 0
        super().__init__("display")

    def show(self, leaves: Sequence[Leaf]) -> None:
        """Queue leaves, beginning with the first; the same leaves continue undisturbed."""
        with self._changed:
            if leaves != self._leaves:
                self._leaves, self._place = leaves, 0
                self._changed.notify_all()

    def _run(self) -> None:
        shown: tuple[Sequence[Leaf], int] | None = None
        while True:
            with self._changed:  # wait for new leaves or for the next leaf's time
                if shown == (self._leaves, self._place) and not self._closed:
                    turns = len(self._leaves) > 1 or self._health.failing
                    if not self._changed.wait(self._leaf_s if turns else None) and self._leaves:
                        self._place = (self._place + 1) % len(self._leaves)
                if self._closed:
                    break
                leaves, place = shown = self._leaves, self._place
            if leaves and not self._health.use(partial(self._draw, draw(leaves[place], place, len(leaves)))):
                self._dots = None
        if self._dots is not None:
            self._health.use(self._dots.close)

    def _draw(self, image: Image) -> None:
        if self._dots is None:
            self._dots = self._open_dots()
        self._dots.show(image)


class OledDisplay:
    """A small display of a game; after a throw it still shows the move before, however fast the throw came."""

    name, language = "display", ""

    def __init__(self, leaves: Leaves, board: Board) -> None:
        self._leaves, self._board, self._moved = leaves, board, ""

    def show(self, shown: ShownView) -> None:
        """Convert a view to text and show it."""
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
    """Return the leaves of the lobby: its first line as heading, then the buttons, then the other lines."""
    heading, *others, buttons = (*lines, "", "")[: max(len(lines), 2)]
    return leaves(heading, [[*buttons.split("   "), *others]])
