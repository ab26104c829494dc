"""Phones: windows of a real Chromium, an evening with a page that they open, and what is found there."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service

from companion.app.evening import EveningPlan, PlayDevices, hold_evening
from companion.core.view import View
from companion.shell.clock import Clock
from companion.shell.loop import Inbox, StopLoop
from companion.shell.session import Setup
from companion.web.host import PageHost, PagePlan, serve_page

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
SIZES: Mapping[str, tuple[int, int]] = {"phone": (360, 780), "desk": (1280, 800), "television": (1920, 1080)}
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
    """An evening in a thread, with its page; `view` is what its screens show."""

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
        clock = Clock()
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


# ---- looking


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
