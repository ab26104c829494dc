"""Joining the home network on the page, for a box that was reached in its own Wi-Fi.

NetworkManager does the work, through `nmcli`; deploy/access-point.sh creates the box's own Wi-Fi and the permission.
"""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from shutil import which
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.routing import Route

from companion.locale import _
from companion.web.server import Site, accepts, shows

OWN = "companion"
"""The box's own Wi-Fi, as deploy/access-point.sh names it."""

_PATIENCE_S = 60.0
_FIELD = re.compile(r"(?<!\\):")


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A network to join with its password, "" for an open one."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=32, pattern=r"^[^-\x00-\x1f][^\x00-\x1f]*$")]
    password: Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[^\x00-\x1f]*$")] = ""


class Networks:
    """The networks in reach, and the result of the last attempt to join one."""

    def __init__(self) -> None:
        self._failed = ""
        self._joining: tuple[str, threading.Thread] | None = None

    def listed(self) -> Mapping[str, Any]:
        """Return the networks in reach, strongest first, and the current one."""
        found: dict[str, int] = {}
        current = ""
        lines: Sequence[str] = ()
        with suppress(OSError, subprocess.SubprocessError):  # a box without Wi-Fi
            lines = _nmcli("-t", "-f", "IN-USE,SIGNAL,SSID", "device", "wifi", "list")
        for line in lines:
            used, signal, name = (*_fields(line), "", "")[:3]
            if used == "*":
                current = name
            if name and name != OWN:
                found[name] = max(found.get(name, 0), int(signal) if signal.isdecimal() else 0)
        return {"networks": sorted(found, key=lambda name: -found[name]), "current": current, "failed": self._failed}

    def join(self, wanted: Join) -> str:
        """Join a network, in a thread, because a phone in the box's own Wi-Fi loses its connection.

        Returns:
            the name of the network that is being joined: that of an earlier call if its attempt is not over.
        """
        if self._joining is None or not self._joining[1].is_alive():
            self._failed = ""
            self._joining = wanted.name, threading.Thread(target=self._join, args=(wanted,), name="wifi", daemon=True)
            self._joining[1].start()
        return self._joining[0]

    def _join(self, wanted: Join) -> None:
        known = True
        try:
            known = [wanted.name] in map(_fields, _nmcli("-t", "-f", "NAME", "connection", "show"))
            # the password goes through standard input, because other users can see command lines
            _nmcli("--ask", "device", "wifi", "connect", wanted.name, typed=f"{wanted.password}\n")
            _nmcli("connection", "modify", wanted.name, "connection.autoconnect-priority", "10")
        except (OSError, subprocess.SubprocessError):
            self._failed = wanted.name
            with suppress(OSError, subprocess.SubprocessError):
                if not known:  # a wrong password is not kept
                    _nmcli("connection", "delete", wanted.name)
            with suppress(OSError, subprocess.SubprocessError):
                _nmcli("connection", "up", OWN)


def _fields(line: str) -> list[str]:
    r"""Return the fields of a terse line of nmcli, in which "\:" is a colon."""
    return [re.sub(r"\\(.)", r"\1", field) for field in _FIELD.split(line)]


def _nmcli(*arguments: str, typed: str = "") -> Sequence[str]:
    """Return the output lines of nmcli.

    Raises:
        OSError, SubprocessError: it is missing, fails, or takes more than a minute.
    """
    ran = subprocess.run(  # noqa: S603 - words that were checked, and no shell
        [which("nmcli") or "nmcli", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=True,
    )
    return ran.stdout.splitlines()


def routes(site: Site) -> list[Route]:
    """Return the routes of the networks' page; none without NetworkManager."""
    if which("nmcli") is None:
        return []
    networks = Networks()

    def listed(_request: Request) -> Mapping[str, Any]:
        words = {
            "name": _("Name of the Wi-Fi"),
            "password": _("Password"),
            "join": _("Join it"),
            "joining": _(
                "The box joins {name} now. Join it with this phone, too, and open http://companion.local. If it does"
                ' not succeed, the Wi-Fi "companion" comes back within a minute.'
            ),
            "failed": _("{name} could not be joined. Is the password right?"),
        }
        return {"words": words, **networks.listed()}

    def join(_request: Request, wanted: Join) -> Mapping[str, str]:
        return {"joining": networks.join(wanted)}

    return [
        Route("/networks", shows(site, listed)),
        Route("/networks", accepts(site, Join, join, 600), methods=["POST"]),
    ]
