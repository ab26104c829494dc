"""Bad input gets one sentence on standard error and exit code 2, nothing else, whatever the command."""

from __future__ import annotations

import json
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
from companion.cli.exits import REFUSED, UNUSABLE


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
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_file_that_is_no_position(position: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    argv = ["judge", "--game", "royal-tee", "--position", position, "--after", "gray.png"]
    _is_one_sentence(argv, "companion: ", said, capfd)


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
