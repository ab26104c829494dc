"""`python -m tests.evaluate.brokers`: many tables on one real broker; fails where mosquitto is not installed.

Each table plays a game by chance and publishes it as the program does. A subscriber notes how long a message took,
another one who comes late gets how each table stands. Then the broker is stopped and started again: the tables come
back by themselves.

Exit codes: 0 all held; 1 something did not; 2 arguments that cannot be used.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from socket import socket

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.core.display import view as view_of
from companion.core.messages import ActionEntered, Thrown
from companion.core.state import State
from companion.core.step import step
from companion.games.engines import ENGINES
from companion.shell.broker import ROOT, BrokerAddress, BrokerDisplay, BrokerLink
from companion.shell.effects import ShownView
from tests.companion.web.test_setup import table_of

MOSQUITTO = "/usr/sbin/mosquitto"
MOST_SECONDS = 1.0
"""From a publication to the last subscriber, 95 of 100."""

GAME = "royal-ur"


class Broker:
    """A mosquitto of our own on a free port; what is retained outlives a restart."""

    def __init__(self, folder: Path) -> None:
        with socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\npersistence_location {folder}/\n"
            "user root\nlog_type none\nmax_queued_messages 0\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run it."""
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._config)])
        self._answers()
        try:
            yield
        finally:
            self._process.terminate()
            self._process.wait(10)

    def _answers(self) -> None:
        deadline = time.monotonic() + 10.0
        while time.monotonic() < deadline:
            with suppress(OSError), socket() as probe:
                probe.connect(("127.0.0.1", self.port))
                return
            time.sleep(0.05)
        message = "mosquitto did not start"
        raise RuntimeError(message)


class Listener:
    """Subscribes to all tables and notes what came, when."""

    def __init__(self, port: int) -> None:
        self.latest: dict[str, str] = {}
        self.came: dict[tuple[str, str], float] = {}
        self._changed = threading.Condition()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda client, *_told: client.subscribe(f"{ROOT}/#", qos=1)
        self._client.on_message = lambda _client, _data, message: self._note(message.topic, message.payload.decode())
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _note(self, topic: str, content: str) -> None:
        with self._changed:
            self.latest[topic] = content
            self.came.setdefault((topic, content), time.monotonic())
            self._changed.notify_all()

    def until(self, wanted: Callable[[dict[str, str]], bool], wait_s: float = 30.0) -> bool:
        """Wait until what came is as wanted; return whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: wanted(self.latest), wait_s)

    def close(self) -> None:
        """End."""
        self._client.disconnect()
        self._client.loop_stop()


def course(state: State, actions: int, random: Random) -> Iterator[State]:
    """Yield the states of a game by chance."""
    engine = ENGINES[GAME]
    for at_ns in range(1, actions + 1):
        if engine.game.over(state.position):
            return
        dice = engine.turns.dice
        if engine.turns.dice.awaited(state.position):
            state, _effects = step(state, Thrown(dice.throw(state.position, random), at_ns))
        else:
            action = random.choice(list(engine.game.actions(state.position)))
            state, _effects = step(state, ActionEntered(action, at_ns))
        yield state


def measure(tables: int, actions: int) -> list[str]:
    """Play, print figures, and return what did not hold."""
    problems: list[str] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        broker = Broker(folder)
        links: list[BrokerLink] = []
        with broker.running():
            listener = Listener(broker.port)
            links = [BrokerLink(BrokerAddress("127.0.0.1", broker.port, f"t{n}")) for n in range(tables)]
            begun = time.monotonic()
            if not listener.until(lambda latest: sum(v == "online" for v in latest.values()) == tables):
                problems.append(f"only {sum(v == 'online' for v in listener.latest.values())} tables came online")
            print(f"{tables} tables online after {time.monotonic() - begun:.1f} s", flush=True)  # noqa: T201
            sent: dict[tuple[str, str], float] = {}
            table = table_of(GAME, folder)
            for number, link in enumerate(links):
                display, tell = BrokerDisplay(link, table), link.tell
                link.tell = _timed(tell, link, sent)  # type: ignore[method-assign]
                for state in course(table.game.state, actions, Random(number)):
                    display.show(ShownView(view_of(state)))
            listener.until(lambda _latest: len(listener.came.keys() & sent.keys()) == len(sent))
            lost = sent.keys() - listener.came.keys()
            delays = sorted(listener.came[key] - sent[key] for key in sent.keys() - lost)
            at_95 = delays[int(0.95 * (len(delays) - 1))]
            print(f"{len(sent)} messages, {len(lost)} lost; 95 % within {1000 * at_95:.0f} ms", flush=True)  # noqa: T201
            if lost or at_95 > MOST_SECONDS:
                problems.append(f"{len(lost)} lost, 95 % within {at_95:.1f} s")
            late = Listener(broker.port)
            if not late.until(lambda latest: len(latest) >= len(listener.latest)):
                problems.append("who came late did not get how each table stands")
            problems += [f"differs: {topic}" for topic in late.latest if late.latest[topic] != listener.latest[topic]][
                :3
            ]
            late.close()
            listener.close()
        with broker.running():  # again: the tables come back by themselves
            back = Listener(broker.port)
            if not back.until(lambda latest: sum(v == "online" for v in latest.values()) == tables, 90.0):
                problems.append("tables did not come back after the broker did")
            for link in links:
                link.close()
            if not back.until(lambda latest: sum(v == "offline" for v in latest.values()) == tables):
                problems.append("tables that ended are not offline")
            back.close()
    return problems


def _timed(tell: Callable[..., None], link: BrokerLink, sent: dict[tuple[str, str], float]) -> Callable[..., None]:
    def timed(topic: str, content: dict[str, object]) -> None:
        key = (f"{ROOT}/{link.address.table}/{topic}", json.dumps(content, ensure_ascii=False))
        sent.setdefault(key, time.monotonic())
        tell(topic, content)

    return timed


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.brokers", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--actions", type=int, default=20, help="of each table")
    args = parser.parse_args(argv)
    if shutil.which(MOSQUITTO) is None:
        print("mosquitto is missing: apt-get install mosquitto", file=sys.stderr)  # noqa: T201
        return 1
    problems = measure(args.tables, args.actions)
    print(*problems or ["all held"], sep="\n")  # noqa: T201
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
