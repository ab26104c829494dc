"""`companion watch`: what is over the board in a recording, picture by picture, and whether anything moves."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

from companion.app.output import write_json, write_text
from companion.cli.exits import DONE
from companion.cli.parser import UsageError
from companion.cli.photographs import corners_px
from companion.locale import _
from vision.board import load_board, shipped_board, shipped_games
from vision.occlusion.gate import OcclusionState
from vision.occlusion.watcher import Watched, Watcher, at_corners, by_markers
from vision.recording import Recording, open_recording


def run(args: argparse.Namespace) -> int:
    """Watch the recording to its end.

    Raises:
        UsageError: no picture shows a board, and no corners were given.
    """
    if args.corners is not None:
        watcher = Watcher(at_corners(corners_px(args.corners)), again=False)
    else:  # watching needs no reader, so every table that ships will do
        shipped = [shipped_board(game) for game in ([args.game] if args.game else shipped_games())]
        watcher = Watcher(by_markers([load_board(args.table)] if args.table else shipped), again=True)
    recording = open_recording(args.video)
    seen: set[OcclusionState] = set()
    reported = _watch(watcher, recording, seen)
    if args.json:
        for frame, watched in enumerate(reported):
            write_json({"frame": frame, "state": watched.state, "still": watched.still})
    else:
        _tell(reported, recording.fps)
    if seen == {OcclusionState.BLIND} and args.corners is None:
        sentence = _(
            "{video}: no picture shows three markers of a known table; name the board's corners in the first picture,"
            ' such as --corners "412,96 1310,88 1522,960 230,981"'
        )
        raise UsageError(sentence.format(video=args.video))
    return DONE


def _watch(watcher: Watcher, recording: Recording, seen: set[OcclusionState]) -> Iterator[Watched]:
    """Yield the state of each picture, and add it to `seen`."""
    frame = 0
    for image_bgr in recording.pictures:
        watched = watcher.look(image_bgr, frame / recording.fps)
        seen.add(watched.state)
        yield watched
        del image_bgr
        frame += 1  # noqa: SIM113 - enumerate would hold the picture


def _tell(reported: Iterator[Watched], fps: float) -> None:
    """Print a line for each change of state as it comes, and at the end the share of each state."""
    names = {
        OcclusionState.CLEAN: _("clean"),
        OcclusionState.HAND: _("hand"),
        OcclusionState.SHADOW: _("shadow"),
        OcclusionState.LIGHT: _("other light"),
        OcclusionState.MOVED: _("moved"),
        OcclusionState.BLIND: _("nothing to be seen"),
    }
    before, still, frames = None, 0, 0
    counted: Counter[OcclusionState] = Counter()
    for watched in reported:
        if watched.state is not before:
            write_text(f"{_clock(frames / fps)}  {names[watched.state]}")
            before = watched.state
        counted[watched.state] += 1
        still += watched.still
        frames += 1
    shares = ", ".join(f"{names[state]} {count / frames:.0%}" for state, count in counted.most_common())
    summary = _("{frames} pictures, {time}: {shares}; still {still:.0%}")
    write_text(summary.format(frames=frames, time=_clock(frames / fps), shares=shares, still=still / frames))


def _clock(seconds: float) -> str:
    return f"{int(seconds // 60)}:{seconds % 60:04.1f}"
