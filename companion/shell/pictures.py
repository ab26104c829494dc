"""Kept pictures: the latest frame with annotations, at a refusal and at the end of a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.core.verdicts import Action, Picture
from companion.core.view import View
from companion.shell.frame_reader import Sight
from companion.shell.picture_policy import OF_MOVE, PicturePolicy, make_private_folder, next_number, tidy
from companion.ui.picture import PictureNotes, annotate, save_picture
from companion.ui.words import EventWords, standing_words, verdict_words
from engines.kernel import Cell
from vision.board import Board
from vision.frame import ImageBgr

_MOVE_PX, _MOVE_QUALITY = 960, 75
"""Width of a picture of a move, and its JPEG quality: about 70 kB."""


class SnapshotStore:
    """A store for a game's pictures: the latest of each kind, in a folder made when needed.

    A name has a running number, and the game once it is in the journal: `000012-royal-ur-7-20260501T193000-final.png`.
    If the policy says so, each move that the camera saw has a picture: `000013-royal-ur-7-20260501T193000-21.jpg`.

    Args:
        folder: where the pictures are kept.
        board: the table.
        words: the game's own sentences.
        sight: returns the latest frame that could be read; None if there is no camera.
        policy: which pictures are kept; outdated ones are deleted when the store is made.
        game: returns the game's name in pictures' names.
    """

    def __init__(
        self,
        folder: Path,
        board: Board,
        words: EventWords[Action],
        sight: Callable[[], Sight | None] | None,
        *,
        policy: PicturePolicy,
        game: Callable[[], str],
    ) -> None:
        self._policy, self._game = policy, game
        tidy(folder, policy)
        self._folder = folder
        self._board, self._words = board, words
        self._sight = sight
        self._kept: dict[Picture, Path] = {}

    def keep(self, kind: Picture, view: View) -> Path | None:
        """Keep the latest frame and return its path; None if there is no frame, or none is to be kept.

        Raises:
            OSError: it cannot be written.
        """
        sight = self._sight() if self._sight and self._policy.enabled else None
        if sight is None or (kind is Picture.MOVE and not self._policy.moves):
            return None
        make_private_folder(self._folder)
        if kind is Picture.MOVE:  # small, without annotations
            image_bgr = sight.frame.image_bgr
            ratio = min(1.0, _MOVE_PX / image_bgr.shape[1])
            small = cv2.resize(image_bgr, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
            path = self._folder / f"{next_number(self._folder)}-{self._game()}-{view.played}{OF_MOVE}"
            save_picture(path, np.asarray(small, np.uint8), private=True, quality=_MOVE_QUALITY)
            return None
        path = self._folder / f"{next_number(self._folder)}-{self._game()}-{kind.value}.png"
        image_bgr = drawn_over(sight, self._board, view, self._words)
        save_picture(path, image_bgr, private=True)
        if (before := self._kept.get(kind)) is not None:
            before.unlink(missing_ok=True)
        self._kept[kind] = path
        for other, kept in self._kept.items():  # those from before the game was in the journal get its name
            named = kept.with_name(f"{kept.name.partition('-')[0]}-{self._game()}-{other.value}.png")
            if named != kept and kept.exists():
                self._kept[other] = kept.replace(named)
        tidy(self._folder, self._policy)
        return self._kept[kind]


def drawn_over(sight: Sight, board: Board, view: View, words: EventWords[Action]) -> ImageBgr:
    """Return an annotated copy of a frame, uint8 (height, width, 3)."""
    seen = sight.reading.observation
    hidden = [cell for cell, visible in zip(seen.cells, seen.visible, strict=True) if not visible]
    notes = PictureNotes(
        labels=dict(zip(seen.cells, seen.best(), strict=True)),
        unsure={*view.doubt, *map(Cell, hidden)},
        hidden=hidden,
        title=board.title,
        lines=[verdict_words(view, words), standing_words(view)],
    )
    return annotate(sight.frame.image_bgr, board, sight.reading.pose, notes)
