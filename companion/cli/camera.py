"""`companion camera`: what cameras there are, and how well one sees the table."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.app.aiming import CameraLook, look_lines, measured
from companion.app.output import write_json, write_text
from companion.app.photo_reading import PhotoReading, read_picture, reader_of, tables, write_picture
from companion.cli.exits import DONE, REFUSED
from companion.cli.photographs import pictures_for
from companion.locale import _, english, translated
from companion.shell.devices import CAMERAS, NOTHING, REAL_CAMERAS, SIMULATED, camera_opener, connected_cameras
from companion.shell.settings import find_settings
from companion.ui.picture import save_picture
from vision.board import Board
from vision.camera.camera import Camera
from vision.camera.flicker import FlickerFilter
from vision.errors import CameraEndedError

_FRAMES = 10


def run(args: argparse.Namespace) -> int:
    """List the cameras, or measure how well one sees the table, and report what to change.

    Without --camera it is the camera of the settings, or else the Pi's own.
    """
    if args.action == "list":  # the word for --camera and the name of every camera that is connected
        connected = [*connected_cameras()]
        if args.json:
            write_json({"status": "ok", "cameras": [{"camera": word, "name": name} for word, name in connected]})
            return DONE
        none = _("no camera is connected; companion doctor shows how to get one")
        write_text(*([f"{word:<12}{name}" for word, name in connected] or [none]))
        write_text(*filter(None, (kind.hint() for kind in CAMERAS.values())))
        return DONE
    outs = pictures_for(args.picture, [Path(os.devnull)])  # a camera has no file to overwrite
    boards = tables(args.game, args.table)
    set_up = find_settings(os.environ).settings.camera
    word = args.camera or (set_up if set_up not in {None, SIMULATED, NOTHING} else None) or "picamera"
    open_camera = camera_opener(word, REAL_CAMERAS)
    assert open_camera is not None, "a kind of real camera makes one"  # noqa: S101
    with open_camera() as camera:
        reported = _measure(camera, boards, args.lens)
        problem = camera.problem
    if outs[0] is not None and isinstance(reported.look, PhotoReading):
        write_picture(outs[0], reported.look, look_lines(reported)[-3:])
    elif outs[0] is not None:
        save_picture(outs[0], reported.image_bgr)
    if args.json:
        with english():
            answer = _as_json(reported)
        write_json(answer)
    else:
        write_text(*look_lines(reported), *filter(None, [problem and f"-> {translated(problem)}"]))
    return DONE if isinstance(reported.look, PhotoReading) else REFUSED


def _measure(camera: Camera, boards: Mapping[str, Board], lens: Path | None) -> CameraLook:
    """Take some frames; read and measure the last one."""
    frame, count, start = camera.read(), 1, time.perf_counter()
    flicker = FlickerFilter()
    try:
        for _frame in range(_FRAMES):
            frame = flicker.steadied(camera.read())
            count += 1
    except CameraEndedError:  # a folder with fewer pictures
        pass
    frames_per_s = (count - 1) / max(time.perf_counter() - start, 1e-9)
    reader = reader_of(boards, lens)
    reader.read(frame.image_bgr)  # the first reading loads the models, and its time does not count
    look = read_picture(frame.image_bgr, boards, reader)
    return measured(frame.image_bgr, boards, look, camera.name, frames_per_s, flickers=flicker.flickers)


def _as_json(reported: CameraLook) -> dict[str, Any]:
    measures = reported.measures
    read = reported.look if isinstance(reported.look, PhotoReading) else None
    return {
        "status": "ok" if read else "refused",
        "camera": reported.camera,
        "size_wh": list(measures.size_wh),
        "frames_per_s": round(reported.frames_per_s or 0.0, 1),
        "edge_px": round(measures.edge_px, 2),
        "white": round(measures.white),
        "glare": round(measures.glare, 4),
        "markers": measures.markers,
        "marker_px": None if measures.marker_px is None else round(measures.marker_px, 1),
        "px_per_mm": None if measures.px_per_mm is None else round(measures.px_per_mm, 2),
        "slant_deg": None if measures.slant_deg is None else round(measures.slant_deg, 1),
        "game": None if read is None else read.board.game,
        "unsure": [] if read is None else read.unsure,
        "small": list(measures.small),
        "playable": measures.playable,
        "milliseconds": None if read is None else round(read.milliseconds, 1),
        "advice": [word.value for word in reported.advice],
    }
