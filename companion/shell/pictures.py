"""Kept pictures: the latest frame with annotations, at a refusal and at the end of a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.core.verdicts import Action, Picture
from companion.core.view import View
from companion.games.speech import table_title
from companion.shell.frame_reader import FrameReader, Sight
from companion.shell.picture_policy import OF_MOVE, PicturePolicy, make_private_folder, next_number, tidy
from companion.ui.picture import annotate, save_picture
from companion.ui.words import EventWords, standing_words, verdict_words
from engines.kernel import Cell
from vision.board import Board
from vision.frame import ImageBgr

_MOVE_PX, _MOVE_QUALITY = 960, 75
"""Width of a picture of a move, and its JPEG quality: about 70 kB."""


def picture_keeper(
    folder: Path,
    board: Board,
    words: EventWords[Action],
    eye: FrameReader | None,
    *,
    policy: PicturePolicy,
    game: Callable[[], str],
) -> Callable[[Picture, View], Path | None]:
    """Return a function that keeps the latest frame, annotated, and returns its path.

    It returns None if there is no frame, or none is to be kept, and raises OSError if the picture cannot be written.
    The latest picture of each kind is kept, in a folder made when needed; outdated ones are deleted. A name has a
    running number, and the game's name once it is in the journal: `000012-royal-ur-7-20260501T193000-final.png`. If the
    policy says so, each move that the camera saw has a picture: `000013-royal-ur-7-20260501T193000-21.jpg`.
    """
    tidy(folder, policy)
    latest: dict[Picture, Path] = {}

    def keep(kind: Picture, view: View) -> Path | None:
        sight = eye.sight if eye is not None and policy.enabled else None
        if sight is None or (kind is Picture.MOVE and not policy.moves):
            return None
        make_private_folder(folder)
        if kind is Picture.MOVE:  # small, without annotations
            image_bgr = sight.frame.image_bgr
            ratio = min(1.0, _MOVE_PX / image_bgr.shape[1])
            small = cv2.resize(image_bgr, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
            path = folder / f"{next_number(folder)}-{game()}-{view.played}{OF_MOVE}"
            save_picture(path, np.asarray(small, np.uint8), private=True, quality=_MOVE_QUALITY)
            return None
        path = folder / f"{next_number(folder)}-{game()}-{kind.value}.png"
        save_picture(path, drawn_over(sight, board, view, words), private=True)
        if (before := latest.get(kind)) is not None:
            before.unlink(missing_ok=True)
        latest[kind] = path
        for other, kept in latest.items():  # those from before the game was in the journal get its name
            named = kept.with_name(f"{kept.name.partition('-')[0]}-{game()}-{other.value}.png")
            if named != kept and kept.exists():
                latest[other] = kept.replace(named)
        tidy(folder, policy)
        return latest[kind]

    return keep


def drawn_over(sight: Sight, board: Board, view: View, words: EventWords[Action]) -> ImageBgr:
    """Return an annotated copy of a frame, uint8 (height, width, 3)."""
    seen = sight.reading.observation
    hidden = [cell for cell, visible in zip(seen.cells, seen.visible, strict=True) if not visible]
    return annotate(
        sight.frame.image_bgr,
        board,
        sight.reading.pose,
        dict(zip(seen.cells, seen.best(), strict=True)),
        unsure={*view.doubt, *map(Cell, hidden)},
        hidden=hidden,
        lines=(table_title(board), verdict_words(view, words), standing_words(view)),
    )
