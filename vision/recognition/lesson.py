"""One picture of the user's own table, as something to learn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vision.board import Board
from vision.calibration import Calibration
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.localization.locate import ScaledImage, locate, search
from vision.observation import SURE
from vision.recognition.labeller import CellLabeller
from vision.recognition.light import estimate_light
from vision.recognition.trust import readable_cells, rejection_reason
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
    scaled = ScaledImage(image_bgr)
    lens = calibration.lens_for(scaled.size_wh) if calibration else None
    located = locate(scaled, board, search(scaled), lens)
    if located is None or rejection_reason(scaled, board, located):
        return None
    view = TableView(scaled, located, estimate_light(image_bgr, board, located.estimate.pose, located.detections))
    seen = labeller.label(view)
    sure = readable_cells(board, located, scaled.size_wh) & (seen.p_visible > SURE) & (seen.p.max(axis=1) >= SURE)
    words = [labeller.labels[column] for column in seen.p.argmax(axis=1)]
    reported = {place: word for place, word, certain in zip(board.places, words, sure, strict=True) if certain}
    return EnrolmentSample(labeller.tones(view), reported)
