"""`companion watch`: what is over the board in a recording, picture by picture, and whether anything moves."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.output import write_json, write_text
from companion.cli.exits import DONE
from companion.cli.parser import Subparsers, UsageError, examples
from companion.cli.photographs import add_table_arguments, corners_px
from companion.locale import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vision.board import Board
    from vision.occlusion.gate import OcclusionState
    from vision.occlusion.watcher import Watched, Watcher
    from vision.recording import Recording


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "watch",
        help=_("report when the board in a recording is clean and still"),
        description=_(
            "Goes through a recording and reports for every picture what is over the board: nothing "
            "(clean), a hand, a shadow, another light than before, the board elsewhere than before (moved), "
            "or nothing to be seen (blind); and whether it is still."
        ),
        epilog=_("Pieces that were moved leave a clean board. What has not moved for long counts as part of the board.")
        + "\n\n"
        + examples(
            "companion watch game.mp4",
            "companion watch --game royal-tee --json game.mp4",
            'companion watch --corners "412,96 1310,88 1522,960 230,981" chess.mp4',
            "companion watch pictures/",
        ),
    )
    add_table_arguments(parser, _("the game to look for; without it, the markers decide"))
    parser.add_argument(
        "--corners",
        metavar='"X,Y X,Y X,Y X,Y"',
        help=_("the board's corners in the first picture, in pixels, clockwise from its top left; it needs no markers"),
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON for each picture"))
    parser.add_argument("video", type=Path, metavar="VIDEO", help=_("a video file, or a folder of pictures"))


def run(args: argparse.Namespace) -> int:
    """Watch the recording to its end.

    Raises:
        UsageError: no picture shows a board, and no corners were named.
    """
    from vision.recording import open_recording

    watcher = _watcher(args)
    recording = open_recording(args.video)
    seen: set[OcclusionState] = set()
    reported = _watched(watcher, recording, seen)
    if args.json:
        for frame, watched in enumerate(reported):
            write_json({"frame": frame, "state": watched.state, "still": watched.still})
    else:
        _tell(reported, recording.fps)
    _check_seen(seen, args)
    return DONE


def _check_seen(seen: set[OcclusionState], args: argparse.Namespace) -> None:
    from vision.occlusion.gate import OcclusionState

    if seen == {OcclusionState.BLIND} and args.corners is None:
        sentence = _(
            "{video}: no picture shows three markers of a known table; name the board's corners in the first picture,"
            ' such as --corners "412,96 1310,88 1522,960 230,981"'
        )
        raise UsageError(sentence.format(video=args.video))


def _watcher(args: argparse.Namespace) -> Watcher:
    from vision.occlusion.watcher import Watcher, at_corners, by_markers

    boards = _boards(args)
    if args.corners is None:
        return Watcher(by_markers(boards), again=True)
    return Watcher(at_corners(corners_px(args.corners)), again=False)


def _boards(args: argparse.Namespace) -> Sequence[Board]:
    """Load the tables to look for; watching needs no reader, so every table that ships will do."""
    from vision.board import load_board, shipped_board, shipped_games

    if args.table is not None:
        return [load_board(args.table)]
    return [shipped_board(game) for game in ([args.game] if args.game else shipped_games())]


def _watched(watcher: Watcher, recording: Recording, seen: set[OcclusionState]) -> Iterator[Watched]:
    """Yield what is over the board in each picture, and note in `seen` which states there were."""
    frame = 0
    for image_bgr in recording.pictures:
        watched = watcher.look(image_bgr, frame / recording.fps)
        seen.add(watched.state)
        yield watched
        del image_bgr
        frame += 1  # noqa: SIM113 - enumerate would hold the picture


def _tell(reported: Iterator[Watched], fps: float) -> None:
    """Write a line for each change of state as it comes, and how much there was of each in the end."""
    names, before, still, frames = _names(), None, 0, 0
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


def _names() -> Mapping[OcclusionState, str]:
    from vision.occlusion.gate import OcclusionState

    return {
        OcclusionState.CLEAN: _("clean"),
        OcclusionState.HAND: _("hand"),
        OcclusionState.SHADOW: _("shadow"),
        OcclusionState.LIGHT: _("other light"),
        OcclusionState.MOVED: _("moved"),
        OcclusionState.BLIND: _("nothing to be seen"),
    }
