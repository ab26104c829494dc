"""The lobby with its devices: a camera that looks for a table, a panel, and lines that are typed."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from companion.app.lines import LineReader
from companion.app.lobby_lines import language_typed, lobby_events, lobby_lines, typed_help
from companion.app.offers import labels_seen
from companion.core.lobby import (
    LanguageChosen,
    Lobby,
    LobbyEvent,
    Offer,
    TableRecognised,
    lobby_bar,
    lobby_digits,
    lobby_lamps,
    lobby_step,
)
from companion.core.messages import ButtonPressed, DeviceFailed, DeviceReturned, Event, FrameBlind, FrameRead
from companion.core.verdicts import Rhythm
from companion.locale import _, speak
from companion.shell.effects import Lit
from companion.shell.errors import SetUpError
from companion.shell.frame_reader import CaptureThread, DeviceHealth, FrameReader, Stillness
from companion.shell.lights import PanelDisplay, presses_into
from companion.shell.loop import Inbox, LineTyped, Message, StopLoop
from engines.kernel import Seat
from vision.errors import CameraEndedError
from vision.observation import Blind

if TYPE_CHECKING:
    from companion.shell.clock import Clock
    from companion.shell.devices import OpenCamera, OpenPanel
    from hardware.panel import Panel
    from vision.frame import ImageBgr
    from vision.recognition.reader import AnyTableReader, Reading

_EQUAL_READINGS = 2
"""This many readings in a row must lead to the same offers before they are shown: a hand may cover a piece in one."""

Offers: TypeAlias = Callable[[str, Mapping[str, str]], TableRecognised]
"""Returns what can be begun at the table of a game, with the labels that are certain, by cell."""


class TableFinder:
    """Reads pictures of any known table for a `FrameReader`, and keeps what was read last.

    Attributes:
        found: the last reading, None if no table was recognised in the last picture.
    """

    def __init__(self, reader: AnyTableReader) -> None:
        self._reader = reader
        self.found: Reading | None = None

    def read(self, image_bgr: ImageBgr) -> Reading | Blind:
        """Read a picture, uint8 (height, width, 3), or return why no table is recognised in it."""
        result = self._reader.read(image_bgr)
        self.found = None if isinstance(result, Blind) else result
        return result


class _LobbyEye(FrameReader):
    """An eye that notes when a recording is at its end.

    Attributes:
        ended: whether it is.
    """

    ended = False

    def look(self) -> FrameRead | FrameBlind:
        """Read the latest frame; raises as `FrameReader.look`."""
        try:
            return super().look()
        except CameraEndedError:
            self.ended = True
            raise


@dataclass(frozen=True)
class LobbyDevices:
    """What the lobby is held with.

    Attributes:
        open_camera: opens the camera.
        open_panel: opens the panel.
        reader: recognises tables.
        lines: the typed lines; None if nobody can type.
        can_leave: whether holding MODE leaves.
        heard: told each message that was taken in, as a recording wants it.
        present: called once after the first offer is shown: simulated people press DONE.
    """

    open_camera: OpenCamera
    open_panel: OpenPanel
    reader: AnyTableReader
    lines: Iterator[str] | None = None
    present: Callable[[], object] = lambda: None
    can_leave: bool = True
    heard: Callable[[Message], object] = lambda _message: None


def hold_lobby(
    devices: LobbyDevices,
    offers: Offers,
    playable: Callable[[Offer], bool],
    *,
    clock: Clock,
    say: Callable[[Sequence[str]], object],
    ended_by: Callable[[Inbox], AbstractContextManager[None]],
) -> Offer | None:
    """Look for a table until the players agree on a game; return None if they leave.

    Args:
        devices: camera, panel and keyboard.
        offers: what can be begun at a table that was recognised.
        playable: whether an offer can be played as it is.
        clock: waits for what happens.
        say: shows lines to the players.
        ended_by: ends the lobby by signals while it is entered.

    Raises:
        PanelError: the panel cannot be opened.
        SetUpError: a recording has ended, and no table was recognised in it.
    """
    inbox: Inbox = queue.SimpleQueue()
    finder = TableFinder(devices.reader)
    eye = _LobbyEye(devices.open_camera, finder, _nothing_moves)
    capture = CaptureThread(eye, inbox)
    lines = LineReader(devices.lines, inbox) if devices.lines is not None else None
    with ExitStack() as stack:
        stack.enter_context(ended_by(inbox))
        panel = stack.enter_context(devices.open_panel(presses_into(inbox)))
        host = _Host(
            Lobby(playable, devices.can_leave), finder, eye, offers, _Front(panel, say, typed=lines is not None)
        )
        capture.start()
        stack.callback(capture.stop)
        presented = False
        while not host.is_done:
            message = clock.get(inbox, None)
            host.take(message, clock.now_ns())
            devices.heard(message)
            if lines is not None and presented and not host.is_done:
                lines.handled(message)
            if host.lobby.offer is not None and not presented:
                presented = True
                devices.present()
                _start(lines, stack)
            capture.handled(message)
        return host.lobby.taken


def _start(lines: LineReader | None, stack: ExitStack) -> None:
    """Read what the players type from the first offer on: before it there is nothing to answer."""
    if lines is not None:
        lines.start()
        stack.callback(lines.stop)


def _nothing_moves(_frame: object, _pose: object) -> Stillness:
    return Stillness(still=True, hidden=np.zeros(1, dtype=bool), settled=True)


class _Front:
    """Where the lobby is shown: lines, and a panel."""

    def __init__(self, panel: Panel, say: Callable[[Sequence[str]], object], *, typed: bool) -> None:
        self._panel, self.say, self._typed = panel, say, typed
        self._shown: list[str] = []

    def show(self, lobby: Lobby) -> None:
        """Show the lobby in lines, unless they are there already."""
        lines = lobby_lines(lobby, typed=self._typed)
        if lines != self._shown:
            self._shown = lines
            self.say(lines)

    def light(self, lobby: Lobby) -> None:
        """Show the lobby on the panel; raises `OSError` where that does not work."""
        panel = self._panel
        lit = lobby_lamps(lobby) or {Seat(str(n)): _unknown(lobby) for n in range(len(panel.shown.rhythms))}
        lamps = PanelDisplay(panel, _lamp_order(panel, lobby, list(lit)))
        lamps.light(Lit(lit, lobby_bar(lobby), lobby_digits(lobby), lobby.signal))


def _unknown(lobby: Lobby) -> Rhythm:
    """Return how all lamps are lit while no table is recognised."""
    return Rhythm.FAULT if lobby.failed else Rhythm.UNSURE


def _lamp_order(panel: Panel, lobby: Lobby, seats: Sequence[Seat]) -> Sequence[Seat]:
    """Name the panel's lamps: all the seats, or where there are too few for that those who play."""
    few = len(panel.shown.rhythms) < len(seats)
    return lobby.offer.players if few and lobby.offer else seats


class _Host:
    """Takes in what happens in the lobby."""

    def __init__(self, lobby: Lobby, finder: TableFinder, eye: _LobbyEye, offers: Offers, front: _Front) -> None:
        self.lobby, self._finder, self._eye, self._offers, self._front = lobby, finder, eye, offers, front
        self._left = self._at_end = False
        self._read: list[TableRecognised] = []
        self._offered: TableRecognised | None = None
        self._health = DeviceHealth("panel", self._panel_changed)
        self._show()

    @property
    def is_done(self) -> bool:
        """Whether the players have agreed on a game, or leave."""
        return self._left or self.lobby.left or self.lobby.taken is not None

    def take(self, message: Message, at_ns: int) -> None:
        """Take in a message."""
        match message:
            case StopLoop():
                self._stop(message)
            case LineTyped(text):
                self._typed(text, at_ns)
            case FrameRead():
                self._look()
            case ButtonPressed() | FrameBlind() | DeviceFailed() | DeviceReturned():
                self._step(message)

    def _stop(self, stop: StopLoop) -> None:
        """Leave; or, at the end of a recording, begin the game that was recognised in it."""
        if stop.error is not None:
            raise stop.error
        if not self._eye.ended or self._at_end:
            self._left = True
            return
        self._at_end = True
        if self.lobby.offer is None and self._read:
            self._recognised(self._read[-1])
        if self.lobby.offer is None:
            raise SetUpError(_("no known table is in these pictures; name the game: companion play GAME"))

    def _typed(self, text: str, at_ns: int) -> None:
        if (language := language_typed(text)) is not None:
            speak(language)
            self._step(LanguageChosen(language))
            return
        events = lobby_events(self.lobby, text, at_ns)
        if events is None:
            self._front.say([typed_help()])
        for event in events or ():
            self._step(event)

    def _look(self) -> None:
        """Offer what can be begun once enough readings agree; what the players have changed stays while they do."""
        reading = self._finder.found
        if reading is None:
            return
        seen = self._offers(reading.game, labels_seen(reading.observation))
        self._read = [*(read for read in self._read if read == seen), seen][-_EQUAL_READINGS:]
        if len(self._read) == _EQUAL_READINGS and seen != self._offered:
            self._recognised(seen)

    def _recognised(self, seen: TableRecognised) -> None:
        self._offered = seen
        self._step(seen)

    def _step(self, event: LobbyEvent) -> None:
        self.lobby = lobby_step(self.lobby, event)
        self._show()

    def _panel_changed(self, event: Event) -> None:
        if isinstance(event, DeviceFailed | DeviceReturned):
            self._step(event)

    def _show(self) -> None:
        self._front.show(self.lobby)
        self._health.use(lambda: self._front.light(self.lobby))
