"""The page beside an evening: its server in a thread, what it shows of the lobby and each game, and its addresses."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from companion.app.evening import Pages
from companion.core.messages import ButtonPressed
from companion.core.verdicts import Button
from companion.locale import _, language
from companion.shell.errors import SetUpError
from companion.web.access import Access
from companion.web.acts import Act, Answer, GameActs, lobby_acts
from companion.web.scene import game_scene, lobby_scene
from companion.web.server import Site, application
from companion.web.theatre import EMPTY, Stage, Theatre

if TYPE_CHECKING:
    from companion.app.lobby import LobbyAct
    from companion.core.lobby import Lobby
    from companion.shell.clock import Clock
    from companion.shell.effects import ShownView
    from companion.shell.loop import Message
    from companion.shell.session import SessionTable

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
USUAL_PORT = 8080


@dataclass(frozen=True)
class PagePlan:
    """How the page is served.

    Attributes:
        host: the address that is listened at; loopback asks for no secret.
        port: 0 for any that is free.
        clock: the evening's.
        folder: keeps the sessions of phones and the certificate; None to keep nothing.
        sees: whether a camera looks at the table.
    """

    host: str
    port: int
    clock: Clock
    folder: Path | None = None
    sees: bool = True

    @property
    def asks(self) -> bool:
        """Whether a phone has to be admitted."""
        return self.host not in LOOPBACK


class PageHost:
    """Shows an evening on the page, and puts what people do there into the inbox of the lobby or the game.

    Args:
        plan: how it is served.
        theatre: what is shown.
        access: who may see it.
    """

    def __init__(self, plan: PagePlan, theatre: Theatre, access: Access) -> None:
        self._plan, self.theatre, self.access = plan, theatre, access

    def pages(self) -> Pages:
        """Return what the evening is given."""
        return Pages(self.lobby, (self.display,), self.heard)

    def heard(self, message: Message) -> None:
        """Admit a phone that waits for it when DONE is pressed at the table."""
        if isinstance(message, ButtonPressed) and message.button is Button.DONE and self.access.asks:
            self.access.admit()

    @contextmanager
    def lobby(self, put: Callable[[LobbyAct], None]) -> Iterator[Callable[[Lobby], None]]:
        """Show the lobby until people have agreed on a game."""

        def show(lobby: Lobby) -> None:
            def take(_session: str, act: Act) -> Answer:
                for event in lobby_acts(act, lobby):
                    put(event)
                return Answer()

            self.theatre.show(Stage(lambda: lobby_scene(lobby, sees=self._plan.sees), take, language()))

        try:
            yield show
        finally:
            self.theatre.show(EMPTY)

    @contextmanager
    def display(self, table: SessionTable) -> Iterator[GameDisplay]:
        """Show a game until its session ends."""
        try:
            yield GameDisplay(self.theatre, table, self._plan.clock.now_ns)
        finally:
            self.theatre.show(EMPTY)


class GameDisplay:
    """A game on the page; showing a view returns at once."""

    name, language = "page", ""

    def __init__(self, theatre: Theatre, table: SessionTable, now_ns: Callable[[], int]) -> None:
        self._theatre, self._table, self._now_ns = theatre, table, now_ns
        self._acts: dict[str, GameActs] = {}

    def show(self, shown: ShownView) -> None:
        """Show a view instead of the last one."""
        table = self._table

        def take(session: str, act: Act) -> Answer:
            if session not in self._acts:
                self._acts[session] = GameActs(table.report, self._now_ns)
            return self._acts[session].take(act, shown.view, table)

        self._theatre.show(Stage(lambda: game_scene(shown, table), take, language()))


@contextmanager
def serve_page(plan: PagePlan, say: Callable[[Sequence[str]], object]) -> Iterator[PageHost]:
    """Serve the page while it is entered.

    Args:
        plan: how.
        say: tells the people at the terminal where it is.

    Raises:
        SetUpError: the address cannot be listened at.
    """
    theatre = Theatre()
    with ExitStack() as stack:
        listening = stack.enter_context(_listening(plan))
        port = listening.getsockname()[1]
        access = Access(
            asks=plan.asks,
            hosts=LOOPBACK | own_names(plan.host),
            file=plan.folder / "phones.json" if plan.folder and plan.asks else None,
            now_s=time.time,
        )
        host = PageHost(plan, theatre, access)
        site = Site(theatre, access)
        stack.enter_context(_running(site, listening))
        say([_("The page: {address}").format(address=f"http://{plan.host}:{port}/")])
        yield host


def _listening(plan: PagePlan) -> socket.socket:
    family = socket.AF_INET6 if ":" in plan.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((plan.host, plan.port))
    except OSError as error:
        listening.close()
        sentence = _("the page cannot be served at {address}: {reason}")
        raise SetUpError(sentence.format(address=f"{plan.host}:{plan.port}", reason=error.strerror)) from error
    return listening


def own_names(host: str) -> frozenset[str]:
    """Return the names and addresses under which this machine is reached if it listens at one of them."""
    if host in LOOPBACK:
        return LOOPBACK
    name = socket.gethostname()
    return frozenset({host, name, f"{name}.local", "companion.local", *addresses()})


def addresses() -> list[str]:
    """Return the addresses of this machine in its networks, the one towards the others first."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the way
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return list(dict.fromkeys(str(one) for one in found))


@contextmanager
def _running(site: Site, *listening: socket.socket) -> Iterator[None]:
    """Run the server in a thread of its own."""
    config = uvicorn.Config(
        application(site),
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http="h11",
        loop="asyncio",
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16_384,
        limit_concurrency=200,
    )
    server, begun = uvicorn.Server(config), threading.Event()

    async def run() -> None:
        site.theatre.attach(asyncio.get_running_loop())
        begun.set()
        await server.serve([*listening])

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="page", daemon=True)
    thread.start()
    begun.wait()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(3.0)
