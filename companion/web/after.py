"""Pages for after a game: played games, reports, records, a replay move by move, kept pictures.

Only finished games are shown: the record of a running one would reveal what is hidden in it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from companion.app.formatting import drawn_svg, story_line
from companion.app.history import MOST_UNFINISHED, game_line, names_of, standing_lines, unfinished_games
from companion.games.bundle import Turn
from companion.games.record import GameRecord, position_after, replay, write_record
from companion.locale import _, language
from companion.shell.archive import record_of
from companion.shell.clock import wall_time
from companion.shell.errors import JournalError
from companion.shell.journal import JournalReader, RecordedGame
from companion.shell.picture_policy import FOLDER, in_order
from companion.web.server import Endpoint, Site, accepts, shows

MOST_LISTED = 50

_REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
"""A report is one file with styles and pictures, without scripts."""


class PlayedGames:
    """The pages of the finished games of a journal. Each public method answers a request.

    JournalError and ValueError stand for what there is not: no such game, or one that is unfinished.
    """

    def __init__(self, journal: Path) -> None:
        self._journal = journal

        @lru_cache(maxsize=2)
        def plies(number: int, _language: str) -> tuple[GameRecord, tuple[Turn, ...]]:
            record = record_of(self._game(number))
            return record, tuple(replay(record))

        self._plies = plies

    def listed(self, _request: Request) -> Mapping[str, Any]:
        """Return the latest games as lines, those that can be resumed, the statistics, and the kept pictures."""
        shown: dict[str, Any] = {"games": [], "unfinished": [], "statistics": [], "pictures": []}
        with suppress(JournalError), closing(JournalReader(self._journal)) as journal:  # nothing was played yet
            latest, unfinished = deque[Any](maxlen=MOST_LISTED), deque[str](maxlen=MOST_UNFINISHED)

            def games() -> Iterator[RecordedGame]:
                """Yield the games one by one: a long journal does not fit into a small machine's memory."""
                for recorded in journal.games():
                    words = " ".join(game_line(recorded).split())
                    if recorded.scores is not None:
                        latest.appendleft({"number": recorded.number, "words": words})
                    elif unfinished_games([recorded]):
                        unfinished.appendleft(_("Go on: {game}").format(game=words))
                    yield recorded

            statistics, kept = list(standing_lines(games())), list(self._kept())
            shown = {"games": [*latest], "unfinished": [*unfinished], "statistics": statistics, "pictures": kept}
        return shown

    def report(self, request: Request) -> Response:
        """Return a game's report as a page."""
        try:  # the extra "report" is optional
            from companion.app.reporting import ReportedGame, photographs, report_of  # noqa: PLC0415
            from companion.printing.report import html_page  # noqa: PLC0415

            recorded = self._game(request.path_params["number"])
            kept = photographs(self._journal.parent, recorded)
            played = ReportedGame(record_of(recorded), names_of(recorded), wall_time(recorded.started), kept)
            page = html_page(*report_of(played))
        except ModuleNotFoundError:
            return PlainTextResponse("pip install 'table-companion[report]'", 501)
        return HTMLResponse(page, headers={"content-security-policy": _REPORT_POLICY})

    def record(self, request: Request) -> Response:
        """Return a game's record as a file."""
        number = request.path_params["number"]
        headers = {"content-disposition": f'attachment; filename="game-{number}.txt"'}
        return PlainTextResponse(write_record(record_of(self._game(number))), headers=headers)

    def step(self, request: Request) -> Mapping[str, Any]:
        """Return the table after `?ply` plies, with a sentence about the last one."""
        record, plies = self._plies(request.path_params["number"], language())
        asked = request.query_params.get("ply", "0")
        place = min(int(asked) if asked.isdecimal() else 0, len(plies))
        words = story_line(record.game, plies[place - 1], record.names) if place else ""
        return {
            "plies": len(plies),
            "words": words,
            "svg": drawn_svg(record.game, position_after(record, plies[:place])),
        }

    def picture(self, request: Request) -> Response:
        """Return a kept picture."""
        path = self._kept().get(request.path_params["name"])
        return PlainTextResponse("none", 404) if path is None else FileResponse(path, media_type="image/png")

    def delete(self, _request: Request, wanted: _Deleted) -> Mapping[str, bool]:
        """Delete a kept picture; return whether there was one."""
        path = self._kept().get(wanted.name)
        if path is not None:
            path.unlink(missing_ok=True)
        return {"deleted": path is not None}

    def _game(self, number: int) -> RecordedGame:
        with closing(JournalReader(self._journal)) as journal:
            recorded = journal.read(number)
        if recorded.scores is None:
            raise JournalError(str(number))
        return recorded

    def _kept(self) -> dict[str, Path]:
        """Return the kept pictures by name, latest first."""
        return {path.name: path for path in reversed(in_order(self._journal.parent / FOLDER))}


class _Deleted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str


def routes(site: Site, journal: Path) -> list[Route]:
    """Return the routes of these pages."""
    played = PlayedGames(journal)

    def answering(make: Callable[[Request], object]) -> Endpoint:
        def answer(request: Request) -> object:
            with suppress(JournalError, ValueError):
                return make(request)
            return PlainTextResponse("none", 404)

        return shows(site, answer)

    return [
        Route("/games", answering(played.listed)),
        Route("/report/{number:int}", answering(played.report)),
        Route("/record/{number:int}", answering(played.record)),
        Route("/replay/{number:int}", answering(played.step)),
        Route("/kept/{name}", answering(played.picture)),
        Route("/delete", accepts(site, _Deleted, played.delete, 300), methods=["POST"]),
    ]
