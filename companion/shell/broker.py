"""A display on an MQTT broker, so that several tables meet, and home automation reacts.

All messages are retained, so that a client that connects later knows the state of a table. Under `companion/TABLE/`, as
JSON in UTF-8:

| topic | content |
| --- | --- |
| `status` | `online`, or `offline` once the program has ended or its connection is lost; plain text |
| `turn` | `game`, `title`, `seat`, `player`, `expects` (a sentence), `remaining_s`, `paused`, `attention`, `played` |
| `throw` | `number` and `played`, the number of the action that it was |
| `verdict` | `kind` (confirmed, refused, unclear, unchanged, tookback), `code`, `sentence`, `played` |
| `score` | `scores` and `players` by seat, `leaders`, `over` |

`number`, `seat`, `kind`, `code` and `remaining_s` are null if there is none, as before the first action. No message
contains hidden information. Home Assistant discovers the table: its discovery topics are under
`homeassistant/sensor/companion_TABLE/`.
"""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from companion.core.verdicts import Confirmed, Refused, Unclear
from companion.games.captions import page_for
from companion.games.engines import ENGINES
from companion.locale import _
from companion.shell.effects import Apart, ShownView
from companion.shell.errors import SetUpError

if TYPE_CHECKING:
    from paho.mqtt.client import Client
    from paho.mqtt.reasoncodes import ReasonCode

    from companion.core.view import View
    from companion.shell.session import SessionTable

ROOT, DISCOVERY = "companion", "homeassistant"
ONLINE, OFFLINE = "online", "offline"
PORTS = {"mqtt": 1883, "mqtts": 8883}
_END_S = 2.0


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """A broker's address, and the table's name there; no message shows the password."""

    host: str
    port: int
    table: str
    user: str = ""
    password: str = ""
    encrypted: bool = False

    @property
    def name(self) -> str:
        """The address without user and password."""
        return f"{self.host}:{self.port}/{self.table}"


def broker_address(url: str) -> BrokerAddress:
    """Parse `mqtt://USER:PASSWORD@HOST:PORT/TABLE`; the table's name defaults to this machine's.

    Raises:
        SetUpError: it is not such an address.
    """
    try:
        parts = urlsplit(url)
        usual = PORTS[parts.scheme]
        port = parts.port or usual
        host = parts.hostname or ""
        table = unquote(parts.path).strip("/") or socket.gethostname().partition(".")[0]
    except (KeyError, ValueError):
        host, table, port = "", "", 0
    if not host or not re.fullmatch(r"[\w-]{1,40}", table):
        raise SetUpError(_("a broker is given by its address, such as mqtt://192.168.1.5/table-1"))
    return BrokerAddress(
        host, port, table, unquote(parts.username or ""), unquote(parts.password or ""), parts.scheme == "mqtts"
    )


class BrokerLink:
    """The connection to a broker, which reconnects by itself and delays nobody.

    Each connection publishes the latest content of every topic; earlier content is dropped.
    """

    def __init__(self, address: BrokerAddress) -> None:
        from paho.mqtt.client import Client  # noqa: PLC0415 - an extra
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415

        self.address, self._latest = address, dict[str, str]()
        self._lock = threading.Lock()
        self._client: Client = Client(CallbackAPIVersion.VERSION2)
        self._client.will_set(self._topic("status"), OFFLINE, qos=1, retain=True)
        self._client.on_connect = self._greet
        if address.user:
            self._client.username_pw_set(address.user, address.password)
        if address.encrypted:
            self._client.tls_set()
        self._client.connect_async(address.host, address.port)
        self._client.loop_start()

    def tell(self, topic: str, content: Mapping[str, Any]) -> None:
        """Publish a topic if it has changed.

        Raises:
            ConnectionError: there is no connection; the topic is published as soon as there is one.
        """
        said = json.dumps(content, ensure_ascii=False)
        with self._lock:
            is_connected, is_new = self._client.is_connected(), self._latest.get(topic) != said
            self._latest[topic] = said
            if is_connected and is_new:
                self._publish(self._topic(topic), said)
        if not is_connected:
            raise ConnectionError(_("the broker {address} does not answer").format(address=self.address.name))

    def close(self) -> None:
        """Publish that the table is offline, and disconnect."""
        if self._client.is_connected():
            self._client.publish(self._topic("status"), OFFLINE, qos=1, retain=True).wait_for_publish(_END_S)
        self._client.disconnect()
        self._client.loop_stop()

    def _greet(self, _client: Client, _data: object, _flags: object, reason: ReasonCode, _more: object) -> None:
        """Publish the table's status and topics, and its discovery topics for Home Assistant."""
        if reason.is_failure:
            return
        with self._lock:
            self._publish(self._topic("status"), ONLINE)
            for topic, config in discovery(self.address.table).items():
                self._publish(topic, json.dumps(config))
            for name, said in self._latest.items():
                self._publish(self._topic(name), said)

    def _publish(self, topic: str, said: str) -> None:
        """Publish at once or not at all: a queued message would replace a later one of its topic."""
        self._client.publish(topic, said, qos=0, retain=True)

    def _topic(self, name: str) -> str:
        return f"{ROOT}/{self.address.table}/{name}"


def discovery(table: str) -> dict[str, dict[str, Any]]:
    """Return the discovery topics for Home Assistant: one sensor for each of our topics."""
    shown = {
        "turn": ("{{ value_json.player }}", "mdi:account-arrow-right"),
        "throw": ("{{ value_json.number }}", "mdi:dice-multiple"),
        "verdict": ("{{ value_json.kind }}", "mdi:gavel"),
        "score": ("{{ value_json.leaders | join(', ') }}", "mdi:scoreboard"),
    }
    device = {"identifiers": [f"companion_{table}"], "name": f"Companion {table}", "manufacturer": "table-companion"}
    return {
        f"{DISCOVERY}/sensor/companion_{table}/{name}/config": {
            "name": name,
            "unique_id": f"companion_{table}_{name}",
            "state_topic": f"{ROOT}/{table}/{name}",
            "json_attributes_topic": f"{ROOT}/{table}/{name}",
            "value_template": template,
            "icon": icon,
            "availability_topic": f"{ROOT}/{table}/status",
            "payload_available": ONLINE,
            "payload_not_available": OFFLINE,
            "device": device,
        }
        for name, (template, icon) in shown.items()
    }


def told(view: View, table: SessionTable) -> dict[str, dict[str, Any]]:
    """Return what is published of a view, by topic, in the current language."""
    page = page_for(view, table.game.adaptor.board(), lamps={})
    verdict, turns = view.verdict, ENGINES[view.game].turns
    seat = view.prompt.seat
    topics: dict[str, dict[str, Any]] = {
        "turn": {
            "game": view.game,
            "title": page.title,
            "seat": seat,
            "player": page.names.get(seat or "", page.banner),
            "expects": page.turn,
            "remaining_s": view.remaining_s,
            "paused": view.paused,
            "attention": view.attention.value if view.attention else None,
            "played": view.played,
        },
        "score": {
            "scores": dict(page.scores),
            "players": dict(page.names),
            "leaders": [page.names.get(leader, leader) for leader in view.leaders],
            "over": view.over,
        },
    }
    if verdict is not None:
        code = verdict.code if isinstance(verdict, Refused | Unclear) else None
        kind = type(verdict).__name__.lower()
        topics["verdict"] = {"kind": kind, "code": code, "sentence": page.message, "played": view.played}
    elif not view.played:  # the broker still has those of the game before
        topics["verdict"] = {"kind": None, "code": None, "sentence": "", "played": 0}
        topics["throw"] = {"number": None, "played": 0}
    if isinstance(verdict, Confirmed) and isinstance(verdict.action, turns.dice.kind):
        topics["throw"] = {"number": turns.dice.number(verdict.action), "played": view.played}
    return topics


class BrokerDisplay:
    """A game on a broker."""

    name, language = "broker", ""

    def __init__(self, link: BrokerLink, table: SessionTable) -> None:
        self._link, self._table = link, table

    def show(self, shown: ShownView) -> None:
        """Publish what has changed; raise `OSError` while there is no connection."""
        for topic, content in told(shown.view, self._table).items():
            self._link.tell(topic, content)


@contextmanager
def broker_display(link: BrokerLink, table: SessionTable) -> Iterator[Apart]:
    """Publish a game until its session ends; a slow broker delays nobody."""
    apart = Apart(BrokerDisplay(link, table), table.report)
    try:
        yield apart
    finally:
        apart.close(_END_S)
