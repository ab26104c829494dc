"""A browser without a screen: one phone that asks the application for something, without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from companion.shell.clock import Clock
from companion.web.access import Access
from companion.web.host import PageHost, PagePlan, serve_page
from companion.web.server import Site, application
from companion.web.theatre import Theatre


def a_site(host: str = "192.168.1.5", *, asks: bool = False, **more: Any) -> Site:
    """Return a site that a phone asks at this address, and that asks for no secret unless told to."""
    access = Access(asks=asks, hosts=frozenset({host}), file=None, now_s=lambda: 0.0, elapsed_s=lambda: 0.0)
    return Site(Theatre(), access, **more)


class Phone:
    """Keeps cookies and sends the origin of the page, as a browser does."""

    def __init__(self, site: Site | Access, address: str = "192.168.1.5:8080", *, scheme: str = "http") -> None:
        self._app = application(site if isinstance(site, Site) else Site(Theatre(), site))
        self._base = f"{scheme}://{address}"
        self.cookies = httpx.Cookies()
        self.headers: dict[str, str] = {"origin": self._base}

    def request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            given = {**self.headers, **(headers or {})}
            async with httpx.AsyncClient(transport=transport, base_url=self._base, cookies=self.cookies) as client:
                answer = await client.request(method, path, headers=given, **more)
                self.cookies = client.cookies
                return answer

        return asyncio.run(asked())

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.request("POST", path, **more)


def admitted(site: Site | Access, **more: Any) -> Phone:
    """Return a phone that was admitted with the secret."""
    phone = Phone(site, **more)
    phone.get(f"/J/{(site.access if isinstance(site, Site) else site).token}")
    return phone


@contextmanager
def served(folder: Path, **more: Any) -> Iterator[tuple[PageHost, str]]:
    """Serve the page on addresses of this machine; yield its host and its address."""
    said: list[str] = []
    plan = PagePlan("127.0.0.2", 0, Clock(), folder, **{"secure_port": 0, **more})
    with serve_page(plan, said.extend) as host:
        yield host, next(word for word in said[1].split() if word.startswith("http"))
