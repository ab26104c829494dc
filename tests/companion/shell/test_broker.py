"""What a broker is told: retained topics of a written form, and nothing that is hidden. Without a broker."""

from __future__ import annotations

import json
import socket
import threading
from io import BufferedRWPair
from pathlib import Path

import pytest

from companion.core.display import view as view_of
from companion.core.messages import ActionEntered, Thrown
from companion.core.step import step
from companion.games import GAMES
from companion.locale import speaking
from companion.shell import broker
from companion.shell.broker import BrokerDisplay, BrokerLink, broker_address, discovery, told
from companion.shell.effects import ShownView
from companion.shell.errors import SetUpError
from companion.shell.session import SessionTable
from tests.companion.web.test_setup import table_of
from tests.narrow import there

FORM = {
    "turn": {"game", "title", "seat", "player", "expects", "remaining_s", "paused", "attention", "played"},
    "throw": {"number", "played"},
    "verdict": {"kind", "code", "sentence", "played"},
    "score": {"scores", "players", "leaders", "over"},
}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_told_has_the_written_form(game: str, tmp_path: Path) -> None:
    topics = told(view_of(table_of(game, tmp_path).game.state), table_of(game, tmp_path))
    assert topics.keys() == FORM.keys(), "nothing of the game before stays retained"
    assert topics["verdict"]["kind"] is topics["throw"]["number"] is None
    for topic, content in topics.items():
        assert content.keys() == FORM[topic]
        json.dumps(content)
    for topic, keys in FORM.items():
        documented = next(line for line in (broker.__doc__ or "").splitlines() if line.startswith(f"| `{topic}`"))
        assert all(f"`{key}`" in documented or key in ("kind", "players") for key in keys)


def test_a_throw_and_what_is_forbidden_are_told(tmp_path: Path) -> None:
    table = table_of("royal-ur", tmp_path)
    state = table.game.state
    dice = there(table.game.engine.turns.dice)
    state, _effects = step(state, Thrown(dice.counted(state.position, [2]), 1))
    topics = told(view_of(state), table)
    assert topics["throw"]["number"] == 2 and topics["throw"]["played"] == 1
    assert topics["verdict"]["kind"] == "confirmed" and topics["verdict"]["sentence"]
    state, _effects = step(state, ActionEntered(table.game.engine.game.action_from_json({"move": 7}), 2))
    refused = told(view_of(state), table)["verdict"]
    assert refused["kind"] == "refused" and refused["code"]
    with speaking("de"):
        assert told(view_of(state), table)["verdict"]["sentence"] != refused["sentence"]
        assert told(view_of(state), table)["verdict"]["code"] == refused["code"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("mqtt://10.0.0.5/club-7", ("10.0.0.5", 1883, "club-7", "", False)),
        ("mqtts://anna:s%40e@broker.local:9000/t1", ("broker.local", 9000, "t1", "anna", True)),
    ],
)
def test_an_address_is_read(url: str, expected: tuple[object, ...]) -> None:
    read = broker_address(url)
    assert (read.host, read.port, read.table, read.user, read.encrypted) == expected
    assert "s@e" not in read.name


@pytest.mark.parametrize(
    "url", ["", "http://x/t", "http://x:1883/t", "mqtt://", "mqtt://host:99999/t", "mqtt://host/a/b", "mqtt://h/%23"]
)
def test_what_is_no_address_is_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(SetUpError, match="mqtt://"):
        broker_address(url)


def test_each_topic_is_introduced_to_home_assistant() -> None:
    introduced = discovery("table-1")
    assert {config["state_topic"] for config in introduced.values()} == {f"companion/table-1/{topic}" for topic in FORM}
    assert len({config["unique_id"] for config in introduced.values()}) == len(FORM)
    assert all(topic.startswith("homeassistant/sensor/") and topic.endswith("/config") for topic in introduced)


def test_with_the_connection_a_broker_is_told_how_the_table_stands_and_nothing_older() -> None:
    with socket.create_server(("127.0.0.1", 0)) as broker_socket:
        link = BrokerLink(broker_address(f"mqtt://127.0.0.1:{broker_socket.getsockname()[1]}/t1"))
        connection, _address = broker_socket.accept()
        with connection, connection.makefile("rwb") as stream:
            _packet(stream)
            for played in range(400):
                with pytest.raises(ConnectionError):
                    link.tell("turn", {"played": played})
            stream.write(bytes([0x20, 2, 0, 0]))  # accepted
            stream.flush()
            told = dict(_published(stream) for _topic in range(len(discovery("t1")) + 2))
            assert told.keys() > {"companion/t1/status", "companion/t1/turn"}
            assert json.loads(told["companion/t1/turn"]) == {"played": 399}
            link.tell("turn", {"played": 400})
            assert _published(stream) == ("companion/t1/turn", b'{"played": 400}')
            closing = threading.Thread(target=link.close)
            closing.start()
            _first, offline = _packet(stream)
            assert offline.endswith(b"offline")
            stream.write(bytes([0x40, 2]) + offline[-len(b"offline") - 2 : -len(b"offline")])  # received
            stream.flush()
            closing.join(5.0)


def _packet(stream: BufferedRWPair) -> tuple[int, bytes]:
    """Read one MQTT packet: its first byte, and what follows its length."""
    first, length, shift = stream.read(1)[0], 0, 0
    while True:
        byte = stream.read(1)[0]
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
    return first, stream.read(length)


def _published(stream: BufferedRWPair) -> tuple[str, bytes]:
    """Read a packet that publishes something retained; return its topic and content."""
    first, body = _packet(stream)
    assert first == 0x31
    end = 2 + int.from_bytes(body[:2])
    return body[2:end].decode(), body[end:]


def test_without_a_broker_the_display_fails_with_a_sentence_and_the_game_goes_on(tmp_path: Path) -> None:
    table: SessionTable = table_of("royal-ur", tmp_path)
    link = BrokerLink(broker_address("mqtt://127.0.0.1:1/table"))
    try:
        with pytest.raises(OSError, match="does not answer"):
            BrokerDisplay(link, table).show(ShownView(view_of(table.game.state)))
    finally:
        link.close()
