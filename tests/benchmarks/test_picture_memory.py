"""How much memory a command takes at most, whatever picture it is given: less than half of what a Zero 2 W has."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.games.engines import ENGINES
from engines.kernel import Seat
from vision.frame import ImageBgr

RECORDED = Path(__file__).parents[1] / "recorded" / "royal-tee" / "easy-31.jpg"

MOST_MB = 250
"""Measured 44 to 240."""

PICTURES = {
    "12.jpg": (12, ()),
    "12.png": (12, ()),
    "12.webp": (12, ()),
    "24.png": (23.9, ()),
    "24-progressive.jpg": (23.9, (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)),
    "50.jpg": (50, ()),
    "108.jpg": (108, ()),
    "119.png": (119, ()),
    "119-progressive.jpg": (119, (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)),
    "noise.png": (12, ()),
}
"""By name, megapixels and how they are written. Of the last two but one only the header is read: they are refused."""


@pytest.fixture(scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not request.config.getoption("benchmark_enable"):
        pytest.skip("memory is measured only with --benchmark-enable")
    folder = tmp_path_factory.mktemp("pictures")
    for name, (megapixels, options) in PICTURES.items():
        cv2.imwrite(str(folder / name), _picture(name, megapixels), list(options))
    return folder


def _picture(name: str, megapixels: float) -> ImageBgr:
    if name == "noise.png":
        return np.random.default_rng(1).integers(0, 255, (3000, 4000, 3), np.uint8)
    recorded = cv2.imread(str(RECORDED))
    assert recorded is not None
    scale = (megapixels * 1e6 / (recorded.shape[0] * recorded.shape[1])) ** 0.5
    return np.asarray(cv2.resize(recorded, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR), np.uint8)


@pytest.mark.parametrize("command", ["read", "score", "cards", "dice"])
@pytest.mark.parametrize("name", PICTURES)
def test_no_picture_takes_more_than_a_small_pi_has(folder: Path, command: str, name: str) -> None:
    out = folder / "out.png"
    takes_no_more(command, "--picture", str(out), str(folder / name))


def test_several_pictures_take_no_more_than_one(folder: Path) -> None:
    several = [str(folder / name) for name in ("24.png", "12.webp", "12.png", "108.jpg", "12.webp", "24.png")]
    for command in ("read", "dice"):
        takes_no_more(command, *several)


@pytest.mark.parametrize("command", ["read", "cards", "dice", "watch"])
def test_a_jpeg_that_is_larger_by_its_header_takes_no_more(folder: Path, command: str) -> None:
    small = cv2.resize(_picture("", 1.0), (64, 64))
    forged = bytearray(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes())
    at = forged.index(b"\xff\xc2") + 5  # the height and the width in the frame's header
    forged[at : at + 4] = (10_900).to_bytes(2) * 2
    (folder / "forged.jpg").write_bytes(forged)
    takes_no_more(command, str(folder / "forged.jpg"))


@pytest.mark.parametrize("command", ["read", "cards", "dice", "watch"])
def test_pictures_that_hide_how_much_they_decode_to_take_no_more(folder: Path, command: str) -> None:
    frames = [Image.fromarray(np.full((4000, 5000, 3), grey, np.uint8)) for grey in range(3)]
    frames[0].save(folder / "film.png", save_all=True, append_images=frames[1:])
    small, large = (cv2.imencode(".jpg", _picture("", size))[1].tobytes() for size in (0.1, 100))
    hidden = b"\xff\x01" + min(2 + len(large), 0xFFFF).to_bytes(2, "big") + large[2:] + small[2:]
    (folder / "hidden.jpg").write_bytes(small[:2] + hidden)
    for name in ("film.png", "hidden.jpg"):
        takes_no_more(command, str(folder / name))


def test_a_copy_of_a_journal_that_inflates_takes_no_more(tmp_path: Path) -> None:
    journal = ("journal", "import", str(next((RECORDED.parents[2] / "golden").glob("royal-ur/games/*.txt"))))
    takes_no_more(*journal, STATE_DIRECTORY=str(tmp_path), codes=(0,))
    with gzip.open(tmp_path / "journal.sqlite3.copy.gz", "wb", compresslevel=1) as copy:
        for _megabyte in range(400):
            copy.write(bytes(1 << 20))
    takes_no_more(*journal, STATE_DIRECTORY=str(tmp_path), codes=(0,))


def test_a_video_of_the_largest_size_takes_no_more(folder: Path) -> None:
    video, frame_bgr = folder / "4k.mp4", cv2.resize(_picture("", 1.0), (3840, 2160))
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (3840, 2160))
    for _frame in range(10):
        writer.write(frame_bgr)
    writer.release()
    takes_no_more("watch", str(video), codes=(0,))


@pytest.mark.parametrize("name", ["12.webp", "24.png", "50.jpg"])
def test_a_picture_that_is_watched_takes_no_more(folder: Path, name: str) -> None:
    takes_no_more("watch", str(folder / name))


@pytest.mark.parametrize("name", ["12.webp", "24.png", "108.jpg"])
def test_no_other_command_takes_more_for_a_picture(folder: Path, name: str, tmp_path: Path) -> None:
    position, recording, picture = tmp_path / "position.json", tmp_path / "recording", str(folder / name)
    engine = ENGINES["royal-tee"].game
    position.write_text(json.dumps(engine.position_to_json(engine.new([Seat("red"), Seat("green")], {}, 1))))
    recording.mkdir()
    (recording / name).symlink_to(folder / name)
    for command in (
        ("judge", "--position", str(position), "--after", picture),
        ("calibrate", "--output", str(tmp_path / "lens.toml"), picture, picture),
        ("enrol", "--game", "royal-tee", "--empty", picture, picture),
        ("camera", "test", "--camera", f"files:{recording}"),
        ("print", "measure", picture, picture),
    ):
        takes_no_more(*command, CONFIGURATION_DIRECTORY=str(tmp_path))


def test_no_command_without_a_picture_takes_more(tmp_path: Path) -> None:
    record = max((RECORDED.parents[2] / "golden").glob("*/games/*.txt"), key=lambda path: path.stat().st_size)
    for command in (
        *(("print", game, "--preview", "--out", str(tmp_path / "out.pdf")) for game in ENGINES),
        *(("print", "kit", game, "--out", str(tmp_path / "out.pdf")) for game in ENGINES),
        ("replay", str(record)),
        ("report", "--to", str(tmp_path), str(record)),
        ("journal", "import", str(record)),
        ("games", "statistics"),
        ("doctor",),
    ):
        takes_no_more(*command, STATE_DIRECTORY=str(tmp_path), codes={0, 3})


def test_a_journal_of_a_thousand_long_games_takes_no_more(tmp_path: Path) -> None:
    record = max((RECORDED.parents[2] / "golden").glob("*/games/*.txt"), key=lambda path: path.stat().st_size)
    takes_no_more("journal", "import", str(record), STATE_DIRECTORY=str(tmp_path), codes=(0,))
    with closing(sqlite3.connect(tmp_path / "journal.sqlite3")) as connection, connection:
        (game,) = connection.execute("SELECT * FROM games").fetchall()
        entries = connection.execute("SELECT number, entry, position, accepted FROM actions").fetchall()
        for number in range(2, 1001):
            connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (number, *game[1:]))
            rows = ((number, *entry) for entry in entries)
            connection.executemany("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", rows)
    again = ("journal", "import", str(record))
    for command in (("report", "--to", str(tmp_path)), ("games",), ("games", "evening"), again):
        takes_no_more(*command, STATE_DIRECTORY=str(tmp_path), codes=(0,))


def takes_no_more(*arguments: str, codes: Collection[int] = (0, 2, 3), **variables: str) -> None:
    """Run the program: it ends with one of some exit codes, and never held more memory than a small Pi has."""
    program = (
        "import resource, subprocess, sys\n"
        "code = subprocess.run([sys.executable, '-m', 'companion', *sys.argv[1:]], capture_output=True).returncode\n"
        "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=300, env={**os.environ, **variables}
    )
    code, most_kb = map(int, done.stdout.split())
    assert code in codes, arguments
    assert most_kb / 1024 <= MOST_MB, arguments
