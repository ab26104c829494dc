"""Pictures that the camera kept during a game of the journal, small enough for a page."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta
from pathlib import Path

import cv2
import numpy as np

from companion.core.verdicts import Picture
from companion.locale import _
from companion.shell.journal import RecordedGame
from companion.ui.report_page import Photograph

FOLDER = "pictures"
"""The pictures' folder beside the journal."""

_WIDEST_PX = 1200
_QUALITY = 82
_BEFORE, _AFTER = timedelta(minutes=1), timedelta(minutes=10)
"""So long before the first and after the last action a picture may be taken to be of this game."""


def photographs(folder: Path, recorded: RecordedGame) -> list[Photograph]:
    """Return the pictures that were kept during a game, the oldest first; those that cannot be read are left out.

    Args:
        folder: the journal's.
        recorded: the game.
    """
    if not recorded.ended:
        return []
    began, ended = datetime.fromisoformat(recorded.started), datetime.fromisoformat(recorded.ended)
    found = _taken_between(folder / FOLDER, recorded.game, began - _BEFORE, ended + _AFTER)
    return [photograph for path in found if (photograph := _photograph(path)) is not None]


def _taken_between(folder: Path, game: str, first: datetime, last: datetime) -> list[Path]:
    dated = sorted((path.stat().st_mtime, path) for path in folder.glob(f"{game}-*.png"))
    return [path for time, path in dated if first.timestamp() <= time <= last.timestamp()]


def _photograph(path: Path) -> Photograph | None:
    """Return a picture with its caption, made smaller where it is wide."""
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        return None
    ratio = min(1.0, _WIDEST_PX / picture.shape[1])
    small = cv2.resize(picture, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    _done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return Photograph(_caption(path), f"data:image/jpeg;base64,{base64.b64encode(jpeg.tobytes()).decode()}")


def _caption(path: Path) -> str:
    captions = {Picture.REFUSED.value: _("A move that was refused"), Picture.FINAL.value: _("The table at the end")}
    return next((words for kind, words in captions.items() if path.stem.endswith(f"-{kind}")), _("The table"))
