"""A simulated table in another process: the messages between it and the program that watches it.

The program gets frames, presses of the panel's buttons, and the time. It sends what its screen and its panel show, and
how long it worked on a frame. Nothing else is shared: no seed, no position, no layout, no object.
"""

from __future__ import annotations

import dataclasses
import json
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from multiprocessing.connection import Client, Connection
from typing import Any

import numpy as np

from companion.core import entries, verdicts
from companion.core.verdicts import Action, Position
from companion.core.view import View
from companion.games import GAMES
from companion.locale import _
from companion.shell.clock import FollowingClock
from companion.shell.errors import SetUpError
from companion.shell.feed import Feed
from companion.ui.oled import Leaf
from engines.kernel import Game
from hardware.panel import (
    Button,
    ButtonPressed,
    Enqueue,
    KeyPressed,
    LineTyped,
    PanelInput,
    Shown,
    SliderMoved,
)
from vision.errors import CameraEndedError, CameraError
from vision.frame import Frame, ImageBgr

SOCKET = "socket"
"""The word on the command line for a camera or a panel in another process: "socket:PATH"."""

_KINDS: Mapping[str, Any] = {
    kind.__name__: kind
    for module in (entries, verdicts)
    for kind in vars(module).values()  # including the engines' events, which verdicts imports
    if isinstance(kind, type) and (dataclasses.is_dataclass(kind) or issubclass(kind, Enum))
}


class Link(Feed):
    """The program's end: a camera, a panel and a clock that are in another process.

    Args:
        address: the socket that the other process listens at.

    Raises:
        SetUpError: nobody listens there.
    """

    def __init__(self, address: str) -> None:
        try:
            self._connection = Client(address, family="AF_UNIX")
        except OSError as error:
            text = _("{address}: no simulated table listens at this socket")
            raise SetUpError(text.format(address=address)) from error
        self._clock = FollowingClock()
        self._sending = threading.Lock()
        self._enqueue: Enqueue = lambda _heard: None
        self._frames: queue.SimpleQueue[Frame | CameraError] = queue.SimpleQueue()
        self._worked_s = time.process_time()
        self._verdict: tuple[verdicts.Verdict | None, int] = (None, 0)
        threading.Thread(target=self._receive, name="link", daemon=True).start()

    @property
    def clock(self) -> FollowingClock:
        """The clock, at the time of the latest message."""
        return self._clock

    def next_frame(self) -> Frame:
        """Report the CPU time in s that was spent on the last frame, and wait for the next one."""
        self._send({"worked_s": time.process_time() - self._worked_s})
        came = self._frames.get()
        self._worked_s = time.process_time()
        if isinstance(came, CameraError):
            raise came
        return came

    def listen(self, enqueue: Enqueue) -> None:
        """Pass presses to `enqueue` from now on."""
        self._enqueue = enqueue

    def lit(self, shown: Shown, *, buzzes: bool = False) -> None:
        """Send what the panel shows, and whether it plays its signal now."""
        self._send({"panel": to_json(shown), "buzzes": buzzes})

    def show(self, leaves: Sequence[Leaf]) -> None:
        """Send the pages of the small display."""
        self._send({"leaves": to_json(tuple(leaves))})

    def see(self, view: View) -> None:
        """Send what the screen shows, with a number for its verdict: an equal new one has another number."""
        if view.verdict is not self._verdict[0]:
            self._verdict = view.verdict, self._verdict[1] + 1
        self._send({"view": view_to_json(view), "verdict": self._verdict[1]})

    def _send(self, data: Mapping[str, Any]) -> None:
        with self._sending, suppress(OSError):  # the table has gone: `next_frame` raises that
            self._connection.send_bytes(json.dumps(data).encode())

    def _receive(self) -> None:
        """Handle messages in order, so that presses reach the loop before the frame that follows them."""
        try:
            while data := self._next_message():
                self._take(data)
            self._frames.put(CameraEndedError(_("the simulated table has gone")))
        except Exception:  # whatever it is: without its table the program has to end
            self._frames.put(CameraEndedError(_("the simulated table has gone")))
            raise

    def _next_message(self) -> Mapping[str, Any] | None:
        """Wait for the next message; return None if the table has gone."""
        try:
            return dict(json.loads(self._connection.recv_bytes()))
        except (OSError, EOFError):
            return None

    def _take(self, data: Mapping[str, Any]) -> None:
        self._clock.move_to(data["ns"])
        if "shape" in data:
            pixels = np.frombuffer(self._connection.recv_bytes(), np.uint8).reshape(data["shape"])
            self._frames.put(Frame(pixels, data["ns"]))
        elif "failed" in data:
            self._frames.put(CameraError(data["failed"]))
        else:
            self._enqueue(_read_press(data))


def _read_press(data: Mapping[str, Any]) -> PanelInput:
    if "press" in data:
        return ButtonPressed(Button(data["press"]), data["ns"], data["held"])
    if "key" in data:
        return KeyPressed(data["key"], data["ns"], data["held"])
    if "slider" in data:
        return SliderMoved(data["slider"], data["ns"])
    return LineTyped(data["line"], is_whole=True, at_ns=data["ns"])


# ---- the table's end


def send_frame(connection: Connection, image_bgr: ImageBgr, at_ns: int) -> None:
    """Send a frame to the program."""
    connection.send_bytes(json.dumps({"ns": at_ns, "shape": image_bgr.shape}).encode())
    connection.send_bytes(image_bgr.tobytes())


def send_failure(connection: Connection, sentence: str, at_ns: int) -> None:
    """Send that the camera has failed."""
    connection.send_bytes(json.dumps({"ns": at_ns, "failed": sentence}).encode())


def send_press(connection: Connection, heard: PanelInput, at_ns: int) -> None:
    """Send an input at the panel."""
    match heard:
        case ButtonPressed(button, _pressed_ns, held):
            said: dict[str, Any] = {"press": button.value, "held": held}
        case KeyPressed(key, _pressed_ns, held):
            said = {"key": key, "held": held}
        case SliderMoved(steps, _moved_ns):
            said = {"slider": steps}
        case LineTyped(text, _is_whole, _keyed_ns):
            said = {"line": text}
    connection.send_bytes(json.dumps({"ns": at_ns, **said}).encode())


# ---- values as JSON


def view_to_json(view: View) -> dict[str, Any]:
    """Return a view as JSON; its position and actions in the protocol's form."""
    engine = GAMES[view.game].engine
    fields = {field.name: getattr(view, field.name) for field in dataclasses.fields(view)}
    position = engine.position_to_json(fields.pop("position"))
    del fields["advice"]
    return {**{name: to_json(value, name, engine) for name, value in fields.items()}, "position": position}


def view_from_json(data: Mapping[str, Any]) -> View:
    """Return the view that `view_to_json` wrote, without its advice."""
    game = GAMES[data["game"]]
    fields = {name: from_json(value, game.engine) for name, value in data.items() if name != "position"}
    position = game.engine.position_from_json(data["position"])
    view = View(**fields, position=position)
    counting = {
        (choice.code, choice.by): choice for choice in game.turns.choices(position) if choice.counts is not None
    }
    known = ((choice, counting.get((choice.code, choice.by))) for choice in view.choices)
    choices = (one if other is None else replace(one, counts=other.counts) for one, other in known)
    return replace(view, choices=tuple(choices))


_ACTIONS = frozenset({"action", "actions", "time_up", "dice_read", "request"})
"""Fields that hold actions of the game."""


def to_json(value: Any, name: str = "", engine: Game[Position, Action] | None = None) -> Any:
    """Return a value of dataclasses, enumerations, tuples and mappings as JSON that distinguishes them.

    Args:
        value: the value.
        name: the name of its field.
        engine: the game, which writes actions.
    """
    if isinstance(value, tuple):
        return {"_": "tuple", "items": [to_json(item, name, engine) for item in value]}
    if name in _ACTIONS and engine is not None and value is not None:
        return {"_": "action", "value": engine.action_to_json(value)}
    if isinstance(value, Enum):
        return {"_": type(value).__name__, "value": value.value}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if field.compare]
        return {"_": type(value).__name__, **{one: to_json(getattr(value, one), one, engine) for one in names}}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    return [to_json(item) for item in value] if isinstance(value, list) else value


def from_json(data: Any, engine: Game[Position, Action] | None = None, kinds: Mapping[str, Any] = _KINDS) -> Any:
    """Return the value that `to_json` wrote; its classes must be among `kinds`, and keys of mappings are strings."""
    if isinstance(data, list):
        return [from_json(item, engine, kinds) for item in data]
    if not isinstance(data, dict):
        return data
    kind = data.get("_")
    if kind == "action" and engine is not None:
        return engine.action_from_json(data["value"])
    values = {key: from_json(item, engine, kinds) for key, item in data.items() if key != "_"}
    if kind is None:
        return values
    if kind == "tuple":
        return tuple(values["items"])
    made = kinds[kind]
    return made(values["value"]) if issubclass(made, Enum) else made(**values)
