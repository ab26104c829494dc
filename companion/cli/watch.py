"""`companion watch`: what is over the board in a recording, picture by picture, and whether anything moves."""

from __future__ import annotations

import argparse
from collections import Counter

from companion.app.output import write_json, write_text
from companion.cli.exits import DONE
from companion.cli.parser import UsageError
from companion.cli.photographs import corners_px
from companion.locale import _
from vision.board import load_board, shipped_board, shipped_games
from vision.occlusion.gate import OcclusionState
from vision.occlusion.watcher import Watcher
from vision.recording import open_recording


def run(args: argparse.Namespace) -> int:
    """Watch the recording to its end; report every picture as JSON, or each change of state as a line.

    Raises:
        UsageError: no picture shows a board, and no corners were given.
    """
    if args.corners is not None:
        watcher = Watcher(corners_px=corners_px(args.corners))
    else:  # watching needs no reader, so every table that ships will do
        shipped = [shipped_board(game) for game in ([args.game] if args.game else shipped_games())]
        watcher = Watcher([load_board(args.table)] if args.table else shipped)
    names = {
        OcclusionState.CLEAN: _("clean"),
        OcclusionState.HAND: _("hand"),
        OcclusionState.SHADOW: _("shadow"),
        OcclusionState.LIGHT: _("other light"),
        OcclusionState.MOVED: _("moved"),
        OcclusionState.BLIND: _("nothing to be seen"),
    }
    recording = open_recording(args.video)
    counted: Counter[OcclusionState] = Counter()
    before, still, frames = None, 0, 0
    for image_bgr in recording.pictures:
        watched = watcher.look(image_bgr, frames / recording.fps)
        del image_bgr
        if args.json:
            write_json({"frame": frames, "state": watched.state, "still": watched.still})
        elif watched.state is not before:
            write_text(f"{_clock(frames / recording.fps)}  {names[watched.state]}")
        before = watched.state
        counted[watched.state] += 1
        still += watched.still
        frames += 1  # not by enumerate, which would hold the picture
    if not args.json:  # the share of each state
        shares = ", ".join(f"{names[state]} {count / frames:.0%}" for state, count in counted.most_common())
        summary, time = _("{frames} pictures, {time}: {shares}; still {still:.0%}"), _clock(frames / recording.fps)
        write_text(summary.format(frames=frames, time=time, shares=shares, still=still / frames))
    if counted.keys() == {OcclusionState.BLIND} and args.corners is None:
        sentence = _(
            "{video}: no picture shows three markers of a known table; name the board's corners in the first picture,"
            ' such as --corners "412,96 1310,88 1522,960 230,981"'
        )
        raise UsageError(sentence.format(video=args.video))
    return DONE


def _clock(seconds: float) -> str:
    return f"{int(seconds // 60)}:{seconds % 60:04.1f}"
