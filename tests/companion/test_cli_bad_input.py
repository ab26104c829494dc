"""Bad input gets one sentence on standard error and exit code 2, nothing else, whatever the command."""

from __future__ import annotations

import json
import os
import pwd
import re
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE, REFUSED, UNUSABLE
from companion.shell.config_files import LENS_FILE
from companion.shell.config_places import write_own
from companion.shell.errors import SetUpError
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


_PICTURES: dict[str, Callable[[], bytes]] = {
    "truncated.jpg": lambda: _encoded(".jpg", 640, 480)[:40_000],
    "no-data.jpg": lambda: b"",
    "words.jpg": lambda: b"this is no picture",
    "one-pixel.png": lambda: _encoded(".png", 1, 1),
    "200-megapixel.png": lambda: _png_that_claims(20_000, 10_000),
    "truncated.png": lambda: _encoded(".png", 640, 480)[:40_000],
}

_GOOD_POSITION = {
    "game": "royal-tee",
    "players": ["red", "green"],
    "turn": "red",
    "slider": 1,
    "royals": {"red": "F12", "green": "G1"},
    "claimed": {"red": ["F12"], "green": ["G1"]},
    "over": False,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with every kind of bad file."""
    monkeypatch.chdir(tmp_path)
    for name, content in _PICTURES.items():
        (tmp_path / name).write_bytes(content())
    (tmp_path / "folder.jpg").mkdir()
    (tmp_path / "gray.png").write_bytes(bytes(cv2.imencode(".png", np.full((480, 640), 127, np.uint8))[1]))
    _write_tables(tmp_path)
    _write_positions(tmp_path)
    return tmp_path


def _write_tables(folder: Path) -> None:
    text = resources.files("vision.boards").joinpath("royal_tee", "board.toml").read_text()
    (folder / "no-side.toml").write_text(text.replace("side = 30.0\n", ""))
    (folder / "words-for-numbers.toml").write_text(text.replace("columns = 12", 'columns = "twelve"'))
    (folder / "misspelt.toml").write_text(text.replace("columns = 12", "colums = 12"))
    (folder / "no.toml").write_text("[markers\n")
    (folder / "chess.toml").write_text(text.replace('game = "royal-tee"', 'game = "chess"'))
    (folder / "good.toml").write_text(text)
    (folder / "bytes.toml").write_bytes(b"\xff\xfe\x00")


def _write_positions(folder: Path) -> None:
    off_the_board = _GOOD_POSITION | {"claimed": {"red": ["F12", "Z99"], "green": ["G1"]}}
    (folder / "off-the-board.json").write_text(json.dumps(off_the_board))
    (folder / "no-turn.json").write_text(json.dumps({k: v for k, v in _GOOD_POSITION.items() if k != "turn"}))
    (folder / "no.json").write_text("{not json")
    (folder / "list.json").write_text("[]")
    for name, game in (("table", {}), ("row", []), ("number", 3)):
        (folder / f"game-is-a-{name}.json").write_text(json.dumps({"game": game}))
    (folder / "good.json").write_text(json.dumps(_GOOD_POSITION))


@pytest.mark.parametrize(
    "command", [["read"], ["score"], ["judge", "--game", "royal-tee", "--position", "good.json", "--after"]]
)
@pytest.mark.parametrize(
    ("image", "said"),
    [
        ("truncated.jpg", "cut short or damaged"),
        ("truncated.png", "cut short or damaged"),
        ("no-data.jpg", "is not a"),
        ("words.jpg", "is not a"),
        ("one-pixel.png", "1 x 1 pixels"),
        ("200-megapixel.png", "20000 x 10000 pixels"),
        ("folder.jpg", "is a directory"),
        ("missing.jpg", "no such file"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_file_that_is_no_usable_picture(
    command: list[str], image: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    _is_one_sentence([*command, image], f"companion: {image}: ", said, capfd)


@pytest.mark.parametrize(
    ("argv", "begins", "said"),
    [
        (["read", "--table", "no-side.toml", "gray.png"], "no-side.toml: markers: ", '"side"'),
        (["read", "--table", "words-for-numbers.toml", "gray.png"], "words-for-numbers.toml: grid.columns: ", "int"),
        (
            ["read", "--table", "misspelt.toml", "gray.png"],
            "misspelt.toml: grid: ",
            '"colums"; did you mean "columns"?',
        ),
        (["read", "--table", "no.toml", "gray.png"], "no.toml: not a TOML file", ""),
        (["read", "--table", "bytes.toml", "gray.png"], "bytes.toml: ", "not UTF-8"),
        (["read", "--table", "missing.toml", "gray.png"], "missing.toml: ", "No such file"),
        (["read", "--table", ".", "gray.png"], ".: ", "directory"),
        (["read", "--table", "chess.toml", "gray.png"], "chess: this version has no eyes for that table yet", "eyes"),
        (
            ["read", "--game", "territory", "--table", "good.toml", "gray.png"],
            "good.toml: ",
            'found one for "royal-tee"',
        ),
        (["read", "--game", "chess", "gray.png"], "argument --game: ", 'unknown game "chess"'),
        (["read", "--picture", "out.txt", "gray.png"], "out.txt: ", ".png"),
        (["read", "--picture", "nowhere/out.png", "gray.png"], "nowhere/out.png: ", "no folder nowhere"),
        (["score", "--table", "no-side.toml", "gray.png"], "no-side.toml: markers: ", '"side"'),
        (["games", "shwo"], "", 'unknown command "shwo"; did you mean "show"?'),
        *(
            (["play", "royal-ur", "--camera", "none", "--journal", "j.sqlite3", "--listen", address], "", "--listen")
            for address in (":80", "box:", "box:http", "box:70000", "[::1]:70000", "box:" + "9" * 5000)
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_unusable_tables_and_arguments(
    argv: list[str], begins: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    _is_one_sentence(argv, f"companion: {begins}", said, capfd)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("off-the-board.json", "Z99"),
        ("no-turn.json", "turn"),
        ("no.json", "JSON"),
        ("list.json", "object"),
        ("missing.json", "No such file"),
        ("folder.jpg", "directory"),
        *((f"game-is-a-{name}.json", "unknown game") for name in ("table", "row", "number")),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_file_that_is_no_position(position: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    game = [] if said == "unknown game" else ["--game", "royal-tee"]
    _is_one_sentence(["judge", *game, "--position", position, "--after", "gray.png"], "companion: ", said, capfd)


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


@pytest.mark.usefixtures("folder")
def test_the_program_itself_says_one_sentence_too() -> None:
    command = [sys.executable, "-m", "companion", "read", "truncated.jpg"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (UNUSABLE, "")
    assert done.stderr.startswith("companion: truncated.jpg: ")
    assert done.stderr.count("\n") == 1


def _is_one_sentence(argv: list[str], begins: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    code = main(argv)
    out, err = capfd.readouterr()
    assert (code, out) == (UNUSABLE, "")
    assert err.startswith(begins)
    assert said in err
    assert err.count("\n") == 1


# ---- files that are none, or never end


@pytest.fixture
def endless(folder: Path) -> Path:
    """The folder with a pipe that nobody writes to, a link to a device without end, and a file of gigabytes."""
    os.mkfifo(folder / "pipe")
    (folder / "zero").symlink_to("/dev/zero")
    with (folder / "huge").open("wb") as huge:
        huge.truncate(5_000_000_000)
    return folder


@pytest.mark.parametrize("file", ["pipe", "zero", "huge"])
@pytest.mark.parametrize(
    "argv",
    [
        ["replay", "FILE"],
        ["journal", "import", "FILE", "--journal", "j.sqlite3"],
        ["judge", "--game", "royal-tee", "--position", "FILE", "--after", "gray.png"],
        ["read", "--lens", "FILE", "gray.png"],
        ["read", "--table", "FILE", "gray.png"],
        ["panel", "wiring", "--hardware", "FILE"],
        ["read", "FILE"],
    ],
    ids=lambda argv: " ".join(argv[:3]),
)
@pytest.mark.usefixtures("endless")
def test_what_is_no_ordinary_file_neither_hangs_nor_is_read_without_end(
    argv: list[str], file: str, capfd: pytest.CaptureFixture[str]
) -> None:
    said = {"pipe": "not a regular file", "zero": "not a regular file", "huge": ""}[file]
    _is_one_sentence([file if word == "FILE" else word for word in argv], f"companion: {file}: ", said, capfd)


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
        ("\ufeffwidth = 3", "40 to 10000 columns"),
    ],
    ids=["pipe", "zero", "digits", "large number", "deep", "large", "no user", "NUL", "list", "mark"],
)
def test_settings_that_cannot_be_used_get_one_sentence(
    endless: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], content: str, said: str
) -> None:
    file = {"PIPE": endless / "pipe", "ZERO": endless / "zero"}.get(content)
    if file is None:
        file = endless / "companion.toml"
        file.write_text(content, encoding="utf-8")
    monkeypatch.setenv("COMPANION_SETTINGS", str(file))
    _is_one_sentence(["settings"], f"companion: {file}: ", said, capfd)


def test_settings_with_a_byte_order_mark_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "companion.toml").write_text("\ufeffwidth = 77", encoding="utf-8")
    monkeypatch.setenv("COMPANION_SETTINGS", str(folder / "companion.toml"))
    assert main(["settings", "--json"]) == DONE
    assert json.loads(capfd.readouterr().out)["settings"]["width"]["value"] == 77


@pytest.mark.parametrize(
    "argv", [["journal", "list"], ["calibrate", "a.png"], ["enrol", "--game", "royal-tee", "--forget"]]
)
def test_a_user_without_a_home_folder_is_reported_what_to_set(
    argv: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for variable in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "STATE_DIRECTORY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", _no_entry)
    if argv[0] == "calibrate":
        lens = Calibration(1100.0, (639.5, 479.5), -0.06, (1280, 960), 0.2, 5)
        with pytest.raises(SetUpError, match="no home folder"):
            write_own(LENS_FILE, calibration_toml(lens))
        return
    _is_one_sentence(argv, "companion: ", "no home folder", capfd)


def _no_entry(*_arguments: object) -> None:
    raise KeyError


@pytest.mark.parametrize(
    ("tone", "said"),
    [
        ("spread = [0.1, 0.1, 0.1]", "mean"),
        ("mean = [0.1, 0.1, 0.1]", "spread"),
        ("mean = []\nspread = []", "three numbers"),
        ("mean = [0.1, 0.1, 0.1]\nspread = [0.1]", "found 3 and 1"),
        ("mean = [nan, 0.1, 0.1]\nspread = [0.1, 0.1, 0.1]", "infinite"),
        ('mean = ["a", 0.1, 0.1]\nspread = [0.1, 0.1, 0.1]', "mean"),
    ],
)
def test_what_was_enrolled_and_lacks_something_gets_one_sentence(
    tone: str, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    file = folder / "royal-tee.enrolled.toml"
    file.write_text(f'game = "royal-tee"\npictures = 1\n[labels."red"]\n{tone}\n')
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(folder))
    _is_one_sentence(["read", "gray.png"], f"companion: {file}: ", said, capfd)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("focal_px = 0.0", "focal_px"),
        ("focal_px = nan", "focal_px"),
        ("size_wh = [0, 0]", "size_wh"),
        ("k1 = inf", "k1"),
    ],
)
def test_a_lens_that_cannot_be_gets_one_sentence(
    line: str, said: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    good = {
        "focal_px": "9.0",
        "centre_px": "[1.0, 1.0]",
        "k1": "0.0",
        "size_wh": "[9, 9]",
        "error_px": "0.1",
        "pictures": "3",
    }
    key, _equals, value = line.partition(" = ")
    (folder / "lens.toml").write_text("\n".join(f"{name} = {text}" for name, text in {**good, key: value}.items()))
    _is_one_sentence(["read", "--lens", "lens.toml", "gray.png"], "companion: lens.toml: ", said, capfd)


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
def test_what_is_read_is_never_overwritten(argv: list[str], folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "gray-1.png").write_bytes((folder / "gray.png").read_bytes())
    (folder / "link.png").symlink_to("gray.png")
    (folder / "hard.png").hardlink_to("gray.png")
    (folder / "game.html").write_text("game: royal-tee\nformat: 2\nplayers: red green\noptions: {}\n\nF11\n")
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    _is_one_sentence(argv, "companion: ", "it would be overwritten", capfd)
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("value", ["nan", "inf", "1e300"])
@pytest.mark.parametrize("line", ["side = 30.0", "pitch = [", "origin = [", "size = ["])
def test_a_table_with_a_length_that_cannot_be_gets_one_sentence(
    line: str, value: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = (folder / "good.toml").read_text()
    assert line in text
    begin = line if line.endswith("[") else "side = "
    (folder / "odd.toml").write_text(re.sub(re.escape(begin) + r"[0-9.]+", begin + value, text, count=1))
    _is_one_sentence(["read", "--table", "odd.toml", "gray.png"], "companion: odd.toml: ", "expected", capfd)


def test_an_address_without_its_word_is_reported_with_what_to_write(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "royal-ur", "--camera", "http://anna:secret@10.0.0.5/video"]) == UNUSABLE
    reported = capfd.readouterr().err
    assert "stream:http://" in reported
    assert "secret" not in reported
