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
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from random import Random
from urllib.request import HTTPCookieProcessor, build_opener

from companion.app.evening import PlayDevices
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.web.host import PageHost
from engines.kernel import Level
from tests.evaluate.filmed import play_filmed, tap_corners
from tests.evaluate.phones import AXE, CHROMIUM, DRIVER, SIZES, Browser, Evening, Findings, examine

MOST_EVENT_TO_PIXEL_MS = 100.0
MOST_IDLE_BYTES = 2_000


def admitted(host: PageHost, address: str, first: Browser, second: Browser) -> None:
    """Let the first phone join by the digits, and the second by DONE on the first one... or by the code's address."""
    first.driver.get(address)
    first.until("return document.getElementById('code')")
    first.run("document.getElementById('code').value = arguments[0]", host.access.code)
    first.tap("form button")
    first.until("return document.querySelector('.games')")
    second.driver.get(f"{address}J/{host.access.token}")


# ---- a game by typing and tapping


def play(game: str, most: int, seed: int) -> Findings:
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
        spectator.driver.get(f"{evening.address}J/{host.access.watching}")
        phones[1].run("localStorage.setItem('language', 'de')")
        phones[1].driver.refresh()
        phones[0].tap(f"#game-{game}")
        phones[0].until("return document.getElementById('begin')")
        examine(phones[0], found, "lobby")
        phones[0].tap("#begin")
        evening.until(lambda view: view.game == game)
        for phone in phones:
            phone.until("return document.querySelector('svg.board [id^=cell-]')")
        turns(evening, phones, found, random, min(most, 8))
        second_tab(evening, phones[0], found, random)
        resume(evening, phones, found)
        watched(spectator, phones[0], found)
        turns(evening, phones, found, random, most)
        finish(evening, phones, found)
        for path in ("after", "aiming", "camera", "table"):
            for phone in phones:
                phone.driver.get(f"{evening.address}{path}")
                phone.until("return document.querySelector('h1')")
            if path == "after":
                report(phones[0], found)
            examine(phones[0], found, path)
        for phone in phones:
            # a phone that is not admitted yet is told so, and one has no network for a while
            expected = ("ERR_INTERNET_DISCONNECTED", "status of 401")
            errors = [error for error in phone.errors() if not any(one in error for one in expected)]
            found.expect(not errors, f"the browser complains: {errors[:2]}")
    return found


def turns(evening: Evening, phones: Sequence[Browser], found: Findings, random: Random, most: int) -> None:
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
    phones[1].offline(gone=False)  # also if the game was cut short while it had no network


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
    turns(evening, [phone, phone], found, random, found.actions + 1)
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
    time.sleep(0.15)  # asking the page keeps it from painting
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


def idle_bytes(evening_s: float = 60.0) -> float:
    """Return how many bytes a minute a page costs while nothing happens."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        evening = Evening(folder, PlayDevices(), sees=False)
        host = stack.enter_context(evening.held())
        phone = Browser(SIZES["phone"], "--enable-logging")
        stack.callback(phone.close)
        phone.driver.get(f"{evening.address}J/{host.access.token}")
        phone.tap("#game-royal-ur")
        phone.tap("#begin")
        phone.until("return document.querySelector('svg.board')")
        visitor = build_opener(HTTPCookieProcessor())
        visitor.open(f"{evening.address}J/{host.access.token}").close()
        stream = stack.enter_context(visitor.open(f"{evening.address}events"))
        stream.readline()  # the whole scene, which a page that is open already has
        began_s, received = time.monotonic(), 0
        while (passed_s := time.monotonic() - began_s) < evening_s:  # it sends at least a heartbeat now and then
            received += len(stream.readline())
        return received * 60.0 / passed_s


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
                found = play(game, args.most, args.seed)
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
    parser.add_argument("--idle", action="store_true", help="measure what an idle page costs, a minute long")
    return parser


if __name__ == "__main__":
    sys.exit(main())
