"""A simulated table in another process: the messages between it and the program that watches it.

The program gets frames, presses of the panel's buttons, and the time, as pixels and JSON. It sends what its screen and
its panel show, pickled, and how long it worked on a frame. Nothing else is shared: no seed, no position, no layout.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Client, Connection
from typing import Any

import numpy as np

from companion.core import verdicts
from companion.core.view import View
from companion.locale import _
from companion.shell.clock import FollowingClock
from companion.shell.errors import SetUpError
from companion.shell.feed import Feed, input_from_json
from companion.ui.oled import Leaf
from hardware.panel import Shown
from vision.errors import CameraEndedError, CameraError
from vision.frame import Frame


class Link(Feed):
    """The program's end: a camera, a panel and a clock that are in another process, which listens at a socket.

    Raises:
        SetUpError: nobody listens there.
    """

    def __init__(self, address: str) -> None:
        try:
            self._connection = Client(address, family="AF_UNIX")
        except OSError as error:
            text = _("{address}: no simulated table listens at this socket")
            raise SetUpError(text.format(address=address)) from error
        super().__init__(FollowingClock())
        self._sending = threading.Lock()
        self._worked_s = time.process_time()
        self._verdict: tuple[verdicts.Verdict | None, int] = (None, 0)

    def next_frame(self) -> Frame:
        """Report the CPU time in s that was spent on the last frame; deliver presses until the next one, and return it.

        Raises:
            CameraError: the camera has failed.
            CameraEndedError: the table has gone.
        """
        self._send({"worked_s": time.process_time() - self._worked_s})
        try:
            while True:
                came: Mapping[str, Any] = json.loads(self._connection.recv_bytes())
                self.clock.move_to(came["ns"])
                if (heard := input_from_json(came)) is None:
                    break
                self._enqueue(heard)
            pixels = b"" if "failed" in came else self._connection.recv_bytes()
        except (OSError, EOFError) as error:
            raise CameraEndedError(_("the simulated table has gone")) from error
        self._worked_s = time.process_time()
        if "failed" in came:
            raise CameraError(came["failed"])
        return Frame(np.frombuffer(pixels, np.uint8).reshape(came["shape"]), came["ns"])

    def lit(self, shown: Shown, *, buzzes: bool = False) -> None:
        """Send what the panel shows, and whether it plays its signal now."""
        self._send({"panel": shown, "buzzes": buzzes})

    def show(self, leaves: Sequence[Leaf]) -> None:
        """Send the pages of the small display."""
        self._send({"leaves": tuple(leaves)})

    def see(self, view: View) -> None:
        """Send what the screen shows, with a number for its verdict: an equal new one has another number."""
        if view.verdict is not self._verdict[0]:
            self._verdict = view.verdict, self._verdict[1] + 1
        self._send({"view": view, "verdict": self._verdict[1]})

    def _send(self, data: Mapping[str, Any]) -> None:
        with self._sending, suppress(OSError):  # the table has gone: `next_frame` raises that
            self._connection.send(data)


# ---- the table's end


def send(connection: Connection, message: Mapping[str, Any], at_ns: int) -> None:
    """Send the program an input at the panel, the shape of the frame that follows, or why there is none, as JSON."""
    connection.send_bytes(json.dumps({**message, "ns": at_ns}).encode())
