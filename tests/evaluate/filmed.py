"""Phones whose camera films: a simulated table that is played before one, and a board of one's own."""

from __future__ import annotations

import argparse
import os
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from unittest.mock import patch

import cv2
import msgspec
import numpy as np

from companion.app.evening import PlayDevices, no_panel
from companion.app.photo_reading import read_picture
from companion.core.view import View
from companion.games import GAMES
from companion.shell.clock import Clock
from companion.shell.session import Setup
from companion.simulator.behaviour import PlayerBehaviour, VerdictCounts
from companion.simulator.camera import LiveShutter
from companion.simulator.hands import Pace
from companion.simulator.planner import laid_out_by_people
from companion.simulator.table import Plan, SimulatedTable
from hardware.panel import ButtonPressed, PanelInput
from tests.evaluate.evenings import drawn_game
from tests.evaluate.phones import SIZES, WAIT_S, Browser, Evening, Findings, examine
from tests.vision.drawn_tables import draw, pose_above
from vision.board import load_board, shipped_board
from vision.board_sections import Markers, PlacedMarker
from vision.camera.phone import PHONE, PhoneCamera
from vision.frame import ImageBgr
from vision.labels import EMPTY
from vision.observation import Blind
from vision.recognition.reader import AnyTableReader


class FilmedTable:
    """A simulated table that Chromium's camera films: each frame is written over the last one in a file of raw video.

    The people press the buttons of a phone, and see what the program shows; nothing else is shared.
    """

    def __init__(self, game: str, file: Path, seed: int, turns: int | None, size_wh: tuple[int, int]) -> None:
        self._game, self._file = GAMES[game], file
        self._clock, self._random = Clock(), Random(seed)
        behaviour = PlayerBehaviour(think_s=0.6, patience_s=60.0, turns=turns)
        plan = Plan(seed, behaviour, Pace(reach_s=0.8, piece_s=0.3), size_wh=size_wh)
        self._table = SimulatedTable(plan, clock=self._clock, shutter=LiveShutter(self._clock, frame_s=0.2))
        over = threading.Event()
        self._table.when_over = over.set
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
            phone.driver.get(f"{evening.address}J/{host.access.token}")
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
    deadline, lost = time.monotonic() + args.minutes * 60.0, False
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
            phones[1].offline(gone=False)
            evening.until(lambda view: "camera" not in view.failed, wait_s=40.0)
            found.expect("phone" in gone.failed["camera"], f"unclear: {gone.failed}")
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
            phone.driver.get(f"{evening.address}J/{host.access.token}")
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
