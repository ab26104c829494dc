"""Pictures that are kept: the latest frame with what was made of it, at a refusal and at the end of a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.core.verdicts import Picture
from companion.core.view import View
from companion.shell.clock import Clock
from companion.shell.frame_reader import Sight
from companion.shell.picture_policy import PicturePolicy, make_private_folder, tidy
from companion.ui.picture import PictureNotes, annotate, save_picture
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
        sight: returns the latest frame that could be read; None where there is no camera.
        policy: which pictures are kept; those that are not any more are deleted when the store is made.
        clock: the time, to know how old a picture is.
    """

    def __init__(
        self,
        folder: Path,
        stem: str,
        board: Board,
        words: GameWords,
        sight: Callable[[], Sight | None] | None,
        *,
        policy: PicturePolicy,
        clock: Clock,
    ) -> None:
        self._policy, self._clock = policy, clock
        tidy(folder, policy, clock.utc())
        self._folder, self._stem = folder, stem
        self._board, self._words = board, words
        self._sight = sight

    def keep(self, kind: Picture, view: View) -> Path | None:
        """Keep the latest frame and give its path; None when nothing has been seen or none is kept.

        Raises:
            OSError: it cannot be written.
        """
        sight = self._sight() if self._sight and self._policy.enabled else None
        if sight is None:
            return None
        path = self._folder / f"{self._stem}-{kind.value}.png"
        make_private_folder(self._folder)
        image_bgr = annotate(sight.frame.image_bgr, self._board, sight.reading.pose, self._reported(sight, view))
        save_picture(path, image_bgr, private=True)
        tidy(self._folder, self._policy, self._clock.utc())
        return path

    def _reported(self, sight: Sight, view: View) -> PictureNotes:
        seen = sight.reading.observation
        hidden = [cell for cell, visible in zip(seen.cells, seen.visible, strict=True) if not visible]
        return PictureNotes(
            labels=dict(zip(seen.cells, seen.best(), strict=True)),
            unsure={*view.doubt, *map(Cell, hidden)},
            hidden=hidden,
            title=self._board.title,
            lines=[verdict_words(view, self._words), standing_words(view)],
        )
