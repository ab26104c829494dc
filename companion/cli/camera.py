"""`companion camera`: what cameras there are, and how well one sees the table."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.output import write_json, write_text
from companion.app.photo_reading import PhotoReading, reader_of, tables, write_picture
from companion.cli.exits import DONE, REFUSED
from companion.cli.parser import Subparsers, examples
from companion.cli.photographs import add_table_arguments, pictures_for
from companion.locale import _, english
from companion.ui.phrases import cells_words

if TYPE_CHECKING:
    from vision.board import Board
    from vision.camera.camera import Camera
    from vision.camera.check import CameraAdvice, CameraMeasures
    from vision.frame import ImageBgr
    from vision.observation import Blind

_FRAMES = 10


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    from companion.shell.devices import REAL_CAMERAS

    parser = subparsers.add_parser(
        "camera",
        help=_("list the cameras, or test how well one sees the table"),
        description=_("Lists the cameras that there are, or tests one: sharpness, light, distance, slant and speed."),
        epilog=examples(
            "companion camera list",
            "companion camera test --camera webcam:0 --picture seen.png",
            "companion camera test --camera files:pictures --json",
        ),
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser(
        "list", help=_("list the cameras"), epilog=examples("companion camera list", "companion camera list --json")
    )
    listing.add_argument("--json", action="store_true", help=_("one line of JSON"))
    testing = actions.add_parser(
        "test",
        help=_("test a camera on the table before it"),
        description=_("Takes some pictures and reports what to change: nearer, more light, less slant. Needs a table."),
        epilog=examples("companion camera test", "companion camera test --camera webcam:0 --picture seen.png"),
    )
    testing.add_argument(
        "--camera",
        metavar="KIND",
        help=_("one of {cameras}; without it your settings decide").format(
            cameras=", ".join(kind.usage for kind in REAL_CAMERAS.values())
        ),
    )
    add_table_arguments(testing, _("the game on the table"))
    testing.add_argument(
        "--picture", type=Path, metavar="OUT.png", help=_("write the picture with what was read drawn over it")
    )
    testing.add_argument("--json", action="store_true", help=_("one line of JSON"))


def run(args: argparse.Namespace) -> int:
    """List or test."""
    return _list(as_json=args.json) if args.action == "list" else _test(args)


def _games() -> Sequence[str]:
    from vision.board import shipped_games

    return shipped_games()


def _list(*, as_json: bool) -> int:
    """Print the word for `--camera` and the name of every camera that is connected."""
    from companion.shell.devices import CAMERAS, connected_cameras

    found = [*connected_cameras()]
    if as_json:
        write_json({"status": "ok", "cameras": [{"camera": word, "name": name} for word, name in found]})
        return DONE
    if found:
        write_text(*(f"{word:<12}{name}" for word, name in found))
    else:
        write_text(_("no camera is connected; companion doctor shows how to get one"))
    write_text(*filter(None, (kind.hint() for kind in CAMERAS.values())))
    return DONE


@dataclass(frozen=True, slots=True, eq=False)
class _Test:
    """What a test has found."""

    camera: str
    frames_per_s: float
    look: PhotoReading | Blind
    image_bgr: ImageBgr
    measures: CameraMeasures
    advice: tuple[CameraAdvice, ...]


def _test(args: argparse.Namespace) -> int:
    """Look through a camera, report what was measured and what to change."""
    outs = pictures_for(args.picture, [Path(os.devnull)])  # a camera is no file
    boards = tables(args.game, args.table)
    with _opened(args.camera) as camera:
        reported = _measured(camera, boards, args.lens)
        problem = camera.problem
    if outs[0] is not None:
        _draw(outs[0], reported)
    if args.json:
        with english():
            answer = _as_json(reported)
        write_json(answer)
    else:
        write_text(*_lines(reported), *filter(None, [problem and f"-> {problem}"]))
    return DONE if isinstance(reported.look, PhotoReading) else REFUSED


def _opened(asked: str | None) -> Camera:
    """Open the camera that was asked for, else the one of the settings, else a ribbon camera.

    Raises:
        SetUpError: there is no such kind of camera.
        CameraError: it cannot be opened.
    """
    from companion.shell.devices import NOTHING, REAL_CAMERAS, SIMULATED, camera_opener
    from companion.shell.settings import find_settings

    set_up = find_settings(os.environ).settings.camera
    word = asked or (set_up if set_up not in {None, SIMULATED, NOTHING} else None) or "picamera"
    open_camera = camera_opener(word, REAL_CAMERAS)
    assert open_camera is not None, "a kind of real camera makes one"  # noqa: S101
    return open_camera()


def _measured(camera: Camera, boards: Mapping[str, Board], lens: Path | None) -> _Test:
    """Take some frames, read the last one and measure it."""
    from vision.camera.check import advice, measure
    from vision.camera.flicker import FlickerFilter
    from vision.errors import CameraEndedError
    from vision.observation import Blind

    frame, count, start = camera.read(), 1, time.perf_counter()
    flicker = FlickerFilter()
    try:
        for _frame in range(_FRAMES):
            frame = flicker.steadied(camera.read())
            count += 1
    except CameraEndedError:  # a folder with fewer pictures
        pass
    image_bgr, frames_per_s = frame.image_bgr, (count - 1) / max(time.perf_counter() - start, 1e-9)
    reader = reader_of(boards, lens)
    reader.read(image_bgr)  # the first reading makes the reader
    start = time.perf_counter()
    result = reader.read(image_bgr)
    milliseconds = 1000 * (time.perf_counter() - start)
    if isinstance(result, Blind):
        measures = replace(measure(image_bgr, dict(boards), None), flickers=flicker.flickers)
        return _Test(camera.name, frames_per_s, result, image_bgr, measures, advice(measures, None))
    measures = replace(measure(image_bgr, dict(boards), result), flickers=flicker.flickers)
    look = PhotoReading(image_bgr, boards[result.game], result, milliseconds)
    return _Test(camera.name, frames_per_s, look, image_bgr, measures, advice(measures, look.board))


def _draw(out: Path, reported: _Test) -> None:
    from companion.ui.picture import save_picture

    if isinstance(reported.look, PhotoReading):
        write_picture(out, reported.look, _lines(reported)[-3:])
    else:
        save_picture(out, reported.image_bgr)


def _as_json(reported: _Test) -> dict[str, Any]:
    measures = reported.measures
    read = reported.look if isinstance(reported.look, PhotoReading) else None
    return {
        "status": "ok" if read else "refused",
        "camera": reported.camera,
        "size_wh": list(measures.size_wh),
        "frames_per_s": round(reported.frames_per_s, 1),
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


def _lines(reported: _Test) -> list[str]:
    """Return what was measured, and last what to change."""
    measures = reported.measures
    width, height = measures.size_wh
    lines = [
        _("{camera}: {width} x {height} px, {rate:.1f} pictures a second").format(
            camera=reported.camera, width=width, height=height, rate=reported.frames_per_s
        ),
        _("sharpness: edges {edge:.1f} px wide (good below 4.5)").format(edge=measures.edge_px),
        _("light: white is {white:.0f} of 255 (good above 110), {glare:.1%} burnt out").format(
            white=measures.white, glare=measures.glare
        ),
        *_of_the_table(reported),
    ]
    if reported.advice or not isinstance(reported.look, PhotoReading):
        return [*lines, *map(_advice_sentence, reported.advice)]
    return [*lines, _("nothing to change")]


def _playable_sentence(measures: CameraMeasures) -> str:
    if measures.playable:
        return _("this view can be played")
    if not measures.small:
        return _("this view cannot be played for certain: cells are in doubt")
    sentence = _("this view cannot be played for certain: too small in the picture are {cells}")
    return sentence.format(cells=cells_words(measures.small))


def _of_the_table(reported: _Test) -> list[str]:
    from companion.app.photo_reading import doubt_sentence
    from companion.ui.words import blind_words

    if not isinstance(reported.look, PhotoReading):
        return [_("no reading: {why}").format(why=blind_words(reported.look))]
    measures = reported.measures
    seen = _("{game}: {markers} of {all} markers, the smallest {side:.0f} px (good above 28)")
    lies = _("{scale:.1f} px a mm (good from 2.0), camera {slant:.0f} degrees off the vertical (good up to 30)")
    return [
        seen.format(
            game=reported.look.board.title,
            markers=measures.markers,
            all=len(reported.look.board.markers.ids),
            side=measures.marker_px or 0,
        ),
        lies.format(scale=measures.px_per_mm, slant=measures.slant_deg),
        _("read in {time:.0f} ms; {doubt}").format(
            time=reported.look.milliseconds, doubt=doubt_sentence(reported.look.unsure)
        ),
        _playable_sentence(measures),
    ]


def _advice_sentence(advice: CameraAdvice) -> str:
    sentences = {
        "more-light": _("-> more light on the table: it is too dark"),
        "less-glare": _("-> less glare: turn the lamp aside or put a shade before the window"),
        "focus": _("-> sharper: focus the lens, or hold the camera still"),
        "show-table": _("-> no marker of a table is in sight: turn the camera to the board"),
        "nearer": _("-> nearer, or a larger picture: the markers or cards are too small"),
        "flicker": _("-> another lamp, or daylight: this one flickers, which is taken out of the pictures"),
        "less-slant": _("-> less slant: bring the camera more above the board"),
        "clear-board": _("-> cells are in doubt: take hands and other things off the board, and test again"),
    }
    return sentences[advice.value]
