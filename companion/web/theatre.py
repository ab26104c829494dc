"""The current content of all phones: one stage after another, each rendered once for each language in use."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.locale import speaking
from companion.web.acts import Act, Answer
from companion.web.scene import Scene

MOST_OF_ONE = 6
"""Streams of one session, as many connections as a browser opens; of more the oldest ends, so no phone takes all."""

HEARTBEAT_S = 20.0
"""A stream without news sends a comment after that time, so that a lost connection is noticed."""

Take: TypeAlias = "Callable[[str, Act], Answer]"
"""Handles an act of a session."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The content at one moment: the scene in the current language, and what handles an act of a player.

    `language` is the table's, for phones that chose none.
    """

    render: Callable[[], Scene]
    take: Take = lambda _session, _act: Answer(stale=True)  # there is neither a lobby nor a game
    language: str = "en"
    _rendered: dict[str, Scene] = field(default_factory=dict)

    def scene(self, language: str) -> Scene:
        """Return the scene in a language, "" for the table's; the first phone that asks for it renders it."""
        spoken = language or self.language
        if spoken not in self._rendered:
            with speaking(spoken):
                self._rendered[spoken] = {**self.render(), "language": spoken}
        return self._rendered[spoken]


EMPTY = Stage(lambda: {"kind": "empty"})


class Theatre:
    """The current `stage`. Any thread may replace it; phones follow at their own pace.

    A slow phone skips stages and sees the latest; nobody waits for it.
    """

    def __init__(self) -> None:
        self.stage = EMPTY
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[asyncio.Event, str] = {}
        self._ended = False

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Set the event loop in which the streams are woken."""
        self._loop = loop

    @property
    def listeners(self) -> int:
        """The number of open streams."""
        return len(self._waiting)

    def show(self, stage: Stage) -> None:
        """Replace the stage; return at once."""
        self.stage = stage
        self._wake_soon()

    def end(self) -> None:
        """End all streams after the current stage; return at once."""
        self._ended = True
        self._wake_soon()

    def _wake_soon(self) -> None:
        """Wake the streams from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    async def scenes(self, language: str, *, session: str = "") -> AsyncIterator[Scene | None]:
        """Yield the scene whenever it changes, in a language, "" for the table's; None as a heartbeat.

        It ends when the session of a phone has opened `MOST_OF_ONE` later ones; "" is nobody's, without limit.
        """
        seen: Stage | None = None
        changed = asyncio.Event()
        earlier = [one for one, of in self._waiting.items() if session and of == session]
        for oldest in earlier[: max(0, len(earlier) + 1 - MOST_OF_ONE)]:
            del self._waiting[oldest]
            oldest.set()
        self._waiting[changed] = session
        try:
            while changed in self._waiting:
                changed.clear()  # also if what it was woken for has been seen: a set event would never let it wait
                if seen is not self.stage:
                    seen = self.stage
                    yield seen.scene(language)  # in the event loop: a millisecond or two, less than a thread waits
                    continue
                if self._ended:
                    return
                try:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT_S)
                except TimeoutError:
                    yield None
        finally:
            self._waiting.pop(changed, None)

    def _wake(self) -> None:
        for changed in self._waiting:
            changed.set()


NESTED = ("art", "cells")
"""Keys of a scene that are compared by their own keys, because most of a table stays as it is."""


def patch(last: Mapping[str, object], scene: Mapping[str, object]) -> Scene:
    """Return the keys of a scene that differ from the last one, None for removed ones; empty if none differs."""
    gone = {key: None for key in last if key not in scene}
    changed = {key: value for key, value in scene.items() if key not in last or last[key] != value}
    for key in NESTED:
        if isinstance(now := changed.get(key), Mapping) and isinstance(before := last.get(key), Mapping):
            changed[key] = patch(before, now)
    return gone | changed
