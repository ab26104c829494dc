"""Who may use the page, after what ASVS level 1 asks of sessions, origins, limits and headers and applies here."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import ExitStack
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.core.messages import DeviceFailed, DeviceReturned
from companion.locale import language
from companion.shell.clock import Clock
from companion.web import host as hosts
from companion.web import theatre as theatres
from companion.web.access import LOCKED_S, MOST_SESSIONS, SESSION_LIVES_S, WRONG_CODES, Access
from companion.web.host import PageHost, PagePlan
from companion.web.server import COSTS, MOST_BYTES, MOST_STREAMS, MOST_WATCHED_STREAMS, OWN_WIFI, Site
from companion.web.theatre import MOST_OF_ONE, Stage, Theatre
from hardware.panel import Button, ButtonPressed, Enqueue, Panel
from tests.companion.shell.clocks import ManualClock
from tests.companion.web.phones import Phone, admitted, served
from tests.narrow import there

HERE = "192.168.1.5:8080"


class Time:
    def __init__(self) -> None:
        self.s = 1_000_000.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def now() -> Time:
    return Time()


@pytest.fixture
def access(now: Time, tmp_path: Path) -> Access:
    hosts, file = frozenset({"192.168.1.5", "localhost"}), tmp_path / "phones.json"
    return Access(asks=True, hosts=hosts, file=file, now_s=now, elapsed_s=now)


def test_nothing_but_the_page_itself_is_given_to_a_phone_that_was_not_admitted(access: Access) -> None:
    client = Phone(access)
    for path in ("/events", "/known", "/nothing", "/act"):
        assert client.get(path).status_code == 401
    assert client.post("/act", json={"do": "press", "button": "done"}).status_code == 401
    assert client.get("/").status_code == client.get("/page.js").status_code == client.get("/words").status_code == 200


@pytest.mark.parametrize("by", ["token", "code"])
def test_a_secret_admits_one_phone_once(access: Access, by: str) -> None:
    token, code = access.token, access.code
    clients = Phone(access), Phone(access)
    if by == "token":
        answers = [client.get(f"/J/{token}") for client in clients]
    else:
        answers = [client.post("/pair", json={"code": code}) for client in clients]
    assert [client.get("/known").status_code for client in clients] == [200, 401]
    cookie = answers[0].headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "secure" not in cookie
    assert "set-cookie" not in answers[1].headers


def test_over_https_the_cookie_is_sent_over_nothing_else(access: Access) -> None:
    answer = Phone(access, scheme="https").post("/pair", json={"code": access.code})
    assert "secure" in answer.headers["set-cookie"].lower()


def test_digits_cannot_be_tried_out(access: Access, now: Time) -> None:
    client = Phone(access)
    right = access.code
    wrong = f"{(int(right) + 1) % 1_000_000:06d}"
    for _time in range(WRONG_CODES):
        assert client.post("/pair", json={"code": wrong}).status_code == 403
    assert client.post("/pair", json={"code": right}).status_code == 403, "locked for a while"
    now.s += LOCKED_S
    assert client.post("/pair", json={"code": right}).status_code == 200, "the code that a terminal still shows"


def test_a_calendar_that_is_put_back_holds_up_no_phone(tmp_path: Path) -> None:
    now, elapsed = Time(), Time()
    hosts, file = frozenset({"192.168.1.5"}), tmp_path / "phones.json"
    access = Access(asks=True, hosts=hosts, file=file, now_s=now, elapsed_s=elapsed)
    phone, stranger = admitted(access), Phone(access)
    stranger.post("/pair", json={})
    for _time in range(WRONG_CODES):
        access.by_code("wrong")
    now.s -= 3600  # the time of the network arrives
    elapsed.s += LOCKED_S + 1
    assert phone.get("/known").status_code == 200
    assert stranger.post("/pair", json={"code": access.code}).status_code == 200, "the lock has ended"
    assert not access.waiting, "nobody asks for longer than a minute"


def test_a_secret_is_new_after_its_use_and_sessions_end(access: Access, now: Time) -> None:
    token, code = access.token, access.code
    alone = [access.is_alone]
    cookie = access.by_token(token)
    assert cookie is not None and access.knows(cookie)
    assert [*alone, access.is_alone] == [True, False]
    assert access.token != token and access.code != code
    assert access.by_token(token) is None and access.by_code(code) is None
    now.s += SESSION_LIVES_S
    assert not access.knows(cookie)


def test_after_a_restart_a_session_that_has_ended_is_nobodys(access: Access, now: Time, tmp_path: Path) -> None:
    access.by_token(access.token)
    now.s += SESSION_LIVES_S
    assert Access(asks=True, hosts=access.hosts, file=tmp_path / "phones.json", now_s=now, elapsed_s=now).is_alone


def test_a_phone_is_admitted_by_done_at_the_table_within_a_minute(access: Access, now: Time) -> None:
    host = PageHost(PagePlan("192.168.1.5", 8080, ManualClock()), Theatre(), access)
    told: list[object] = []
    assert access.tell == host.asked
    with host.lobby(told.append, None):
        pass
    client = Phone(access)
    asked = client.post("/pair", json={}).json()
    assert access.waiting == (asked["number"],)
    [seen] = told
    assert isinstance(seen, DeviceFailed) and asked["number"] in seen.message, "nobody is admitted unseen"
    assert host.digits() == int(asked["number"])
    assert not client.post("/pair", json={"secret": asked["secret"]}).json()["ok"]
    panels: list[Enqueue] = []
    put: list[object] = []

    def opened(enqueue: Enqueue) -> Panel:
        panels.append(enqueue)
        return Panel()

    host.pages().admitting(opened)(put.append)
    [press] = panels
    press(ButtonPressed(Button.ROLL, 0))
    assert not client.post("/pair", json={"secret": asked["secret"]}).json()["ok"]
    press(ButtonPressed(Button.DONE, 0))
    assert client.post("/pair", json={"secret": asked["secret"]}).json()["ok"]
    assert client.get("/known").status_code == 200
    assert isinstance(told[-1], DeviceReturned)
    late = client.post("/pair", json={}).json()
    now.s += 61
    press(ButtonPressed(Button.DONE, 0))
    assert put == [ButtonPressed(Button.ROLL, 0), ButtonPressed(Button.DONE, 0)], "DONE that admits does nothing else"
    assert not client.post("/pair", json={"secret": late["secret"]}).json()["ok"]


def test_done_on_an_admitted_phone_admits_another_and_then_does_what_it_always_does(access: Access) -> None:
    first, second = admitted(access), Phone(access)
    secret = second.post("/pair", json={}).json()["secret"]
    done = {"do": "press", "button": "done"}
    assert not first.post("/act", json=done).json().get("stale")
    assert second.post("/pair", json={"secret": secret}).json()["ok"]
    assert first.post("/act", json=done).json()["stale"], "there is no game just now"


def test_sessions_outlive_a_restart_and_only_hashes_are_kept(access: Access, now: Time, tmp_path: Path) -> None:
    cookie = there(access.by_token(access.token))
    file = tmp_path / "phones.json"
    assert cookie not in file.read_text() and file.stat().st_mode & 0o077 == 0
    assert Access(asks=True, hosts=access.hosts, file=file, now_s=now, elapsed_s=now).knows(cookie)
    for damaged in ("{", "[1]", '{"a": "b"}', "\xff"):
        file.write_text(damaged, encoding="latin-1")
        assert not Access(asks=True, hosts=access.hosts, file=file, now_s=now, elapsed_s=now).knows(cookie)


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"host": "evil.example"}, 403),  # a name that was made to point here
        ({"host": ""}, 403),
        ({"host": "192.168.1.5:bad:port"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://192.168.1.5:8080"}, 403),
        ({"origin": None}, 403),
        ({"content-type": "text/plain"}, 415),
        ({}, 200),
    ],
)
def test_a_change_is_made_by_the_page_alone(access: Access, headers: dict[str, str | None], code: int) -> None:
    client = admitted(access)
    sent = {"host": HERE, "origin": f"http://{HERE}", "content-type": "application/json", **headers}
    del client.headers["origin"]
    given = {name: value for name, value in sent.items() if value is not None}
    answer = client.post("/act", content=json.dumps({"do": "press", "button": "done"}), headers=given)
    assert answer.status_code == code


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"do": "nothing"}',
        b'{"do": "press"}',
        b'{"do": "press", "button": "fire"}',
        b'{"do": "press", "button": "done", "more": 1}',
        b'{"do": "choose", "place": -1}',
        b'{"do": "choose", "place": 99999999999999999999999}',
        b'{"do": "type", "line": "' + b"a" * 300 + b'"}',
        b'{"do": "people", "seats": []}',
        b"[" * 2000,
        b'{"do": "type", "line": "\xff"}',
    ],
)
def test_what_is_not_expected_is_refused(access: Access, body: bytes) -> None:
    client = admitted(access)
    assert client.post("/act", content=body, headers={"content-type": "application/json"}).status_code == 400


def test_what_is_too_large_or_too_often_is_refused(access: Access, now: Time) -> None:
    client = admitted(access)
    kind = {"content-type": "application/json"}
    assert client.post("/act", content=b" " * 5_000, headers=kind).status_code == 413
    assert client.post("/act", content=_unknown_length(), headers=kind).status_code == 411  # a body of unknown length
    codes = [client.get("/known").status_code for _time in range(60)]
    assert codes[0] == 200 and codes[-1] == 429
    now.s += 5
    assert client.get("/known").status_code == 200


def test_going_from_view_to_view_is_not_asking_too_often(access: Access) -> None:
    client = admitted(access)
    asked = (
        "/aiming",
        *(f"/{name}.js" for name in ("page", "dom", "game", "board", "lobby", "after", "phone")),
        "/known",
    )
    assert {client.get(path).status_code for path in asked * 8} == {200}


@pytest.mark.parametrize("path", COSTS)
def test_what_takes_the_processor_can_be_asked_for_less_often(access: Access, path: str) -> None:
    client = admitted(access)
    asked = [client.get(f"/{path}").status_code for _time in range(40)]
    assert 3 <= sum(code != 429 for code in asked) <= 20


def test_a_stranger_who_asks_and_asks_is_slowed_down_and_keeps_one_timer(access: Access) -> None:
    host = PageHost(PagePlan("192.168.1.5", 8080, ManualClock()), Theatre(), access)
    before = _pending_timers()
    told: list[object] = []
    with host.lobby(told.append, None):
        codes = [Phone(access).post("/pair", json={}).status_code for _time in range(30)]
    assert 0 < codes.count(200) <= 10 and len(told) == codes.count(200)
    [late] = _pending_timers() - before
    late.cancel()


def _pending_timers() -> set[threading.Timer]:
    return {one for one in threading.enumerate() if isinstance(one, threading.Timer) and not one.finished.is_set()}


def test_a_name_of_this_machine_may_have_capitals(now: Time) -> None:
    access = Access(asks=False, hosts=frozenset({"RaspberryPi.local"}), file=None, now_s=now, elapsed_s=now)
    assert Phone(access, "raspberrypi.local:8080").get("/known").status_code == 200


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/static/../host.py", "/%2e%2e/server.py", "/J/../act", "/.git"]
)
def test_no_path_of_a_request_reaches_the_disk(access: Access, path: str) -> None:
    client = admitted(access)
    assert client.get(path).status_code in {303, 404, 405}


def test_a_fault_in_an_answer_is_one_line_and_no_traceback(access: Access, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(_request: Request) -> Response:
        message = "so it is"
        raise ZeroDivisionError(message)

    phone = admitted(Site(Theatre(), access, more=[Route("/fails", fails)]))
    assert phone.get("/fails").status_code == 500
    assert capsys.readouterr().err == "companion: /fails: ZeroDivisionError: so it is\n"


@pytest.mark.parametrize("method", ["put", "delete", "patch", "options"])
def test_other_methods_are_not_answered(access: Access, method: str) -> None:
    assert Phone(access).request(method, "/act").status_code == 405


def test_every_answer_has_the_policy_of_the_page(access: Access) -> None:
    client = Phone(access)
    for answer in (client.get("/"), client.get("/events"), client.get("/known"), client.get("/J/wrong")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers


def test_a_browser_without_scripts_says_what_is_missing(access: Access) -> None:
    assert "<noscript>This page needs JavaScript" in Phone(access).get("/").text, "it was an empty page"


def test_the_page_needs_nothing_from_elsewhere(access: Access) -> None:
    client = Phone(access)
    shown = [
        client.get(path) for path in ("/", "/page.css", "/page.js", "/board.js", "/game.js", "/lobby.js", "/phone.js")
    ]
    assert all(answer.status_code == 200 for answer in shown)
    for answer in shown:
        text = answer.text.replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text and "https://" not in text and "//cdn" not in text
        assert "innerHTML" not in text and "eval(" not in text and " style=" not in text


def test_loopback_asks_for_no_secret_but_for_its_own_name() -> None:
    access = Access(asks=False, hosts=frozenset({"127.0.0.1", "localhost"}), file=None, now_s=Time(), elapsed_s=Time())
    client = Phone(access, "127.0.0.1:8080")
    assert client.get("/known").status_code == 200
    assert client.get("/known", headers={"host": "evil.example"}).status_code == 403
    client.headers = {}
    assert client.post("/act", json={"do": "press", "button": "done"}).status_code == 403, "no origin: a form elsewhere"
    assert access.cookie not in client.cookies


async def _unknown_length() -> AsyncIterator[bytes]:
    yield b" "


def test_a_spectators_phone_sees_the_table_and_does_nothing(access: Access, now: Time, tmp_path: Path) -> None:
    watching, phones = access.watching, [Phone(access), Phone(access)]
    for phone in phones:
        phone.get(f"/J/{watching}")
        assert phone.get("/known").json()["watches"], "one code for any number of spectators"
        assert phone.post("/act", json={"do": "press", "button": "done"}).status_code == 403
        assert phone.get("/invite").status_code == 403
    assert access.is_alone, "the first player's phone is still to come"
    player = admitted(access)
    assert not player.get("/known").json()["watches"]
    for _time in range(2 * MOST_SESSIONS):
        access.by_token(watching)
    assert player.get("/known").status_code == 200, "spectators push no player out"
    again = Access(asks=True, hosts=access.hosts, file=tmp_path / "phones.json", now_s=now, elapsed_s=now)
    assert not again.only_watches(player.cookies[access.cookie]) and again.knows(player.cookies[access.cookie])


def test_a_player_s_phone_shows_the_codes_that_admit_another_and_spectators(tmp_path: Path) -> None:
    with served(tmp_path) as (host, address), httpx.Client(base_url=address, timeout=10.0) as phone:
        phone.get(f"/J/{host.access.token}")
        another, spectators = phone.get("/invite"), phone.get("/invite?watch")
        tokens = host.access.token, host.access.watching
    assert [shown.headers["x-code"] for shown in (another, spectators)] == [host.access.code, ""]
    for shown, token in zip((another, spectators), tokens, strict=True):
        code = BytesIO()
        segno.make(host.joining(token), error="m").save(code, kind="svg", scale=6, border=3, light="#fff")
        assert shown.content == code.getvalue()


def test_spectators_leave_room_for_the_streams_of_players(access: Access, monkeypatch: pytest.MonkeyPatch) -> None:
    theatre = Theatre()
    monkeypatch.setattr(Theatre, "listeners", MOST_WATCHED_STREAMS)
    spectator = Phone(Site(theatre, access))
    spectator.get(f"/J/{access.watching}")
    assert spectator.get("/events").status_code == 503
    monkeypatch.setattr(Theatre, "listeners", MOST_STREAMS)
    player = admitted(Site(theatre, access))
    assert player.get("/events").status_code == 503
    assert MOST_WATCHED_STREAMS < MOST_STREAMS


def test_a_phone_that_never_reads_delays_nobody_and_takes_nobody_s_place(tmp_path: Path) -> None:
    """Over real sockets: it opens stream after stream, reads none, sends a body without end, and keeps silent."""
    with served(tmp_path) as (host, address), ExitStack() as stack:
        silent, reading = (stack.enter_context(httpx.Client(base_url=address, timeout=10.0)) for _phone in range(2))
        for phone in (silent, reading):
            phone.get(f"/J/{host.access.token}")
        asked = (
            f"Host: {urlsplit(address).netloc}\r\nCookie: {host.access.cookie}={silent.cookies[host.access.cookie]}\r\n"
        )
        for _stream in range(3 * MOST_OF_ONE):
            line = stack.enter_context(socket.create_connection(host_of(address), timeout=10.0))
            line.sendall(f"GET /events HTTP/1.1\r\n{asked}\r\n".encode())
            assert line.recv(12) == b"HTTP/1.1 200"
        with reading.stream("GET", "/events") as stream:
            lines = (line for line in stream.iter_lines() if line)
            for number in range(40):
                scene = {"kind": "lobby", "number": number, "title": f"{number}" * 200_000}
                host.theatre.show(Stage(partial(dict, scene)))
            while '"number":39' not in next(lines):
                pass
            assert host.theatre.listeners <= MOST_OF_ONE + 1
        liar = stack.enter_context(socket.create_connection(host_of(address), timeout=10.0))
        length = f"Origin: {address.rstrip('/')}\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n"
        liar.sendall(f"POST /act HTTP/1.1\r\n{asked}{length}\r\n".encode() + b" " * 2 * MOST_BYTES)
        assert b" 413 " in liar.recv(100)
        for _line in range(220):
            elsewhere = ("127.0.0.3", 0)
            stack.enter_context(socket.create_connection(host_of(address), timeout=10.0, source_address=elsewhere))
        assert reading.get("/known").status_code == 200
        with httpx.Client(base_url=address, timeout=10.0) as newcomer:
            assert newcomer.get("/").status_code == 200


@pytest.mark.parametrize(
    ("rows", "encoding", "shown"), [(24, "utf-8", True), (20, "utf-8", False), (24, "ascii", False)]
)
def test_a_terminal_shows_the_code_that_admits_a_phone_only_if_it_stays_whole(
    rows: int, encoding: str, shown: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "terminal_room", lambda: os.terminal_size((80, rows)))
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(BytesIO(), encoding))
    said: list[str] = []
    plan = PagePlan("127.0.0.2", 0, Clock(), tmp_path, secure_port=0)
    with hosts.serve_page(plan, said.extend) as host:
        *code, told = said
        assert ("scan the code" in told) is shown
        assert host.address in told and host.access.code in told
        assert [len(lines.splitlines()) for lines in code] == ([14] if shown else [])
        assert "scan the code" not in host.invitation(), "a game's screen has no code"
        with httpx.Client(timeout=10.0) as phone:
            assert phone.get(host.joining(host.access.token)).status_code == 303


def test_two_companions_on_one_computer_keep_a_phone_each(tmp_path: Path) -> None:
    with served(tmp_path / "one") as one, served(tmp_path / "other") as other, httpx.Client(timeout=10.0) as phone:
        for host, address in (one, other):
            phone.get(f"{address}J/{host.access.token}")
        assert [phone.get(f"{address}known").status_code for _host, address in (one, other)] == [200, 200]


def test_a_phone_that_still_looks_at_the_page_does_not_make_its_end_loud(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with ExitStack() as stack:
        with served(tmp_path) as (host, address):
            phone = stack.enter_context(httpx.Client(base_url=address, timeout=10.0))
            phone.get(f"/J/{host.access.token}")
            lines = stack.enter_context(phone.stream("GET", "/events")).iter_lines()
            assert next(lines).startswith("data: ")
        assert [*filter(None, lines)] == [], "the stream has a proper end"
    assert not caplog.records


def test_a_request_that_is_cut_off_at_the_end_is_not_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with ExitStack() as stack, served(tmp_path) as (host, address):
        phone = stack.enter_context(httpx.Client(base_url=address, timeout=10.0))
        phone.get(f"/J/{host.access.token}")
        line = stack.enter_context(socket.create_connection(host_of(address), timeout=10.0))
        about = (
            f"Host: {urlsplit(address).netloc}\r\nCookie: {host.access.cookie}={phone.cookies[host.access.cookie]}\r\n"
        )
        origin = f"Origin: {address.rstrip('/')}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"
        line.sendall(f"POST /act HTTP/1.1\r\n{about}{origin}\r\n".encode())  # its body never comes
        assert phone.get("/known").status_code == 200
    assert not caplog.records


def host_of(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    return parts.hostname or "", parts.port or 80


def test_in_the_box_s_own_network_every_name_leads_to_the_page(access: Access) -> None:
    stranger = Phone(access, f"{OWN_WIFI}:8080")
    led = stranger.get("/generate_204", headers={"host": "connectivitycheck.example"})
    assert led.status_code == 302 and led.headers["location"].startswith(f"http://{OWN_WIFI}:")
    assert stranger.get("/").status_code == 200, "an address that the box has got since it started is its own"
    named = Phone(access, "elsewhere.example")
    assert named.get("/").status_code == 403
    assert stranger.post("/pair", json={}, headers={"host": "elsewhere.example"}).status_code == 403


# ---- what phones follow: each at its own pace and in its own language, and nobody waits for one that is slow


def numbered(number: int) -> Stage:
    return Stage(lambda: {"number": number, "spoken": language()})


def running() -> Theatre:
    """Return a theatre in the loop that runs."""
    theatre = Theatre()
    theatre.attach(asyncio.get_running_loop())
    return theatre


async def latest(scenes: AsyncIterator[Any], number: int) -> int:
    """Follow until a number is shown; return how many scenes that took."""
    count = 0
    async for scene in scenes:
        count += 1
        if scene is not None and scene.get("number") == number:
            return count
    return -1


def test_a_slow_phone_misses_what_is_over_and_holds_nobody_up() -> None:
    async def run() -> tuple[int, int]:
        theatre = running()
        slow, quick = theatre.scenes("de"), theatre.scenes("fr")
        await anext(slow)  # and it reads no further for now
        following = asyncio.ensure_future(latest(quick, 99))
        for number in range(100):
            theatre.show(numbered(number))
            await asyncio.sleep(0)
        seen = await asyncio.wait_for(following, 5.0)
        return seen, await asyncio.wait_for(latest(slow, 99), 5.0)

    quick, slow = asyncio.run(run())
    assert quick >= 1
    assert slow == 1, "only what is shown now"


def test_a_phone_that_had_a_stage_before_it_was_woken_for_it_sleeps_until_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits, wait_for = 0, asyncio.wait_for

    async def counted(waiting: Any, timeout: float) -> Any:
        nonlocal waits
        waits += 1
        return await wait_for(waiting, timeout)

    async def run() -> None:
        theatre = running()
        phone = theatre.scenes("de")
        await anext(phone)
        theatre.show(numbered(1))
        assert await anext(phone) == {"number": 1, "spoken": "de", "language": "de"}, "before the loop could wake it"
        following = asyncio.ensure_future(phone.__anext__())
        for _ in range(100):
            await asyncio.sleep(0)
        following.cancel()

    monkeypatch.setattr(asyncio, "wait_for", counted)
    asyncio.run(run())
    assert waits <= 2


def test_each_language_is_rendered_once_for_all_phones_that_read_it() -> None:
    rendered: list[str] = []

    def render() -> dict[str, Any]:
        rendered.append(language())
        return {}

    async def run() -> list[Any]:
        theatre = running()
        theatre.show(Stage(render, language="it"))
        phones = [theatre.scenes(code) for code in ("de", "de", "fr", "", "it")]
        return list(await asyncio.gather(*map(anext, phones)))

    scenes = asyncio.run(run())
    assert sorted(rendered) == ["de", "fr", "it"], "a phone that chose none reads the table's"
    assert [scene["language"] for scene in scenes] == ["de", "de", "fr", "it", "it"]


def test_a_phone_that_has_gone_is_forgotten_and_one_that_hears_nothing_gets_a_heartbeat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(theatres, "HEARTBEAT_S", 0.01)

    async def run() -> None:
        theatre = running()
        scenes = theatre.scenes("en")
        assert await anext(scenes) is not None
        assert await anext(scenes) is None
        assert theatre.listeners == 1
        await scenes.aclose()  # type: ignore[attr-defined] # an asynchronous generator
        assert theatre.listeners == 0
        theatre.show(numbered(1))

    asyncio.run(run())


def test_showing_something_works_before_the_server_runs_and_after_it_has_ended() -> None:
    theatre = Theatre()
    theatre.show(numbered(1))

    async def run() -> None:
        theatre.attach(asyncio.get_running_loop())

    asyncio.run(run())
    theatre.show(numbered(2))
    assert theatre.stage.render()["number"] == 2
