"""Pictures that are kept: the latest frame with what was made of it, at a refusal and at the end of a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2

from companion.core.verdicts import Picture
from companion.core.view import View
from companion.shell.frame_reader import Sight
from companion.ui.picture import Decision, annotate
from companion.ui.words import GameWords, standing_words, verdict_words
from engines.kernel import Cell
from vision.board import Board


class SnapshotStore:
    """Keeps one picture of each kind for a game, the latest, in a folder that is made when there is one to keep.

    Args:
        folder: where they go.
        stem: what their names begin with.
        board: the table.
        words: the game's own sentences.
        sight: gives the latest frame that could be read.
    """

    def __init__(
        self, folder: Path, stem: str, board: Board, words: GameWords, sight: Callable[[], Sight | None]
    ) -> None:
        self._folder, self._stem = folder, stem
        self._board, self._words = board, words
        self._sight = sight

    def keep(self, kind: Picture, view: View) -> Path | None:
        """Keep the latest frame and give its path; None when nothing has been seen.

        Raises:
            OSError: it cannot be written.
        """
        sight = self._sight()
        if sight is None:
            return None
        path = self._folder / f"{self._stem}-{kind.value}.png"
        self._folder.mkdir(parents=True, exist_ok=True)
        image_bgr = annotate(sight.frame.image_bgr, self._board, sight.reading.pose, self._told(sight, view))
        path.write_bytes(cv2.imencode(".png", image_bgr)[1].tobytes())
        return path

    def _told(self, sight: Sight, view: View) -> Decision:
        seen = sight.reading.observation
        hidden = [cell for cell, visible in zip(seen.cells, seen.visible, strict=True) if not visible]
        return Decision(
            labels=dict(zip(seen.cells, seen.best(), strict=True)),
            unsure={*view.doubt, *map(Cell, hidden)},
            hidden=hidden,
            title=self._board.title,
            lines=[verdict_words(view, self._words), standing_words(view)],
        )
