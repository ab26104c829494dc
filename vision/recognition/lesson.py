"""One picture of the user's own table, as something to learn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vision.board import Board
from vision.calibration import Calibration
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.localization.locate import Shot, locate, search
from vision.observation import SURE
from vision.recognition.labeller import CellLabeller
from vision.recognition.light import estimate_light
from vision.recognition.trust import readable_cells, why_not
from vision.recognition.view import TableView


@dataclass(frozen=True, slots=True, eq=False)
class EnrolmentSample:
    """Colours over the places, float64 (n_places, heights x bgr), and what the eye is sure of there, by place."""

    tones: Floats
    sure: Mapping[str, str]


def take_lesson(
    image_bgr: ImageBgr, board: Board, labeller: CellLabeller, calibration: Calibration | None
) -> EnrolmentSample | None:
    """Look at a picture uint8 (height, width, 3); None when the board cannot be read in it."""
    shot = Shot(image_bgr)
    lens = calibration.lens_for(shot.size_wh) if calibration else None
    located = locate(shot, board, search(shot), lens)
    if located is None or why_not(shot, board, located):
        return None
    view = TableView(shot, located, estimate_light(image_bgr, board, located.estimate.pose, located.sightings))
    seen = labeller.label(view)
    sure = readable_cells(board, located, shot.size_wh) & (seen.p_visible > SURE) & (seen.p.max(axis=1) >= SURE)
    words = [labeller.labels[column] for column in seen.p.argmax(axis=1)]
    reported = {place: word for place, word, certain in zip(board.places, words, sure, strict=True) if certain}
    return EnrolmentSample(labeller.tones(view), reported)
