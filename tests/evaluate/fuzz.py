"""`python -m tests.evaluate.fuzz --inputs 10000`: wrong files and arguments for every loader and command.

Good files are damaged in random ways and given to the commands. Each must end within some seconds with exit code 0, 2
or 3, at most one line on standard error, and no traceback. What does not is printed with its seed.

Exit codes: 0 all held, 1 something did not.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import json
import os
import random
import secrets
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import FrameType
from typing import NoReturn

import cv2
import numpy as np

from companion.cli import main as companion
from companion.games.engines import ENGINES
from companion.shell.journal import Journal
from engines.kernel import EngineError, Seat
from tests.companion.shell.clocks import ManualClock
from vision.frame import ImageBgr
from vision.image_file import decode_image

ROOT = Path(__file__).parents[2]
GOOD_CODES = {0, 2, 3}
LIMITS_S = {signal.ITIMER_PROF: 30, signal.ITIMER_REAL: 300}
"""Of the processor's time, and by the clock, since other programs may have the processor meanwhile: reading a picture
takes a tenth of a second, the first one three seconds."""

WORDS = (
    b"\x00", b"\xff\xfe", b"\x1b[2J", b"nan", b"inf", b"-1", b"0", b"9" * 5000, b"1e999", b"[" * 3000, b"{}", b"null",
    b'"', b"'''", b"\n", "\ufeff".encode(), "\u202e".encode(), b"true", b"../../x", b"~nobody/x",
    b"99999999999999999999", rb'"\ud800"', b"\xe9", b"256",
)  # fmt: skip


class TooSlowError(Exception):
    """A command took longer than LIMITS_S."""


def damage(content: bytes, rng: random.Random) -> bytes:
    """Damage a file's content in one to four random ways."""
    for _ in range(rng.randint(1, 4)):
        content = rng.choice(WAYS)(content, rng)
    return content


def _flip(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.randbytes(rng.choice((1, 1, 4, 64))) + content[at + 1 :]


def _insert(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(WORDS) + content[at:]


def _replace_value(content: bytes, rng: random.Random) -> bytes:
    """Put a word in place of what follows an equals sign, a colon or a comma."""
    places = [at for at, byte in enumerate(content[:200_000]) if byte in b"=:, "]
    if not places:
        return _insert(content, rng)
    at = rng.choice(places) + 1
    end = min((place for mark in b",\n}]" if (place := content.find(mark, at)) >= 0), default=len(content))
    return content[:at] + rng.choice(WORDS) + content[end:]


def _cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _lose_line(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def _twice(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + content[at // 2 :]


def another_picture(content: bytes, rng: random.Random) -> bytes:
    """Return a whole picture of something else: cut, stretched, turned, covered, inverted or noisy."""
    image = decode_image(content, "a good picture")
    height, width = image.shape[:2]
    for _ in range(rng.randint(1, 3)):
        image = rng.choice(ALTERATIONS)(image, rng)
    size_wh = rng.choice((*((width, height),) * 5, (width // 2, height // 2), (height, 70), (70, width), (7, 7)))
    return cv2.imencode(rng.choice((".jpg", ".png")), cv2.resize(image, size_wh))[1].tobytes()


def _covered(image: ImageBgr, rng: random.Random) -> ImageBgr:
    left, top, width, height = (rng.randrange(1, 1 + side) for side in image.shape[1::-1] * 2)
    covered = image.copy()
    covered[top : top + height, left : left + width] = rng.randrange(256)
    return covered


def _noisy(image: ImageBgr, rng: random.Random) -> ImageBgr:
    noise = np.random.default_rng(rng.randrange(2**32)).normal(0, rng.choice((5, 50, 300)), image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


ALTERATIONS: Sequence[Callable[[ImageBgr, random.Random], ImageBgr]] = (
    _covered,
    _noisy,
    lambda image, _rng: 255 - image,
    lambda image, _rng: np.ascontiguousarray(np.rot90(image)),
    lambda image, _rng: np.ascontiguousarray(image[:, ::-1]),
    lambda image, rng: image[: rng.randrange(1, image.shape[0] + 1), rng.randrange(image.shape[1]) :],
    lambda image, rng: np.clip(image * rng.choice((0.0, 0.1, 3.0)), 0, 255).astype(np.uint8),
)
ALTERED = 0.5
"""How many of the damaged pictures are whole files: what reads the pixels is to be reached, too."""

WAYS: Sequence[Callable[[bytes, random.Random], bytes]] = (_flip, _insert, _replace_value, _cut, _lose_line, _twice)


class Files:
    """Good files of every kind, and a folder for damaged ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.camera = ThreadingHTTPServer(("127.0.0.1", 0), _HostileCamera)
        self.camera.daemon_threads = True
        threading.Thread(target=self.camera.serve_forever, daemon=True).start()
        recorded, golden = ROOT / "tests/recorded", ROOT / "tests/golden"
        self.good: dict[str, list[bytes]] = {
            "picture": [
                path.read_bytes() for path in [*sorted(recorded.glob("*/easy-0*.jpg"))[:4], *recorded.glob("dice/*-1.jpg")]  # noqa: E501
            ],
            "table": [path.read_bytes() for path in (ROOT / "vision/boards").glob("*/board.toml")],
            "record": [path.read_bytes() for path in sorted(golden.glob("*/games/*.txt"))[::9]],
            "settings": [b'game = "royal-tee"\nplayers = ["red", "green"]\nwidth = 90\nsound = true\ntables = []\n'],
            "hardware": [(ROOT / "companion/shell/hardware.toml").read_bytes()],
            "lens": [b"focal_px = 900.0\ncentre_px = [500.0, 400.0]\nk1 = 0.0\nsize_wh = [1000, 800]\n"
                     b"error_px = 0.1\npictures = 5\n"],
            "enrolment": [b'game = "royal-tee"\npictures = 1\n[labels."red"]\nmean = [0.1, 0.2, 0.3]\nspread = [0.1, 0.1, 0.1]\n'],  # noqa: E501
            "position": [json.dumps(_position(name)).encode() for name in ENGINES],
            "request": [json.dumps({"do": "actions", "position": _position(name)}).encode() for name in ENGINES],
            "journal": [_journal(folder)],
        }  # fmt: skip

    def damaged(self, kind: str, rng: random.Random, name: str = "") -> str:
        """Write a damaged file of a kind and return its path."""
        path = self.folder / (name or f"damaged.{kind}")
        path.unlink(missing_ok=True)
        good = rng.choice(self.good[kind])
        path.write_bytes(
            another_picture(good, rng) if kind == "picture" and rng.random() < ALTERED else damage(good, rng)
        )
        return str(path)

    def recording(self, rng: random.Random) -> str:
        """Make a folder with a good picture and a damaged one and return its path."""
        folder = self.folder / "recording"
        folder.mkdir(exist_ok=True)
        (folder / "1.jpg").write_bytes(self.good["picture"][0])
        self.damaged("picture", rng, "recording/2.jpg")
        return str(folder)

    def special(self, rng: random.Random) -> str:
        """Return the path of a pipe, a device or a folder."""
        pipe = self.folder / "pipe"
        if not pipe.exists():
            os.mkfifo(pipe)
            self.other_end = os.open(pipe, os.O_RDWR)  # what opens the pipe waits where a signal ends it: in a read
        return rng.choice((str(pipe), "/dev/zero", "/dev/full", os.devnull, str(self.folder)))

    def whole(self, kind: str) -> str:
        """Write a good file of a kind and return its path."""
        path = self.folder / f"good.{kind}"
        path.write_bytes(self.good[kind][0])
        return str(path)


def _position(game: str) -> object:
    engine = ENGINES[game].game
    for players in (["red", "green"], ["white", "black"], ["moons", "suns"], ["red", "blue"], ["anna", "ben"]):
        with contextlib.suppress(ValueError, EngineError):
            return engine.position_to_json(engine.new([Seat(name) for name in players], {}, 1))
    return {"game": game}


def _journal(folder: Path) -> bytes:
    path = folder / "made.sqlite3"
    Journal(path, ManualClock()).close()
    return path.read_bytes()


READING = (
    "read {}", "score {}", "cards {}", "dice {}", "replay {}", "report {}", "watch {}", "calibrate {} {}",
    "judge --position {} --after {}", "read --table {} {}", "read --lens {} {}", "print royal-ur --table {}",
    "camera test --camera files:{}", "enrol --game royal-tee {}", "panel wiring --hardware {}", "games import {}",
    "journal list --journal {}", "games --journal {} list", "play royal-ur --camera none --table {} --journal {}",
)  # fmt: skip
"""Commands that read files, "{}" in place of each."""

Job = Callable[[Files, random.Random], list[str]]


def found_before(files: Files) -> Iterator[list[str]]:
    """Return the commands of inputs that ended badly once: each stands for a kind."""
    tables = {path.parent.name: path.read_text("utf-8") for path in (ROOT / "vision/boards").glob("*/board.toml")}
    pictures = {game: next((ROOT / "tests/recorded").glob(f"{game}/easy-*.jpg")) for game in ("royal-tee", "royal-ur")}
    position = json.dumps(_position("territory")).replace('"owners": {}', r'"owners": "\ud800"')
    small, large = (cv2.imencode(".jpg", np.zeros((side, side, 3), np.uint8))[1].tobytes() for side in (64, 1200))
    contents = {
        "surrogate.json": position.encode(),
        "no-royal.toml": tables["royal_tee"].replace("\nroyal = ", "\n# ").encode(),
        "colour.toml": tables["royal_ur"].replace("rgb = [", "rgb = [-", 1).encode(),
        "hidden.jpg": small[:2] + b"\xff\x01" + (2 + len(large)).to_bytes(2) + large[2:] + small[2:],
    }
    for name, content in contents.items():
        (files.folder / name).write_bytes(content)
    picture = files.whole("picture")
    yield ["judge", "--position", str(files.folder / "surrogate.json"), "--after", picture]
    yield ["score", "--table", str(files.folder / "no-royal.toml"), str(pictures["royal-tee"])]
    yield ["score", "--table", str(files.folder / "colour.toml"), str(pictures["royal-ur"])]
    yield ["read", str(files.folder / "hidden.jpg")]
    yield ["camera", "test", "--camera", "webcam:5000000000"]


class _HostileCamera(BaseHTTPRequestHandler):
    """Sends a stream that is damaged as the seed in its path says; its last part comes a thousand times."""

    def do_GET(self) -> None:
        rng = random.Random(self.path)
        part = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(_JPEG) + _JPEG + b"\r\n"
        self.send_response(rng.choice((200, 200, 200, 302, 404)))
        self.send_header("Location", "http://127.0.0.1:9/")
        self.send_header("Content-Type", rng.choice(("multipart/x-mixed-replace; boundary=frame", "video/mp4")))
        self.end_headers()
        with contextlib.suppress(OSError):
            for _part in range(1000):
                self.wfile.write(damage(part, rng))

    def log_message(self, *_arguments: object) -> None:
        pass


_JPEG = cv2.imencode(".jpg", np.full((72, 96, 3), 90, np.uint8))[1].tobytes()


def _stream(files: Files, rng: random.Random) -> list[str]:
    return ["camera", "test", "--camera", f"stream:http://127.0.0.1:{files.camera.server_port}/{rng.random()}"]


def _played(rng: random.Random) -> list[str]:
    """Type lines of a game, good ones and damaged ones."""
    lines = ["1", "3", "/cell E3 white", "cell E3 white", "/names white Anna", "undo", "/language de", "hint", "A1"]
    typed = "\n".join(rng.choice([*lines, "save"]) for _ in range(20)).encode()
    sys.stdin = io.TextIOWrapper(io.BytesIO(damage(typed, rng)), errors="replace")
    return ["play", rng.choice([*ENGINES]), "--players", "white,black"]


JOBS: Sequence[Job] = (
    lambda f, r: ["read", f.damaged("picture", r)],
    lambda f, r: ["read", "--json", "--game", "royal-tee", f.damaged("picture", r)],
    lambda f, r: ["score", f.damaged("picture", r)],
    lambda f, r: ["cards", f.damaged("picture", r)],
    lambda f, r: ["dice", f.damaged("picture", r)],
    lambda f, r: ["read", "--table", f.damaged("table", r), f.whole("picture")],
    lambda f, r: ["read", "--table", f.damaged("table", r), f.whole("picture")],
    lambda f, r: ["read", "--lens", f.damaged("lens", r), f.whole("picture")],
    lambda f, r: ["replay", f.damaged("record", r)],
    lambda f, r: ["replay", "--json", f.damaged("record", r)],
    lambda f, r: ["journal", "import", f.damaged("record", r), "--journal", str(f.folder / "j.sqlite3")],
    lambda f, r: ["journal", "list", "--journal", f.damaged("journal", r)],
    lambda f, r: ["journal", "export", r.choice(("1", "0", "-1", "9" * 30, "x")), "--journal", f.damaged("journal", r)],
    lambda f, r: ["judge", "--position", f.damaged("position", r), "--after", f.whole("picture")],
    lambda f, r: ["judge", "--position", f.damaged("position", r), "--after", f.damaged("picture", r)],
    lambda f, r: ["panel", "wiring", "--hardware", f.damaged("hardware", r)],
    lambda f, r: ["watch", "--json", f.recording(r)],
    lambda f, r: ["camera", "test", "--camera", f"files:{f.recording(r)}"],
    lambda f, r: ["calibrate", "--output", str(f.folder / "lens.toml"), f.damaged("picture", r), f.whole("picture")],
    lambda f, r: ["enrol", "--game", "royal-tee", "--empty", f.damaged("picture", r), f.whole("picture")],
    lambda f, r: ["print", "royal-tee", "--table", f.damaged("table", r), "--out", str(f.folder / "out.pdf")],
    lambda f, r: ["report", "--to", str(f.folder), f.damaged("record", r)],
    lambda f, r: ["report", "--to", str(f.folder), "1", "--journal", f.damaged("journal", r)],
    lambda f, r: ["games", "--journal", f.damaged("journal", r), r.choice(("list", "statistics", "evening"))],
    lambda f, r: ["table", "new", "royal-tee", *_measures(r), "--out", str(f.folder / "new.toml")],
    lambda f, r: _typed(r, ["table", "new", "royal-tee", "--out", str(f.folder / "new.toml")]),
    lambda f, r: ["demo", "--fast", *_arguments(r), "--folder", f.damaged("table", r)],
    lambda f, r: _settings(f, r, ["doctor", "--json"]),
    lambda f, r: _settings(f, r, ["settings"]),
    lambda f, r: _settings(f, r, ["settings", "--json"]),
    lambda f, r: _settings(f, r, ["read", f.whole("picture")]),
    lambda f, r: _enrolled(f, r),  # noqa: PLW0108 - defined below
    lambda f, r: _requests(f, r),  # noqa: PLW0108
    lambda f, r: [word.format(f.special(r)) for word in r.choice(READING).split()],
    lambda _f, r: [r.choice(("read", "replay", "journal", "panel", "engine", "play")), *_arguments(r)],
    _stream,
    lambda _f, r: _played(r),
)


def _settings(files: Files, rng: random.Random, argv: list[str]) -> list[str]:
    os.environ["COMPANION_SETTINGS"] = files.damaged("settings", rng)
    if rng.random() < 0.3:
        os.environ["COMPANION_WIDTH"] = rng.choice(("", "x", "-1", "9" * 5000, "nan", "\x1b[2J"))
    return argv


def _enrolled(files: Files, rng: random.Random) -> list[str]:
    files.damaged("enrolment", rng, "royal-tee.enrolled.toml")
    os.environ["CONFIGURATION_DIRECTORY"] = str(files.folder)
    return ["read", files.whole("picture")]


def _requests(files: Files, rng: random.Random) -> list[str]:
    sys.stdin = io.TextIOWrapper(io.BytesIO(Path(files.damaged("request", rng)).read_bytes()), errors="replace")
    return ["engine"]


def _measures(rng: random.Random) -> list[str]:
    lengths = ("300x300", "0x0", "-1x5", "1e999x1", "9" * 400 + "x9", "nanxnan", "x", "12x12", "1e-9x1e-9")
    return [word for name in ("--size", "--origin", "--cell") for word in (name, rng.choice(lengths))]


def _typed(rng: random.Random, argv: list[str]) -> list[str]:
    typed = "\n".join([*_arguments(rng), *_measures(rng)])
    sys.stdin = io.TextIOWrapper(io.BytesIO(damage(typed.encode(), rng)), errors="replace")
    return argv


def _arguments(rng: random.Random) -> list[str]:
    words = ("--json", "--game", "--at", "--journal", "--table", "--seed", "export", "import", "list", "wiring")
    odd = ("", "-", "--", "\x1b[2J", "9" * 5000, "/dev/zero", "/nowhere", ".", "~nobody/x", "a\0b", "=", "\u202e")
    return [rng.choice((*words, "example", *odd)) for _ in range(rng.randint(0, 4))]


@contextlib.contextmanager
def _surroundings(folder: Path) -> Iterator[None]:
    """Give each input the same environment and folder, whatever the one before has changed."""
    before, stdin = dict(os.environ), sys.stdin
    os.environ.update(HOME=str(folder), STATE_DIRECTORY=str(folder / "state"), COMPANION_SETTINGS=os.devnull)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        sys.stdin = stdin


def _too_slow(_number: int, _frame: FrameType | None) -> NoReturn:
    raise TooSlowError


def attempt(seed: int, files: Files) -> str | None:
    """Try one input; return what is wrong with how it ended, None if nothing is."""
    rng = random.Random(seed)
    return ended(lambda: JOBS[seed % len(JOBS)](files, rng), files, rng)


def ended(job: Callable[[], list[str]], files: Files, rng: random.Random) -> str | None:
    """Run a command; return what is wrong with how it ended, None if nothing is."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with _surroundings(files.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        argv = job()
        if argv[0] == "engine":
            sys.stdin = sys.stdin if isinstance(sys.stdin, io.TextIOWrapper) else io.TextIOWrapper(io.BytesIO())
        if argv[0] == "play":
            argv = ["play", "--camera", "none", *argv[1:]]
        if argv[0] == "play" and not isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin = io.TextIOWrapper(io.BytesIO("\n".join(_arguments(rng)).encode()))
        for timer, limit_s in LIMITS_S.items():
            signal.setitimer(timer, limit_s)
        try:
            code: object = companion(argv)
        except SystemExit as left:
            code = left.code
        except BaseException as error:
            return f"{argv}: {type(error).__name__}: {error}"
        finally:
            for timer in LIMITS_S:
                signal.setitimer(timer, 0)
    found = err.getvalue()
    if code not in GOOD_CODES or found.count("\n") > max(1, len(argv) - 1) or "Traceback" in found:
        return f"{argv}: exit code {code}: {found[:300]}"
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Try that many inputs and print those that ended badly."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000, metavar="N", help="how many")
    parser.add_argument("--first", type=int, metavar="SEED", help="the first seed, to repeat one; else a new one")
    args = parser.parse_args(arguments)
    for alarm in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(alarm, _too_slow)
    folder = Path(tempfile.mkdtemp(prefix="companion-fuzz-"))
    wrong = 0
    try:
        files = Files(folder)
        first = secrets.randbelow(10**9) if args.first is None else args.first
        sys.stdout.write(f"the first seed is {first}\n")
        corpus = (
            (" ".join(words)[:60], ended(partial(list, words), files, random.Random(0)))
            for words in found_before(files)
        )
        new = ((f"seed {seed}", attempt(seed, files)) for seed in range(first, first + args.inputs))
        for which, said in itertools.chain(corpus, new):
            if said:
                wrong += 1
                sys.stdout.write(f"{which}: {said}\n")
                sys.stdout.flush()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(f"{args.inputs} inputs, {wrong} ended badly\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
