"""The server of the page: its files, its event stream, and the acts of players."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import json
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.app.lines import LANGUAGES
from companion.app.output import complain
from companion.locale import speaking
from companion.web.access import HEADERS, SESSION_LIVES_S, Access
from companion.web.acts import Act, Answer, Press
from companion.web.scene import Scene, page_words
from companion.web.theatre import Theatre, patch

MOST_BYTES = 4_000
"""Of an act; pictures have a limit of their own."""

MOST_STREAMS, MOST_WATCHED_STREAMS = 48, 32
"""All streams, and the number up to which spectators may open one: they leave room for players."""


@dataclass
class Site:
    """What the routes serve.

    Attributes:
        theatre: what is shown.
        access: who may see it.
        secure_port: the https port, None if there is none.
        phone_camera: whether a phone is the camera of this evening.
        networks: whether the box can join another network.
        authority: the certificate that phones may install to avoid the warning; None if there is none.
        more: further routes: pictures, the phone's camera, the pages after a game.
    """

    theatre: Theatre
    access: Access
    secure_port: int | None = None
    phone_camera: bool = False
    networks: bool = False
    authority: Path | None = None
    more: list[Route] = field(default_factory=list)


def application(site: Site) -> ASGIApp:
    """Return the ASGI application."""

    def authority(_request: Request) -> Response:
        """Return the authority's certificate in the form that phones install."""
        if site.authority is None:
            return PlainTextResponse("none", 404)
        return FileResponse(site.authority, media_type="application/x-x509-ca-cert", filename="companion.crt")

    def act(request: Request, asked: Act) -> Answer:
        """Handle an act; DONE only admits a phone while one asks to join."""
        if isinstance(asked, Press) and asked.button == "done" and site.access.admit():
            return Answer()
        return site.theatre.stage.take(site.access.session_of(request.cookies), asked)

    def join(request: Request) -> Response:
        """Admit a phone by the token of the QR code."""
        cookie = site.access.by_token(request.path_params["token"])
        return _admit(site.access, request, RedirectResponse("/", 303), cookie)

    routes = [
        *(Route(path, partial(_file, file)) for path, file in _files().items()),
        Route("/events", partial(_events, site)),
        Route("/words", shows(site, lambda _request: page_words())),
        Route("/known", shows(site, partial(_known, site))),
        Route("/authority", shows(site, authority)),
        Route("/act", accepts(site, Act, act), methods=["POST"]),
        Route("/pair", accepts(site, _Pairing, partial(_pair, site.access), 300), methods=["POST"]),
        Route(JOIN + "{token}", shows(site, join)),
        *site.more,
    ]
    return Guard(Starlette(routes=routes), site.access)


COSTS: Mapping[str, float] = {
    "aim": 12.0,
    "report": 12.0,
    "seen.jpg": 4.0,
    "raw.jpg": 4.0,
    "pair": 4.0,
    "replay": 2.0,
    "games": 2.0,
    "workshop": 4.0,
    "networks": 4.0,
}
"""The cost of requests that take processor time, or that strangers make, by the first part of the path; otherwise 1."""

FILE_COST = 0.1
"""The cost of a file of the page; each view loads a dozen, and switching views must not hit the limit."""

WATCHED_PATHS = ("/events", "/known")
"""Paths for spectators, in addition to those for every phone."""

OWN_WIFI = "10.42.0.1"
"""The box's address in its own Wi-Fi, as set by deploy/access-point.sh; every name resolves to it."""

JOIN = "/J/"
"""The path before a token; it is short and in capitals to keep the QR code small."""

OPEN_PATHS = ("/pair", "/words")
"""Paths for phones that are not admitted, in addition to the page's files and those of `JOIN`."""


_LONGEST_SHOWN = 100
"""The number of characters of a path that are reported."""


class Guard:
    """A filter that rejects requests by host, origin, session and rate, and those of unknown length.

    A fault in answering one is reported in a line.
    """

    def __init__(self, inner: ASGIApp, access: Access) -> None:
        self._inner, self._access = inner, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject a request, or pass it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._inner(scope, receive, send)
            return
        refused = self._refuse(scope)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if refused is not None:
            await refused(scope, receive, with_headers)
            return
        try:
            await self._inner(scope, receive, with_headers)
        except Exception as error:  # it was answered with 500; a traceback would fill the screen of the game
            complain(f"{scope['path'][:_LONGEST_SHOWN]}: {type(error).__name__}: {error}")

    def _refuse(self, scope: Scope) -> Response | None:  # noqa: PLR0911 - one line a refusal
        """Return the response to a rejected request, None for one to pass on."""
        changes = scope["method"] not in ("GET", "HEAD")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("method not allowed", 405)
        headers, (at, port) = Headers(scope=scope), scope.get("server") or ("", 0)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._access.trusts(host, origin, scope["scheme"], changes=changes, at=at):
            if at == OWN_WIFI and not changes:  # a phone's check for a captive portal: it is redirected to the page
                return RedirectResponse(f"{scope['scheme']}://{at}:{port}/", 302)
            return PlainTextResponse("not this address", 403)
        if changes and "transfer-encoding" in headers:
            return PlainTextResponse("length required", 411)
        # a client that asks too often, or for something it may not have
        path, access = scope["path"], self._access
        cookie = access.session_of(Request(scope).cookies)
        known = access.knows(cookie)
        who = cookie if known and cookie else scope["client"][0] if scope["client"] else ""
        is_file = path in _files()
        cost = FILE_COST if is_file else COSTS.get(path.strip("/").partition("/")[0], 1.0)
        if not access.passes(who, cost=cost):
            return PlainTextResponse("too many requests", 429)
        if is_file or path in OPEN_PATHS or path.startswith(JOIN):
            return None
        if not known:
            return JSONResponse({"asks": True}, 401)
        if path not in WATCHED_PATHS and access.only_watches(cookie):
            return PlainTextResponse("spectators only watch", 403)
        return None


@cache
def _files() -> dict[str, Path]:
    """Return the files of the page by path."""
    folder = Path(__file__).with_name("static")
    views = ("/", "/table", "/camera", "/aiming", "/after", "/setup", "/wifi")
    return {**dict.fromkeys(views, folder / "index.html"), **{f"/{file.name}": file for file in folder.iterdir()}}


async def _file(file: Path, _request: Request) -> Response:
    """Return a file of the page; it comes from `_files`, never from a request."""
    return FileResponse(file, headers={"cache-control": "no-cache"})


def language_of(request: Request) -> str:
    """Return the language that a phone asks for, "" for the table's."""
    asked = request.query_params.get("lang", "")
    return asked if asked in LANGUAGES else ""


def _encode(value: object) -> bytes:
    """Return a value as JSON. A sentence to be filled in may be a kind of `str`, which the encoder does not know."""

    def plain(text: object) -> str:
        if not isinstance(text, str):
            raise TypeError(type(text).__name__)
        return str.__str__(text)

    return json.encode(value, enc_hook=plain)


Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


def shows(site: Site, make: Callable[[Request], object]) -> Endpoint:
    """Return an endpoint that answers with a response, or with another value as JSON.

    `make` makes the answer, in a thread and in the phone's language, or else the table's.
    """

    async def endpoint(request: Request) -> Response:
        with speaking(language_of(request) or site.theatre.stage.language):  # the thread has this context
            made = await run_in_threadpool(make, request)
        return made if isinstance(made, Response) else Response(_encode(made), media_type="application/json")

    return endpoint


def accepts(site: Site, form: Any, do: Callable[[Request, Any], object], most: int = MOST_BYTES) -> Endpoint:
    """Return an endpoint for one JSON object of a type, of at most `most` bytes; others are rejected.

    `do` handles the object and makes the answer, as in `shows`.
    """
    decoder = json.Decoder(form)

    async def endpoint(request: Request) -> Response:
        body = await body_of(request, most)
        if body is None or request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return PlainTextResponse("not expected", 413 if body is None else 415)
        try:
            asked = decoder.decode(body)
        except (msgspec.DecodeError, ValueError):  # invalid UTF-8 is a ValueError
            return PlainTextResponse("not expected", 400)
        return await shows(site, lambda request: do(request, asked))(request)

    return endpoint


def _known(site: Site, request: Request) -> Mapping[str, object]:
    """Return an admitted phone's rights, and where its camera is allowed; the guard answers others."""
    host = request.url.hostname or ""
    secure = f"https://{host}:{site.secure_port}" if site.secure_port else ""
    watches = site.access.only_watches(site.access.session_of(request.cookies))
    known = {"asks": False, "secure": secure, "admits": site.access.asks, "watches": watches}
    offers = {"camera": site.phone_camera, "networks": site.networks, "authority": site.authority is not None}
    return {**known, **{name: there and not watches for name, there in offers.items()}}


async def _events(site: Site, request: Request) -> Response:
    session, language = site.access.session_of(request.cookies), language_of(request)
    watches = site.access.only_watches(session)
    if site.theatre.listeners >= (MOST_WATCHED_STREAMS if watches else MOST_STREAMS):
        return PlainTextResponse("too many", 503)

    async def lines() -> AsyncIterator[bytes]:
        last: Scene = {}
        async for scene in site.theatre.scenes(language, session=session):
            changed = {} if scene is None else patch(last, scene)
            last = last if scene is None else scene
            if scene is None or changed:
                yield b"data: %b\n\n" % _encode(changed) if changed else b":\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


async def body_of(request: Request, most: int = MOST_BYTES) -> bytes | None:
    """Return a request's body; None if it is too large or incomplete."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > most:
                return None
    except ClientDisconnect:
        return None
    return body


class _Pairing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: str = ""
    secret: str = ""


def _pair(access: Access, request: Request, asked: _Pairing) -> Response:
    """Admit a phone by six digits, or register it for DONE at the table."""
    if not (asked.code or asked.secret):
        secret, number = access.ask()
        return JSONResponse({"ok": False, "secret": secret, "number": number})
    cookie = access.by_code(asked.code) if asked.code else access.answered(asked.secret)
    answer = JSONResponse({"ok": cookie is not None}, 403 if asked.code and cookie is None else 200)
    return _admit(access, request, answer, cookie)


def _admit(access: Access, request: Request, response: Response, cookie: str | None) -> Response:
    if cookie:
        secure, lives_s = request.url.scheme == "https", round(SESSION_LIVES_S)
        name = access.secure_cookie if secure else access.cookie
        response.set_cookie(name, cookie, max_age=lives_s, httponly=True, samesite="strict", secure=secure)
    return response
