"""Whole typed games as text: what the players type, line by line behind "> ", and what the companion answers.

`python -m tests.companion.transcripts` types their lines once more and writes the answers again; read them before you
keep them. Another game is begun by a file of such lines alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from companion.app.line_display import LineDisplay, ending_words
from companion.app.lines import LineReader
from companion.app.output import write_text
from companion.app.typed_commands import TypedCommands
from companion.core.verdicts import Wanted
from companion.core.view import View
from companion.locale import speaking
from companion.shell.clock import Clock
from companion.shell.devices import no_devices
from companion.shell.effects import ShownView
from companion.shell.session import SessionTable, Setup, Writer, open_session
from companion.shell.voice import LineVoice, VoiceDisplay
from engines.kernel import JsonObject, Seat
from tests.evaluate.advisers import SEATS

FOLDER = Path(__file__).parents[1] / "golden"


SEEDS: Mapping[str, int] = {"royal-tee": 1, "territory": 2, "royal-study": 3, "royal-racers": 3, "royal-ur": 5}
"""From which seed come cards and dice of each game."""

Typist = Callable[[View], str]
"""Gives the next line for what is shown."""


class _Seconds:
    """A clock that goes on by a second whenever it is asked: nobody types faster than a button can be pressed."""

    def __init__(self) -> None:
        self._now_ns = Clock().now_ns()

    def __call__(self) -> int:
        self._now_ns += 1_000_000_000
        return self._now_ns


class _Echo:
    """A front that writes each line before it is read, and keeps the last view for who types."""

    def __init__(self, typist: Typist, *, by_ear: bool = False) -> None:
        self._typist, self._by_ear = typist, by_ear
        self._seen, self._view = threading.Event(), list[View]()

    def front(self) -> TypedCommands:
        return TypedCommands(self._opened, now_ns=_Seconds(), lines=LineReader(self._lines()))

    def _opened(self, table: SessionTable) -> AbstractContextManager[Writer]:
        listened = VoiceDisplay(LineVoice(write_text), table.game.adaptor.board(), Wanted.ALL)
        display: Any = listened if self._by_ear else LineDisplay()
        show = display.show

        def watched(shown: ShownView) -> None:
            show(shown)
            self._view[:] = [shown.view]
            self._seen.set()

        display.show = watched
        return nullcontext(display)

    def _lines(self) -> Iterator[str]:
        while True:
            assert self._seen.wait(60)
            [view] = self._view
            if view.over:  # the session ends; a line would be read before that or after it, as the threads run
                return
            line = self._typist(view)
            write_text(f"> {line}")
            yield line


def transcript(
    game: str,
    typist: Typist,
    *,
    by_ear: bool = False,
    options: JsonObject | None = None,
    journal: Path | None = None,
) -> str:
    """Play an evening and give all that is typed and answered; `by_ear` what is said in place of what is shown."""
    players, random = [*map(Seat, SEATS[game])], Random(SEEDS[game])
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()) as out:
        kept = journal or Path(folder) / "journal.sqlite3"
        setup = Setup(game, players, kept, seed=SEEDS[game], options=options or {})
        front, clock = _Echo(typist, by_ear=by_ear).front(), Clock()
        with open_session(setup, lambda _game, _position: no_devices(), front, clock=clock, random=random) as session:
            session.loop.run()
        assert session.runner.view is not None
        if not by_ear:
            write_text(*ending_words(session.runner.view, resumable=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def typed_in(text: str) -> Typist:
    """Give who types the lines of a transcript once more."""
    lines = (line.removeprefix("> ") for line in text.splitlines() if line.startswith("> "))
    return lambda _view: next(lines, "quit")


HEARD_IN = ("de", "en")
MOST_HEARD = 40
"""So many lines of a transcript are typed when it is heard."""

_ASKED = ("ask turn", "ask changed", "ask pieces", "ask score", "ask possible", "ask board")


def heard(game: str, language: str) -> str:
    """Return what is said, in a language, while the first lines of a transcript are typed; now and then people ask."""
    lines = [line for line in path_of(game).read_text("utf-8").splitlines() if line.startswith("> ")][:MOST_HEARD]
    for place, asked in enumerate(_ASKED, 1):
        lines.insert(place * 6, f"> {asked}")
    with speaking(language):
        return transcript(game, typed_in("\n".join(lines)), by_ear=True)


def path_of(game: str, name: str = "typed") -> Path:
    return FOLDER / game / f"{name}.txt"


if __name__ == "__main__":
    for name in SEEDS:
        path_of(name).write_text(transcript(name, typed_in(path_of(name).read_text("utf-8"))), "utf-8")
        for spoken in HEARD_IN:
            path_of(name, f"heard-{spoken}").write_text(heard(name, spoken), "utf-8")
