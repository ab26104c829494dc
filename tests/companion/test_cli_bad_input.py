"""Bad input gets one sentence on standard error and exit code 2, nothing else, whatever the command."""

from __future__ import annotations

import json
import os
import pwd
import re
import shlex
import struct
import subprocess
import sys
import zlib
from functools import cache
from io import StringIO
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import REFUSED, UNUSABLE
from companion.shell.config_files import LENS_FILE
from companion.shell.config_places import write_own
from companion.shell.errors import SetUpError
from tests.companion.conftest import Answered, Refused, Told
from tests.companion.shell.fakes import games_in
from vision.board import shipped_board, table_file
from vision.calibration import Calibration, calibration_toml


def _encoded(kind: str, width: int, height: int) -> bytes:
    noise = np.random.default_rng(1).integers(0, 255, (height, width, 3), dtype=np.uint8)
    return bytes(cv2.imencode(kind, noise)[1])


def _png_that_claims(width: int, height: int) -> bytes:
    """Write a PNG whose header claims this size and whose data are a few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    )


_GOOD_POSITION = {
    "game": "royal-tee",
    "players": ["red", "green"],
    "turn": "red",
    "slider": 1,
    "royals": {"red": "F12", "green": "G1"},
    "claimed": {"red": ["F12"], "green": ["G1"]},
    "over": False,
}
_BOARD = shipped_board("royal-tee")
_POSITIONS: dict[str, object] = {
    "good": _GOOD_POSITION,
    "off-the-board": _GOOD_POSITION | {"claimed": {"red": ["F12", "Z99"], "green": ["G1"]}},
    "no-turn": {key: value for key, value in _GOOD_POSITION.items() if key != "turn"},
    "slider": _GOOD_POSITION | {"slider": 0},
    "chess": _GOOD_POSITION | {"game": "chess"},
    "over": _GOOD_POSITION
    | {"over": True, "claimed": {"red": [cell for cell in _BOARD.cells if cell != "G1"], "green": ["G1"]}},
    "list": [],
    "game-is-a-table": {"game": {}},
    "game-is-a-row": {"game": []},
    "game-is-a-number": {"game": 3},
}
_RECORD = "game: royal-tee\nformat: 2\nplayers: red green\noptions: {}\n\nF11\nG2\nE11 D11\n"


_LENS = {"focal_px": 9.0, "centre_px": [1.0, 1.0], "k1": 0.0, "size_wh": [9, 9], "error_px": 0.1, "pictures": 3}
_IMPOSSIBLE = (("focal_px", 0.0), ("focal_px", "nan"), ("size_wh", [0, 0]), ("k1", "inf"))


@cache
def _files() -> dict[str, bytes]:
    """Every kind of bad file, and some good ones."""
    table = table_file("royal-tee").read_text("utf-8")
    texts = {
        "words.jpg": "this is no picture",
        "no-side.toml": table.replace("side = 30.0\n", ""),
        "words-for-numbers.toml": table.replace("columns = 12", 'columns = "twelve"'),
        "misspelt.toml": table.replace("columns = 12", "colums = 12"),
        "no.toml": "[markers\n",
        "chess.toml": table.replace('game = "royal-tee"', 'game = "chess"'),
        "good.toml": table,
        "misspelt-lens.toml": "focal_pix = 1000\n",
        **{
            f"lens-{number}.toml": "\n".join(f"{name} = {text}" for name, text in {**_LENS, key: value}.items())
            for number, (key, value) in enumerate(_IMPOSSIBLE)
        },
        "clash.toml": "[buttons]\nroll = 4\n[buzzer]\npin = 4\n",
        "words.mp4": "no video",
        **{f"{name}.json": json.dumps(position) for name, position in _POSITIONS.items()},
        "no.json": "{not json",
        "deep.json": "[" * 100_000,
        "large.json": " " * 2_000_000,
        "good.txt": _RECORD,
        "forbidden.txt": f"{_RECORD}G5\n",
        "no-action.txt": f"{_RECORD}roll 3: x\n",
        "large.txt": "#" * 1_000_001,
    }
    return {
        **{name: text.encode() for name, text in texts.items()},
        "truncated.jpg": _encoded(".jpg", 640, 480)[:40_000],
        "truncated.png": _encoded(".png", 640, 480)[:40_000],
        "one-pixel.png": _encoded(".png", 1, 1),
        "200-megapixel.png": _png_that_claims(20_000, 10_000),
        "no-data.jpg": b"",
        "cut.mp4": b"\0\0\0\x20ftypisom\0\0\2\0isomiso2mp41\0\0\0\x08free\0\0\x40\0mdat" + bytes(500),
        "large.mp4": _png_that_claims(12_000, 9920),
        "odd/0.png": _encoded(".png", 128, 96),
        "odd/1.png": _encoded(".png", 80, 96),
        "gray.png": bytes(cv2.imencode(".png", np.full((480, 640), 127, np.uint8))[1]),
        "bytes.toml": b"\xff\xfe\x00",
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with these files.

    There are also a pipe that nobody writes to, a link to a device without end, and a file of gigabytes.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr("sys.stdin", StringIO())
    for name in ("odd", "empty", "folder.jpg"):
        (tmp_path / name).mkdir()
    for name, content in _files().items():
        (tmp_path / name).write_bytes(content)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    with (tmp_path / "huge").open("wb") as huge:
        huge.truncate(5_000_000_000)
    return tmp_path


GOLDEN = Path(__file__).parents[1] / "golden" / "refusals.txt"
REFUSALS = [line.split(" => ") for line in GOLDEN.read_text("utf-8").splitlines() if line and line[0] != "#"]


@pytest.mark.parametrize(("command", "said"), REFUSALS)
def test_a_command_that_cannot_be_carried_out_is_refused_in_one_sentence_and_enters_no_game(
    command: str, said: str, folder: Path, refused: Refused
) -> None:
    assert re.search(".*".join(map(re.escape, said.split(" ... "))), refused(*shlex.split(command)))
    journal = folder / "state" / "journal.sqlite3"
    assert not journal.exists() or games_in(journal) == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["read", "a\0b.jpg"], "NUL"),
        (["journal", "export", "9" * 5000], "expected a whole number of at most 18 digits, not of 5000"),
        (["play", "royal-ur", "--camera", "none", "--listen", "box:" + "9" * 5000], "--listen"),
    ],
    ids=["NUL", "5000 digits", "a port of 5000 digits"],
)
def test_arguments_that_no_file_or_database_takes_are_refused(command: list[str], said: str, refused: Refused) -> None:
    assert said in refused(*command)


@pytest.mark.parametrize("command", ["watch", "camera test --camera webcam:"])
def test_a_name_that_is_not_utf_8_is_no_crash_of_the_decoder(folder: Path, command: str) -> None:
    name = os.fsencode(folder) + b"/\xe9.mp4"
    Path(os.fsdecode(name)).write_bytes(b"no video")
    words = [os.fsencode(word) for word in (sys.executable, "-m", "companion", *command.split())]
    words = [*words[:-1], words[-1] + name] if command.endswith(":") else [*words, name]
    done = subprocess.run(words, capture_output=True, check=False, timeout=60)
    assert done.returncode == UNUSABLE
    assert done.stderr.startswith(b"companion: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.usefixtures("folder")
def test_an_unusable_picture_among_others_has_its_line_of_json_and_outranks_a_refusal(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["read", "--json", "gray.png"]) == REFUSED
    capfd.readouterr()
    assert main(["read", "--json", "gray.png", "one-pixel.png", "gray.png"]) == UNUSABLE
    out, err = capfd.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [(line["image"], line["status"], line["reason"]) for line in lines] == [
        ("gray.png", "refused", "no-board"),
        ("one-pixel.png", "refused", "unreadable-file"),
        ("gray.png", "refused", "no-board"),
    ]
    assert all(line["message"] for line in lines)
    assert err.startswith("companion: one-pixel.png: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("PIPE", "not a regular file"),
        ("ZERO", "not a regular file"),
        ("width = " + "9" * 5000, "not a TOML file"),
        ("width = 99999999999999999999", ""),
        ("x = " + "[" * 5000, "nested too deeply"),
        ("a" * 2_000_000, "too large"),
        ('data = "~no-such-user/x"', 'no home folder "~no-such-user"'),
        ('data = "a\\u0000b"', "NUL"),
        ("tables = [3]", "tables"),
        ("\ufeffwidth = 3", "from 40 to 10000"),
    ],
    ids=["pipe", "zero", "digits", "large number", "deep", "large", "no user", "NUL", "list", "mark"],
)
def test_settings_that_cannot_be_used_get_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused, content: str, said: str
) -> None:
    file = {"PIPE": folder / "pipe", "ZERO": folder / "zero"}.get(content)
    if file is None:
        file = folder / "companion.toml"
        file.write_text(content, encoding="utf-8")
    monkeypatch.setenv("COMPANION_SETTINGS", str(file))
    assert said in refused("settings", of=file)


def test_settings_with_a_byte_order_mark_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, answered: Answered
) -> None:
    (folder / "companion.toml").write_text("\ufeffwidth = 77", encoding="utf-8")
    monkeypatch.setenv("COMPANION_SETTINGS", str(folder / "companion.toml"))
    assert answered("settings")["settings"]["width"]["value"] == 77


@pytest.mark.parametrize(
    "argv", [["journal", "list"], ["calibrate", "a.png"], ["enrol", "--game", "royal-tee", "--forget"]]
)
def test_a_user_without_a_home_folder_is_reported_what_to_set(
    argv: list[str], monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    for variable in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "STATE_DIRECTORY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    if argv[0] == "calibrate":
        lens = Calibration(1100.0, (639.5, 479.5), -0.06, (1280, 960), 0.2, 5)
        with pytest.raises(SetUpError, match="no home folder"):
            write_own(LENS_FILE, calibration_toml(lens))
        return
    assert "no home folder" in refused(*argv)


@pytest.mark.parametrize(
    ("tone", "said"),
    [
        ("spread = [0.1, 0.1, 0.1]", "mean"),
        ("mean = [0.1, 0.1, 0.1]", "spread"),
        ("mean = []\nspread = []", "three numbers"),
        ("mean = [0.1, 0.1, 0.1]\nspread = [0.1]", "found 3 and 1"),
        ("mean = [nan, 0.1, 0.1]\nspread = [0.1, 0.1, 0.1]", "expected a number, found NaN"),
        ('mean = ["a", 0.1, 0.1]\nspread = [0.1, 0.1, 0.1]', "mean"),
    ],
)
def test_what_was_enrolled_and_lacks_something_gets_one_sentence(
    tone: str, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    file = folder / "royal-tee.enrolled.toml"
    file.write_text(f'game = "royal-tee"\npictures = 1\n[labels."red"]\n{tone}\n')
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(folder))
    assert said in refused("read", "gray.png", of=file)


@pytest.mark.parametrize(
    "argv",
    [
        ["read", "--picture", "gray.png", "gray.png"],
        ["read", "--picture", "link.png", "gray.png"],
        ["read", "--picture", "hard.png", "gray.png"],
        ["read", "--picture", "gray.png", "other.png", "gray-1.png"],
        ["score", "--picture", "./gray.png", "gray.png"],
        ["cards", "--picture", "gray.png", "gray.png"],
        ["calibrate", "--sheet", "gray.png", "gray.png"],
        ["calibrate", "--output", "gray.png", "gray.png"],
        ["print", "measure", "gray.png", "--out", "gray.png"],
        ["print", "royal-tee", "--table", "good.toml", "--out", "good.toml"],
        ["report", "game.html"],
    ],
)
def test_what_is_read_is_never_overwritten(argv: list[str], folder: Path, refused: Refused) -> None:
    (folder / "gray-1.png").write_bytes((folder / "gray.png").read_bytes())
    (folder / "link.png").symlink_to("gray.png")
    (folder / "hard.png").hardlink_to("gray.png")
    (folder / "game.html").write_text(_RECORD)
    before = {path: path.read_bytes() for path in folder.glob("g*")}
    assert "it would be overwritten" in refused(*argv)
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("value", ["nan", "inf", "1e300"])
@pytest.mark.parametrize("line", ["side = 30.0", "pitch = [", "origin = [", "size = ["])
def test_a_table_with_a_length_that_cannot_be_gets_one_sentence(
    line: str, value: str, folder: Path, refused: Refused
) -> None:
    text = (folder / "good.toml").read_text()
    assert line in text
    begin = line if line.endswith("[") else "side = "
    (folder / "odd.toml").write_text(re.sub(re.escape(begin) + r"[0-9.]+", begin + value, text, count=1))
    assert "expected" in refused("read", "--table", "odd.toml", "gray.png", of="odd.toml")


@pytest.mark.parametrize("command", ["read", "dice", "cards"])
def test_a_dark_picture_is_refused_by_every_reader(command: str, folder: Path, told: Told) -> None:
    cv2.imwrite(str(folder / "dark.png"), np.zeros((480, 640, 3), np.uint8))
    assert "too dark to read" in told(command, "dark.png", code=REFUSED)


def test_an_address_without_its_word_is_reported_with_what_to_write(refused: Refused) -> None:
    reported = refused("play", "royal-ur", "--camera", "http://anna:secret@10.0.0.5/video")
    assert "stream:http://" in reported
    assert "secret" not in reported


def test_a_sheet_of_no_number_is_reported_in_the_program_s_own_words(refused: Refused) -> None:
    for seed in ("abc", "-1", "9" * 30):
        assert "expected a whole number" in refused("print", "challenge", "territory", "--seed", seed)
