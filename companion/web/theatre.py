"""What all phones see now: one stage after the other, each rendered once for each language that somebody reads."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from companion.locale import speaking
from companion.web.acts import Act, Answer
from companion.web.scene import Scene

HEARTBEAT_S = 20.0
"""Without news a stream sends a comment after that time, so that a connection that is gone is noticed."""

Take: TypeAlias = "Callable[[str, Act], Answer]"
"""Does what a session asks for."""


def nothing(_session: str, _act: Act) -> Answer:
    """Do nothing: there is neither a lobby nor a game just now."""
    return Answer(stale=True)


@dataclass(frozen=True, slots=True)
class Stage:
    """What is shown at one moment.

    Attributes:
        render: returns it in the language that is spoken.
        take: does what a player asks for on it.
        language: of the table, for phones that chose none.
    """

    render: Callable[[], Scene]
    take: Take = nothing
    language: str = "en"


EMPTY = Stage(lambda: {"kind": "empty"})


class Theatre:
    """The stage that is shown now. Any thread may show another one; phones follow at their own pace.

    A phone that is slow misses stages and sees the latest; nobody waits for it.

    Attributes:
        listeners: how many streams are open.
        ears: how many of them want what is said aloud, by language.
        sent_bytes: how much they were sent so far.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stage, self._version = EMPTY, 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: set[asyncio.Event] = set()
        self._rendered: dict[str, Scene] = {}
        self._rendered_version = -1
        self.listeners = self.sent_bytes = 0
        self.ears: Counter[str] = Counter()

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wake the streams that wait through this loop from now on."""
        self._loop = loop

    @property
    def stage(self) -> Stage:
        """What is shown now."""
        return self._stage

    def show(self, stage: Stage) -> None:
        """Show another stage; returns at once."""
        with self._lock:
            self._stage, self._version = stage, self._version + 1
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    async def scenes(self, language: str, *, aloud: bool = False) -> AsyncIterator[Scene | None]:
        """Yield what is shown, again whenever it changes, in a language, "" for the table's; None as a heartbeat."""
        seen, changed = -1, asyncio.Event()
        heard_in = language or self._stage.language
        self.ears[heard_in] += aloud
        self._waiting.add(changed)
        self.listeners += 1
        try:
            while True:
                if seen != self._version:
                    changed.clear()
                    seen = self._version
                    yield self._scene(language)
                    continue
                try:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT_S)
                except TimeoutError:
                    yield None
        finally:
            self._waiting.discard(changed)
            self.listeners -= 1
            self.ears[heard_in] -= aloud

    def _scene(self, language: str) -> Scene:
        """Return the stage rendered; only the first stream that asks renders it.

        It is done here, not in a thread of its own: it takes a millisecond or two, and a thread waits longer than
        that until another one lets it run.
        """
        if self._rendered_version != self._version:
            self._rendered, self._rendered_version = {}, self._version
        stage = self._stage
        spoken = language or stage.language
        if spoken not in self._rendered:
            with speaking(spoken):
                self._rendered[spoken] = {**stage.render(), "language": spoken}
        return self._rendered[spoken]

    def _wake(self) -> None:
        for changed in self._waiting:
            changed.set()


NESTED = ("art", "cells")
"""Keys of a scene whose own keys are compared one by one: most of a table stays as it is."""


def patch(last: Mapping[str, object], scene: Mapping[str, object]) -> Scene:
    """Return the keys of a scene that differ from the last one, None for those that are gone; empty if none does."""
    gone = {key: None for key in last if key not in scene}
    changed = {key: value for key, value in scene.items() if key not in last or last[key] != value}
    for key in NESTED:
        if isinstance(now := changed.get(key), Mapping) and isinstance(before := last.get(key), Mapping):
            changed[key] = patch(before, now)
    return gone | changed
