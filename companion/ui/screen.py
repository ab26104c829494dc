"""The screen next to the table: a full terminal, redrawn on change; one thread calls it."""

from __future__ import annotations

from dataclasses import dataclass

from rich.live import Live

from companion.locale import _
from companion.ui.layout import PageView
from companion.ui.page import Page
from vision.board import Board


@dataclass(frozen=True, slots=True)
class ScreenSetting:
    """The table and the device names, the same on all pages; `panel` is None for a keyboard.

    `asks`: whether players ask questions with the digits of that keyboard.
    """

    board: Board
    camera: str
    panel: str | None
    asks: bool = False

    @property
    def devices(self) -> str:
        """The names of the devices, in the current language."""
        return _("camera: {camera} · panel: {panel}").format(camera=self.camera, panel=self.panel or _("desk"))

    @property
    def keys(self) -> str:
        """What the keys do, in the current language."""
        if self.panel is not None:
            return _("MODE held down: pause  ctrl-c ends")
        if self.asks:
            return _("d done  b back  m mode  r roll  p pause  a again  0-9 ask  / type  ctrl-c ends")
        return _("d done  b back  m mode  r roll  p pause  a again  0-9 count  / type  ctrl-c ends")


class FullScreen:
    """A screen that fills the terminal."""

    def __init__(self, live: Live, setting: ScreenSetting) -> None:
        self._live = live
        self._setting = setting
        self._shown: tuple[Page, object] | None = None

    def show(self, page: Page) -> None:
        """Draw the page unless it is already shown; redraw it if the terminal has another size."""
        now = (page, self._live.console.size)
        if now != self._shown:
            self._shown = now
            setting = self._setting
            self._live.update(PageView(page, setting.board, setting.devices, setting.keys), refresh=True)
