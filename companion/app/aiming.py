"""Measurements of a camera's picture of the table, with advice, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.app.photo_reading import PhotoReading, doubt_sentence, nearer_sentence
from companion.games.speech import table_title
from companion.locale import _, translated
from companion.ui.phrases import cells_words
from companion.ui.words import blind_words
from vision.board import Board
from vision.camera.check import CameraAdvice, CameraMeasures, advice, measure
from vision.frame import ImageBgr
from vision.observation import Blind


@dataclass(frozen=True, slots=True, eq=False)
class CameraLook:
    """The result of a camera's look at a table.

    Attributes:
        camera: its name.
        frames_per_s: its frame rate, None if it was not measured.
        look: the reading, or the reason for none.
        image_bgr: the picture, uint8 (height, width, 3).
        measures: the measurements of the picture.
        advice: what to change, most important first.
    """

    camera: str
    frames_per_s: float | None
    look: PhotoReading | Blind
    image_bgr: ImageBgr
    measures: CameraMeasures
    advice: tuple[CameraAdvice, ...]


def measured(
    image_bgr: ImageBgr,
    boards: Mapping[str, Board],
    look: PhotoReading | Blind,
    camera: str = "",
    frames_per_s: float | None = None,
    *,
    flickers: bool = False,
) -> CameraLook:
    """Measure a picture, uint8 (height, width, 3), that has been read; `flickers`: a lamp does in the pictures."""
    reading, board = (None, None) if isinstance(look, Blind) else (look.reading, look.board)
    measures = replace(measure(image_bgr, dict(boards), reading), flickers=flickers)
    return CameraLook(camera, frames_per_s, look, image_bgr, measures, advice(measures, board))


def look_lines(reported: CameraLook) -> list[str]:
    """Return the measurements as lines, with the advice last."""
    measures = reported.measures
    camera, (width, height) = translated(reported.camera), measures.size_wh
    rate = _("{camera}: {width} x {height} px, {rate:.1f} pictures a second")
    lines = [
        rate.format(camera=camera, width=width, height=height, rate=reported.frames_per_s)
        if reported.frames_per_s is not None
        else f"{camera}: {width} x {height} px",
        _("sharpness: edges {edge:.1f} px wide (good below 4.5)").format(edge=measures.edge_px),
        _("light: white is {white:.0f} of 255 (good above 110), {glare:.1%} burnt out").format(
            white=measures.white, glare=measures.glare
        ),
        *_of_the_table(reported),
    ]
    sentences = {
        "more-light": _("-> more light on the table: it is too dark"),
        "less-glare": _("-> less glare: turn the lamp aside or put a shade before the window"),
        "focus": _("-> sharper: focus the lens, or hold the camera still"),
        "show-table": _("-> no marker of a table is in sight: turn the camera to the board"),
        "nearer": nearer_sentence(),
        "flicker": _("-> another lamp, or daylight: this one flickers, which is taken out of the pictures"),
        "less-slant": _("-> less slant: bring the camera more above the board"),
        "clear-board": _("-> cells are in doubt: take hands and other things off the board, and test again"),
    }
    fine = [] if reported.advice or not isinstance(reported.look, PhotoReading) else [_("nothing to change")]
    return [*lines, *(sentences[advice.value] for advice in reported.advice), *fine]


def _of_the_table(reported: CameraLook) -> list[str]:
    if not isinstance(reported.look, PhotoReading):
        return [_("no reading: {why}").format(why=blind_words(reported.look))]
    measures, doubt = reported.measures, doubt_sentence(reported.look.unsure)
    if measures.playable:
        playable = _("this view can be played")
    elif measures.small:
        sentence = _("this view cannot be played for certain: too small in the picture are {cells}")
        playable = sentence.format(cells=cells_words(measures.small))
    else:
        playable = _("this view cannot be played for certain: cells are in doubt")
    seen = (
        _("{game}: {markers} of {all} patches of its print (good from a quarter)")
        if measures.marker_px is None
        else _("{game}: {markers} of {all} markers, the smallest {side:.0f} px (good above 28)")
    )
    lies = _("{scale:.1f} px a mm (good from 2.0), camera {slant:.0f} degrees off the vertical (good up to 30)")
    return [
        seen.format(
            game=table_title(reported.look.board),
            markers=measures.markers,
            all=len(reported.look.board.markers.ids),
            side=measures.marker_px or 0,
        ),
        lies.format(scale=measures.px_per_mm, slant=measures.slant_deg),
        doubt
        if not reported.look.milliseconds
        else _("read in {time:.0f} ms; {doubt}").format(time=reported.look.milliseconds, doubt=doubt),
        playable,
    ]
