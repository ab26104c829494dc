"""Set-up with the camera on the page, step by step: the lens, the colours of pieces, a board of the players' own.

The page takes pictures with the table's camera, runs the terminal's commands on them, and shows their output.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, TypeAlias

import cv2
import msgspec
from starlette.routing import Route

from companion.app.photo_reading import own_table
from companion.games import GAMES
from companion.games.speech import title_of
from companion.locale import _, language
from companion.shell.config_places import own_place
from companion.shell.settings import variable
from companion.ui.names import lens_steps, pieces_steps
from companion.web.acts import Word
from companion.web.pictures import Lookout
from companion.web.server import Site, accepts, shows

MOST_PICTURES = 15
_LONGEST_S = 300.0
_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - only its owner may enter a folder that is made there
_Part = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]


class _Work(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A task of the set-up."""


class Take(_Work, frozen=True, tag="take"):
    """Taking another picture; `empty`: of the empty board, `first`: earlier ones are dropped."""

    empty: bool = False
    first: bool = False


class MeasureLens(_Work, frozen=True, tag="lens"):
    """Measuring the lens."""


class _OfGame(_Work, frozen=True):
    """A task for one game's table."""

    game: Word

    def __post_init__(self) -> None:
        """Reject an unknown game."""
        if self.game not in GAMES:
            raise ValueError(self.game)


class Pieces(_OfGame, frozen=True, tag="pieces"):
    """Learning the colours of the pieces and the empty board of a game."""


class OwnBoard(_OfGame, frozen=True, tag="board"):
    """Measuring a board of the players' own, to play a game on.

    Attributes:
        corners: of its cells in the first picture, clockwise from the top left, in fractions of its width and height.
        markers: whether printed markers lie round it; otherwise it is found by its own print.
    """

    corners: Annotated[list[tuple[_Part, _Part]], msgspec.Meta(min_length=4, max_length=4)]
    markers: bool = True


Work: TypeAlias = Take | MeasureLens | Pieces | OwnBoard


class Workshop:
    """A store of pictures of the camera in memory, on which commands run, one at a time."""

    def __init__(self, lookout: Lookout) -> None:
        self._lookout = lookout
        self._taken: list[tuple[bytes, bool]] = []
        self._size_wh = (1, 1)
        self._lock = threading.Lock()

    def done(self, work: Work) -> Mapping[str, Any]:
        """Do a task in the current language; return its output lines and the number of pictures.

        Nothing is done while a command is running.
        """
        if not self._lock.acquire(blocking=False):
            return {"lines": [_("One moment ...")], "taken": len(self._taken)}
        try:
            lines: Sequence[str] = []
            latest = None if self._lookout.eye is None else self._lookout.eye.latest
            if not isinstance(work, Take):
                lines = self._run(_command(work, self._size_wh), work)
            elif latest is None:
                lines = [_("There is no picture of the camera yet.")]
            else:
                if work.first:
                    self._taken, self._size_wh = [], latest.size_wh
                picture = cv2.imencode(".png", latest.image_bgr)[1].tobytes()
                self._taken = [*self._taken, (picture, work.empty)][:MOST_PICTURES]
            return {"lines": lines, "taken": len(self._taken)}
        finally:
            self._lock.release()

    def _run(self, command: Sequence[str], work: Work) -> Sequence[str]:
        # in memory, because the players may not want pictures on the disk
        with TemporaryDirectory(dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None) as folder:
            arguments = list(command)
            for number, (picture, empty) in enumerate(self._taken, 1):
                path = Path(folder, f"{number}.png")
                path.write_bytes(picture)
                arguments += ["--empty", path.name] if empty and isinstance(work, Pieces) else [path.name]
            # the phone's language and whole sentences, whatever the settings of the table say
            shown = {variable("language"): language(), variable("width"): "1000", variable("colour"): "false"}
            try:
                ran = subprocess.run(  # noqa: S603 - our own program, by words that were checked
                    [sys.executable, "-m", "companion", *arguments],
                    cwd=folder,
                    env={**os.environ, **shown},
                    capture_output=True,
                    text=True,
                    timeout=_LONGEST_S,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return [f"companion {command[0]}: > {_LONGEST_S:.0f} s"]
        return [line for line in (ran.stdout + ran.stderr).splitlines() if line.strip()]


def _command(work: Work, size_wh: tuple[int, int]) -> Sequence[str]:
    match work:
        case OwnBoard(game=game, markers=markers, corners=corners):
            own = own_place(own_table(game))
            own.parent.mkdir(parents=True, exist_ok=True)
            where = " ".join(f"{x * size_wh[0]:.0f},{y * size_wh[1]:.0f}" for x, y in corners)
            bare = [] if markers else ["--no-markers"]
            return ["table", "new", game, *bare, "--corners", where, "--out", str(own), "--from"]
        case Pieces(game=game):
            return ["enrol", "--game", game]
    return ["calibrate"]


def workshop_words() -> Mapping[str, Any]:
    """Return the words of each task, in the current language, mostly those of the commands."""
    lens, pieces, board = (
        _("measure the camera's lens with a printed sheet"),
        _("teach the camera your own pieces and board"),
        _("write a table file for a board of your own"),
    )
    markers = _("measure the board in photographs instead: put three or more printed markers round it, anywhere")
    put_markers = markers.partition(": ")[2]
    bare = _("find the board by what is printed on it; the first photograph shows it empty, the camera stands still")
    return {
        "games": {game: title_of(game) for game in GAMES},
        "take": _("Take a picture"),
        "take_empty": _("Take a picture of the empty board"),
        "go": _("Use them"),
        "tasks": [
            {"do": "lens", "title": lens, "text": f"{lens_steps()} (companion print charuco)"},
            {"do": "pieces", "title": pieces, "text": pieces_steps().partition("--shows")[0].rpartition(". ")[0] + "."},
            {"do": "board", "title": board, "text": f"{put_markers[:1].upper()}{put_markers[1:]}."},
        ],
        "bare": f"{bare[:1].upper()}{bare[1:]}.",
        "corners": _("Tap the four corners of the cells, clockwise from the top left."),
    }


def routes(site: Site, lookout: Lookout) -> list[Route]:
    """Return the routes of the tasks."""
    workshop = Workshop(lookout)

    return [
        Route("/workshop", shows(site, lambda _request: workshop_words())),
        Route("/workshop", accepts(site, Work, lambda _request, work: workshop.done(work)), methods=["POST"]),
    ]
