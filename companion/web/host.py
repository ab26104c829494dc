"""The host of the page: its server in a thread, the lobby and each game on it, and its addresses."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import segno
import uvicorn
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.app.evening import Pages
from companion.app.lobby import LobbyAct
from companion.app.output import is_encodable, terminal_room
from companion.core.lobby import Lobby
from companion.core.messages import DeviceFailed, DeviceReturned
from companion.core.verdicts import Wanted
from companion.locale import _, language, speaking
from companion.shell.clock import Clock
from companion.shell.effects import ShownView
from companion.shell.errors import SetUpError, os_reason
from companion.shell.frame_reader import FrameReader
from companion.shell.loop import DeviceHealth
from companion.shell.session import SessionTable
from companion.shell.voice import LineVoice, VoiceDisplay
from companion.ui.hearing import Utterance
from companion.web.access import ASKS_S, Access
from companion.web.acts import Act, Answer, GameActs, lobby_acts
from companion.web.after import routes as after_routes
from companion.web.certificate import AUTHORITY, certificate, check_certificate
from companion.web.pictures import Lookout
from companion.web.pictures import routes as picture_routes
from companion.web.scene import Scene, game_scene, lobby_scene
from companion.web.server import JOIN, Site, application, shows
from companion.web.theatre import EMPTY, Stage, Theatre
from companion.web.wifi import routes as wifi_routes
from companion.web.workshop import routes as workshop_routes
from vision.camera.phone import PHONE

ASKING = "phone"
"""The device name, in events, of a phone that asks to be admitted."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
USUAL_SECURE_PORT, SHORT_PORT = 8443, 80
"""With port 80 the address needs no port, and a phone in the box's own Wi-Fi opens the page by itself."""


@dataclass(frozen=True)
class PagePlan:
    """How the page is served.

    Attributes:
        host: the address to listen at; loopback needs no admission.
        port: 0 for any free one.
        clock: the evening's.
        folder: keeps the sessions of phones and the certificate; None to keep nothing.
        sees: whether a camera looks at the table.
        camera: as typed after --camera.
        journal: the journal for the pages after a game; None to show none.
        secure_port: the port for https beyond loopback, which a phone's camera needs; any free one if it is in use.
        short_port: an additional port, if it may be used; None for none.
        certificate: of the users' own, and its key; one is made if there is none.
        authority: whether it is signed by the box's own authority, which phones may install.
    """

    host: str
    port: int
    clock: Clock
    folder: Path | None = None
    sees: bool = True
    camera: str = ""
    journal: Path | None = None
    secure_port: int = USUAL_SECURE_PORT
    short_port: int | None = None
    certificate: tuple[Path | None, Path | None] = (None, None)
    authority: bool = False

    @property
    def asks(self) -> bool:
        """Whether a phone has to be admitted."""
        return self.host not in LOOPBACK


class PageHost:
    """The page of an evening at an `address`, as users type it; input goes to the inbox of the lobby or the game."""

    def __init__(self, plan: PagePlan, theatre: Theatre, access: Access, lookout: Lookout | None = None) -> None:
        self._plan, self.theatre, self.access = plan, theatre, access
        self.lookout = lookout or Lookout()
        self.address = f"http://{plan.host}:{plan.port}/"
        self._report: Callable[[DeviceFailed | DeviceReturned], object] = lambda _event: None
        self._late: threading.Timer | None = None
        access.tell = self.asked

    def pages(self) -> Pages:
        """Return the page as the evening uses it."""
        return Pages((self.lobby,), (self.display,), self.access.admit, self.invitation, self.digits)

    def joining(self, token: str) -> str:
        """Return the address that admits a phone, for a QR code: capitals alone take the smallest one."""
        return f"{self.address.upper()}{JOIN[1:]}{token}"

    def invitation(self, *, under_code: bool = False) -> str:
        """Return the page's address and the six digits, until the first phone is admitted."""
        if not self.access.asks or not self.access.is_alone:
            return ""
        sentence = _("The page: {address} - type these six digits there: {code}")
        if under_code:
            sentence = _("The page: {address} - scan the code with your phone, or type these six digits there: {code}")
        return sentence.format(address=self.address, code=self.access.code)

    def digits(self) -> int | None:
        """Return the number of the phone that asked last to be admitted, None if none is waiting."""
        return next((int(number) for number in reversed(self.access.waiting)), None)

    def asked(self, number: str) -> None:
        """Announce on every display that a phone asks to be admitted, or has stopped asking."""
        if not number:
            self._report(DeviceReturned(ASKING))
            return
        with speaking(self.theatre.stage.language):  # it is for everybody, not for the phone that asks
            sentence = _("A phone asks to join, number {number}: DONE admits it.").format(number=number)
        self._report(DeviceFailed(ASKING, sentence))
        if self._late is not None:  # the last phone to ask is also the last to time out
            self._late.cancel()
        self._late = threading.Timer(ASKS_S + 1.0, self.access.forget_late)
        self._late.daemon = True
        self._late.start()

    @contextmanager
    def lobby(self, put: Callable[[LobbyAct], None], eye: FrameReader | None) -> Iterator[Callable[[Lobby], None]]:
        """Show the lobby until the players have agreed on a game."""
        self.lookout.eye, self._report = eye, put

        def show(lobby: Lobby) -> None:
            def take(_session: str, act: Act) -> Answer:
                for event in lobby_acts(act, lobby):
                    put(event)
                return Answer()

            self.theatre.show(Stage(lambda: lobby_scene(lobby, sees=self._plan.sees), take, language()))

        try:
            yield show
        finally:
            self.lookout.eye = None
            self.theatre.show(EMPTY)

    @contextmanager
    def display(self, table: SessionTable) -> Iterator[GameDisplay]:
        """Show a game until its session ends."""
        self.lookout.eye, self._report = table.devices.eye, table.report
        try:
            yield GameDisplay(self.theatre, table, self._plan.clock.now_ns, self.lookout)
        finally:
            self.lookout.eye = self.lookout.showing = None
            self.theatre.show(EMPTY)


class GameDisplay:
    """A display of a game on the page; showing a view returns at once."""

    name, language = "page", ""

    def __init__(self, theatre: Theatre, table: SessionTable, now_ns: Callable[[], int], lookout: Lookout) -> None:
        self._theatre, self._table, self._now_ns, self._lookout = theatre, table, now_ns, lookout
        self._acts: dict[str, GameActs] = {}
        self._ears: dict[str, tuple[Ear, VoiceDisplay]] = {}
        self._health = DeviceHealth(self.name, table.report)

    def show(self, shown: ShownView) -> None:
        """Replace the last view by this one."""
        table = self._table

        def take(session: str, act: Act) -> Answer:
            if session not in self._acts:
                self._acts[session] = GameActs(table.report, self._now_ns)
            return self._acts[session].take(act, shown.view)

        self._lookout.showing = table, shown.view

        def render() -> Scene:
            try:
                scene = game_scene(shown, table)
                # the sentences about the view in the current language, with a running number
                if (spoken := language()) not in self._ears:
                    ear = Ear()
                    self._ears[spoken] = ear, VoiceDisplay(ear, table.game.adaptor.board(), Wanted.ALL)
                ear, display = self._ears[spoken]
                display.show(shown)
                scene["ear"] = {"number": ear.number, "lines": ear.lines, "interrupts": ear.interrupts}
            except Exception as error:  # an error of the page must not affect the other displays
                self._health.failed(f"{type(error).__name__}: {error}")
                return EMPTY.render()
            self._health.mark_ok()
            return scene

        self._theatre.show(Stage(render, take, language()))


class Ear(LineVoice):
    """A voice that keeps the last sentences for phones to speak; `number` counts how often sentences were added."""

    def __init__(self) -> None:
        super().__init__(lambda *_lines: None)
        self.number, self.lines, self.interrupts = 0, list[str](), False

    def say(self, utterances: Sequence[Utterance], *, again: bool = False) -> None:
        """Store sentences, in place of the last ones."""
        super().say(utterances, again=again)
        if utterances:
            self.number += 1
            self.lines = [utterance.text for utterance in utterances]
            self.interrupts = utterances[0].interrupts


def invite(host: PageHost, request: Request) -> Response:
    """Return to an admitted phone the QR code that admits another, as SVG, with the six digits in a header.

    With `?watch` it is the code for spectators, who have no digits.
    """
    access, watch = host.access, "watch" in request.query_params
    if not access.asks:
        return JSONResponse({"code": "", "address": host.address})
    code = BytesIO()
    token = access.watching if watch else access.token
    segno.make(host.joining(token), error="m").save(code, kind="svg", scale=6, border=3, light="#fff")
    digits = {"x-code": "" if watch else access.code}
    return Response(code.getvalue(), media_type="image/svg+xml", headers=digits)


@contextmanager
def serve_page(plan: PagePlan, say: Callable[[Sequence[str]], object]) -> Iterator[PageHost]:
    """Serve the page within the block; `say` prints lines with its address at the terminal.

    Raises:
        SetUpError: the address cannot be used, or the users' own certificate is invalid.
    """
    theatre = Theatre()
    with ExitStack() as stack:
        listening = stack.enter_context(listening_at(plan.host, plan.port))
        port = listening.getsockname()[1]
        name = socket.gethostname()
        named = {plan.host, name, f"{name}.local", "companion.local", *addresses()} if plan.asks else set[str]()
        access = Access(
            asks=plan.asks,
            hosts=LOOPBACK | named,
            file=plan.folder / "phones.json" if plan.folder and plan.asks else None,
            now_s=time.time,
            elapsed_s=time.monotonic,
            port=port,
        )
        host = PageHost(plan, theatre, access, Lookout(PHONE if plan.camera.partition(":")[0] == "phone" else None))
        site = Site(theatre, access, phone_camera=host.lookout.phone is not None)
        site.more = [*picture_routes(site, host.lookout), Route("/invite", shows(site, partial(invite, host)))]
        site.more += workshop_routes(site, host.lookout)
        if plan.asks:
            networks = wifi_routes(site)
            site.more += networks
            site.networks = bool(networks)
        if plan.journal is not None:
            site.more += after_routes(site, plan.journal)
        served: list[tuple[socket.socket, Mapping[str, Any]]] = [(listening, {})]
        if plan.asks and plan.folder is not None:
            # the page links to the port, so any free one does where another program has the usual one
            try:
                secure = stack.enter_context(listening_at(plan.host, plan.secure_port))
            except SetUpError:
                secure = stack.enter_context(listening_at(plan.host, 0))
            site.secure_port = secure.getsockname()[1]
            cert_file, key_file = plan.certificate
            if cert_file is None or key_file is None:
                cert_file, key_file = certificate(plan.folder, access.hosts - {""}, authority=plan.authority)
                site.authority = plan.folder / AUTHORITY if plan.authority else None
            check_certificate(cert_file, key_file)
            served.append((secure, {"ssl_certfile": cert_file, "ssl_keyfile": key_file}))
        with suppress(SetUpError):
            if plan.asks and plan.short_port is not None:
                served.append((stack.enter_context(listening_at(plan.host, plan.short_port)), {}))
        stack.enter_context(_running(site, served))
        here = plan.host
        if here in ("0.0.0.0", "::"):  # noqa: S104 - what users asked for
            here = next(iter(addresses()), socket.gethostname())
        host.address = f"http://{here}:{port}/"
        code, told = qr_text(host.joining(access.token)), [_("The page: {address}").format(address=host.address)]
        if host.invitation():
            fits = is_encodable(code) and code.count("\n") + _BELOW_CODE <= terminal_room().lines
            told = [code, host.invitation(under_code=True)] if fits else [host.invitation()]
        say(told)
        yield host


_BELOW_CODE = 10
"""The lines of a terminal that invitation and lobby take below a QR code, without which its top would scroll away."""


def qr_text(address: str) -> str:
    """Return an address as a QR code of characters."""
    code = StringIO()
    segno.make(address, error="l").terminal(out=code, compact=True, border=1)
    return code.getvalue().rstrip("\n")


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address; port 0 is any free one.

    Raises:
        SetUpError: this machine has no such address, or the port is in use.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        text = _("the page cannot be served at {address}: {reason}")
        raise SetUpError(text.format(address=f"{host}:{port}" if port else host, reason=os_reason(error))) from error
    return listening


def addresses() -> list[str]:
    """Return the network addresses of this machine, the one of the default route first."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only selects the route
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return list(dict.fromkeys(str(one) for one in found))


MOST_FROM_ONE = 64
"""Connections from one address: one that opens more than it needs takes nobody's place."""


class Line(H11Protocol):
    """A connection, which is closed if there are too many from its address."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin, or close."""
        super().connection_made(transport)
        others = [one.client[0] for one in self.server_state.connections if isinstance(one, Line) and one.client]
        if self.client and others.count(self.client[0]) > MOST_FROM_ONE:
            transport.close()


_SERVER: Mapping[str, Any] = {
    "log_config": None,
    "log_level": "error",
    "access_log": False,
    "server_header": False,
    "date_header": False,
    "proxy_headers": False,
    "lifespan": "off",
    "ws": "none",
    "http": Line,
    "loop": "asyncio",
    "timeout_graceful_shutdown": 1,
    "h11_max_incomplete_event_size": 16_384,
    "limit_concurrency": 200,
}


@contextmanager
def _running(site: Site, served: Sequence[tuple[socket.socket, Mapping[str, Any]]]) -> Iterator[None]:
    """Run the servers in their own thread; `served` has the socket of each, with its https settings."""
    app, begun = application(site), threading.Event()
    servers = [uvicorn.Server(uvicorn.Config(app, **_SERVER, **secure)) for _socket, secure in served]

    async def run() -> None:
        site.theatre.attach(asyncio.get_running_loop())
        begun.set()
        await asyncio.gather(*(one.serve([at]) for one, (at, _secure) in zip(servers, served, strict=True)))

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="page", daemon=True)
    thread.start()
    begun.wait()
    try:
        yield
    finally:
        # a request that takes longer is cut off, and the server would print a traceback of each
        complaints = logging.getLogger("uvicorn.error")
        complaints.disabled = True
        for server in servers:
            server.should_exit = True
        site.theatre.end()
        thread.join(3.0)
        complaints.disabled = thread.is_alive()
