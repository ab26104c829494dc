"""`python -m tests.evaluate.browser`: the page in a real Chromium, as people use it; fails where there is no Chromium.

For each game two phones set a game up and play it to its end: they touch what the page shows and type lines; one loses
its connection in the middle. Measured are the time from an event to its pixel, the bytes that an idle page costs, and
what a page lacks for those who cannot see it or use a keyboard only. `--camera` plays beside a simulated table whose
camera is a third phone: Chromium's camera shows what the table looks like. `--board` makes a board of one's own on a
phone.

Exit codes: 0 all held; 1 something did not; 2 arguments that cannot be used.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import cv2
import msgspec
import numpy as np
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service

from companion.app.evening import EveningPlan, PlayDevices, hold_evening, no_panel
from companion.app.photo_reading import read_picture
from companion.core.view import View
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.shell.clock import RealClock
from companion.shell.loop import Inbox, StopLoop
from companion.shell.session import Setup
from companion.simulator.behaviour import PlayerBehaviour, VerdictCounts
from companion.simulator.clock import LiveShutter
from companion.simulator.hands import Pace
from companion.simulator.planner import laid_out_by_people
from companion.simulator.table import Plan, SimulatedTable
from companion.web.host import PageHost, PagePlan, serve_page
from engines.kernel import Level
from hardware.panel import ButtonPressed, PanelInput
from tests.evaluate.evenings import drawn_game
from tests.vision.drawn_tables import draw, pose_above
from vision.board import load_board, shipped_board
from vision.board_sections import Markers, PlacedMarker
from vision.camera.phone import PHONE, PhoneCamera
from vision.frame import ImageBgr
from vision.labels import EMPTY
from vision.observation import Blind
from vision.recognition.reader import AnyTableReader

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
SIZES: Mapping[str, tuple[int, int]] = {"phone": (360, 780), "desk": (1280, 800), "television": (1920, 1080)}
LANGUAGES = ("en", "de")
MOST_EVENT_TO_PIXEL_MS = 100.0
MOST_IDLE_BYTES = 2_000
WAIT_S = 20.0
PHONES = "127.0.0.2"
"""Not loopback by name: phones have to be admitted, as in a network."""


@dataclass
class Findings:
    """What was found for one game.

    Attributes:
        actions: how many were played.
        over: whether the game came to its end on both pages.
        pixel_ms: from the act on a phone to its pixel there, one by one.
        problems: what did not hold.
        remarks: what is worth knowing, such as a question that was asked.
    """

    game: str
    actions: int = 0
    over: bool = False
    pixel_ms: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def expect(self, holds: object, problem: str) -> None:
        """Note a problem unless something holds."""
        if not holds:
            self.problems.append(problem)


class Browser:
    """One phone: a window of a Chromium of its own, so that it has cookies of its own."""

    def __init__(self, size: tuple[int, int], *more: str) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        usual = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
        for argument in (*usual, "--ignore-certificate-errors", "--lang=en", *more):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_script_timeout(WAIT_S)
        self.size = size
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        """Show the page in that many CSS pixels."""
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def run(self, script: str, *arguments: object) -> Any:
        """Run a script in the page and return its value."""
        return self.driver.execute_script(script, *arguments)

    def until(self, script: str, *arguments: object, wait_s: float = WAIT_S) -> Any:
        """Return the value of a script as soon as it is true.

        Raises:
            TimeoutError: it never was.
        """
        deadline = time.monotonic() + wait_s
        while time.monotonic() < deadline:
            with suppress(WebDriverException):
                if value := self.run(script, *arguments):
                    return value
            time.sleep(0.02)
        message = f"never: {script} {arguments} in {self.driver.current_url}: {self.text()[:300]}"
        raise TimeoutError(message)

    def tap(self, css: str) -> None:
        """Tap something as soon as it is there."""
        self.until(f"const e = document.querySelector({json.dumps(css)}); e?.click(); return !!e")

    def touch(self, css: str, across: float, down: float) -> None:
        """Touch a place in something, in fractions of its width and height, as a finger does."""
        x, y = self.run(
            "const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'center'});"
            "const b = e.getBoundingClientRect();"
            "return [b.left + arguments[1] * b.width, b.top + arguments[2] * b.height]",
            css, float(across), float(down),
        )  # fmt: skip
        for kind in ("mousePressed", "mouseReleased"):
            at = {"type": kind, "x": round(x), "y": round(y), "button": "left", "clickCount": 1}
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", at)

    def text(self) -> str:
        """Return what the page says."""
        return str(self.run("return document.body.innerText"))

    def offline(self, *, gone: bool) -> None:
        """Take the network away, or give it back."""
        if gone:
            self.driver.execute_cdp_cmd("Network.enable", {})
        limits = {"offline": gone, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", limits)

    def errors(self) -> list[str]:
        """Return what the browser complained of since it was asked last: scripts, policy, missing files."""
        logged = self.driver.get_log("browser")
        return [entry["message"] for entry in logged if entry["level"] == "SEVERE"]

    def close(self) -> None:
        """End the browser."""
        with suppress(WebDriverException):
            self.driver.quit()


# ---- an evening with a page


class Evening:
    """An evening in a thread, with its page; `views` are what its screens show."""

    def __init__(self, folder: Path, devices: PlayDevices, *, sees: bool, begun: Setup | None = None) -> None:
        self._folder, self._begun = folder, begun
        self._devices = replace(devices, see=self._see)
        self._passed_on = devices.see or (lambda _view: None)
        self._sees = sees
        self._changed = threading.Condition()
        self._inbox: Inbox | None = None
        self.view: View | None = None
        self.said: list[str] = []

    @contextmanager
    def held(self) -> Iterator[PageHost]:
        """Hold it until the block is left."""
        clock = RealClock()
        journal, camera = self._folder / "journal.sqlite3", self._devices.camera
        page = PagePlan(PHONES, 0, clock, self._folder / "page", self._sees, camera, journal, secure_port=0)
        with serve_page(page, self.said.extend) as host:
            begun = self._begun or Setup(None, (), journal)
            setup = replace(begun, journal=journal, lingers=True, sees=self._sees, seed=5)
            plan = EveningPlan(setup, self._devices, clock, self._ended_by, plain=True, pages=host.pages())
            thread = threading.Thread(target=hold_evening, args=(plan,), daemon=True)
            thread.start()
            try:
                yield host
            finally:
                if self._inbox is not None:
                    self._inbox.put(StopLoop())
                thread.join(10.0)

    @property
    def address(self) -> str:
        """Where the page is."""
        return next(word for line in self.said for word in line.split() if word.startswith("http"))

    def _see(self, view: View) -> None:
        with self._changed:
            self.view = view
            self._changed.notify_all()
        self._passed_on(view)

    @contextmanager
    def _ended_by(self, inbox: Inbox) -> Iterator[None]:
        self._inbox = inbox
        yield

    def until(self, wanted: Callable[[View], object], wait_s: float = WAIT_S) -> View:
        """Return the first view that is as wanted."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.view is not None and wanted(self.view), wait_s):
                message = f"the table never came to what is waited for: {self.view and self.view.verdict}"
                raise TimeoutError(message)
        assert self.view is not None
        return self.view


def admitted(host: PageHost, address: str, first: Browser, second: Browser) -> None:
    """Let the first phone join by the digits, and the second by DONE on the first one... or by the code's address."""
    first.driver.get(address)
    first.until("return document.getElementById('code')")
    first.run("document.getElementById('code').value = arguments[0]", host.access.code)
    first.tap("form button")
    first.until("return document.querySelector('.games')")
    second.driver.get(f"{address}join/{host.access.token}")


# ---- a game by typing and tapping


def play(game: str, shots: Path | None, most: int, seed: int) -> Findings:
    """Play a game on two phones to its end, or that many actions of it."""
    found, random = Findings(game), Random(seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        evening = Evening(folder, PlayDevices(), sees=False)
        host = stack.enter_context(evening.held())
        phones = [Browser(SIZES["phone"]), Browser(SIZES["desk"])]
        spectator = Browser(SIZES["television"])
        for phone in (*phones, spectator):
            stack.callback(phone.close)
        admitted(host, evening.address, *phones)
        spectator.driver.get(f"{evening.address}join/{host.access.watching}")
        phones[1].run("localStorage.setItem('language', 'de')")
        phones[1].driver.refresh()
        phones[0].tap(f"#game-{game}")
        phones[0].until("return document.getElementById('begin')")
        picture(phones, shots, f"{game}-lobby")
        examine(phones[0], found, "lobby")
        phones[0].tap("#begin")
        evening.until(lambda view: view.game == game)
        for phone in phones:
            phone.until("return document.querySelector('svg.board [id^=cell-]')")
        turns(evening, phones, found, random, shots, min(most, 8))
        second_tab(evening, phones[0], found, random)
        resume(evening, phones, found)
        watched(spectator, phones[0], found)
        turns(evening, phones, found, random, shots, most)
        finish(evening, phones, found)
        picture(phones, shots, f"{game}-end")
        for path in ("after", "aiming", "camera", "table"):
            for phone in phones:
                phone.driver.get(f"{evening.address}{path}")
                phone.until("return document.querySelector('h1')")
            if path == "after":
                report(phones[0], found)
            picture(phones, shots, path)
            examine(phones[0], found, path)
        for phone in phones:
            # a phone that is not admitted yet is told so, and one has no network for a while
            expected = ("ERR_INTERNET_DISCONNECTED", "status of 401")
            errors = [error for error in phone.errors() if not any(one in error for one in expected)]
            found.expect(not errors, f"the browser complains: {errors[:2]}")
    return found


def turns(
    evening: Evening, phones: Sequence[Browser], found: Findings, random: Random, shots: Path | None, most: int
) -> None:
    """Play, one phone after the other; half-way the second one has no network for a while."""
    engine = ENGINES[found.game]
    while evening.view is not None and not evening.view.over and found.actions < most:
        view, played = evening.view, evening.view.played
        phone = phones[found.actions % 2 if not 10 <= found.actions < 14 else 0]
        phone.until("return document.body.dataset.played >= arguments[0]", played)
        if found.actions == 10:
            phones[1].offline(gone=True)
        if found.actions == 14:
            phones[1].offline(gone=False)
            phones[1].until("return document.body.dataset.played >= arguments[0]", played)
        if found.actions == 6:
            picture(phones, shots, f"{found.game}-play")
            examine(phones[0], found, "game")
            examine(phones[1], found, "game, wide")
            ask(phones[0], found)
        watch(phone)
        if engine.turns.dice.awaited(view.position):
            time.sleep(0.45)  # two presses of ROLL in less are one that bounced
            phone.tap("#button-roll")
        else:
            advice = engine.advise(view.position, level=Level.EASY)
            actions = [advice.action] if advice else list(engine.game.actions(view.position))
            action = actions[0] if advice else random.choice(actions)
            typed(phone, engine.notation.write_action(action))
        try:
            evening.until(lambda view: view.played != played or view.over)  # noqa: B023 - called here
        except TimeoutError:
            answered = phone.run("return document.querySelector('.answers').innerText + document.activeElement.id")
            found.problems.append(f"after {played} actions nothing happened: {answered}, {view.buttons}")
            return
        found.actions += 1
        found.pixel_ms.append(pixel_ms(phone))


def ask(phone: Browser, found: Findings) -> None:
    """Ask by touch, and see that screen readers get what was said last."""
    found.expect(phone.run("return document.getElementById('live').textContent"), "nothing is announced")
    phone.tap("#questions summary")
    for question in ("turn", "possible", "score", "again"):
        phone.run("document.querySelector('.answers').replaceChildren()")
        phone.tap(f"#question-{question}")
        phone.until("return document.querySelector('.answers').innerText")
    phone.tap("#questions summary")


def second_tab(evening: Evening, phone: Browser, found: Findings, random: Random) -> None:
    """Play an action in a second tab of the same phone and close it: the first one has followed."""
    first, address = phone.driver.current_window_handle, phone.driver.current_url
    phone.driver.switch_to.new_window("tab")
    phone.driver.get(address)
    phone.until("return document.querySelector('svg.board [id^=cell-]')")
    turns(evening, [phone, phone], found, random, None, found.actions + 1)
    phone.driver.close()
    phone.driver.switch_to.window(first)
    phone.until("return Number(document.body.dataset.played) === arguments[0]", evening.view and evening.view.played)


def resume(evening: Evening, phones: Sequence[Browser], found: Findings) -> None:
    """Save the game, and go on with it from the lobby; both phones follow."""
    before = evening.view and evening.view.played
    phones[0].tap("#step-pause")
    phones[0].until(_TAP_WORDS, "save the game and stop")
    phones[0].tap(f".lobby #game-{found.game}")
    phones[0].until(_TAP_WORDS, "go on with game")
    phones[0].tap("#begin:not(:disabled)")
    for phone in phones:
        phone.until("return document.body.dataset.played && document.querySelector('svg.board [id^=cell-]')")
    after = evening.until(lambda view: not view.paused).played
    found.expect(after == before, f"resumed after {after} actions instead of {before}")


_TAP_WORDS = (
    "const b = [...document.querySelectorAll('button')].find((one) => one.textContent.includes(arguments[0]));"
    "b?.click(); return !!b"
)


def watched(spectator: Browser, player: Browser, found: Findings) -> None:
    """See that a spectator follows the same table and has nothing to act with."""
    shown = "return [document.body.dataset.played, document.querySelector('h1').innerText].join()"
    spectator.until("return document.querySelector('svg.board')")
    spectator.until(f"return (() => {{ {shown} }})() === arguments[0]", player.run(shown))
    acts = ".panel, #line, .choices button, svg [role=button], a[href='/after'], a[href='/aiming']"
    found.expect(not spectator.run(f"return document.querySelector({json.dumps(acts)})"), "a spectator can act")
    asked = "return Promise.all(arguments[0].map((path) => fetch(path).then((answer) => answer.status)))"
    codes = spectator.run(asked, ["/games", "/seen.jpg", "/raw.jpg", "/aim", "/invite", "/workshop"])
    found.expect(set(codes) == {403}, f"a spectator is answered {codes}")
    spectator.close()  # three browsers are too many for two cores to measure


def report(phone: Browser, found: Findings) -> None:
    """Step back in the replay of the game that was played, and open its report."""
    phone.tap("[id^=played-]")
    phone.until("return Number(document.getElementById('ply')?.value) > 0 && document.querySelector('.part svg.board')")
    last = phone.run("return document.querySelector('.part [role=status]').innerText")
    phone.run("const s = document.getElementById('ply'); s.value = 1; s.dispatchEvent(new Event('input'))")
    phone.until("return document.querySelector('.part [role=status]').innerText !== arguments[0]", last)
    link = "return fetch(document.querySelector('a[href^=\"/report/\"]').href).then((answer) => answer.text())"
    found.expect("<svg" in phone.run(link), "the report has no drawing")


def typed(phone: Browser, line: str) -> None:
    """Type a line and send it."""
    phone.until("return document.getElementById('line') && !document.querySelector('.type').hidden")
    phone.run(
        "const l = document.getElementById('line'); l.value = arguments[0];"
        "document.querySelector('.type').requestSubmit()",
        line,
    )


def watch(phone: Browser) -> None:
    """Have the page note when it sends the next act, and when what follows from it is painted."""
    phone.run(
        "window.acted = window.painted = null;"
        "window.unwatched ??= window.fetch;"
        "window.fetch = (path, ...more) => { if (path.startsWith('/act')) window.acted ??= performance.now();"
        "return window.unwatched(path, ...more); };"
        "const o = new MutationObserver(() => { o.disconnect();"
        "requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => {"
        "window.painted = performance.now(); }; c.port2.postMessage(0); }); });"
        "o.observe(document.body, {attributes: true, attributeFilter: ['data-played']});"
    )


def pixel_ms(phone: Browser) -> float:
    """Return how long after the page had sent an act the table that follows from it was painted, in ms."""
    return float(phone.until("return window.painted && window.painted - window.acted"))


def finish(evening: Evening, phones: Sequence[Browser], found: Findings) -> None:
    """See that both pages show the end; a game that was cut short is counted now."""
    if evening.view is not None and not evening.view.over:
        phones[0].tap("#step-pause")
        evening.until(lambda view: view.paused)
        phones[0].until("return document.getElementById('choice-2')")
        phones[0].tap("#choice-2")
    view = evening.until(lambda view: view.over)
    for phone in phones:
        phone.until("return document.body.dataset.over === 'true'")
    found.over = view.over


# ---- a phone as the camera, over a simulated table


class FilmedTable:
    """A simulated table that Chromium's camera films: each frame is written over the last one in a file of raw video.

    The people press the buttons of a phone, and see what the program shows; nothing else is shared.
    """

    def __init__(self, game: str, file: Path, seed: int, turns: int | None, size_wh: tuple[int, int]) -> None:
        self._game, self._file = GAMES[game], file
        self._clock, self._random = RealClock(), Random(seed)
        behaviour = PlayerBehaviour(think_s=0.6, patience_s=60.0, turns=turns)
        plan = Plan(seed, behaviour, Pace(reach_s=0.8, piece_s=0.3), size_wh=size_wh)
        self._table = SimulatedTable(plan, clock=self._clock, shutter=LiveShutter(self._clock, frame_s=0.2))
        over = threading.Event()
        self._table.when_over(over.set)
        self._over, self._laid = over, threading.Event()
        self._see: Callable[[View], object] = lambda _view: None
        self.pressed: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
        self.frames = 0
        width, height = plan.size_wh
        write_film(file, np.full((height, width, 3), 90, np.uint8))

    @property
    def counts(self) -> VerdictCounts:
        """What the program said, compared with the truth."""
        return self._table.conclude()

    def see(self, view: View) -> None:
        """Let the people look at the screen; the first time, they lay the table for what it shows."""
        if not self._laid.is_set():
            position = laid_out_by_people(self._game, view.position, self._random)
            devices = self._table.equip(self._game, position)
            devices.open_panel(self.pressed.put)
            self._see = devices.see
            self._laid.set()
        self._see(view)

    def film(self, stop: threading.Event) -> None:
        """Write frame after frame until the people stop."""
        while not self._laid.wait(0.1):
            if stop.is_set():
                return
        with self._table.open_camera() as camera:
            while not (stop.is_set() or self._over.is_set()):
                write_film(self._file, camera.read().image_bgr)
                self.frames += 1

    @property
    def is_over(self) -> bool:
        """Whether the people have stopped."""
        return self._over.is_set()


def write_film(file: Path, image_bgr: ImageBgr) -> None:
    """Write a picture, uint8 (height, width, 3), in place: Chromium reads the same frame again and again."""
    height, width = image_bgr.shape[:2]
    planes = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2YUV_I420)
    head = f"YUV4MPEG2 W{width} H{height} F10:1 Ip A1:1 C420jpeg\nFRAME\n".encode()
    with file.open("r+b" if file.exists() else "wb") as out:
        out.write(head + planes.tobytes())


def filming_phone(film: Path) -> Browser:
    """Return a phone whose camera shows a film."""
    fake = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    return Browser(SIZES["phone"], *fake, f"--use-file-for-fake-video-capture={film}")


def start_camera(phone: Browser) -> None:
    """Make an admitted phone the camera, on the page that the browser allows it on."""
    secure = phone.run("return fetch('/known').then((a) => a.json()).then((k) => k.secure)")
    phone.driver.get(f"{secure}/camera")
    phone.tap("#start")


def play_filmed(game: str, args: argparse.Namespace) -> Findings:
    """Play at a simulated table; a phone is its camera, which loses its network once, another its panel."""
    found = Findings(game)
    turns, size_wh = args.camera or None, (args.width, args.width * 3 // 4)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        film = folder / "table.y4m"
        table, stop = FilmedTable(game, film, args.seed, turns, size_wh), threading.Event()
        devices = PlayDevices("phone", "", lambda: PhoneCamera(PHONE), no_panel, see=table.see)
        options, players = drawn_game(game, args.seed, Random(args.seed))
        evening = Evening(folder, devices, sees=True, begun=Setup(game, players, folder, options=options))
        host = stack.enter_context(evening.held())
        filming = threading.Thread(target=table.film, args=(stop,), daemon=True)
        filming.start()
        stack.callback(stop.set)
        phones = [Browser(SIZES["phone"]), filming_phone(film)]
        for phone in phones:
            stack.callback(phone.close)
        for phone in phones:
            phone.driver.get(f"{evening.address}join/{host.access.token}")
            phone.until("return document.querySelector('svg.board')")
        start_camera(phones[1])
        sees = evening.until(lambda view: not (view.setting_up or view.failed or view.waiting), wait_s=60.0)
        found.expect(sees.sees, "the camera does not look")
        act_out(evening, table, phones, found, args)
        if turns is None and not found.problems:
            found.expect(evening.view and evening.view.over, "the game did not come to its end")
            phones[0].until("return document.body.dataset.over === 'true'")
    return found


def act_out(
    evening: Evening, table: FilmedTable, phones: Sequence[Browser], found: Findings, args: argparse.Namespace
) -> None:
    """Press on the phone what people press, until they stop; take the camera's network away for a moment."""
    deadline, lost, shots = time.monotonic() + args.minutes * 60.0, False, args.screenshots
    while not table.is_over and time.monotonic() < deadline:
        with suppress(queue.Empty):
            heard = table.pressed.get(timeout=0.2)
            if isinstance(heard, ButtonPressed):
                press(phones[0], heard)
        played = evening.view.played if evening.view else 0
        if played >= 2 and not lost:
            lost = True
            phones[1].offline(gone=True)
            gone = evening.until(lambda view: "camera" in view.failed)
            phones[0].until("return document.body.innerText.includes('phone')")
            picture(phones, shots, f"{found.game}-lost")
            phones[1].offline(gone=False)
            evening.until(lambda view: "camera" not in view.failed, wait_s=40.0)
            found.expect("phone" in gone.failed["camera"], f"unclear: {gone.failed}")
    picture(phones, shots, f"{found.game}-filmed")
    counts, view = table.counts, evening.view
    found.actions = view.played if view else 0
    found.over = table.is_over
    found.expect(table.is_over, f"the people never stopped: {view and view.verdict} {view and view.waiting}")
    found.remarks += [str(note) for note in counts.notes]
    wrong = counts.mistaken + counts.refused_for_good + counts.unanswered + counts.accepted.total()
    found.expect(not wrong, f"{wrong} moves were judged wrongly, or not at all")
    asked = len(counts.asked_at)
    found.expect(asked <= 1 + found.actions / 100, f"{asked} questions")


def press(phone: Browser, heard: ButtonPressed) -> None:
    """Press a button of the page, or keep it down."""
    script = (
        "const b = document.getElementById(`button-${arguments[0]}`); if (!b) return false;"
        "if (!arguments[1]) { b.click(); return true; }"
        "b.dispatchEvent(new PointerEvent('pointerdown'));"
        "setTimeout(() => b.dispatchEvent(new PointerEvent('pointerup')), 900); return true;"
    )
    phone.until(script, heard.button.value, heard.held)


# ---- a board of one's own


def tap_corners(args: argparse.Namespace) -> Findings:
    """Make a table file on a phone: take a picture of a board, tap its four corners, and read pieces with the result.

    Markers of another dictionary lie anywhere round the board; the picture is read as well with the true table.
    """
    found, size_wh = Findings("a board of one's own"), (args.width, args.width * 3 // 4)
    shipped, random = shipped_board("territory"), Random(args.seed)
    places = [(3, (-30.0, 10.0), 10.0), (9, (430.0, 20.0), 100.0)]
    places += [(11, (425.0, 420.0), 200.0), (17, (-28.0, 390.0), 0.0)]
    placed = tuple(PlacedMarker(id=number, centre=centre, angle=angle) for number, centre, angle in places)
    table = msgspec.structs.replace(shipped, markers=Markers(dictionary="DICT_5X5_100", side=30.0, placed=placed))
    pose, flat = pose_above(table, 25.0, size_wh=size_wh), [EMPTY, *shipped.colours]
    laid = {cell: label for cell in shipped.places if (label := random.choice(flat)) != EMPTY}
    image = draw(table, laid, pose, size_wh=size_wh)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.enter_context(patch.dict(os.environ, XDG_CONFIG_HOME=str(folder)))
        write_film(folder / "board.y4m", image)
        evening = Evening(folder, PlayDevices("phone", "", lambda: PhoneCamera(PHONE), no_panel), sees=True)
        host = stack.enter_context(evening.held())
        phones = [Browser(SIZES["phone"]), filming_phone(folder / "board.y4m")]
        for phone in phones:
            stack.callback(phone.close)
            phone.driver.get(f"{evening.address}join/{host.access.token}")
            phone.until("return document.querySelector('.games')")
        start_camera(phones[1])
        phone, (left, top), (width, height) = phones[0], shipped.grid.origin, shipped.grid.pitch
        right, bottom = left + shipped.grid.columns * width, top + shipped.grid.rows * height
        deadline = time.monotonic() + WAIT_S
        while host.lookout.raw() is None and time.monotonic() < deadline:
            time.sleep(0.1)
        phone.driver.get(f"{evening.address}setup")
        phone.tap("#task-board summary")
        phone.run("document.getElementById('game-board').value = 'territory'")
        phone.tap("#take-board")
        phone.until("return document.querySelector('.aimed img')?.naturalWidth")
        for corner in pose.project_at([(left, top), (right, top), (right, bottom), (left, bottom)], 0.0) / size_wh:
            phone.touch(".aimed img", *corner)
        examine(phone, found, "setup")
        if args.screenshots:
            phone.driver.save_screenshot(str(args.screenshots / "corners.png"))
        phone.tap("#go-board:not(:disabled)")
        said = phone.until("return document.querySelector('#task-board [role=status] p + p')?.parentElement.innerText")
        found.remarks.append(said)
        own = load_board(folder / "companion" / "territory-own.toml")
    readings = [read_picture(image, {"territory": one}, AnyTableReader([one])) for one in (table, own)]
    true, tapped = ({} if isinstance(one, Blind) else one.labels for one in readings)
    found.over = tapped == true and bool(true)
    others = [cell for cell in true if tapped.get(cell) != true[cell]]
    found.expect(found.over, f"labels differ from those of the true table: {others}")
    off_mm = np.abs(np.subtract([one.centre for one in own.markers.each], [one.centre for one in placed])).max()
    right = sum(label == laid.get(cell, EMPTY) for cell, label in true.items())
    found.remarks.append(f"markers within {off_mm:.1f} mm, {right} of {len(true)} cells right")
    return found


# ---- looking


def picture(phones: Sequence[Browser], folder: Path | None, name: str) -> None:
    """Keep the page in every size and two languages."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for phone, language in zip(phones, LANGUAGES, strict=True):
        for kind, size in SIZES.items():
            phone.resize(size)
            time.sleep(0.7)
            phone.driver.save_screenshot(str(folder / f"{name}-{kind}-{language}.png"))
    phones[0].resize(SIZES["phone"])
    phones[1].resize(SIZES["desk"])


EXAMINED = Path(__file__).with_name("examine.js").read_text(encoding="utf-8")


def examine(phone: Browser, found: Findings, where: str) -> None:
    """Look at a page in dark and light, at 320 px and as it is, and go round it with the tab key."""
    for scheme, size in (("light", (320, 640)), ("light", phone.size), ("dark", phone.size)):
        phone.resize(size)
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        phone.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        for problem in [*phone.run(EXAMINED), *violations(phone)]:
            found.problems.append(f"{where}, {scheme}, {size[0]} px: {problem}")
    found.problems += [f"{where}, tab key: {problem}" for problem in tab_round(phone)]


def tab_round(phone: Browser) -> Sequence[str]:
    """Go round a page with the tab key; return what it does not reach, and where the focus is not to be seen."""
    phone.run("window.reached = new Map()")
    for _stop in range(MOST_STOPS):
        for kind in ("rawKeyDown", "keyUp"):
            key = {"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
            phone.driver.execute_cdp_cmd("Input.dispatchKeyEvent", key)
        if phone.run(
            "const e = document.activeElement; if (reached.has(e)) return true;"
            "reached.set(e, e === document.body || getComputedStyle(e).outlineStyle !== 'none'); return false"
        ):
            break
    return list(
        phone.run(
            "const all = 'a[href], button:not([disabled]), input:not([disabled]), select, summary, [tabindex]';"
            "const missed = (e) => e.tabIndex >= 0 && e.checkVisibility() && !reached.get(e);"
            "const told = (e) => `${reached.has(e) ? 'unseen' : 'not reached'}: ${e.outerHTML.slice(0, 90)}`;"
            "return [...document.querySelectorAll(all)].filter(missed).map(told)"
        )
    )


MOST_STOPS = 150

AXE: list[str] = []
"""The script of axe-core, empty to do without."""

_RUN_AXE = """
const done = arguments[arguments.length - 1];
const told = (one) => `${one.id}: ${one.nodes[0].html.slice(0, 120)}`;
axe.run(document, {resultTypes: ['violations']}).then((found) => done(found.violations.map(told)));
"""


def violations(phone: Browser) -> list[str]:
    """Return what axe-core finds wrong with a page."""
    if not AXE:
        return []
    phone.run(AXE[0])
    return list(phone.driver.execute_async_script(_RUN_AXE))


def idle_bytes(evening_s: float = 60.0) -> float:
    """Return how many bytes a minute a page costs while nothing happens."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        evening = Evening(folder, PlayDevices(), sees=False)
        host = stack.enter_context(evening.held())
        phone = Browser(SIZES["phone"], "--enable-logging")
        stack.callback(phone.close)
        phone.driver.get(f"{evening.address}join/{host.access.token}")
        phone.tap("#game-royal-ur")
        phone.tap("#begin")
        phone.until("return document.querySelector('svg.board')")
        time.sleep(2.0)
        before = host.theatre.sent_bytes
        time.sleep(evening_s)
        return (host.theatre.sent_bytes - before) * 60.0 / evening_s


def main(argv: Sequence[str] | None = None) -> int:
    """Play, measure and print."""
    args = _parser().parse_args(argv)
    for program in (CHROMIUM, DRIVER):
        if not os.access(program, os.X_OK):
            print(f"{program} is missing: apt-get install chromium chromium-driver", file=sys.stderr)  # noqa: T201
            return 1
    if args.axe is not None:
        AXE.append(args.axe.read_text(encoding="utf-8"))
    out, sys.stdout = sys.stdout, StringIO()  # the evening's own screen
    failed = False
    try:
        for game in ["own"] if args.board else args.games.split(","):
            if args.board:
                found = tap_corners(args)
            elif args.camera is not None:
                found = play_filmed(game, args)
            else:
                found = play(game, args.screenshots, args.most, args.seed)
            slow = sorted(found.pixel_ms)
            at_95 = slow[int(0.95 * (len(slow) - 1))] if slow else 0.0
            found.expect(at_95 <= MOST_EVENT_TO_PIXEL_MS, f"95 % of acts are painted within {at_95:.0f} ms")
            median = slow[len(slow) // 2] if slow else 0.0
            painted = f", painted after {median:.0f} ms (95 %: {at_95:.0f})" if slow else ""
            says = f"{found.game}: {found.actions} actions, over {found.over}{painted}"
            print(says, *found.problems, *found.remarks, sep="\n  ", file=out, flush=True)
            failed |= bool(found.problems) or not found.over
        if args.idle:
            cost = idle_bytes()
            failed |= cost > MOST_IDLE_BYTES
            print(f"idle: {cost:.0f} bytes a minute", file=out, flush=True)
    finally:
        sys.stdout = out
    return int(failed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.browser", description=__doc__)
    parser.add_argument("--games", default=",".join(GAMES), help="which games, with commas between them")
    parser.add_argument("--most", type=int, default=400, help="end a game after that many actions")
    parser.add_argument("--camera", type=int, metavar="TURNS", help="a phone is the camera; 0 turns: to the end")
    parser.add_argument("--board", action="store_true", help="make a board of one's own by tapping its corners, only")
    parser.add_argument("--width", type=int, default=1296, help="of the pictures of the camera, in pixels")
    parser.add_argument("--minutes", type=float, default=10.0, help="the longest that a game with a camera may take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--axe", type=Path, metavar="axe.min.js", help="examine the pages with axe-core, too")
    parser.add_argument("--screenshots", type=Path, help="keep pictures of the pages in a folder")
    parser.add_argument("--idle", action="store_true", help="measure what an idle page costs, a minute long")
    return parser


if __name__ == "__main__":
    sys.exit(main())
